"""What else is counted about the controls of real programs: their names, header cells, and buttons without words.

Recall, centre, type, states and precision are those of every measurement (:mod:`lab.evaluation.tally`).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from lab.evaluation.figures import Share, TypeFigures
from lab.evaluation.judge import NOT_USED, Judged, Pair
from lab.evaluation.tally import Tally
from models.training.differences import plain
from models.training.labelled_screens import GroundTruth, LabelledScreen

HEADERS: Final = "headers"
"""In a screen's ``variant``: the words of its header cells, which are of type ``button``, one a line."""
_BEFORE_ELLIPSIS: Final = re.compile(r"\s*(?:…|\.\.\.)")
_MNEMONIC: Final = re.compile(r"[&_](?=\w)")


def same_name(one: str | None, other: str | None) -> bool:
    """Whether two names are equal but for white space, the form of an ellipsis and the mark of a key."""
    return _bare(one) == _bare(other)


def _counter() -> Counter[str]:
    return Counter()


@dataclass(slots=True)
class ControlTally:
    """Counts over screens whose truth holds every control that can be seen.

    Attributes:
        tally: what is counted in every measurement.
    """

    tally: Tally = field(default_factory=Tally)
    _counts: Counter[str] = field(default_factory=_counter)
    _headers: Counter[str] = field(default_factory=_counter)

    def add(self, judged: Judged) -> None:
        """Count one more screen."""
        self.tally.add(judged)
        for pair in judged.pairs:
            if pair.truth.type not in NOT_USED:
                self._add_pair(pair)
        headers = _header_cells(judged.screen)
        self._headers["truth"] += len(headers)
        self._headers["centre"] += sum(truth in headers for truth in judged.centred)
        for pair in judged.pairs:
            if pair.truth in headers:
                self._headers["hit"] += 1
                self._headers["right"] += pair.truth.type == pair.found.type

    @property
    def names(self) -> Share:
        """Of those found whose words can be read, those with the same words."""
        return Share.count(self._counts["name"], self._counts["named"])

    @property
    def types_or_icons(self) -> Share:
        """Types of those found, where a button without words may be called an icon and the other way round."""
        return Share.count(self._counts["type or icon"], self._counts["found"])

    @property
    def header_cells(self) -> TypeFigures:
        """Buttons that are cells of a table's header; no precision, nothing is found as one."""
        count = self._headers
        return TypeFigures.count(
            truth=count["truth"], found=0, hit=count["hit"], right=count["right"], centre=count["centre"]
        )

    def _add_pair(self, pair: Pair) -> None:
        true, found = pair.truth, pair.found
        self._counts["found"] += 1
        self._counts["type or icon"] += true.type == found.type or (
            true.text is None and {true.type, found.type} == {"button", "icon"}
        )
        if true.text is not None:
            self._counts["named"] += 1
            self._counts["name"] += same_name(true.text, found.text or found.placeholder)


def _header_cells(screen: LabelledScreen) -> list[GroundTruth]:
    words = set(screen.variant.get(HEADERS, "").splitlines())
    return [truth for truth in screen.elements if truth.type == "button" and truth.text in words]


def _bare(text: str | None) -> str:
    return plain(_MNEMONIC.sub("", _BEFORE_ELLIPSIS.sub("…", text or "")))
