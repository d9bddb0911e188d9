"""What the app does through other rooms, each behind a function that is imported when it is first used.

Tests put their own functions in the place of these.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QFileDialog, QWidget

from annotator.ui.new_folder import NewFolderDialog
from annotator.ui.recording.plan import RecordingPlan
from annotator.words import tr
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from demopack.errors import DemopackError
from demopack.jobs import JobControl
from demopack.settings import Settings
from demopack.store import Library

if TYPE_CHECKING:
    from annotator.model_shelf import ModelShelf
    from annotator.training_runs import TrainingRuns
    from models.vision.icons.guesses import IconGuesses
    from recorder.selftest import CheckResult

__all__ = ["BoxReader", "HotkeySource", "Recorder", "Services", "pack_folder"]


class Recorder(Protocol):
    """What the app needs of ``recorder.session.RecordingSession``; its docstrings tell more."""

    on_step: Callable[[Step], None]
    on_state: Callable[[str], None]
    on_hotkey: Callable[[str], None]
    on_changed: Callable[[Step], None]
    on_forgotten: Callable[[Sequence[str]], None]
    error: DemopackError | None

    @property
    def demo_id(self) -> str:
        """Of the demo that is recorded."""
        ...

    @property
    def health(self) -> list[str]:
        """What is wrong just now; empty when all is well."""
        ...

    def start(self) -> None:
        """Open screen and input; returns once it records."""
        ...

    def pause(self) -> None:
        """Record nothing for a while."""
        ...

    def panic(self) -> None:
        """Pause at once, and forget the last seconds and whatever was not yet saved."""
        ...

    def forget(self, seconds: float) -> None:
        """Remove what was done in the last seconds from the disk for good, and go on."""
        ...

    def add_shot(self, *, delay_s: float = 0.0) -> None:
        """Keep a picture of the screen as a step of its own."""
        ...

    def add_note(self, text: str) -> None:
        """Write a note on the last step."""
        ...

    def mark_variable(self, name: str) -> None:
        """The text that was typed last is the value of a variable."""
        ...

    @property
    def holds_text(self) -> bool:
        """Whether what is typed now is held back as a secret."""
        ...

    def hold_text(self, hold: bool) -> None:  # noqa: FBT001 - that is the whole order
        """Hold back what is typed from now on as a secret, or store it again."""
        ...

    def resume(self) -> None:
        """Go on."""
        ...

    def stop(self, *, own_key: str | None = None) -> str:
        """End it; returns the demo's id when everything is saved."""
        ...


class HotkeySource(Protocol):
    """What the app needs of ``recorder.hotkeys.HotkeyListener``."""

    def start(self) -> None:
        """Begin to listen."""
        ...

    def stop(self) -> None:
        """Stop listening."""
        ...


class BoxReader(Protocol):
    """What the app needs of ``models.vision.box_reader.WorkerBoxReader``."""

    def read(self, crop: RgbImage) -> str:
        """What is written on a cut-out element; takes a while."""
        ...

    def meanings(self, crop: RgbImage, box: Rect) -> IconGuesses:
        """What the icon in a box of a cut-out part may mean."""
        ...

    def close(self) -> None:
        """End it, also in the middle of its work."""
        ...


def _find(library: Library, demo_id: str, settings: Settings, control: JobControl) -> str:
    from models.vision.finder import open_finder
    from models.vision.parse import parse_demo

    with open_finder(settings.vision) as finder:
        report = parse_demo(library, demo_id, finder, control=control)
    if not report.frames:
        return tr("Every picture had been searched before.")
    found = (
        tr("Found {elements} elements on 1 picture; {bound} steps have a target.")
        if report.frames == 1
        else tr("Found {elements} elements on {frames} pictures; {bound} steps have a target.")
    )
    words = found.format(elements=report.elements, frames=report.frames, bound=report.bound)
    if report.unbound:
        words += tr(" Look at step {join}.").format(join=", ".join(map(str, report.unbound[:8])))
    return words


def _write(library: Library, demo_id: str, settings: Settings, control: JobControl) -> str:
    from models.language.template import TemplateWriter
    from models.language.write import write_rationales

    del settings
    report = write_rationales(library, demo_id, TemplateWriter(), control=control)
    if not report.written:
        return tr("Every step had a rationale.")
    words = tr("Wrote {written} rationales.").format(written=report.written)
    if report.warned:
        words += tr(" Look at step {join}: it says what cannot be found on the screen.").format(
            join=", ".join(map(str, report.warned[:8]))
        )
    return words


def _export(library: Library, demo_ids: Sequence[str], out: Path, control: JobControl) -> str:
    from demopack.pack import export_pack

    summary = export_pack(library, demo_ids, out, control=control)
    warnings = tr(", {warnings} warnings").format(warnings=len(summary.warnings)) if summary.warnings else ""
    return tr("Pack written: {steps} steps in {folder}{warnings}.").format(
        steps=summary.counts.steps, folder=summary.path, warnings=warnings
    )


