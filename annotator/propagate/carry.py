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


def _carried_boxes(
    stayed: Sequence[Element], moved: Mapping[str, Rect], lost: Sequence[Element], comparison: PictureComparison
) -> dict[str, Rect | None]:
    """New boxes of elements that seem to have stayed and went along with their row; None for those that left with it.

    Only what has a double that also seems to have stayed is asked: a tick in every row of a list, say. ``moved`` has
    the new boxes, by uid, of those that went elsewhere, ``lost`` all elements whose place changed.
    """
    same: dict[tuple[str, tuple[int, ...], bytes], list[Element]] = {}
    for element in stayed if moved else ():
        piece = crop(comparison.old, element.box)
        same.setdefault((element.type, piece.shape, piece.tobytes()), []).append(element)
    found: dict[str, Rect | None] = {}
    for element in [element for doubles in same.values() if len(doubles) > 1 for element in doubles]:
        mate = _mate(element, lost)
        there = None if mate is None else moved.get(mate.uid)
        if mate is not None and there is not None:
            box = element.box.moved(there.x1 - mate.box.x1, there.y1 - mate.box.y1)
            if _is_at(comparison, element, box):
                found[element.uid] = box
        elif mate is not None and _scrolled_out(element, mate, comparison):
            found[element.uid] = None
    return found


def _mate(element: Element, others: Sequence[Element]) -> Element | None:
    """The nearest of the others in the same row, or else in the same column."""
    box = element.box
    rows = [one for one in others if _overlap(box.y1, box.y2, one.box.y1, one.box.y2)]
    columns = rows or [one for one in others if _overlap(box.x1, box.x2, one.box.x1, one.box.x2)]
    return min(columns, key=lambda one: _gap(box, one.box), default=None)


def _overlap(low: int, high: int, other_low: int, other_high: int) -> bool:
    """Whether more than half of the shorter one of two spans is common."""
    return 2 * (min(high, other_high) - max(low, other_low)) > min(high - low, other_high - other_low)


def _gap(a: Rect, b: Rect) -> int:
    return max(a.x1 - b.x2, b.x1 - a.x2, 0) + max(a.y1 - b.y2, b.y1 - a.y2, 0)


def _is_at(comparison: PictureComparison, element: Element, box: Rect) -> bool:
    """Whether an element's pixels are in a box of the new picture."""
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
"""Its pixels are the same in the same place, the same in another, or only like what they were; the surest first."""

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
        return [_made(element, frame, "same") for element in known]
    stayed = [element for element in known if _untouched(element, comparison)]
    if other_window:
        # Of a container only the edge was compared: the other window may lie over most of it.
        seen = [e for e in stayed if float(crop(comparison.differs, e.box).mean()) < _COVERED_SHARE]
        return [_made(element, frame, "same") for element in seen]
    here = {element.uid for element in stayed}
    lost = [element for element in known if element.uid not in here]
    moved = _moved(lost, comparison)
    places = {**moved, **_carried_boxes(stayed, moved, lost, comparison)}
    found: list[CarriedElement] = []
    for element in known:
        if element.uid in places:
            box = places[element.uid]
            made = None if box is None else _elsewhere(element, frame, box)
        elif element.uid in here:
            made = _made(element, frame, "same")
        else:
            made = _like(element, comparison, frame)
        if made is not None:
            found.append(made)
    return found


def _made(element: Element, frame: str, how: How, **fields: Any) -> CarriedElement:  # noqa: ANN401
    made = element.model_copy(update={"uid": new_id("el"), "frame": frame, **fields})
    return CarriedElement(element=made, origin=element.uid, how=how)


def _elsewhere(element: Element, frame: str, box: Rect) -> CarriedElement:
    dx, dy = box.x1 - element.box.x1, box.y1 - element.box.y1
    evidence = tuple(
        said if said.box is None else said.model_copy(update={"box": said.box.moved(dx, dy)})
        for said in element.evidence
    )
    return _made(element, frame, "moved", box=box, evidence=evidence)


# In its place -----------------------------------------------------------------------------------------------------


def _untouched(element: Element, comparison: PictureComparison) -> bool:
    """Whether an element is where it was, its pixels as they were; what lies inside a window may change."""
    box = element.box
    inside = crop(comparison.differs, box)
    if element.type in CONTAINERS:
        return 1.0 - float(inside[_edge_of(inside, _EDGE_PX)].mean()) >= _EDGE_SHARE
    if inside.any():
        return False
    if "focused" not in ATTRIBUTES[element.type].states:
        return True
    # The ring of a focus may be drawn around the box: it has to close around it, else it is a neighbour's.
    around = box.grown(_RING_PX).clamped(size_of(comparison.old))
    ring = crop(comparison.differs, around)
    sides = (ring[:_RING_PX], ring[-_RING_PX:], ring[:, :_RING_PX], ring[:, -_RING_PX:])
    return not all(side.any() for side in sides)


