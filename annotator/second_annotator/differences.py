"""Differences between two people's elements of one picture, and the decisions who of them was right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from annotator.commands import checked, deleted_element, element_changes, make_edit
from annotator.document import Document
from annotator.second_annotator.agreement import Agreement, Matches, agreement_of, matches
from annotator.second_annotator.sources import SecondAnnotator
from annotator.snap.nested import same_box
from annotator.step_words import name_element, type_word
from annotator.words import tr
from demopack.annotations.merging import match_elements
from demopack.codecs.boxes.base import EVERYTHING
from demopack.domain.edits import Edit
from demopack.domain.elements import Element, Evidence
from demopack.domain.geometry import iou
from demopack.domain.records import new_id
from demopack.domain.words import shorten

Kind = Literal["missing", "extra", "moved", "type", "text", "subtype", "states"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_PLACE: Final = frozenset({"missing", "extra", "moved"})
_SAME_BOX_IOU: Final = 0.9
"""Boxes that overlap by more (IoU) are the same box: two people never draw the same pixel."""
_SAME_EDGE_PX: Final = 2
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
    def shown(self) -> Element:
        """The element to look at."""
        element = self.mine if self.mine is not None and self.kind != "missing" else self.theirs
        assert element is not None
        return element

    @property
    def words(self) -> str:
        """What the other one has that I have not, in a sentence."""
        name = name_element(self.shown)
        if self.kind == "missing":
            words = tr("Only they have {name}") if self.mine is None else tr("You rejected {name}, they did not")
            return words.format(name=name)
        if self.kind == "extra":
            words = tr("Only you have {name}") if self.theirs is None else tr("They rejected {name}, you did not")
            return words.format(name=name)
        mine, theirs = self.mine, self.theirs
        assert mine is not None
        assert theirs is not None
        if self.kind == "moved":
            words = tr("They put {name} elsewhere: {place}; you: {own}")
            return words.format(name=name, place=_place(theirs), own=_place(mine))
        if self.kind == "type":
            return tr("They take {name} for {type}").format(name=name, type=type_word(theirs.type))
        if self.kind == "text":
            words = tr("They read “{text}” on {name}") if theirs.text else tr("They read nothing on {name}")
            return words.format(name=name, text=shorten(theirs.text or ""))
        if self.kind == "subtype":
            words = tr("They see another kind in {name}: {kind}")
            return words.format(name=name, kind=theirs.subtype or tr("none"))
        words = tr("They see other states of {name}: {states}; you: {own}")
        return words.format(name=name, states=_states(theirs), own=_states(mine))


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
    shown, given = ([one for one in ones if one.review != "rejected"] for ones in (mine, theirs))
    found: list[Difference] = []
    met: set[str] = set()
    alone: list[Element] = []
    for other, own in zip(given, match_elements(shown, given), strict=True):
        if own is None:
            alone.append(other)
            continue
        met.add(own.uid)
        found += [Difference(kind=kind, frame=frame, mine=own, theirs=other) for kind in _unlike(own, other)]
    doubles = match_elements([one for one in mine if one.review == "rejected"], alone)
    found += [Difference(kind="missing", frame=frame, mine=a, theirs=b) for a, b in zip(doubles, alone, strict=True)]
    left = [own for own in shown if own.uid not in met]
    # Seen from my side: which of the boxes that they rejected is this?
    doubles = match_elements([one for one in theirs if one.review == "rejected"], left)
    found += [Difference(kind="extra", frame=frame, mine=a, theirs=b) for a, b in zip(left, doubles, strict=True)]
    return sorted(found, key=lambda one: (one.shown.box.y1, one.shown.box.x1, KINDS.index(one.kind)))


def _unlike(mine: Element, theirs: Element) -> list[Kind]:
    near = same_box(mine.box, theirs.box, within=_SAME_EDGE_PX)
    differs: dict[Kind, bool] = {
        "moved": not near and iou(mine.box, theirs.box) <= _SAME_BOX_IOU,
        "type": mine.type != theirs.type,
        "text": (mine.text or "") != (theirs.text or ""),
        "subtype": (mine.subtype or "") != (theirs.subtype or ""),
        "states": mine.states != theirs.states,
    }
    return [kind for kind, unlike in differs.items() if unlike]


# What was decided before ------------------------------------------------------------------------------------------


def as_evidence(theirs: Element | None) -> Evidence:
    """The other opinion, as it is remembered on my element once I have decided against it."""
    if theirs is None or theirs.review == "rejected":
        return Evidence(source="human")
    return Evidence(source="human", type=theirs.type, box=theirs.box, text=theirs.text or None)


def is_settled(one: Difference) -> bool:
    """Whether it was decided before to keep mine, and the other opinion is still the same."""
    return one.mine is not None and as_evidence(one.theirs) in one.mine.evidence


def _place(element: Element) -> str:
    box = element.box
    return f"{box.x1}, {box.y1}, {box.width} x {box.height}"


def _states(element: Element) -> str:
    said = [name if value else tr("not {state}").format(state=name) for name, value in sorted(element.states.items())]
    return ", ".join(said) if said else tr("none")


class DifferenceTable:
    """Differences by picture, in the order in which the demo shows the pictures.

    Attributes:
        second: the other annotator.
    """

    def __init__(self, second: SecondAnnotator, mine: Callable[[str], Sequence[Element]]) -> None:
        self.second = second
        self._mine = mine
        self._by_frame: dict[str, list[Difference]] = {}
        self._matches: dict[str, Matches] = {}
        for frame in second.elements:
            self.refresh(frame)

    def refresh(self, frame: str) -> bool:
        """Compare one picture anew; whether it is one of those that are compared."""
        theirs = self.second.elements.get(frame)
        if theirs is None:
            return False
        mine = self._mine(frame)
        self._by_frame[frame] = differences({frame: mine}, {frame: theirs}, told=self.second.told)
        self._matches.pop(frame, None)
        return True

    def all(self, kind: Kind | None = None) -> list[Difference]:
        """Every difference, or those of a kind."""
        found = [one for ones in self._by_frame.values() for one in ones]
        return found if kind is None else [one for one in found if one.kind == kind]

    def counts(self) -> dict[Kind, int]:
        """How many there are of each kind."""
        return dict(Counter(one.kind for one in self.all()))

    def agreement(self) -> Agreement:
        """How far both agree now."""
        for frame, theirs in self.second.elements.items():
            if frame not in self._matches:
                self._matches[frame] = matches(self._mine(frame), theirs)
        return agreement_of(self._matches.values())


Choice = Literal["theirs", "mine"]

KIND_WORDS: Final[Mapping[Kind, str]] = {
    "missing": tr("only theirs"),
    "extra": tr("only mine"),
    "moved": tr("other place"),
    "type": tr("other type"),
    "text": tr("other text"),
    "subtype": tr("other kind"),
    "states": tr("other states"),
}
"""What kinds of differences are called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudicate:
    """Who was right about some differences.

    Taking theirs makes my element like theirs. Keeping mine approves it and remembers the other opinion as evidence, so
    that the same difference is not asked about again.

    Attributes:
        differences: what is decided; what is gone meanwhile is passed over.
        choice: whose.
    """

    differences: Sequence[Difference]
    choice: Choice

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        if not self.differences:
            return None
        replaced: dict[str, Element | None] = {}
        added: dict[str, Element] = {}
        for one in self.differences:
            if one.mine is None:
                if document.frame(one.frame) is not None:
                    new = self._new(one)
                    known = document.element(new.uid) is not None
                    added[new.uid] = new.changed(uid=new_id("el")) if known else new
                continue
            # Several differences may be about one element.
            uid = one.mine.uid
            now = replaced[uid] if uid in replaced else document.element(uid)
            if now is not None:
                replaced[uid] = _as_theirs(one, now) if self.choice == "theirs" else _kept(one, now)
        return make_edit(self._label(), element_changes(document, replaced, added.values()))

    def _new(self, one: Difference) -> Element:
        """What only they have."""
        assert one.theirs is not None
        if self.choice == "theirs":
            return one.theirs.changed(frame=one.frame, review="approved")
        # Rejected elements are remembered like those that a person rejects: no later search brings them back.
        return one.theirs.changed(frame=one.frame, review="rejected", evidence=(as_evidence(one.theirs),))

    def _label(self) -> str:
        number, theirs = len(self.differences), self.choice == "theirs"
        if number == 1:
            words = tr("Take their opinion of {name}") if theirs else tr("Keep my opinion of {name}")
            return words.format(name=name_element(self.differences[0].shown))
        kinds: set[Kind] = {one.kind for one in self.differences}
        if len(kinds) > 1:
            words = tr("Take their opinion on {number} things") if theirs else tr("Keep my opinion on {number} things")
            return words.format(number=number)
        words = (
            tr("Take their opinion on {number} things ({kind})")
            if theirs
            else tr("Keep my opinion on {number} things ({kind})")
        )
        return words.format(number=number, kind=KIND_WORDS[kinds.pop()])


def _as_theirs(one: Difference, now: Element) -> Element | None:
    """Mine as it is now, made like theirs."""
    if one.kind == "extra":
        return deleted_element(now)
    assert one.theirs is not None
    if one.kind == "missing":
        return one.theirs.changed(uid=now.uid, frame=now.frame, review="approved")
    field = "box" if one.kind == "moved" else one.kind
    return now.changed(**checked(now), **{field: getattr(one.theirs, field)}).cleaned()


def _kept(one: Difference, now: Element) -> Element:
    """Mine as it is now, approved, with what the other one says remembered."""
    said = as_evidence(one.theirs)
    fields = checked(now) if one.kind != "missing" else {}
    known = fields.get("evidence", now.evidence)
    # Several differences about one element are one other opinion.
    return now.changed(**{**fields, "evidence": known if said in known else (*known, said)})
