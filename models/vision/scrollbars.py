"""Splits a scroll bar into its parts, by its pixels: the buttons at its ends and the thumb.

CAAP does the same for upright bars with two buttons. Here bars may lie, may have no buttons, and may have nothing to
scroll.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect
from demopack.pixels.colours import Gray
from demopack.pixels.masks import tight_box
from models.vision.detection import Detection
from models.vision.rules import found_by_rule

_LEVEL_STEP = 10
"""Steps of brightness between thumb and track; flat themes are faint."""
_ARROW_STEP = 30
_MIN_THUMB_PX = 6
"""A thumb is longer than this many pixels."""
_Profile = npt.NDArray[np.float64]


def split_scrollbar(gray: Gray, bar: Detection) -> list[Detection]:
    """The parts of a scroll bar that can be seen, in no particular order; the bar itself is not among them.

    Args:
        gray: the whole picture.
        bar: what was found; its box lies inside the picture.
    """
    box = bar.box
    part = gray[box.y1 : box.y2, box.x1 : box.x2]
    upright = box.height >= box.width
    # Along the bar first, so that lying bars are upright ones.
    along = part if upright else part.T
    length, thickness = along.shape
    if thickness < 4 or length < 2 * thickness + _MIN_THUMB_PX:
        return []
    without_arrows = any(said.rule == "scrollbar_thumb" for said in bar.evidence)
    first = not without_arrows and _has_arrow(along[:thickness])
    last = not without_arrows and _has_arrow(along[-thickness:])
    begin, end = thickness if first else 0, length - thickness if last else length
    buttons: tuple[tuple[bool, ElementType, tuple[int, int]], ...] = (
        (first, "scrollbar_up_button" if upright else "scrollbar_left_button", (0, begin)),
        (last, "scrollbar_down_button" if upright else "scrollbar_right_button", (end, length)),
    )
    parts = [_part(bar, kind, cell, (0, thickness), upright=upright) for there, kind, cell in buttons if there]
    thumb = _thumb(along[begin:end])
    if thumb is not None:
        start, stop = begin + thumb[0], begin + thumb[1]
        parts.append(_part(bar, "scrollbar_thumb", (start, stop), _sides(along[start:stop]), upright=upright))
    return parts


def _part(
    bar: Detection, kind: ElementType, along: tuple[int, int], across: tuple[int, int], *, upright: bool
) -> Detection:
    (x1, x2), (y1, y2) = (across, along) if upright else (along, across)
    place = Rect(x1, y1, x2, y2).moved(bar.box.x1, bar.box.y1)
    return found_by_rule("scrollbar_part", type=kind, box=place, begun_with=bar.confidence)


def _sides(thumb: Gray) -> tuple[int, int]:
    """Where a thumb lies across its track: without the air on both sides, where there is some."""
    level = np.median(thumb, axis=0)
    middle = level[len(level) // 2]
    same = np.flatnonzero(np.abs(level - middle) <= _LEVEL_STEP)
    first, last = int(same[0]), int(same[-1]) + 1
    return (first, last) if 2 * (last - first) >= len(level) else (0, len(level))


def _has_arrow(cell: Gray) -> bool:
    """Whether the cell at an end of the bar holds one small sign in its middle."""
    height, width = cell.shape
    inner = cell[1 : height - 1, 2 : width - 2] if width > 8 else cell
    foreground = np.abs(inner - np.median(inner)) > _ARROW_STEP
    sign = tight_box(foreground)
    if sign is None:
        return False
    off_x, off_y = (abs(sign.x1 + sign.x2 - inner.shape[1]) / 2, abs(sign.y1 + sign.y2 - inner.shape[0]) / 2)
    small = 3 <= sign.width <= 0.85 * width and 2 <= sign.height <= 0.75 * height
    # Rounded ends of a thumb are as wide as the bar, and begin at the edge.
    return bool(small and off_y <= 0.25 * height + 1 and off_x <= 0.15 * width + 1)


class _Run(NamedTuple):
    start: int
    stop: int
    level: float
    relief: float


def _thumb(track: Gray) -> tuple[int, int] | None:
    """Where the thumb lies along the track; None where there is none."""
    if track.shape[0] < 2 * _MIN_THUMB_PX:
        return None
    width = track.shape[1]
    core = track[:, width // 4 : max(width // 4 + 1, width - width // 4)]
    level = np.median(core, axis=1)
    # How much a row differs from itself: the air beside a thumb that is narrower than its track.
    relief = (track.max(axis=1) - track.min(axis=1)).astype(np.float64)
    runs = [run for run in _runs(level, relief) if run.stop - run.start >= 2]
    groups = _levels(runs)
    if len(groups) < 2:
        return None
    thumb = _chosen(groups[0], groups[1], length=track.shape[0])
    start, stop = min(run.start for run in thumb), max(run.stop for run in thumb)
    return (start, stop) if stop - start >= _MIN_THUMB_PX and stop - start < track.shape[0] else None


def _runs(level: _Profile, relief: _Profile) -> list[_Run]:
    """Stretches of rows that look alike."""
    cuts = np.flatnonzero(np.abs(np.diff(level)) > _LEVEL_STEP) + 1
    ends = [0, *(int(cut) for cut in cuts), len(level)]
    return [
        _Run(start, stop, float(np.median(level[start:stop])), float(np.median(relief[start:stop])))
        for start, stop in itertools.pairwise(ends)
    ]


def _levels(runs: list[_Run]) -> list[list[_Run]]:
    """The runs by brightness, those that cover most first; rims and grips of a thumb are too short to count."""
    groups: list[list[_Run]] = []
    for run in sorted(runs, key=lambda run: run.start - run.stop):
        for group in groups:
            if abs(group[0].level - run.level) <= _LEVEL_STEP:
                group.append(run)
                break
        else:
            groups.append([run])
    return sorted(groups, key=lambda group: sum(run.start - run.stop for run in group))


def _chosen(a: list[_Run], b: list[_Run], *, length: int) -> list[_Run]:
    """Which of two groups of runs is the thumb."""
    for one, other in ((a, b), (b, a)):
        # What lies at both ends is the track.
        if min(run.start for run in other) <= 2 and max(run.stop for run in other) >= length - 2 and len(other) > 1:
            return one
    if abs(a[0].relief - b[0].relief) > _LEVEL_STEP:
        return a if a[0].relief > b[0].relief else b
    # A page is mostly seen at its beginning.
    return a if a[0].start < b[0].start else b