def _edge_of(mask: Mask, width: int) -> Mask:
    """The pixels along the edge of an area."""
    edge = np.ones(mask.shape, dtype=np.bool_)
    edge[width:-width, width:-width] = False
    return edge


# Elsewhere --------------------------------------------------------------------------------------------------------


def _moved(lost: Sequence[Element], comparison: PictureComparison) -> dict[str, Rect]:
    """The new boxes, by uid, of those of the elements that lie elsewhere."""
    found: dict[str, Rect] = {}
    steps = {(move.dx, move.dy) for move in comparison.moves}
    searches = 0
    for element in sorted(lost, key=lambda e: -e.box.area):
        box = _where(element, comparison, steps)
        # What is searched on the whole picture has to show enough.
        shows = element.box.width >= 8 and element.box.height >= 8 and element.type not in CONTAINERS
        if box is None and searches < _MAX_SEARCHES and shows and not _edge_stayed(element, comparison):
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


def _edge_stayed(element: Element, comparison: PictureComparison) -> bool:
    """Whether a control is where it was and looks otherwise inside: the tick that it had may be in another one now."""
    share = _EDGE_SHARE if element.type in _SWITCHES else _FIELD_EDGE_SHARE if element.type in FIELDS else 2.0
    return _edge_alike(crop(comparison.old, element.box), crop(comparison.new, element.box)) >= share


def _where(element: Element, comparison: PictureComparison, steps: Iterable[tuple[int, int]]) -> Rect | None:
    """Where an element went if it made one of these moves, pixel by pixel the same."""
    piece = crop(comparison.old, element.box)
    if not (piece != piece[0, 0]).any():
        # One colour is found everywhere; it goes where its surroundings go.
        went = ((move, element.box.moved(move.dx, move.dy)) for move in comparison.moves)
        return next((box for move, box in went if move.area.encloses(box)), None)
    made = (element.box.moved(dx, dy) for dx, dy in steps)
    return next((box for box in made if _is_at(comparison, element, box) and _arrived(comparison, box)), None)


def _arrived(comparison: PictureComparison, box: Rect) -> bool:
    """Whether something came to a place: what was there all along did not come from elsewhere."""
    return bool(crop(comparison.differs, box).any())


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
    center = box.center
    if any(m.area.moved(-m.dx, -m.dy).contains(center) or m.area.contains(center) for m in comparison.moves):
        # It was in what moved: something else is in its place now, if it lies there at all.
        return None
    old, new = crop(comparison.old, box), crop(comparison.new, box)
    if _drawn_alike(old, new) >= _DRAWN_SHARE and element.type not in FIELDS:
        return _suggested(element, frame, box=box, text=text, states={})
    if element.type in _SWITCHES and _edge_alike(old, new) >= _EDGE_SHARE:
        return _suggested(element, frame, box=box, text=text, states={})
    swallowed = any(r.encloses(box) and r.area >= _SWALLOWS_TIMES * box.area for r in comparison.regions)
    if element.type in FIELDS and _edge_alike(old, new) >= _FIELD_EDGE_SHARE and not swallowed:
        # What is written in a field is what changes; what is inside the edge is compared alone.
        inner = (slice(_RING_PX + 1, -_RING_PX - 1), slice(_RING_PX + 1, -_RING_PX - 1))
        same_text = _drawn_alike(old[inner], new[inner]) >= _INSIDE_SHARE
        return _suggested(element, frame, box=box, text=text if same_text else None, states={})
    return None


def _half_seen(element: Element, move: Move) -> Rect | None:
    """The part of an element that still shows after it was scrolled against an edge."""
    there = element.box.moved(move.dx, move.dy)
    source = move.area.moved(-move.dx, -move.dy)
    part = there.intersection(move.area)
    if part is None or source.intersection(element.box) is None or part.area < _MIN_VISIBLE_SHARE * there.area:
        return None
    return part


def _suggested(element: Element, frame: str, **fields: Any) -> CarriedElement:  # noqa: ANN401
    """A copy that says little: somebody has to look."""
    # Neither a person nor a program has found it here.
    little = {"source": "propagated", "confidence": LOW_CONFIDENCE, "review": "unreviewed", "evidence": ()}
    return _made(element, frame, "changed", **little, **fields)


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
    edge = _edge_of(a, _RING_PX)
    drawn = int((a & edge).sum()) + int((b & edge).sum())
    near = int((a & edge & _wider(b)).sum()) + int((b & edge & _wider(a)).sum())
    return near / drawn if drawn else 0.0


def _wider(drawn: Mask) -> Mask:
    """A mask grown by a pixel to each side."""
    wide = drawn.copy()
    wide[1:] |= drawn[:-1]
    wide[:-1] |= drawn[1:]
    wide[:, 1:] |= wide[:, :-1].copy()
    wide[:, :-1] |= wide[:, 1:].copy()
    return wide
