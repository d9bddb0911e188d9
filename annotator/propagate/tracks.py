"""The same element over the pictures of a demo: which picture follows which, tracks, one change made to all."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from annotator.commands import Command, checked, deleted_element, element_changes
from annotator.document import Document
from annotator.propagate.carry import FIELDS
from annotator.words import tr
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import STATES, Element, State
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step


def frames_in_order(steps: Iterable[Step]) -> list[Frame]:
    """The pictures on which steps were done, each once, in order."""
    frames: dict[str, Frame] = {}
    for step in steps:
        if step.before is not None:
            frames.setdefault(step.before.id, step.before)
    return list(frames.values())


def tracks_in_use(document: Document) -> set[str]:
    """The track ids of a demo."""
    found = (element for elements in document.demo().elements.values() for element in elements)
    return {element.track_id for element in found if element.track_id is not None}


class TrackIndex:
    """Who else is on a track, for whoever asks often: a picture is gone through once until it changes."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[str, tuple[tuple[Element, ...], dict[str, list[Element]]]] = {}

    def others(self, element: Element) -> list[Element]:
        """The same element on the other pictures, as far as it is known to be the same; rejected ones are left out."""
        if element.track_id is None:
            return []
        frames = [frame for frame in self._document.demo().elements if frame != element.frame]
        return [other for frame in frames for other in self._by_track(frame).get(element.track_id, ())]

    def _by_track(self, frame: str) -> dict[str, list[Element]]:
        elements = self._document.elements(frame)
        if frame not in self._known or self._known[frame][0] is not elements:
            tracks: dict[str, list[Element]] = {}
            for element in elements:
                if element.track_id is not None and element.review != "rejected":
                    tracks.setdefault(element.track_id, []).append(element)
            self._known[frame] = (elements, tracks)
        return self._known[frame][1]


def new_track(element: Element, used: Collection[str]) -> str:
    """A readable track id that is not used yet, for instance ``button_log_in_0``."""
    words = unicodedata.normalize("NFKD", (element.text or element.subtype or "").casefold())
    plain = "".join(c if c.isalnum() else " " for c in words if not unicodedata.combining(c))
    stem = "_".join([element.type, *plain.split()])[:40].strip("_")
    number = 0
    while f"{stem}_{number}" in used:
        number += 1
    return f"{stem}_{number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OnAllPictures:
    """Carries a command out, and makes what it changes about an element to the same element on the other pictures.

    Type, subtype and rejection go to all of them, the text to all but fields in which something else is written. A
    state goes to those that had the old value, because it may rightly differ. A box is shifted and stretched by as
    much. Approving is about one picture, and stays there.

    Attributes:
        command: what is asked for.
        about: uids; an edit that touches other elements, too, is no change of these by hand, and stays as it is.
    """

    command: Command
    about: frozenset[str]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        edit = self.command.edit(document)
        if edit is None or not {change.key for change in edit.changes if change.kind == "element"} <= self.about:
            return edit
        tracks = TrackIndex(document)
        elements = (change for change in edit.changes if change.kind == "element")
        replaced = dict(pair for change in elements for pair in _others(document, tracks, change))
        already = {change.key for change in edit.changes}
        wanted = {uid: new for uid, new in replaced.items() if uid not in already}
        more = element_changes(document, wanted)
        if not more:
            return edit
        frames = {element.frame for element in document.present(wanted)}
        pictures = tr("1 more picture") if len(frames) == 1 else tr("{frames} more pictures")
        label = tr("{label}, on {pictures}").format(label=edit.label, pictures=pictures.format(frames=len(frames)))
        # The merge key stays: a run of edits that are taken back together stays one.
        return edit.model_copy(update={"label": label, "changes": (*edit.changes, *more)})


def _others(document: Document, tracks: TrackIndex, change: Change) -> Iterator[tuple[str, Element | None]]:
    """What becomes of the same element elsewhere when it changes here."""
    old, new = change.was, change.becomes
    if not isinstance(old, Element) or not (new is None or isinstance(new, Element)):
        return
    for other in tracks.others(old):
        if new is None or (new.review == "rejected" and old.review != "rejected"):
            yield other.uid, deleted_element(other)
            continue
        fields = _fields(old, new, other, document.frame(other.frame))
        if fields:
            changed = other.changed(**{**checked(other), **fields}).cleaned()
            yield other.uid, changed


