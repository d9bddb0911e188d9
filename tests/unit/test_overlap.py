"""Overlaps of many boxes are those of each pair; the smallest box around each is the one that comparing all gives."""

from __future__ import annotations

import random

import numpy as np
import pytest

from demopack.domain.geometry import Rect, iou
from demopack.domain.overlap import areas, as_rect, box_array, common_areas, iou_matrix, smallest_around


def compared_one_by_one(boxes: list[tuple[int, int, int, int]]) -> list[int]:
    """By the words of the definition."""
    areas = [(x2 - x1) * (y2 - y1) for x1, y1, x2, y2 in boxes]
    found: list[int] = []
    for i, (x1, y1, x2, y2) in enumerate(boxes):
        around = [
            j
            for j, (u1, v1, u2, v2) in enumerate(boxes)
            if u1 <= x1 and v1 <= y1 and u2 >= x2 and v2 >= y2 and (areas[j], -j) > (areas[i], -i)
        ]
        smallest = [j for j in around if areas[j] == min(areas[k] for k in around)]
        found.append(max(smallest, default=-1))
    return found


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("count", "span"), [(1, 9), (3, 5), (40, 12), (120, 300)])
def test_any_boxes(seed: int, count: int, span: int) -> None:
    chance = random.Random(seed)
    boxes: list[tuple[int, int, int, int]] = []
    for _ in range(count):
        x, y = chance.randrange(-span, span), chance.randrange(-span, span)
        width, height = (chance.choice([0, 3, chance.randrange(span)]) for _ in "wh")
        boxes.append((x, y, x + width, y + height))
    assert smallest_around(np.array(boxes, dtype=np.int64)).tolist() == compared_one_by_one(boxes)


def test_boxes_that_all_cover_the_same_place() -> None:
    boxes = [(i % 7, i % 5, 900 - i % 11, 700 - i % 13) for i in range(90)]
    assert smallest_around(np.array(boxes, dtype=np.int64)).tolist() == compared_one_by_one(boxes)


@pytest.mark.parametrize("seed", range(4))
def test_overlaps_of_many_boxes_are_those_of_each_pair(seed: int) -> None:
    chance = random.Random(seed)
    some, others = (
        [
            Rect(x, y, x + chance.choice([0, 5, 12]), y + chance.randrange(9))
            for x, y in ((chance.randrange(20), chance.randrange(20)) for _ in range(count))
        ]
        for count in (15, 11)
    )
    a, b = box_array(some), box_array(others)
    common = [[0 if (both := one.intersection(other)) is None else both.area for other in others] for one in some]
    assert common_areas(a, b).tolist() == common
    assert iou_matrix(a, b).tolist() == [[iou(one, other) for other in others] for one in some]
    assert areas(a).tolist() == [one.area for one in some]
    assert iou_matrix(a.astype(np.float32), b.astype(np.float32)).dtype == np.float32
    assert [as_rect(row) for row in a] == some


def test_no_boxes_overlap_nothing() -> None:
    assert iou_matrix(box_array([]), box_array([Rect(0, 0, 2, 2)])).shape == (0, 1)
