"""``demopack record`` says what will be stored before anything can be typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from demopack.errors import CaptureError
from demopack_cli.main import main
from recorder import selftest, session
from recorder.selftest import TEXT_STORED, CheckResult


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[CheckResult], str]:
    def run(result: CheckResult) -> str:
        def refuse(_: object) -> None:
            raise CaptureError("The recording begins here.")

        monkeypatch.setattr(selftest, "run_selftest", lambda **_: [result])
        monkeypatch.setattr(session.RecordingSession, "start", refuse)
        done = CliRunner().invoke(main, ["record", "--task", "x", "--library", str(tmp_path / "library")])
        assert done.exit_code != 0
        return done.output

    return run


def test_that_passwords_will_be_stored_is_said_before_the_recording_begins(
    record: Callable[[CheckResult], str],
) -> None:
    silent = CheckResult(name="accessibility", ok=False, words="Nobody tells.", hint=TEXT_STORED, needed=False)
    assert f"Nobody tells. {TEXT_STORED}" in record(silent)


def test_what_keeps_a_recording_from_beginning_is_said_once_by_its_start(
    record: Callable[[CheckResult], str],
) -> None:
    assert "No input." not in record(CheckResult(name="input", ok=False, words="No input."))
