"""Boxes are drawn, moved, resized, copied and deleted by mouse and keyboard, and all of it can be taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.store import Library
from tests.gui.conftest import App, make_app

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
EMPTY = (700, 500)
"""A spot of the form without any element, in pixels of the screenshot."""


@pytest.fixture
def page(app: App) -> Any:
    page = app.open()
    page.canvas.zoom_to(1.0)
    page.canvas.tools.snaps = False  # a test says to the pixel where an edge goes
    return page


def on_canvas(page: Any, x: float, y: float) -> QPoint:
    wx, wy = page.canvas.viewport.to_window(x, y)
    return QPoint(round(wx), round(wy))


def drag(app: App, start: tuple[float, float], end: tuple[float, float], held: Any = NONE) -> None:
    page, qtbot = app.page, app.qtbot
    qtbot.mousePress(page.canvas, LEFT, held, on_canvas(page, *start))
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    qtbot.mouseMove(page.canvas, on_canvas(page, *middle))
    qtbot.mouseMove(page.canvas, on_canvas(page, *end))
    qtbot.mouseRelease(page.canvas, LEFT, held, on_canvas(page, *end))


def click(app: App, x: float, y: float, held: Any = NONE) -> None:
    app.qtbot.mouseClick(app.page.canvas, LEFT, held, on_canvas(app.page, x, y))


def key(app: App, what: Any, held: Any = NONE) -> None:
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, what, held)


def elements(demo: Any, page: Any) -> dict[str, Element]:
    return {e.uid: e for e in demo.elements[page.view.frame.id]}


def named(page: Any, text: str) -> Element:
    return next(e for e in page.session.document.elements(page.view.frame.id) if e.text == text)


def test_a_box_is_drawn_and_taken_back_and_drawn_again(app: App, page: Any) -> None:
    before = app.stored()
    drag(app, EMPTY, (760, 540))
    (uid,) = page.view.selection
    drawn = elements(app.stored(), page)[uid]
    assert (drawn.box, drawn.type, drawn.source) == (Rect(700, 500, 760, 540), "button", "human")
    key(app, "z", Qt.KeyboardModifier.ControlModifier)
    assert app.stored() == before
    key(app, "y", Qt.KeyboardModifier.ControlModifier)
    assert elements(app.stored(), page)[uid] == drawn
    assert page.view.selection == (uid,)


def test_a_box_is_moved_by_dragging_it(app: App, page: Any) -> None:
    save = named(page, "Save customer")
    drag(app, (100, 430), (140, 450))
    moved = elements(app.stored(), page)[save.uid]
    assert moved.box == save.box.moved(40, 20)
    assert page.view.selection == (save.uid,)
    key(app, "z", Qt.KeyboardModifier.ControlModifier)
    assert elements(app.stored(), page)[save.uid] == save


def test_a_selected_box_is_resized_by_its_handles(app: App, page: Any) -> None:
    save = named(page, "Save customer")
    click(app, 100, 430)
    drag(app, (save.box.x2, save.box.y2), (save.box.x2 + 25, save.box.y2 + 10))
    box = save.box
    assert elements(app.stored(), page)[save.uid].box == Rect(box.x1, box.y1, box.x2 + 25, box.y2 + 10)


def test_escape_takes_a_drag_back(app: App, page: Any) -> None:
    before = app.stored()
    app.qtbot.mousePress(page.canvas, LEFT, NONE, on_canvas(page, *EMPTY))
    app.qtbot.mouseMove(page.canvas, on_canvas(page, 760, 540))
    key(app, Qt.Key.Key_Escape)
    app.qtbot.mouseRelease(page.canvas, LEFT, NONE, on_canvas(page, 760, 540))
    assert app.stored() == before


def test_alt_draws_on_top_of_a_box_and_so_does_the_draw_mode(app: App, page: Any) -> None:
    count = len(elements(app.stored(), page))
    drag(app, (70, 420), (100, 440), Qt.KeyboardModifier.AltModifier)
    key(app, "r")
    assert page.canvas.tool_name == "draw"
    drag(app, (110, 420), (150, 440))
    key(app, Qt.Key.Key_Escape)
    assert page.canvas.tool_name != "draw"
    assert len(elements(app.stored(), page)) == count + 2


def test_a_click_selects_the_smallest_and_the_next_click_what_lies_under_it(app: App, page: Any) -> None:
    drag(app, (500, 100), (920, 550), Qt.KeyboardModifier.AltModifier)
    (around,) = page.view.selection
    order = named(page, "Order 1003")
    click(app, 600, order.box.center.y)
    assert page.view.selection == (order.uid,)
    click(app, 600, order.box.center.y)
    assert page.view.selection == (around,)
    click(app, *EMPTY)
    click(app, 30, 580)
    assert page.view.selection == ()


def test_several_are_selected_and_deleted_together(app: App, page: Any) -> None:
    save, cancel = named(page, "Save customer"), named(page, "Cancel")
    click(app, 100, 430)
    click(app, 240, 430, Qt.KeyboardModifier.ControlModifier)
    assert page.view.selection == (save.uid, cancel.uid)
    key(app, Qt.Key.Key_Delete)
    now = elements(app.stored(), page)
    # What a detector found is remembered as rejected, so that the next search does not bring it back.
    assert {now[save.uid].review, now[cancel.uid].review} == {"rejected"}
    assert page.view.selection == ()
    key(app, "z", Qt.KeyboardModifier.ControlModifier)
    assert elements(app.stored(), page)[save.uid] == save


def test_a_box_that_was_drawn_is_really_deleted(app: App, page: Any) -> None:
    before = app.stored()
    drag(app, EMPTY, (760, 540))
    key(app, Qt.Key.Key_Backspace)
    assert app.stored() == before


def test_duplicate_and_nudge(app: App, page: Any) -> None:
    save = named(page, "Save customer")
    click(app, 100, 430)
    key(app, "d", Qt.KeyboardModifier.ControlModifier)
    (copy,) = page.view.selection
    for _ in range(3):
        key(app, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    made = elements(app.stored(), page)[copy]
    assert made.box == save.box.moved(11, 8)
    assert (made.source, made.text) == ("human", "Save customer")
    key(app, "z", Qt.KeyboardModifier.ControlModifier)  # the three nudges together
    assert elements(app.stored(), page)[copy].box == save.box.moved(8, 8)


def test_tab_walks_the_elements_in_reading_order(app: App, page: Any) -> None:
    key(app, Qt.Key.Key_Tab)
    ordered = page.session.document.ordered(page.view.frame.id)
    assert page.view.element == ordered[0]
    key(app, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert page.view.element == ordered[-1]


def test_drawing_a_box_under_the_click_binds_the_step_to_it(app: App, page: Any) -> None:
    pointer = page.view.step.pointer
    drag(app, (pointer.x - 6, pointer.y - 6), (pointer.x + 6, pointer.y + 6), Qt.KeyboardModifier.AltModifier)
    (uid,) = page.view.selection
    assert app.stored().steps[0].target_uid == uid


def test_undo_reaches_over_a_restart(
    tmp_path: Path, library: Library, theme: Theme, services: Services, qtbot: QtBot
) -> None:
    first = make_app(library, theme, services, qtbot)
    first.open().canvas.zoom_to(1.0)
    first.page.canvas.tools.snaps = False
    original = first.stored()
    drag(first, EMPTY, (760, 540))
    first.settle()
    first.window.close()
    second = make_app(library, theme, services, qtbot)
    second.open()
    assert second.stored() != original
    key(second, "z", Qt.KeyboardModifier.ControlModifier)
    assert second.stored() == original
    second.window.close()


def test_the_middle_button_pushes_and_the_wheel_zooms(app: App, page: Any) -> None:
    view = page.canvas.viewport
    start = on_canvas(page, 300, 300)
    app.qtbot.mousePress(page.canvas, Qt.MouseButton.MiddleButton, NONE, start)
    app.qtbot.mouseMove(page.canvas, start + QPoint(30, 20))
    app.qtbot.mouseRelease(page.canvas, Qt.MouseButton.MiddleButton, NONE, start + QPoint(30, 20))
    assert (page.canvas.viewport.x, page.canvas.viewport.y) == (view.x + 30, view.y + 20)
    key(app, "+", Qt.KeyboardModifier.ControlModifier)
    assert page.canvas.viewport.scale == pytest.approx(1.25)
    key(app, "f")
    assert page.canvas.viewport.fitted


def test_space_pushes_while_it_is_held_and_approves_when_it_was_only_pressed(app: App, page: Any) -> None:
    canvas, view = page.canvas, page.canvas.viewport
    start = on_canvas(page, 300, 300)
    canvas.setFocus()
    app.qtbot.keyPress(canvas, Qt.Key.Key_Space)
    app.qtbot.mousePress(canvas, LEFT, NONE, start)
    app.qtbot.mouseMove(canvas, start + QPoint(15, 5))
    app.qtbot.mouseRelease(canvas, LEFT, NONE, start + QPoint(15, 5))
    app.qtbot.keyRelease(canvas, Qt.Key.Key_Space)
    assert (canvas.viewport.x, page.view.index) == (view.x + 15, 0)
    assert app.stored().steps[0].review == "unreviewed"
    key(app, Qt.Key.Key_Space)
    assert app.stored().steps[0].review == "approved"
    assert page.view.index == 1
