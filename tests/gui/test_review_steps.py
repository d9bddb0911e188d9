"""Steps are chosen together, moved, split, merged, inserted and noted in the list; every one of it is one undo."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QMenu, QSlider, QWidget

from annotator.step_commands import ReviewStep
from annotator.ui.editor.boxes.boxes_feature import BoxesFeature
from annotator.ui.editor.editor_keys import EDITOR_KEYS
from annotator.ui.editor.review.review_room import MENU, step_menu
from annotator.ui.tour_guide import HINTS
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from tests.gui.conftest import App
from tests.support.editing import SAMPLE

NONE = Qt.KeyboardModifier.NoModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def press(page: Any, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier, on: Any = None) -> None:
    from PySide6.QtTest import QTest

    QTest.keyClick(on or page.steps, key, held)


def choose(page: Any, *rows: int) -> None:
    """Select rows, the first of them as the current one."""
    page.steps.setFocus()
    page.view.go_to(rows[0])
    model, selection = page.steps.model(), page.steps.selectionModel()
    for row in rows[1:]:
        selection.select(model.index(row, 0), QItemSelectionModel.SelectionFlag.Select)


def ids(app: App) -> list[str]:
    return [step.id for step in app.stored().steps]


def button(root: QWidget, name: str) -> QAbstractButton:
    return next(b for b in root.findChildren(QAbstractButton) if b.accessibleName() == name or b.text() == name)


def test_several_steps_are_deleted_with_one_key_and_come_back_with_one(app: App, page: Any) -> None:
    before = ids(app)
    choose(page, 3, 1, 7)
    press(page, Qt.Key.Key_Delete)
    assert ids(app) == [step for i, step in enumerate(before) if i not in {1, 3, 7}]
    page.context.keyring.actions["undo"].trigger()
    assert ids(app) == before


def test_steps_are_moved_by_keys_and_stay_chosen(app: App, page: Any) -> None:
    old = ids(app)
    choose(page, 4, 2)
    press(page, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert ids(app)[:5] == [old[0], old[2], old[4], old[1], old[3]]
    assert page.steps.selected_ids == (old[2], old[4])
    press(page, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert ids(app)[:5] == [old[0], old[1], old[2], old[4], old[3]]
    assert page.view.step.id == old[4]


def test_steps_are_chosen_together_with_ctrl_and_shift(app: App, page: Any) -> None:
    steps = page.steps

    def click(row: int, held: Qt.KeyboardModifier) -> list[int]:
        at = steps.visualRect(steps.model().index(row, 0)).center()
        app.qtbot.mouseClick(steps.viewport(), Qt.MouseButton.LeftButton, held, at)
        return [page.session.document.index_of(step_id) for step_id in steps.selected_ids]

    assert click(1, Qt.KeyboardModifier.NoModifier) == [1]
    assert click(4, Qt.KeyboardModifier.ControlModifier) == [1, 4]
    assert click(1, Qt.KeyboardModifier.ControlModifier) == [4]
    assert page.view.index == 1  # what was clicked last is looked at
    assert click(2, Qt.KeyboardModifier.NoModifier) == [2]
    assert click(5, Qt.KeyboardModifier.ShiftModifier) == [2, 3, 4, 5]
    page.view.go_to(6)
    assert [page.session.document.index_of(i) for i in steps.selected_ids] == [6]


def test_a_step_is_dragged_to_another_place(app: App, page: Any) -> None:
    old = ids(app)
    choose(page, 5)
    steps = page.steps
    target = steps.visualRect(steps.model().index(1, 0))
    upper = QPointF(target.center().x(), target.top() + 4)

    class Event(QDropEvent):
        def source(self) -> Any:
            return steps

    mime = QMimeData()  # the event only borrows it
    event = Event(
        upper, Qt.DropAction.MoveAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
        QEvent.Type.Drop,
    )  # fmt: skip
    steps.dropEvent(event)
    action = event.dropAction()
    assert action == Qt.DropAction.TargetMoveAction  # or Qt would remove the row once more
    assert ids(app)[:3] == [old[0], old[5], old[1]]
    steps.drop_at(QPoint(20, steps.visualRect(steps.model().index(3, 0)).bottom() - 4))
    assert ids(app)[:4] == [old[0], old[1], old[2], old[5]]
    assert page.view.step.id == old[5]


def test_typing_is_split_where_the_slider_says(app: App, page: Any) -> None:
    choose(page, 1)
    press(page, Qt.Key.Key_S)
    panel = page.review.split_panel
    assert panel.isVisible()
    slider = panel.findChild(QSlider)
    assert (slider.minimum(), slider.maximum()) == (1, 11)
    slider.setValue(4)
    press(page, Qt.Key.Key_Return, on=slider)
    app.settle()
    steps = app.stored().steps
    assert [s.action.text_to_type for s in steps[1:3]] == ["Ada ", "Lovelace"]
    assert not panel.isVisible()
    assert page.steps.hasFocus()
    press(page, Qt.Key.Key_M)  # with the next one
    assert app.stored().steps[1].action.text_to_type == "Ada Lovelace"


def test_while_the_place_to_cut_is_asked_no_key_reaches_what_lies_behind(app: App, page: Any) -> None:
    page.session.do(ReviewStep(step_id=page.session.document.steps[0].id, review="approved"))
    choose(page, 1)
    before = app.stored()
    press(page, Qt.Key.Key_S)
    panel = page.review.split_panel
    slider = panel.findChild(QSlider)
    for key, held in ((Qt.Key.Key_Z, CTRL), (Qt.Key.Key_D, NONE), (Qt.Key.Key_G, NONE), (Qt.Key.Key_Z, CTRL | SHIFT)):
        press(page, key, held, on=slider)
        app.settle()
    assert panel.isVisible()
    assert app.stored() == before
    assert page.view.index == 1
    page.view.go_to(2)  # by mouse
    assert not panel.isVisible()
    assert app.stored() == before


def test_esc_leaves_a_step_whole_and_what_cannot_be_done_is_said(app: App, page: Any) -> None:
    before = app.stored()
    choose(page, 1)
    press(page, Qt.Key.Key_S)
    press(page, Qt.Key.Key_Escape, on=page.review.split_panel)
    choose(page, 0)
    press(page, Qt.Key.Key_S)
    assert "cannot be split" in app.window.banner.text
    choose(page, 0, 1)
    press(page, Qt.Key.Key_M)
    assert "different kinds of action" in app.window.banner.text
    assert app.stored() == before


def test_what_is_shown_is_inserted_as_a_step(app: App, page: Any) -> None:
    page.view.go_to(2)
    element = next(e for e in page.session.document.elements(page.view.frame.id) if e.text == "Cancel")
    page.view.select((element.uid,))
    press(page, Qt.Key.Key_I, on=page.canvas)
    made = app.stored().steps[3]
    assert made.action.parameters == {"description": "“Cancel” (button)"}
    assert (made.target_uid, made.before) == (element.uid, app.stored().steps[2].before)
    assert page.view.index == 3


def test_note_and_variable_are_written_beside_the_step(app: App, page: Any) -> None:
    choose(page, 1)
    press(page, Qt.Key.Key_V)
    field = app.window.focusWidget()
    assert isinstance(field, QLineEdit)
    app.qtbot.keyClicks(field, "{customer}")
    press(page, Qt.Key.Key_Return, on=field)
    assert (app.stored().steps[1].variable, field.text()) == ("customer", "customer")
    field.setText("two words")
    press(page, Qt.Key.Key_Return, on=field)
    assert "cannot be the name" in app.window.banner.text
    assert (app.stored().steps[1].variable, field.text()) == ("customer", "customer")
    press(page, Qt.Key.Key_N, on=page.canvas)
    app.qtbot.keyClicks(app.window.focusWidget(), "The new one")
    page.view.go_to(2)  # leaving hands over
    assert app.stored().steps[1].note == "The new one"
    row = page.steps.model().index(1, 0)
    assert "{customer} · The new one" in row.data(Qt.ItemDataRole.ToolTipRole)
    page.view.go_to(0)
    press(page, Qt.Key.Key_V)
    assert app.window.focusWidget() is not field  # a click has no text


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_menu_offers_what_makes_sense_with_its_keys(app: App, page: Any) -> None:
    def offered(*rows: int) -> list[str]:
        choose(page, *rows)
        page.review.open_menu(QPoint(10, 10))
        menu = next(m for m in page.steps.findChildren(QMenu) if m.isVisible())
        words = [a.text() for a in menu.actions() if not a.isSeparator()]
        menu.close()
        app.settle()
        menu.deleteLater()
        return words

    assert offered(1)[:3] == ["Approve and go on", "Write a note", "Make typed text a variable"]
    assert "Split" in offered(1)
    assert "Split" not in offered(0)
    several = offered(0, 1)
    assert "Merge, also with the next" in several
    assert "Re-record from this step" not in several
    assert "Approve and go on" not in several
    shown = {key.name: key for key in EDITOR_KEYS}
    for name in ("split_step", "merge_steps", "move_up", "insert_step", "rerecord", "accept"):
        assert page.context.keyring.actions[name].shortcuts() == [QKeySequence(k) for k in shown[name].keys]


def test_the_menu_approves_the_step(app: App, page: Any) -> None:
    choose(page, 1)
    menu = step_menu(page.steps, page.context.keyring.actions, page.view, selected=1)
    next(a for a in menu.actions() if a.text() == "Approve and go on").trigger()
    menu.deleteLater()
    assert app.stored().steps[1].review == "approved"
    assert page.view.index == 2


def test_a_name_that_is_no_action_of_the_editor_is_an_error_wherever_it_is_used(app: App, page: Any) -> None:
    assert {name for group in MENU for name in group} <= page.context.keyring.actions.keys()
    with pytest.raises(KeyError):
        step_menu(page.steps, {}, page.view, selected=1)
    page.context.feature(BoxesFeature).menu_at(QPoint(2, 2))
    for hint in HINTS:
        assert all(page.context.keyring.text_of(name) for name in hint.actions)
    with pytest.raises(KeyError):
        page.context.keyring.text_of("approve_in_menu")


def captured(page: Any) -> list[str]:
    """The lines of the section on how the step was recorded."""
    rows = [(name, *texts) for name, *texts in page.panel.capture._rows if not name.isHidden()]
    return [f"{name.text()}: {next(t.text() for t in texts if not t.isHidden())}" for name, *texts in rows]


def test_how_a_step_was_recorded_stands_in_the_panel(app: App, page: Any) -> None:
    page.view.go_to(7)
    assert captured(page) == [
        "Before: 180 ms old, the screen changed since",
        "After: the screen was still changing",
        "Window: Customers · customers",
    ]
    page.view.go_to(0)
    assert captured(page)[:2] == ["Before: 42 ms old", "After: at rest"]


def test_covered_areas_are_hatched_and_say_what_they_are(app: App, page: Any) -> None:
    step = page.session.document.steps[0]
    box = Rect(600, 100, 700, 200)
    covered = Frame.model_validate({**step.before.model_dump(), "covered": (box,)})
    plain = page.canvas.grab().toImage()
    page.session.document.replace(step.model_copy(update={"before": covered}))
    page.view.frame_changed.emit()
    page.canvas.invalidate()
    view = page.canvas.viewport
    hatched = page.canvas.grab().toImage()
    left, top = map(round, view.to_window(box.x1, box.y1))
    side = round(box.width * view.scale) - 1
    changed = {
        (x, y)
        for x in range(left - 20, left + side + 20)
        for y in range(top - 20, top + side + 20)
        if plain.pixel(x, y) != hatched.pixel(x, y)
    }
    inside = {(x, y) for x, y in changed if left <= x <= left + side + 1 and top <= y <= top + side + 1}
    assert changed == inside
    assert side * side * 0.08 < len(inside)
    assert "Covered: 1 area" in captured(page)
    tips = [label.toolTip() for label in page.panel.findChildren(QLabel) if label.text() == "1 area"]
    assert any(tip.startswith("Covered while recording") for tip in tips)
    assert app.stored(SAMPLE).steps[0].before.covered == ()
