"""What a run of the writer did, step by step: states, lengths, what it took."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from demopack.domain.rationale import Rationale, RationaleMode
from models.language.explained import Asked, Explained

__all__ = ["StepReport", "StepState", "WriteReport", "cost_of", "money"]

StepState = Literal["written", "warned", "kept", "failed"]
"""It has a new rationale; it has one, and the check warns of it; it keeps the one it had; it got none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReport:
    """What became of one step.

    Attributes:
        step: its number, from 1.
        state: see :data:`StepState`.
        message: why it failed; empty otherwise.
        findings: what the check warns of, as ``rule part: message``.
        lengths: characters of each field of the new rationale, and of the ``reasoning`` that comes of them.
        asked: the questions that it took.
    """

    step: int
    state: StepState
    message: str = ""
    findings: tuple[str, ...] = ()
    lengths: dict[str, int] | None = None
    asked: tuple[Asked, ...] = ()

    @classmethod
    def of(cls, number: int, explained: Explained, *, stored: bool) -> StepReport:
        """The report of a step that was explained."""
        findings = tuple(f"{one.rule} {one.part}: {one.message}" for one in explained.findings)
        state: StepState = "warned" if findings else "written" if stored else "kept"
        return cls(
            step=number, state=state, findings=findings, lengths=_lengths(explained.rationale), asked=explained.asked
        )

    def to_json(self) -> dict[str, Any]:
        """For ``--json``: with sums over the questions."""
        data = asdict(self)
        data.update(_sums(self.asked))
        return data


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteReport:
    """What became of one demo.

    Attributes:
        demo: id.
        writer: its name.
        mode: what the writer looked at.
        steps: what became of each step, in order; steps that the run did not reach are missing.
        human: steps whose rationale is a person's; they are always kept.
        trouble: why the run did not reach the demo's end; empty when it did.
    """

    demo: str
    writer: str
    mode: RationaleMode = "no_hindsight"
    steps: tuple[StepReport, ...] = ()
    human: int = 0
    trouble: str = ""

    @property
    def written(self) -> int:
        """Steps that got a rationale now, with or without a warning."""
        return sum(step.state in {"written", "warned"} for step in self.steps)

    @property
    def kept(self) -> int:
        """Steps whose rationale stayed."""
        return sum(step.state == "kept" for step in self.steps)

    @property
    def warned(self) -> tuple[int, ...]:
        """Numbers of the steps whose new rationale the check warns of."""
        return tuple(step.step for step in self.steps if step.state == "warned")

    @property
    def failed(self) -> tuple[int, ...]:
        """Numbers of the steps that got no rationale."""
        return tuple(step.step for step in self.steps if step.state == "failed")

    @property
    def asked(self) -> tuple[Asked, ...]:
        """All questions."""
        return tuple(asked for step in self.steps for asked in step.asked)

    def to_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "demo": self.demo,
            "writer": self.writer,
            "mode": self.mode,
            "written": self.written,
            "kept": self.kept,
            "human": self.human,
            "warned": list(self.warned),
            "failed": list(self.failed),
            "trouble": self.trouble,
            **_sums(self.asked),
            "steps": [step.to_json() for step in self.steps],
        }


def cost_of(asked: Iterable[Asked]) -> float | None:
    """Dollars paid now; None when something was paid whose price is not known."""
    costs = [one.cost for one in asked]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def money(asked: Iterable[Asked]) -> str:
    """What was paid, for a person: ``$0.0123``, or tokens where no price is known."""
    every = list(asked)
    cost = cost_of(every)
    if cost is None:
        return f"{sum(one.input_tokens + one.output_tokens for one in every if not one.cached):,} tokens"
    return f"${cost:.4f}"


def _sums(asked: Iterable[Asked]) -> dict[str, Any]:
    every = list(asked)
    return {
        "calls": len(every),
        "cached": sum(one.cached for one in every),
        "input_tokens": sum(one.input_tokens for one in every),
        "output_tokens": sum(one.output_tokens for one in every),
        "cost": cost_of(every),
    }


def _lengths(rationale: Rationale) -> dict[str, int]:
    names = ("observation", "thought", "expected_effect", "actual_effect", "hindsight")
    lengths = {name: len(getattr(rationale, name)) for name in names}
    lengths["plan"] = sum(len(step) for step in rationale.plan)
    return {**lengths, "reasoning": len(rationale.reasoning)}
