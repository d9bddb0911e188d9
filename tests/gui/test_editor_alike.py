"""Selecting what is like an element, and doing something to all of it as one edit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from annotator.attributes.element_attributes import SetAttribute
from annotator.commands import AddElement
from annotator.ui.editor.attributes.attributes_feature import AttributesFeature
from annotator.ui.editor.similar_features import SelectSimilarFeature
from annotator.view_state import ViewState
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from tests.gui.conftest import App

CTRL = Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def key(app: App, what: Any, held: Any = NONE) -> None:
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, what, held)


def column(page: Any, count: int = 5) -> list[Element]:
    """Suggested icons under each other on an even part of the picture."""
    frame = page.view.frame
    made = [
        Element(
            uid=f"col_{i}", frame=frame.id, type="icon", box=Rect(930, 200 + 24 * i, 946, 216 + 24 * i),
            source="detector", confidence=0.8,
        )
        for i in range(count)
    ]  # fmt: skip
    for one in made:
        page.session.do(AddElement(element=one))
    return made


def said(page: Any) -> str:
    return " ".join(one.text() for one in page.findChildren(QLabel) if one.isVisible())


def now(app: App, uids: list[str]) -> list[Element]:
    found = {e.uid: e for here in app.stored().elements.values() for e in here}
    return [found[uid] for uid in uids if uid in found]


def test_the_key_selects_wider_and_comes_back(app: App, page: Any) -> None:
    made = column(page)
    page.session.do(AddElement(element=made[0].changed(uid="far", box=Rect(20, 480, 50, 500))))
    page.view.select(("col_1",))
    app.qtbot.waitUntil(lambda: page.canvas.pixels is not None)
    key(app, ";")
    assert set(page.view.selection) >= {one.uid for one in made}
    assert page.view.selection[-1] == "col_1", "walking goes on from here"
    first = set(page.view.selection)
    key(app, ";")
    assert set(page.view.selection) > first
    assert "far" in page.view.selection
    key(app, ";")
    assert page.view.selection == ("col_1",)
    key(app, Qt.Key.Key_F7)
    assert set(page.view.selection) == first


def test_without_a_selection_or_anything_alike_it_says_so(app: App, page: Any) -> None:
    page.view.select(())
    key(app, ";")
    assert "Select an element" in said(page)
    page.session.do(AddElement(element=column(page, 1)[0].changed(uid="alone", type="slider", box=Rect(5, 5, 200, 19))))
    for one in page.session.document.elements(page.view.frame.id):
        if one.type == "slider" and one.uid != "alone":
            page.session.do(SetAttribute(uids=(one.uid,), name="review", value="rejected"))
    page.view.select(("alone",))
    key(app, ";")
    assert "Nothing on this picture is like it." in said(page)
    assert page.view.selection == ("alone",)


@pytest.mark.parametrize("what", ["3", "q", "x", "y", " ", "Delete"])
def test_what_is_done_then_is_done_to_all_of_them_in_one_edit(app: App, page: Any, what: str) -> None:
    uids = [one.uid for one in column(page)]
    before = now(app, uids)
    page.view.select((uids[0],))
    key(app, ";")
    assert set(uids) <= set(page.view.selection)
    if what == "q":
        key(app, "q")
        while (
            next(line.name for line in page.context.feature(AttributesFeature).card.lines if line.current) != "disabled"
        ):
            key(app, Qt.Key.Key_Down)
        key(app, "1")
    else:
        key(app, Qt.Key.Key_Delete if what == "Delete" else Qt.Key.Key_Space if what == " " else what)
    after = now(app, uids)
    assert all(a != b for a, b in zip(after, before, strict=True))
    key(app, "z", CTRL)
    assert now(app, uids) == before, "one undo takes all of it back"


def test_all_of_them_are_tightened_in_one_edit(app: App, page: Any) -> None:
    app.qtbot.waitUntil(lambda: page.canvas.pixels is not None)
    here = page.session.document.elements(page.view.frame.id)
    rows = sorted((e for e in here if e.type == "list_item"), key=lambda e: e.box.y1)
    page.view.select((rows[2].uid,))
    key(app, ";")
    assert set(page.view.selection) == {one.uid for one in rows}, "each says something else: they are a column"
    uids = [one.uid for one in rows]
    before = now(app, uids)
    key(app, "t")
    app.settle()
    after = now(app, uids)
    assert sum(a.box != b.box for a, b in zip(after, before, strict=True)) > 1
    key(app, "z", CTRL)
    assert now(app, uids) == before


def test_an_edit_keeps_what_the_next_press_selects(app: App, page: Any) -> None:
    uids = [one.uid for one in column(page)]
    page.session.do(AddElement(element=column_far(page)))
    page.view.select((uids[2],))
    key(app, ";")
    key(app, "2")
    assert {one.type for one in now(app, uids)} == {"text"}
    key(app, ";")
    assert {*uids, "far"} <= set(page.view.selection), "all that were of its type before"
    feature = page.context.feature(SelectSimilarFeature)
    assert (feature.level.name if feature.level else "") == "type"


def column_far(page: Any) -> Element:
    return Element(
        uid="far", frame=page.view.frame.id, type="icon", box=Rect(20, 480, 50, 500), source="detector", confidence=0.5
    )


def test_what_the_slider_hides_is_left_out(app: App, page: Any) -> None:
    uids = [one.uid for one in column(page)]
    page.session.do(AddElement(element=column_far(page)))
    view: ViewState = page.view
    view.set_filter("test", lambda one: one.uid != "col_4")
    page.view.select((uids[0],))
    key(app, ";")
    assert "col_4" not in page.view.selection
    assert {"col_1", "col_2"} <= set(page.view.selection)


def test_the_picture_may_be_as_the_canvas_has_it(app: App, page: Any) -> None:
    app.qtbot.waitUntil(lambda: page.canvas.pixels is not None)
    assert page.canvas.pixels.shape[2] == 4
    assert page.canvas.pixels.dtype == np.uint8
