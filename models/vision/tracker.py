"""Follows elements over the frames of a demo: which element on this frame is one that was seen before.

One assignment of least total cost over type, text, place and appearance. Costs are always finite, so one new element
cannot spoil the others, and an element that was not seen for a while is matched like any other. Where content scrolled
or a window was moved, the elements that can be known for sure tell how far, and the others are looked for there.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from demopack.domain.elements import Element, ElementType
from demopack.domain.overlap import assign
from models.vision.appearance import Descriptors
from models.vision.track_costs import IMPOSSIBLE, Mask, Sighting, expected_moves, track_costs

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
        self._follow([element for element in elements if element.track_id is not None], looks or {}, {})

    def track(self, found: Sequence[Element], looks: Descriptors | None = None) -> list[Element]:
        """The elements of the next frame, in their order, each with a track id.

        Args:
            found: those that have a track id keep it, and no other gets the same.
            looks: what they look like, by uid; it helps where text and place do not tell.
        """
        looks = looks or {}
        taken = {element.track_id for element in found if element.track_id is not None}
        old = [sighting for key, sighting in self._latest.items() if key not in taken]
        steps = expected_moves(found, looks, list(self._latest.values()))
        moves = dict(zip(self._latest, steps, strict=True))
        track: dict[str, str] = {}
        if old and found:
            expected = [replace(s, move=moves[s.element.track_id or ""]) for s in old]
            track = _assigned(found, looks, expected)
        used = {*self._latest, *taken}
        result: list[Element] = []
        for element in found:
            if element.track_id is None:
                key = track.get(element.uid) or _new_track(element, used)
                element = element.model_copy(update={"track_id": key})
                used.add(key)
            result.append(element)
        self._follow(result, looks, moves)
        return result

    def _follow(self, seen: Sequence[Element], looks: Descriptors, moves: Mapping[str, tuple[int, int]]) -> None:
        for key, sighting in self._latest.items():
            dx, dy = moves.get(key, (0, 0))
            self._latest[key] = replace(sighting, place=sighting.place.moved(dx, dy), now=False)
        for element in seen:
            look = looks.get(element.uid)
            self._latest[element.track_id or ""] = Sighting(element=element, place=element.box, look=look, now=True)


def _assigned(found: Sequence[Element], looks: Descriptors, old: Sequence[Sighting]) -> dict[str, str]:
    """Track ids by uid, for the elements without one that are among the old ones."""
    track: dict[str, str] = {}
    free: Mask = np.ones((len(found), len(old)), dtype=np.bool_)
    free[[i for i, element in enumerate(found) if element.track_id is not None]] = False
    # The sure ones first: an assignment pairs as many as it can, and would rather shift a whole list by one row.
    for strict in (True, False):
        costs = track_costs(found, looks, old, free=free, strict=strict)
        for row, column in assign(costs):
            if costs[row, column] < IMPOSSIBLE:
                track[found[row].uid] = old[column].element.track_id or ""
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
