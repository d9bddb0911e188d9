"""The line from a recording to a replay, as a test runs it: the same parts as the app, nothing faked."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demopack.domain.demos import Demo
from demopack.jobs import JobControl
from demopack.pack import check_pack, export_pack, open_pack
from demopack.settings import PlayerSettings, RecorderSettings
from demopack.store import Library
from models.vision.demo_parsing import parse_demo
from models.vision.finder import WorkerFinder
from player.backends import open_performer
from player.replay import Replay
from recorder.backends import open_screen
from recorder.session import RecordingSession


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A finished replay: ``report`` is the player's own, ``strategies`` says how each target was found."""

    report: Any
    strategies: list[str]


@contextlib.contextmanager
def recording(library: Library, *, task: str) -> Generator[Callable[[], str]]:
    """Record what happens in the block; the value, called after it, is the demo's id."""
    session = RecordingSession(library, settings=RecorderSettings(), task=task)
    made: list[str] = []
    session.start()
    try:
        yield lambda: made[0]
    finally:
        made.append(session.stop())


def to_pack(library: Library, demo_id: str, finder: WorkerFinder, out: Path) -> list[dict[str, Any]]:
    """Parse and export a demo; returns the rows of the pack's steps. The pack has no error."""
    parse_demo(library, demo_id, finder, control=JobControl())
    export_pack(library, [demo_id], out)
    assert [f for f in check_pack(out) if f.severity == "error"] == []
    return [json.loads(line) for line in (out / "steps.jsonl").read_text(encoding="utf-8").splitlines()]


def play(pack: Path, finder: WorkerFinder) -> Played:
    """Perform the first demo of a pack on the display of this process."""
    with (
        open_pack(pack) as opened,
        contextlib.closing(open_screen()) as screen,
        contextlib.closing(open_performer()) as performer,
    ):
        demo: Demo = next(opened.whole_demos())
        report = Replay(demo, opened, finder=finder, screen=screen, performer=performer, settings=PlayerSettings()).run(
            control=JobControl()
        )
    return Played(report=report, strategies=[str(step.strategy) for step in report.steps])
