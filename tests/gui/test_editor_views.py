"""The views follow the document, jobs show what they find, and every control says what it is."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTabBar,
    QToolButton,
    QWidget,
)
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from annotator.document import Document
from annotator.ui.editor.editor_keys import EDITOR_KEYS
from annotator.ui.editor.key_overlay import KeyOverlay
from annotator.ui.editor.step_list import DoubtsRole, StepModel, ThumbnailRole
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import PALETTES
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.records import new_id
from demopack.errors import ModelError
from demopack.jobs import JobControl, Progress
from demopack.settings import Settings
from demopack.store import Library
from models.vision.demo_parsing import parse_demo
from tests.gui.conftest import App, make_app
from tests.support.damage import damage_frame
from tests.support.editing import SAMPLE
from tests.support.services import with_calls

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def button(page: QWidget, name: str) -> Any:
    return next(b for b in page.findChildren(QAbstractButton) if b.accessibleName() == name and b.isVisible())


def grab(widget: QWidget) -> QImage:
    return widget.grab().toImage()


# Steps --------------------------------------------------------------------------------------------------------


def test_the_step_model_keeps_qts_contract(app: App, qtmodeltester: ModelTester) -> None:
    document = Document(app.library.demo(SAMPLE))
    model = StepModel(document, app.window._pictures)
    qtmodeltester.check(model, force_py=True)
    third = document.steps[2]
    document.remove(third)
    assert model.rowCount() == 10
    document.insert(third)
    document.replace(third.model_copy(update={"note": "look"}))
    document.replace(third.model_copy(update={"position": 10**9}))
    assert model.rowCount() == 11
    app.settle()


def test_a_row_says_what_the_step_did_with_the_elements_as_they_are_called_now(app: App, page: Any) -> None:
    model = page.steps.model()
    heard: list[tuple[int, list[int]]] = []
    model.dataChanged.connect(lambda first, _last, roles: heard.append((first.row(), [int(r) for r in roles])))
    last = next(i for i in range(model.rowCount()) if "Save customer" in str(model.index(i).data()))
    save = page.session.document.element(page.session.document.steps[last].target_uid)
    page.session.document.replace(save.changed(text="Keep"))
    assert "“Keep” (button)" in model.index(last).data()
    assert {row for row, _ in heard} == {
        i for i, s in enumerate(page.session.document.steps) if s.before.id == save.frame
    }
    assert all(ThumbnailRole not in roles for _, roles in heard)
    page.session.document.replace(save)


def test_doubts_are_marked_until_the_step_is_approved(app: App, page: Any) -> None:
    index = page.steps.model().index(7)
    assert "The pointer hit no element." in index.data(DoubtsRole)
    assert "The pointer hit no element." in index.data(Qt.ItemDataRole.ToolTipRole)
    page.view.go_to(7)
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_Space)
    assert index.data(DoubtsRole) == []


def test_list_and_canvas_show_the_same_step(app: App, page: Any) -> None:
    app.qtbot.keyClick(page.canvas, "d")
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_Right)
    assert page.view.index == page.steps.currentIndex().row() == 2
    page.steps.setFocus()
    app.qtbot.keyClick(page.steps, Qt.Key.Key_Down)
    assert page.view.index == 3
    app.qtbot.keyClick(page.steps, "a")
    assert page.view.index == page.steps.currentIndex().row() == 2
    app.qtbot.keyClick(page.steps, Qt.Key.Key_Delete)
    assert len(app.stored().steps) == 10
    assert page.steps.currentIndex().row() == page.view.index == 2


def test_thumbnails_come_by_themselves(app: App, page: Any) -> None:
    index = page.steps.model().index(0)
    app.qtbot.waitUntil(lambda: index.data(ThumbnailRole) is not None)
    assert index.data(ThumbnailRole).width() == 96


# Canvas -------------------------------------------------------------------------------------------------------


def test_before_and_after(app: App, page: Any) -> None:
    before = page.view.frame.id
    app.qtbot.keyClick(page.canvas, "b")
    assert page.view.frame.id != before
    button(page, "Picture: Before").click()
    assert page.view.frame.id == before
    page.view.go_to(10)  # the last step has no picture after it
    assert not button(page, "Picture: After").isEnabled()
    page.view.set_side("after")
    assert page.canvas.message == "There is no picture after this step."


def test_pixels_are_crisp_from_200_percent_on(app: App, page: Any) -> None:
    page.view.go_to(10)
    page.canvas.zoom_to(8.0)
    app.settle()
    image = app.library.get_image(page.view.frame.id)
    view = page.canvas.viewport
    shot = grab(page.canvas)
    seen = 0
    for px in range(480, 500):
        for py in range(300, 310):
            x, y = view.to_window(px + 0.5, py + 0.5)
            if 0 <= x < page.canvas.width() and 0 <= y < page.canvas.height():
                seen += 1
                colour = shot.pixelColor(round(x), round(y))
                assert (colour.red(), colour.green(), colour.blue()) == tuple(int(v) for v in image[py, px])
    assert seen > 50


def test_what_the_step_did_is_drawn_at_the_pointer(app: App, page: Any) -> None:
    pointer = page.view.step.pointer
    x, y = page.canvas.viewport.to_window(pointer.x + 0.5, pointer.y + 0.5)
    dot = grab(page.canvas).pixelColor(round(x), round(y))
    assert dot.red() > 180
    assert dot.green() < 110
    app.qtbot.keyClick(page.canvas, "b")
    app.settle()
    other = grab(page.canvas).pixelColor(round(x), round(y))
    assert other != dot


def test_undo_restores_the_very_same_picture(app: App, page: Any) -> None:
    page.canvas.clearFocus()
    before = grab(page.canvas)
    page.view.select_next(1)
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_Delete)
    app.settle()
    assert grab(page.canvas) != before
    app.qtbot.keyClick(page.canvas, "z", CTRL)
    app.settle()
    page.view.select(())
    page.canvas.clearFocus()
    assert grab(page.canvas) == before


def test_a_damaged_picture_is_one_sentence_and_the_other_steps_work(app: App) -> None:
    frame = app.library.demo(SAMPLE).steps[0].before
    damage_frame(app.library, frame.id)
    page = app.open()
    app.settle()
    assert "is damaged" in page.canvas.message
    assert "other steps are unharmed" in page.canvas.message
    page.view.go_to(3)
    app.settle()
    assert page.canvas.message == ""
    assert page.canvas.ready


def test_the_theme_switches_while_a_demo_is_open(app: App, page: Any) -> None:
    for name in ("dark", "contrast", "light"):
        app.theme.choose(name)
        wanted = QColor(PALETTES[name].sunken)  # type: ignore[index]
        assert grab(page.canvas).pixelColor(3, 3) == wanted


def test_zoom_and_place_stay_from_step_to_step(app: App, page: Any) -> None:
    page.canvas.zoom_to(1.5)
    view = page.canvas.viewport
    app.qtbot.keyClick(page.canvas, "d")
    assert page.canvas.viewport == view


# Jobs ---------------------------------------------------------------------------------------------------------


def test_rationales_are_written_for_real_and_undone_in_one_go(app: App, page: Any) -> None:
    assert app.stored().steps[8].rationale is None
    button(page, "Write rationales").click()
    steps = app.stored().steps
    assert all(step.rationale is not None for step in steps)
    app.settle()
    assert page.session.document.demo() == app.stored()
    assert "Wrote 1 rationale" in app.window.toast.text
    app.qtbot.keyClick(page.canvas, "z", CTRL)
    assert app.stored().steps[8].rationale is None


def test_a_pack_is_written_where_the_user_says(app: App, page: Any, tmp_path: Path) -> None:
    button(page, "Write rationales").click()
    app.settle()
    app.export(tmp_path / "packs")
    assert app.window.banner.text == ""
    assert "Pack written" in app.window.toast.text
    assert (tmp_path / "packs" / "pack.json").is_file()


@pytest.fixture
def slow_app(library: Library, theme: Theme, services: Services, qtbot: QtBot) -> Any:
    """An app whose search waits for the test between two pictures."""
    go, begun = threading.Event(), threading.Event()

    def find(opened: Library, demo_id: str, settings: Settings, control: JobControl) -> str:
        control.report(Progress(done=1, total=3, text="Finding elements on screen 1 of 3"))
        begun.set()
        while not go.wait(0.02):
            control.token.check()
        raise ModelError("The finder died.", hint="Try again.")

    made = make_app(library, theme, with_calls(services, find=find), qtbot)
    yield made, go, begun
    go.set()
    made.window.close()


def test_a_job_shows_progress_and_an_error_stays_until_it_is_closed(slow_app: Any) -> None:
    app, go, begun = slow_app
    app.window.open_demo(SAMPLE)
    app.qtbot.waitUntil(lambda: app.window.editor is not None)
    page = app.page
    button(page, "Find elements").click()
    app.qtbot.waitUntil(begun.is_set)
    app.qtbot.waitUntil(lambda: any(w.text() == "Finding elements on screen 1 of 3" for w in page.findChildren(QLabel)))
    assert not button(page, "Find elements").isEnabled()
    # Editing goes on meanwhile.
    page.view.select_next(1)
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_Delete)
    go.set()
    app.settle()
    assert app.window.banner.text == "The finder died. Try again."
    assert button(page, "Find elements").isEnabled()
    button(app.window, "Close this message").click()
    assert app.window.banner.text == ""


def test_a_job_is_cancelled_quietly(slow_app: Any) -> None:
    app, _, begun = slow_app
    app.window.open_demo(SAMPLE)
    app.qtbot.waitUntil(lambda: app.window.editor is not None)
    page = app.page
    button(page, "Find elements").click()
    app.qtbot.waitUntil(begun.is_set)
    button(page, "Cancel this job").click()
    app.settle()
    assert app.window.banner.text == ""
    assert button(page, "Find elements").isEnabled()


def test_closing_the_window_in_the_middle_of_a_job_ends_it(slow_app: Any) -> None:
    app, _, begun = slow_app
    app.window.open_demo(SAMPLE)
    app.qtbot.waitUntil(lambda: app.window.editor is not None)
    button(app.page, "Find elements").click()
    app.qtbot.waitUntil(begun.is_set)
    app.window.close()  # the fixture above checks that no thread is left


class OneButton:
    """A finder that sees the same button on every picture."""

    name = "one button"

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Sequence[Point] = ()) -> list[Element]:
        del image, control, near
        box = Rect(700, 500, 760, 540)
        return [Element(uid=new_id("el"), frame=frame.id, type="button", box=box, source="detector", confidence=0.7)]


def test_what_a_job_writes_appears_while_the_user_edits(
    library: Library, theme: Theme, services: Services, qtbot: QtBot
) -> None:
    def find(opened: Library, demo_id: str, settings: Settings, control: JobControl) -> str:
        report = parse_demo(opened, demo_id, OneButton(), control=control, force=True)
        return f"{report.frames} pictures"

    app = make_app(library, theme, with_calls(services, find=find), qtbot)
    page = app.open()
    before = app.stored().elements[page.view.frame.id]
    button(page, "Find elements").click()
    app.settle()
    app.settle()
    assert app.window.banner.text == ""
    stored = app.stored()
    assert page.session.document.demo() == stored
    now = stored.elements[page.view.frame.id]
    assert now != before
    assert "accessibility" in {element.source for element in now}, "what the program reported comes first"
    app.window.close()


# Keys and names -----------------------------------------------------------------------------------------------


def test_f1_shows_every_key_and_any_key_takes_it_away(app: App, page: Any) -> None:
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_F1)
    overlay = page.findChild(KeyOverlay)
    assert overlay.isVisible()
    words = {w.text() for w in overlay.findChildren(QLabel)}
    assert {k.words for k in EDITOR_KEYS if not k.name.startswith("nudge_")} <= words
    app.qtbot.keyClick(overlay, Qt.Key.Key_Escape)
    assert not overlay.isVisible()
    assert page.canvas.hasFocus()


def test_panels_are_put_away_and_brought_back(app: App, page: Any) -> None:
    app.qtbot.keyClick(page.canvas, "[")
    assert page.steps.isHidden()
    app.qtbot.keyClick(page.canvas, "[")
    assert not page.steps.isHidden()


def test_f6_walks_the_parts_of_the_window(app: App, page: Any) -> None:
    page.steps.setFocus()
    app.qtbot.keyClick(page.steps, Qt.Key.Key_F6)
    assert page.canvas.hasFocus()
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_F6)
    focus = QApplication.focusWidget()
    assert focus.accessibleName() == "Type of the element"
    app.qtbot.keyClick(focus, Qt.Key.Key_F6)
    assert page.steps.hasFocus()


def test_no_key_has_two_meanings_in_one_place() -> None:
    homes = {"page": {"canvas", "list"}, "picture": {"canvas", "list"}, "canvas": {"canvas"}, "list": {"list"}}
    seen: dict[tuple[str, str], str] = {}
    for key in EDITOR_KEYS:
        for home in homes.get(key.scope, set()):
            for text in key.keys:
                assert seen.setdefault((home, text), key.name) == key.name


def test_every_control_has_a_name_and_every_button_a_tooltip(app: App, page: Any) -> None:
    page.view.select_next(1)
    for tab in page.panel.tabs:
        page.context.panel.show_tab(tab)
        assert (tab, nameless_in(page), silent_in(page)) == (tab, [], [])
    for name in ("toggle_film", "tighten_side", "copy_over", "attribute_mode", "compare", "statistics"):
        page.context.keyring.actions[name].trigger()
        app.settle()
        assert (name, nameless_in(page), silent_in(page)) == (name, [], [])
    assert nameless_in(app.window.library_page) == []


def nameless_in(root: QWidget) -> list[str]:
    kinds = (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractSpinBox)
    return [
        f"{type(w).__name__} in {type(w.parent()).__name__}"
        for kind in kinds
        for w in root.findChildren(kind)
        if not isinstance(w.parent(), QLineEdit)  # Qt's own buttons inside a field
        and not w.objectName().startswith("qt_")
        and not (w.accessibleName() or getattr(w, "text", str)())
    ]


def silent_in(root: QWidget) -> list[str]:
    return [
        b.accessibleName()
        for kind in (QPushButton, QToolButton)
        for b in root.findChildren(kind)
        if b.isVisible()
        and not isinstance(b.parent(), QLineEdit | QTabBar)
        and not b.objectName().startswith("qt_")
        and not b.toolTip()
    ]
