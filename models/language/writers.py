"""A language model as a writer, that may once mend what was wrong; and any writer opened by its name."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

from demopack.domain.ports import StepContext
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale, RationaleMode
from demopack.domain.records import Record
from demopack.jobs import JobControl
from demopack.settings import LanguageSettings
from models.language.check.findings import check_rationale
from models.language.check.truth_rule import RationaleFinding
from models.language.effect_sentences import actual_effect
from models.language.port import (
    AnswerError,
    LanguageAnswer,
    LanguageError,
    LanguagePort,
    RefusedError,
    wait_for,
)
from models.language.prompts import PromptCatalogue
from models.language.reports import ExplainedStep, RationaleWriter, errors_in
from models.language.servers import SERVICES, server_of
from models.language.step_questions import Question, step_question
from models.language.template import TemplateWriter

EffectSource = Literal["local", "model"]
"""Who says what an action did: the program, from the difference of the screens, or the model, from the same."""
WriterMode = Literal["no_hindsight", "hindsight", "caap"]
"""What a writer may look at; ``caap`` is hindsight in one paragraph alone, as CAAP's paper asks for it."""
_Check = Callable[..., Sequence[RationaleFinding]]
"""Holds a rationale against its step, as :func:`~models.language.check.findings.check_rationale` does."""
_Answer = Callable[[Question, str], Record]
"""Gets the reply to a question, asked once more where it is told what was wrong with the last one."""


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
        mode: WriterMode = "no_hindsight",
        catalogue: PromptCatalogue | None = None,
        effects: EffectSource = "local",
        check: _Check = check_rationale,
    ) -> None:
        """Write with the model behind ``port``, which stays the caller's to close.

        Args:
            port: the model.
            mode: what the model may look at, and in which form it answers.
            catalogue: the prompts; None for the shipped ones under the person's own.
            effects: who says what an action did; in hindsight always the model.
            check: holds an answer against the screen.
        """
        self.name = port.name
        self.mode: RationaleMode = _seen(mode)
        self._question: Question = "thought" if mode == "no_hindsight" else mode
        self._port = port
        self._catalogue = catalogue or PromptCatalogue()
        self._effects: EffectSource = effects
        self._check = check

    def explain(self, context: StepContext, *, subject: str, control: JobControl) -> ExplainedStep:
        """See :class:`~models.language.reports.RationaleWriter`."""
        control.token.check()
        seen = context.after is not None or (self._port.sees and context.look_after is not None)
        questions: list[Question] = [self._question]
        effect = ""
        if self.mode == "no_hindsight":
            # Only in a difference a model can see more than that there is none.
            if self._effects == "model" and context.changed and seen:
                questions.append("effect")
            else:
                effect = actual_effect(context)

        def submit(question: Question, wrong: str = "") -> Future[LanguageAnswer[Any]]:
            sees = self._port.sees
            request = step_question(question, context, self._catalogue, sees=sees, findings=wrong, subject=subject)
            return self._port.submit(request)

        def answer(question: Question, wrong: str) -> Record:
            asked.append(wait_for(submit(question, wrong) if wrong else waiting[question], control))
            value: Record = asked[-1].value
            return value

        asked: list[LanguageAnswer[Any]] = []
        rationale = Rationale(actual_effect=effect, mode=self.mode, provenance=by_program("model", self.name))
        # All first questions are under way before the first answer is waited for.
        waiting = {question: submit(question) for question in questions}
        try:
            for question in questions:
                rationale = self._settled(rationale, context, question, answer)
        except BaseException:
            for future in waiting.values():
                future.cancel()
            raise
        prompts = ", ".join(dict.fromkeys(one.prompt for one in asked))
        models = {one.model for one in asked if one.model and not self.name.endswith(one.model)}
        reason = f"{prompts} ({', '.join(sorted(models))})" if models else prompts
        signed = rationale.model_copy(update={"provenance": by_program("model", self.name, reason=reason)})
        findings = self._check(signed, context, after_visible=self.mode == "hindsight")
        return ExplainedStep(rationale=signed, findings=tuple(findings), asked=tuple(asked))

    def _settled(self, rationale: Rationale, context: StepContext, question: Question, answer: _Answer) -> Rationale:
        """The rationale with the answer to one question; where it is wrong, with the better one of two."""
        try:
            reply = answer(question, "")
        except (RefusedError, AnswerError):
            if question != "effect":
                raise
            # The difference of the screens tells less, but it tells what is so.
            return rationale.model_copy(update={"actual_effect": actual_effect(context)})
        first = rationale.model_copy(update=dict(reply))
        wrong = self._wrong(first, context, question)
        if not errors_in(wrong):
            return first
        lines = [reply.model_dump_json(), *(f"- {finding.part}: {finding.message}" for finding in wrong)]
        try:
            better = answer(question, "\n".join(lines))
        except LanguageError:
            return first  # it was paid for; it stays, with its warning
        second = rationale.model_copy(update=dict(better))
        still = self._wrong(second, context, question)
        return second if (errors_in(still), len(still)) <= (errors_in(wrong), len(wrong)) else first

    def _wrong(self, rationale: Rationale, context: StepContext, question: Question) -> list[RationaleFinding]:
        """What the answer to one question is to blame for."""
        found = self._check(rationale, context, after_visible=self.mode == "hindsight")
        told = question == "effect"
        return [one for one in found if self.mode == "hindsight" or (one.part == "actual_effect") == told]


