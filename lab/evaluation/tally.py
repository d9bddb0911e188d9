"""Counts over screens; the figures are made of counts, so that every screen's elements weigh the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from demopack.domain.text_likeness import edit_distance
from lab.evaluation.figures import BoxFigures, Figures, Share, TextFigures, TypeFigures, UseFigures, times
from lab.evaluation.judge import CONTAINERS, NOT_USED, Judged, Pair
from lab.evaluation.source_tally import SourceTally
from models.training.differences import plain


def _counter() -> Counter[str]:
    return Counter()


def _pairs() -> Counter[tuple[str, str]]:
    return Counter()


def _states() -> Counter[tuple[str, bool, bool]]:
    return Counter()


@dataclass(slots=True)
class Tally:
    """What was counted over some screens. Adding screens in any order gives the same figures."""

    counts: Counter[str] = field(default_factory=_counter)
    truth: Counter[str] = field(default_factory=_counter)
    found: Counter[str] = field(default_factory=_counter)
    centred: Counter[str] = field(default_factory=_counter)
    confusion: Counter[tuple[str, str]] = field(default_factory=_pairs)
    states: Counter[tuple[str, bool, bool]] = field(default_factory=_states)
    screen_seconds: list[float] = field(default_factory=list[float])
    element_seconds: list[float] = field(default_factory=list[float])
    voices: SourceTally = field(default_factory=SourceTally)

    def add(self, judged: Judged) -> None:
        """Count one more screen."""
        self.counts["screens"] += 1
        self.counts["close"] += judged.close
        self.truth.update(truth.type for truth in judged.screen.elements)
        self.found.update(element.type for element in judged.found)
        self.centred.update(truth.type for truth in judged.centred)
        self.confusion.update((pair.truth.type, pair.found.type) for pair in judged.pairs)
        self._add_leaves(judged)
        for pair in judged.pairs:
            self._add_states(pair)
            self._add_text(pair)
            self._add_subtype(pair)
        self.screen_seconds.append(judged.seconds)
        self.element_seconds.append(judged.seconds / max(1, len(judged.found)))
        self.voices.add(judged)

    def figures(self, *, whole: bool = False) -> Figures:
        """What the counts mean.

        Args:
            whole: with the parts by type and by source as well.
        """
        hits, truth, found = self.confusion.total(), self.truth.total(), self.found.total()
        count = self.counts
        names = sorted({state for state, _, _ in self.states})
        figures = Figures(
            screens=count["screens"],
            at50=BoxFigures.count(hits, truth=truth, found=found),
            at75=BoxFigures.count(count["close"], truth=truth, found=found),
            leaves=BoxFigures.count(count["leaf hits"], truth=count["leaf truth"], found=count["leaf found"]),
            type=Share.count(sum(n for (true, named), n in self.confusion.items() if true == named), hits),
            states=self._states_of(None),
            by_state={name: self._states_of(name) for name in names},
            when_true={name: self._states_of(name, true_only=True) for name in names},
            text=TextFigures.count(
                exact=Share.count(count["text exact"], count["text"]),
                edits=count["text edits"],
                characters=count["text characters"],
                invented=Share.count(count["no text invented"], count["no text"]),
            ),
            icon=Share.count(count["icon right"], count["icon"]),
            shape=Share.count(count["shape right"], count["shape"]),
            interactive=self._use(self._interactive()),
            links=self._use({"hyperlink"}),
            controls=self._use(self._interactive() - {"hyperlink"}),
            seconds_screen=times(self.screen_seconds),
            seconds_element=times(self.element_seconds),
        )
        if not whole:
            return figures
        parts = {"types": self._types(), "confusion": self._confusion(), "alone": self.voices.figures()}
        return figures.model_copy(update=parts)

    def _add_leaves(self, judged: Judged) -> None:
        hits = sum(pair.truth.leaf for pair in judged.pairs)
        self.counts["leaf truth"] += sum(truth.leaf for truth in judged.screen.elements)
        self.counts["leaf hits"] += hits
        self.counts["leaf found"] += hits + sum(element.type not in CONTAINERS for element in judged.false)

    def _add_states(self, pair: Pair) -> None:
        for state, value in pair.truth.states.items():
            self.states[state, value, pair.found.states.get(state) == value] += 1

    def _add_text(self, pair: Pair) -> None:
        true, read = plain(pair.truth.text), plain(pair.found.text)
        if not true:
            self.counts["no text"] += 1
            self.counts["no text invented"] += bool(read)
            return
        self.counts["text"] += 1
        self.counts["text exact"] += true == read
        self.counts["text characters"] += len(true)
        self.counts["text edits"] += edit_distance(true, read)

    def _add_subtype(self, pair: Pair) -> None:
        kind = pair.truth.type
        if pair.truth.subtype is not None and kind in {"icon", "shape"}:
            self.counts[kind] += 1
            self.counts[f"{kind} right"] += pair.found.subtype == pair.truth.subtype

    def _states_of(self, name: str | None, *, true_only: bool = False) -> Share:
        asked = {key: n for key, n in self.states.items() if name in {None, key[0]} and (key[1] or not true_only)}
        return Share.count(sum(n for (_, _, right), n in asked.items() if right), sum(asked.values()))

    def _interactive(self) -> set[str]:
        return {*self.truth, *self.found} - NOT_USED

    def _use(self, types: set[str]) -> UseFigures:
        truth = sum(self.truth[name] for name in types)
        pairs = [(true, said, n) for (true, said), n in self.confusion.items()]
        hits = sum(n for true, _, n in pairs if true in types)
        return UseFigures(
            recall=Share.count(hits, truth),
            centre=Share.count(sum(self.centred[name] for name in types), truth),
            type=Share.count(sum(n for true, said, n in pairs if true in types and true == said), hits),
            precision=Share.count(
                sum(n for true, said, n in pairs if said in types and true not in NOT_USED),
                sum(self.found[name] for name in types),
            ),
        )

    def _types(self) -> dict[str, TypeFigures]:
        hit = _counter()
        for (true, _), n in self.confusion.items():
            hit[true] += n
        return {
            name: TypeFigures.count(
                truth=self.truth[name],
                found=self.found[name],
                hit=hit[name],
                right=self.confusion[name, name],
                centre=self.centred[name],
            )
            for name in sorted({*self.truth, *self.found})
        }

    def _confusion(self) -> dict[str, dict[str, int]]:
        table: dict[str, dict[str, int]] = {}
        for (true, named), n in sorted(self.confusion.items()):
            table.setdefault(true, {})[named] = n
        return table
