"""Agreement of two people: F1 of their boxes, Cohen's kappa of what they say about those that both drew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotator.step_words import type_word
from annotator.words import tr
from demopack.annotations.merging import overlapping_pairs
from demopack.domain.elements import ATTRIBUTES, STATES, Element, State
from demopack.domain.records import Record

_NAMES: Final[Mapping[str, str]] = {
    "type": tr("type"), "text": tr("text"), "subtype": tr("subtype"), **{state: type_word(state) for state in STATES},
}  # fmt: skip


class Kappa(Record):
    """Agreement beyond chance about one attribute.

    Attributes:
        kappa: 1 is complete, 0 is what chance would give; None where nobody could have differed.
        agree: share of pairs with equal values.
        pairs: how many boxes of both the attribute could be said of.
    """

    kappa: float | None
    agree: float
    pairs: int


class Agreement(Record):
    """Two people on the same pictures.

    Attributes:
        pictures: how many.
        mine: elements that I have on them.
        theirs: elements that they have.
        f1_50: of boxes that overlap by half (IoU) or more.
        f1_75: of boxes that overlap by three quarters or more.
        f1_50_typed: as ``f1_50``, of the same type.
        attributes: by name: type, text, subtype and each state.
    """

    pictures: int
    mine: int
    theirs: int
    f1_50: float
    f1_75: float
    f1_50_typed: float
    attributes: dict[str, Kappa]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """Two people's boxes of one picture, those that are the same place side by side.

    Attributes:
        mine: how many I have; rejected ones are not there.
        theirs: likewise.
        pairs: mine, theirs, and how far they overlap (IoU).
    """

    mine: int
    theirs: int
    pairs: tuple[tuple[Element, Element, float], ...]


def matches(mine: Sequence[Element], theirs: Sequence[Element]) -> Matches:
    """Put the boxes of one picture side by side, by place alone: the best overlaps first, each element once."""
    left = [element for element in mine if element.review != "rejected"]
    right = [element for element in theirs if element.review != "rejected"]
    # Equal overlaps: the same type is the better pair.
    found = sorted(
        overlapping_pairs(left, right), key=lambda at: (-at[2], left[at[0]].type != right[at[1]].type, at[0], at[1])
    )
    met: tuple[set[int], set[int]] = (set(), set())
    pairs: list[tuple[Element, Element, float]] = []
    for i, j, overlap in found:
        if i not in met[0] and j not in met[1]:
            met[0].add(i)
            met[1].add(j)
            pairs.append((left[i], right[j], overlap))
    return Matches(mine=len(left), theirs=len(right), pairs=tuple(pairs))


def agreement(mine: Mapping[str, Sequence[Element]], theirs: Mapping[str, Sequence[Element]]) -> Agreement:
    """Compare two people's elements.

    Args:
        mine: by frame id.
        theirs: likewise; only these pictures are compared.
    """
    return agreement_of([matches(mine.get(frame, ()), other) for frame, other in theirs.items()])


def agreement_of(pictures: Collection[Matches]) -> Agreement:
    """The figures over some pictures."""
    mine, theirs = sum(one.mine for one in pictures), sum(one.theirs for one in pictures)
    pairs = [pair for one in pictures for pair in one.pairs]
    met = (len(pairs), sum(far >= 0.75 for _, _, far in pairs), sum(a.type == b.type for a, b, _ in pairs))
    f1 = [round(2 * number / (mine + theirs), 4) if mine + theirs else 1.0 for number in met]
    return Agreement(
        pictures=len(pictures),
        mine=mine,
        theirs=theirs,
        f1_50=f1[0],
        f1_75=f1[1],
        f1_50_typed=f1[2],
        attributes=_attributes([(a, b) for a, b, _ in pairs]),
    )


def _attributes(pairs: Sequence[tuple[Element, Element]]) -> dict[str, Kappa]:
    found = {"type": kappa_of((a.type, b.type) for a, b in pairs)}
    found["text"] = kappa_of((a.text or "", b.text or "") for a, b in pairs if a.text or b.text)
    found["subtype"] = kappa_of((a.subtype or "", b.subtype or "") for a, b in pairs if a.subtype or b.subtype)
    for state in STATES:
        values = ((a.states.get(state), b.states.get(state)) for a, b in pairs if _may(a, state) or _may(b, state))
        found[state] = kappa_of(values)
    return {name: kappa for name, kappa in found.items() if kappa.pairs}


def _may(element: Element, state: State) -> bool:
    return state in ATTRIBUTES[element.type].states or state in element.states


def kappa_of(pairs: Iterable[tuple[Hashable, Hashable]]) -> Kappa:
    """Cohen's kappa of pairs of values."""
    given = list(pairs)
    if not given:
        return Kappa(kappa=None, agree=1.0, pairs=0)
    left, right = Counter(a for a, _ in given), Counter(b for _, b in given)
    total = len(given)
    observed = sum(a == b for a, b in given) / total
    expected = sum(left[value] * right[value] for value in left) / total**2
    kappa = None if expected == 1 else round((observed - expected) / (1 - expected), 4)
    return Kappa(kappa=kappa, agree=round(observed, 4), pairs=total)


def agreement_lines(said: Agreement) -> list[str]:
    """The figures in sentences."""
    elements = tr("Elements: {mine} of yours, {theirs} of theirs; pictures: {pictures}.")
    boxes = tr("Boxes: F1 {half} at an overlap of a half, {most} at three quarters.")
    lines = [
        elements.format(mine=said.mine, theirs=said.theirs, pictures=said.pictures),
        boxes.format(half=f"{said.f1_50:.2f}", most=f"{said.f1_75:.2f}"),
    ]
    beyond = [f"{_NAMES[name]} {one.kappa:.2f}" for name, one in said.attributes.items() if one.kappa is not None]
    same = [_NAMES[name] for name, one in said.attributes.items() if one.kappa is None]
    if beyond:
        lines.append(tr("Kappa, agreement beyond chance: {figures}.").format(figures=", ".join(beyond)))
    if same:
        lines.append(tr("Always the same: {names}.").format(names=", ".join(same)))
    return lines
