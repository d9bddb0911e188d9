"""Boxes by keyboard in the editor: tighten, split, merge, select, copy, paste, snap, and the aids over the picture."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from annotator.ui.editor.boxes.boxes_feature import BoxesFeature
from annotator.ui.editor.boxes.drawing_aids import DrawingAidsFeature
from annotator.ui.editor.editor_context import EditorContext
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from tests.gui.conftest import App

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
EMPTY = (350, 500)


@pytest.fixture
def page(app: App) -> Any:
    page = app.open()
    page.canvas.zoom_to(1.0)
    app.settle()
    assert page.canvas.pixels is not None
    return page


def desk(page: Any) -> EditorContext:
    return page.context  # type: ignore[no-any-return]


def on_canvas(page: Any, x: float, y: float) -> QPoint:
    wx, wy = page.canvas.viewport.to_window(x, y)
    return QPoint(round(wx), round(wy))


def drag(app: App, start: tuple[float, float], end: tuple[float, float], held: Any = NONE) -> None:
    page, qtbot = app.page, app.qtbot
    qtbot.mousePress(page.canvas, LEFT, held, on_canvas(page, *start))
    qtbot.mouseMove(page.canvas, on_canvas(page, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
    qtbot.mouseMove(page.canvas, on_canvas(page, *end))
    qtbot.mouseRelease(page.canvas, LEFT, held, on_canvas(page, *end))


def key(app: App, what: Any, held: Any = NONE) -> None:
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, what, held)


def stored(app: App, page: Any) -> dict[str, Element]:
    return {e.uid: e for e in app.stored().elements[page.view.frame.id]}


def named(page: Any, text: str) -> Element:
    return next(e for e in page.session.document.elements(page.view.frame.id) if e.text == text)


def test_t_tightens_a_loose_box_onto_the_button_and_says_so_when_it_fits(app: App, page: Any) -> None:
    save = named(page, "Save customer")
    box = fitted = save.box
    drag(app, (box.x1 - 8, box.y1 - 6), (box.x2 + 7, box.y2 + 8), Qt.KeyboardModifier.AltModifier | CTRL)
    (uid,) = page.view.selection
    key(app, "t")
    assert stored(app, page)[uid].box == fitted
    key(app, "z", CTRL)
    assert stored(app, page)[uid].box == Rect(box.x1 - 8, box.y1 - 6, box.x2 + 7, box.y2 + 8)


def test_an_arrow_tightens_one_side(app: App, page: Any) -> None:
    save = named(page, "Save customer")
    fitted = save.box
    drag(app, (fitted.x1 - 9, fitted.y1 - 9), (fitted.x2 + 9, fitted.y2 + 9), Qt.KeyboardModifier.AltModifier | CTRL)
    (uid,) = page.view.selection
    key(app, "t", SHIFT)
    feature = desk(page).feature(BoxesFeature)
    assert feature.sides.isVisible()
    app.qtbot.keyClick(feature.sides, Qt.Key.Key_Left)
    assert stored(app, page)[uid].box == Rect(fitted.x1, fitted.y1 - 9, fitted.x2 + 9, fitted.y2 + 9)
    app.qtbot.keyClick(feature.sides, Qt.Key.Key_Escape)
    assert feature.sides.isHidden()
    assert page.canvas.hasFocus()


def test_a_box_is_split_at_the_pointer_and_merged_again(app: App, page: Any) -> None:
    save = named(page, "Save customer")
    page.view.select((save.uid,))
    box = save.box
    app.qtbot.mouseMove(page.canvas, on_canvas(page, box.center.x, box.center.y))
    key(app, "j", CTRL)
    assert len(page.view.selection) == 2
    parts = [stored(app, page)[uid].box for uid in page.view.selection]
    assert parts[0].x1 == box.x1
    assert parts[1].x2 == box.x2
    assert parts[0].x2 <= parts[1].x1
    key(app, "j", CTRL | SHIFT)
    assert page.view.selection == (save.uid,)
    assert stored(app, page)[save.uid].box == box
    assert stored(app, page)[save.uid].text == "Save customer"


def test_all_boxes_are_selected_and_moved_by_ten_pixels(app: App, page: Any) -> None:
    key(app, "a", CTRL)
    shown = [e for e in page.view.shown(page.view.frame.id) if e.review != "rejected"]
    assert len(page.view.selection) == len(shown) > 10
    before = stored(app, page)
    key(app, Qt.Key.Key_Right, SHIFT)
    after = stored(app, page)
    assert all(after[e.uid].box == before[e.uid].box.moved(10, 0) for e in shown)
    key(app, "z", CTRL)
    assert stored(app, page) == before


def test_shift_and_drag_selects_what_is_enclosed_and_draws_nothing(app: App, page: Any) -> None:
    before, save, cancel = app.stored(), named(page, "Save customer"), named(page, "Cancel")
    around = save.box.union(cancel.box)
    drag(app, (around.x1 - 5, around.y1 - 5), (around.x2 + 5, around.y2 + 5), SHIFT)
    assert set(page.view.selection) == {save.uid, cancel.uid}
    assert app.stored() == before


def test_a_group_is_resized_by_the_handles_around_it(app: App, page: Any) -> None:
    save, cancel = named(page, "Save customer"), named(page, "Cancel")
    page.canvas.tools.snaps = False
    page.view.select((save.uid, cancel.uid))
    around = save.box.union(cancel.box)
    drag(app, (around.x2, around.y2), (around.x2 + around.width, around.y2))
    now = stored(app, page)
    assert now[save.uid].box.width == pytest.approx(2 * save.box.width, abs=1)
    assert now[cancel.uid].box.x2 == around.x2 + around.width
    key(app, "z", CTRL)
    assert stored(app, page)[save.uid] == save


def test_boxes_are_copied_to_another_step_in_their_place(app: App, page: Any) -> None:
    save, cancel = named(page, "Save customer"), named(page, "Cancel")
    page.view.select((save.uid, cancel.uid))
    key(app, "c", CTRL)
    assert "demopack_boxes" in QGuiApplication.clipboard().text()
    page.view.go_by(1)
    app.settle()
    count = len(stored(app, page))
    key(app, "v", CTRL)
    made = [stored(app, page)[uid] for uid in page.view.selection]
    assert {e.text for e in made} == {"Save customer", "Cancel"}
    assert len(stored(app, page)) == count + 2
    QGuiApplication.clipboard().setText("nothing to see")
    key(app, "v", CTRL)
    assert len(stored(app, page)) == count + 2


def test_an_edge_snaps_to_a_neighbour_unless_ctrl_is_held(app: App, page: Any) -> None:
    save = named(page, "Save customer")
    drag(app, (310, save.box.y1 + 3), (380, 520))
    (uid,) = page.view.selection
    assert stored(app, page)[uid].box.y1 == save.box.y1
    key(app, Qt.Key.Key_Delete)
    drag(app, (310, save.box.y1 + 3), (380, 520), CTRL)
    (free,) = page.view.selection
    assert stored(app, page)[free].box == Rect(310, save.box.y1 + 3, 380, 520)


def test_loupe_crosshair_and_overview_come_and_go(app: App, page: Any) -> None:
    aids = desk(page).feature(DrawingAidsFeature)
    app.qtbot.mouseMove(page.canvas, on_canvas(page, *EMPTY))
    plain = page.canvas.grab().toImage()
    for letter, held in (("z", NONE), ("c", NONE), ("m", SHIFT)):
        key(app, letter, held)
        assert page.canvas.grab().toImage() != plain
        key(app, letter, held)
        assert page.canvas.grab().toImage() == plain
    assert aids.loupe.words().startswith("350, 500   #")
    key(app, "m", SHIFT)
    page.canvas.zoom_to(4.0)
    before = page.canvas.viewport
    app.qtbot.mousePress(aids.minimap, LEFT, NONE, QPoint(10, 10))
    assert (page.canvas.viewport.x, page.canvas.viewport.y) != (before.x, before.y)
    assert aids.minimap.shown_part().left() < 20


def test_the_menu_offers_what_can_be_done_with_what_is_selected(app: App, page: Any) -> None:
    save, menus = named(page, "Save customer"), desk(page).feature(BoxesFeature)
    menu = menus.menu_at(on_canvas(page, save.box.center.x, save.box.center.y))
    assert page.view.selection == (save.uid,)
    offered = {action.text().split("\t")[0]: action for action in menu.actions()}
    assert offered["Tighten"].isEnabled()
    assert offered["Split"].isEnabled()
    assert not offered["Merge"].isEnabled()
    assert offered["Snap to edges"].isChecked()
    offered["Delete"].trigger()
    assert stored(app, page)[save.uid].review == "rejected"
    offered["Snap to edges"].trigger()
    assert not page.canvas.tools.snaps
    menu.deleteLater()
