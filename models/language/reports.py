"""Reports of a run of the writer, step by step: states, lengths, what it took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from demopack.domain.ports import StepContext
from demopack.domain.rationale import Rationale, RationaleMode
from demopack.jobs import JobControl
from models.language.port import LanguageAnswer

if TYPE_CHECKING:
    from models.language.check.truth_rule import RationaleFinding

StepState = Literal["written", "warned", "kept", "failed"]
"""It has a new rationale; it has one, and the check warns of it; it keeps the one it had; it got none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenStep:
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
    asked: tuple[LanguageAnswer[Any], ...] = ()

    @classmethod
    def of(cls, number: int, explained: ExplainedStep, *, stored: bool) -> WrittenStep:
        """The report of a step that was explained."""
        findings = tuple(f"{one.rule} {one.part}: {one.message}" for one in explained.findings)
        said = explained.rationale
        names = ("observation", "thought", "expected_effect", "actual_effect", "hindsight")
        lengths = {name: len(getattr(said, name)) for name in names}
        lengths |= {"plan": sum(map(len, said.plan)), "reasoning": len(said.reasoning)}
        state: StepState = "warned" if findings else "written" if stored else "kept"
        return cls(step=number, state=state, findings=findings, lengths=lengths, asked=explained.asked)

    def to_json(self) -> dict[str, Any]:
        """For ``--json``: with sums over the questions."""
        asked = [one.to_json() for one in self.asked]
        return {**asdict(replace(self, asked=())), "asked": asked, **usage_sums(self.asked)}


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
    steps: tuple[WrittenStep, ...] = ()
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
    def asked(self) -> tuple[LanguageAnswer[Any], ...]:
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
            **usage_sums(self.asked),
            "steps": [step.to_json() for step in self.steps],
        }


def money(asked: Iterable[LanguageAnswer[Any]]) -> str:
    """What was paid, for a person: ``$0.0123``, or tokens where no price is known."""
    sums = usage_sums([one for one in asked if not one.cached])
    cost = sums["cost"]
    return f"{sums['input_tokens'] + sums['output_tokens']:,} tokens" if cost is None else f"${cost:.4f}"


def usage_sums(asked: Sequence[LanguageAnswer[Any]]) -> dict[str, Any]:
    """Calls, how many of them were cached, tokens and dollars, for ``--json``."""
    costs = [one.paid for one in asked if one.paid is not None]
    return {
        "calls": len(asked),
        "cached": sum(one.cached for one in asked),
        "input_tokens": sum(one.usage.input_tokens for one in asked),
        "output_tokens": sum(one.usage.output_tokens for one in asked),
        "cost": sum(costs) if len(costs) == len(asked) else None,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedStep:
    """What a writer made of one step.

    Attributes:
        rationale: the explanation.
        findings: what the truth check still says about it.
        asked: the questions that it took; empty for a writer that needs no model.
    """

    rationale: Rationale
    findings: tuple[RationaleFinding, ...] = ()
    asked: tuple[LanguageAnswer[Any], ...] = ()


class RationaleWriter(Protocol):
    """Explains one step, and tells what that took.

    Attributes:
        name: for the provenance.
        mode: what it looks at.
    """

    name: str
    mode: RationaleMode

    def explain(self, context: StepContext, *, subject: str, control: JobControl) -> ExplainedStep:
        """The explanation of one step; it names only elements that are on the screen.

        Args:
            context: what is known about it.
            subject: demo and step, for the log.
            control: cancelling.

        Raises:
            LanguageError: the model gave no usable answer.
            CancelledError: the user stopped it.
        """
        ...


def errors_in(findings: Iterable[RationaleFinding]) -> int:
    """How many of the findings say that something is not so."""
    return sum(finding.severity == "error" for finding in findings)
