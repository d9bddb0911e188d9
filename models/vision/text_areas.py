"""Text areas by the handle in their lower right corner, which says what they are though nothing is written in them.

A handle is two slanted strokes or a triangle. A text area goes from it up to the next edge that runs along all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from demopack.domain.geometry import Rect, iou
from demopack.pixels.colours import Gray
from demopack.pixels.masks import Mask, crop, runs, size_of, tight_box
from models.vision.detection import Detection
from models.vision.fusion import CONTROLS, LINE_TYPES, ROWS
from models.vision.reading.text_lines import split_line
from models.vision.rules import found_by_rule, is_cornered

_INK: Final = 28
"""Steps of brightness by which a handle stands out."""
_SIDE: Final = (6, 30)
"""Pixels along a side of a handle, at scales of 1 and 2."""
_LEAST_TRIANGLE_PX: Final = 10
"""The same of one that is a triangle: less may be a corner."""
_AIR_PX: Final = 12
"""Between a handle and the lower right corner that it is in, at most."""
_EDGE: Final = 6
"""Steps of brightness that make an edge."""
_LEAST: Final = (40, 24)
"""Width and height of a text area, pixels."""
_LEAST_SIDES: Final = 1.8
"""Height of a text area in those of its handle; less is a bar with a grip for its window."""
_MOST: Final = 0.8
"""Share of the picture's width and height that a text area takes; what is larger is a window."""
_LEAST_ALONG: Final = 0.9
"""Share of a run along which an edge is drawn: a rounded corner and a stroke across interrupt it."""
_RING_PX: Final = 9
"""Rows of the line around a text area and the next one, at most."""
_LEAST_OF_EDGE: Final = 0.6
"""Share of its width along which the edge above or below a text area is drawn."""
_ROUNDED_PX: Final = 7
"""Of a rounded corner, along a side."""
_SAME_IOU, _INSIDE_SHARE = 0.3, 0.75


