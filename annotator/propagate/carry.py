"""Propagation of elements to the next picture: which are there, and where; decided by pixels, with a confidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from annotator.propagate.comparison import PictureComparison
from demopack.domain.elements import ATTRIBUTES, Element, ElementType
from demopack.domain.geometry import Rect
from demopack.domain.records import new_id
from demopack.pixels.changes import Move
from demopack.pixels.colours import Codes
from demopack.pixels.masks import Mask, crop, size_of
from demopack.pixels.matching import find_piece


def carried_boxes(
    stayed: Sequence[Element], moved: Mapping[str, Rect], lost: Iterable[Element], comparison: PictureComparison
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


def _doubles(stayed: Sequence[Element], comparison: PictureComparison) -> list[Element]:
    """The elements that look like another one of the same type."""
    alike: dict[tuple[str, tuple[int, ...], bytes], list[Element]] = {}
    for element in stayed:
        piece = crop(comparison.old, element.box)
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


def _looks_there(element: Element, box: Rect, comparison: PictureComparison) -> bool:
    return box.inside(size_of(comparison.new)) and np.array_equal(
        crop(comparison.old, element.box), crop(comparison.new, box)
    )


def _scrolled_out(element: Element, mate: Element, comparison: PictureComparison) -> bool:
    """Whether a row was scrolled out of sight: its text is gone, and where it would be now is beyond what moved."""
    for move in comparison.moves:
        source = move.area.moved(-move.dx, -move.dy)
        near = source.union(move.area)
        there, area = element.box.moved(move.dx, move.dy), move.area
        seen = area.x1 <= there.x1 and there.x2 <= area.x2 if move.dx else area.y1 <= there.y1 and there.y2 <= area.y2
        if near.intersection(mate.box) is not None and not seen:
            return True
    return False


How = Literal["same", "moved", "changed"]
"""Its pixels are the same in the same place, the same in another, or only like what they were."""

LOW_CONFIDENCE: Final = 0.3
"""Of what is carried into a changed region: below what any finder is asked for."""

CONTAINERS: Final[frozenset[ElementType]] = frozenset({"window", "dialog", "toolbar", "image", "menu", "other"})
"""Types that stay what they are when something inside them changes."""
FIELDS: Final[frozenset[ElementType]] = frozenset({"input_field", "text_area", "dropdown", "spinner", "slider"})
"""Types whose inside changes while they stay the same thing: their text is what was entered, another each time."""
_SWITCHES: Final[frozenset[ElementType]] = frozenset({"checkbox", "radio", "toggle", "button", "tab"})
"""Types that look otherwise when they are used, and are called the same."""
_RING_PX = 3
"""Pixels around a box that belong to what it shows: a ring of focus, a shadow."""
_INSIDE_SHARE = 0.96
"""Of what is written in a control so much has to be as it was; a caret is no other text."""
_EDGE_PX = 2
_EDGE_SHARE = 0.9
"""So much of a control's own edge has to be as it was."""
_FIELD_EDGE_SHARE = 0.6
"""The same for wide fields, whose edge grows with the focus; nothing else is as wide and empty."""
_DRAWN_SHARE = 0.7
"""So much of what is drawn has to be drawn as it was, in whatever colours."""
_MIN_VISIBLE_SHARE = 0.6
"""Of what was scrolled half out of sight so much has to show."""
_MAX_SEARCHES = 40
_COVERED_SHARE = 0.5
"""Of a window or tool bar so much may have changed inside while it is still seen."""
_SWALLOWS_TIMES = 6
"""A part that changed and is so many times as large as a field, and around it, did not change by what was typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedElement:
    """An element as it is on the next picture.

    Attributes:
        element: there; with an id of its own.
        origin: uid of the one that it was made of.
        how: how sure that is.
    """

    element: Element
    origin: str
    how: How


def carry(
    elements: Iterable[Element], comparison: PictureComparison, *, frame: str, other_window: bool = False
) -> list[CarriedElement]:
    """The elements of the old picture that are there on the new one, in their order.

    What looks the same is the same, with everything that was said about it. What moved is moved. What changed is only
    suggested, without what may be another by now; where nothing speaks for it, it is left out. Where another window is
    shown, only what can still be seen beside it is the same, and nothing else is looked for.

    Args:
        elements: of the old picture; rejected ones are carried too, so that no finder brings them back.
        comparison: of the two pictures.
        frame: id of the new picture.
        other_window: whether another window had the input there.
    """
    known = [e for e in elements if e.box.area and e.box.inside(size_of(comparison.old))]
    if comparison.same:
        return [_as_it_is(element, frame) for element in known]
    stayed = [element for element in known if _untouched(element, comparison)]
    if other_window:
        return [_as_it_is(element, frame) for element in stayed if _still_seen(element, comparison)]
    here = {element.uid for element in stayed}
    lost = [element for element in known if element.uid not in here]
    moved: dict[str, Rect | None] = dict(_moved(lost, comparison))
    places = {uid: box for uid, box in moved.items() if box is not None}
    moved |= carried_boxes(stayed, places, lost, comparison)
    found: list[CarriedElement] = []
    for element in known:
        if element.uid in moved:
            box = moved[element.uid]
            made = None if box is None else _elsewhere(element, frame, box)
        elif element.uid in here:
            made = _as_it_is(element, frame)
        else:
            made = _like(element, comparison, frame)
        if made is not None:
            found.append(made)
    return found


def _as_it_is(element: Element, frame: str) -> CarriedElement:
    made = element.model_copy(update={"uid": new_id("el"), "frame": frame})
    return CarriedElement(element=made, origin=element.uid, how="same")


def _elsewhere(element: Element, frame: str, box: Rect) -> CarriedElement:
    dx, dy = box.x1 - element.box.x1, box.y1 - element.box.y1
    evidence = tuple(
        said if said.box is None else said.model_copy(update={"box": said.box.moved(dx, dy)})
        for said in element.evidence
    )
    fields = {"uid": new_id("el"), "frame": frame, "box": box, "evidence": evidence}
    return CarriedElement(element=element.model_copy(update=fields), origin=element.uid, how="moved")


# In its place -----------------------------------------------------------------------------------------------------


def _untouched(element: Element, comparison: PictureComparison) -> bool:
    """Whether an element is where it was, its pixels as they were; what lies inside a window may change."""
    box = element.box
    inside = crop(comparison.differs, box)
    if element.type in CONTAINERS:
        return _edge_share(inside) >= _EDGE_SHARE
    if inside.any():
        return False
    if "focused" not in ATTRIBUTES[element.type].states:
        return True
    # The ring of a focus may be drawn around the box: it has to close around it, else it is a neighbour's.
    around = box.grown(_RING_PX).clamped(size_of(comparison.old))
    return not _closes(crop(comparison.differs, around))


def _still_seen(element: Element, comparison: PictureComparison) -> bool:
    """Whether another window does not lie over most of an element, of which only the edge was compared."""
    return float(crop(comparison.differs, element.box).mean()) < _COVERED_SHARE


def _closes(mask: Mask) -> bool:
    return bool(
        mask[:_RING_PX].any() and mask[-_RING_PX:].any() and mask[:, :_RING_PX].any() and mask[:, -_RING_PX:].any()
    )


def _edge_share(mask: Mask) -> float:
    """How much of a box's edge is as it was, 0..1."""
    edge = np.ones(mask.shape, dtype=np.bool_)
    edge[_EDGE_PX:-_EDGE_PX, _EDGE_PX:-_EDGE_PX] = False
    return 1.0 - float(mask[edge].mean())


