"""Proof that a demo can be done again: a replay that reached the recorded state."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from demopack.domain.records import Moment, Pixels, Record
from demopack.domain.steps import Step

ProofKind = Literal["pictures", "state", "reward"]
"""How it is known: every step changed what it changed in the recording; a program of the person's own looked at the
result; the task's own reward said so."""


class ReplayProof(Record):
    """A replay that reached the recorded state.

    Attributes:
        at: wall clock at its end, UTC.
        kind: how it is known that the state was reached.
        platform: operating system and session, as of a recording.
        width: of the screen, pixels.
        height: as ``width``.
        scale_factor: how much larger than usual programs drew there.
        steps: that were performed.
        seconds: from start to end.
        program: name and version of what performed it.
        basis: fingerprint of the steps; where they are others now, the proof says nothing about them.
    """

    at: Moment
    kind: ProofKind
    platform: str = ""
    width: Pixels = 0
    height: Pixels = 0
    scale_factor: float = 1.0
    steps: int = Field(ge=0)
    seconds: float = Field(ge=0)
    program: str = ""
    basis: str

    def holds_for(self, steps: Sequence[Step]) -> bool:
        """Whether these are the steps that were performed."""
        return self.basis == proof_basis(steps)

    def words(self) -> str:
        """For people, for instance ``2026-11-29, 1280x800 px, by what each step changed``."""
        how = {
            "pictures": "by what each step changed on the screen",
            "state": "by a check of the result",
            "reward": "by the task's own reward",
        }[self.kind]
        place = [f"{self.width}x{self.height} px"] if self.width else []
        return ", ".join([f"{self.at:%Y-%m-%d}", *place, how])


def proof_basis(steps: Sequence[Step]) -> str:
    """A fingerprint of what steps do and where: neither pictures nor explanations count."""
    told = [(step.action.to_wire(), None if step.pointer is None else step.pointer.to_json()) for step in steps]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]
