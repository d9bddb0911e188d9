from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.geometry import Rect
from models.changes import changed_boxes
from tests.support.small_demos import blank, painted


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
