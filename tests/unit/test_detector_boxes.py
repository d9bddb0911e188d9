from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.geometry import Rect, Size
from models.vision.detector import (
    AGNOSTIC,
    CLASSES,
    PAD,
    Rows,
    decode,
    enlargement,
    join,
    network_input,
    suppress,
    tiles_of,
    type_of,
)


def detections(*rows: tuple[float, float, float, float, float, int]) -> Rows:
    return np.array(rows, dtype=np.float32).reshape(-1, 6)


def test_every_class_is_an_element_type_and_parts_of_scroll_bars_are_none() -> None:
    assert all(type_of(name) == name for name in CLASSES)
    assert not any(name.startswith("scrollbar_") for name in CLASSES)
    assert type_of(AGNOSTIC[0]) == "other"
    assert type_of("Input field") == "input_field"


def test_a_picture_is_padded_at_the_right_and_the_bottom() -> None:
    image = np.full((3, 40, 3), 255, dtype=np.uint8)
    image[0, 0] = (51, 102, 153)
    pixels = network_input(image, stride=32)
    assert pixels.shape == (1, 3, 32, 64)
    assert pixels.dtype == np.float32
    assert np.allclose(pixels[0, :, 0, 0], [0.2, 0.4, 0.6])
    assert pixels[0, 0, 2, 39] == 1
    assert np.allclose(pixels[0, :, 3:], PAD / 255)
    assert np.allclose(pixels[0, :, :, 40:], PAD / 255)


def test_raw_output_becomes_corners_scores_and_classes() -> None:
    raw = np.array([[50, 10], [20, 10], [20, 4], [10, 4], [0.2, 0.05], [0.7, 0.1]], dtype=np.float32)
    raw = np.concatenate([raw, np.full((1, 2), 0.1, np.float32)])
    found = decode(raw, confidence=0.3)
    assert found[:, :4].tolist() == [[40, 15, 60, 25]]
    assert found[:, 5].tolist() == [1]
    assert np.allclose(found[:, 4], 0.7)


def test_lines_twice_as_tall_as_usual_tell_an_enlarged_desktop() -> None:
    text, menu, button = (CLASSES.index(name) for name in ("text", "menu", "button"))
    usual = detections((0, 0, 90, 15, 0.9, text), (0, 20, 90, 36, 0.9, text), (0, 40, 40, 64, 0.9, menu))
    assert 0.9 < enlargement(usual, CLASSES) < 1.1
    doubled = usual * np.array([2, 2, 2, 2, 1, 1], dtype=np.float32)
    assert 1.9 < enlargement(doubled, CLASSES) < 2.1
    assert enlargement(np.concatenate([usual, doubled[:1]]), CLASSES) < 1.2, "a heading says nothing of the others"
    assert enlargement(doubled[:1], CLASSES) == 1, "nor does one line"
    assert enlargement(detections((0, 0, 90, 60, 0.9, button), (0, 0, 9, 60, 0.9, button)), CLASSES) == 1
    assert enlargement(detections(), CLASSES) == 1


def test_output_without_suppression_is_read_as_it_is() -> None:
    raw = np.array([[0, 0, 5, 5, 0.2, 3], [1, 2, 3, 4, 0.9, 7]], dtype=np.float32)
    found = decode(raw, confidence=0.3)
    assert found[:, :4].tolist() == [[1, 2, 3, 4]]
    assert found[:, 5].tolist() == [7]


def test_weaker_boxes_that_overlap_are_dropped_whatever_their_class() -> None:
    found = detections((0, 0, 10, 10, 0.9, 0), (0, 0, 10, 9, 0.8, 1), (8, 0, 18, 10, 0.7, 1), (40, 40, 50, 50, 0.6, 2))
    assert suppress(found, iou=0.4, most=10)[:, 4].tolist() == np.float32([0.9, 0.7, 0.6]).tolist()
    assert len(suppress(found, iou=0.4, most=1)) == 1
    assert len(suppress(found, iou=0.95, most=10)) == 4
    assert len(suppress(detections(), iou=0.4, most=10)) == 0


