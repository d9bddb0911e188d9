"""Programs with very much in them are not gone through while they are recorded."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from recorder.backends import open_access
from recorder.desktop.private_display import PrivateDesktop
from tests.support.desktop_programs import DesktopProgram, until, xdotool

pytestmark = pytest.mark.e2e

_TABLE = Path(__file__).parents[1] / "support" / "counting_table.py"
_IN_VIEW = 16 * 8


@pytest.fixture(scope="module")
def desktop() -> Iterator[PrivateDesktop]:
    with PrivateDesktop(width=900, height=700) as started:
        assert started.has_access
        yield started


def test_a_table_of_a_million_rows_is_asked_about_little_more_than_what_is_pointed_at(
    desktop: PrivateDesktop, tmp_path: Path
) -> None:
    told = tmp_path / "asked"
    command = (sys.executable, str(_TABLE), str(told))
    with DesktopProgram(desktop, *command, window="A million rows"):
        until(told.exists, "it does not tell")
        access = open_access(desktop.name)
        access.start()
        try:
            until(lambda: access.catch_up(timeout_s=5) and access.focused(time.monotonic_ns()) is not None, "no focus")
            for row in range(10):
                at = (400, 200 + row * 30)
                xdotool(desktop, "mousemove", *map(str, at), "click", "1", "key", "Down")
                access.ask(*at)
                asked = time.monotonic_ns()
                until(lambda: access.catch_up(timeout_s=5), "it does not keep up")
                found = access.pointed(*at, asked)
                assert found is not None
                assert found.role == "table cell"
            now = time.monotonic_ns()
            assert access.fields_known(now, now) is True
        finally:
            access.stop()
        time_of_last = told.stat().st_mtime_ns
        until(lambda: told.stat().st_mtime_ns > time_of_last, "it hangs")
        # Each press paints two rows anew, which asks, too; to go through the table would ask millions of times.
        assert int(told.read_text()) < 40 * _IN_VIEW
