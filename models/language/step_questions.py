"""Makes the question about one step from what may be known for it, and shows it to whoever wants to see it.

The question of a writer without hindsight is made from a context out of which everything that came later was taken
(:func:`_without_future`): there is no way for it to reach the prompt.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic

from pydantic import AfterValidator, Field

from demopack.domain.elements import Element
from demopack.domain.ports import StepBrief, StepContext
from demopack.domain.rationale import Rationale, RationaleMode
from demopack.domain.records import Record
from models.language.phrases import box_of, mistake_told
from models.language.picture_views import change_pictures, target_pictures
from models.language.port import LanguageRequest, PromptImage, T
from models.language.prompts import FilledPrompt, PromptCatalogue
from models.language.step_lines import own_brief, own_line, record_lines, screen_lines

_UNTOLD: Final = "(not told)"
_EFFECT_TOKENS: Final = 1000
_THOUGHT_TOKENS: Final = 2000
_ALL_TOKENS: Final = 3000
"""An answer takes a tenth; models that think before they answer are billed for their thoughts as part of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepQuestion(Generic[T]):
    """A filled prompt and the answer that it asks for.

    Attributes:
        prompt: what the model reads.
        answer: the record of the answer.
        max_tokens: longest answer.
    """

    prompt: FilledPrompt
    answer: type[T]
    max_tokens: int

    def request(self, *, subject: str) -> LanguageRequest[T]:
        """The question for the port."""
        return self.prompt.request(self.answer, max_tokens=self.max_tokens, subject=subject)


def _without_future(context: StepContext) -> StepContext:
    """The same step with nothing that was known only after its action.

    Reasons of earlier steps that were written in hindsight tell of later ones, so they go too.
    """
    return dataclasses.replace(
        context,
        after=None,
        changed=None,
        is_last=False,
        coming=(),
        look_after=None,
        earlier=tuple(_told_in_time(brief) for brief in context.earlier),
    )


def _told_in_time(brief: StepBrief) -> StepBrief:
    rationale = brief.rationale
    if rationale is None or rationale.mode == "no_hindsight":
        return brief
    # What stays: a person's own words. A writer who saw the end may tell it in any of the fields.
    known = Rationale(text=rationale.text, provenance=rationale.provenance)
    return dataclasses.replace(brief, rationale=known)


def thought_question(
    context: StepContext, catalogue: PromptCatalogue, *, sees: bool, findings: str = ""
) -> StepQuestion[ThoughtReply]:
    """Why the action was taken, told from before it.

    Args:
        context: the step; what came after it is left out here.
        catalogue: the prompts.
        sees: whether pictures may be sent.
        findings: what was wrong with the last answer; empty the first time.

    Raises:
        BadInputError: a person's own prompt is broken.
        CorruptFrameError: the picture is damaged.
    """
    known = _without_future(context)
    values = _values(known, findings)
    values["history"] = record_lines(known.earlier, size=known.size, around=len(known.earlier))
    pictures = {"before": _before_pictures(known) if sees else ()}
    prompt = catalogue.get("writer/thought").fill(values, pictures=pictures)
    return StepQuestion(prompt=prompt, answer=ThoughtReply, max_tokens=_THOUGHT_TOKENS)


def hindsight_question(
    context: StepContext, catalogue: PromptCatalogue, *, sees: bool, findings: str = ""
) -> StepQuestion[HindsightReply]:
    """Why the action was taken and what came of it, told from the end; arguments as for :func:`thought_question`."""
    values = _values(context, findings)
    # Later steps have no reasons yet, or old ones that will be replaced.
    coming = [dataclasses.replace(brief, rationale=None) for brief in context.coming]
    around = len(context.earlier)
    values["record"] = record_lines([*context.earlier, own_brief(context), *coming], size=context.size, around=around)
    values["after"] = _after_lines(context)
    pictures = {"before": _before_pictures(context) if sees else (), "change": changed_images(context) if sees else ()}
    prompt = catalogue.get("writer/hindsight").fill(values, pictures=pictures)
    return StepQuestion(prompt=prompt, answer=HindsightReply, max_tokens=_ALL_TOKENS)


