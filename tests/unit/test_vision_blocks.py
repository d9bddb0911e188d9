"""Text areas and lists that are told by the lines about which the detector was silent."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from demopack.domain.geometry import Rect
from models.vision.blocks import find_panes, take_blocks
from models.vision.found import Found

pytest.importorskip("cv2")

PANE = Rect(40, 30, 260, 180)


def screen(*, pane: Rect = PANE) -> NDArray[np.uint8]:
    """A white pane with a thin border on light grey."""
    image = np.full((220, 320, 3), 235, dtype=np.uint8)
    image[pane.y1 : pane.y2, pane.x1 : pane.x2] = 120
    image[pane.y1 + 1 : pane.y2 - 1, pane.x1 + 1 : pane.x2 - 1] = 255
    return image


def written(image: NDArray[np.uint8], texts: list[str], *, pitch: int, x: int = 46, y: int = 38) -> list[Found]:
    """Lines of ink of 12 pixels, 6 a letter; returns them as they would be read."""
    lines: list[Found] = []
    for number, text in enumerate(texts):
        top, left = y + number * pitch, x
        for letter in text:
            if letter != " ":
                image[top + 2 : top + 10, left + 1 : left + 4] = 20
            left += 6
        lines.append(Found(type="text", box=Rect(x, top, left, top + 12), source="ocr", confidence=0.9, text=text))
    return lines


def test_lines_as_close_as_in_a_paragraph_are_one_text_area_with_its_text() -> None:
    image = screen()
    lines = written(image, ["def main():", "    go()", "return 1", "x = 2"], pitch=12)
    blocks = take_blocks(image, lines, [])
    assert [(one.type, one.text) for one in blocks.found] == [("text_area", "def main():     go() return 1 x = 2")]
    assert blocks.found[0].box == PANE
    assert blocks.lines == []


def test_lines_further_apart_are_rows_from_edge_to_edge() -> None:
    image = screen()
    blocks = take_blocks(image, written(image, ["Anna", "Omar", "Lucia", "Ivan"], pitch=22), [])
    assert [one.type for one in blocks.found] == ["list_item"] * 4
    first, second = blocks.found[0].box, blocks.found[1].box
    assert (first.x1, first.x2) == (PANE.x1 + 1, PANE.x2 - 1)
    assert (first.y2, second.height) == (second.y1, 22)
    assert blocks.found[2].text == "Lucia"


def test_rows_end_at_a_scroll_bar() -> None:
    image = screen()
    lines = written(image, ["Anna", "Omar", "Lucia", "Ivan"], pitch=22)
    bar = Found(type="scrollbar", box=Rect(244, 31, 259, 179), source="detector", confidence=0.9)
    blocks = take_blocks(image, lines, [bar])
    assert {one.box.x2 for one in blocks.found} == {244}
    assert blocks.detections == [bar]


def test_wrapped_lines_are_a_paragraph_although_they_stand_further_apart() -> None:
    image = screen()
    texts = ["the quick brown fox jumps over the", "lazily sleeping dog, and then the", "rest follows"]
    assert [one.type for one in take_blocks(image, written(image, texts, pitch=15), []).found] == ["text_area"]


def test_what_the_detector_saw_stays_as_it_is() -> None:
    image = screen()
    lines = written(image, ["Anna", "Omar", "Lucia", "Ivan"], pitch=22)
    seen = [Found(type="text", box=one.box.moved(-1, -1), source="detector", confidence=0.6) for one in lines]
    seen = [Found(type=o.type, box=Rect(o.box.x1, o.box.y1, o.box.x2 + 3, o.box.y2 + 3), source="detector",
                  confidence=0.6) for o in seen]  # fmt: skip
    blocks = take_blocks(image, lines, seen)
    assert (blocks.lines, blocks.detections, blocks.found) == (lines, seen, [])


@pytest.mark.parametrize("texts", [["one", "two"], []])
def test_two_lines_say_nothing(texts: list[str]) -> None:
    image = screen()
    lines = written(image, texts, pitch=22)
    assert take_blocks(image, lines, []).lines == lines


def test_lines_that_begin_anywhere_are_no_list() -> None:
    image = screen()
    lines = [written(image, ["word"], pitch=0, x=46 + 40 * i, y=40 + 22 * i)[0] for i in range(4)]
    assert take_blocks(image, lines, []).found == []


def test_a_known_text_area_is_not_found_twice() -> None:
    image = screen()
    lines = written(image, ["one a", "two b", "three"], pitch=12)
    known = Found(type="text_area", box=PANE, source="detector", confidence=0.9)
    assert take_blocks(image, lines, [known]).found == []


def test_a_pane_that_the_edge_of_a_part_cuts_is_left_alone() -> None:
    image = screen(pane=Rect(0, 30, 260, 220))
    lines = written(image, ["one a", "two b", "three"], pitch=12)
    assert take_blocks(image, lines, [], whole=False).lines == lines
    assert len(take_blocks(image, lines, [], whole=True).found) == 1


def test_panes_come_smallest_first_and_letters_are_none() -> None:
    image = screen()
    written(image, ["many words on one line of it"], pitch=12)
    panes = find_panes(image)
    assert panes[0] == PANE
    assert [pane.area for pane in panes] == sorted(pane.area for pane in panes)
