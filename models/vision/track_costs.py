"""What it costs to take one element for another: type, text, place and appearance, always a finite number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import Element, ElementType
from demopack.domain.overlap import Boxes, box_array
from models.vision.appearance import Descriptor, Descriptors, dissimilarity
from models.vision.track_marks import (
    MAX_TEXT_PAIRS,
    MIN_TEXT_LIKENESS,
    Floats,
    Mask,
    Sighting,
    in_order,
    key_of,
    likeness,
    names_of,
    only_one,
    pixels_of,
    single,
    type_cost,
)  # fmt: skip

IMPOSSIBLE: Final = 1e3
"""Costs from here on mean: not the same. Finite, because an assignment needs finite costs."""
_BY_PLACE: frozenset[ElementType] = frozenset({
    "input_field", "text_area", "dropdown", "spinner", "slider", "toggle", "scrollbar", "scrollbar_up_button",
    "scrollbar_down_button", "scrollbar_left_button", "scrollbar_right_button", "scrollbar_thumb", "resize_handle",
    "image", "icon", "shape", "window", "dialog", "toolbar", "other",
})  # fmt: skip
"""Types whose text may change while they stay the same thing; the others are what is written on them."""
_MAX_MOVE_PX = 12
"""Pixels that an element may have moved by itself, beside half its width or height."""
_THERE_PX = 6
"""Pixels by which the models waver about a box that is where it was expected."""
_MIN_TEXT_LIKENESS = 0.6
"""Texts that have less in common are different texts."""
_MAX_DESCRIPTOR_DIFFERENCE = 0.35
"""Descriptors that differ more are different things, where place alone would join them."""
_MAX_SIZE_DIFFERENCE = 0.3
"""Largest relative difference in width or height."""
_UNKNOWN_APPEARANCE_COST = 0.3
_PLACE, _TEXT, _TYPE, _LOOK, _OLD = 1.0, 0.6, 0.4, 0.5, 0.1
"""Weights of the parts; ``_OLD`` is paid for what was not on the frame before."""


def track_costs(
    new: Sequence[Element], looks: Descriptors, old: Sequence[Sighting], *, free: Mask, strict: bool
) -> Floats:
    """The costs of every pair, shape (new, old); ``IMPOSSIBLE`` where two cannot be the same.

    Args:
        new: the elements of one frame, at least one.
        looks: of the new elements, by uid.
        old: the tracks, at least one.
        free: shape (new, old), the pairs that are not decided yet.
        strict: only pairs that lie where they are expected, or are the only ones with their text or pixels.
    """
    was = [s.element for s in old]
    names, others = (names_of(new), names_of(was)), (pixels_of(in_order(new, looks)), pixels_of([s.look for s in old]))
    a, b = box_array([e.box for e in new]), box_array([s.place for s in old])
    moves = np.array([s.move for s in old], dtype=np.float64)
    moved = _apart(a, b + np.hstack([moves, moves]))
    reach = _MAX_MOVE_PX + 0.5 * np.maximum(a[:, 2:] - a[:, :2], 1)[:, None]
    there, step = moved.max(axis=2) <= _THERE_PX, (moved / reach).max(axis=2)
    if not strict:
        # What looks like no other may have stayed where it was, although its neighbours moved.
        known = single(names[1]) | single(others[1]) | ~moves.any(axis=1)
        for places in (b, box_array([e.box for e in was])):
            step = np.minimum(step, np.where(known[None, :], (_apart(a, places) / reach).max(axis=2), np.inf))
    near = free & (there if strict else step <= 1)
    # What is left after the sure ones is mostly little enough to compare it letter by letter, wherever it lies.
    compared = near if strict or free.sum() > MAX_TEXT_PAIRS else free
    text, types = _text_likeness(new, was, compared), _type_costs(new, was)
    look = _look_costs(in_order(new, looks), [s.look for s in old], free & (near | (text >= 1)))
    alike = _size_difference(a, b) <= _MAX_SIZE_DIFFERENCE
    by_place = _by_place(new)[:, None] & _by_place(was)[None, :]
    similar = alike & ((look <= _MAX_DESCRIPTOR_DIFFERENCE) | (text >= 1))
    same = np.where(by_place, near & (there | similar), near & (text >= _MIN_TEXT_LIKENESS))
    same |= only_one(*names) & ~by_place
    same |= only_one(*others) & alike & _wordless(new, was)
    if not strict:
        same |= ~by_place & (text >= MIN_TEXT_LIKENESS) & single(names[0])[:, None] & single(names[1])[None, :]
    same &= free & ((types < 1) | ((look == 0) & there))
    away = np.where(near, 0.5 * np.minimum(step, 1), 0.5 + 0.5 * _share(moved.max(axis=2), a, b))
    unlike = np.where(by_place, 0.3, 1.0) * (1 - text)
    late = np.array([0.0 if s.now else _OLD for s in old])[None, :]
    return np.where(same, _PLACE * away + _TEXT * unlike + _TYPE * types + _LOOK * look + late, IMPOSSIBLE)


def _apart(a: Boxes, b: npt.NDArray[Any]) -> Floats:
    """How far the edges of boxes are apart at most, across and down, in pixels; shape (a, b, 2)."""
    edges = np.abs(a[:, None] - b[None, :])
    return np.asarray(np.maximum(edges[..., :2], edges[..., 2:]))


def _share(distance: npt.NDArray[Any], a: Boxes, b: Boxes) -> Floats:
    """Distances as shares of the largest coordinate."""
    return np.minimum(1.0, distance / max(1.0, float(a.max()), float(b.max())))


def _size_difference(a: Boxes, b: Boxes) -> Floats:
    """The larger relative difference of width and height, 0..1."""
    one, other = (np.maximum(boxes[:, 2:] - boxes[:, :2], 1) for boxes in (a, b))
    larger = np.maximum(one[:, None], other[None, :])
    return np.asarray((np.abs(one[:, None] - other[None, :]) / larger).max(axis=2))


def _type_costs(new: Sequence[Element], old: Sequence[Element]) -> Floats:
    """0 for equal types, a half for such as are taken for one another, 1 for others."""
    return np.array([[type_cost(one.type, other.type) for other in old] for one in new])


def _text_likeness(new: Sequence[Element], old: Sequence[Element], near: Mask) -> Floats:
    """1 for equal texts, 0 for nothing in common; only near pairs are compared letter by letter."""
    numbers: dict[str, int] = {}
    ours, theirs = ([numbers.setdefault(key_of(e.text), len(numbers)) for e in group] for group in (new, old))
    empty = numbers.setdefault("", len(numbers))
    mine, their = np.array(ours)[:, None], np.array(theirs)[None, :]
    shares = np.where((mine == their) & (mine != empty), 1.0, 0.0)
    names = list(numbers)
    for i, j in np.argwhere(near & (mine != their) & (mine != empty) & (their != empty)).tolist():
        shares[i, j] = likeness(names[ours[i]], names[theirs[j]])
    return shares


def _look_costs(mine: Sequence[Descriptor | None], their: Sequence[Descriptor | None], wanted: Mask) -> Floats:
    """How different pairs look, 0..1; beside the wanted pairs that is not asked."""
    costs = np.full(wanted.shape, _UNKNOWN_APPEARANCE_COST)
    for i, j in np.argwhere(wanted).tolist():
        a, b = mine[i], their[j]
        if a is not None and b is not None:
            costs[i, j] = dissimilarity(a, b)
    return costs


def _by_place(elements: Sequence[Element]) -> Mask:
    return np.array([element.type in _BY_PLACE or not key_of(element.text) for element in elements])


def _wordless(new: Sequence[Element], old: Sequence[Element]) -> Mask:
    """The pairs of which neither has text; a text may be typed into any field."""
    ours, theirs = (np.array([not key_of(element.text) for element in group]) for group in (new, old))
    return np.asarray(ours[:, None] & theirs[None, :])
