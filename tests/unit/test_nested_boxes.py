"""What a person could mean by pointing at a place: on drawn pictures whose parts are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from annotator.snap.nested import nested_at, nested_in, next_of, same_box
from annotator.snap.tighten import Image
from demopack.domain.geometry import Rect
from demopack.pixels.colours import edges_of

LIGHT, DARK = (240, 240, 240), (30, 30, 30)
INK = (20, 20, 20)
LETTERS = {
    "H": ("#...#", "#...#", "#...#", "#####", "#...#", "#...#", "#...#", "#...#"),
    "E": ("#####", "#....", "#....", "####.", "#....", "#....", "#....", "#####"),
    "O": (".###.", "#...#", "#...#", "#...#", "#...#", "#...#", "#...#", ".###."),
    "i": ("..#..", ".....", "..#..", "..#..", "..#..", "..#..", "..#..", "..#.."),
}


def nested_boxes(image: Image, x: int, y: int, *, others: Sequence[Rect] = ()) -> tuple[Rect, ...]:
    return tuple(one.box for one in nested_at(edges_of(image), x, y, others=others))


def wider_box(image: Image, box: Rect) -> Rect | None:
    after = next_of(nested_in(edges_of(image), box), box)
    return None if after is None else after.box


def ground(colour: tuple[int, int, int] = LIGHT, *, width: int = 400, height: int = 240) -> Image:
    image = np.zeros((height, width, 4), dtype=np.uint8)
    image[:] = (*colour, 255)
    return image


def fill(image: Image, box: Rect, colour: tuple[int, int, int]) -> None:
    image[box.y1 : box.y2, box.x1 : box.x2, :3] = colour


def outline(image: Image, box: Rect, colour: tuple[int, int, int], *, thick: int = 1) -> None:
    inner = image[box.y1 + thick : box.y2 - thick, box.x1 + thick : box.x2 - thick].copy()
    fill(image, box, colour)
    image[box.y1 + thick : box.y2 - thick, box.x1 + thick : box.x2 - thick] = inner


def write(
    image: Image, text: str, x: int, y: int, *, colour: tuple[int, int, int] = INK, pitch: int = 7, blank: int = 5
) -> Rect:
    """Letters of 5 x 8 pixels; returns the box of the ink with its air."""
    at = x
    for letter in text:
        if letter == " ":
            at += blank
            continue
        for row, line in enumerate(LETTERS[letter]):
            for column, dot in enumerate(line):
                if dot == "#":
                    image[y + row, at + column, :3] = colour
        at += pitch
    return Rect(x - 2, y - 2, at - pitch + 5 + 2, y + 10)


def has(found: tuple[Rect, ...], box: Rect) -> bool:
    return any(same_box(one, box) for one in found)


def test_word_then_line_then_block() -> None:
    image = ground()
    line = write(image, "HEO EHO OE", 100, 100)
    write(image, "OEH HEO", 100, 113)
    found = nested_boxes(image, 112, 104)
    assert has(found, Rect(98, 98, 121, 110)), "the word"
    assert has(found, line)
    assert has(found, Rect(98, 98, line.x2, 123)), "both lines"
    areas = [box.area for box in found]
    assert areas == sorted(areas)


def test_words_of_a_typewriter_are_one_line() -> None:
    image = ground()
    line = write(image, "HEO EHO", 60, 60, pitch=7, blank=7)
    assert has(nested_boxes(image, 65, 64), line)


def test_labels_far_apart_are_two() -> None:
    image = ground()
    left = write(image, "HEO", 60, 60)
    right = write(image, "EHO", 120, 60)
    found = nested_boxes(image, 65, 64)
    assert has(found, left)
    assert not has(found, left.union(right))


def test_a_line_that_stands_close_to_the_next_is_one_line() -> None:
    image = ground()
    write(image, "HEO EHO", 60, 60)
    line = write(image, "iO HEH", 60, 72)
    write(image, "EHO HEO", 60, 84)
    assert has(nested_boxes(image, 62, 76), line)


def test_lines_whose_letters_touch_are_two() -> None:
    image = ground()
    line = write(image, "HEO EHO", 60, 60)
    write(image, "EHO HEO", 60, 71)
    # A letter that hangs down to the next line.
    fill(image, Rect(67, 68, 68, 71), INK)
    assert has(nested_boxes(image, 92, 64), line)


def test_strokes_of_an_icon_are_no_rows() -> None:
    image = ground()
    button = Rect(60, 50, 140, 84)
    outline(image, button, (120, 120, 120))
    for y in (60, 66, 72):
        fill(image, Rect(68, y, 86, y + 2), INK)
    found = nested_at(edges_of(image), 77, 67)
    assert not [one for one in found if one.kind == "row" and one.box.height < 14]
    assert has(tuple(one.box for one in found), Rect(66, 58, 88, 76))


def test_a_grid_follows_its_neighbours_across() -> None:
    image = ground()
    fill(image, Rect(150, 60, 160, 70), INK)
    others = [Rect(40, 50, 80, 90), Rect(85, 50, 125, 90)]
    assert has(nested_boxes(image, 155, 80, others=others), Rect(130, 50, 170, 90))


@pytest.mark.parametrize(("below", "face"), [(LIGHT, (255, 255, 255)), (DARK, (50, 50, 54))])
def test_a_button_has_its_words_and_its_border(below: tuple[int, int, int], face: tuple[int, int, int]) -> None:
    image = ground(below)
    button = Rect(80, 80, 170, 108)
    fill(image, button, face)
    outline(image, button, (120, 120, 120))
    words = write(image, "HEO OE", 105, 90, colour=(200, 90, 90))
    found = nested_boxes(image, button.center.x, button.center.y)
    assert has(found, words)
    assert has(found, button)
    assert found.index(next(box for box in found if same_box(box, button))) <= 2


def test_a_chip_without_a_border() -> None:
    image = ground()
    chip = Rect(80, 80, 140, 100)
    fill(image, chip, (70, 130, 230))
    assert same_box(nested_boxes(image, 84, 84)[0], chip)


def test_a_faint_outline_on_a_dark_ground() -> None:
    image = ground(DARK)
    field = Rect(60, 60, 220, 90)
    outline(image, field, (40, 40, 40))
    found = nested_at(edges_of(image), 140, 75)
    assert same_box(found[0].box, field)
    assert found[0].kind == "shape"


def test_a_gradient_is_one_face() -> None:
    image = ground()
    button = Rect(60, 60, 160, 90)
    for y in range(button.y1, button.y2):
        fill(image, Rect(button.x1, y, button.x2, y + 1), (60 + 3 * (y - 60), 90 + 3 * (y - 60), 120))
    assert has(nested_boxes(image, 100, 70), button)


def test_an_icon_of_parts_is_one() -> None:
    image = ground()
    for y in (60, 65, 70):
        fill(image, Rect(60, y, 74, y + 2), INK)
    found = nested_boxes(image, 66, 66)
    assert has(found, Rect(58, 58, 76, 74))


def test_a_mark_is_not_its_label() -> None:
    image = ground()
    mark = Rect(60, 60, 74, 74)
    outline(image, mark, INK)
    label = write(image, "HEO OE", 82, 63)
    assert has(nested_boxes(image, 67, 67), mark)
    found = nested_boxes(image, 90, 67)
    assert has(found, label)
    assert not has(found, mark.union(label))


def test_outlines_around_outlines_up_to_the_window() -> None:
    image = ground(width=800, height=600)
    window, panel, field = Rect(40, 40, 740, 540), Rect(60, 80, 700, 500), Rect(100, 120, 260, 144)
    fill(image, window, (225, 225, 225))
    outline(image, window, INK, thick=2)
    outline(image, panel, (160, 160, 160))
    fill(image, field, (255, 255, 255))
    outline(image, field, (90, 90, 90))
    found = nested_boxes(image, 180, 132)
    assert [has(found, box) for box in (field, panel, window)] == [True, True, True]


def test_rows_of_a_list_without_lines_between_them() -> None:
    image = ground()
    fill(image, Rect(40, 20, 240, 200), (255, 255, 255))
    for row in range(6):
        write(image, ("HEO OE", "EHi", "OOE HE")[row % 3], 50, 30 + 24 * row)
    found = nested_boxes(image, 200, 58)
    assert has(found, Rect(40, 46, 240, 70))


def test_a_row_takes_its_sides_from_its_neighbours() -> None:
    image = ground()
    write(image, "HEO", 60, 72)
    others = [Rect(50, 88, 210, 108), Rect(50, 110, 210, 130), Rect(50, 132, 210, 152)]
    assert has(nested_boxes(image, 150, 76, others=others), Rect(50, 66, 210, 86))
    assert not has(nested_boxes(image, 150, 76), Rect(50, 66, 210, 86))


def test_a_menu_of_a_bar_reaches_halfway_to_the_next() -> None:
    image = ground()
    fill(image, Rect(0, 0, 400, 22), (200, 200, 210))
    write(image, "HEO", 20, 7)
    write(image, "EOE", 61, 7)
    assert has(nested_boxes(image, 70, 11), Rect(50, 0, 91, 22))


def test_nothing_is_there() -> None:
    image = ground()
    write(image, "HEO", 20, 7)
    assert not [one for one in nested_at(edges_of(image), 300, 200) if one.kind != "panel"]
    assert nested_boxes(image, -1, 5) == ()
    assert nested_boxes(image, 5, 240) == ()


def test_three_channels_are_as_good_as_four() -> None:
    image = ground()
    fill(image, Rect(80, 80, 140, 100), (240, 240, 245))
    assert nested_boxes(image[..., :3], 84, 84) == nested_boxes(image, 84, 84)


def test_wider_goes_outwards_and_round() -> None:
    image = ground()
    button = Rect(80, 80, 190, 108)
    fill(image, button, (255, 255, 255))
    outline(image, button, (120, 120, 120))
    words = write(image, "HEO OE", 105, 90)
    wider = wider_box(image, words)
    assert wider is not None
    assert same_box(wider, button)
    again = wider_box(image, button)
    assert again is not None
    assert again.area < words.area + 1, "after the largest comes the smallest"


def test_wider_of_nothing() -> None:
    assert wider_box(ground(), Rect(100, 100, 140, 120)) is None
