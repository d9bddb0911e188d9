"""From what widgets say to what the picture shows: cut, covered, and drawn tight around the pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from demopack.domain.elements import ATTRIBUTES, ElementType, State
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size, subtract
from demopack.pixels.foreground import MARGIN, foreground_box
from lab.screens.qt.edges import drawn_frame, has_edge
from models.training.labelled_screens import GroundTruth

Way = Literal["rect", "frame", "tight", "ink", "tool", "edge"]
"""How the box follows from the rough one: as it is; the frame drawn in it; the ink without air; the ink with air; frame
or ink, whichever is drawn; as it is, if its edge or ground can be seen at all."""

_SEEN = 0.5
"""Share of an element that must be seen."""
_LEGIBLE = 0.97
"""Share of the length of words that must be seen."""
_SMALLEST = 3
_FULL = 0.88
"""Share of each side that a ground covers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """What a widget says about one element, in pixels of the picture.

    Attributes:
        type: what it is.
        rough: where it is; for ink, a region that holds nothing else.
        clip: what the views around it let through.
        window: number of its window; later ones lie on top.
        way: how the box is found.
        exact: box of the glyphs as the font gives it, for grounds on which ink cannot be told.
        text: what it says.
        stops: for text that may be cut: left edge of each character, and the right edge of the last.
        words: where the text of a control stands in it; everywhere when left out.
        subtype: of icons.
        states: as the widget gives them.
    """

    type: ElementType
    rough: Rect
    clip: Rect
    window: int
    way: Way = "rect"
    exact: Rect | None = None
    text: str | None = None
    stops: tuple[float, ...] = ()
    words: Rect | None = None
    subtype: str | None = None
    states: dict[State, bool] = field(default_factory=dict[State, bool])


def settle(image: RgbImage, placed: Sequence[Placed], covers: Sequence[tuple[int, Rect]]) -> list[GroundTruth]:
    """The truth of a picture.

    Args:
        image: shape (height, width, 3), uint8.
        placed: in the order of painting.
        covers: regions that hide every window with a smaller number than theirs.
    """
    size = Size(image.shape[1], image.shape[0])
    found: list[tuple[int, GroundTruth]] = []
    for one in placed:
        over = [rect for window, rect in covers if window > one.window]
        truth = _truth(image, one, over, size)
        if truth is not None:
            found.append((one.window, truth))
    return _with_leaves(_distinct(found))


def _truth(image: RgbImage, one: Placed, over: Sequence[Rect], size: Size) -> GroundTruth | None:
    open_part = _open(one, size)
    if open_part is None:
        return None
    parts = subtract(open_part, over)
    if sum(part.area for part in parts) < _SEEN * max(1, one.rough.area):
        return None
    if not parts:
        return None
    box = _WAYS[one.way](image, one, parts)
    if box is None or min(box.width, box.height) < _SMALLEST:
        return None
    may = ATTRIBUTES[one.type]
    return GroundTruth(
        type=one.type,
        box=box,
        text=_readable(one, parts) if may.text else None,
        subtype=one.subtype if may.subtype else None,
        states={state: value for state, value in one.states.items() if state in may.states},
    )


def _open(one: Placed, size: Size) -> Rect | None:
    clipped = one.rough.intersection(one.clip)
    return None if clipped is None else clipped.intersection(Rect(0, 0, size.width, size.height))


def _around(parts: Sequence[Rect]) -> Rect:
    box = parts[0]
    for part in parts[1:]:
        box = box.union(part)
    return box


def _largest(parts: Sequence[Rect]) -> Rect:
    return max(parts, key=lambda part: part.area)


def _as_is(_image: RgbImage, _one: Placed, parts: Sequence[Rect]) -> Rect | None:
    return _around(parts)


def _frame(image: RgbImage, _one: Placed, parts: Sequence[Rect]) -> Rect | None:
    rough = _around(parts)
    return (drawn_frame(image, rough) if len(parts) == 1 else None) or rough


