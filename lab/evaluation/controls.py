"""How well what a person can use on a screen was found: boxes, centres, types, names and states of controls alone.

Every control of the truth is looked for among all that was found; what was found and is no control is no mistake,
unless it stands for one. Precision means something where the truth holds every control that can be seen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.records import Record
from lab.evaluation.figures import Share
from lab.evaluation.judge import LEAST, elements_that_count
from lab.evaluation.matching import match
from models.training.differences import plain
from models.training.labelled_screens import GroundTruth, LabelledScreen

NO_CONTROLS: Final = frozenset(
    {"text", "tabled_text", "draggable_text", "image", "shape", "window", "dialog", "toolbar", "other"}
)
"""Plain text, pictures, containers and what is none of the known types."""
HEADERS: Final = "headers"
"""In a screen's ``variant``: the words of its header cells, which are of type ``button``, one a line."""
HEADER_CELL: Final = "header cell"
_MAX_CENTRE_AREA: Final = 4
"""Times the area of a control: what is larger does not point at it."""
_BEFORE_ELLIPSIS: Final = re.compile(r"\s*(?:…|\.\.\.)")
_MNEMONIC: Final = re.compile(r"[&_](?=\w)")


class ControlFigures(Record):
    """What was counted over some controls.

    Attributes:
        found: controls that something overlaps enough.
        centre: controls at whose middle a click on something that was found would arrive.
        type: of those found, with the right type.
        type_or_icon: the same, where a button without words may be called an icon and the other way round.
        name: of those found whose words can be read, with the same words.
        states: of all states that can be seen on those found, the right ones; a missing answer is wrong.
        when_true: the same, where the state is true.
        precision: of all that was found and called a control, what is one; nothing where only some types were counted.
    """

    found: Share = Share()
    centre: Share = Share()
    type: Share = Share()
    type_or_icon: Share = Share()
    name: Share = Share()
    states: Share = Share()
    when_true: Share = Share()
    precision: Share = Share()


def is_control(element: Element) -> bool:
    """Whether somebody could use it: all but plain text, pictures and containers."""
    return element.type not in NO_CONTROLS


def same_name(one: str | None, other: str | None) -> bool:
    """Whether two names are equal but for white space, the form of an ellipsis and the mark of a key."""
    return _bare(one) == _bare(other)


def hits_centre(box: Rect, true: Rect) -> bool:
    """Whether a click at the middle of a found box, or of the true one, is meant for the same thing."""
    return box.area <= _MAX_CENTRE_AREA * true.area and box.contains(true.center) and true.contains(box.center)


def _counter() -> Counter[str]:
    return Counter()


@dataclass(slots=True)
class ControlTally:
    """Counts over screens, of all controls and of each kind of them.

    Attributes:
        kinds: by type of the truth; cells of a header are a kind of their own.
    """

    kinds: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    _claimed: Counter[str] = field(default_factory=_counter)

    def add(self, screen: LabelledScreen, found: Sequence[Element]) -> None:
        """Count one more screen; rejected elements are ignored."""
        counted = elements_that_count(screen.elements, found)
        controls = [truth for truth in screen.elements if is_control(truth)]
        headers = set(screen.variant.get(HEADERS, "").splitlines())
        pairs = {t: counted[f] for t, f in _pairs(controls, counted)}
        for number, truth in enumerate(controls):
            kind = HEADER_CELL if truth.type == "button" and truth.text in headers else truth.type
            count = self.kinds.setdefault(kind, Counter())
            count["all"] += 1
            count["centre"] += any(hits_centre(one.box, truth.box) for one in counted)
            if number in pairs:
                _compare(count, truth, pairs[number])
        claimed = [one for one in counted if is_control(one)]
        self._claimed["right"] += len(_pairs(controls, claimed))
        self._claimed["all"] += len(claimed)

    def merge(self, other: ControlTally) -> None:
        """Add what another one has counted."""
        for kind, count in other.kinds.items():
            self.kinds.setdefault(kind, Counter()).update(count)
        self._claimed.update(other._claimed)

    def figures(self) -> ControlFigures:
        """Over all controls."""
        total = sum(self.kinds.values(), Counter[str]())
        precision = Share.count(self._claimed["right"], self._claimed["all"])
        return _figures(total).but(precision=precision)

    def figures_of(self, *kinds: str) -> ControlFigures:
        """Over some kinds of controls."""
        return _figures(sum((self.kinds.get(kind, Counter()) for kind in kinds), Counter[str]()))


def _pairs(truth: Sequence[Element], found: Sequence[Element]) -> list[tuple[int, int]]:
    pairs = match(
        [one.box for one in truth],
        [one.box for one in found],
        least=LEAST,
        truth_kinds=[one.type for one in truth],
        found_kinds=[one.type for one in found],
    )
    return [(t, f) for t, f, _ in pairs]


def _compare(count: Counter[str], truth: GroundTruth, found: Element) -> None:
    count["found"] += 1
    count["type"] += truth.type == found.type
    count["type_or_icon"] += truth.type == found.type or (
        truth.text is None and {truth.type, found.type} == {"button", "icon"}
    )
    if truth.text is not None:
        count["named"] += 1
        count["name"] += same_name(truth.text, found.text or found.placeholder)
    for state, value in truth.states.items():
        right = found.states.get(state) == value
        count["states seen"] += 1
        count["states"] += right
        count["true seen"] += value
        count["true"] += value and right


def _figures(count: Counter[str]) -> ControlFigures:
    return ControlFigures(
        found=Share.count(count["found"], count["all"]),
        centre=Share.count(count["centre"], count["all"]),
        type=Share.count(count["type"], count["found"]),
        type_or_icon=Share.count(count["type_or_icon"], count["found"]),
        name=Share.count(count["name"], count["named"]),
        states=Share.count(count["states"], count["states seen"]),
        when_true=Share.count(count["true"], count["true seen"]),
    )


def _bare(text: str | None) -> str:
    return plain(_MNEMONIC.sub("", _BEFORE_ELLIPSIS.sub("…", text or "")))
