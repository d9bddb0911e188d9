"""Follows elements over the frames of a demo: which element on this frame is one that was seen before.

One assignment of least total cost over type, text, place and appearance. Costs are always finite, so one new element
cannot spoil the others, and an element that was not seen for a while is matched like any other. Where content scrolled
or a window was moved, the elements that can be known for sure tell how far, and the others are looked for there.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect
from demopack.domain.overlap import Boxes, assign, box_array, enclosed
from demopack.domain.text_likeness import digits_in, ratio
from models.vision.appearance import Descriptor, Descriptors, dissimilarity

Floats: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]

_FAMILIES: tuple[frozenset[ElementType], ...] = (
    frozenset({
        "text", "hyperlink", "tabled_text", "draggable_text", "button", "tab", "menu", "menu_item", "list_item",
        "tree_item", "other",
    }),
    frozenset({"input_field", "text_area", "spinner", "dropdown", "button", "other"}),
    frozenset({"checkbox", "radio", "toggle", "shape", "icon"}),
    frozenset({"icon", "image", "shape", "button", "other"}),
    frozenset({"window", "dialog", "toolbar", "image", "other"}),
    frozenset({"scrollbar", "slider"}),
)  # fmt: skip
"""Types that a model may take for one another."""
_MIN_THUMBNAIL_LIKENESS = 0.7
"""Thumbnails that have as much in common may be of the same kind of icon."""
_MIN_SAME_TEXT: Final = 0.9
"""Texts that have as much in common, and the same digits, are one text that was read differently."""
_MAX_TEXT_PAIRS: Final = 5000
"""Pairs of texts that may be compared letter by letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """An element as it was seen: on this frame, or as the last one of a track.

    Attributes:
        element: the element.
        place: where it would be now if nothing moved.
        look: what it looked like; None when that is not known.
        now: whether it was on the frame just before.
        move: how far it is expected to have moved since, in pixels.
    """

    element: Element
    place: Rect
    look: Descriptor | None = None
    now: bool = True
    move: tuple[int, int] = (0, 0)

    @property
    def words(self) -> str:
        """Its text as it is compared."""
        return _key_of(self.element.text)


@lru_cache(maxsize=2048)
def _type_cost(a: ElementType, b: ElementType) -> float:
    """0 for equal types, a half for such as models take for one another, 1 for others."""
    if a == b:
        return 0.0
    return 0.5 if any(a in family and b in family for family in _FAMILIES) else 1.0


@lru_cache(maxsize=65_536)
def _likeness(a: str, b: str) -> float:
    """What two different texts have in common, 0 to 0.99; below ``_MIN_SAME_TEXT`` where their digits differ."""
    share = ratio(a, b)
    if digits_in(a) == digits_in(b):
        return min(0.99, share)
    # Numbers tell the rows of a list apart.
    return min(_MIN_SAME_TEXT - 0.01, share)


@lru_cache(maxsize=65_536)
def _key_of(text: str | None) -> str:
    """Text as it is compared: OCR wavers in spaces, case and dots."""
    if not text:
        return ""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if c.isalnum())
    return plain or text.strip()


def _once(names: Sequence[Hashable]) -> dict[Hashable, int]:
    """Where each name stands that occurs once; None is no name."""
    counts = Counter(names)
    return {name: i for i, name in enumerate(names) if name is not None and counts[name] == 1}


def _names_of(seen: Sequence[Sighting]) -> dict[Hashable, int]:
    """The elements that are the only ones with their text; one that is too short says too little."""
    return _once([s.words if len(s.words) >= 2 else None for s in seen])


def _pixels_of(seen: Sequence[Sighting]) -> dict[Hashable, int]:
    """The elements that look like no other of theirs, by their pixels.

    A box that is one pixel off makes one of many equal ticks the only one with its pixels, so that is not enough.
    """
    looks = {i: s.look for i, s in enumerate(seen) if s.look is not None and s.look.thumb.any()}
    if not looks:
        return {}
    thumbs = np.stack([look.thumb for look in looks.values()])
    alone = (np.abs(thumbs @ thumbs.T) >= _MIN_THUMBNAIL_LIKENESS).sum(axis=1) == 1
    # Two that look unlike never have the same pixels.
    return {look.digest: i for (i, look), only in zip(looks.items(), alone, strict=True) if only}


