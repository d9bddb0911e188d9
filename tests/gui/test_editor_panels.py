"""Element, action, target and rationale are edited in the panel; nothing that was typed is lost."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QToolButton,
    QWidget,
)

from annotator.ui.canvas.canvas import Canvas
from annotator.ui.editor.attributes.attribute_fields import TriState
from demopack.domain.elements import ATTRIBUTES, Element
from tests.gui.conftest import App

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def find(page: QWidget, kind: type, name: str) -> Any:
    """A control by its accessible name; only what can be seen counts."""
    QApplication.processEvents()  # a form shows its new fields a moment later
    found = [w for w in page.findChildren(kind) if w.accessibleName() == name and w.isVisible()]
    assert len(found) == 1, f"{len(found)} controls are called {name!r}"
    return found[0]


def select(page: Any, text: str) -> Element:
    element = next(e for e in page.session.document.elements(page.view.frame.id) if e.text == text)
    page.view.select((element.uid,))
    return element


def now(app: App, uid: str) -> Element:
    found = {e.uid: e for frame in app.stored().elements.values() for e in frame}
    return found[uid]


def choose(box: QComboBox, data: str) -> None:
    place = box.findData(data)
    box.setCurrentIndex(place)
    box.activated.emit(place)


def write(app: App, field: Any, text: str, *, enter: bool = True) -> None:
    field.setFocus()
    field.selectAll()
    app.qtbot.keyClicks(field, text)
    if enter:
        app.qtbot.keyClick(field, Qt.Key.Key_Return)


# Element ------------------------------------------------------------------------------------------------------


def test_text_is_written_and_taken_back(app: App, page: Any) -> None:
    save = select(page, "Save customer")
    field = find(page, QLineEdit, "Text of the element")
    assert field.text() == "Save customer"
    write(app, field, "Save")
    assert now(app, save.uid).text == "Save"
    page.canvas.setFocus()
    app.qtbot.keyClick(page.canvas, "z", CTRL)
    assert now(app, save.uid) == save
    assert field.text() == "Save customer"


def test_what_is_typed_is_handed_over_when_something_else_is_selected(app: App, page: Any) -> None:
    save = select(page, "Save customer")
    write(app, find(page, QLineEdit, "Text of the element"), "Typed", enter=False)
    select(page, "Cancel")
    assert now(app, save.uid).text == "Typed"
    assert find(page, QLineEdit, "Text of the element").text() == "Cancel"


def test_escape_in_a_field_restores_it(app: App, page: Any) -> None:
    save = select(page, "Save customer")
    field = find(page, QLineEdit, "Text of the element")
    write(app, field, "Oops", enter=False)
    app.qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "Save customer"
    select(page, "Cancel")
    assert now(app, save.uid) == save


def test_letters_typed_into_a_field_are_letters(app: App, page: Any) -> None:
    select(page, "Save customer")
    write(app, find(page, QLineEdit, "Text of the element"), "draw fast by d", enter=False)
    assert page.view.index == 0
    assert page.canvas.tool_name != "draw"


@pytest.mark.qt_log_ignore("This plugin does not support")  # lists that pop up, on a screen that is not there
def test_the_type_decides_which_fields_there_are(app: App, page: Any) -> None:
    news = select(page, "Send me the news")
    choose(find(page, QComboBox, "Type of the element"), "icon")
    changed = now(app, news.uid)
    assert (changed.type, changed.text) == ("icon", None)
    write(app, find(page, QLineEdit, "Subtype of the element"), "search")
    assert now(app, news.uid).subtype == "search"
    shown = {row.accessibleName() for row in page.findChildren(TriState) if row.isVisible()}
    assert shown == {state.capitalize() for state in ATTRIBUTES["icon"].states}


def test_a_state_is_yes_no_or_not_visible(app: App, page: Any) -> None:
    news = select(page, "Send me the news")
    row = find(page, TriState, "Checked")
    seen = now(app, news.uid).states.get("checked")
    for _ in range(3):
        seen = {True: False, False: None, None: True}[seen]
        row.click()
        assert now(app, news.uid).states == ({} if seen is None else {"checked": seen})
        assert row.words == {True: "yes", False: "no", None: "cannot be seen"}[seen]
    app.qtbot.keyClick(page.canvas, "z", CTRL)  # clicking through the values is one gesture
    assert now(app, news.uid) == news


def test_the_box_is_edited_by_number_and_stays_on_the_picture(app: App, page: Any) -> None:
    save = select(page, "Save customer")
    find(page, QSpinBox, "Left edge in pixels").setValue(70)
    find(page, QSpinBox, "Width in pixels").setValue(5000)
    box = now(app, save.uid).box
    assert (box.x1, box.x2) == (70, 960)
    page.canvas.setFocus()
    app.qtbot.keyClick(page.canvas, "z", CTRL)  # one visit to the numbers is one gesture
    assert now(app, save.uid).box == save.box


def test_the_type_of_the_next_box_is_chosen_with_nothing_selected(app: App, page: Any) -> None:
    choose(find(page, QComboBox, "Type of the element"), "checkbox")
    canvas: Canvas = page.canvas
    canvas.zoom_to(1.0)
    start, end = (canvas.viewport.to_window(x, y) for x, y in ((700, 500), (750, 530)))
    app.qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=canvas.rect().topLeft() + _point(start))
    app.qtbot.mouseMove(canvas, _point(end))
    app.qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=_point(end))
    assert page.view.element.type == "checkbox"


def _point(at: tuple[float, float]) -> Any:
    from PySide6.QtCore import QPoint

    return QPoint(round(at[0]), round(at[1]))


# Action -------------------------------------------------------------------------------------------------------


def test_a_click_becomes_a_double_click_and_back(app: App, page: Any) -> None:
    choose(find(page, QComboBox, "Click"), "double")
    assert app.stored().steps[0].action.parameters == {"click_type": "double"}
    choose(find(page, QComboBox, "Click"), "single")
    assert app.stored().steps[0].action.parameters == {}


def test_typed_text_is_corrected(app: App, page: Any) -> None:
    page.view.go_to(1)
    field = find(page, QPlainTextEdit, "Text")
    assert field.toPlainText() == "Ada Lovelace"
    write(app, field, "Ada King", enter=False)
    page.view.go_by(1)  # before the pause is over
    assert app.stored().steps[1].action.text_to_type == "Ada King"
    assert app.stored().steps[2].action == page.view.step.action


def test_a_key_that_does_not_exist_is_refused_in_place(app: App, page: Any) -> None:
    page.view.go_to(8)
    field = find(page, QLineEdit, "Keys")
    write(app, field, "Ctrl+Nonsense")
    errors = [w.text() for w in page.findChildren(QLabel) if w.property("role") == "error" and w.isVisible()]
    assert errors
    assert "no key called" in errors[0]
    assert app.stored().steps[8].action.parameters == {"key_info": "Escape"}
    write(app, field, "ctrl+s")
    assert app.stored().steps[8].action.parameters == {"key_info": "Ctrl+S"}
    assert field.text() == "Ctrl+S"


def test_the_kind_of_action_is_changed(app: App, page: Any) -> None:
    choose(find(page, QComboBox, "Kind of action"), "scroll")
    find(page, QAbstractSpinBox, "Notches").setValue(4)
    choose(find(page, QComboBox, "Direction"), "up")
    assert app.stored().steps[0].action.parameters == {"scroll_direction": "up", "scroll_steps": 4}
    page.canvas.setFocus()
    for _ in range(3):
        app.qtbot.keyClick(page.canvas, "z", CTRL)
    assert app.stored().steps[0].action.action_type == "click"
    assert find(page, QComboBox, "Kind of action").currentData() == "click"


def test_a_click_on_nothing_is_refused_in_place(app: App, page: Any) -> None:
    page.view.go_to(8)
    choose(find(page, QComboBox, "Kind of action"), "click")
    errors = [w.text() for w in page.findChildren(QLabel) if w.property("role") == "error" and w.isVisible()]
    assert "needs a target" in errors[0]
    assert find(page, QComboBox, "Kind of action").currentData() == "press_key"


def test_the_target_is_the_selected_element(app: App, page: Any) -> None:
    cancel = select(page, "Cancel")
    app.qtbot.keyClick(page.canvas, "u")
    assert app.stored().steps[0].target_uid == cancel.uid
    app.qtbot.keyClick(page.canvas, "z", CTRL)
    assert app.stored().steps[0].target_uid != cancel.uid


def test_the_target_is_picked_on_the_picture_and_cleared(app: App, page: Any) -> None:
    page.view.toggle_side()
    app.qtbot.keyClick(page.canvas, "p")
    assert page.view.side == "before"  # the target is on the picture before the step
    cancel = next(e for e in page.session.document.elements(page.view.frame.id) if e.text == "Cancel")
    app.qtbot.mouseClick(page.canvas, Qt.MouseButton.LeftButton, pos=page.canvas.box_on_screen(cancel.uid).center())
    assert app.stored().steps[0].target_uid == cancel.uid
    assert page.canvas.tool_name != "pick"
    find(page, QToolButton, "Clear the target").click()
    assert app.stored().steps[0].target_uid is None


def test_where_a_drag_ends_is_picked_too(app: App, page: Any) -> None:
    page.view.go_to(5)
    find(page, QToolButton, "Pick where it ends on the picture").click()
    cancel = next(e for e in page.session.document.elements(page.view.frame.id) if e.text == "Cancel")
    app.qtbot.mouseClick(page.canvas, Qt.MouseButton.LeftButton, pos=page.canvas.box_on_screen(cancel.uid).center())
    assert app.stored().steps[5].end_uid == cancel.uid


# Rationale and review -----------------------------------------------------------------------------------------


def test_a_rationale_is_reworded_and_one_visit_is_one_undo(app: App, page: Any) -> None:
    old = app.stored().steps[0].rationale
    field = find(page, QPlainTextEdit, "Rationale")
    write(app, field, "My words", enter=False)
    app.qtbot.waitUntil(lambda: page.session.document.steps[0].rationale.text == "My words")
    app.qtbot.keyClicks(field, " and more")
    page.canvas.setFocus()
    new = app.stored().steps[0].rationale
    assert (new.reasoning, new.provenance.kind, new.thought) == ("My words and more", "human", old.thought)
    app.qtbot.keyClick(page.canvas, "z", CTRL)
    assert app.stored().steps[0].rationale == old
    assert field.toPlainText() == old.reasoning


def test_what_is_typed_belongs_to_the_step_that_was_shown(app: App, page: Any) -> None:
    field = find(page, QPlainTextEdit, "Rationale")
    write(app, field, "For step one", enter=False)
    page.view.go_by(1)
    steps = app.stored().steps
    assert steps[0].rationale.reasoning == "For step one"
    assert field.toPlainText() == steps[1].rationale.reasoning != "For step one"


def test_leaving_the_editor_saves_what_is_being_typed(app: App, page: Any) -> None:
    write(app, find(page, QPlainTextEdit, "Rationale"), "The last words", enter=False)
    page.back_wanted.emit()
    assert app.stored().steps[0].rationale.reasoning == "The last words"


def test_approve_goes_on_and_can_be_taken_back(app: App, page: Any) -> None:
    find(page, QWidget, "Approve step").click()
    assert app.stored().steps[0].review == "approved"
    assert page.view.index == 1
    page.view.go_by(-1)
    find(page, QWidget, "Approved").click()
    assert app.stored().steps[0].review == "unreviewed"


def test_a_step_is_deleted_and_comes_back_in_its_place(app: App, page: Any) -> None:
    before = app.stored()
    page.view.go_to(2)
    find(page, QToolButton, "Delete this step").click()
    assert [s.id for s in app.stored().steps] == [s.id for s in before.steps if s.id != before.steps[2].id]
    assert page.view.step.id == before.steps[3].id
    page.canvas.setFocus()
    app.qtbot.keyClick(page.canvas, "z", CTRL)
    assert app.stored() == before
    assert page.view.index == 2


def test_the_task_is_reworded(app: App, page: Any) -> None:
    write(app, find(page, QLineEdit, "Task"), "Add a customer")
    assert app.stored().head.task == "Add a customer"


def test_a_field_lets_undo_through_when_it_has_nothing_to_undo(app: App, page: Any) -> None:
    save = select(page, "Save customer")
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_Right, CTRL)
    assert now(app, save.uid) != save
    field = find(page, QLineEdit, "Text of the element")
    field.setFocus()
    app.qtbot.keyClick(field, "z", CTRL)
    assert now(app, save.uid) == save
