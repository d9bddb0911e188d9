"""The line from a recording to a replay: record, parse, export, check, perform again from the pack."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from demopack.errors import PackError
from demopack.jobs import JobControl
from demopack.pack import check_pack, export_pack, open_pack
from demopack.settings import PlayerSettings, RecorderSettings
from demopack.store import Library
from models.vision.demo_parsing import parse_demo
from models.vision.finder import WorkerFinder
from player.backends import open_performer
from player.replay import Replay
from player.report import ReplayReport
from recorder.backends import open_screen
from recorder.session import RecordingSession


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


def make_pack(library: Library, demo_id: str, finder: WorkerFinder, out: Path) -> list[dict[str, Any]]:
    """Parse and export a demo; returns the rows of the pack's steps.

    Raises:
        PackError: the pack breaks a rule.
    """
    parse_demo(library, demo_id, finder, control=JobControl())
    export_pack(library, [demo_id], out)
    errors = [f"{f.rule} {f.file}: {f.message}" for f in check_pack(out) if f.severity == "error"]
    if errors:
        raise PackError("The pack of the recording breaks a rule.", details="; ".join(errors))
    return [json.loads(line) for line in (out / "steps.jsonl").read_text(encoding="utf-8").splitlines()]


def replay_pack(pack: Path, finder: WorkerFinder) -> ReplayReport:
    """Perform the first demo of a pack on the display of this process."""
    with (
        open_pack(pack) as opened,
        contextlib.closing(open_screen()) as screen,
        contextlib.closing(open_performer()) as performer,
    ):
        demo = next(iter(opened.whole_demos()))
        replay = Replay(demo, opened, finder=finder, screen=screen, performer=performer, settings=PlayerSettings())
        return replay.run(control=JobControl())
