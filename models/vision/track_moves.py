"""How far tracks are expected to have moved: with their neighbours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import Element, ElementType
from demopack.domain.overlap import Boxes, box_array
from models.vision.appearance import Descriptors
from models.vision.track_marks import (
    MAX_TEXT_PAIRS,
    MIN_TEXT_LIKENESS,
    Sighting,
    common,
    in_order,
    key_of,
    likeness,
    names_of,
    pixels_of,
    type_cost,
)  # fmt: skip

_LONG = 5
_BESIDE, _ELSEWHERE = 4.0, 1e5
_WINDOWS: frozenset[ElementType] = frozenset({"window", "dialog"})


def expected_moves(new: Sequence[Element], looks: Descriptors, old: Sequence[Sighting]) -> list[tuple[int, int]]:
    """How far each track is expected to have moved: as the nearest one did that is known for sure.

    That is one which is the only one with its text, or with its pixels, on the frame before and on the new one. What
    has not changed, its whole row included, is where it was.
    """
    shown = [s for s in old if s.now]
    pairs: dict[int, int] = {}
    was = [s.element for s in shown]
    seen = in_order(new, looks)
    looked = [s.look for s in shown]
    for mine, their in (names_of(new), names_of(was)), (pixels_of(seen), pixels_of(looked)):
        for i, j in common(mine, their):
            if type_cost(new[i].type, was[j].type) < 1:
                pairs.setdefault(i, j)
    left = [i for i in range(len(new)) if i not in pairs], [j for j in range(len(was)) if j not in pairs.values()]
    pairs |= _read_differently(new, was, *left)
    if not pairs:
        return [(0, 0)] * len(old)
    places = box_array([shown[j].place for j in pairs.values()])
    steps = box_array([new[i].box for i in pairs])[:, :2] - places[:, :2]
    moves: list[tuple[int, int]] = []
    unchanged = {look.around for look in seen if look is not None}
    windows = box_array([s.element.box for s in shown if s.element.type in _WINDOWS])
    homes = _home(places, windows)
    for sighting, box in zip(old, box_array([s.place for s in old]), strict=True):
        if sighting.now and sighting.look is not None and sighting.look.around in unchanged:
            moves.append((0, 0))
            continue
        gap = np.maximum(0, np.maximum(places[:, :2] - box[2:], box[:2] - places[:, 2:]))
        # Things side by side are more likely in different panes than things above each other.
        elsewhere = homes != _home(box[None, :], windows)
        nearest = int(np.argmin(_BESIDE * gap[:, 0] + gap[:, 1] + _ELSEWHERE * elsewhere))
        step = np.zeros(2) if elsewhere[nearest] else steps[nearest]
        moves.append((int(step[0]), int(step[1])))
    return moves


def _home(boxes: Boxes, windows: Boxes) -> npt.NDArray[np.intp]:
    """The number of the window around each box; -1 for none. What stands on the desktop does not move with a window."""
    homes = np.full(len(boxes), -1, dtype=np.intp)
    for i, window in enumerate(windows):
        inside = (boxes[:, :2] >= window[:2]).all(axis=1) & (boxes[:, 2:] <= window[2:]).all(axis=1)
        homes[inside] = i
    return homes


def _read_differently(
    new: Sequence[Element], old: Sequence[Element], rows: Sequence[int], columns: Sequence[int]
) -> dict[int, int]:
    """Pairs of the same longer text that the reader got differently, of these rows and columns."""
    pairs: dict[int, int] = {}
    names, others = ([key_of(element.text) for element in group] for group in (new, old))
    rows = [i for i in rows if len(names[i]) >= _LONG and names.count(names[i]) == 1]
    columns = [j for j in columns if len(others[j]) >= _LONG and others.count(others[j]) == 1]
    if len(rows) * len(columns) > MAX_TEXT_PAIRS:
        return pairs
    for i in rows:
        like = [j for j in columns if likeness(names[i], others[j]) >= MIN_TEXT_LIKENESS]
        if len(like) == 1 and like[0] not in pairs.values():
            pairs[i] = like[0]
    return pairs
