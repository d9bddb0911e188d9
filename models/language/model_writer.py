"""A language model as a writer: it is asked, its answer is checked, and once it may mend what was wrong."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from demopack.domain.ports import StepContext
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale, RationaleMode
from demopack.domain.records import Record
from demopack.jobs import JobControl
from models.language.effects import actual_effect
from models.language.explained import Asked, Check, Explained, errors_in, truth_check
from models.language.port import AnswerError, LanguageAnswer, LanguageError, LanguagePort, RefusedError
from models.language.prompts import PromptShelf
from models.language.replies import EffectReply, HindsightReply, ThoughtReply
from models.language.step_questions import StepQuestion, effect_question, hindsight_question, thought_question

if TYPE_CHECKING:
    from models.language.check.findings import RationaleFinding

__all__ = ["EffectSource", "ModelWriter"]

EffectSource = Literal["local", "model"]
"""Who says what an action did: the program, from the difference of the screens, or the model, from the same."""

_R = TypeVar("_R", bound=Record)
_POLL_S: Final = 0.2
"""How soon a cancelled job stops to wait for an answer, seconds."""
_EFFECT: Final = frozenset({"actual_effect"})


@dataclass(kw_only=True)
class _Draft:
    """A rationale in the making.

    Attributes:
        rationale: as far as it is written.
        asked: the questions so far.
    """

    rationale: Rationale
    asked: list[Asked] = field(default_factory=list[Asked])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """What is asked in one question.

    Attributes:
        ask: makes the question; the argument is what was wrong with the last answer.
        put: the rationale with the answer's fields.
        after_visible: whether those fields may tell what came afterwards.
        effect: whether the question is about the effect alone.
    """

    ask: Callable[[str], StepQuestion[Any]]
    put: Callable[[Rationale, Any], Rationale]
    after_visible: bool
    effect: bool = False


class ModelWriter:
    """Satisfies the ``RationaleWriter`` port, and :class:`~models.language.explained.Explainer`."""

    def __init__(
        self,
        port: LanguagePort,
        *,
        mode: RationaleMode = "no_hindsight",
        shelf: PromptShelf | None = None,
        effects: EffectSource = "local",
        check: Check = truth_check,
    ) -> None:
        """Write with the model behind ``port``, which stays the caller's to close.

        Args:
            port: the model.
            mode: what the model may look at.
            shelf: the prompts; None for the shipped ones under the person's own.
            effects: who says what an action did; in hindsight always the model.
            check: holds an answer against the screen.
        """
        self._port = port
        self._mode: RationaleMode = mode
        self._shelf = shelf or PromptShelf()
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

    def write(self, context: StepContext, *, control: JobControl) -> Rationale:
        """See ``RationaleWriter``.

        Raises:
            LanguageError: the model gave no usable answer.
            CancelledError: the user stopped it.
        """
        return self.explain(context, subject="", control=control).rationale

    def explain(self, context: StepContext, *, subject: str, control: JobControl) -> Explained:
        """See :class:`~models.language.explained.Explainer`."""
        control.token.check()
        draft = _Draft(rationale=self._begun(context))
        orders = self._orders(context)
        # All first questions are under way before the first answer is waited for.
        waiting: list[tuple[_Order, StepQuestion[Any], Future[LanguageAnswer[Any]]]] = []
        for order in orders:
            question = order.ask("")
            waiting.append((order, question, self._port.submit(question.request(subject=subject))))
        try:
            for order, question, future in waiting:
                self._settle(draft, order, question, future, context, subject=subject, control=control)
        except BaseException:
            for _, _, future in waiting:
                future.cancel()
            raise
        findings = self._check(draft.rationale, context, after_visible=self._mode == "hindsight")
        return Explained(rationale=self._signed(draft), findings=tuple(findings), asked=tuple(draft.asked))

    def _begun(self, context: StepContext) -> Rationale:
        effect = "" if self._asks_effect(context) or self._mode == "hindsight" else actual_effect(context)
        return Rationale(actual_effect=effect, mode=self._mode, provenance=by_program("model", self.name))

    def _asks_effect(self, context: StepContext) -> bool:
        """Whether a model can see more in the difference than that there is none."""
        seen = context.after is not None or (self._port.sees and context.look_after is not None)
        return self._mode == "no_hindsight" and self._effects == "model" and bool(context.changed) and seen

    def _orders(self, context: StepContext) -> list[_Order]:
        sees, shelf = self._port.sees, self._shelf
        if self._mode == "hindsight":
            return [
                _Order(
                    ask=lambda wrong: hindsight_question(context, shelf, sees=sees, findings=wrong),
                    put=_put_hindsight,
                    after_visible=True,
                )
            ]
        orders = [
            _Order(
                ask=lambda wrong: thought_question(context, shelf, sees=sees, findings=wrong),
                put=_put_thought,
                after_visible=False,
            )
        ]
        if self._asks_effect(context):
            orders.append(
                _Order(
                    ask=lambda wrong: effect_question(context, shelf, sees=sees, findings=wrong),
                    put=_put_effect,
                    after_visible=False,
                    effect=True,
                )
            )
        return orders

    def _settle(
        self,
        draft: _Draft,
        order: _Order,
        question: StepQuestion[Any],
        future: Future[LanguageAnswer[Any]],
        context: StepContext,
        *,
        subject: str,
        control: JobControl,
    ) -> None:
        """Take the answer to one question, and have it mended where that is needed."""
        try:
            value = self._take(draft, question, future, control)
        except (RefusedError, AnswerError):
            if not order.effect:
                raise
            # The difference of the screens tells less, but it tells what is so.
            draft.rationale = draft.rationale.model_copy(update={"actual_effect": actual_effect(context)})
            return
        draft.rationale = order.put(draft.rationale, value)
        wrong = self._wrong(order, draft.rationale, context)
        if errors_in(wrong):
            self._mend(draft, order, value, wrong, context, subject=subject, control=control)

    def _mend(
        self,
        draft: _Draft,
        order: _Order,
        value: Record,
        wrong: Sequence[RationaleFinding],
        context: StepContext,
        *,
        subject: str,
        control: JobControl,
    ) -> None:
        """Ask once more with what the check found; keep the better answer."""
        question = order.ask(_told(value, wrong))
        try:
            again = self._take(draft, question, self._port.submit(question.request(subject=subject)), control)
        except LanguageError:
            return  # the first answer was paid for; it stays, with its warning
        second = order.put(draft.rationale, again)
        still = self._wrong(order, second, context)
        if (errors_in(still), len(still)) <= (errors_in(wrong), len(wrong)):
            draft.rationale = second

    def _wrong(self, order: _Order, rationale: Rationale, context: StepContext) -> list[RationaleFinding]:
        """What the answer to this question is to blame for."""
        found = self._check(rationale, context, after_visible=order.after_visible)
        if self._mode == "hindsight":
            return list(found)
        return [finding for finding in found if (finding.part in _EFFECT) == order.effect]

    def _take(
        self, draft: _Draft, question: StepQuestion[_R], future: Future[LanguageAnswer[_R]], control: JobControl
    ) -> _R:
        answer = _waited(future, control)
        draft.asked.append(Asked.of(question.prompt.key, answer))
        return answer.value

    def _signed(self, draft: _Draft) -> Rationale:
        """With who wrote it, and by which prompts."""
        prompts = ", ".join(dict.fromkeys(asked.prompt for asked in draft.asked))
        models = {asked.model for asked in draft.asked if asked.model and not self.name.endswith(asked.model)}
        reason = f"{prompts} ({', '.join(sorted(models))})" if models else prompts
        return draft.rationale.model_copy(update={"provenance": by_program("model", self.name, reason=reason)})


def _put_thought(rationale: Rationale, reply: ThoughtReply) -> Rationale:
    fields = ("observation", "thought", "expected_effect", "plan")
    return rationale.model_copy(update={name: getattr(reply, name) for name in fields})


def _put_hindsight(rationale: Rationale, reply: HindsightReply) -> Rationale:
    update = {"actual_effect": reply.actual_effect, "hindsight": reply.hindsight}
    return _put_thought(rationale, reply).model_copy(update=update)


def _put_effect(rationale: Rationale, reply: EffectReply) -> Rationale:
    return rationale.model_copy(update={"actual_effect": reply.actual_effect})


def _told(value: Record, wrong: Sequence[RationaleFinding]) -> str:
    """The last answer and what was wrong with it, for the model."""
    lines = [value.model_dump_json()]
    lines += [f"- {finding.part}: {finding.message}" for finding in wrong]
    return "\n".join(lines)


def _waited(future: Future[LanguageAnswer[_R]], control: JobControl) -> LanguageAnswer[_R]:
    """The answer, unless the user loses patience."""
    while True:
        control.token.check()
        done, _ = concurrent.futures.wait([future], timeout=_POLL_S)
        if done:
            return future.result()
