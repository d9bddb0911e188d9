"""A language model as a writer: it is asked, its answer is checked, and once it may mend what was wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from demopack.domain.ports import StepContext
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale, RationaleMode
from demopack.domain.records import Record
from demopack.jobs import JobControl
from models.language.check.findings import RationaleFinding, check_rationale
from models.language.effect_sentences import actual_effect
from models.language.port import (
    AnswerError,
    LanguageAnswer,
    LanguageError,
    LanguagePort,
    LanguageRequest,
    RefusedError,
    wait_for,
)
from models.language.prompts import PromptCatalogue
from models.language.reports import ExplainedStep, errors_in
from models.language.step_questions import (
    EffectReply,
    effect_question,
    hindsight_question,
    thought_question,
)

EffectSource = Literal["local", "model"]
"""Who says what an action did: the program, from the difference of the screens, or the model, from the same."""
_Check = Callable[..., Sequence[RationaleFinding]]
"""Holds a rationale against its step, as :func:`~models.language.check.findings.check_rationale` does."""
_Ask = Callable[..., LanguageRequest[Any]]


@dataclass(kw_only=True)
class _Draft:
    """A rationale in the making, as far as it is written, and the questions so far."""

    context: StepContext
    subject: str
    control: JobControl
    rationale: Rationale
    asked: list[LanguageAnswer[Any]] = field(default_factory=list[LanguageAnswer[Any]])


class ModelWriter:
    """Satisfies :class:`~models.language.reports.RationaleWriter`.

    Attributes:
        name: kind and model, for instance ``openai:gpt-5-mini``.
        mode: what the model looks at.
    """

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
        self.name = port.name
        self.mode: RationaleMode = mode
        self._port = port
        self._catalogue = catalogue or PromptCatalogue()
        self._effects: EffectSource = effects
        self._check = check

    def explain(self, context: StepContext, *, subject: str, control: JobControl) -> ExplainedStep:
        """See :class:`~models.language.reports.RationaleWriter`."""
        control.token.check()
        seen = context.after is not None or (self._port.sees and context.look_after is not None)
        asks: list[_Ask] = [hindsight_question]
        effect = ""
        if self.mode == "no_hindsight":
            asks = [thought_question]
            # Only in a difference a model can see more than that there is none.
            if self._effects == "model" and context.changed and seen:
                asks.append(effect_question)
            else:
                effect = actual_effect(context)
        begun = Rationale(actual_effect=effect, mode=self.mode, provenance=by_program("model", self.name))
        draft = _Draft(context=context, subject=subject, control=control, rationale=begun)
        # All first questions are under way before the first answer is waited for.
        waiting = [(ask, *self._ask(draft, ask)) for ask in asks]
        try:
            for ask, request, future in waiting:
                self._settle(draft, ask, request, future)
        except BaseException:
            for _, _, future in waiting:
                future.cancel()
            raise
        prompts = ", ".join(dict.fromkeys(asked.prompt for asked in draft.asked))
        models = {asked.model for asked in draft.asked if asked.model and not self.name.endswith(asked.model)}
        reason = f"{prompts} ({', '.join(sorted(models))})" if models else prompts
        signed = draft.rationale.model_copy(update={"provenance": by_program("model", self.name, reason=reason)})
        findings = self._check(signed, context, after_visible=self.mode == "hindsight")
        return ExplainedStep(rationale=signed, findings=tuple(findings), asked=tuple(draft.asked))

    def _ask(
        self, draft: _Draft, ask: _Ask, wrong: str = ""
    ) -> tuple[LanguageRequest[Any], Future[LanguageAnswer[Any]]]:
        request = ask(draft.context, self._catalogue, sees=self._port.sees, findings=wrong, subject=draft.subject)
        return request, self._port.submit(request)

    def _settle(
        self, draft: _Draft, ask: _Ask, request: LanguageRequest[Any], future: Future[LanguageAnswer[Any]]
    ) -> None:
        """Take the answer to one question; where it is wrong, ask once more and keep the better one."""
        effect = request.answer is EffectReply
        try:
            reply = self._reply(draft, request, future)
        except (RefusedError, AnswerError):
            if not effect:
                raise
            # The difference of the screens tells less, but it tells what is so.
            draft.rationale = draft.rationale.model_copy(update={"actual_effect": actual_effect(draft.context)})
            return
        draft.rationale = draft.rationale.model_copy(update=dict(reply))
        wrong = self._wrong(draft.rationale, draft.context, effect=effect)
        if not errors_in(wrong):
            return
        lines = [reply.model_dump_json(), *(f"- {finding.part}: {finding.message}" for finding in wrong)]
        try:
            better = self._reply(draft, *self._ask(draft, ask, "\n".join(lines)))
        except LanguageError:
            return  # the first answer was paid for; it stays, with its warning
        second = draft.rationale.model_copy(update=dict(better))
        still = self._wrong(second, draft.context, effect=effect)
        if (errors_in(still), len(still)) <= (errors_in(wrong), len(wrong)):
            draft.rationale = second

    def _reply(self, draft: _Draft, request: LanguageRequest[Any], future: Future[LanguageAnswer[Any]]) -> Record:
        answer = wait_for(future, draft.control)
        draft.asked.append(replace(answer, prompt=request.prompt))
        value: Record = answer.value
        return value

    def _wrong(self, rationale: Rationale, context: StepContext, *, effect: bool) -> list[RationaleFinding]:
        """What the answer to one question is to blame for."""
        hindsight = self.mode == "hindsight"
        found = self._check(rationale, context, after_visible=hindsight)
        return [finding for finding in found if hindsight or (finding.part == "actual_effect") == effect]
