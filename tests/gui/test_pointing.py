"""A click draws around what lies there, again around the next larger thing; T goes on from thing to thing."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt

from annotator.snap.nested import same_box
from annotator.ui.editor.boxes.box_fitting import ClickBoxes
from annotator.ui.editor.boxes.boxes_feature import BoxesFeature
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from tests.gui.conftest import App

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
ALT = Qt.KeyboardModifier.AltModifier
CTRL = Qt.KeyboardModifier.ControlModifier
PANEL = Rect(492, 48, 929, 561)
"""The white card at the right."""
ORDERS = Rect(519, 114, 597, 129)
"""“Last orders”."""
WORD = (570, 121)
"""Within “orders”."""


@pytest.fixture
def page(app: App) -> Any:
    page = app.open()
    page.canvas.zoom_to(1.0)
    app.settle()
    assert page.canvas.pixels is not None
    text = next(e for e in page.session.document.elements(page.view.frame.id) if e.text == "Last orders")
    page.view.select((text.uid,))
    key(app, Qt.Key.Key_Delete)
    page.view.select(())
    app.settle()
    return page


def spot(page: Any, place: tuple[float, float]) -> QPoint:
    x, y = page.canvas.viewport.to_window(*place)
    return QPoint(round(x), round(y))


def click(app: App, place: tuple[float, float], held: Any = NONE) -> None:
    app.qtbot.mouseMove(app.page.canvas, spot(app.page, place))
    app.qtbot.mouseClick(app.page.canvas, LEFT, held, spot(app.page, place))


def key(app: App, what: Any, held: Any = NONE) -> None:
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, what, held)


def elements(app: App, page: Any) -> dict[str, Element]:
    return {e.uid: e for e in app.stored().elements[page.view.frame.id]}


def the_new(app: App, page: Any, before: dict[str, Element]) -> Element:
    (uid,) = set(elements(app, page)) - set(before)
    return elements(app, page)[uid]


def preview_of(page: Any) -> ClickBoxes:
    return page.context.feature(BoxesFeature).click_boxes  # type: ignore[no-any-return]


def test_a_click_in_draw_mode_draws_and_again_draws_larger_as_one_edit(app: App, page: Any) -> None:
    before = elements(app, page)
    key(app, "r")
    click(app, WORD)
    word = the_new(app, page, before)
    assert word.box.x1 > ORDERS.x1 + 20, "the word alone"
    assert word.review == "approved"
    assert page.view.selection == (word.uid,)
    click(app, WORD)
    line = the_new(app, page, before)
    assert line.uid == word.uid
    assert same_box(line.box, ORDERS)
    for _ in range(9):
        click(app, WORD)
        if same_box(the_new(app, page, before).box, word.box):
            break
    assert same_box(the_new(app, page, before).box, word.box), "after the largest comes the smallest"
    key(app, "z", CTRL)
    assert elements(app, page) == before


def test_quick_clicks_count_and_write_no_text(app: App, page: Any) -> None:
    before = elements(app, page)
    key(app, "r")
    click(app, WORD)
    app.qtbot.mouseDClick(page.canvas, LEFT, NONE, spot(page, WORD))
    app.qtbot.mouseRelease(page.canvas, LEFT, NONE, spot(page, WORD))
    assert same_box(the_new(app, page, before).box, ORDERS)
    assert page.canvas.hasFocus()


def test_another_place_makes_another_box(app: App, page: Any) -> None:
    before = elements(app, page)
    key(app, "r")
    click(app, WORD)
    click(app, (700, 520))
    assert len(elements(app, page)) == len(before) + 2
    assert any(same_box(e.box, PANEL) for e in elements(app, page).values())


def test_esc_takes_the_box_away_and_then_ends_the_mode(app: App, page: Any) -> None:
    before = elements(app, page)
    key(app, "r")
    click(app, WORD)
    click(app, WORD)
    key(app, Qt.Key.Key_Escape)
    app.settle()
    assert elements(app, page) == before
    assert page.canvas.tool_name == "draw"
    key(app, Qt.Key.Key_Escape)
    assert page.canvas.tool_name != "draw"


def test_what_has_a_box_already_gets_no_second_one(app: App, page: Any) -> None:
    before = elements(app, page)
    cancel = next(e for e in before.values() if e.text == "Cancel")
    key(app, "r")
    boxes: list[Rect] = []
    at = page.canvas.viewport
    for _ in range(5):
        click(app, (cancel.box.x1 + 4, cancel.box.center.y))
        assert page.canvas.viewport == at, "the picture stays under the pointer"
        boxes.append(the_new(app, page, before).box)
    assert len(set(boxes)) > 1
    assert not any(same_box(box, cancel.box) for box in boxes)


def test_alt_and_double_click_do_it_without_the_mode(app: App, page: Any) -> None:
    before = elements(app, page)
    click(app, WORD, ALT)
    assert the_new(app, page, before).box.x1 > ORDERS.x1 + 20
    key(app, "z", CTRL)
    app.settle()
    page.view.select(())
    app.qtbot.mouseDClick(page.canvas, LEFT, NONE, spot(page, WORD))
    assert the_new(app, page, before).box.x1 > ORDERS.x1 + 20


def test_where_nothing_is_seen_a_click_draws_nothing_and_selects(app: App, page: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("annotator.ui.editor.boxes.box_fitting.nested_at", lambda *_, **__: ())
    before = elements(app, page)
    cancel = next(e for e in before.values() if e.text == "Cancel")
    key(app, "r")
    click(app, (cancel.box.center.x, cancel.box.center.y))
    assert elements(app, page) == before
    assert page.view.selection == (cancel.uid,)


def test_the_preview_shows_what_a_click_makes(app: App, page: Any) -> None:
    preview = preview_of(page)
    app.qtbot.mouseMove(page.canvas, spot(page, (700, 121)))
    assert preview_of(page).box is None
    key(app, "r")
    app.qtbot.waitUntil(lambda: page.context.feature(BoxesFeature).click_boxes._edges.known is not None)
    app.qtbot.mouseMove(page.canvas, spot(page, WORD))
    app.qtbot.waitUntil(lambda: preview.box is not None and preview.box.height < 30)
    shown = preview.box
    assert shown is not None
    picture = page.canvas.grab().toImage()
    before = elements(app, page)
    click(app, WORD)
    assert the_new(app, page, before).box == shown
    app.qtbot.waitUntil(lambda: preview.box is not None)
    assert preview.box is not None
    assert same_box(preview.box, ORDERS), "the next click would make this"
    key(app, "r")
    assert preview.box is None
    line = spot(page, (shown.x1, shown.y1))
    bare = page.canvas.picture.pixelColor(shown.x1, shown.y1)
    seen = [picture.pixelColor(line.x() + i, line.y()) for i in range(20)]
    assert any(colour != bare for colour in seen), "it is painted"


def test_the_preview_goes_with_the_pointer(app: App, page: Any) -> None:
    pointing, preview = page.context.feature(BoxesFeature).click_boxes, preview_of(page)
    app.qtbot.mouseMove(page.canvas, spot(page, (700, 121)))
    key(app, "r")
    app.qtbot.waitUntil(lambda: pointing._edges.known is not None)
    app.qtbot.mouseMove(page.canvas, spot(page, WORD))
    app.qtbot.waitUntil(lambda: preview.box is not None and preview.box.height < 30)
    app.qtbot.mouseMove(page.canvas, spot(page, (470, 300)))
    app.qtbot.waitUntil(lambda: preview.box is None or preview.box.height > 30)
    app.qtbot.mouseMove(page.canvas, spot(page, WORD))
    app.qtbot.waitUntil(lambda: preview.box is not None and preview.box.height < 30)
    page.view.go_by(1)
    app.settle()
    assert preview.box is None, "another picture"


def test_t_goes_on_to_what_is_around_and_alt_t_back_as_one_edit(app: App, page: Any) -> None:
    before = elements(app, page)
    click(app, WORD, ALT)
    word = the_new(app, page, before)
    key(app, "t")
    tight = elements(app, page)[word.uid].box
    assert word.box.encloses(tight)
    key(app, "t")
    assert same_box(elements(app, page)[word.uid].box, ORDERS)
    key(app, "t")
    row = elements(app, page)[word.uid].box
    assert row.area > 2 * ORDERS.area
    key(app, "t", ALT)
    assert same_box(elements(app, page)[word.uid].box, ORDERS)
    key(app, "z", CTRL)
    app.settle()
    assert elements(app, page)[word.uid].box == word.box


def test_t_says_what_it_fitted_to(app: App, page: Any) -> None:
    cancel = next(e for e in elements(app, page).values() if e.text == "Cancel")
    page.view.select((cancel.uid,))
    said: list[str] = []
    page.context.say = said.append
    key(app, "t")
    assert said[-1] == "Fitted to the panel around."
    key(app, "t", ALT)
    assert said[-1] == "Fitted to the outline around."
    assert same_box(elements(app, page)[cancel.uid].box, cancel.box)
