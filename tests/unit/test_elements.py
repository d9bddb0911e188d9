from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, Element, containment, element_at, reading_order
from demopack.domain.geometry import Point, Rect, Size
from tests.support.strategies import rects


def element(uid: str, x1: int, y1: int, x2: int, y2: int, **fields: object) -> Element:
    return Element.model_validate({"uid": uid, "frame": "f", "type": "button", "box": [x1, y1, x2, y2], **fields})


def test_rows_are_read_left_to_right_and_insides_after_their_frame() -> None:
    found = [
        element("right", 300, 12, 380, 40),
        element("below", 0, 200, 100, 220),
        element("label", 20, 64, 80, 78),
        element("panel", 0, 50, 400, 150),
        element("left", 0, 10, 80, 42),
        element("field", 100, 60, 380, 84),
    ]
    assert [e.uid for e in reading_order(found)] == ["left", "right", "panel", "label", "field", "below"]


def test_the_smallest_element_under_the_pointer_is_meant() -> None:
    found = [element("panel", 0, 0, 400, 400), element("button", 10, 10, 60, 30), element("text", 20, 12, 50, 28)]
    assert element_at(found, Point(30, 20)) == found[2]
    assert element_at(found, Point(12, 12)) == found[1]
    assert element_at(found, Point(300, 300)) == found[0]
    assert element_at(found, Point(500, 5)) is None


def test_a_rejected_element_is_neither_meant_nor_counted() -> None:
    found = [element("wrong", 0, 0, 10, 10, review="rejected"), element("right", 0, 0, 50, 50)]
    assert element_at(found, Point(5, 5)) == found[1]
    assert [e.uid for e in reading_order(found)] == ["right"]


def test_a_parent_set_by_hand_wins_over_geometry() -> None:
    found = [element("outer", 0, 0, 100, 100), element("inner", 10, 10, 20, 20), element("other", 200, 0, 300, 9)]
    assert containment(found)["inner"] == "outer"
    assert containment([*found[:1], found[1].changed(parent="other"), found[2]])["inner"] == "other"
    assert containment([found[0], found[1].changed(parent="")])["inner"] is None
    assert containment([found[0], found[1].changed(parent="gone")])["inner"] == "outer"


def test_a_circle_of_parents_loses_nobody() -> None:
    found = [element("a", 0, 0, 9, 9, parent="b"), element("b", 20, 0, 29, 9, parent="a")]
    assert {e.uid for e in reading_order(found)} == {"a", "b"}


@given(st.lists(rects(Size(300, 300)), max_size=25))
def test_reading_order_keeps_everyone_once_and_the_tree_has_no_circle(boxes: list[Rect]) -> None:
    found = [element(str(i), b.x1, b.y1, b.x2, b.y2) for i, b in enumerate(boxes)]
    assert sorted(e.uid for e in reading_order(found)) == sorted(e.uid for e in found)
    parents = containment(found)
    for uid in parents:
        seen = {uid}
        up = parents[uid]
        while up is not None:
            assert up not in seen
            seen.add(up)
            up = parents[up]


def test_every_type_says_what_it_may_carry() -> None:
    assert set(ATTRIBUTES) == set(ELEMENT_TYPES)


def test_irrelevant_attributes_are_masked() -> None:
    bar = element("s", 0, 0, 9, 99, type="scrollbar", text="x", subtype="y", states={"checked": True, "disabled": True})
    clean = bar.cleaned()
    assert (clean.text, clean.subtype, clean.states) == (None, None, {"disabled": True})


def test_a_state_that_cannot_be_seen_is_not_false() -> None:
    unseen = element("c", 0, 0, 9, 9, type="checkbox")
    assert "checked" not in unseen.states
    assert Element.model_validate_json(unseen.model_dump_json()) == unseen
