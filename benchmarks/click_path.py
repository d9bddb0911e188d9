"""Prints the files that one click visits, from the X server to a line of ``steps.jsonl``, and the types it becomes.

``python -m benchmarks.click_path`` records one click on a private display and exports it. A file is visited where one
of its functions is called with the click as an argument, in any of its types, alone or in a list.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import cast

from demopack.domain.events import InputEvent
from demopack.domain.steps import Step
from demopack.pack import export_pack
from demopack.reduction.gestures import Gesture
from demopack.reduction.steps import PendingStep
from demopack.settings import RecorderSettings
from demopack.store import Library
from player.backends.x11 import X11Performer
from recorder.backends import open_screen, open_windows
from recorder.backends.x11.input import X11Input
from recorder.desktop.private_display import PrivateDisplay
from recorder.session import RecordingSession
from tests.support.stage import Stage

ROOT = Path(__file__).parents[1]
FORMS = (InputEvent, Gesture, PendingStep, Step)
"""What a click is before it is a line."""


class VisitedFiles:
    """Notes the project's files whose functions run while it is switched on, by first visit; made before the threads.

    Attributes:
        is_on: whether anything is noted now.
        paths: the files.
    """

    def __init__(self) -> None:
        self.is_on = False
        self.paths: list[str] = []

    def __enter__(self) -> VisitedFiles:
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if not self.is_on or event != "call":
            return
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT) and path.parts[len(ROOT.parts)] in {"demopack", "recorder"}:
            name = str(path.relative_to(ROOT))
            if name not in self.paths and any(map(_is_click, frame.f_locals.values())):
                self.paths.append(name)


def _is_click(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return any(isinstance(one, FORMS) for one in cast("Sequence[object]", value))
    return isinstance(value, FORMS)


def click_path() -> tuple[list[str], list[str]]:
    """The files that a click visits until it is stored, and those that its export adds."""
    with (
        tempfile.TemporaryDirectory() as folder,
        PrivateDisplay(width=900, height=700) as screen,
        Stage(screen.name),
        X11Performer(screen.name) as person,
        Library.open(Path(folder) / "library") as library,
        VisitedFiles() as visited,
    ):
        source, windows = open_screen(screen.name), open_windows(screen.name)
        inputs = X11Input(display=screen.name)
        session = RecordingSession(
            library, settings=RecorderSettings(), task="One click", screen=source, windows=windows, inputs=inputs
        )
        saved = threading.Event()
        session.on_step = lambda _: saved.set()
        session.start()
        person.move(300, 300)
        visited.is_on = True
        person.press("left")
        person.release("left")
        saved.wait(30)
        visited.is_on = False
        demo = session.stop()
        source.close()
        windows.close()
        recorded = list(visited.paths)
        visited.is_on = True
        export_pack(library, [demo], Path(folder) / "pack")
        visited.is_on = False
    return recorded, visited.paths[len(recorded) :]


def main() -> None:
    """Print both lists."""
    recorded, exported = click_path()
    for title, paths in (("recorded", recorded), ("exported", exported)):
        print(f"{title}: {len(paths)} files")
        for path in paths:
            print(f"  {path}")
    print("types:", " -> ".join(kind.__name__ for kind in FORMS), "-> line of steps.jsonl")


if __name__ == "__main__":
    main()