def test_a_usual_screen_is_looked_at_whole() -> None:
    assert tiles_of(Size(1280, 800)) == [Rect(0, 0, 1280, 800)]
    assert tiles_of(Size(1, 1)) == [Rect(0, 0, 1, 1)]


@given(width=st.integers(1, 8192), height=st.integers(1, 8192))
def test_tiles_cover_every_frame_and_overlap(width: int, height: int) -> None:
    tiles = tiles_of(Size(width, height))
    columns = sorted({(tile.x1, tile.x2) for tile in tiles})
    rows = sorted({(tile.y1, tile.y2) for tile in tiles})
    assert len(tiles) == len(columns) * len(rows)
    for spans, length in ((columns, width), (rows, height)):
        assert spans[0][0] == 0
        assert spans[-1][1] == length
        assert all(b[0] <= a[1] - 150 for a, b in itertools.pairwise(spans))
        assert all(end - start <= 1600 for start, end in spans)


def seen_by(tiles: list[Rect], things: list[tuple[Rect, int]]) -> list[Rows]:
    """What a perfect detector finds in each tile: everything it sees at least 16 pixels of, cut at its borders."""
    found: list[Rows] = []
    for tile in tiles:
        rows: list[tuple[float, float, float, float, float, int]] = []
        for box, number in things:
            part = box.intersection(tile)
            if part is not None and min(part.width, part.height) >= 16:
                rows.append((part.x1, part.y1, part.x2, part.y2, 0.9, number))
        found.append(detections(*rows))
    return found


def corners(found: Rows) -> set[tuple[int, ...]]:
    return {tuple(int(v) for v in row) for row in found[:, :4]}


def test_things_at_the_borders_of_tiles_are_found_once_and_whole() -> None:
    size = Size(3840, 2160)
    tiles = tiles_of(size)
    assert len(tiles) > 4
    edge = tiles[0].x2
    things = [
        (Rect(edge - 60, 300, edge + 40, 320), 0),  # cut by one tile, whole in the next
        (Rect(100, 500, 3700, 540), 1),  # across all tiles of a row
        (Rect(edge - 500, 700, edge + 500, 1500), 2),  # across four tiles
        (Rect(edge - 300, 1000, edge - 200, 1020), 0),  # inside that one
        (Rect(0, 0, 3840, 30), 3),  # at the edge of the frame
        (Rect(3800, 2100, 3840, 2160), 0),
    ]
    joined = join(seen_by(tiles, things), tiles, size, iou=0.4, most=1000)
    assert corners(joined) == {(b.x1, b.y1, b.x2, b.y2) for b, _ in things}


def test_a_grid_of_small_things_survives_tiling() -> None:
    size = Size(2560, 1440)
    tiles = tiles_of(size)
    things = [(Rect(x, y, x + 70, y + 20), 0) for x in range(5, 2480, 83) for y in range(3, 1410, 31)]
    joined = join(seen_by(tiles, things), tiles, size, iou=0.4, most=10_000)
    assert corners(joined) == {(b.x1, b.y1, b.x2, b.y2) for b, _ in things}


def test_two_neighbours_at_a_border_stay_two() -> None:
    size = Size(2000, 800)
    tiles = tiles_of(size)
    overlap_start, overlap_end = tiles[1].x1, tiles[0].x2
    things = [
        (Rect(overlap_start - 400, 100, overlap_start + 70, 130), 0),
        (Rect(overlap_end - 70, 100, overlap_end + 300, 130), 0),
    ]
    joined = join(seen_by(tiles, things), tiles, size, iou=0.4, most=100)
    assert corners(joined) == {(b.x1, b.y1, b.x2, b.y2) for b, _ in things}
