"""Fits windows, dialogs, tool bars and fields to the edges drawn around them, and drops icons that are decoration.

A detector sees no more than some hundred pixels at once, and gives what is larger a box that ends anywhere. Where a
side lies on no edge, the next edge beyond is looked for that runs along all of it. A window without edges is none.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect
from demopack.pixels.colours import Gray
from models.vision.detection import Detection

_FRAMED: frozenset[ElementType] = frozenset({"window", "dialog"})
_DRAWN_AROUND: frozenset[ElementType] = frozenset({"input_field", "text_area", "dropdown"})
"""Controls with a frame of their own; the end of the picture is no frame."""
_EDGE_STEP = 4
"""Steps of brightness that make an edge."""
_EDGE_DISTANCE_PX = 3
"""Pixels that a detected side is off the edge that it means."""
_MIN_SEEN_SHARE, _MIN_WHOLE_SHARE = 0.5, 0.85
"""Share of a side along which an edge runs: of one that a detector meant, and of one that it did not see."""
_MAX_BACK_PX = 24
"""Pixels that an edge may lie before the side that was detected."""

_Flags = npt.NDArray[np.bool_]


def on_edges(gray: Gray, detections: Sequence[Detection]) -> list[Detection]:
    """The detections, those that have a frame on its edges; without windows and dialogs that have none.

    Args:
        gray: the whole picture.
        detections: what was detected.
    """
    settled: list[Detection] = []
    for one in detections:
        if one.type in _FRAMED:
            box = _framed(gray, one.box)
            settled += [] if box is None else [dataclasses.replace(one, box=box)]
        elif one.type in _DRAWN_AROUND:
            settled.append(dataclasses.replace(one, box=_framed(gray, one.box, ends=0.0) or one.box))
        elif one.type == "toolbar":
            settled.append(dataclasses.replace(one, box=_stretched(gray, one.box)))
        else:
            settled.append(one)
    return settled


def _framed(gray: Gray, box: Rect, *, ends: float = 1.0) -> Rect | None:
    """A box on four edges; None where there are none. Not all four are the ends of the picture.

    Args:
        gray: the whole picture.
        box: as it was detected.
        ends: how much of an edge the ends of the picture are, 0..1.
    """
    for _ in range(2):
        # The second time over sides that are known by then.
        left, right = _sides(_changes(gray[box.y1 : box.y2]), box.x1, box.x2, ends=ends)
        if left is None or right is None or left >= right:
            return None
        box = Rect(left, box.y1, right, box.y2)
        top, bottom = _sides(_changes(gray[:, box.x1 : box.x2].T), box.y1, box.y2, ends=ends)
        if top is None or bottom is None or top >= bottom:
            return None
        box = Rect(box.x1, top, box.x2, bottom)
    height, width = gray.shape[:2]
    return None if box == Rect(0, 0, width, height) else box


def _stretched(gray: Gray, box: Rect) -> Rect:
    """A strip whose upper and lower edge go on beyond its ends, as long as they do."""
    above, below = (_along(gray, y, box) for y in (box.y1, box.y2))
    if above is None or below is None:
        return box
    if box.height <= 2 * _EDGE_DISTANCE_PX:
        return box  # nothing lies between its edges that could end it
    ends = _changes(gray[box.y1 + _EDGE_DISTANCE_PX : box.y2 - _EDGE_DISTANCE_PX])
    share = ends.mean(axis=0)
    goes_on = above & below
    left, right = box.x1, box.x2
    while left > 0 and goes_on[left - 1] and share[left - 1] < _MIN_WHOLE_SHARE:
        left -= 1
    while right < gray.shape[1] and goes_on[right - 1] and share[min(right, len(share)) - 1] < _MIN_WHOLE_SHARE:
        right += 1
    return Rect(left, box.y1, right, box.y2)


def _along(gray: Gray, y: int, box: Rect) -> _Flags | None:
    """Where along the picture an edge runs at about a height; None where it does not along the box."""
    if y <= _EDGE_DISTANCE_PX or y >= gray.shape[0] - _EDGE_DISTANCE_PX:
        return np.ones((int(gray.shape[1]),), dtype=np.bool_)
    changes = _changes(gray[y - 1 - _EDGE_DISTANCE_PX : y + _EDGE_DISTANCE_PX + 1].T)
    flags = changes[:, int(changes[box.x1 : box.x2].mean(axis=0).argmax())]
    if flags[box.x1 : box.x2].mean() < _MIN_WHOLE_SHARE:
        return None
    # What stands on the strip may hide a few pixels of its edge.
    wide: npt.NDArray[np.float64] = np.convolve(flags, np.ones(9), mode="same")
    return np.asarray(wide > 0, dtype=np.bool_)


def _changes(part: Gray) -> _Flags:
    """Which pixels differ from their right neighbour, shape (rows, columns - 1)."""
    changes: _Flags = np.abs(np.diff(part, axis=1)) > _EDGE_STEP
    return changes


def _sides(changes: _Flags, low: int, high: int, *, ends: float) -> tuple[int | None, int | None]:
    """The columns between which something lies that was seen from one to another; None for a side without an edge."""
    share = np.concatenate([[ends], changes.mean(axis=0), [ends]])
    back = min(_MAX_BACK_PX, (high - low) // 4)
    return _side(share, low, -1, back=back), _side(share, high, 1, back=back)


def _side(share: npt.NDArray[np.float64], at: int, outward: int, *, back: int) -> int | None:
    first, last = max(0, at - _EDGE_DISTANCE_PX), min(len(share), at + _EDGE_DISTANCE_PX + 1)
    near = share[first:last]
    if near.max() >= _MIN_SEEN_SHARE:
        return first + int(near.argmax())
    start = at - outward * back
    beyond = range(start, len(share) if outward > 0 else -1, outward)
    return next((x for x in beyond if 0 <= x < len(share) and share[x] >= _MIN_WHOLE_SHARE), None)


_OWNERS: frozenset[ElementType] = frozenset({"button", "menu_item", "tab", "tree_item"})
_PICTURES: frozenset[ElementType] = frozenset({"icon", "checkbox", "radio"})
_MAX_GAP_HEIGHTS = 4
"""Pixels that a picture may reach into the box of the words behind it."""
_SMALLER = 1.5
"""A control is at least so many times as large as a picture in it."""


def without_decoration(found: Sequence[Detection]) -> list[Detection]:
    """The elements, without icons and marks that stand before or between the words of a control.

    Args:
        found: what was fused: controls have their text.
    """
    owners: list[tuple[Detection, Rect]] = []
    for one in found:
        words = next((said.box for said in one.evidence if said.source == "ocr" and said.text), None)
        if one.type in _OWNERS and words is not None:
            owners.append((one, words))
    return [one for one in found if one.type not in _PICTURES or not _is_decoration(one, owners)]


def _is_decoration(one: Detection, owners: Sequence[tuple[Detection, Rect]]) -> bool:
    for owner, words in owners:
        larger = owner.box.area > _SMALLER * one.box.area
        ticked = owner.type == "tree_item" and one.type != "icon"
        if larger and not ticked and owner.box.contains(one.box.center) and one.box.x1 < words.x2 - _MAX_GAP_HEIGHTS:
            return True
    return False
