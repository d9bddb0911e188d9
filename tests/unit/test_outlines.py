"""Outlines are drawn into pixels exactly where a painter would draw them, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from annotator import outlines
from annotator.outlines import DASHES, LINE_KINDS, LineKind, Pixels, draw_outlines
from tests.support.work import calls_made

RED = 0xFFFF0000


def drawn(
    *boxes: tuple[int, int, int, int],
    kind: LineKind = "solid",
    clip: tuple[int, int, int, int] | None = None,
    width: int = 1,
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    pixels = np.zeros((30, 40), dtype=np.uint32)
    colours = np.full(len(boxes), RED, dtype=np.uint32)
    draw_outlines(
        pixels, np.array(boxes).reshape(-1, 4), colours, kinds=of_kind(kind, len(boxes)), clip=clip, width=width
    )
    return pixels == RED


def of_kind(kind: LineKind, count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.full(count, LINE_KINDS.index(kind), dtype=np.int64)


def ring(x1: int, y1: int, x2: int, y2: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    wanted = np.zeros((30, 40), dtype=np.bool_)
    wanted[y1:y2, x1:x2] = True
    wanted[y1 + 1 : y2 - 1, x1 + 1 : x2 - 1] = False
    return wanted


def test_a_solid_outline_lies_inside_the_edges() -> None:
    assert (drawn((5, 6, 20, 15)) == ring(5, 6, 20, 15)).all()
    assert (drawn((5, 6, 20, 15), (0, 0, 40, 30)) == (ring(5, 6, 20, 15) | ring(0, 0, 40, 30))).all()


def test_a_double_outline_has_a_second_one_inside_where_there_is_room() -> None:
    assert (drawn((5, 6, 20, 16), kind="double") == (ring(5, 6, 20, 16) | ring(7, 8, 18, 14))).all()
    assert (drawn((5, 6, 11, 12), kind="double") == ring(5, 6, 11, 12)).all()


@pytest.mark.parametrize("kind", ["dashed", "dotted", "dash_dot", "sparse"])
def test_dashes_begin_at_the_corner_and_go_on_in_rhythm_from_outside(kind: LineKind) -> None:
    pattern = DASHES[kind]
    top = drawn((5, 6, 35, 25), kind=kind)[6]
    assert top[5:34].tolist() == [pattern[i % len(pattern)] == "#" for i in range(29)]
    cut = drawn((-7, 6, 35, 25), kind=kind)[6]
    assert cut[:34].tolist() == [pattern[(i + 7) % len(pattern)] == "#" for i in range(34)]


def test_what_lies_outside_is_not_drawn_and_a_clip_keeps_the_rest_as_it_was() -> None:
    assert not drawn((50, 5, 60, 9), (-9, -9, -2, -2), (5, 40, 9, 50)).any()
    clipped = drawn((2, 2, 30, 25), clip=(10, 0, 20, 30))
    wanted = ring(2, 2, 30, 25)
    wanted[:, :10] = False
    wanted[:, 20:] = False
    assert (clipped == wanted).all()
    assert not drawn((2, 2, 30, 25), clip=(20, 5, 10, 9)).any()


def test_a_box_without_area_is_a_line_or_a_point() -> None:
    assert np.argwhere(drawn((5, 6, 5, 6))).tolist() == [[6, 5]]
    assert int(drawn((5, 6, 12, 6)).sum()) == 7


def test_of_two_outlines_the_later_lies_on_top_and_wide_lines_are_wide() -> None:
    pixels = np.zeros((30, 40), dtype=np.uint32)
    draw_outlines(
        pixels, np.array([[1, 1, 9, 9], [1, 1, 9, 9]]), np.array([1, 2], dtype=np.uint32), kinds=of_kind("solid", 2)
    )
    assert set(pixels[pixels > 0].tolist()) == {2}
    assert (drawn((5, 6, 20, 15), width=2) == (ring(5, 6, 20, 15) | ring(6, 7, 19, 14))).all()


@pytest.mark.parametrize("width", [1, 2])
def test_boxes_look_the_same_however_many_pixels_are_written_at_once(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(7)
    corners = random.integers(-20, 160, (120, 2))
    boxes = np.concatenate([corners, corners + random.integers(0, 60, (120, 2))], axis=1)
    colours, kinds = random.integers(1, 9, 120).astype(np.uint32), np.arange(120) % len(LINE_KINDS)
    pictures: list[Pixels] = []
    for pixels_per_part in (500, 40_000):
        monkeypatch.setattr(outlines, "_PIXELS_PER_PART", pixels_per_part)
        pixels = np.zeros((170, 150), dtype=np.uint32)
        draw_outlines(pixels, boxes, colours, kinds=kinds, clip=(3, 5, 140, 160), width=width)
        pictures.append(pixels)
    assert (pictures[0] == pictures[1]).all()
    assert set(np.unique(pictures[0]).tolist()) == set(range(9))


def test_five_thousand_outlines_are_drawn_together() -> None:
    def work(count: int) -> int:
        random = np.random.default_rng(3)
        corners = random.integers(0, 900, (count, 2))
        boxes = np.concatenate([corners, corners + random.integers(10, 90, (count, 2))], axis=1)
        pixels = np.zeros((1000, 1600), dtype=np.uint32)
        colours, kinds = np.full(count, RED, dtype=np.uint32), of_kind("dashed", count)
        return calls_made(lambda: draw_outlines(pixels, boxes, colours, kinds=kinds))

    assert work(5000) < 4 * work(50)
