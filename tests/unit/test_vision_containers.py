"""Windows, tool bars and fields are moved to the edges that are drawn around them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect
from demopack.pixels.colours import Gray
from models.vision.containers import on_edges
from models.vision.detection import Detection


def _screen() -> Gray:
    """A desktop with one window of 700 x 400, a title bar and a strip of tools in it."""
    gray = np.full((600, 1000), 40, dtype=np.int16)
    gray[100:500, 200:900] = 220
    gray[100:130, 200:900] = 120
    gray[130:170, 200:900] = 200
    for x in range(220, 880, 40):
        gray[140:160, x : x + 20] = 60
    return gray


def _found(kind: ElementType, box: Rect) -> Detection:
    return Detection(type=kind, box=box, source="detector", confidence=0.5)


def test_a_window_larger_than_the_detector_sees_ends_on_its_frame() -> None:
    seen = _found("window", Rect(202, 101, 760, 440))
    assert [one.box for one in on_edges(_screen(), [seen])] == [Rect(200, 100, 900, 500)]


def test_a_window_around_which_no_edge_runs_is_none() -> None:
    gray = np.full((600, 1000), 220, dtype=np.int16)
    gray[100:300:20, 50:500] = 0
    assert on_edges(gray, [_found("window", Rect(0, 0, 630, 570)), _found("dialog", Rect(30, 40, 600, 500))]) == []


def test_a_window_that_fits_stays_where_it_is() -> None:
    seen = _found("window", Rect(200, 100, 900, 500))
    assert on_edges(_screen(), [seen]) == [seen]


def test_a_tool_bar_goes_as_far_as_its_edges() -> None:
    seen = _found("toolbar", Rect(340, 130, 800, 170))
    assert [one.box for one in on_edges(_screen(), [seen])] == [Rect(200, 130, 900, 170)]


@pytest.mark.parametrize("kind", ["input_field", "text_area", "dropdown"])
def test_a_long_field_ends_on_its_frame(kind: ElementType) -> None:
    gray = np.full((200, 1000), 230, dtype=np.int16)
    gray[50:90, 30:950] = 255
    seen = _found(kind, Rect(31, 51, 560, 89))
    assert [one.box for one in on_edges(gray, [seen])] == [Rect(30, 50, 950, 90)]


def test_a_field_without_a_frame_is_left_alone_and_the_end_of_the_picture_is_no_frame() -> None:
    gray = np.full((200, 1000), 230, dtype=np.int16)
    gray[90, :] = 0
    seen = _found("input_field", Rect(31, 51, 560, 89))
    assert on_edges(gray, [seen]) == [seen]


def test_a_strip_as_low_as_its_own_edges_is_left_as_it_is() -> None:
    gray = _screen()
    thin = _found("toolbar", Rect(340, 128, 800, 133))
    assert on_edges(gray, [thin]) == [thin]


@given(
    kind=st.sampled_from(["window", "dialog", "toolbar", "input_field", "text_area", "dropdown"]),
    x=st.integers(0, 35),
    y=st.integers(0, 35),
    width=st.integers(1, 40),
    height=st.integers(1, 40),
    seed=st.integers(0, 50),
)
def test_boxes_of_any_size_stay_boxes(kind: ElementType, x: int, y: int, width: int, height: int, seed: int) -> None:
    gray = np.random.default_rng(seed).choice(np.array([0, 200], dtype=np.int16), (40, 40), p=[0.9, 0.1])
    box = Rect(x, y, min(40, x + width), min(40, y + height))
    assert all(one.box.area > 0 for one in on_edges(gray, [_found(kind, box)]))
