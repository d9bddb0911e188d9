"""Boxes to tick own their labels."""

from __future__ import annotations

from typing import Any

from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect
from demopack.domain.marks import certain_labels, owned_labels, rebound, with_labels
from tests.support.small_demos import click_step


def one(uid: str, kind: str, *box: int, text: str | None = None, **more: Any) -> Element:
    given = {"uid": uid, "frame": "f", "type": kind, "box": Rect(*box), "text": text, "source": "detector", **more}
    return Element.model_validate({"confidence": 0.9, **given})


MARK = one("mark", "checkbox", 10, 10, 24, 24, text="Send news")
LABEL = one("label", "text", 30, 9, 100, 25, text="Send news", source="ocr")


def test_a_mark_owns_the_line_beside_it_that_says_its_text() -> None:
    below = one("below", "text", 30, 40, 100, 56, text="Send news")
    far = one("far", "text", 200, 9, 260, 25, text="Send news")
    other = one("other", "text", 30, 9, 100, 25, text="Another")
    assert owned_labels([MARK, far, below, LABEL]) == {0: 3}
    assert owned_labels([MARK, far, below, other]) == {}
    assert owned_labels([MARK.but(text=None), LABEL]) == {}


def test_two_marks_that_say_the_same_have_a_label_each() -> None:
    found = [
        MARK,
        LABEL,
        one("two", "radio", 110, 10, 124, 24, text="Yes"),
        one("three", "radio", 10, 60, 24, 74, text="Yes"),
    ]
    found += [one("a", "text", 30, 60, 50, 74, text="Yes"), one("b", "text", 130, 10, 150, 24, text="Yes")]
    assert owned_labels(found) == {0: 1, 2: 5, 3: 4}


def test_a_mark_in_a_row_and_one_with_its_label_own_none() -> None:
    row = one("row", "list_item", 0, 0, 300, 30)
    assert owned_labels([row, MARK, LABEL]) == {}
    whole = MARK.but(box=Rect(10, 9, 100, 25), mark_box=MARK.box)
    assert owned_labels([whole, LABEL]) == {}


def test_what_a_person_drew_rejected_or_sees_otherwise_is_not_certain() -> None:
    assert certain_labels([MARK, LABEL]) == {"mark": "label"}
    for mark, label in (
        ({"review": "approved"}, {}),
        ({"source": "human", "confidence": None}, {}),
        ({}, {"review": "rejected"}),
        ({"review": "rejected"}, {"review": "rejected"}),
        ({}, {"parent": "panel"}),
    ):
        assert certain_labels([MARK.but(**mark), LABEL.but(**label)]) == {}
    both = {"review": "approved"}
    assert certain_labels([MARK.but(**both), LABEL.but(**both)]) == {"mark": "label"}


def test_both_become_one_and_steps_go_with_them() -> None:
    icon = one("icon", "icon", 200, 200, 220, 220)
    (whole, rest) = with_labels([MARK, LABEL, icon], {"mark": "label"})
    assert (whole.uid, whole.box, whole.mark_box, whole.text) == ("mark", Rect(10, 9, 100, 25), MARK.box, "Send news")
    assert rest == icon
    step = click_step(0, Frame(id="f" * 64, width=400, height=300), None, Point(40, 15))
    bound = rebound(step.but(target_uid="label", alternatives=("mark", "label", "icon")), {"mark": "label"})
    assert (bound.target_uid, bound.end_uid, bound.alternatives) == ("mark", None, ("mark", "icon"))
    assert rebound(step.but(target_uid="icon"), {"mark": "label"}).target_uid == "icon"


def test_a_mark_goes_along_with_its_box_and_is_lost_outside_of_it() -> None:
    whole = MARK.but(box=Rect(10, 9, 100, 25), mark_box=MARK.box)
    assert whole.changed(box=Rect(20, 19, 110, 35)).mark_box == MARK.box.moved(10, 10)
    assert whole.changed(box=Rect(5, 5, 120, 30)).mark_box == MARK.box
    assert whole.changed(box=Rect(28, 9, 100, 25)).mark_box is None
    assert whole.changed(text="Other").mark_box == MARK.box