def _common(mine: Mapping[Hashable, int], their: Mapping[Hashable, int]) -> list[tuple[int, int]]:
    """The places of what has one name on both sides."""
    return [(i, their[name]) for name, i in mine.items() if name in their]


def _mask(shape: int | tuple[int, ...], places: Iterable[int | tuple[int, int]]) -> Mask:
    mask: Mask = np.zeros(shape, dtype=np.bool_)
    for place in places:
        mask[place] = True
    return mask


_LONG = 5
_BESIDE, _ELSEWHERE = 4.0, 1e5
_WINDOWS: frozenset[ElementType] = frozenset({"window", "dialog"})


def expected_moves(new: Sequence[Sighting], old: Sequence[Sighting]) -> list[tuple[int, int]]:
    """How far each track is expected to have moved: as the nearest one did that is known for sure.

    That is one which is the only one with its text, or with its pixels, on the frame before and on the new one. What
    has not changed, its whole row included, is where it was.
    """
    shown = [s for s in old if s.now]
    pairs: dict[int, int] = {}
    for mine, their in (_names_of(new), _names_of(shown)), (_pixels_of(new), _pixels_of(shown)):
        for i, j in _common(mine, their):
            if _type_cost(new[i].element.type, shown[j].element.type) < 1:
                pairs.setdefault(i, j)
    pairs |= _read_differently(new, shown, pairs)
    if not pairs:
        return [(0, 0)] * len(old)
    places = box_array([shown[j].place for j in pairs.values()])
    steps = box_array([new[i].place for i in pairs])[:, :2] - places[:, :2]
    moves: list[tuple[int, int]] = []
    unchanged = {s.look.around for s in new if s.look is not None}
    windows = [s.element.box for s in shown if s.element.type in _WINDOWS]
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


def _home(boxes: Boxes, windows: Sequence[Rect]) -> npt.NDArray[np.intp]:
    """The number of the window around each box; -1 for none. What stands on the desktop does not move with a window."""
    homes = np.full(len(boxes), -1, dtype=np.intp)
    for i, window in enumerate(windows):
        homes[enclosed(boxes, window)] = i
    return homes


def _read_differently(new: Sequence[Sighting], old: Sequence[Sighting], known: Mapping[int, int]) -> dict[int, int]:
    """Further pairs beside the known ones: of the same longer text that the reader got differently."""
    pairs: dict[int, int] = {}
    names, others = ([s.words for s in group] for group in (new, old))
    rows = [i for i, name in enumerate(names) if i not in known and len(name) >= _LONG and names.count(name) == 1]
    taken = set(known.values())
    columns = [j for j, name in enumerate(others) if j not in taken and len(name) >= _LONG and others.count(name) == 1]
    if len(rows) * len(columns) > _MAX_TEXT_PAIRS:
        return pairs
    for i in rows:
        like = [j for j in columns if _likeness(names[i], others[j]) >= _MIN_SAME_TEXT]
        if len(like) == 1 and like[0] not in pairs.values():
            pairs[i] = like[0]
    return pairs


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
_MIN_SIMILAR_TEXT = 0.6
"""Texts that have less in common are different texts."""
_MAX_DESCRIPTOR_DIFFERENCE = 0.35
"""Descriptors that differ more are different things, where place alone would join them."""
_MAX_SIZE_DIFFERENCE = 0.3
"""Largest relative difference in width or height."""
_UNKNOWN_APPEARANCE_COST = 0.3
_PLACE, _TEXT, _TYPE, _LOOK, _OLD = 1.0, 0.6, 0.4, 0.5, 0.1
"""Weights of the parts; ``_OLD`` is paid for what was not on the frame before."""


