"""Text areas set in a typewriter's face, found by the grid of their letters."""

from __future__ import annotations

import dataclasses

import numpy as np

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from models.vision.detection import Detection
from models.vision.editors import take_editors

_WORDS = ("if count > 33:", "return queue[38]", "for state in result:", "path = 41;", "import items", "print(config)")


def _screen() -> RgbImage:
    """A grey window with a white pane."""
    image = np.full((260, 400, 3), 190, dtype=np.uint8)
    image[20:240, 60:380] = 250
    return image


def _read(image: RgbImage, text: str, x: int, y: int, *, letter: float = 9.0, kind: ElementType = "text") -> Detection:
    """Letters on the picture, and what was read there."""
    for i, sign in enumerate(text):
        if sign != " ":
            left = x + round(i * letter)
            image[y : y + 12, left : left + 2] = 0
    right = x + round((len(text) - 0.3) * letter)
    return Detection(type=kind, box=Rect(x - 2, y - 2, right + 2, y + 14), source="ocr", confidence=0.9, text=text)


def _code(image: RgbImage, *, step: int = 18, widths: tuple[float, ...] = (9.0,)) -> list[Detection]:
    return [_read(image, words, 70, 30 + step * i, letter=widths[i % len(widths)]) for i, words in enumerate(_WORDS)]


def test_lines_on_one_grid_are_the_text_of_their_pane() -> None:
    image = _screen()
    blocks = take_editors(image, _code(image), [])
    assert [(one.type, one.text) for one in blocks.found] == [("text_area", " ".join(_WORDS))]
    assert blocks.found[0].box == Rect(59, 19, 381, 241)
    assert blocks.lines == []


def test_pieces_of_it_that_were_taken_for_rows_and_cells_go_with_it() -> None:
    image = _screen()
    lines = _code(image)
    rows = [Detection(type="tree_item", box=lines[2].box, source="detector", confidence=0.3)]
    rows.append(Detection(type="text_area", box=Rect(60, 20, 240, 200), source="detector", confidence=0.4))
    assert take_editors(image, lines, rows).detections == []


def test_numbers_of_its_lines_lie_in_its_box_but_are_no_text() -> None:
    image = _screen()
    lines = _code(image)
    lines += [_read(image, str(i + 1), 40, 30 + 18 * i) for i in range(6)]
    blocks = take_editors(image, lines, [])
    assert blocks.found[0].box == Rect(38, 19, 381, 241)
    assert blocks.found[0].text == " ".join(_WORDS)
    assert blocks.lines == []


def test_what_lies_over_it_on_a_ground_of_its_own_stays() -> None:
    image = _screen()
    lines = _code(image)
    image[60:120, 260:370] = 210
    over = _read(image, "Undo", 270, 80)
    assert take_editors(image, [*lines, over], []).lines == [over]


def test_letters_of_different_widths_are_no_editor() -> None:
    image = _screen()
    lines = _code(image, widths=(8.0, 9.0, 10.0))
    assert take_editors(image, lines, []).lines == lines


def test_lines_far_apart_are_no_text() -> None:
    image = _screen()
    lines = _code(image, step=30)
    assert take_editors(image, lines, []).found == []


def test_on_a_part_of_a_screen_a_pane_that_it_cuts_is_left_alone() -> None:
    image = _screen()
    lines = _code(image)
    assert take_editors(image[20:], [_moved(line) for line in lines], [], whole=False).found == []


def _moved(line: Detection) -> Detection:
    return Detection(type="text", box=line.box.moved(0, -20), source="ocr", confidence=0.9, text=line.text)


def test_a_list_of_files_with_underlined_links_is_no_editor() -> None:
    image = _screen()
    lines = _code(image)
    for line in lines[:2]:
        image[line.box.y2 - 1, line.box.x1 + 2 : line.box.x2 - 5] = 0
    blocks = take_editors(image, lines, [])
    assert (blocks.lines, blocks.found) == (lines, [])


def test_a_listing_with_links_is_no_editor_and_a_lone_link_in_one_stays() -> None:
    image = _screen()
    lines = _code(image)
    linked = [dataclasses.replace(one, type="hyperlink") for one in lines[:2]]
    assert take_editors(image, [*linked, *lines[2:]], []).found == []
    seen = Detection(type="text_area", box=Rect(60, 20, 380, 240), source="detector", confidence=0.9)
    assert len(take_editors(image, [*linked, *lines[2:]], [seen]).found) == 1  # coloured key words
    split = take_editors(image, [linked[0], *lines[1:], _read(image, "while queue:", 70, 150)], [])
    assert [one.type for one in split.found] == ["text_area"]
    assert split.lines == [linked[0]]


def test_lines_of_one_colour_below_each_other_are_links_and_no_editor() -> None:
    image = _screen()
    lines = _code(image)
    image[(image == 0).all(axis=2)] = (40, 70, 140)
    assert take_editors(image, lines, []).found == []
    # Green on black is a console.
    console = _screen()
    console[20:240, 60:380] = 10
    words = _code(console)
    console[(console == 0).all(axis=2)] = (40, 220, 90)
    assert [one.type for one in take_editors(console, words, []).found] == ["text_area"]
