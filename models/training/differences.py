"""What a new model sees differently from the one before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Rect
from demopack.domain.ports import ElementFinder
from demopack.jobs import JobControl, Progress
from demopack.store import Library
from models.training.evaluation.match import match
from models.training.evaluation.words import plain

__all__ = ["Picture", "ScreenChange", "ScreenChanges", "change_lines", "compare", "library_pictures"]

_SAME = 0.5
"""Least overlap of one element seen by two finders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A screen to compare on; ``image`` of shape (height, width, 3), uint8."""

    name: str
    image: RgbImage


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenChange:
    """One element that two finders see differently.

    Attributes:
        kind: what is different.
        box: where; of the newer finder unless the element vanished.
        before: what the older finder says; empty where it saw nothing.
        after: what the newer finder says; empty where it sees nothing.
    """

    kind: Literal["appeared", "vanished", "type", "text", "states"]
    box: Rect
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenChanges:
    """What is different on one screen.

    Attributes:
        name: of the picture.
        same: elements that both see alike.
        changes: the others, in reading direction.
    """

    name: str
    same: int
    changes: tuple[ScreenChange, ...]


def library_pictures(library: Library, demos: Sequence[str] | None = None) -> Iterator[Picture]:
    """Every different screen of some demos, of all demos when None."""
    ids = [summary.head.id for summary in library.demos()] if demos is None else list(demos)
    seen: set[str] = set()
    for demo_id in ids:
        demo = library.demo(demo_id)
        for frame in demo.frames():
            if frame.id not in seen:
                seen.add(frame.id)
                name = f"{demo_id} {demo.shown_by(frame.id) or 'the end'}"
                yield Picture(name=name, image=library.get_image(frame.id))


def compare(
    before: ElementFinder, after: ElementFinder, pictures: Iterable[Picture], *, control: JobControl
) -> list[ScreenChanges]:
    """What two finders see differently, screen by screen; those with the most changes first.

    Raises:
        ModelError: a finder failed.
        CancelledError: the user stopped it.
    """
    found: list[ScreenChanges] = []
    for number, picture in enumerate(pictures):
        control.token.check()
        control.report(Progress(done=number, total=0, text=f"Comparing {picture.name}"))
        image = picture.image
        frame = Frame(id=frame_id(image), width=image.shape[1], height=image.shape[0])
        old, new = before.find(image, frame, control=control), after.find(image, frame, control=control)
        found.append(_changes(picture.name, old, new))
    return sorted(found, key=lambda one: (-len(one.changes), one.name))


def _changes(name: str, old: Sequence[Element], new: Sequence[Element]) -> ScreenChanges:
    pairs = match(
        [e.box for e in old],
        [e.box for e in new],
        least=_SAME,
        truth_kinds=[e.type for e in old],
        found_kinds=[e.type for e in new],
    )
    kept, seen = {o for o, _, _ in pairs}, {n for _, n, _ in pairs}
    changes = [change for o, n, _ in pairs for change in _difference(old[o], new[n])]
    same = sum(not _difference(old[o], new[n]) for o, n, _ in pairs)
    changes += [
        ScreenChange(kind="vanished", box=e.box, before=_said(e), after="") for i, e in enumerate(old) if i not in kept
    ]
    changes += [
        ScreenChange(kind="appeared", box=e.box, before="", after=_said(e)) for i, e in enumerate(new) if i not in seen
    ]
    changes.sort(key=lambda change: (change.box.y1, change.box.x1, change.kind))
    return ScreenChanges(name=name, same=same, changes=tuple(changes))


def _difference(old: Element, new: Element) -> list[ScreenChange]:
    changes: list[ScreenChange] = []
    if (old.type, old.subtype) != (new.type, new.subtype):
        changes.append(ScreenChange(kind="type", box=new.box, before=_kind(old), after=_kind(new)))
    if plain(old.text) != plain(new.text):
        changes.append(ScreenChange(kind="text", box=new.box, before=plain(old.text), after=plain(new.text)))
    if old.states != new.states:
        changes.append(ScreenChange(kind="states", box=new.box, before=_states(old), after=_states(new)))
    return changes


def _kind(element: Element) -> str:
    return f"{element.type} ({element.subtype})" if element.subtype else element.type


def _said(element: Element) -> str:
    return f"{_kind(element)} “{element.text}”" if element.text else _kind(element)


def _states(element: Element) -> str:
    return " ".join(f"{state}={'yes' if value else 'no'}" for state, value in sorted(element.states.items()))


def change_lines(changes: Sequence[ScreenChanges], *, limit: int = 20) -> list[str]:
    """What changed, for a terminal: how much in all, and the most changed screens with their elements."""
    kinds = Counter(change.kind for one in changes for change in one.changes)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "nothing changed"
    lines = [f"{len(changes)} screens, {sum(one.same for one in changes)} elements as before; {counted}"]
    for one in [one for one in changes if one.changes][:limit]:
        lines.append(f"{one.name}: {len(one.changes)} changes")
        for change in one.changes:
            box = change.box
            what = " → ".join(part or "-" for part in (change.before, change.after))
            lines.append(f"  {change.kind:9} [{box.x1}, {box.y1}, {box.x2}, {box.y2}] {what}")
    return lines