def track_costs(new: Sequence[Sighting], old: Sequence[Sighting], *, free: Mask, strict: bool) -> Floats:
    """The costs of every pair, shape (new, old); ``IMPOSSIBLE`` where two cannot be the same.

    Args:
        new: the elements of one frame, at least one.
        old: the tracks, at least one.
        free: shape (new, old), the pairs that are not decided yet.
        strict: only pairs that lie where they are expected, or are the only ones with their text or pixels.
    """
    names, others = (_names_of(new), _names_of(old)), (_pixels_of(new), _pixels_of(old))
    a, b = box_array([s.place for s in new]), box_array([s.place for s in old])
    moves = np.array([s.move for s in old], dtype=np.float64)
    moved = _apart(a, b + np.hstack([moves, moves]))
    reach = _MAX_MOVE_PX + 0.5 * np.maximum(a[:, 2:] - a[:, :2], 1)[:, None]
    there, step = moved.max(axis=2) <= _THERE_PX, (moved / reach).max(axis=2)
    if not strict:
        # What looks like no other may have stayed where it was, although its neighbours moved.
        known = _mask(len(old), (*names[1].values(), *others[1].values())) | ~moves.any(axis=1)
        for places in (b, box_array([s.element.box for s in old])):
            step = np.minimum(step, np.where(known[None, :], (_apart(a, places) / reach).max(axis=2), np.inf))
    near = free & (there if strict else step <= 1)
    # What is left after the sure ones is mostly little enough to compare it letter by letter, wherever it lies.
    compared = near if strict or free.sum() > _MAX_TEXT_PAIRS else free
    text = _text_likeness(new, old, compared)
    types = np.array([[_type_cost(one.element.type, other.element.type) for other in old] for one in new])
    look = _look_costs(new, old, free & (near | (text >= 1)))
    one, other = (np.maximum(boxes[:, 2:] - boxes[:, :2], 1) for boxes in (a, b))
    sizes = np.abs(one[:, None] - other[None, :]) / np.maximum(one[:, None], other[None, :])
    alike = sizes.max(axis=2) <= _MAX_SIZE_DIFFERENCE
    by_place = _by_place(new)[:, None] & _by_place(old)[None, :]
    similar = alike & ((look <= _MAX_DESCRIPTOR_DIFFERENCE) | (text >= 1))
    same = np.where(by_place, near & (there | similar), near & (text >= _MIN_SIMILAR_TEXT))
    same |= _mask(free.shape, _common(*names)) & ~by_place
    # A text may be typed into any field.
    wordless = [np.array([not s.words for s in group]) for group in (new, old)]
    same |= _mask(free.shape, _common(*others)) & alike & wordless[0][:, None] & wordless[1][None, :]
    if not strict:
        single = _mask(len(new), names[0].values())[:, None] & _mask(len(old), names[1].values())[None, :]
        same |= ~by_place & (text >= _MIN_SAME_TEXT) & single
    same &= free & ((types < 1) | ((look == 0) & there))
    largest = max(1.0, float(a.max()), float(b.max()))
    away = np.where(near, 0.5 * np.minimum(step, 1), 0.5 + 0.5 * np.minimum(1.0, moved.max(axis=2) / largest))
    unlike = np.where(by_place, 0.3, 1.0) * (1 - text)
    late = np.array([0.0 if s.now else _OLD for s in old])[None, :]
    return np.where(same, _PLACE * away + _TEXT * unlike + _TYPE * types + _LOOK * look + late, IMPOSSIBLE)


def _apart(a: Boxes, b: npt.NDArray[Any]) -> Floats:
    """How far the edges of boxes are apart at most, across and down, in pixels; shape (a, b, 2)."""
    edges = np.abs(a[:, None] - b[None, :])
    return np.asarray(np.maximum(edges[..., :2], edges[..., 2:]))


def _text_likeness(new: Sequence[Sighting], old: Sequence[Sighting], near: Mask) -> Floats:
    """1 for equal texts, 0 for nothing in common; only near pairs are compared letter by letter."""
    numbers: dict[str, int] = {}
    ours, theirs = ([numbers.setdefault(s.words, len(numbers)) for s in group] for group in (new, old))
    empty = numbers.setdefault("", len(numbers))
    mine, their = np.array(ours)[:, None], np.array(theirs)[None, :]
    shares = np.where((mine == their) & (mine != empty), 1.0, 0.0)
    names = list(numbers)
    for i, j in np.argwhere(near & (mine != their) & (mine != empty) & (their != empty)).tolist():
        shares[i, j] = _likeness(names[ours[i]], names[theirs[j]])
    return shares


def _look_costs(new: Sequence[Sighting], old: Sequence[Sighting], wanted: Mask) -> Floats:
    """How different pairs look, 0..1; beside the wanted pairs that is not asked."""
    costs = np.full(wanted.shape, _UNKNOWN_APPEARANCE_COST)
    for i, j in np.argwhere(wanted).tolist():
        a, b = new[i].look, old[j].look
        if a is not None and b is not None:
            costs[i, j] = dissimilarity(a, b)
    return costs


