from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from models.vision.patches import (
    CENTRE,
    MARGIN,
    PATCH,
    PatchGeometry,
    PatchScales,
    cut,
    grids,
    highlight,
    masked_region,
    to_patches,
)


def noise(width: int, height: int) -> RgbImage:
    return np.random.default_rng(7).integers(0, 256, (height, width, 3), dtype=np.uint8)


def view(cuts: PatchGeometry, pixels: RgbImage | None = None, *, row: int = 0) -> RgbImage:
    columns, rows = cuts.grids[row]
    return (cuts.pixels if pixels is None else pixels)[row].reshape(rows * PATCH, columns * PATCH, 3)


def one(image: RgbImage, box: Rect, *, patches: int = 96) -> PatchGeometry:
    return cut(PatchScales(image), [box], patches=patches)


def test_grids_hold_exactly_the_patches() -> None:
    assert grids(96)[0] == (12, 8)
    assert all(columns * rows == 96 for columns, rows in grids(96))
    assert (24, 4) in grids(96)
    assert (4, 24) in grids(96)


def test_a_small_element_is_shown_at_its_own_scale_in_the_middle() -> None:
    image = noise(800, 600)
    cuts = one(image, Rect(400, 300, 420, 316))
    x1, y1, x2, y2 = cuts.boxes[0]
    assert (x2 - x1, y2 - y1) == (20, 16)
    assert np.array_equal(view(cuts)[y1:y2, x1:x2], image[300:316, 400:420])
    assert abs((x1 + x2) // 2 - cuts.grids[0][0] * PATCH // 2) <= 1


def test_at_the_picture_s_edge_the_view_is_moved_not_blackened() -> None:
    image = np.full((600, 800, 3), 9, dtype=np.uint8)
    cuts = one(image, Rect(0, 590, 20, 600))
    assert (view(cuts) == 9).all()
    assert cuts.boxes[0][0] == 0
    assert cuts.boxes[0][3] == cuts.grids[0][1] * PATCH


def test_a_picture_smaller_than_the_view_lies_on_black() -> None:
    cuts = one(np.full((1, 1, 3), 200, dtype=np.uint8), Rect(0, 0, 1, 1))
    assert int((cuts.pixels != 0).sum()) == 3
    x1, y1, x2, y2 = cuts.boxes[0]
    assert (view(cuts)[y1:y2, x1:x2] == 200).all()


def test_a_long_line_loses_its_middle() -> None:
    image = noise(1280, 800)
    cuts = one(image, Rect(100, 400, 1100, 420))
    assert tuple(cuts.grids[0]) == (32, 3)
    half = cuts.grids[0][0] * PATCH // 2
    y1, y2 = cuts.boxes[0][[1, 3]]
    assert np.array_equal(view(cuts)[y1:y2, MARGIN:half], image[400:420, 100 : 100 + half - MARGIN])
    assert np.array_equal(view(cuts)[y1:y2, half:-MARGIN], image[400:420, 1100 - half + MARGIN : 1100])


def test_a_large_area_is_halved_until_it_fits() -> None:
    image = np.zeros((800, 1280, 3), dtype=np.uint8)
    image[104:704, 200:1000] = 80
    cuts = one(image, Rect(200, 104, 1000, 704))
    x1, y1, x2, y2 = cuts.boxes[0]
    assert (x2 - x1, y2 - y1) == (100, 75)
    assert (view(cuts)[y1:y2, x1:x2] == 80).all()


@given(
    st.tuples(st.integers(0, 300), st.integers(0, 200), st.integers(1, 300), st.integers(1, 200)),
    st.sampled_from([16, 64, 96, 128]),
)
def test_every_box_gets_a_view_that_holds_it(box: tuple[int, int, int, int], patches: int) -> None:
    x, y, width, height = box
    image = np.zeros((400, 600, 3), dtype=np.uint8)
    cuts = one(image, Rect(x, y, x + width, y + height), patches=patches)
    columns, rows = cuts.grids[0]
    x1, y1, x2, y2 = cuts.boxes[0]
    assert columns * rows == patches
    assert 0 <= x1 < x2 <= columns * PATCH
    assert 0 <= y1 < y2 <= rows * PATCH


def test_a_picture_of_8k_and_a_box_over_all_of_it() -> None:
    cuts = one(np.full((4320, 7680, 3), 5, dtype=np.uint8), Rect(0, 0, 7680, 4320))
    x1, y1, x2, y2 = cuts.boxes[0]
    assert (x2 - x1, y2 - y1) == (120, 68)


def test_the_element_stays_the_surroundings_darken_and_the_line_is_drawn() -> None:
    cuts = one(np.full((300, 300, 3), 200, dtype=np.uint8), Rect(140, 140, 160, 160))
    x1, y1, x2, y2 = (int(v) for v in cuts.boxes[0])
    shown = view(cuts, highlight(cuts))
    assert (shown[y1:y2, x1:x2] == 200).all()
    row = shown[(y1 + y2) // 2]
    blue = np.flatnonzero((row == (0, 0, 255)).all(axis=1)).tolist()
    assert blue == [x1 - 5, x1 - 4, x2 + 3, x2 + 4]
    assert (row[x1 - 3 : x1] == 121).all()
    assert (cuts.pixels == 200).all()


def test_each_view_may_have_its_own_darkness() -> None:
    boxes = [Rect(140, 140, 160, 160)] * 2
    cuts = cut(PatchScales(np.full((300, 300, 3), 200, dtype=np.uint8)), boxes, patches=96)
    shown = highlight(cuts, darkness=np.array([0, 255]))
    assert view(cuts, shown, row=0)[0, 0, 0] == 200
    assert view(cuts, shown, row=1)[0, 0, 0] == 0


def test_patches_have_places_mean_and_spread() -> None:
    cuts = one(noise(300, 300), Rect(100, 100, 130, 120))
    patches = to_patches(cuts.pixels, cuts.grids)
    columns, rows = (int(v) for v in cuts.grids[0])
    assert patches.shape == (1, 96, 770)
    assert patches[0, :, 0].tolist() == [float(i // columns + 1) for i in range(96)]
    assert patches[0, :, 1].tolist() == [float(i % columns + 1) for i in range(96)]
    values = patches[0, :, 2:]
    assert values.mean() == pytest.approx(0, abs=1e-5)
    assert values.std(ddof=1) == pytest.approx(1, abs=1e-5)
    again = values.reshape(rows, columns, PATCH, PATCH, 3).transpose(0, 2, 1, 3, 4).reshape(rows * PATCH, -1, 3)
    assert np.corrcoef(again.ravel(), view(cuts).ravel())[0, 1] == pytest.approx(1, abs=1e-6)


def test_places_are_counted_from_the_element() -> None:
    boxes = [Rect(300, 300, 330, 320), Rect(0, 0, 10, 10), Rect(20, 300, 580, 310)]
    cuts = cut(PatchScales(noise(600, 600)), boxes, patches=96)
    patches = to_patches(cuts.pixels, cuts.grids, cuts.boxes)
    assert np.array_equal(patches[..., 2:], to_patches(cuts.pixels, cuts.grids)[..., 2:])
    for row, (columns, _) in enumerate(cuts.grids.tolist()):
        x1, y1, x2, y2 = cuts.boxes[row]
        middle = (y1 + y2) // 2 // PATCH * columns + (x1 + x2) // 2 // PATCH
        assert patches[row, middle, :2].tolist() == [CENTRE, CENTRE]
        assert patches[row, 0, 0] == CENTRE - middle // columns
        assert patches[row, 0, 1] == CENTRE - middle % columns


def test_a_view_of_one_colour_has_no_infinite_numbers() -> None:
    cuts = one(np.full((300, 300, 3), 7, dtype=np.uint8), Rect(100, 100, 130, 120))
    assert np.abs(to_patches(cuts.pixels, cuts.grids)[..., 2:]).max() == 0


def test_small_pictures_are_shown_whole_to_models_from_elsewhere() -> None:
    image = np.full((210, 160, 3), 200, dtype=np.uint8)
    shown = masked_region(image, Rect(20, 20, 60, 40))
    assert shown.shape == image.shape
    assert (shown[20:40, 20:60] == 200).all()
    assert shown[200, 150, 0] == 121


def test_of_large_pictures_the_neighbourhood() -> None:
    image = np.full((800, 1280, 3), 200, dtype=np.uint8)
    shown = masked_region(image, Rect(1000, 10, 1200, 30))
    assert shown.shape == (10 + 20 + 64, 1280 - 900, 3)
    assert (shown[10:30, 100:300] == 200).all()
