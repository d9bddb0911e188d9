"""How much of some demos was replaced, kept, or not decided about: for the pack that is made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from demopack.domain.demos import Demo
from demopack.redaction.scan import scan_demo

__all__ = ["RedactionSummary", "summarise"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactionSummary:
    """Different values by kind; a value that stands in two demos counts in each.

    Attributes:
        replaced: gave way to a placeholder.
        kept: stay because a person said so.
        open: stay, and nobody decided about them.
        kept_digests: names of the kept values (:func:`demopack.redaction.values.digest`), sorted.
        secrets_hidden: typed secrets that were never stored.
        frames_covered: pictures of which a part was painted over.
    """

    replaced: dict[str, int]
    kept: dict[str, int]
    open: dict[str, int]
    kept_digests: list[str]
    secrets_hidden: int
    frames_covered: int


def summarise(demos: Iterable[Demo]) -> RedactionSummary:
    """Look through some demos as they would be exported; decisions are those of their heads."""
    replaced: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    undecided: Counter[str] = Counter()
    digests: set[str] = set()
    hidden = covered = 0
    for demo in demos:
        found = scan_demo(demo)
        there = {one.digest for one in found}
        notes = demo.head.redaction
        replaced.update(note.kind for key, note in notes.items() if note.decision == "replace" and key not in there)
        kept.update(one.kind for one in found if one.decision == "keep")
        undecided.update(one.kind for one in found if one.decision != "keep")
        digests.update(one.digest for one in found if one.decision == "keep")
        hidden += demo.head.counters.secrets_hidden
        covered += sum(bool(frame.covered) for frame in demo.frames())
    return RedactionSummary(
        replaced=dict(sorted(replaced.items())),
        kept=dict(sorted(kept.items())),
        open=dict(sorted(undecided.items())),
        kept_digests=sorted(digests),
        secrets_hidden=hidden,
        frames_covered=covered,
    )