# Elsewhere --------------------------------------------------------------------------------------------------------


def _moved(lost: Sequence[Element], comparison: PictureComparison) -> dict[str, Rect]:
    """The new boxes, by uid, of those of the elements that lie elsewhere."""
    found: dict[str, Rect] = {}
    steps = {(move.dx, move.dy) for move in comparison.moves}
    searches = 0
    for element in sorted(lost, key=lambda e: -e.box.area):
        box = _where(element, comparison, steps)
        if box is None and searches < _MAX_SEARCHES and _may_move(element) and not _edge_stayed(element, comparison):
            searches += 1
            box = _searched(element, comparison)
            if box is not None:
                # Where one of a window's things went, the others went too.
                steps.add((box.x1 - element.box.x1, box.y1 - element.box.y1))
        if box is not None:
            found[element.uid] = box
    for element in lost:
        # What was looked at before the others' move was known.
        box = None if element.uid in found else _where(element, comparison, steps)
        if box is not None:
            found[element.uid] = box
    return found


def _may_move(element: Element) -> bool:
    """Whether an element shows enough to be looked for on the whole picture."""
    return element.box.width >= 8 and element.box.height >= 8 and element.type not in CONTAINERS


def _edge_stayed(element: Element, comparison: PictureComparison) -> bool:
    """Whether a control is where it was and looks otherwise inside: the tick that it had may be in another one now."""
    share = _EDGE_SHARE if element.type in _SWITCHES else _FIELD_EDGE_SHARE if element.type in FIELDS else 2.0
    return _edge_alike(crop(comparison.old, element.box), crop(comparison.new, element.box)) >= share


def _where(element: Element, comparison: PictureComparison, steps: Iterable[tuple[int, int]]) -> Rect | None:
    """Where an element went if it made one of these moves, pixel by pixel the same."""
    size = size_of(comparison.new)
    piece = crop(comparison.old, element.box)
    if not (piece != piece[0, 0]).any():
        # One colour is found everywhere; it goes where its surroundings go.
        return next((box for move in comparison.moves if (box := _with_move(element, move)) is not None), None)
    for dx, dy in steps:
        box = element.box.moved(dx, dy)
        if box.inside(size) and np.array_equal(crop(comparison.new, box), piece) and _arrived(comparison, box):
            return box
    return None


def _arrived(comparison: PictureComparison, box: Rect) -> bool:
    """Whether something came to a place: what was there all along did not come from elsewhere."""
    return bool(crop(comparison.differs, box).any())


def _with_move(element: Element, move: Move) -> Rect | None:
    box = element.box.moved(move.dx, move.dy)
    return box if move.area.encloses(box) else None


