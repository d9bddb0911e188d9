"""A rationale as its writer hands it over: with what it took, and what is still wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from demopack.domain.ports import RationaleWriter, StepContext
from demopack.domain.rationale import Rationale, RationaleMode
from demopack.jobs import JobControl
from models.language.port import LanguageAnswer

if TYPE_CHECKING:
    from models.language.check.findings import RationaleFinding

__all__ = ["Asked", "Check", "Explained", "Explainer", "PlainExplainer", "errors_in", "explainer_of", "truth_check"]


class Check(Protocol):
    """Holds a rationale against what is known about its step."""

    def __call__(
        self, rationale: Rationale, context: StepContext, *, after_visible: bool
    ) -> Sequence[RationaleFinding]:
        """What is wrong with it; empty when all is well."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question that was answered.

    Attributes:
        prompt: id and version of its prompt.
        model: the name that the server gave.
        cached: it had been paid for before.
        input_tokens: of the question.
        output_tokens: of the answer.
        cost: dollars paid now; None when the price is not known.
        seconds: until the answer was there.
    """

    prompt: str
    model: str
    cached: bool
    input_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float

    @classmethod
    def of(cls, prompt: str, answer: LanguageAnswer[Any]) -> Asked:
        """What an answer took; one that was there already costs nothing."""
        return cls(
            prompt=prompt,
            model=answer.model,
            cached=answer.cached,
            input_tokens=answer.usage.input_tokens,
            output_tokens=answer.usage.output_tokens,
            cost=0.0 if answer.cached else answer.usage.cost,
            seconds=answer.seconds,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """What a writer made of one step.

    Attributes:
        rationale: the explanation.
        findings: what the truth check still says about it.
        asked: the questions that it took; empty for a writer that needs no model.
    """

    rationale: Rationale
    findings: tuple[RationaleFinding, ...] = ()
    asked: tuple[Asked, ...] = ()


@runtime_checkable
class Explainer(Protocol):
    """Explains one step, and tells what that took."""

    @property
    def name(self) -> str:
        """For the provenance."""
        ...

    @property
    def mode(self) -> RationaleMode:
        """What it looks at."""
        ...

    def explain(self, context: StepContext, *, subject: str, control: JobControl) -> Explained:
        """The explanation of one step.

        Args:
            context: what is known about it.
            subject: demo and step, for ledger and log.
            control: cancelling.

        Raises:
            LanguageError: the model gave no usable answer.
            CancelledError: the user stopped it.
        """
        ...


class PlainExplainer:
    """A writer that needs no second try, for instance the template; its words are checked all the same."""

    def __init__(self, writer: RationaleWriter, check: Check) -> None:
        self._writer = writer
        self._check = check

    @property
    def name(self) -> str:
        """The writer's."""
        return self._writer.name

    @property
    def mode(self) -> RationaleMode:
        """The writer's, where it has one."""
        mode: RationaleMode = getattr(self._writer, "mode", "no_hindsight")
        return mode

    def explain(self, context: StepContext, *, subject: str, control: JobControl) -> Explained:
        """See :class:`Explainer`."""
        del subject
        rationale = self._writer.write(context, control=control)
        findings = self._check(rationale, context, after_visible=rationale.mode == "hindsight")
        return Explained(rationale=rationale, findings=tuple(findings))


def explainer_of(writer: RationaleWriter | Explainer, *, check: Check | None = None) -> Explainer:
    """The writer itself where it can tell what it took, else one around it."""
    return writer if isinstance(writer, Explainer) else PlainExplainer(writer, check or truth_check)


def truth_check(rationale: Rationale, context: StepContext, *, after_visible: bool) -> Sequence[RationaleFinding]:
    """:func:`models.language.check.findings.check_rationale`, loaded when it is needed."""
    from models.language.check.findings import check_rationale

    return check_rationale(rationale, context, after_visible=after_visible)


def errors_in(findings: Iterable[RationaleFinding]) -> int:
    """How many of the findings say that something is not so."""
    return sum(finding.severity == "error" for finding in findings)
