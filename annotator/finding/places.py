"""Where a frame stands in its demo: the steps that show it, and what they did on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotator.document import Document
from demopack.domain.steps import Step

__all__ = ["NOWHERE", "Place", "places_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One frame.

    Attributes:
        frame: its id.
        numbers: of the steps that show it, from 1: those that begin on it; where none does, those that end on it.
        apps: in front then, casefolded; the demo's own where the system did not tell.
        targets: uids of elements that something was done to, and the kinds of action.
    """

    frame: str
    numbers: tuple[int, ...] = ()
    apps: tuple[str, ...] = ()
    targets: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])


NOWHERE = Place(frame="")
"""A frame that no step shows."""


def places_of(document: Document) -> dict[str, Place]:
    """Every frame that the demo shows, in order of first use, the final one last."""
    begins: dict[str, list[int]] = {}
    ends: dict[str, list[int]] = {}
    targets: dict[str, dict[str, frozenset[str]]] = {}
    for number, step in enumerate(document.steps, start=1):
        for frame, found in ((step.before, begins), (step.after, ends)):
            if frame is not None:
                begins.setdefault(frame.id, [])
                found.setdefault(frame.id, []).append(number)
        for uid in (step.target_uid, step.end_uid):
            element = document.element(uid)
            if element is not None:
                there = targets.setdefault(element.frame, {})
                there[element.uid] = there.get(element.uid, frozenset()) | {step.action.action_type}
    final = document.head.final_frame
    if final is not None:
        begins.setdefault(final.id, [])
    apps = [_app_of(document, step).casefold() for step in document.steps]
    own = document.head.app.casefold()
    places: dict[str, Place] = {}
    for frame_id, beginning in begins.items():
        numbers = tuple(beginning or ends.get(frame_id, ()))
        fronts = tuple(dict.fromkeys(apps[number - 1] for number in numbers)) or (own,)
        places[frame_id] = Place(frame=frame_id, numbers=numbers, apps=fronts, targets=targets.get(frame_id, {}))
    return places


def _app_of(document: Document, step: Step) -> str:
    told = "" if step.window is None else step.window.app
    return told or document.head.app
