"""A language model as a writer: it is asked, its answer is checked, and once it may mend what was wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from demopack.domain.ports import StepContext
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale, RationaleMode
from demopack.domain.records import Record
from demopack.jobs import JobControl
from models.language.check.findings import RationaleFinding, check_rationale
from models.language.effect_sentences import actual_effect
from models.language.port import AnswerError, LanguageAnswer, LanguageError, LanguagePort, RefusedError, wait_for
from models.language.prompts import PromptCatalogue
from models.language.reports import ExplainedStep, ModelCall, errors_in
from models.language.step_questions import (
    EffectReply,
    StepQuestion,
    effect_question,
    hindsight_question,
    thought_question,
)

EffectSource = Literal["local", "model"]
"""Who says what an action did: the program, from the difference of the screens, or the model, from the same."""
_Check = Callable[..., Sequence[RationaleFinding]]
"""Holds a rationale against its step, as :func:`~models.language.check.findings.check_rationale` does."""
_Kind = Callable[..., StepQuestion[Any]]


@dataclass(kw_only=True)
class _Draft:
    """A rationale in the making, as far as it is written, and the questions so far."""

    context: StepContext
    subject: str
    control: JobControl
    rationale: Rationale
    asked: list[ModelCall] = field(default_factory=list[ModelCall])

    def take(self, question: StepQuestion[Any], future: Future[LanguageAnswer[Any]]) -> Record:
        """The answer to a question, once it is there."""
        answer = wait_for(future, self.control)
        self.asked.append(ModelCall.of(question.prompt.key, answer))
        value: Record = answer.value
        return value

    def with_fields(self, reply: Record) -> Rationale:
        """The rationale with the fields of an answer."""
        return self.rationale.model_copy(update=dict(reply))


class ModelWriter:
    """Satisfies :class:`~models.language.reports.RationaleWriter`."""

    def __init__(
        self,
        port: LanguagePort,
        *,
        mode: RationaleMode = "no_hindsight",
        catalogue: PromptCatalogue | None = None,
        effects: EffectSource = "local",
        check: _Check = check_rationale,
    ) -> None:
        """Write with the model behind ``port``, which stays the caller's to close.

        Args:
            port: the model.
            mode: what the model may look at.
            catalogue: the prompts; None for the shipped ones under the person's own.
            effects: who says what an action did; in hindsight always the model.
            check: holds an answer against the screen.
        """
        self._port = port
        self._mode: RationaleMode = mode
        self._catalogue = catalogue or PromptCatalogue()
        self._effects: EffectSource = effects
        self._check = check

    @property
    def name(self) -> str:
        """Kind and model, for instance ``openai:gpt-5-mini``."""
        return self._port.name

    @property
    def mode(self) -> RationaleMode:
        """What the model looks at."""
        return self._mode

    def explain(self, context: StepContext, *, subject: str, control: JobControl) -> ExplainedStep:
        """See :class:`~models.language.reports.RationaleWriter`."""
        control.token.check()
        draft = _Draft(context=context, subject=subject, control=control, rationale=self._begun(context))
        # All first questions are under way before the first answer is waited for.
        waiting = [(kind, *self._ask(draft, kind)) for kind in self._kinds(context)]
        try:
            for kind, question, future in waiting:
                self._settle(draft, kind, question, future)
        except BaseException:
            for _, _, future in waiting:
                future.cancel()
            raise
        findings = self._check(draft.rationale, context, after_visible=self._mode == "hindsight")
        return ExplainedStep(rationale=self._signed(draft), findings=tuple(findings), asked=tuple(draft.asked))

    def _begun(self, context: StepContext) -> Rationale:
        effect = "" if self._asks_effect(context) or self._mode == "hindsight" else actual_effect(context)
        return Rationale(actual_effect=effect, mode=self._mode, provenance=by_program("model", self.name))

    def _asks_effect(self, context: StepContext) -> bool:
        """Whether a model can see more in the difference than that there is none."""
        seen = context.after is not None or (self._port.sees and context.look_after is not None)
        return self._mode == "no_hindsight" and self._effects == "model" and bool(context.changed) and seen

    def _kinds(self, context: StepContext) -> list[_Kind]:
        if self._mode == "hindsight":
            return [hindsight_question]
        return [thought_question, effect_question] if self._asks_effect(context) else [thought_question]

    def _ask(
        self, draft: _Draft, kind: _Kind, wrong: str = ""
    ) -> tuple[StepQuestion[Any], Future[LanguageAnswer[Any]]]:
        question = kind(draft.context, self._catalogue, sees=self._port.sees, findings=wrong)
        return question, self._port.submit(question.request(subject=draft.subject))

    def _settle(
        self,
        draft: _Draft,
        kind: _Kind,
        question: StepQuestion[Any],
        future: Future[LanguageAnswer[Any]],
    ) -> None:
        """Take the answer to one question; where it is wrong, ask once more and keep the better one."""
        effect = question.answer is EffectReply
        try:
            reply = draft.take(question, future)
        except (RefusedError, AnswerError):
            if not effect:
                raise
            # The difference of the screens tells less, but it tells what is so.
            draft.rationale = draft.rationale.model_copy(update={"actual_effect": actual_effect(draft.context)})
            return
        draft.rationale = draft.with_fields(reply)
        wrong = self._wrong(draft.rationale, draft.context, effect=effect)
        if not errors_in(wrong):
            return
        lines = [reply.model_dump_json(), *(f"- {finding.part}: {finding.message}" for finding in wrong)]
        try:
            second = draft.with_fields(draft.take(*self._ask(draft, kind, "\n".join(lines))))
        except LanguageError:
            return  # the first answer was paid for; it stays, with its warning
        still = self._wrong(second, draft.context, effect=effect)
        if (errors_in(still), len(still)) <= (errors_in(wrong), len(wrong)):
            draft.rationale = second

    def _wrong(self, rationale: Rationale, context: StepContext, *, effect: bool) -> list[RationaleFinding]:
        """What the answer to one question is to blame for."""
        hindsight = self._mode == "hindsight"
        found = self._check(rationale, context, after_visible=hindsight)
        return [finding for finding in found if hindsight or (finding.part == "actual_effect") == effect]

    def _signed(self, draft: _Draft) -> Rationale:
        """With who wrote it, and by which prompts."""
        prompts = ", ".join(dict.fromkeys(asked.prompt for asked in draft.asked))
        models = {asked.model for asked in draft.asked if asked.model and not self.name.endswith(asked.model)}
        reason = f"{prompts} ({', '.join(sorted(models))})" if models else prompts
        return draft.rationale.model_copy(update={"provenance": by_program("model", self.name, reason=reason)})
