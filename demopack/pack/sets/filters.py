"""Selection of a pack's demos. A demo is taken or left as a whole: one without some of its steps is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from demopack.errors import BadInputError
from demopack.json_lines import parse_object
from demopack.pack.reader import DemoLines, Pack, Packs
from demopack.pack.rows import DemoRow, StepRow

_T = TypeVar("_T")
_TAG = re.compile(r"(?<![\w#])#([\w-]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What a demo must be like; every field that is given must hold.

    Attributes:
        approved: a person approved every step.
        sure: no step has a doubt.
        complete: it was not cut off.
        outcome: how it ended.
        verdicts: demo id -> what a judge said; with ``verdict``. For demos that are not in it, the pack's own verdict
            counts: whether the task was done (yes, no, unsure).
        verdict: the judge must have said this.
        shortest: steps at least.
        longest: steps at most; 0 for any.
        apps: one of these applications, whatever case.
        tags: all of these tags: words with a ``#`` before them in the task or in a note.
        words: a text that the task contains, whatever case.
        verified: a replay has reached the recorded state.
    """

    approved: bool = False
    sure: bool = False
    complete: bool = False
    outcome: str = ""
    verdicts: Mapping[str, str] = field(default_factory=dict[str, str])
    verdict: str = ""
    shortest: int = 0
    longest: int = 0
    apps: Collection[str] = ()
    tags: Collection[str] = ()
    words: str = ""
    verified: bool = False

    def why_not(self, head: DemoRow, steps: Sequence[StepRow]) -> str:
        """Why a demo is left out, in a few words; empty for one that is taken."""
        texts = (head.task, *(row.note for row in steps))
        tags = {tag.casefold() for text in texts for tag in _TAG.findall(text)}
        verdict = self.verdicts.get(head.demo, None if head.verdict is None else head.verdict.complete)
        reasons = {
            "a step is not approved": self.approved and any(row.review != "approved" for row in steps),
            "no replay has reached its recorded state": self.verified and head.proof is None,
            "a step is in doubt": self.sure and any(row.doubts for row in steps),
            "it was cut off": self.complete and head.status != "complete",
            "another outcome": bool(self.outcome) and head.outcome != self.outcome,
            "another verdict": bool(self.verdict) and verdict != self.verdict,
            "too short": len(steps) < self.shortest,
            "too long": 0 < self.longest < len(steps),
            "another application": bool(self.apps) and head.app.casefold() not in {a.casefold() for a in self.apps},
            "a tag is missing": not {tag.lstrip("#").casefold() for tag in self.tags} <= tags,
            "another task": self.words.casefold() not in head.task.casefold(),
        }
        return next((reason for reason, holds in reasons.items() if holds), "")


def chosen(packs: Packs, wanted: Filter, make: Callable[[Pack, DemoLines], _T]) -> tuple[list[_T], dict[str, str]]:
    """What ``make`` makes of each demo that is wanted, its elements left out, and why each of the others is not."""
    taken: list[_T] = []
    left: dict[str, str] = {}
    for pack, lines in packs.lines():
        reason = wanted.why_not(lines.head, lines.steps)
        if reason:
            left[lines.head.demo] = reason
        else:
            taken.append(make(pack, replace(lines, elements=())))
    return taken, left


def read_verdicts(path: Path) -> dict[str, str]:
    """What a judge said: demo id -> verdict, from JSON Lines with ``demo`` and ``verdict``.

    Raises:
        BadInputError: a line cannot be read; it is named.
    """
    found: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"The verdicts in {path} cannot be read.", details=str(error)) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = parse_object(line)
            found[str(row["demo"])] = str(row["verdict"])
        except (ValueError, KeyError, RecursionError) as error:
            raise BadInputError(
                f"Line {number} of {path.name} is no verdict.", hint='Write {"demo": …, "verdict": …}.'
            ) from error
    return found
