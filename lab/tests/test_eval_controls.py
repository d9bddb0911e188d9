"""What is counted about controls, against cases that were counted by hand."""

from __future__ import annotations

import pytest

from demopack.domain.geometry import Rect
from lab.evaluation.controls import HEADER_CELL, ControlTally, hits_centre, same_name
from lab.evaluation.figures import Share
from tests.support.truths import as_found, found, screen, truth


def test_a_screen_that_was_counted_by_hand() -> None:
    one = screen(
        truth("button", (0, 0, 20, 10), text="Save As...", states={"disabled": False, "focused": True}),
        truth("icon", (30, 0, 40, 10), states={"disabled": True}),
        truth("input_field", (50, 0, 90, 10), text="Filter"),
        truth("slider", (0, 20, 40, 30)),
        truth("text", (0, 60, 40, 70), text="No control"),
    )
    seen = [
        found("button", (0, 0, 20, 10), text="Save  As…", states={"disabled": False}),
        found("button", (30, 0, 40, 10), text="Undo", states={"disabled": True}),
        found("input_field", (50, 0, 90, 10), placeholder="filter"),
        found("scrollbar", (10, 18, 30, 32)),  # a third of it only, but a click on it arrives
        found("text", (0, 60, 40, 70), text="No control"),
        found("list_item", (60, 60, 90, 70)),
    ]
    tally = ControlTally()
    tally.add(one, seen)
    figures = tally.figures()
    assert figures.found == Share.count(3, 4)
    assert figures.centre == Share.count(4, 4)
    assert figures.type == Share.count(2, 3)
    assert figures.type_or_icon == Share.count(3, 3)
    assert figures.name == Share.count(1, 2)  # letters must be the same, and a placeholder can be read
    assert figures.states == Share.count(2, 3)  # what is missing is wrong
    assert figures.when_true == Share.count(1, 2)
    assert figures.precision == Share.count(3, 5)
    assert tally.figures_of("slider").found == Share.count(0, 1)
    assert tally.figures_of("slider").precision.share is None


def test_what_is_true_has_no_faults() -> None:
    one = screen(
        truth("tab", (0, 0, 20, 10), text="General", states={"checked": True}),
        truth("scrollbar", (90, 0, 100, 60)),
        truth("image", (0, 20, 60, 60)),
    )
    tally = ControlTally()
    tally.add(one, [as_found(element) for element in one.elements])
    figures = tally.figures()
    for share in (figures.found, figures.centre, figures.type, figures.name, figures.states, figures.precision):
        assert share.share == 1.0


def test_two_boxes_for_one_control_are_one_too_many() -> None:
    one = screen(truth("button", (0, 0, 20, 10), text="OK"))
    tally = ControlTally()
    tally.add(one, [found("button", (0, 0, 20, 10), text="OK"), found("list_item", (0, 0, 20, 11))])
    assert tally.figures().precision == Share.count(1, 2)
    assert tally.figures().type == Share.count(1, 1)


def test_parts_of_a_scroll_bar_are_no_mistakes_where_nobody_said_where_they_are() -> None:
    one = screen(truth("scrollbar", (90, 0, 100, 60)))
    tally = ControlTally()
    tally.add(one, [found("scrollbar", (90, 0, 100, 60)), found("scrollbar_thumb", (90, 10, 100, 30))])
    assert tally.figures().precision == Share.count(1, 1)


def test_header_cells_are_a_kind_of_their_own_and_screens_add_up() -> None:
    one = screen(
        truth("button", (0, 0, 20, 10), text="Name"),
        truth("button", (0, 60, 20, 70), text="OK"),
        variant={"headers": "Name\nSize"},
    )
    first, second = ControlTally(), ControlTally()
    first.add(one, [found("button", (0, 0, 20, 10))])
    second.add(one, [])
    first.merge(second)
    assert first.figures_of(HEADER_CELL).found == Share.count(1, 2)
    assert first.figures_of("button").found == Share.count(0, 2)
    assert first.figures().found == Share.count(1, 4)


@pytest.mark.parametrize(
    ("box", "hits"),
    [
        ((-10, -5, 30, 15), True),
        ((-10, -5, 30, 16), False),  # more than four times as large
        ((9, 4, 12, 7), True),  # small, but in the middle
        ((0, 0, 9, 10), False),  # beside the middle
    ],
)
def test_a_centre_is_hit_by_what_is_not_much_larger(box: tuple[int, int, int, int], hits: bool) -> None:
    assert hits_centre(Rect(*box), Rect(0, 0, 20, 10)) is hits


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Preferences ...", "Preferences…", True),
        ("&Open", "Open", True),
        ("_Open", "Open", True),
        ("R & D", "R & D", True),
        ("a\tb", "a b", True),
        ("Open", "open", False),
        (None, "", True),
    ],
)
def test_names_are_equal_but_for_what_nobody_reads(one: str | None, other: str, same: bool) -> None:
    assert same_name(one, other) is same