def _fields(old: Element, new: Element, other: Element, frame: Frame | None) -> dict[str, Any]:
    """The fields of the other one that change with those of this one."""
    fields: dict[str, Any] = {
        name: getattr(new, name) for name in ("type", "subtype") if getattr(new, name) != getattr(old, name)
    }
    if new.text != old.text and (other.text == old.text or new.type not in FIELDS):
        fields["text"] = new.text
    fields["states"] = _states(old, new, other)
    if new.box != old.box:
        x1, y1 = other.box.x1 + new.box.x1 - old.box.x1, other.box.y1 + new.box.y1 - old.box.y1
        x2, y2 = other.box.x2 + new.box.x2 - old.box.x2, other.box.y2 + new.box.y2 - old.box.y2
        if x1 < x2 and y1 < y2:
            box = Rect(x1, y1, x2, y2)
            box = box if frame is None else box.clamped(frame.size)
            fields |= {"box": box} if box.area else {}
    return {name: value for name, value in fields.items() if getattr(other, name) != value}


def _states(old: Element, new: Element, other: Element) -> dict[State, bool]:
    states = dict(other.states)
    for state in STATES:
        was, now = old.states.get(state), new.states.get(state)
        if was != now and other.states.get(state) == was:
            states.pop(state, None)
            if now is not None:
                states[state] = now
    return states


@dataclass(frozen=True, slots=True, kw_only=True)
class PropagationStep:
    """Two pictures, the second one later.

    Attributes:
        source: where the elements are.
        target: where they are taken.
        source_step: number, from 1, of the step that was done on the source.
        target_step: as ``source_step``, for the target.
        other_window: whether another window had the input on the target, as far as the steps tell.
    """

    source: Frame
    target: Frame
    source_step: int
    target_step: int
    other_window: bool = False


def step_numbers(document: Document) -> dict[str, int]:
    """By frame id: the number, from 1, of the first step that was done on a picture, or else led to it."""
    numbers: dict[str, int] = {}
    steps = document.steps
    for frames in ([step.before for step in steps], [step.after for step in steps]):
        for number, frame in enumerate(frames, start=1):
            if frame is not None:
                numbers.setdefault(frame.id, number)
    return numbers


def hop_to(document: Document, frame: Frame) -> PropagationStep | None:
    """From the nearest earlier picture that has elements to this one; None where there is none.

    A picture that only shows what came of a step gets the elements of the picture before that step.
    """
    earlier: dict[str, Frame] = {}
    for step in document.steps:
        if step.before is not None:
            if step.before.id == frame.id:
                break
            earlier.setdefault(step.before.id, step.before)
        if step.after is not None and step.after.id == frame.id:
            break
    source = next((one for one in reversed(earlier.values()) if document.elements(one.id)), None)
    return None if source is None else _hop(document, source, frame)


def hops_from(document: Document, frame: Frame, *, count: int | None) -> list[PropagationStep]:
    """From this picture over the next ones, each to its successor.

    Args:
        document: the demo.
        frame: where to begin.
        count: how many pictures to reach at most; None for all.
    """
    frames = frames_in_order(document.steps)
    places = [i for i, one in enumerate(frames) if one.id == frame.id]
    if not places:
        return []
    later = frames[places[0] :] if count is None else frames[places[0] : places[0] + count + 1]
    return [_hop(document, source, target) for source, target in itertools.pairwise(later)]


def _hop(document: Document, source: Frame, target: Frame) -> PropagationStep:
    numbers = step_numbers(document)
    one, other = (
        next((step.window for step in document.steps_on(frame.id) if step.window is not None), None)
        for frame in (source, target)
    )
    # A window may be renamed, moved or enlarged and stay the same; what has another title elsewhere is another one.
    other_window = (
        one is not None
        and other is not None
        and (one.app != other.app or (one.title != other.title and one.box != other.box))
    )
    return PropagationStep(
        source=source,
        target=target,
        source_step=numbers.get(source.id, 0),
        target_step=numbers.get(target.id, 0),
        other_window=other_window,
    )
