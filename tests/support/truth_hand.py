"""True rationales that were written by hand, one at a time, for steps of two demos.

Past steps, slips of reading that the writer saw through, states, negations, colours that are really there, asides. Those
of the set ``tuned`` showed faults of the check, which were mended; those of ``fresh`` were written after that, and showed
more. So their false alarms are a lower bound.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from demopack.domain.provenance import by_human, by_program
from demopack.domain.rationale import Rationale

__all__ = ["HandWritten", "by_hand"]

_FILE = Path(__file__).parents[1] / "data" / "truth" / "by_hand.json"


@dataclass(frozen=True, kw_only=True)
class HandWritten:
    """One true rationale: of which set, for which step (from 0) of which demo."""

    set: str
    demo: str
    step: int
    rationale: Rationale


def by_hand() -> list[HandWritten]:
    """All of them; what has a text of its own is a person's, the rest a model's."""
    found: list[HandWritten] = []
    for row in json.loads(_FILE.read_text(encoding="utf-8")):
        said = row["said"]
        provenance = by_human("hand") if "text" in said else by_program("model", "hand")
        rationale = Rationale(provenance=provenance, **said)
        found.append(HandWritten(set=row["set"], demo=row["demo"], step=row["step"], rationale=rationale))
    return found