def _searched(element: Element, comparison: PictureComparison) -> Rect | None:
    """Where an element lies now, if its pixels are found in one place that changed, and only there."""
    places = find_piece(comparison.new, crop(comparison.old, element.box))
    if len(places) != 1:
        return None
    x, y = places[0]
    box = Rect(x, y, x + element.box.width, y + element.box.height)
    return box if _arrived(comparison, box) else None


# Like what it was -------------------------------------------------------------------------------------------------


def _like(element: Element, comparison: PictureComparison, frame: str) -> CarriedElement | None:
    """An element as a suggestion where its place changed; None where nothing speaks for it."""
    if element.review == "rejected":
        return None
    box, text = element.box, element.text
    moved = next((part for move in comparison.moves if (part := _half_seen(element, move)) is not None), None)
    if moved is not None:
        return _suggested(element, frame, box=moved, text=text, states=element.states)
    if any(_went(element, move) for move in comparison.moves):
        return None
    old, new = crop(comparison.old, box), crop(comparison.new, box)
    if _drawn_alike(old, new) >= _DRAWN_SHARE and element.type not in FIELDS:
        return _suggested(element, frame, box=box, text=text, states={})
    if element.type in _SWITCHES and _edge_alike(old, new) >= _EDGE_SHARE:
        return _suggested(element, frame, box=box, text=text, states={})
    if element.type in FIELDS and _edge_alike(old, new) >= _FIELD_EDGE_SHARE and not _swallowed(box, comparison):
        # What is written in a field is what changes.
        return _suggested(element, frame, box=box, text=text if _inside_alike(old, new) else None, states={})
    return None


def _swallowed(box: Rect, comparison: PictureComparison) -> bool:
    """Whether a field lies in the midst of a much larger part that changed: another window, or another page."""
    return any(r.encloses(box) and r.area >= _SWALLOWS_TIMES * box.area for r in comparison.regions)


def _half_seen(element: Element, move: Move) -> Rect | None:
    """The part of an element that still shows after it was scrolled against an edge."""
    there = element.box.moved(move.dx, move.dy)
    source = move.area.moved(-move.dx, -move.dy)
    part = there.intersection(move.area)
    if part is None or source.intersection(element.box) is None or part.area < _MIN_VISIBLE_SHARE * there.area:
        return None
    return part


def _went(element: Element, move: Move) -> bool:
    """Whether an element was in what moved: something else is in its place now, if it lies there at all."""
    center = element.box.center
    return move.area.moved(-move.dx, -move.dy).contains(center) or move.area.contains(center)


def _suggested(element: Element, frame: str, **fields: Any) -> CarriedElement:  # noqa: ANN401
    """A copy that says little: somebody has to look."""
    made = element.model_copy(
        update={
            "uid": new_id("el"),
            "frame": frame,
            # Neither a person nor a program has found it here.
            "source": "propagated",
            "confidence": LOW_CONFIDENCE,
            "review": "unreviewed",
            "evidence": (),
            **fields,
        }
    )
    return CarriedElement(element=made, origin=element.uid, how="changed")


# How much is drawn alike ------------------------------------------------------------------------------------------


def _outlines(codes: Codes) -> Mask:
    """Where a pixel differs from the one left of it, or above it."""
    drawn = np.zeros(codes.shape, dtype=np.bool_)
    drawn[:, 1:] |= codes[:, 1:] != codes[:, :-1]
    drawn[1:] |= codes[1:] != codes[:-1]
    return drawn


def _drawn_alike(old: Codes, new: Codes) -> float:
    """How much of what is drawn in either is drawn in both, whatever its colours, 0..1."""
    a, b = _outlines(old), _outlines(new)
    both = int((a | b).sum())
    return float((a & b).sum()) / both if both else 0.0


def _edge_alike(old: Codes, new: Codes) -> float:
    """How much of the outline around a control is there still, in whatever colour and a pixel thicker, 0..1."""
    a, b = _outlines(old), _outlines(new)
    edge = np.ones(a.shape, dtype=np.bool_)
    edge[_RING_PX:-_RING_PX, _RING_PX:-_RING_PX] = False
    drawn = int((a & edge).sum()) + int((b & edge).sum())
    near = int((a & edge & _wider(b)).sum()) + int((b & edge & _wider(a)).sum())
    return near / drawn if drawn else 0.0


def _inside_alike(old: Codes, new: Codes) -> bool:
    """Whether what is written in a control is what was written there."""
    inner = (slice(_RING_PX + 1, -_RING_PX - 1), slice(_RING_PX + 1, -_RING_PX - 1))
    return _drawn_alike(old[inner], new[inner]) >= _INSIDE_SHARE


def _wider(drawn: Mask) -> Mask:
    """A mask grown by a pixel to each side."""
    wide = drawn.copy()
    wide[1:] |= drawn[:-1]
    wide[:-1] |= drawn[1:]
    wide[:, 1:] |= wide[:, :-1].copy()
    wide[:, :-1] |= wide[:, 1:].copy()
    return wide
