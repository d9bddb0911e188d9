"""What each source said on its own, from the evidence that the parse keeps: the detector, the describer, the OCR."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from demopack.domain.elements import Element, Evidence
from demopack.domain.geometry import Rect
from demopack.domain.text_likeness import edit_distance
from lab.evaluation.figures import Alone, BoxFigures, Share
from lab.evaluation.judge import LEAST, Judged
from lab.evaluation.matching import match
from models.training.differences import plain


def _counter() -> Counter[tuple[str, str]]:
    return Counter()


@dataclass(slots=True)
class SourceTally:
    """Counts by source."""

    counts: Counter[tuple[str, str]] = field(default_factory=_counter)
    truth: int = 0

    def add(self, judged: Judged) -> None:
        """Count one more screen."""
        self.truth += len(judged.screen.elements)
        truth = [one.box for one in judged.screen.elements]
        for source, boxes in _boxes(judged.found).items():
            self.counts[source, "found"] += len(boxes)
            self.counts[source, "hits"] += len(match(truth, boxes, least=LEAST))
        for pair in judged.pairs:
            true = plain(pair.truth.text)
            for said in _first_of_each(evidence_of(pair.found)):
                count = self.counts
                if said.type is not None:
                    count[said.source, "type"] += 1
                    count[said.source, "type right"] += said.type == pair.truth.type
                if said.text is not None and true:
                    read = plain(said.text)
                    count[said.source, "text"] += 1
                    count[said.source, "text exact"] += read == true
                    count[said.source, "edits"] += edit_distance(true, read)
                    count[said.source, "characters"] += len(true)

    def figures(self) -> dict[str, Alone]:
        """By source."""
        return {source: self._alone(source) for source in sorted({source for source, _ in self.counts})}

    def _alone(self, source: str) -> Alone:
        def n(what: str) -> int:
            return self.counts[source, what]

        boxes = BoxFigures()
        if n("found"):
            boxes = BoxFigures.count(n("hits"), truth=self.truth, found=n("found"))
        return Alone(
            boxes=boxes,
            type=Share.count(n("type right"), n("type")),
            text=Share.count(n("text exact"), n("text")),
            edits=n("edits"),
            characters=n("characters"),
        )


def evidence_of(element: Element) -> tuple[Evidence, ...]:
    """What its sources said; of an element that only one source gave, the element itself."""
    if element.evidence:
        return element.evidence
    itself = Evidence(
        source=element.source,
        type=element.type,
        box=element.box,
        text=element.text,
        confidence=element.confidence,
    )
    return (itself,)


def _boxes(found: Iterable[Element]) -> dict[str, list[Rect]]:
    by_source: dict[str, list[Rect]] = {}
    for element in found:
        for said in evidence_of(element):
            if said.box is not None:
                by_source.setdefault(said.source, []).append(said.box)
    return by_source


def _first_of_each(evidence: Iterable[Evidence]) -> list[Evidence]:
    first: dict[str, Evidence] = {}
    for said in evidence:
        first.setdefault(said.source, said)
    return list(first.values())
