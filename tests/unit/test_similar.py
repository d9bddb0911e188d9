"""What is like an element: pixels, lines, grids, types; and how long a thousand of them take."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from annotator.similar.levels import Level, level_words, levels_of, similarity
from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from tests.support.work import calls_made

_GROUND, _INK = (240, 240, 240), (20, 20, 20)


def alike(image: RgbImage | None, elements: Sequence[Element], uid: str) -> tuple[tuple[str, ...], ...]:
    return tuple(level.uids for level in levels_of(image, elements, uid))


def screen(width: int = 640, height: int = 480) -> RgbImage:
    return np.full((height, width, 3), _GROUND, dtype=np.uint8)


def element(uid: str, x: int, y: int, *, w: int = 16, h: int = 16, kind: ElementType = "icon") -> Element:
    return Element(uid=uid, frame="f", type=kind, box=Rect(x, y, x + w, y + h))


def paint(image: RgbImage, one: Element, shape: str, *, ink: tuple[int, int, int] = _INK) -> Element:
    """A cross, a ring or a bar in the middle of the box."""
    x, y = one.box.center.x, one.box.center.y
    if shape in {"cross", "bar"}:
        image[y - 1 : y + 2, x - 6 : x + 6] = ink
    if shape == "cross":
        image[y - 6 : y + 6, x - 1 : x + 2] = ink
    if shape == "ring":
        image[y - 6 : y + 6, x - 6 : x + 6] = ink
        image[y - 3 : y + 3, x - 3 : x + 3] = _GROUND
    return one


def named(image: RgbImage | None, elements: list[Element], uid: str) -> dict[str, tuple[str, ...]]:
    return {level.name: level.uids for level in levels_of(image, elements, uid)}


def test_what_looks_the_same_is_found_in_other_colours_and_in_boxes_that_are_a_little_off() -> None:
    image = screen()
    elements = [
        paint(image, element("a", 10, 10), "cross"),
        paint(image, element("gray", 200, 90), "cross", ink=(190, 190, 190)),
        paint(image, element("red", 371, 233), "cross", ink=(200, 30, 30)),
        paint(image, element("ring", 50, 410), "ring"),
        paint(image, element("bar", 451, 300), "bar"),
        element("empty", 530, 60),
    ]
    moved = paint(image, element("moved", 320, 350), "cross")
    elements.append(moved.changed(box=Rect(319, 351, 337, 366)))
    assert named(image, elements, "a")["look"] == ("a", "gray", "red", "moved")


def test_a_light_icon_on_a_chosen_row_is_the_same_one() -> None:
    image = screen()
    one = paint(image, element("a", 10, 10), "cross")
    image[100:140, 100:200] = (30, 60, 140)
    other = paint(image, element("b", 120, 110), "cross", ink=(255, 255, 255))
    assert named(image, [one, other], "a")["look"] == ("a", "b")


def test_equal_frames_around_different_icons_are_not_the_same_look() -> None:
    image = screen()
    elements: list[Element] = []
    for place, shape in enumerate(["cross", "ring", "cross"]):
        one = element(shape + str(place), 10 + 80 * place, 10 + 90 * place, w=32, h=32)
        image[one.box.y1 : one.box.y2, one.box.x1 : one.box.x2] = (0, 0, 0)
        image[one.box.y1 + 2 : one.box.y2 - 2, one.box.x1 + 2 : one.box.x2 - 2] = _GROUND
        elements.append(paint(image, one, shape))
    assert named(image, elements, "cross0")["look"] == ("cross0", "cross2")


def test_the_same_look_may_be_of_another_type() -> None:
    image = screen()
    one = paint(image, element("a", 10, 10), "ring")
    other = paint(image, element("b", 200, 140, kind="button"), "ring")
    assert alike(image, [one, other], "a") == (("a", "b"),)


def test_rows_that_say_something_else_are_not_of_the_same_look() -> None:
    image = screen()
    rows = [
        paint(image, element(f"r{i}", 10, 10 + 60 * i, w=90), "ring").changed(type="list_item", text=words)
        for i, words in enumerate(["Order 1", "Order 2", "Order  1", None])
    ]
    assert named(image, rows, "r0")["look"] == ("r0", "r2", "r3")


def test_a_column_ends_where_a_wide_gap_begins_and_leaves_out_what_is_higher() -> None:
    image = screen()
    column = [element(f"c{i}", 40, 20 + 24 * i, w=60 + 5 * i, kind="text") for i in range(6)]
    far = element("far", 40, 400, kind="text")
    heading = element("heading", 40, 164, h=24, kind="text")
    button = element("button", 40, 188, kind="button")
    found = named(None, [*column, far, heading, button], "c2")
    assert set(found["column"]) == {f"c{i}" for i in range(6)}
    assert set(found["type"]) == {*(f"c{i}" for i in range(6)), "far", "heading"}
    assert "grid" not in found
    assert named(image, [button, *column], "button") == {}


def test_a_table_is_reached_through_its_longer_line() -> None:
    cells = [
        element(f"{row}.{column}", 30 + 90 * column, 30 + 22 * row, w=50, kind="tabled_text")
        for row in range(8)
        for column in range(4)
        if (row, column) != (3, 2)
    ]
    found = named(None, [*cells, element("out", 500, 430, w=50, kind="tabled_text")], "2.1")
    assert list(found) == ["column", "grid", "type"]
    assert set(found["column"]) == {f"{row}.1" for row in range(8)}
    assert len(found["grid"]) == 31
    assert len(found["type"]) == 32


def test_a_row_of_a_tool_bar_is_a_row() -> None:
    tools = [element(f"t{i}", 20 + 30 * i, 10) for i in range(7)]
    assert set(named(None, tools, "t3")["row"]) == {f"t{i}" for i in range(7)}


@pytest.mark.parametrize(("ground", "ink", "belongs"), [
    ((232, 232, 236), _INK, True), ((40, 90, 200), (255, 255, 255), False), (_GROUND, (20, 60, 220), False),
])  # fmt: skip
def test_a_line_is_of_one_ground_and_one_ink(
    ground: tuple[int, int, int], ink: tuple[int, int, int], *, belongs: bool
) -> None:
    image = screen()
    lines = [element(f"l{i}", 40, 20 + 24 * i, w=90, kind="text") for i in range(5)]
    for i, line in enumerate(lines):
        box = line.box
        image[box.y1 : box.y2, box.x1 : box.x2] = ground if i == 3 else _GROUND
        image[box.y1 + 4 : box.y2 - 4, box.x1 + 4 + 3 * i : box.x2 - 4 - 11 * i : 5] = ink if i == 3 else _INK
    assert ("l3" in named(image, lines, "l0")["column"]) is belongs


def test_what_is_rejected_is_left_out_and_levels_that_add_nothing_too() -> None:
    lines = [element(f"l{i}", 40, 20 + 24 * i, kind="text") for i in range(3)]
    gone = element("gone", 40, 92, kind="text").changed(review="rejected")
    assert alike(None, [*lines, gone], "l1") == (("l1", "l0", "l2"),)
    assert alike(None, [*lines, gone], "gone") == ()
    assert alike(None, lines, "nobody") == ()


def test_the_work_grows_no_faster_than_the_elements() -> None:
    image = screen(1920, 1080)
    elements = [
        paint(image, element(str(i), 20 + 37 * (i % 50), 20 + 50 * (i // 50)), ("cross", "ring", "bar")[i % 3])
        for i in range(1000)
    ]
    assert len(levels_of(image, elements, "500")) >= 2
    # Measured: 29 for each; one for each pair would be a million.
    assert calls_made(lambda: levels_of(image, elements, "500")) < 100 * len(elements)


def test_it_is_said_what_is_selected_and_what_comes_next() -> None:
    look, column = Level(name="look", uids=("a", "b")), Level(name="column", uids=("a", "b", "c"))
    assert level_words(look, column) == "2 of the same look selected; again: 3 in the same column"
    assert level_words(column, None) == "3 in the same column selected; again: only the one"
    assert level_words(None, look) == "Only this one selected; again: 2 of the same look"


def test_a_picture_looks_the_same_whichever_colour_comes_first() -> None:
    """Canvas pixels are blue first and have a fourth channel; files are red first."""
    image = screen(200, 60)
    for i, (ground, ink) in enumerate(
        [((255, 0, 0), (0, 0, 255)), ((0, 0, 255), (200, 60, 0)), ((90, 90, 90), (255, 0, 0))]
    ):
        image[10:30, 10 + 40 * i : 30 + 40 * i] = ground
        image[14:26, 18 + 40 * i : 22 + 40 * i] = ink
        image[18:22, 13 + 40 * i : 27 + 40 * i] = ink if i else (120, 120, 120)
    shown = np.dstack([image[..., ::-1], np.full(image.shape[:2], 255, dtype=np.uint8)])
    boxes = np.array([[10 + 40 * i, 10, 30 + 40 * i, 30] for i in range(3)])
    for place in range(3):
        one, other = similarity(image, boxes, boxes[place]), similarity(shown, boxes, boxes[place])
        assert one.tolist() == pytest.approx(other.tolist(), abs=1e-5)
