"""Where an element is clicked when something lies over it."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect
from player.click_point import clear_point, covers_of, wanted_point


def element(uid: str, kind: str, box: tuple[int, int, int, int], **fields: Any) -> Element:
    return Element.model_validate({"uid": uid, "frame": "f", "type": kind, "box": box, **fields})


ROW = element("row", "list_item", (0, 0, 300, 40))


def test_the_middle_counts_where_nothing_lies_over_it() -> None:
    assert clear_point(ROW.box, []) == Point(149, 19)
    assert clear_point(ROW.box, [Rect(0, 0, 100, 40)]) == Point(149, 19)


def test_the_largest_free_part_counts_where_the_middle_is_covered() -> None:
    assert clear_point(ROW.box, [Rect(100, -20, 400, 90)]) == Point(49, 19)
    # Two thin strips above and below are less room than what is left beside them.
    point = clear_point(ROW.box, [Rect(60, 5, 260, 35)])
    assert point is not None
    assert point.x < 60


def test_nothing_is_free_where_all_is_covered() -> None:
    assert clear_point(ROW.box, [Rect(-5, -5, 200, 90), Rect(190, -5, 400, 90)]) is None


boxes = st.builds(
    lambda x, y, w, h: Rect(x, y, x + w, y + h),
    st.integers(-20, 90), st.integers(-20, 90), st.integers(1, 80), st.integers(1, 80),
)  # fmt: skip


@given(box=boxes, covers=st.lists(boxes, max_size=6))
def test_a_point_is_found_exactly_where_one_is_free(box: Rect, covers: list[Rect]) -> None:
    free = [
        Point(x, y)
        for x in range(box.x1, box.x2)
        for y in range(box.y1, box.y2)
        if not any(cover.contains(Point(x, y)) for cover in covers)
    ]
    point = clear_point(box, covers)
    assert (point in free) if free else point is None


def test_controls_on_an_element_cover_it_and_its_own_text_does_not() -> None:
    label = element("label", "text", (10, 10, 90, 30), text="Ada")
    delete = element("delete", "button", (130, 5, 170, 35), text="Delete")
    dialog = element("dialog", "dialog", (-50, -50, 500, 500))
    wrong = element("wrong", "button", (0, 0, 100, 40), review="rejected")
    assert covers_of(ROW, [ROW, label, delete, dialog, wrong]) == [delete.box]
    assert covers_of(delete, [ROW, label, delete, dialog]) == []
    # What a model found twice, once as a button and once as an icon, does not cover itself.
    assert covers_of(delete, [element("icon", "icon", (131, 5, 170, 35))]) == []


def test_a_check_box_is_clicked_on_its_mark() -> None:
    assert wanted_point(element("box", "checkbox", (10, 10, 400, 30))) == Point(20, 20)
    assert wanted_point(element("box", "checkbox", (10, 10, 400, 30), mark_box=(380, 12, 396, 28))) == Point(388, 20)
    assert wanted_point(element("box", "button", (10, 10, 400, 30))) == Point(204, 19)
