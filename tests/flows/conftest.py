"""A library, a recording in the test's hands, and no thread that survives a test."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from demopack.store import Library
from tests.support.studio import Studio


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [thread.name for thread in threading.enumerate() if thread not in before and thread.is_alive()]
    assert left == []


@pytest.fixture
def library(tmp_path: Path) -> Generator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def studio(library: Library) -> Generator[Studio]:
    studio = Studio(library)
    studio.session.start()
    yield studio
    studio.session.stop()
