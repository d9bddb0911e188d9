from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.codecs.boxes.base import DecodedBox
from demopack.domain.geometry import (
    Point,
    Rect,
    ScreenSpace,
    Size,
    caap_notation,
    from_norm_xywh,
    from_window_fraction,
    iou,
    join_close,
    subtract,
    to_coco,
    to_norm_xywh,
    to_thousand,
    to_window_fraction,
    to_yolo,
)
from demopack.errors import GeometryError
from tests.support.strategies import rects, sizes


@st.composite
def on_frame(draw: st.DrawFn) -> tuple[Rect, Size]:
    size = draw(sizes())
    return draw(rects(size)), size


@given(on_frame())
def test_pixels_survive_every_round_trip(case: tuple[Rect, Size]) -> None:
    rect, size = case
    assert from_norm_xywh(to_norm_xywh(rect, size), size) == rect
    cx, cy, width, height = to_yolo(rect, size)
    edges = (cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2)
    assert DecodedBox(fields={}, edges=edges, fractions=True).box(size) == rect
    x, y, width, height = to_coco(rect)
    assert Rect(x, y, x + width, y + height) == rect


@given(on_frame())
def test_normalised_boxes_stay_within_the_frame(case: tuple[Rect, Size]) -> None:
    x, y, w, h = to_norm_xywh(*case)
    assert min(x, y, w, h) >= 0
    assert x + w <= 1.00001
    assert y + h <= 1.00001


@given(st.integers(-5000, 5000), st.integers(-5000, 5000), st.integers(1, 4000), st.integers(1, 4000))
def test_window_fractions_survive_the_round_trip(x: int, y: int, w: int, h: int) -> None:
    window = Rect(10, 20, 10 + w, 20 + h)
    assert from_window_fraction(to_window_fraction(Point(x, y), window), window) == Point(x, y)


# The centres that the paper's figures show.
@pytest.mark.parametrize(("left", "right", "center"), [(99, 130, 114), (1, 98, 50), (0, 151, 76)])
def test_the_caap_notation_rounds_half_to_even(left: int, right: int, center: int) -> None:
    assert caap_notation(Rect(left, 2, right, 98)) == f"X: {center} [{left}-{right}], Y: 50 [2-98]"


def test_the_thousand_grid_stops_where_the_consumer_says() -> None:
    size = Size(1280, 800)
    assert to_thousand(Point(640, 400), size) == (500, 500)
    assert to_thousand(Point(1280, 800), size) == (1000, 1000)
    assert to_thousand(Point(1280, 800), size, top=999) == (999, 999)


@pytest.mark.parametrize("box", [(-0.1, 0, 0, 0), (0.9, 0, 0.2, 0), (float("nan"), 0, 0, 0), (0, 0, float("inf"), 0)])
def test_a_box_off_the_frame_is_refused(box: tuple[float, float, float, float]) -> None:
    with pytest.raises(GeometryError):
        from_norm_xywh(box, Size(100, 100))


def test_what_cannot_be_a_box_is_refused() -> None:
    with pytest.raises(GeometryError, match="swapped"):
        Rect(5, 0, 1, 3)
    with pytest.raises(GeometryError, match="outside"):
        to_norm_xywh(Rect(0, 0, 101, 5), Size(100, 100))
    with pytest.raises(GeometryError):
        to_window_fraction(Point(1, 1), Rect(3, 3, 3, 9))


@given(on_frame(), st.data())
def test_overlap_is_symmetric_and_bounded(case: tuple[Rect, Size], data: st.DataObject) -> None:
    a, size = case
    b = data.draw(rects(size))
    assert iou(a, b) == iou(b, a)
    assert 0 <= iou(a, b) <= 1
    assert iou(a, a) == (1.0 if a.area else 0.0)
    assert a.union(b).encloses(a)


def test_what_others_lie_on_is_cut_out() -> None:
    box = Rect(0, 0, 10, 10)
    assert subtract(box, []) == [box]
    assert subtract(box, [Rect(20, 20, 30, 30)]) == [box]
    assert subtract(box, [box]) == []
    hole = subtract(box, [Rect(3, 3, 6, 6)])
    assert sum(part.area for part in hole) == 100 - 9
    assert not any(part.contains(Rect(3, 3, 6, 6).center) for part in hole)


SPACES = st.builds(
    ScreenSpace,
    origin_x=st.integers(-5000, 5000),
    origin_y=st.integers(-5000, 5000),
    pixels_per_unit=st.sampled_from([1.0, 1.25, 1.5, 2.0, 3.0]),
)


@given(SPACES, st.integers(-9000, 9000), st.integers(-9000, 9000))
def test_a_position_comes_back_from_its_pixel(space: ScreenSpace, x: int, y: int) -> None:
    back = space.to_desktop(space.to_pixel(x, y))
    assert abs(back.x - x) <= 1
    assert abs(back.y - y) <= 1
    if space.pixels_per_unit in {1.0, 2.0, 3.0}:
        assert back == Point(x, y)


@given(SPACES, SPACES, st.integers(0, 4000), st.integers(0, 4000))
def test_a_pixel_is_found_on_another_picture(one: ScreenSpace, other: ScreenSpace, x: int, y: int) -> None:
    assert one.pixel_on(one, Point(x, y)) == Point(x, y)
    there = one.pixel_on(other, Point(x, y))
    back = other.pixel_on(one, there)
    reach = one.pixels_per_unit / other.pixels_per_unit / 2 + 1
    assert abs(back.x - x) <= reach
    assert abs(back.y - y) <= reach


@given(SPACES, sizes())
def test_what_a_picture_shows_of_the_desktop_covers_all_its_pixels(space: ScreenSpace, size: Size) -> None:
    box = space.desktop_box(size)
    assert space.to_pixels(box).encloses(Rect(0, 0, size.width, size.height))
    assert box.contains(space.to_desktop(Point(size.width - 1, size.height - 1)))


def test_a_share_of_a_box_lies_in_another() -> None:
    box = Rect(10, 10, 20, 20)
    assert box.share_in(Rect(0, 0, 100, 100)) == 1.0
    assert box.share_in(Rect(15, 10, 40, 40)) == 0.5
    assert box.share_in(Rect(20, 10, 40, 40)) == 0.0
    assert Rect(15, 15, 15, 15).share_in(box) == 0.0
    assert box.grown(3) == Rect(7, 7, 23, 23)


def test_close_boxes_are_joined() -> None:
    boxes = [Rect(0, 40, 10, 50), Rect(0, 0, 10, 10), Rect(12, 0, 20, 10)]
    assert join_close(boxes) == [boxes[1], boxes[2], boxes[0]]
    assert join_close(boxes, gap=2) == [boxes[1], boxes[2], boxes[0]]
    assert join_close(boxes, gap=3) == [Rect(0, 0, 20, 10), boxes[0]]
    assert join_close(boxes, gap=31) == [Rect(0, 0, 20, 50)]
    assert join_close([]) == []
