"""Scroll bars by their drawing: where one begins at the rim of a view, and where its thumb is."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.pixels.drawn import part_of

_STEP = 10
"""Steps of a channel that an eye sees as an edge between two flat grounds."""


def thumb_of(image: RgbImage, track: Rect, *, share: float) -> Rect | None:
    """The thumb in a scroll bar's track.

    Args:
        image: shape (height, width, 3), uint8.
        track: the whole bar.
        share: how far it is scrolled, 0 to 1.
    """
    down = track.height >= track.width
    part = part_of(image, track)
    if not part.size:
        return None
    middle = part[:, part.shape[1] // 2] if down else part[part.shape[0] // 2]
    runs = _flat_runs(middle.astype(np.int16))
    thick = track.width if down else track.height
    long = [run for run in runs if run[1] - run[0] >= max(8, thick // 2)]
    chosen = _thumb_run(long, middle, share, len(middle))
    if chosen is None:
        return None
    start, end = chosen
    across = part[(start + end) // 2] if down else part[:, (start + end) // 2]
    ground = middle[start if start == 0 else max(0, start - 3)] if start > 3 else middle[min(len(middle) - 1, end + 3)]
    wide = np.flatnonzero(np.abs(across.astype(np.int16) - ground).max(axis=1) > _STEP)
    if not wide.size:
        return None
    low, high = int(wide[0]), int(wide[-1]) + 1
    if down:
        return Rect(track.x1 + low, track.y1 + start, track.x1 + high, track.y1 + end)
    return Rect(track.x1 + start, track.y1 + low, track.x1 + end, track.y1 + high)


def _flat_runs(line: Any) -> list[tuple[int, int]]:  # noqa: ANN401 - an array
    """Runs of nearly one colour."""
    breaks = np.flatnonzero(np.abs(np.diff(line, axis=0)).max(axis=1) > _STEP) + 1
    edges = [0, *(int(b) for b in breaks), len(line)]
    return [(a, b) for a, b in pairwise(edges) if b > a]


def _thumb_run(
    runs: list[tuple[int, int]],
    line: Any,  # noqa: ANN401 - an array
    share: float,
    length: int,
) -> tuple[int, int] | None:
    """Which run fits what is told: the room before and after it is as the share says."""
    best: tuple[float, tuple[int, int]] | None = None
    for start, end in runs:
        room = length - (end - start)
        if room < 6:
            continue
        off = abs(start - share * room) / length
        if off < 0.08 and (best is None or off < best[0]):
            others = [r for r in runs if r != (start, end)]
            mine = line[(start + end) // 2]
            if any(np.abs(line[(a + b) // 2] - mine).max() > _STEP for a, b in others):
                best = (off, (start, end))
    return None if best is None else best[1]


def bar_start(image: RgbImage, view: Rect, *, least: int, most: int, down: bool) -> int | None:
    """Where a scroll bar begins at the lower (``down``) or right edge of a view; None where there is none.

    It is a strip that is set off by a line all along, and in which nothing but a thumb and two buttons is drawn.
    """
    part = part_of(image, view).astype(np.int16)
    if not down:
        part = part.transpose(1, 0, 2)
    if part.shape[0] < 3 * most or part.shape[1] < 3 * most:
        return None
    steps = np.abs(np.diff(part, axis=0)).max(axis=2) > 6
    share = steps[:, 2:-most].mean(axis=1)
    lines = [len(share) - int(i) - 1 for i in np.flatnonzero(share > 0.9)]
    inside = [distance for distance in lines if least <= distance <= most]
    if not inside:
        return None
    thick = max(inside)
    strip = part[-thick + 2 : -2, 2:-2]
    changes = (np.abs(np.diff(strip, axis=1)).max(axis=2) > _STEP).mean(axis=0)
    # A thumb ends across the whole strip; words begin and end everywhere.
    if 0 < int((changes > 0.25).sum()) <= 40 and float((changes > 0).mean()) < 0.2:
        return (view.y2 if down else view.x2) - thick
    return None
