"""Primitives on pictures: each against its definition, on drawn and on random pixels."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.pixels.changes import changed_boxes, changed_pixels, vertical_shift
from demopack.pixels.colours import border_background, codes_of, commonest_colour, differs, edges_of, steps, to_gray
from demopack.pixels.masks import Mask, components, crop, group_boxes, runs, size_of, tight_box, tiles_of
from demopack.pixels.matching import find_piece, window_numbers
from tests.support import across
from tests.support.small_demos import blank, painted

BUTTON = across.Item(text="Send", type="button", box=Rect(300, 120, 380, 150))


def some_mask(seed: int, share: float = 0.3, shape: tuple[int, int] = (23, 31)) -> Mask:
    return np.random.default_rng(seed).random(shape) < share


def some_picture(seed: int, *, channels: int = 3) -> RgbImage:
    return np.random.default_rng(seed).integers(0, 12, (17, 22, channels), dtype=np.uint8)


# Masks ----------------------------------------------------------------------------------------------------------------


@given(st.lists(st.booleans(), max_size=30), st.integers(1, 4))
def test_runs_hold_all_that_is_true_and_only_wide_gaps_part_them(flags: list[bool], step: int) -> None:
    found = runs(np.array(flags, dtype=bool), step=step)
    assert all(flags[start] and flags[end - 1] for start, end in found)
    inside = {place for start, end in found for place in range(start, end)}
    assert {place for place, flag in enumerate(flags) if flag} <= inside
    assert all(b[0] - (a[1] - 1) > step for a, b in itertools.pairwise(found))
    assert all(any(flags[at : at + step]) for start, end in found for at in range(start, end - step + 1))


@pytest.mark.parametrize("corners", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_components_are_what_can_be_walked_through(seed: int, corners: bool) -> None:
    mask = some_mask(seed)
    found = components(mask, corners=corners)
    left = {(int(y), int(x)) for y, x in np.argwhere(mask)}
    for label in range(1, len(found.boxes) + 1):
        stack = [min(left)]  # the order is that of the first pixels, line by line
        part: set[tuple[int, int]] = set()
        while stack:
            y, x = stack.pop()
            if (y, x) not in left:
                continue
            left.remove((y, x))
            part.add((y, x))
            stack += [(y + a, x + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if corners or not (a and b)]
        assert {(int(y), int(x)) for y, x in np.argwhere(found.labels == label)} == part
        assert found.boxes[label - 1].tolist() == [
            min(x for _, x in part), min(y for y, _ in part), max(x for _, x in part) + 1, max(y for y, _ in part) + 1,
        ]  # fmt: skip
        assert found.sizes()[label - 1] == len(part)
    assert not left


def test_a_tight_box_touches_what_it_is_around() -> None:
    mask = np.zeros((9, 12), dtype=bool)
    assert tight_box(mask) is None
    mask[3, 4] = mask[6, 8] = True
    assert tight_box(mask) == Rect(4, 3, 9, 7)
    assert crop(mask, Rect(4, 3, 9, 7)).shape == (4, 5)
    assert size_of(mask) == (12, 9)


def test_tiles_count_their_pixels_and_reach_beyond_the_edge() -> None:
    mask = np.zeros((10, 17), dtype=bool)
    mask[9, 16] = mask[0, 0] = mask[1, 1] = True
    assert tiles_of(mask, 8).tolist() == [[True, False, False], [False, False, True]]
    assert tiles_of(mask, 8, min_pixels=2).tolist() == [[True, False, False], [False, False, False]]


@pytest.mark.parametrize(("spots", "count"), [([(3, 3), (5, 20)], 1), ([(3, 3), (60, 90)], 2), ([], 0)])
def test_marked_pixels_that_lie_close_are_one_box(spots: list[tuple[int, int]], count: int) -> None:
    mask = np.zeros((100, 130), dtype=np.bool_)
    for y, x in spots:
        mask[y, x] = True
    boxes = group_boxes(mask, tile=16)
    assert len(boxes) == count
    assert all(any(Rect(x, y, x + 1, y + 1).intersection(box) for box in boxes) for y, x in spots)


# Colours --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tolerance", [0, 4, 9])
def test_pixels_differ_where_one_channel_does(tolerance: int) -> None:
    a, b = some_picture(1), some_picture(2)
    apart = np.abs(a.astype(int) - b.astype(int)).max(axis=2)
    assert np.array_equal(steps(a, b), apart)
    assert np.array_equal(differs(a, b, tolerance=tolerance), apart > tolerance)
    assert np.array_equal(changed_pixels(a, b, tolerance=tolerance), apart > tolerance)


@pytest.mark.parametrize("channels", [3, 4])
def test_an_edge_runs_where_the_right_or_lower_neighbour_differs(channels: int) -> None:
    image = some_picture(3, channels=channels)
    image[..., 3:] = 255
    wide = image.astype(int)
    edges = np.zeros(image.shape[:2], dtype=bool)
    edges[:, :-1] |= np.abs(np.diff(wide, axis=1)).max(axis=2) > 6
    edges[:-1] |= np.abs(np.diff(wide, axis=0)).max(axis=2) > 6
    assert np.array_equal(edges_of(image, tolerance=6), edges)


def test_the_background_is_the_commonest_colour_or_what_the_border_has() -> None:
    image = painted(Rect(40, 40, 90, 80))
    assert commonest_colour(image).tolist() == [[[240, 240, 240]]]
    assert commonest_colour(crop(image, Rect(41, 41, 60, 60))).tolist() == [[[30, 30, 30]]]
    assert border_background(image).tolist() == [240, 240, 240]
    assert float(border_background(to_gray(image))) == 240
    assert codes_of(np.array([[[1, 2, 3]]], dtype=np.uint8)).tolist() == [[0x010203]]


# Matching -------------------------------------------------------------------------------------------------------------


def test_a_piece_is_found_where_it_is_and_one_colour_nowhere() -> None:
    codes = codes_of(across.painted([*across.rows(), BUTTON]))
    assert find_piece(codes, crop(codes, BUTTON.box)) == [(BUTTON.box.x1, BUTTON.box.y1)]
    assert find_piece(codes, crop(codes, Rect(0, 0, 9, 9))) == []
    twice = codes_of(across.painted([BUTTON, replace(BUTTON, box=BUTTON.box.moved(0, 100))]))
    assert len(find_piece(twice, crop(twice, BUTTON.box))) == 2
    assert find_piece(crop(codes, Rect(0, 0, 40, 10)), crop(codes, BUTTON.box)) == []


def test_windows_of_equal_pixels_have_equal_numbers() -> None:
    twice = codes_of(across.painted([BUTTON, replace(BUTTON, box=BUTTON.box.moved(0, 100))]))
    numbers = window_numbers(twice, BUTTON.box.width, BUTTON.box.height)
    wanted = numbers[BUTTON.box.y1, BUTTON.box.x1]
    assert np.argwhere(numbers == wanted).tolist() == [[120, 300], [220, 300]]


# Changes and scrolling ------------------------------------------------------------------------------------------------


def listed(first: int) -> RgbImage:
    """A list; each row has a pattern of its own."""
    image = blank(640, 480)
    for i in range(14):
        pattern = np.random.default_rng(first + i).integers(0, 2, (14, 200)).astype(bool)
        image[40 + 30 * i : 54 + 30 * i, 100:300][pattern] = 40
    return image


@pytest.mark.parametrize("shift", [2, -3])
def test_a_list_that_scrolled_moved_by_its_rows(shift: int) -> None:
    assert vertical_shift(codes_of(listed(10)), codes_of(listed(10 + shift))) == -30 * shift


def test_other_content_and_blank_pictures_did_not_scroll() -> None:
    assert vertical_shift(codes_of(listed(10)), codes_of(listed(100))) == 0
    nothing = codes_of(blank())
    assert vertical_shift(nothing, nothing) == 0


def test_tight_boxes_largest_first() -> None:
    small, large = Rect(10, 10, 20, 14), Rect(100, 50, 200, 90)
    assert changed_boxes(blank(), painted(small, large)) == (large, small)
    assert changed_boxes(painted(small, large), blank()) == (large, small)


def test_nothing_and_noise() -> None:
    assert changed_boxes(blank(), blank()) == ()
    assert changed_boxes(blank(shade=240), blank(shade=236)) == ()


def test_other_sizes_cannot_be_compared() -> None:
    assert changed_boxes(blank(320, 200), blank(321, 200)) is None


def test_close_changes_are_one_and_few_are_returned() -> None:
    letters = [Rect(10 + 7 * i, 10, 14 + 7 * i, 20) for i in range(20)]
    assert changed_boxes(blank(), painted(*letters)) == (Rect(10, 10, 147, 20),)
    dots = [Rect(x, y, x + 2, y + 2) for x in range(4, 316, 32) for y in range(4, 196, 32)]
    assert len(changed_boxes(blank(), painted(*dots), limit=5) or ()) == 5


@given(st.lists(st.tuples(st.integers(0, 310), st.integers(0, 190)), min_size=1, max_size=6))
def test_every_changed_pixel_lies_in_a_box(points: list[tuple[int, int]]) -> None:
    after = blank()
    for x, y in points:
        after[y, x] = 0
    boxes = changed_boxes(blank(), after) or ()
    inside = np.zeros(after.shape[:2], dtype=bool)
    for box in boxes:
        inside[box.y1 : box.y2, box.x1 : box.x2] = True
    assert all(inside[y, x] for x, y in points)
