"""Summary of findings: how much of some demos was replaced, kept or not decided about, and where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from demopack.domain.demos import Demo
from demopack.domain.words import counted, stretches
from demopack.redaction.matches import Kind
from demopack.redaction.scan import PrivateFinding, scan_demo


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactionSummary:
    """Different values by kind; a value that stands in two demos counts in each.

    Attributes:
        replaced: gave way to a placeholder.
        kept: stay because a person said so.
        open: stay, and nobody decided about them.
        kept_digests: names of the kept values (:attr:`demopack.redaction.values.Value.digest`), sorted.
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


KIND_WORDS: Final[dict[Kind, str]] = {
    "token": "token",
    "iban": "bank account",
    "card": "payment card",
    "email": "e-mail address",
    "key": "key",
    "password_like": "password",
    "phone": "telephone number",
    "user_path": "user name",
    "ip": "internet address",
    "maybe_password": "possible password",
    "text": "text",
}


def masked(value: str) -> str:
    """A value that can be recognised by whoever knows it, and used by nobody."""
    return "•••" if len(value) < 8 else f"{value[:2]}•••{value[-1]}"


def places_text(found: PrivateFinding, *, limit: int = 4) -> str:
    """``the task; typed text (step 2); window title (steps 1-4); 3 pictures``."""
    steps: dict[str, list[int]] = {}
    pictures: set[str] = set()
    for place in found.places:
        in_step = _IN_STEP.fullmatch(place.where)
        if in_step is not None:
            steps.setdefault(in_step[2], []).append(int(in_step[1]))
        elif place.element is not None and place.frame is not None:
            pictures.add(place.frame)
        else:
            steps.setdefault(place.where, [])
    words = [f"{what} ({_numbers(numbers)})" if numbers else what for what, numbers in steps.items()]
    if pictures:
        words.insert(min(len(words), limit - 1), counted(len(pictures), "picture"))
    more = len(words) - limit
    shown = "; ".join(words[:limit])
    return shown if more <= 0 else f"{shown}; and {more} more {'place' if more == 1 else 'places'}"


_IN_STEP = re.compile(r"step ([0-9]+), (.*)")


def _numbers(numbers: Sequence[int]) -> str:
    """``step 2``, ``steps 1, 3-5``."""
    once = sorted(set(numbers))
    return f"{'step' if len(once) == 1 else 'steps'} {', '.join(stretches(once))}"


def unread_pictures(demo: Demo) -> int:
    """How many pictures nobody has looked through yet: what they show is neither found nor painted over."""
    return sum(frame.id not in demo.parsed and not demo.elements.get(frame.id) for frame in demo.frames())
