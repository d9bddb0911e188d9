"""Where the picture lies in the window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.viewport import MAX_SCALE, MIN_SCALE, Viewport
from demopack.domain.geometry import Rect, Size

VIEW = Viewport(picture=Size(1920, 1080), width=1000, height=800)


def test_fit_shows_the_whole_picture_in_the_middle() -> None:
    view = VIEW.fit()
    left, top = view.to_window(0, 0)
    right, bottom = view.to_window(1920, 1080)
    assert 0 < left < right < 1000
    assert 0 < top < bottom < 800
    assert left == pytest.approx(1000 - right, abs=1)
    assert top == pytest.approx(800 - bottom, abs=1)


def test_fit_never_enlarges() -> None:
    assert Viewport(picture=Size(100, 80), width=1000, height=800).fit().scale == 1


@given(
    scale=st.floats(0.001, 100),
    x=st.floats(0, 1000),
    y=st.floats(0, 800),
)
def test_zoom_keeps_the_pixel_under_the_pointer_where_the_picture_can_stay(scale: float, x: float, y: float) -> None:
    view = VIEW.fit()
    before = view.to_picture(x, y)
    zoomed = view.at_scale(scale, x=x, y=y)
    assert MIN_SCALE <= zoomed.scale <= MAX_SCALE
    if 0 <= before[0] <= 1920 and 0 <= before[1] <= 1080 and zoomed.scale >= view.scale:
        after = zoomed.to_window(*before)
        assert after == pytest.approx((x, y), abs=1)  # whole pixels only


@given(dx=st.floats(-1e5, 1e5), dy=st.floats(-1e5, 1e5), scale=st.floats(0.05, 32))
def test_the_picture_cannot_be_lost(dx: float, dy: float, scale: float) -> None:
    view = VIEW.at_scale(scale).moved(dx, dy)
    left, top = view.to_window(0, 0)
    right, bottom = view.to_window(1920, 1080)
    assert left < 1000
    assert top < 800
    assert right > 0
    assert bottom > 0


@given(x=st.floats(-5000, 5000), y=st.floats(-5000, 5000), scale=st.floats(0.05, 32))
def test_there_and_back(x: float, y: float, scale: float) -> None:
    view = VIEW.at_scale(scale)
    assert view.to_picture(*view.to_window(x, y)) == pytest.approx((x, y), abs=1e-6)


def test_another_window_size_keeps_fitted_fitted_and_the_middle_in_the_middle() -> None:
    assert VIEW.fit().in_window(500, 400).fitted
    view = VIEW.at_scale(2.0)
    middle = view.to_picture(500, 400)
    assert view.in_window(600, 600).to_picture(300, 300) == pytest.approx(middle, abs=1)


def test_a_picture_of_the_same_size_lies_where_the_last_one_lay() -> None:
    view = VIEW.at_scale(2.0).moved(-100, -50)
    assert view.showing(Size(1920, 1080)) == view
    assert view.showing(Size(800, 600)).fitted


@pytest.mark.parametrize("box", [Rect(1800, 1000, 1850, 1040), Rect(0, 0, 30, 30), Rect(900, 20, 960, 60)])
def test_revealing_moves_no_more_than_needed(box: Rect) -> None:
    view = VIEW.at_scale(2.0)
    shown = view.revealing(box)
    x1, y1 = shown.to_window(box.x1, box.y1)
    x2, y2 = shown.to_window(box.x2, box.y2)
    assert 0 <= x1 < x2 <= 1000
    assert 0 <= y1 < y2 <= 800
    assert shown.revealing(box) == shown


def test_what_is_larger_than_the_window_is_not_chased() -> None:
    view = VIEW.at_scale(2.0)
    assert view.revealing(Rect(0, 0, 1920, 1080)) == view
