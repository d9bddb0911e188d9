from __future__ import annotations

from typing import Any

import pytest

from demopack.domain.elements import ElementType, Evidence
from demopack.domain.geometry import Rect
from models.vision.detection import Detection
from models.vision.duplicates import duplicates_among, without_duplicates
from models.vision.rules import found_by_rule


def saw(kind: ElementType, box: Rect, sure: float = 0.8, **more: Any) -> Detection:
    return Detection(type=kind, box=box, source="detector", confidence=sure, **more)


def read(box: Rect, text: str, sure: float = 0.9) -> Detection:
    return Detection(type="text", box=box, source="ocr", confidence=sure, text=text, was_read=True)


def told(kind: ElementType, box: Rect) -> Detection:
    said = Evidence(source="accessibility", type=kind, box=box, confidence=0.9)
    return Detection(type=kind, box=box, source="accessibility", confidence=0.9, evidence=(said,))


def mark(kind: ElementType, box: Rect, text: str, *, described: ElementType | None = None) -> Detection:
    made = found_by_rule("labelled_mark", type=kind, box=box, text=text)
    if described is None:
        return made
    said = Evidence(source="describer", type=described, confidence=0.5)
    return Detection(
        type=kind, box=box, source="rule", confidence=0.7, text=text, evidence=(*made.evidence, said), was_read=True
    )


ICON = Rect(100, 100, 132, 132)


@pytest.mark.parametrize("sign", [Rect(110, 112, 120, 122), Rect(98, 97, 128, 128)])
def test_a_sign_that_was_read_on_an_icon_is_the_icon(sign: Rect) -> None:
    icon = saw("icon", ICON)
    assert without_duplicates([icon, found_by_rule("lone_sign", type="icon", box=sign)]) == [icon]


def test_icons_beside_each_other_are_two() -> None:
    found = [saw("icon", ICON), saw("icon", ICON.moved(30, 0))]
    assert without_duplicates(found) == found


def test_of_a_line_and_its_beginning_the_line_stays_however_sure_the_other_is() -> None:
    whole, part = read(Rect(10, 10, 110, 28), "Sheet 1 of 3", 0.7), read(Rect(10, 10, 50, 28), "Sheet", 0.99)
    assert without_duplicates([part, whole]) == [whole]
    assert without_duplicates([whole, part]) == [whole]


def test_a_mark_with_its_label_stays_however_surely_its_tick_was_read() -> None:
    tick = Detection(type="checkbox", box=Rect(10, 11, 37, 30), source="ocr", confidence=0.95, text="V", was_read=True)
    box = mark("radio", Rect(10, 10, 38, 30), "Ask before closing", described="checkbox")
    assert without_duplicates([tick, box]) == [box]


def test_words_stay_where_an_icon_was_seen_in_their_place() -> None:
    word = read(Rect(10, 10, 60, 30), "Ctrl", 0.6)
    assert without_duplicates([saw("icon", Rect(10, 10, 42, 31), 0.9), word]) == [word]


def test_a_control_takes_over_the_words_that_were_read_across_its_edge() -> None:
    (one,) = without_duplicates([saw("menu", Rect(40, 24, 118, 49)), read(Rect(30, 28, 114, 46), "Settings", 0.99)])
    assert (one.type, one.text) == ("menu", "Settings")
    assert [said.source for said in one.evidence] == ["detector", "ocr"]


def test_a_dialog_that_covers_most_of_its_window_and_what_lies_in_containers_stay() -> None:
    found = [
        saw("window", Rect(60, 40, 1020, 690)),
        saw("window", Rect(310, 90, 1020, 688), 0.5),
        saw("list_item", Rect(60, 100, 400, 128), text="Trash"),
        saw("icon", Rect(64, 104, 84, 124)),
        read(Rect(90, 104, 380, 124), "Trash"),
        saw("scrollbar", Rect(1000, 100, 1016, 600)),
        saw("scrollbar_thumb", Rect(1000, 110, 1016, 580)),
    ]
    assert without_duplicates(found) == found


def test_the_icon_before_the_words_of_a_control_is_no_mark() -> None:
    menu = saw("menu", Rect(799, 85, 876, 129), text="Grid")
    assert without_duplicates([menu, mark("checkbox", Rect(806, 96, 830, 120), "Grid")]) == [menu]
    other = mark("checkbox", Rect(806, 96, 830, 120), "List")
    assert without_duplicates([menu, other]) == [menu, other], "a mark of its own"


def test_the_icon_of_a_row_is_a_mark_only_where_it_looks_like_one() -> None:
    row, place = saw("list_item", Rect(2, 129, 154, 161), text="Trash"), Rect(12, 140, 25, 152)
    _, folder = without_duplicates([row, mark("checkbox", place, "Trash", described="icon")])
    assert (folder.type, folder.text) == ("icon", None)
    ticked = mark("checkbox", place, "Trash", described="checkbox")
    assert without_duplicates([row, ticked]) == [row, ticked]


def test_what_a_program_told_stays_and_what_it_told_of_one_place_in_two_words_is_two() -> None:
    row, link = told("list_item", Rect(10, 10, 200, 30)), told("hyperlink", Rect(12, 12, 190, 28))
    seen = saw("button", Rect(10, 11, 195, 30), 0.99)
    assert duplicates_among([seen, row, link]) in ({0: 1}, {0: 2})
    assert duplicates_among([row, told("list_item", Rect(10, 10, 200, 31))]) == {1: 0}