def _seen(mode: WriterMode) -> RationaleMode:
    return "no_hindsight" if mode == "no_hindsight" else "hindsight"


TEMPLATE: Final = "template"
CONFIGURED: Final = "model"
"""The name that stands for the model of the settings."""


def settings_for(name: str, settings: LanguageSettings) -> LanguageSettings:
    """The settings for the model of this name: the user's, except for what belongs to another service.

    Args:
        name: a model as in ``language.model``, or :data:`CONFIGURED` for that one.
        settings: the user's.
    """
    if name == CONFIGURED:
        return settings
    update: dict[str, Any] = {"model": name}
    parts = (model.partition(":") for model in (settings.model, name))
    services = {kind if colon and kind in SERVICES else "" for kind, colon, _ in parts}
    if settings.model and len(services) > 1:
        update |= {"base_url": "", "key": "", "input_price": -1.0, "output_price": -1.0}
    return settings.model_copy(update=update)


def writer_sees(name: str, settings: LanguageSettings) -> bool:
    """Whether this writer would be shown pictures.

    Raises:
        BadInputError: there is no such model, or its address is wrong.
    """
    return name != TEMPLATE and server_of(settings_for(name, settings)).sees


@contextmanager
def open_writer(
    name: str,
    settings: LanguageSettings,
    *,
    folder: Path,
    mode: WriterMode = "no_hindsight",
    effects: EffectSource = "local",
    budget: float | None = None,
) -> Generator[tuple[RationaleWriter, int]]:
    """A writer, closed at the end of the block, and how many demos it may write at the same time.

    Args:
        name: :data:`TEMPLATE`, :data:`CONFIGURED`, or a model as in ``language.model``.
        settings: the user's.
        folder: the library's; answers and costs are kept in it.
        mode: what the writer may look at; in either kind of hindsight the template writes all fields.
        effects: who says what an action did.
        budget: dollars that may be spent from now on; None for what the settings allow.

    Raises:
        BadInputError: no model, or a wrong address.
        NoKeyError: the key is neither in the environment nor in the key ring.
        LanguageError: a library is not installed.
        LibraryError: the folder cannot be written.
    """
    if name == TEMPLATE:
        yield TemplateWriter(mode=_seen(mode)), 1
        return
    from models.language.client import LanguageClient

    # While one demo's answer is on its way, another's question is made: more demos than requests keep the line full.
    chosen = settings_for(name, settings)
    port = LanguageClient(chosen, folder=folder, allowance=budget)
    try:
        yield ModelWriter(port, mode=mode, effects=effects), 2 * chosen.in_flight
    finally:
        port.close()
