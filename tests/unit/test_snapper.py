"""Edges that are dragged go to edges of the picture and in line with neighbours; cuts go through gaps."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.hit_testing import BoxIndex
from annotator.snap.snapper import Snap, SnapLine, Snapper
from annotator.snap.tighten import Image, cut_of, long_way
from demopack.domain.geometry import Rect
from tests.support.editing import element
from tests.support.work import calls_made

NEIGHBOUR = element("a", (100, 50, 160, 80))


@pytest.fixture
def index() -> BoxIndex:
    return BoxIndex([NEIGHBOUR])


def picture(*blocks: Rect) -> Image:
    image = np.full((200, 300, 4), 240, dtype=np.uint8)
    for block in blocks:
        image[block.y1 : block.y2, block.x1 : block.x2] = 60
    return image


def test_a_moved_box_comes_into_line_with_a_neighbour(index: BoxIndex) -> None:
    snap = Snapper(index, None).snap(Rect(103, 100, 143, 120), (0, 0), reach=5)
    assert (snap.dx, snap.dy) == (-3, 0)
    assert snap.guides == (SnapLine(axis="x", at=100, low=50, high=120),)


def test_both_axes_snap_and_each_to_its_nearest(index: BoxIndex) -> None:
    snap = Snapper(index, None).snap(Rect(40, 53, 97, 81), (0, 0), reach=5)
    assert (snap.dx, snap.dy) == (3, -1)


def test_centres_come_into_line_too_but_edges_come_first(index: BoxIndex) -> None:
    middle = Snapper(index, None).snap(Rect(122, 100, 142, 120), (0, None), reach=5)
    assert (middle.dx, middle.dy) == (-2, 0)
    assert middle.guides[0].at == 130


def test_only_what_is_gripped_snaps(index: BoxIndex) -> None:
    snapper = Snapper(index, None)
    assert snapper.snap(Rect(20, 20, 98, 49), (1, None), reach=5).dx == 2
    assert snapper.snap(Rect(20, 20, 98, 49), (-1, None), reach=5) == Snap()


def test_what_is_far_or_moves_itself_is_no_aim(index: BoxIndex) -> None:
    box = Rect(103, 52, 143, 82)
    assert Snapper(index, None, without=("a",)).snap(box, (0, 0), reach=5) == Snap()
    assert Snapper(index, None).snap(box.moved(0, 900), (0, 0), reach=5) == Snap()
    assert Snapper(index, None).snap(box.moved(12, 9), (0, 0), reach=2) == Snap()


def test_an_edge_of_the_picture_wins_over_a_neighbour_at_the_same_distance(index: BoxIndex) -> None:
    image = picture(Rect(96, 90, 150, 130))
    snap = Snapper(index, image).snap(Rect(98, 88, 200, 132), (-1, None), reach=5)
    assert snap.dx == -2
    assert snap.guides == (SnapLine(axis="x", at=96, low=88, high=132),)


def test_an_edge_must_run_along_most_of_the_side() -> None:
    image = picture(Rect(96, 90, 150, 100))
    assert Snapper(BoxIndex([]), image).snap(Rect(98, 60, 200, 140), (-1, None), reach=5) == Snap()
    assert Snapper(BoxIndex([]), image).snap(Rect(98, 90, 200, 101), (-1, None), reach=5).dx == -2


def test_boxes_at_and_over_the_edges_of_the_picture_do_no_harm() -> None:
    snapper = Snapper(BoxIndex([]), picture(Rect(0, 0, 300, 200)))
    for box in (Rect(0, 0, 300, 200), Rect(-5, -5, 4, 4), Rect(290, 190, 310, 215), Rect(5, 5, 5, 5)):
        assert snapper.snap(box, (0, 0), reach=6) == Snap()


def test_snapping_among_five_thousand_is_hardly_more_work_than_among_fifty() -> None:
    def work(count: int) -> int:
        corners = np.random.default_rng(2).integers(0, 1800, (count, 2)).tolist()
        index = BoxIndex([element(f"e{i}", (x, y, x + 40, y + 20)) for i, (x, y) in enumerate(corners)])
        snapper = Snapper(index, np.zeros((1080, 1920, 4), dtype=np.uint8))
        snapper.snap(Rect(300, 300, 700, 500), (0, 0), reach=5)
        return calls_made(lambda: snapper.snap(Rect(310, 300, 710, 500), (0, 0), reach=5))

    assert work(5000) < 2 * work(50)


# Cuts -----------------------------------------------------------------------------------------------------------------

WORDS = picture(Rect(20, 20, 50, 40), Rect(60, 20, 90, 40), Rect(120, 20, 150, 40))
LINE = Rect(15, 15, 155, 45)


def test_a_box_is_cut_across_its_longer_side() -> None:
    assert long_way(LINE) == "x"
    assert long_way(Rect(0, 0, 10, 30)) == "y"


def test_without_a_pointer_the_widest_gap_is_cut() -> None:
    cut = cut_of(WORDS, LINE, across="x", at=None)
    assert cut is not None
    assert abs(cut[0] - 90) <= 1
    assert abs(cut[1] - 120) <= 1


def test_a_gap_near_the_pointer_is_meant_else_the_very_place() -> None:
    near = cut_of(WORDS, LINE, across="x", at=58)
    assert near is not None
    assert abs(near[0] - 50) <= 1
    assert cut_of(WORDS, LINE, across="x", at=135) == (135, 135)
    assert cut_of(None, LINE, across="x", at=135) == (135, 135)


def test_without_pixels_or_gaps_the_middle_is_cut_and_thin_boxes_are_not() -> None:
    assert cut_of(None, LINE, across="x", at=None) == (85, 85)
    assert cut_of(WORDS, LINE, across="y", at=999) == (30, 30)
    assert cut_of(WORDS, Rect(5, 5, 6, 50), across="x", at=None) is None
