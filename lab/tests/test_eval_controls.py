"""Names, header cells and buttons without words, against cases that were counted by hand."""

from __future__ import annotations

import pytest

from lab.evaluation.controls import ControlTally, same_name
from lab.evaluation.figures import Share
from lab.evaluation.judge import judge
from tests.support.truths import found, screen, truth


def test_a_screen_that_was_counted_by_hand() -> None:
    one = screen(
        truth("button", (0, 0, 20, 10), text="Save As..."),
        truth("icon", (30, 0, 40, 10)),
        truth("input_field", (50, 0, 90, 10), text="Filter"),
        truth("tab", (0, 20, 40, 30), text="General"),
        truth("text", (0, 60, 40, 70), text="No control"),
    )
    seen = [
        found("button", (0, 0, 20, 10), text="Save  As…"),
        found("button", (30, 0, 40, 10), text="Undo"),
        found("input_field", (50, 0, 90, 10), placeholder="filter"),
        found("text", (0, 60, 40, 70), text="No control"),
    ]
    tally = ControlTally()
    tally.add(judge(one, seen))
    assert tally.names == Share.count(1, 2)  # letters must be the same, and a placeholder can be read
    assert tally.types_or_icons == Share.count(3, 3)
    assert tally.tally.figures().interactive.type == Share.count(2, 3)


def test_header_cells_are_counted_apart() -> None:
    one = screen(
        truth("button", (0, 0, 20, 10), text="Name"),
        truth("button", (30, 0, 50, 10), text="Size"),
        truth("button", (0, 60, 20, 70), text="OK"),
        variant={"headers": "Name\nSize"},
    )
    tally = ControlTally()
    seen = [
        found("button", (0, 0, 20, 10)),
        found("text", (32, 3, 48, 8), text="Size"),
        found("button", (0, 60, 20, 70)),
    ]
    tally.add(judge(one, seen))
    cells = tally.header_cells
    assert (cells.truth, cells.hit, cells.right, cells.centre) == (2, 1, 1, 2)
    assert tally.tally.figures(whole=True).types["button"].truth == 3


def test_a_button_with_words_is_no_icon() -> None:
    tally = ControlTally()
    tally.add(judge(screen(truth("button", (0, 0, 20, 10), text="OK")), [found("icon", (0, 0, 20, 10))]))
    assert tally.types_or_icons == Share.count(0, 1)


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
