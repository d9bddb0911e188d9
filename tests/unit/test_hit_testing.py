"""Which box lies under the pointer."""

from __future__ import annotations

import time

import numpy as np
import pytest

from annotator.hit_testing import BoxIndex, Handle, handle_at, handle_points, resized
from demopack.domain.geometry import Rect
from tests.support.editing import element

NESTED = [
    element("window", (0, 0, 100, 100), type="window"),
    element("panel", (10, 10, 80, 80), type="other"),
    element("button", (20, 20, 40, 30)),
    element("gone", (21, 21, 23, 23), review="rejected"),
]


def test_the_smallest_comes_first_and_rejected_ones_never() -> None:
    assert BoxIndex(NESTED).at(22, 22) == ["button", "panel", "window"]


def test_of_equal_boxes_the_later_lies_on_top() -> None:
    index = BoxIndex([element("a", (0, 0, 10, 10)), element("b", (0, 0, 10, 10))])
    assert index.at(5, 5) == ["b", "a"]


def test_clicking_again_digs_down_and_comes_back() -> None:
    index = BoxIndex(NESTED)
    seen, current = [], None
    for _ in range(4):
        current = index.next_at(22, 22, current)
        seen.append(current)
    assert seen == ["button", "panel", "window", "button"]


def test_edges_right_and_below_are_outside_but_within_reach() -> None:
    index = BoxIndex([element("a", (10, 10, 20, 20))])
    assert index.at(10, 10) == ["a"]
    assert index.at(20, 20) == []
    assert index.at(21, 21, tolerance=2) == ["a"]
    assert index.at(23, 21, tolerance=2) == []


def test_reach_never_beats_a_box_that_holds_the_position() -> None:
    index = BoxIndex([element("big", (0, 0, 100, 100)), element("small", (50, 50, 60, 60))])
    assert index.at(49, 55, tolerance=3) == ["big"]


def test_an_empty_frame_has_nothing_anywhere() -> None:
    index = BoxIndex([])
    assert index.at(1, 1, tolerance=5) == []
    assert index.next_at(1, 1, None) is None
    assert index.box("a") is None


def test_five_thousand_boxes_are_searched_in_a_blink() -> None:
    rng = np.random.default_rng(1)
    corners = rng.integers(0, 1800, (5000, 2))
    index = BoxIndex([element(f"e{i}", (int(x), int(y), int(x) + 40, int(y) + 20)) for i, (x, y) in enumerate(corners)])
    start = time.process_time()
    for x in range(0, 1800, 9):
        index.at(x, x / 2)
    assert (time.process_time() - start) / 200 < 0.002


def test_all_eight_handles_are_found_where_they_are_drawn() -> None:
    box = Rect(10, 20, 110, 80)
    for handle, (x, y) in handle_points(box).items():
        assert handle_at(box, x, y, tolerance=4) is handle
        assert handle_at(box, x + 4 * handle.value[0], y + 4 * handle.value[1], tolerance=4) is handle
    assert handle_at(box, 60, 50, tolerance=4) is None


def test_the_middle_of_a_small_box_can_still_be_grabbed() -> None:
    assert handle_at(Rect(10, 10, 18, 18), 14, 14, tolerance=6) is None
    assert handle_at(Rect(10, 10, 18, 18), 9, 9, tolerance=6) is Handle.TOP_LEFT


@pytest.mark.parametrize("handle", list(Handle))
def test_a_handle_moves_its_own_edges_only(handle: Handle) -> None:
    box = Rect(10, 20, 110, 80)
    now = resized(box, handle, 5, 7)
    moved = {"x1": now.x1 != 10, "x2": now.x2 != 110, "y1": now.y1 != 20, "y2": now.y2 != 80}
    x, y = handle.value
    assert moved == {"x1": x < 0, "x2": x > 0, "y1": y < 0, "y2": y > 0}


def test_edges_that_pass_each_other_change_places() -> None:
    assert resized(Rect(10, 10, 20, 20), Handle.RIGHT, -15, 0) == Rect(5, 10, 10, 20)
