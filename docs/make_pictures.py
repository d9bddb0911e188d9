"""Makes the pictures of the README: every window, light and dark, with real content. Always the same.

Run: python docs/make_pictures.py [FOLDER]
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1]))

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from annotator.step_words import describe_action
from annotator.ui.editor.editor_page import EditorPage
from annotator.ui.main_window import MainWindow
from annotator.ui.services import Services
from annotator.ui.settings.settings_page import KeyDialog
from annotator.ui.theme.manager import Theme, ThemeChoice
from demopack.domain.actions import ActionTarget, ClickAction, PressKeyAction, TypeAction
from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement, CaptureQuality, Step
from demopack.errors import CaptureError
from demopack.settings import HotkeySettings
from demopack.store import Library
from recorder.selftest import CheckResult
from tests.support.demos import sample_demo
from tests.support.private_demos import PAYMENT, payment_demo
from tests.support.services import with_calls

SIZE = (1360, 850)
FORM = "demo_5a3b1e0c77"


class Studio:
    """One window in one theme, and a camera."""

    def __init__(self, app: QApplication, theme: Theme, folder: Path, choice: ThemeChoice, work: Path) -> None:
        self._app = app
        self._folder = folder
        self._choice = choice
        theme.choose(choice)
        self.library = Library.open(work / "library")
        self.window = MainWindow(self.library, theme=theme, services=with_calls(Services(), self_test=lambda *_: []))
        self.window.resize(*SIZE)
        self.window.show()
        self.settle()

    def settle(self) -> None:
        """Until every picture is loaded and every answer has come."""
        self._app.processEvents()
        while self.window.workers.busy:
            self._app.processEvents()
        for _ in range(3):
            self._app.processEvents()
        while self.window.workers.busy:
            self._app.processEvents()

    def shoot(self, name: str, widget: QWidget | None = None) -> None:
        """Write one picture."""
        self.settle()
        file = self._folder / f"{name}-{self._choice}.png"
        (widget or self.window).grab().save(str(file))

    def open(self, demo_id: str = FORM) -> EditorPage:
        """Show a demo."""
        self.window.open_demo(demo_id)
        self.settle()
        page = self.window.editor
        if not isinstance(page, EditorPage):
            raise SystemExit(f"{demo_id} did not open: {self.window.banner.text}")
        return page

    def close(self) -> None:
        """End every thread."""
        self.window.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # type: ignore[arg-type]
        self.library.close()
        gc.collect()


def library_pictures(studio: Studio) -> None:
    """The first window."""
    studio.shoot("library")


def editor_pictures(studio: Studio) -> None:
    """A demo, with a click, a selection, a drag, the keys, and an error."""
    page = studio.open()
    page.view.go_to(2)
    studio.shoot("editor")
    save = next(e for e in page.session.document.elements(page.view.step.before.id) if e.text == "Send me the news")  # type: ignore[union-attr]
    page.view.select((save.uid,))
    studio.shoot("editor-element")
    page.view.go_to(1)
    studio.shoot("editor-typing")
    page.view.go_to(5)
    page.canvas.zoom_to(2.5)
    box = page.session.document.element(page.view.step.target_uid)  # type: ignore[union-attr]
    if box is not None:
        page.view.select((box.uid,))
    page.canvas.toggle_letters()
    studio.shoot("editor-zoom")
    page.canvas.toggle_letters()
    page.canvas.fit()
    page.view.go_to(7)
    studio.shoot("editor-doubt")
    QTest.keyClick(page.canvas, Qt.Key.Key_F1)
    studio.shoot("keys")
    page.context.keyring.actions["help"].trigger()
    error = CaptureError(
        "The screen could not be captured: this session runs on Wayland without a portal. Everything up to step 6 is "
        "saved.",
        hint="Log in with an X11 session, or run: demopack doctor",
        details="XDG_SESSION_TYPE=wayland",
    )
    studio.window.messages.show_error(error)
    studio.window.messages.say("Pack written: 11 steps in add-ada-lovelace-pack.", button="Show", action=lambda: None)
    studio.shoot("message")
    studio.window.banner.hide()


def private_picture(studio: Studio) -> None:
    """What is asked before an export."""
    page = studio.open(PAYMENT)
    page.context.keyring.actions["privacy"].trigger()
    studio.settle()
    sheet = page.privacy.sheet
    if sheet is None:
        raise SystemExit("Nothing private was found.")
    for row, decision in zip(sheet.rows, ("replace", "open", "keep", "replace"), strict=False):
        if decision != "open":
            row.decide(decision)
    studio.shoot("private")
    page.privacy.close()


def start_picture(studio: Studio) -> None:
    """What is asked before a recording."""
    panel = studio.window.library_page.panel
    panel.ask()
    studio.settle()
    panel.checks.begin()
    for name, words in (
        ("input", "A move of the pointer arrived in 3 ms."),
        ("pictures", "A change was seen in its place; 1920 x 1080 pixels in 5 ms."),
        ("accessibility", "Programs tell about their fields."),
        ("disk", "61.7 GiB free."),
        ("library", "The library can be written."),
    ):
        panel.checks.show_result(CheckResult(name=name, ok=True, words=words))  # type: ignore[arg-type]
    panel.checks.show_result(
        CheckResult(
            name="hotkeys",
            ok=False,
            words="F9 is held by another program.",
            hint="Choose another key in the settings.",
            needed=False,
        )
    )
    panel.checks.end()
    panel.area.kind.setCurrentIndex(panel.area.kind.findData("region"))
    panel.area.set_region(Rect(100, 50, 900, 650))
    studio.shoot("record")
    panel.hide()


_NAME = AccessibleElement(role="text", name="Name")
_DONE = (
    Step(id="1", position=1, action=ClickAction(target=ActionTarget(text="Name", bbox=(0.1, 0.1, 0.2, 0.1)))),
    Step(id="2", position=2, action=TypeAction(text_to_type="Lovelace"), variable="last_name", focused=_NAME),
    Step(
        id="3",
        position=3,
        action=ClickAction(target=ActionTarget(bbox=(0.5, 0.5, 0.0, 0.0))),
        quality=CaptureQuality(settled=False),
    ),
    Step(
        id="4",
        position=4,
        action=PressKeyAction(key_info="Ctrl+S"),
        note="Only here, because the form has no button",
    ),
)


def recording_pictures(studio: Studio) -> None:
    """The floating bar in each state, its panels, and its pop-ups."""
    desk = studio.window.desk
    bar, readout = desk.bar, desk.bar.readout
    bar.begin(HotkeySettings())
    studio.shoot("bar-ready", bar)
    bar.set_state("recording")
    frame = studio.library.demo(FORM).frames()[0]
    for number, step in enumerate(_DONE, start=1):
        desk.steps.model.add(step.model_copy(update={"before": frame, "after": frame}))
        readout.show_steps(number, describe_action(step.action))
    studio.shoot("recorder-bar", bar)
    desk.steps.show_beside(bar.frameGeometry())
    studio.shoot("bar-steps", desk.steps)
    readout.count_down(3)
    studio.shoot("bar-shot", bar)
    bar.set_state("paused")
    problems = ["No pictures of the screen arrive. Wait a moment; if it stays so, stop and start the recording again."]
    bar.show_problems(problems)
    studio.shoot("bar-paused", bar)
    desk.health.show_problems(problems)
    studio.shoot("bar-health-bad", desk.health)
    desk.health.show_problems([])
    studio.shoot("bar-health", desk.health)
    bar.set_state("finishing")
    studio.shoot("bar-finishing", bar)
    bar.set_state("recording")
    for name in ("shot", "more"):
        bar.panel_wanted.emit(name)
        studio.shoot(f"bar-{name}-menu", desk.menu)
        desk.menu.hide()
    desk.prompt.ask("note", anchor=bar.frameGeometry(), number=4, step=_DONE[3])
    studio.shoot("bar-note", desk.prompt)
    desk.prompt.ask("variable", anchor=bar.frameGeometry(), number=2, step=_DONE[1])
    studio.shoot("bar-variable", desk.prompt)
    desk.prompt.hide()
    bar.set_small(small=True)
    studio.shoot("bar-dot", bar)
    desk.end()


def settings_pictures(studio: Studio) -> None:
    """The settings, a search, and the question about a key that is taken."""
    window = studio.window
    window.open_settings()
    studio.shoot("settings")
    page = window.settings_page
    page.search.setText("password")
    studio.shoot("settings-search")
    page.search.clear()
    row = page.rows["recorder", "hotkeys", "pause"]
    row.changed.emit(row.path, "F9")
    studio.settle()
    dialog = next(found for found in window.findChildren(KeyDialog) if found.isVisible())
    studio.shoot("settings-conflict", dialog)
    dialog.reject()
    page.back_wanted.emit()


def review_pictures(studio: Studio) -> None:
    """After a recording: the strip, the film, several steps at once, recording again, and what was deleted."""
    page = studio.open()
    page.view.go_to(7)
    page.context.keyring.actions["toggle_film"].trigger()
    studio.shoot("review")
    page.context.keyring.actions["toggle_film"].trigger()
    page.view.go_to(1)
    page.review.ask_to_split()
    studio.shoot("review-split")
    QTest.keyClick(page.review.split_panel, Qt.Key.Key_Escape)
    page.view.go_to(3)
    page.review.prepare_take()
    studio.shoot("review-again")
    QTest.keyClick(page.review.prepare, Qt.Key.Key_Escape)
    page.back_wanted.emit()
    studio.settle()
    studio.window.library_page.cards.select("demo_take")
    studio.shoot("library-take")


def empty_picture(studio: Studio) -> None:
    """What a newcomer sees."""
    studio.shoot("empty")


def fill(folder: Path) -> None:
    """The sample library."""
    with Library.open(folder / "library") as library:
        sample_demo(library, demo_id="demo_1", task="Export last month's report", app="Reports", outcome="failure")
        sample_demo(library, demo_id="demo_2", status="partial", task="Find order 1012 and mark it as shipped")
        sample_demo(library, demo_id=FORM)
        sample_demo(
            library, demo_id="demo_take", status="partial", task="Find order 1012 and mark it as shipped",
            take_of="demo_2", take_after="demo_2_step02",
            missing="The recording was broken off; what was done after step 10 is missing.",
        )  # fmt: skip


def main() -> int:
    """Every window in every theme."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    # Windows are taken away when one is closed, on this thread; any other thread that did it would bring Qt down.
    gc.disable()
    app = QApplication([])
    theme = Theme(app)
    choices: tuple[ThemeChoice, ...] = ("light", "dark", "contrast")
    with tempfile.TemporaryDirectory() as name:
        os.environ["DEMOPACK_SETTINGS"] = str(Path(name) / "settings.json")
        full, private, nothing = (Path(name) / part for part in ("full", "private", "nothing"))
        fill(full)
        with Library.open(private / "library") as library:
            payment_demo(library)
        for choice in choices:
            scenes: list[tuple[Path, Callable[[Studio], None]]] = [
                (full, library_pictures),
                (full, start_picture),
                (full, recording_pictures),
                (full, settings_pictures),
                (full, editor_pictures),
                (full, review_pictures),
                (private, private_picture),
                (nothing, empty_picture),
            ]
            for work, scene in scenes:
                studio = Studio(app, theme, folder, choice, work)
                scene(studio)
                studio.close()
    theme.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
