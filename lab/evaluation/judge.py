"""One screen, its truth beside what was found on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from lab.evaluation.matching import match
from models.training.labelled_screens import GroundTruth, LabelledScreen

LEAST = 0.5
"""Least overlap of a hit; attributes are compared where a pair overlaps so much."""
CLOSE = 0.75
"""Least overlap of a close hit."""
CONTAINERS = frozenset({"window", "dialog", "toolbar"})
"""Types that hold others. They count like any element, but a false one is no false leaf."""
NOT_USED = CONTAINERS | {"text", "tabled_text", "draggable_text", "image", "shape"}
"""Types that nobody clicks or types into; all others are interactive."""
_CENTRE_AREA = 4
"""How much larger than the true one an element may be that is hit by a click on the true one's centre."""
_PARTS = "scrollbar_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A true element and the one that was found for it.

    Attributes:
        truth: as it is.
        found: as it was found.
        overlap: intersection over union of their boxes.
    """

    truth: GroundTruth
    found: Element
    overlap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A screen, told apart.

    Attributes:
        screen: with its truth.
        found: every element that was found and counts.
        pairs: hits, at the overlap of :data:`LEAST`.
        close: number of hits at :data:`CLOSE`, paired anew.
        missed: true elements without a pair.
        false: found elements without a pair.
        centred: true elements at whose centre an element was found, which is at most four times as large and has its
            own centre in the true one.
        seconds: how long the finder took.
    """

    screen: LabelledScreen
    found: tuple[Element, ...]
    pairs: tuple[Pair, ...]
    close: int
    missed: tuple[GroundTruth, ...]
    false: tuple[Element, ...]
    centred: tuple[GroundTruth, ...]
    seconds: float

    @property
    def quality(self) -> float:
        """F1 of elements that were found with their right type; 1 for an empty screen that was left empty."""
        both = len(self.screen.elements) + len(self.found)
        right = sum(pair.truth.type == pair.found.type for pair in self.pairs)
        return 2 * right / both if both else 1.0


def judge(screen: LabelledScreen, found: Sequence[Element], *, seconds: float = 0.0) -> Judged:
    """Pair what was found with what is true.

    A part of a scroll bar that was found in a true scroll bar whose parts the truth does not give is left out: not
    every source of screens can tell them.

    Args:
        screen: with its truth.
        found: in any order; rejected ones are ignored.
        seconds: how long the finder took.
    """
    given = _counting(screen.elements, [element for element in found if element.review != "rejected"])
    pairs = _pairs(screen.elements, given, LEAST)
    hit, used = {t for t, _, _ in pairs}, {f for _, f, _ in pairs}
    return Judged(
        screen=screen,
        found=tuple(given),
        pairs=tuple(Pair(truth=screen.elements[t], found=given[f], overlap=overlap) for t, f, overlap in pairs),
        close=len(_pairs(screen.elements, given, CLOSE)),
        missed=tuple(truth for i, truth in enumerate(screen.elements) if i not in hit),
        false=tuple(element for i, element in enumerate(given) if i not in used),
        centred=tuple(truth for truth in screen.elements if any(_is_centred(truth.box, one.box) for one in given)),
        seconds=seconds,
    )


def _is_centred(true: Rect, found: Rect) -> bool:
    return found.area <= _CENTRE_AREA * true.area and found.contains(true.center) and true.contains(found.center)


def _pairs(truth: Sequence[GroundTruth], found: Sequence[Element], least: float) -> list[tuple[int, int, float]]:
    return match(
        [one.box for one in truth],
        [one.box for one in found],
        least=least,
        truth_kinds=[one.type for one in truth],
        found_kinds=[one.type for one in found],
    )


def _counting(truth: Sequence[GroundTruth], found: list[Element]) -> list[Element]:
    parts = [one.box for one in truth if one.type.startswith(_PARTS)]
    untold = [
        one.box for one in truth if one.type == "scrollbar" and not any(one.box.contains(part.center) for part in parts)
    ]
    return [
        element
        for element in found
        if not (element.type.startswith(_PARTS) and any(box.contains(element.box.center) for box in untold))
    ]
