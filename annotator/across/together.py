"""Controls that look alike in every row go where their row goes, although the pixels in their place stay the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from annotator.across.comparison import Comparison
from annotator.across.pixels import cut, size_of
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect

__all__ = ["taken_along"]


def taken_along(
    stayed: Sequence[Element], moved: Mapping[str, Rect], lost: Iterable[Element], comparison: Comparison
) -> dict[str, Rect | None]:
    """New boxes of elements that seem to have stayed and went along with their row; None for those that left with it.

    Only what has a double that also seems to have stayed is asked: a tick in every row of a list, say.

    Args:
        stayed: elements whose pixels are as they were.
        moved: new boxes, by uid, of those that went elsewhere.
        lost: all elements whose place changed.
        comparison: of the two pictures.
    """
    others = list(lost)
    doubles = _doubles(stayed, comparison) if moved else []
    found: dict[str, Rect | None] = {}
    for element in doubles:
        mate = _mate(element, others)
        if mate is None:
            continue
        if mate.uid in moved:
            there = moved[mate.uid]
            box = element.box.moved(there.x1 - mate.box.x1, there.y1 - mate.box.y1)
            if _looks_there(element, box, comparison):
                found[element.uid] = box
        elif _scrolled_out(element, mate, comparison):
            found[element.uid] = None
    return found


def _doubles(stayed: Sequence[Element], comparison: Comparison) -> list[Element]:
    """The elements that look like another one of the same type."""
    alike: dict[tuple[str, tuple[int, ...], bytes], list[Element]] = {}
    for element in stayed:
        piece = cut(comparison.old, element.box)
        alike.setdefault((element.type, piece.shape, piece.tobytes()), []).append(element)
    return [element for group in alike.values() if len(group) > 1 for element in group]


def _mate(element: Element, others: Sequence[Element]) -> Element | None:
    """The nearest of the others in the same row, or else in the same column."""
    rows = [other for other in others if _share(element.box, other.box, across=False)]
    columns = rows or [other for other in others if _share(element.box, other.box, across=True)]
    return min(columns, key=lambda other: _gap(element.box, other.box), default=None)


def _share(a: Rect, b: Rect, *, across: bool) -> bool:
    """Whether two boxes lie in one row: more than half of the lower one's height is common; or in one column."""
    if across:
        return 2 * (min(a.x2, b.x2) - max(a.x1, b.x1)) > min(a.width, b.width)
    return 2 * (min(a.y2, b.y2) - max(a.y1, b.y1)) > min(a.height, b.height)


def _gap(a: Rect, b: Rect) -> int:
    return max(a.x1 - b.x2, b.x1 - a.x2, 0) + max(a.y1 - b.y2, b.y1 - a.y2, 0)


def _looks_there(element: Element, box: Rect, comparison: Comparison) -> bool:
    return box.inside(size_of(comparison.new)) and np.array_equal(
        cut(comparison.old, element.box), cut(comparison.new, box)
    )


def _scrolled_out(element: Element, mate: Element, comparison: Comparison) -> bool:
    """Whether a row was scrolled out of sight: its text is gone, and where it would be now is beyond what moved."""
    for move in comparison.moves:
        source = move.area.moved(-move.dx, -move.dy)
        near = source.union(move.area)
        there, area = element.box.moved(move.dx, move.dy), move.area
        seen = area.x1 <= there.x1 and there.x2 <= area.x2 if move.dx else area.y1 <= there.y1 and there.y2 <= area.y2
        if near.intersection(mate.box) is not None and not seen:
            return True
    return False