def effect_question(
    context: StepContext, catalogue: PromptCatalogue, *, sees: bool, findings: str = ""
) -> StepQuestion[EffectReply]:
    """What the action did; arguments as for :func:`thought_question`."""
    values = _values(context, findings)
    values["after"] = _after_lines(context)
    values["changed"] = "\n".join(f"X: [{b.x1}-{b.x2}], Y: [{b.y1}-{b.y2}]" for b in context.changed or ())
    prompt = catalogue.get("writer/effect").fill(values, pictures={"change": changed_images(context) if sees else ()})
    return StepQuestion(prompt=prompt, answer=EffectReply, max_tokens=_EFFECT_TOKENS)


def preview(context: StepContext, catalogue: PromptCatalogue, *, mode: RationaleMode, sees: bool) -> FilledPrompt:
    """The whole prompt for one step, as a model would get it; nothing is sent.

    Args:
        context: the step.
        catalogue: the prompts.
        mode: what the writer may look at.
        sees: whether the model gets pictures.

    Raises:
        BadInputError: a person's own prompt is broken.
        CorruptFrameError: the picture is damaged.
    """
    question: StepQuestion[Any] = (
        hindsight_question(context, catalogue, sees=sees)
        if mode == "hindsight"
        else thought_question(context, catalogue, sees=sees)
    )
    return question.prompt


def _values(context: StepContext, findings: str) -> dict[str, str]:
    """What every prompt of the writer may ask for."""
    near = None if context.target is None else context.target.box
    return {
        "task": " ".join(context.task.split()) or _UNTOLD,
        "app": " ".join(context.app.split()) or _UNTOLD,
        "action": own_line(context),
        "note": " ".join(context.note.split()),
        "mistake": mistake_told(context),
        "before": screen_lines(context.before, context.hidden, near=near),
        "findings": findings,
    }


def _after_lines(context: StepContext) -> str:
    if context.after is None:
        ended = context.is_last and context.look_after is None
        return "There is no screen after it: the task is done." if ended else "(nothing was looked for on it)"
    near = None if context.target is None else context.target.box
    return screen_lines(context.after, _gone(context.before, context.after), near=near)


def _gone(before: Sequence[Element], after: Sequence[Element]) -> list[Element]:
    """Elements of the screen before that are known not to be on the one after."""
    there = {element.track_id for element in after}
    return [element for element in before if element.track_id is not None and element.track_id not in there]


def _before_pictures(context: StepContext) -> tuple[PromptImage, ...]:
    if context.look is None:
        return ()
    pairs = ((context.target, context.action.target), (context.end_target, context.action.end))
    start, end = (box_of(target, context.size) if element is None else element.box for element, target in pairs)
    return target_pictures(context.look(), start, end)


def changed_images(context: StepContext) -> tuple[PromptImage, ...]:
    """What the action changed, before and after; empty where nothing can be compared."""
    if context.look is None or context.look_after is None or not context.changed:
        return ()
    return change_pictures(context.look(), context.look_after(), context.changed)


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return " ".join(text.split())


def _listed(steps: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(" ".join(step.split()) for step in steps if step.strip())


Words = Annotated[str, AfterValidator(_said)]
Steps = Annotated[tuple[str, ...], AfterValidator(_listed)]


class ThoughtReply(Record):
    """Told from before the action."""

    observation: Words = Field(description="What on the screen matters for the choice.")
    thought: Words = Field(description="What is done with which arguments, and why just this now.")
    expected_effect: Words = Field(description="What the action should do.")
    plan: Steps = Field(description="What will remain to be done after it, one imperative for each step.")


class EffectReply(Record):
    """Told from the difference of the screens."""

    actual_effect: Words = Field(description="What can be seen to have changed.")


class HindsightReply(ThoughtReply):
    """Told from the end."""

    actual_effect: Words = Field(description="What can be seen to have changed.")
    hindsight: Words = Field(description="One paragraph: how and why it was chosen, then what happened.")
