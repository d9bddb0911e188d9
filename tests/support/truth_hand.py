"""Rationales that were written by hand, one at a time: true ones, and false ones with one fault each.

The true ones hold what voices lack: past steps, slips of reading that the writer saw through, negations, asides. Each
set was written after the faults of the check that the set before it showed had been mended, and was counted once before
it was used to mend more: ``tuned``, ``fresh``, ``third``, ``fourth``, ``last``. ADR-0020 tells those first counts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from demopack.domain.ports import StepContext
from demopack.domain.provenance import by_human, by_program
from demopack.domain.rationale import Rationale
from tests.support.truth_steps import practice_steps, screen_step

_DATA = Path(__file__).parents[1] / "data" / "truth"


@dataclass(frozen=True, kw_only=True)
class HandWritten:
    """One rationale: of which set, with which class of fault (empty for none), and the step that it is about."""

    set: str
    fault: str
    where: str
    context: StepContext
    rationale: Rationale


def by_hand(sample: Sequence[StepContext]) -> list[HandWritten]:
    """True ones, ``sample`` being the steps of the sample demo."""
    return _read("by_hand.json", sample)


def false_by_hand(sample: Sequence[StepContext]) -> list[HandWritten]:
    """False ones, each with its class of fault."""
    return _read("false_by_hand.json", sample)


def _read(name: str, sample: Sequence[StepContext]) -> list[HandWritten]:
    demos = {"practice": practice_steps(), "sample": list(sample)}
    found: list[HandWritten] = []
    for row in json.loads((_DATA / name).read_text(encoding="utf-8")):
        said = row["said"]
        # What has a text of its own is a person's, the rest a model's.
        provenance = by_human("hand") if "text" in said else by_program("model", "hand")
        context = (
            demos[row["demo"]][row["step"]]
            if "step" in row
            else screen_step(row["demo"], row["target"], number=row["came"])
        )
        found.append(
            HandWritten(
                set=row["set"], fault=row.get("class", ""), context=context,
                where=f"{row['demo']}, {row.get('step', row.get('target'))}",
                rationale=Rationale(provenance=provenance, **said),
            )
        )  # fmt: skip
    return found
