"""Where two people's elements of one picture differ."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from annotator.step_words import name_element
from annotator.type_words import type_word
from annotator.words import tr
from demopack.domain.elements import Element, Evidence
from demopack.domain.geometry import iou
from demopack.domain.words import shorten
from demopack.interchange.carries import EVERYTHING
from demopack.interchange.joining import paired

__all__ = ["KINDS", "Difference", "Kind", "differences", "is_settled", "opinion_as_evidence", "theirs_in_words"]

Kind = Literal["missing", "extra", "moved", "type", "text", "subtype", "states"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_PLACE: Final = frozenset({"missing", "extra", "moved"})
_STILL: Final = 0.9
"""Boxes that overlap by more (IoU) are the same box: two people never draw the same pixel."""
_NEAR: Final = 2
"""Nor do edges that lie within so many pixels of each other, which matters for small boxes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that two people see differently.

    Attributes:
        kind: ``missing``: only they have it; ``extra``: only I have it; else what differs.
        frame: id of the picture.
        mine: my element; None where I have none. A rejected one counts as none, but is named.
        theirs: likewise.
    """

    kind: Kind
    frame: str
    mine: Element | None
    theirs: Element | None

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What it is about, whatever the values are now."""
        mine = "" if self.mine is None else self.mine.uid
        return (self.kind, self.frame, mine, "" if self.theirs is None else self.theirs.uid)

    @property
    def shown(self) -> Element:
        """The element to look at."""
        element = self.mine if self.mine is not None and self.kind != "missing" else self.theirs
        assert element is not None
        return element

    @property
    def words(self) -> str:
        """A sentence for the list."""
        return theirs_in_words(self)


def differences(
    mine: Mapping[str, Sequence[Element]],
    theirs: Mapping[str, Sequence[Element]],
    *,
    told: Collection[str] = EVERYTHING,
    settled: bool = False,
) -> list[Difference]:
    """Every difference on the pictures that the other one has looked at, picture by picture.

    Args:
        mine: elements by frame id.
        theirs: likewise; only these pictures are compared.
        told: the fields that their source tells; about the others nobody differs.
        settled: list also what was decided before (see :func:`is_settled`).
    """
    found: list[Difference] = []
    for frame, other in theirs.items():
        found += [
            one
            for one in _on_frame(frame, mine.get(frame, ()), other)
            if (one.kind in _PLACE or one.kind in told) and (settled or not is_settled(one))
        ]
    return found


def _on_frame(frame: str, mine: Sequence[Element], theirs: Sequence[Element]) -> list[Difference]:
    shown, rejected = _parted(mine)
    given, refused = _parted(theirs)
    found: list[Difference] = []
    met: set[str] = set()
    alone: list[Element] = []
    for other, own in zip(given, paired(shown, given), strict=True):
        if own is None:
            alone.append(other)
            continue
        met.add(own.uid)
        found += [Difference(kind=kind, frame=frame, mine=own, theirs=other) for kind in _unlike(own, other)]
    for other, own in zip(alone, paired(rejected, alone), strict=True):
        found.append(Difference(kind="missing", frame=frame, mine=own, theirs=other))
    left = [own for own in shown if own.uid not in met]
    # Seen from my side: which of the boxes that they rejected is this?
    for own, other_one in zip(left, paired(refused, left), strict=True):
        found.append(Difference(kind="extra", frame=frame, mine=own, theirs=other_one))
    found.sort(key=lambda one: (one.shown.box.y1, one.shown.box.x1, KINDS.index(one.kind)))
    return found


def _parted(elements: Sequence[Element]) -> tuple[list[Element], list[Element]]:
    """Those that are shown, and those that were rejected."""
    shown = [element for element in elements if element.review != "rejected"]
    return shown, [element for element in elements if element.review == "rejected"]


def _unlike(mine: Element, theirs: Element) -> list[Kind]:
    found: list[Kind] = []
    if not _same_box(mine, theirs):
        found.append("moved")
    if mine.type != theirs.type:
        found.append("type")
    if (mine.text or "") != (theirs.text or ""):
        found.append("text")
    if (mine.subtype or "") != (theirs.subtype or ""):
        found.append("subtype")
    if mine.states != theirs.states:
        found.append("states")
    return found


def _same_box(mine: Element, theirs: Element) -> bool:
    a, b = mine.box, theirs.box
    near = max(abs(a.x1 - b.x1), abs(a.y1 - b.y1), abs(a.x2 - b.x2), abs(a.y2 - b.y2)) <= _NEAR
    return near or iou(a, b) > _STILL


# What was decided before ------------------------------------------------------------------------------------------


def opinion_as_evidence(theirs: Element | None) -> Evidence:
    """The other opinion, as it is remembered on my element once I have decided against it."""
    if theirs is None or theirs.review == "rejected":
        return Evidence(source="human")
    return Evidence(source="human", type=theirs.type, box=theirs.box, text=theirs.text or None)


def is_settled(one: Difference) -> bool:
    """Whether it was decided before to keep mine, and the other opinion is still the same."""
    return one.mine is not None and opinion_as_evidence(one.theirs) in one.mine.evidence


# Words ------------------------------------------------------------------------------------------------------------


def theirs_in_words(one: Difference) -> str:
    """What the other one has that I have not."""
    name = name_element(one.shown)
    if one.kind == "missing":
        words = tr("Only they have {name}") if one.mine is None else tr("You rejected {name}, they did not")
        return words.format(name=name)
    if one.kind == "extra":
        words = tr("Only you have {name}") if one.theirs is None else tr("They rejected {name}, you did not")
        return words.format(name=name)
    mine, theirs = one.mine, one.theirs
    assert mine is not None
    assert theirs is not None
    if one.kind == "moved":
        words = tr("They put {name} elsewhere: {place}; you: {own}")
        return words.format(name=name, place=_place(theirs), own=_place(mine))
    if one.kind == "type":
        return tr("They take {name} for {type}").format(name=name, type=type_word(theirs.type))
    if one.kind == "text":
        words = tr("They read “{text}” on {name}") if theirs.text else tr("They read nothing on {name}")
        return words.format(name=name, text=shorten(theirs.text or ""))
    if one.kind == "subtype":
        words = tr("They see another kind in {name}: {kind}")
        return words.format(name=name, kind=theirs.subtype or tr("none"))
    words = tr("They see other states of {name}: {states}; you: {own}")
    return words.format(name=name, states=_states(theirs), own=_states(mine))


def _place(element: Element) -> str:
    box = element.box
    return f"{box.x1}, {box.y1}, {box.width} x {box.height}"


def _states(element: Element) -> str:
    said = [name if value else tr("not {state}").format(state=name) for name, value in sorted(element.states.items())]
    return ", ".join(said) if said else tr("none")