def handle_in(gray: Gray, box: Rect) -> tuple[Rect, bool] | None:
    """The handle that is the only ink in a box, and whether it is of strokes; None where there is something else.

    Args:
        gray: the whole picture.
        box: in which it is, with some ground around.
    """
    part = crop(gray, box.clamped(size_of(gray)))
    if min(part.shape) < _SIDE[0]:
        return None
    values, counts = np.unique(part, return_counts=True)
    ink: Mask = np.abs(part - values[counts.argmax()]) > _INK
    tight = tight_box(ink)
    if tight is None or not _SIDE[0] <= min(tight.width, tight.height) <= max(tight.width, tight.height) <= _SIDE[1]:
        return None
    side = max(tight.width, tight.height)
    if abs(tight.width - tight.height) > max(1, side // 7):
        return None
    ink = crop(ink, tight)
    rows, columns = np.mgrid[: tight.height, : tight.width]
    # 0 on the diagonal from the lower left to the upper right corner, 1 in the lower right one.
    beyond = (rows / (tight.height - 1) + columns / (tight.width - 1)) - 1
    slack = 2.5 / side
    if (ink & (beyond < -slack - 0.1)).any() or not _is_along(ink & (np.abs(beyond) <= slack + 0.12)):
        return None
    below = ink & (beyond > slack + 0.12)
    if below.sum() < side // 2:
        return None  # one stroke alone
    # Between two strokes there is a gap; a triangle has none, and its corner may be cut.
    across = [bool((ink & (np.abs(beyond - at) < 0.5 / side + 0.02)).any()) for at in np.linspace(0, 0.7, 15)]
    if all(across) and side < _LEAST_TRIANGLE_PX:
        return None
    return tight.moved(box.clamped(size_of(gray)).x1, box.clamped(size_of(gray)).y1), not all(across)


def _handle_at(gray: Gray, place: Rect) -> tuple[Rect, bool] | None:
    """The handle at a place that was told with ground, letters or the frame around it."""
    for by in (3, 0, -2, -4):
        if min(place.width, place.height) + 2 * by >= _SIDE[0]:
            found = handle_in(gray, place.grown(by))
            if found is not None:
                return found
    for side in (26, 20, 14):  # of a frame's corner, what is nearest to it
        if side < min(place.width, place.height):
            found = handle_in(gray, Rect(place.x2 - side, place.y2 - side, place.x2, place.y2))
            if found is not None:
                return found
    return None


def _is_along(stroke: Mask) -> bool:
    """Whether a stroke goes through nearly all rows and columns."""
    return bool(min(stroke.any(axis=0).mean(), stroke.any(axis=1).mean()) >= _LEAST_ALONG)


def with_text_areas(
    gray: Gray, detections: Sequence[Detection], lines: Sequence[Detection], frames: Sequence[Rect]
) -> tuple[list[Detection], list[Detection]]:
    """The detections with the text areas that a handle tells, and the lines without those that are handles.

    Args:
        gray: the whole picture.
        detections: what was detected.
        lines: what was read.
        frames: closed rectangles, which may have a handle that nobody saw.
    """
    places = [
        (one.box, one.type == "resize_handle")
        for one in (*detections, *lines)
        if one.type in {"resize_handle", "icon", "text"} and max(one.box.width, one.box.height) <= _SIDE[1] + 10
    ]
    places += [(_corner_of(frame), True) for frame in frames]
    seen, read = list(detections), list(lines)
    known: list[Rect] = []
    for place, is_told in places:
        found = _handle_at(gray, place)
        if found is None or not (is_told or found[1]):
            continue
        handle = found[0].grown(1)
        if any(handle.intersection(other) is not None for other in known):
            continue
        area = _area_of(gray, found[0])
        if area is None or _is_window(area, seen):
            continue
        known.append(handle)
        seen = [one for one in seen if not _is_said_by(area, handle, one)]
        seen.append(found_by_rule("resize_corner", type="text_area", box=area))
        if not any(one.type == "resize_handle" and one.box.intersection(handle) is not None for one in seen):
            seen.append(found_by_rule("resize_corner", type="resize_handle", box=handle))
        read = [one for one in read if one.box.share_in(handle.grown(4)) < _INSIDE_SHARE]
    return seen, read


def lines_in_areas(
    detections: Sequence[Detection], lines: Sequence[Detection]
) -> tuple[list[Detection], list[Detection]]:
    """The lines in text areas that a handle told, and the others: no editor goes on from one to the other."""
    areas = [one.box for one in detections if one.type == "text_area" and any(map(is_cornered, one.evidence))]
    own = [line for line in lines if any(line.box.share_in(area) >= _INSIDE_SHARE for area in areas)]
    return own, [line for line in lines if line not in own]


def without_parts(gray: Gray, detections: Sequence[Detection]) -> Gray:
    """A picture on which handles and upright scroll bars have the colour beside them, so that only letters are left."""
    size = size_of(gray)
    left = gray
    for one in detections:
        if one.type == "resize_handle" or (one.type == "scrollbar" and one.box.height > one.box.width):
            left = gray.copy() if left is gray else left
            box = one.box.clamped(size)
            crop(left, box)[:] = gray[one.box.center.y, max(0, box.x1 - 2)]
    return left


def beside_handles(gray: Gray, boxes: Sequence[Rect], detections: Sequence[Detection]) -> list[Rect]:
    """Boxes around text without the handles that they reach over."""
    handles = [one.box for one in detections if one.type == "resize_handle"]
    cut: list[Rect] = []
    for box in boxes:
        handle = next((one for one in handles if one.intersection(box) is not None), None)
        if handle is None:
            cut.append(box)
        elif box.x1 < handle.x1 - 2:
            cut += split_line(gray, Rect(box.x1, box.y1, handle.x1 - 1, box.y2))
    return cut


def _corner_of(frame: Rect) -> Rect:
    """Where the handle of a frame is, without the frame itself."""
    side = min(_SIDE[1] + 4, frame.width // 2, frame.height // 2)
    return Rect(frame.x2 - 4 - side, frame.y2 - 4 - side, frame.x2 - 4, frame.y2 - 4)


def _area_of(gray: Gray, handle: Rect) -> Rect | None:
    """The text area that a handle belongs to; None where no edge runs above it."""
    size = size_of(gray)
    reach_y = min(size.height, handle.y2 + _AIR_PX + _RING_PX)
    edges: Mask = np.abs(np.diff(gray[:reach_y], axis=0)) > _EDGE
    least = max(_LEAST[0], round(_LEAST_SIDES * handle.width))
    top = left = right = -1
    for y in range(handle.y1 - 2, max(0, handle.y2 - round(_MOST * size.height)), -1):
        span = _run_over(edges[y], handle)
        if span is not None and span[1] - span[0] >= least:
            top, (left, right) = y, span
            break
    if top < 0 or right - left > _MOST * size.width:
        return None
    # The line around it, and a ring while it has the input, are its own, as far as the next step.
    top = next((y for y in range(top - 1, max(-1, top - _RING_PX), -1) if _is_edge(edges[y], left, right)), top)
    bottom = next((y for y in range(handle.y2 - 3, len(edges)) if _is_edge(edges[y], left, right)), handle.y2 + 2)
    reach = range(bottom + 1, min(len(edges), bottom + _RING_PX))
    bottom = next((y for y in reach if _is_edge(edges[y], left, right)), bottom)
    box = _outer(gray, Rect(left, top + 1, right, bottom + 1)).clamped(size)
    tall = box.height >= max(_LEAST[1], _LEAST_SIDES * handle.height)
    return box if tall and box.x2 - handle.x2 <= 2 * _AIR_PX else None


def _run_over(edge: Mask, handle: Rect) -> tuple[int, int] | None:
    """The run of an edge above or below a handle, half-open; it may end a little before the handle does."""
    reach = handle.x2 - handle.width // 2
    around = (run for run in runs(edge, step=2) if run[0] <= handle.x1 and run[1] >= reach)
    return next(around, None)


def _is_edge(row: Mask, left: int, right: int) -> bool:
    return bool(row[left:right].mean() > _LEAST_OF_EDGE)


def _outer(gray: Gray, box: Rect) -> Rect:
    """A box whose corners are rounded, with the upright lines beside it."""
    size = size_of(gray)
    middle = slice(box.y1 + box.height // 4, box.y2 - box.height // 4)
    x1, x2 = box.x1, box.x2
    steps: Mask = np.abs(np.diff(gray[middle], axis=1)) > _EDGE
    along = steps.mean(axis=0) >= _LEAST_ALONG if steps.size else np.zeros(size.width - 1, dtype=np.bool_)
    left = [x + 1 for x in range(max(0, x1 - _ROUNDED_PX), min(x1 + 2, len(along))) if along[x]]
    right = [x + 1 for x in range(max(0, x2 - 3), min(x2 + _ROUNDED_PX, len(along))) if along[x]]
    return Rect(min(left, default=x1), box.y1, max(right, default=x2), box.y2)


def _is_window(area: Rect, detections: Sequence[Detection]) -> bool:
    """Whether other controls lie in it."""
    controls = (CONTROLS - {"text_area"}) | ROWS | {"checkbox", "radio", "toggle", "slider"}
    inside = [one for one in detections if one.type in controls and one.box.share_in(area) >= _INSIDE_SHARE]
    return sum(iou(one.box, area) <= _SAME_IOU for one in inside) > 1


def _is_said_by(area: Rect, handle: Rect, one: Detection) -> bool:
    """Whether what was detected is the text area or its handle, and no line in it."""
    if one.type in LINE_TYPES:
        return one.box.share_in(handle.grown(4)) >= _INSIDE_SHARE
    if one.type == "icon":
        return iou(one.box, handle) > _SAME_IOU
    if one.type == "text_area":
        return iou(one.box, area) > _SAME_IOU or one.box.share_in(area) >= _INSIDE_SHARE
    return one.type in CONTROLS | ROWS | {"other", "image", "dialog"} and (
        iou(one.box, area) > _SAME_IOU + 0.2 or (one.type in CONTROLS and one.box.share_in(area) >= _INSIDE_SHARE)
    )
