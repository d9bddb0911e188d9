"""Counts what is in a pack, row by row: for people who choose what to train on."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from demopack.domain.words import counted
from demopack.pack.rows import DemoRow, ElementRow, StepRow

_BAR = 24
MAX_BARS: Final = 12
"""Of one chart; what is less frequent is counted together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """How some numbers lie.

    Attributes:
        count: how many.
        least: the smallest.
        median: the middle one.
        most: the largest.
        mean: on average.
    """

    count: int
    least: float
    median: float
    most: float
    mean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PackStatistics:
    """What is in a pack.

    Attributes:
        demos: how many.
        steps: how many.
        elements: how many.
        steps_per_demo: spread.
        seconds_per_step: from one step's first event to the next one's; where times are known.
        elements_per_picture: spread.
        actions: type -> steps.
        element_types: type -> elements.
        sizes: ``WxH`` -> pictures that steps were done on.
        apps: name -> demos.
        outcomes: ``success``, ``failure`` or ``unknown`` -> demos.
        reviews: what a person said -> steps.
        doubts: kind -> steps.
        rationales: kind of writer -> steps; ``none`` for those without.
    """

    demos: int
    steps: int
    elements: int
    steps_per_demo: Distribution | None
    seconds_per_step: Distribution | None
    elements_per_picture: Distribution | None
    actions: Mapping[str, int]
    element_types: Mapping[str, int]
    sizes: Mapping[str, int]
    apps: Mapping[str, int]
    outcomes: Mapping[str, int]
    reviews: Mapping[str, int]
    doubts: Mapping[str, int]
    rationales: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """All fields as plain JSON."""
        return asdict(self)


@dataclass(slots=True)
class RowCounter:
    """Counts rows as they come; keeps numbers, not rows."""

    _counts: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    _lengths: list[int] = field(default_factory=list[int])
    _seconds: list[float] = field(default_factory=list[float])
    _on_pictures: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    def _count(self, what: str, name: str) -> None:
        self._counts.setdefault(what, Counter())[name] += 1

    def demo(self, head: DemoRow, steps: Sequence[StepRow]) -> None:
        """One demo and its steps, in order."""
        self._count("apps", head.app or "unknown")
        self._count("outcomes", head.outcome or "unknown")
        self._lengths.append(len(steps))
        last = None
        for row in steps:
            self._count("actions", str(row.response["action"]["action_type"]))
            self._count("reviews", row.review)
            self._count("rationales", "none" if row.rationale is None else row.rationale.provenance.kind)
            if row.image_size is not None:
                self._count("sizes", f"{row.image_size[0]}x{row.image_size[1]}")
            for doubt in row.doubts:
                self._count("doubts", doubt)
            if last is not None and row.t_ms is not None and row.t_ms >= last:
                self._seconds.append((row.t_ms - last) / 1000)
            last = row.t_ms

    def elements(self, rows: Iterable[ElementRow]) -> None:
        """Some elements."""
        for row in rows:
            self._count("element_types", row.type)
            self._on_pictures[row.demo, row.frame] += 1

    def result(self) -> PackStatistics:
        """Everything that was counted, the most frequent first."""
        sorted_counts = {name: dict(sorted(c.items(), key=lambda p: (-p[1], p[0]))) for name, c in self._counts.items()}
        found = {name: sorted_counts.get(name, {}) for name in (
            "actions", "element_types", "sizes", "apps", "outcomes", "reviews", "doubts", "rationales")}  # fmt: skip
        return PackStatistics(
            demos=len(self._lengths),
            steps=sum(self._lengths),
            elements=sum(self._on_pictures.values()),
            steps_per_demo=_spread(self._lengths),
            seconds_per_step=_spread(self._seconds),
            elements_per_picture=_spread(list(self._on_pictures.values())),
            **found,
        )


def _spread(values: Sequence[float]) -> Distribution | None:
    if not values:
        return None
    return Distribution(
        count=len(values),
        least=round(min(values), 3),
        median=round(statistics.median(values), 3),
        most=round(max(values), 3),
        mean=round(statistics.fmean(values), 3),
    )


SPREADS: Final = {
    "steps_per_demo": "steps per demo", "seconds_per_step": "seconds per step",
    "elements_per_picture": "elements per picture",
}  # fmt: skip
TITLES: Final = {
    "actions": "Actions (steps)", "element_types": "Elements", "sizes": "Sizes of the pictures (steps)",
    "apps": "Applications (demos)", "outcomes": "Outcomes (demos)", "reviews": "Reviews (steps)",
    "doubts": "Doubts (steps)", "rationales": "Rationales by (steps)",
}  # fmt: skip


def statistics_text(found: PackStatistics) -> Iterator[str]:
    """Line by line with bars, for a terminal or a card."""
    numbers = (found.demos, "demo"), (found.steps, "step"), (found.elements, "element")
    yield ", ".join(counted(number, thing) for number, thing in numbers)
    for name, title in SPREADS.items():
        spread: Distribution | None = getattr(found, name)
        if spread is not None:
            yield f"{title}: {spread.least:g} to {spread.most:g}, median {spread.median:g}, mean {spread.mean:g}"
    for name, title in TITLES.items():
        counts: Mapping[str, int] = getattr(found, name)
        if not counts:
            continue
        yield f"\n{title}"
        largest = max(counts.values())
        for label, count in list(counts.items())[:MAX_BARS]:
            yield f"  {' '.join(label.split())[:24]:24} {'#' * max(1, round(_BAR * count / largest)):{_BAR}} {count}"
        if len(counts) > MAX_BARS:
            yield f"  and {len(counts) - MAX_BARS} more"