def _by_place(seen: Sequence[Sighting]) -> Mask:
    return np.array([s.element.type in _BY_PLACE or not s.words for s in seen])


_PREFIX: dict[ElementType, str] = {
    "button": "btn", "hyperlink": "link", "tabled_text": "cell", "draggable_text": "drag_text", "input_field": "input",
    "text_area": "area", "menu_item": "menuitem", "list_item": "item", "tree_item": "tree", "other": "element",
}  # fmt: skip


class Tracker:
    """The tracks of one demo, frame after frame.

    A track that is not on a frame is expected where its neighbours went: rows that scrolled out of sight come back from
    there. It is never given up.
    """

    def __init__(self) -> None:
        self._latest: dict[str, Sighting] = {}

    def note(self, elements: Sequence[Element], looks: Descriptors | None = None) -> None:
        """Take over elements of a frame that have their tracks already."""
        self._follow(_sightings([element for element in elements if element.track_id is not None], looks))

    def track(self, found: Sequence[Element], looks: Descriptors | None = None) -> list[Element]:
        """The elements of the next frame, in their order, each with a track id.

        Args:
            found: those that have a track id keep it, and no other gets the same.
            looks: what they look like, by uid; it helps where text and place do not tell.
        """
        new = _sightings(found, looks)
        moves = expected_moves(new, list(self._latest.values()))
        self._latest = {
            key: replace(self._latest[key], move=move) for key, move in zip(self._latest, moves, strict=True)
        }
        taken = {element.track_id for element in found if element.track_id is not None}
        track = _assigned(new, {key: one for key, one in self._latest.items() if key not in taken})
        used = {*self._latest, *taken}
        result: list[Element] = []
        for element in found:
            if element.track_id is None:
                key = track.get(element.uid) or _new_track(element, used)
                element = element.model_copy(update={"track_id": key})
                used.add(key)
            result.append(element)
        self._follow(_sightings(result, looks))
        return result

    def _follow(self, seen: Sequence[Sighting]) -> None:
        for key, one in self._latest.items():
            self._latest[key] = replace(one, place=one.place.moved(*one.move), move=(0, 0), now=False)
        self._latest |= {one.element.track_id or "": one for one in seen}


def _sightings(elements: Sequence[Element], looks: Descriptors | None) -> list[Sighting]:
    return [Sighting(element=e, place=e.box, look=(looks or {}).get(e.uid)) for e in elements]


def _assigned(new: Sequence[Sighting], old: Mapping[str, Sighting]) -> dict[str, str]:
    """Track ids by uid, for the elements without one that are among the old ones."""
    track: dict[str, str] = {}
    if not new or not old:
        return track
    names, known = list(old), list(old.values())
    free: Mask = np.ones((len(new), len(old)), dtype=np.bool_)
    free[[i for i, one in enumerate(new) if one.element.track_id is not None]] = False
    # The sure ones first: an assignment pairs as many as it can, and would rather shift a whole list by one row.
    for strict in (True, False):
        costs = track_costs(new, known, free=free, strict=strict)
        for row, column in assign(costs):
            if costs[row, column] < IMPOSSIBLE:
                track[new[row].element.uid] = names[column]
                free[row], free[:, column] = False, False
    return track


def assign_tracks(known: Sequence[Element], found: Sequence[Element]) -> list[Element]:
    """The found elements, each with a track id.

    Args:
        known: the latest sighting of every track so far, each with its ``track_id``.
        found: the elements of one frame; those that have a track id keep it.

    Returns:
        ``found`` in its order. An element that matches no track gets a new id, unique among all that are given.
    """
    tracker = Tracker()
    tracker.note(known)
    return tracker.track(found)


def _new_track(element: Element, used: set[str]) -> str:
    """A readable id that is not used yet, for instance ``btn_login_0``."""
    words = unicodedata.normalize("NFKD", (element.text or element.subtype or "").casefold())
    kept = "".join(c if c.isalnum() else " " for c in words if not unicodedata.combining(c)).split()
    slug = "_".join(kept)[:24].strip("_")
    stem = "_".join(part for part in (_PREFIX.get(element.type, element.type), slug) if part)
    number = 0
    while f"{stem}_{number}" in used:
        number += 1
    return f"{stem}_{number}"
