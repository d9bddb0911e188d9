"""The action and its element: warnings with a way out, other right targets, exact spots, messages at the field."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QToolButton,
    QWidget,
)

from annotator.commands import AddElement, DeleteElements, MoveElements
from annotator.ui.editor.attributes.targets_feature import TargetsFeature
from annotator.ui.editor.panels.action_section import AlternativesList, TargetWarning
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from tests.gui.conftest import App

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
DRAG, SCROLL, SPOT, PRESS, SAVE = 5, 6, 7, 8, 9


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def find(page: QWidget, kind: type, name: str) -> Any:
    QApplication.processEvents()
    found = [w for w in page.findChildren(kind) if w.accessibleName() == name and w.isVisible()]
    assert len(found) == 1, f"{len(found)} controls are called {name!r}"
    return found[0]


def named(page: Any, text: str) -> Element:
    return next(e for e in page.session.document.elements(page.view.frame.id) if e.text == text)


def key(app: App, what: Any, held: Any = NONE) -> None:
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, what, held)


def shown(page: QWidget, role: str) -> list[str]:
    return [w.text() for w in page.findChildren(QLabel) if w.property("role") == role and w.isVisible()]


def offers(page: QWidget) -> list[str]:
    rows = [row for row in page.findChildren(TargetWarning) if row.isVisible()]
    return [b.text() for row in rows for b in row.findChildren(QPushButton) if b.isVisible()]


def drawn(page: Any, uid: str, box: tuple[int, int, int, int], **fields: Any) -> Element:
    made = Element(uid=uid, frame=page.view.frame.id, type="button", box=Rect(*box), review="approved", **fields)
    page.session.do(AddElement(element=made))
    return made


# Warnings -----------------------------------------------------------------------------------------------------------


def test_a_click_beside_everything_is_told_and_the_nearest_are_offered(app: App, page: Any) -> None:
    page.view.go_to(SPOT)
    assert any("hit no element" in words for words in shown(page.panel.action, "warning"))
    assert offers(page.panel.action) == []
    drawn(page, "el_near", (640, 540, 760, 560), text="Footer")
    assert offers(page.panel.action) == ["“Footer” (button)"]
    find(page, QPushButton, "It was “Footer” (button)").click()
    assert app.stored().steps[SPOT].target_uid == "el_near"
    assert "The target does not lie under the pointer." in " ".join(shown(page.panel.action, "warning"))


def test_a_box_that_is_drawn_under_the_pointer_ends_the_warning(app: App, page: Any) -> None:
    page.view.go_to(SPOT)
    drawn(page, "el_under", (690, 520, 720, 540))
    assert not any("element" in words for words in shown(page.panel.action, "warning"))
    assert app.stored().steps[SPOT].target_uid == "el_under"


def test_several_under_the_pointer_are_told_and_one_is_chosen(app: App, page: Any) -> None:
    page.view.go_to(SAVE)
    save = named(page, "Save customer")
    box = save.box
    drawn(page, "el_twice", (box.x1, box.y1, box.x2 - 1, box.y2), text="Save")
    assert any("Several elements lie under the pointer" in words for words in shown(page.panel.action, "warning"))
    assert app.stored().steps[SAVE].target_uid == "el_twice"
    find(page, QPushButton, "It was “Save customer” (button)").click()
    assert app.stored().steps[SAVE].target_uid == save.uid
    key(app, "z", CTRL)
    assert app.stored().steps[SAVE].target_uid == "el_twice"


def test_moving_a_target_tells_which_step_follows(app: App, page: Any) -> None:
    heard: list[str] = []
    page.context.say, say = (lambda words: (heard.append(words), say(words))), page.context.say
    page.view.go_to(SAVE)
    save = named(page, "Save customer")
    page.session.do(MoveElements(uids=(save.uid,), dx=5, dy=0, frame_size=page.view.frame.size))
    app.qtbot.waitUntil(lambda: any("The target of step 10 moved along." in words for words in heard))
    page.session.do(DeleteElements(uids=(save.uid,)))
    app.qtbot.waitUntil(lambda: any("Step 10 hits no element now." in words for words in heard))
    target = app.stored().steps[SAVE].target_uid
    assert target is None


# Other right targets ------------------------------------------------------------------------------------------------


def test_an_alternative_is_marked_drawn_listed_and_taken_out(app: App, page: Any) -> None:
    page.view.go_to(SAVE)
    cancel = named(page, "Cancel")
    page.view.select((cancel.uid,))
    key(app, "u", SHIFT)
    layer = page.context.feature(TargetsFeature).others
    assert app.stored().steps[SAVE].alternatives == (cancel.uid,)
    assert layer.boxes == (cancel.box,)
    assert find(page, QPushButton, "Also right").isChecked()
    assert page.panel.action.findChild(AlternativesList).words == ("“Cancel” (button)",)
    page.view.set_side("after")
    assert layer.boxes == (), "it belongs to the picture before"
    page.view.set_side("before")
    drop = find(page, QToolButton, "“Cancel” (button) is not right")
    assert drop.toolTip() == "“Cancel” (button) is not right (Shift+U)"
    drop.click()
    assert app.stored().steps[SAVE].alternatives == ()
    assert (layer.boxes, page.panel.action.findChild(AlternativesList).isVisible()) == ((), False)


def test_alternatives_are_dashed_on_the_picture(app: App, page: Any) -> None:
    page.view.go_to(SAVE)
    page.canvas.zoom_to(1.0)
    cancel = named(page, "Cancel")
    before = page.canvas.grab().toImage()
    page.view.select((cancel.uid,))
    key(app, "u", SHIFT)
    page.view.select(())
    after = page.canvas.grab().toImage()
    box = page.canvas.box_on_screen(cancel.uid)
    top = [x for x in range(box.left(), box.right()) if after.pixel(x, box.top() - 2) != before.pixel(x, box.top() - 2)]
    red = [
        x for x in top if after.pixelColor(x, box.top() - 2).red() > 200 > after.pixelColor(x, box.top() - 2).green()
    ]
    assert 0.3 * box.width() < len(red) < 0.9 * box.width(), "dashes with gaps between them"


def test_the_target_cannot_be_an_alternative_and_the_button_says_so(app: App, page: Any) -> None:
    page.view.go_to(SAVE)
    page.view.select((page.view.step.target_uid,))
    assert not find(page, QPushButton, "Also right").isEnabled()
    page.view.select(())
    key(app, "u", SHIFT)
    assert app.stored().steps[SAVE].alternatives == ()


# Spots --------------------------------------------------------------------------------------------------------------


def test_the_spot_of_a_click_is_edited_and_its_target_follows(app: App, page: Any) -> None:
    page.view.go_to(SAVE)
    cancel = named(page, "Cancel")
    old = app.stored().steps[SAVE]
    find(page, QSpinBox, "Where the pointer acted, from the left").setValue(cancel.box.center.x)
    find(page, QSpinBox, "Where the pointer acted, from the top").setValue(cancel.box.center.y)
    now = app.stored().steps[SAVE]
    assert (now.target_uid, now.pointer.x, now.pointer.y) == (cancel.uid, cancel.box.center.x, cancel.box.center.y)
    field = find(page, QSpinBox, "Where the pointer acted, from the left")
    field.setValue(99_999)
    assert field.value() == 959, "what is typed is clamped to the picture"
    for _ in range(2):
        key(app, "z", CTRL)
    assert app.stored().steps[SAVE] == old


def test_the_end_of_a_drag_is_edited_and_picked(app: App, page: Any) -> None:
    page.view.go_to(DRAG)
    find(page, QSpinBox, "Where the drag ended, from the left").setValue(400)
    assert app.stored().steps[DRAG].pointer.end_x == 400
    key(app, "p", SHIFT)
    assert page.canvas.tool_name == "pick"
    cancel = named(page, "Cancel")
    app.qtbot.mouseClick(page.canvas, Qt.MouseButton.LeftButton, pos=page.canvas.box_on_screen(cancel.uid).center())
    assert app.stored().steps[DRAG].end_uid == cancel.uid
    page.view.go_to(SAVE)
    key(app, "p", SHIFT)
    assert page.canvas.tool_name != "pick", "a click has no end"


def test_steps_without_a_place_have_no_spot(app: App, page: Any) -> None:
    page.view.go_to(PRESS)
    QApplication.processEvents()
    assert not [w for w in page.findChildren(QSpinBox) if w.isVisible() and "pointer acted" in w.accessibleName()]
    assert app.stored().steps[PRESS].action.action_type == "press_key"


# Fields -------------------------------------------------------------------------------------------------------------


def test_what_is_wrong_stands_at_the_field(app: App, page: Any) -> None:
    page.view.go_to(PRESS)
    field = find(page, QLineEdit, "Keys")
    field.setFocus()
    field.selectAll()
    app.qtbot.keyClick(field, Qt.Key.Key_Delete)
    app.qtbot.keyClick(field, Qt.Key.Key_Return)
    (words,) = shown(page.panel.action, "error")
    assert words == "Write a key, for instance Ctrl+S."
    trouble = next(w for w in page.panel.action.findChildren(QLabel) if w.text() == words)
    assert trouble.parentWidget() is field.parentWidget()
    app.qtbot.keyClicks(field, "Tab")
    app.qtbot.keyClick(field, Qt.Key.Key_Return)
    assert shown(page.panel.action, "error") == []
    assert app.stored().steps[PRESS].action.parameters == {"key_info": "Tab"}


def test_how_often_a_key_is_pressed_and_how_far_a_scroll_goes(app: App, page: Any) -> None:
    page.view.go_to(PRESS)
    find(page, QAbstractSpinBox, "Times").setValue(3)
    assert app.stored().steps[PRESS].action.parameters == {"key_info": "Escape", "presses": 3}
    page.view.go_to(SCROLL)
    find(page, QAbstractSpinBox, "Notches").setValue(5)
    box = find(page, QComboBox, "Direction")
    box.setCurrentIndex(box.findData("left"))
    box.activated.emit(box.currentIndex())
    assert app.stored().steps[SCROLL].action.parameters == {"scroll_direction": "left", "scroll_steps": 5}


def test_a_wait_lasts_longer_than_nothing(app: App, page: Any) -> None:
    page.view.go_to(PRESS)
    box = find(page, QComboBox, "Kind of action")
    box.setCurrentIndex(box.findData("wait"))
    box.activated.emit(box.currentIndex())
    field = find(page, QDoubleSpinBox, "Seconds")
    field.setValue(2.5)
    assert app.stored().steps[PRESS].action.parameters == {"wait_duration_s": 2.5}
    field.setValue(0)
    assert shown(page.panel.action, "error") == ["A wait lasts longer than 0 seconds."]
    assert app.stored().steps[PRESS].action.parameters == {"wait_duration_s": 2.5}
