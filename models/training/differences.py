"""Comparison of two models: what the new one sees differently from the one before."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from demopack.annotations.merging import match_elements
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Rect
from demopack.domain.ports import ElementFinder
from demopack.jobs import JobControl


def plain(text: str | None) -> str:
    """Composed characters (NFC), every run of white space one space, none at the ends; None is no text."""
    return " ".join(unicodedata.normalize("NFC", text or "").split())


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


def compare(
    before: ElementFinder, after: ElementFinder, pictures: Iterable[tuple[str, RgbImage]], *, control: JobControl
) -> list[ScreenChanges]:
    """What two finders see differently, screen by screen; those with the most changes first.

    Args:
        before: the older finder.
        after: the newer one.
        pictures: the screens, each with its name.
        control: progress and cancelling.

    Raises:
        ModelError: a finder failed.
        CancelledError: the user stopped it.
    """
    found: list[ScreenChanges] = []
    for number, (name, image) in enumerate(pictures):
        control.step(number, 0, f"Comparing {name}")
        frame = Frame(id=frame_id(image), width=image.shape[1], height=image.shape[0])
        old, new = before.find(image, frame, control=control), after.find(image, frame, control=control)
        found.append(_changes(name, old, new))
    return sorted(found, key=lambda one: (-len(one.changes), one.name))


def _changes(name: str, old: Sequence[Element], new: Sequence[Element]) -> ScreenChanges:
    seen = list(zip(match_elements(old, new), new, strict=True))
    kept = {before.uid for before, _ in seen if before is not None}
    changed = [_difference(before, after) for before, after in seen if before is not None]
    changes = [change for some in changed for change in some]
    changes += [
        ScreenChange(kind="vanished", box=one.box, before=_words(one), after="") for one in old if one.uid not in kept
    ]
    changes += [
        ScreenChange(kind="appeared", box=after.box, before="", after=_words(after))
        for before, after in seen
        if before is None
    ]
    changes.sort(key=lambda change: (change.box.y1, change.box.x1, change.kind))
    return ScreenChanges(name=name, same=changed.count([]), changes=tuple(changes))


def _difference(old: Element, new: Element) -> list[ScreenChange]:
    told: tuple[tuple[Literal["type", "text", "states"], str, str], ...] = (
        ("type", _kind(old), _kind(new)),
        ("text", plain(old.text), plain(new.text)),
        ("states", _states(old), _states(new)),
    )
    return [ScreenChange(kind=kind, box=new.box, before=was, after=now) for kind, was, now in told if was != now]


def _kind(element: Element) -> str:
    return f"{element.type} ({element.subtype})" if element.subtype else element.type


def _words(element: Element) -> str:
    return f"{_kind(element)} “{element.text}”" if element.text else _kind(element)


def _states(element: Element) -> str:
    return " ".join(f"{state}={'yes' if value else 'no'}" for state, value in sorted(element.states.items()))