def _ink(image: RgbImage, one: Placed, parts: Sequence[Rect]) -> Rect | None:
    rough = _largest(parts)
    inked = foreground_box(image, rough)
    if one.exact is None:
        return inked
    if len(parts) == 1 and parts[0] == one.rough and not _agree(inked, one.exact):
        # A gradient or a pattern below: the glyphs are where the font puts them.
        grown = Rect(one.exact.x1 - MARGIN, one.exact.y1 - MARGIN, one.exact.x2 + MARGIN, one.exact.y2 + MARGIN)
        return grown.clamped(Size(image.shape[1], image.shape[0]))
    return inked


def _tight(image: RgbImage, _one: Placed, parts: Sequence[Rect]) -> Rect | None:
    rough = _largest(parts)
    return foreground_box(image, rough, margin=0) or rough


def _agree(inked: Rect | None, exact: Rect) -> bool:
    if inked is None:
        return False
    near = 3 + MARGIN
    edges = (inked.x1 - exact.x1, inked.y1 - exact.y1, inked.x2 - exact.x2, inked.y2 - exact.y2)
    return all(abs(edge) <= near for edge in edges)


def _tool(image: RgbImage, one: Placed, parts: Sequence[Rect]) -> Rect | None:
    if len(parts) > 1 and one.exact is None:
        # Something lies on a corner of it: what is left is still as wide and as high.
        return _around(parts)
    rough = _largest(parts)
    framed = drawn_frame(image, rough)
    if framed is not None:
        return framed
    tight = foreground_box(image, rough, margin=0)
    # A round ground has no straight sides; a gradient below has none, either, but then the icon is known.
    known = one.exact is not None and one.exact.width < _FULL * rough.width
    if tight is not None and not known and _fills(tight, rough):
        return tight
    return _ink(image, one, parts)


def _fills(box: Rect, rough: Rect) -> bool:
    return box.width >= _FULL * rough.width and box.height >= _FULL * rough.height


def _edge(image: RgbImage, one: Placed, parts: Sequence[Rect]) -> Rect | None:
    return _around(parts) if has_edge(image, one.rough) else None


_WAYS: Final[dict[Way, Callable[[RgbImage, Placed, Sequence[Rect]], Rect | None]]] = {
    "rect": _as_is,
    "frame": _frame,
    "tight": _tight,
    "ink": _ink,
    "tool": _tool,
    "edge": _edge,
}


def _readable(one: Placed, parts: Sequence[Rect]) -> str | None:
    """The text without the characters that are cut off or covered."""
    if not one.text:
        return None
    shown = _largest(parts)
    if not one.stops:
        return one.text if _uncovered(one.words or one.rough, shown) else None
    kept = [
        char
        for char, left, right in zip(one.text, one.stops, one.stops[1:], strict=False)
        if shown.x1 - 1 <= (left + right) / 2 <= shown.x2 + 1
    ]
    return "".join(kept).strip() or None


def _uncovered(words: Rect, shown: Rect) -> bool:
    """Whether words can be read: over their whole length, and at least half of their height."""
    common = words.intersection(shown)
    if common is None:
        return False
    return common.width >= _LEGIBLE * words.width and common.height >= _SEEN * words.height


def _distinct(found: Sequence[tuple[int, GroundTruth]]) -> list[tuple[int, GroundTruth]]:
    seen: set[tuple[str, Rect]] = set()
    kept: list[tuple[int, GroundTruth]] = []
    for window, truth in found:
        key = (truth.type, truth.box)
        if key not in seen:
            seen.add(key)
            kept.append((window, truth))
    return kept


def _with_leaves(found: Sequence[tuple[int, GroundTruth]]) -> list[GroundTruth]:
    """Whatever holds another element of its own window is no leaf."""
    if not found:
        return []
    windows = np.array([window for window, _ in found])
    x1, y1, x2, y2 = np.array([(t.box.x1, t.box.y1, t.box.x2, t.box.y2) for _, t in found]).T
    areas = (x2 - x1) * (y2 - y1)
    leaves: list[GroundTruth] = []
    for number, (window, truth) in enumerate(found):
        box = truth.box
        held = (x1 >= box.x1) & (y1 >= box.y1) & (x2 <= box.x2) & (y2 <= box.y2)
        held &= (windows == window) & (areas < areas[number])
        leaves.append(truth.model_copy(update={"leaf": False}) if bool(held.any()) else truth)
    return leaves
