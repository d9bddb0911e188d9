"""Boxes to tick own their labels."""

from __future__ import annotations

from typing import Any

from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect
from demopack.domain.marks import certain_labels, labels_beside, owned_labels, rebound, with_labels
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
    assert owned_labels([MARK, far, below, LABEL]) == {0: (3,)}
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
    assert owned_labels(found) == {0: (1,), 2: (5,), 3: (4,)}


def test_a_mark_in_a_row_and_one_with_its_label_own_none() -> None:
    row = one("row", "list_item", 0, 0, 300, 30)
    assert owned_labels([row, MARK, LABEL]) == {}
    whole = MARK.but(box=Rect(10, 9, 100, 25), mark_box=MARK.box)
    assert owned_labels([whole, LABEL]) == {}


def test_a_label_of_several_lines_is_all_of_its_lines() -> None:
    mark = MARK.but(text="Send me news about all that is new")
    lines = [
        one("first", "text", 30, 9, 130, 25, text="Send me news"),
        one("next", "text", 30, 27, 118, 43, text="about all"),
    ]
    last = one("last", "text", 31, 45, 105, 61, text="that is new")
    assert owned_labels([last, mark, *reversed(lines)]) == {1: (3, 2, 0)}
    # Where its mark stands in the middle of its lines, or its words go on below the mark.
    assert owned_labels([mark.but(box=Rect(10, 28, 24, 42)), *lines, last]) == {0: (1, 2, 3)}
    below = [one("next", "text", 10, 27, 98, 43, text="about all that is new")]
    assert owned_labels([mark, lines[0], *below]) == {0: (1, 2)}
    # A cut label is what can be seen of it; what says something else is another's.
    assert owned_labels([mark, one("cut", "text", 30, 9, 90, 25, text="Send me n")]) == {0: (1,)}
    assert owned_labels([mark, lines[0], one("other", "text", 30, 27, 90, 43, text="City")]) == {0: (1,)}


def test_a_label_may_stand_before_its_mark_or_above_a_switch() -> None:
    before = one("before", "text", 10, 9, 80, 25, text="Dark mode")
    assert owned_labels([one("mark", "radio", 90, 10, 104, 24, text="Dark mode"), before]) == {0: (1,)}
    switch = one("mark", "toggle", 200, 10, 230, 24, text="Dark mode")
    assert owned_labels([switch, before]) == {0: (1,)}
    assert owned_labels([switch.but(box=Rect(10, 30, 40, 44)), before]) == {0: (1,)}


def test_what_stands_beside_a_mark_labels_it() -> None:
    def labels(marks: list[Element], *lines: Element) -> dict[int, tuple[int, ...]]:
        return labels_beside([mark.but(text=None) for mark in marks], lines)

    wrapped = (
        one("a", "text", 30, 9, 130, 25, text="Send me news"),
        one("b", "text", 30, 27, 100, 43, text="about it all"),
    )
    assert labels([MARK], *wrapped) == {0: (0, 1)}
    assert labels([MARK.but(box=Rect(10, 19, 24, 33))], *wrapped) == {0: (0, 1)}
    # Words that would have fitted, stand farther below, at another edge, or at another mark are no part of it.
    assert labels([MARK], wrapped[0], one("b", "text", 30, 27, 190, 43, text="It is read by many people")) == {0: (0,)}
    assert labels([MARK], wrapped[0], one("b", "text", 30, 36, 100, 52, text="about it all")) == {0: (0,)}
    assert labels([MARK], wrapped[0], one("b", "text", 44, 27, 114, 43, text="about it all")) == {0: (0,)}
    below = one("below", "checkbox", 10, 28, 24, 42)
    assert labels([MARK, below], *wrapped) == {0: (0,), 1: (1,)}
    # In a row a line labels the mark to which it is nearest, behind it before all.
    row = [one(f"m{x}", "radio", x, 10, x + 14, 24) for x in (60, 160, 260)]
    texts = [one(f"l{x}", "text", x, 9, x + 40, 25, text=f"At {x}") for x in (15, 115, 215)]
    assert labels(row, *texts) == {0: (0,), 1: (1,), 2: (2,)}
    texts = [one(f"l{x}", "text", x, 9, x + 60, 25, text=f"At {x}") for x in (80, 180, 280)]
    assert labels(row, *texts) == {0: (0,), 1: (1,), 2: (2,)}
    # A switch may have its label at the other end of a row of settings, a box to tick not.
    far = one("far", "text", 10, 9, 80, 25, text="Dark mode")
    assert labels([one("switch", "toggle", 180, 10, 210, 24)], far) == {0: (0,)}
    assert labels([one("box", "checkbox", 180, 10, 194, 24)], far) == {}
    assert labels([one("switch", "toggle", 10, 30, 40, 44)], far) == {0: (0,)}


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