def _pick_folder(parent: QWidget, title: str) -> Path | None:
    chosen = QFileDialog.getExistingDirectory(parent, title, str(Path.home()))
    return Path(chosen) if chosen else None


def _pick_new_folder(parent: QWidget, title: str, place: Callable[[Path], Path]) -> Path | None:
    dialog = NewFolderDialog(parent, title, place)
    try:
        return dialog.chosen if dialog.exec() else None
    finally:
        dialog.deleteLater()


def _open_recorder(library: Library, settings: Settings, plan: RecordingPlan) -> Recorder:
    from recorder.session import RecordingSession

    chosen = settings.recorder
    if plan.film is not None:
        chosen = chosen.model_copy(update={"timeline": plan.film})
    if plan.hold_text is not None:
        privacy = chosen.privacy.model_copy(update={"hold_unknown": plan.hold_text})
        chosen = chosen.model_copy(update={"privacy": privacy})
    return RecordingSession(
        library,
        settings=chosen,
        task=plan.task,
        app=plan.app,
        area=plan.area,
        take_of=plan.take_of,
        take_after=plan.take_after,
    )


def _open_hotkeys(settings: Settings, on_hotkey: Callable[[str], None]) -> HotkeySource:
    from recorder.hotkeys import HotkeyListener

    return HotkeyListener({"start_stop": settings.recorder.hotkeys.start_stop}, on_hotkey)


def _self_test(folder: Path, settings: Settings, on_result: Callable[[CheckResult], None]) -> list[CheckResult]:
    from recorder.selftest import SelfTest

    return SelfTest(library=folder, settings=settings.recorder, on_result=on_result).run()


def _window_titles() -> list[str]:
    if sys.platform in {"win32", "darwin"}:
        # The windows of these systems cannot be asked yet; a part of the title can be written.
        return []
    from recorder.backends.x11.clients import client_titles

    return client_titles()


def _key_taken(key: str) -> bool:
    from recorder.backends.x11.key_grab import KeyGrab

    with contextlib.closing(KeyGrab.open({"tried": key})) as grab:
        return bool(grab.taken)


def _open_reader(settings: Settings) -> BoxReader | None:
    from models.vision.box_reader import open_box_reader

    return open_box_reader(settings.vision)


def _open_shelf() -> ModelShelf:
    from annotator.model_shelf import ModelShelf

    return ModelShelf()


def _open_runs() -> TrainingRuns:
    from annotator.training_runs import TrainingRuns

    return TrainingRuns()


@dataclass(slots=True, kw_only=True)
class Services:
    """The functions. All pages of a window hold the same one, so that what is set on one counts on the others.

    Attributes:
        settings: what the user set, as it is now: looked up when it is used.
        find: find elements on every picture of a demo; returns what to tell the user.
        write: write rationales; returns what to tell the user.
        export: write a pack; returns what to tell the user.
        pick_folder: ask for a folder; None when the user thinks better of it.
        pick_new_folder: ask for a folder that need not be there yet; told, too, where what is written would go.
        open_recorder: prepare a recording.
        self_test: try out what a recording into this folder needs; the callback gets each result as it comes, in the
            caller's thread.
        window_titles: the windows that can be recorded by themselves, topmost first.
        key_taken: whether another program holds a key.
        open_hotkeys: listen for global keys while nothing records; the callback comes from another thread.
        open_shelf: the models that there are.
        open_runs: the trainings that there are.
        open_reader: reads the text of one element and guesses what an icon means; None where nothing can.
    """

    settings: Settings = field(default_factory=Settings)
    find: Callable[[Library, str, Settings, JobControl], str] = _find
    write: Callable[[Library, str, Settings, JobControl], str] = _write
    export: Callable[[Library, Sequence[str], Path, JobControl], str] = _export
    pick_folder: Callable[[QWidget, str], Path | None] = _pick_folder
    pick_new_folder: Callable[[QWidget, str, Callable[[Path], Path]], Path | None] = _pick_new_folder
    open_recorder: Callable[[Library, Settings, RecordingPlan], Recorder] = _open_recorder
    self_test: Callable[[Path, Settings, Callable[[CheckResult], None]], list[CheckResult]] = _self_test
    window_titles: Callable[[], list[str]] = _window_titles
    key_taken: Callable[[str], bool] = _key_taken
    open_hotkeys: Callable[[Settings, Callable[[str], None]], HotkeySource] = _open_hotkeys
    open_shelf: Callable[[], ModelShelf] = _open_shelf
    open_runs: Callable[[], TrainingRuns] = _open_runs
    open_reader: Callable[[Settings], BoxReader | None] = _open_reader


def pack_folder(chosen: Path, task: str) -> Path:
    """Where a pack goes: the chosen folder if it is empty or a pack, else a new one in it, named after the task."""
    if not chosen.exists() or (chosen / "pack.json").is_file() or not any(chosen.iterdir()):
        return chosen
    name = re.sub(r"[^\w-]+", "-", task.casefold(), flags=re.ASCII).strip("-")[:48] or "demo"
    return chosen / f"{name}-pack"
