"""Elements that stand there twice: nearly the same box of one type, or one inside another with the same words."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import Element, ElementType

__all__ = ["Duplicate", "Reason", "find_duplicates"]

Reason = Literal["same_box", "same_text_inside"]

_SAME: Final = 0.7
"""Overlap (IoU) of two boxes of one type that are one thing."""
_HOLDS: Final[frozenset[ElementType]] = frozenset({"text_area", "window", "dialog", "toolbar", "image", "menu"})
"""Types that hold words of their own: a word in them is another thing, also where it is all that they say."""
_CHUNK: Final = 256
_Boxes = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """One element too many.

    Attributes:
        uid: of the one that can go.
        keep: of the one that says the same.
        frame: id of their frame.
        reason: how they are the same.
    """

    uid: str
    keep: str
    frame: str
    reason: Reason


def find_duplicates(elements: Sequence[Element], *, targets: Collection[str] = ()) -> list[Duplicate]:
    """The duplicates on one frame, from its top to its bottom; rejected elements are left out.

    Of two, the one stays that a step is bound to, then the one that a person drew or approved; of two such, and of two
    that nobody looked at, the one whose finder was surer, then the larger one. An element goes once at most, and what
    another one gave way to stays.

    Args:
        elements: of the frame.
        targets: uids of what steps are bound to; none of these ever goes.
    """
    live = [element for element in elements if element.review != "rejected" and element.box.area]
    # The best first: whatever comes later gives way to it.
    live.sort(key=lambda element: (element.uid in targets, *_worth(element)), reverse=True)
    gone: dict[int, Duplicate] = {}
    for first, second, reason in _pairs(live):
        if first in gone or second in gone or live[second].uid in targets:
            continue
        better, worse = live[first], live[second]
        gone[second] = Duplicate(uid=worse.uid, keep=better.uid, frame=worse.frame, reason=reason)
    by_uid = {element.uid: element.box for element in live}
    return sorted(gone.values(), key=lambda one: (by_uid[one.uid].y1, by_uid[one.uid].x1, one.uid))


def _worth(element: Element) -> tuple[bool, bool, float, int, str]:
    sure = 1.0 if element.confidence is None else element.confidence
    return (element.source == "human", element.review == "approved", sure, element.box.area, element.uid)


def _pairs(live: Sequence[Element]) -> Iterator[tuple[int, int, Reason]]:
    """Places (better, worse) of elements that are the same, the better one's place first in order."""
    if len(live) < 2:
        return
    boxes = np.array([(e.box.x1, e.box.y1, e.box.x2, e.box.y2) for e in live], dtype=np.float64)
    kinds, words = _numbered([e.type for e in live]), _numbered([_letters(e.text) for e in live])
    areas, holds = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), np.array([e.type in _HOLDS for e in live])
    has_words = np.array([bool(_letters(e.text)) for e in live])
    for start in range(0, len(live), _CHUNK):
        rows = slice(start, min(start + _CHUNK, len(live)))
        overlap, inside = _compare(boxes[rows], boxes)
        same_box = (overlap > _SAME) & (kinds[rows, None] == kinds[None, :])
        spoken = (words[rows, None] == words[None, :]) & has_words[rows, None]
        spoken &= ~np.where(areas[rows, None] >= areas[None, :], holds[rows, None], holds[None, :])
        for near, far in np.argwhere(same_box | (inside & spoken)):
            first, second = start + int(near), int(far)
            if first < second:
                yield first, second, "same_box" if same_box[near, far] else "same_text_inside"


def _compare(a: _Boxes, b: _Boxes) -> tuple[_Boxes, npt.NDArray[np.bool_]]:
    """IoU of every pair, and whether one of the two lies inside the other."""
    width = np.clip(np.minimum(a[:, None, 2], b[None, :, 2]) - np.maximum(a[:, None, 0], b[None, :, 0]), 0, None)
    height = np.clip(np.minimum(a[:, None, 3], b[None, :, 3]) - np.maximum(a[:, None, 1], b[None, :, 1]), 0, None)
    common = width * height
    areas_a = ((a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1]))[:, None]
    areas_b = ((b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1]))[None, :]
    overlap: _Boxes = common / (areas_a + areas_b - common)
    inside: npt.NDArray[np.bool_] = common >= np.minimum(areas_a, areas_b)
    return overlap, inside


def _numbered(values: Sequence[str]) -> npt.NDArray[np.int64]:
    known: dict[str, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)


def _letters(text: str | None) -> str:
    return " ".join(unicodedata.normalize("NFKC", text or "").casefold().split())
