"""Makes the question about one step from what may be known for it.

The question of a writer without hindsight is made from a context out of which everything that came later was taken:
there is no way for it to reach the prompt.
"""

from __future__ import annotations

import dataclasses
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from demopack.domain.ports import StepBrief, StepContext
from demopack.domain.rationale import Rationale
from demopack.domain.records import Record
from models.language.phrases import box_of, mistake_told
from models.language.picture_views import change_pictures, target_pictures
from models.language.port import LanguageRequest, PromptImage
from models.language.prompts import PromptCatalogue
from models.language.step_lines import own_brief, own_line, record_lines, screen_lines

_UNTOLD: Final = "(not told)"
_EFFECT_TOKENS: Final = 1000
_THOUGHT_TOKENS: Final = 2000
_ALL_TOKENS: Final = 3000
"""An answer takes a tenth; models that think before they answer are billed for their thoughts as part of it."""


def thought_question(
    context: StepContext, catalogue: PromptCatalogue, *, sees: bool, findings: str = "", subject: str = ""
) -> LanguageRequest[ThoughtReply]:
    """Why the action was taken, told from before it.

    Args:
        context: the step; nothing that was known only after its action gets into the question.
        catalogue: the prompts.
        sees: whether pictures may be sent.
        findings: what was wrong with the last answer; empty the first time.
        subject: demo and step, for the log.

    Raises:
        BadInputError: a person's own prompt is broken.
        CorruptFrameError: the picture is damaged.
    """
    # A field that tells of what came later cannot reach the prompt where it is not there.
    known = dataclasses.replace(
        context,
        after=None,
        changed=None,
        is_last=False,
        coming=(),
        look_after=None,
        earlier=tuple(_told_in_time(brief) for brief in context.earlier),
    )
    values = _values(known, findings)
    values["history"] = record_lines(known.earlier, size=known.size, around=len(known.earlier))
    pictures = {"before": _before_pictures(known) if sees else ()}
    template = catalogue.get("writer/thought")
    return template.fill(ThoughtReply, values, pictures=pictures, max_tokens=_THOUGHT_TOKENS, subject=subject)


def _told_in_time(brief: StepBrief) -> StepBrief:
    """An earlier step, without a reason that was written in hindsight: it tells of later ones."""
    rationale = brief.rationale
    if rationale is None or rationale.mode == "no_hindsight":
        return brief
    # What stays: a person's own words. A writer who saw the end may tell it in any of the fields.
    known = Rationale(text=rationale.text, provenance=rationale.provenance)
    return dataclasses.replace(brief, rationale=known)


def hindsight_question(
    context: StepContext, catalogue: PromptCatalogue, *, sees: bool, findings: str = "", subject: str = ""
) -> LanguageRequest[HindsightReply]:
    """Why the action was taken and what came of it, told from the end; arguments as for :func:`thought_question`."""
    values = _values(context, findings)
    # Later steps have no reasons yet, or old ones that will be replaced.
    coming = [dataclasses.replace(brief, rationale=None) for brief in context.coming]
    around = len(context.earlier)
    values["record"] = record_lines([*context.earlier, own_brief(context), *coming], size=context.size, around=around)
    values["after"] = _after_lines(context)
    pictures = {"before": _before_pictures(context) if sees else (), "change": changed_images(context) if sees else ()}
    template = catalogue.get("writer/hindsight")
    return template.fill(HindsightReply, values, pictures=pictures, max_tokens=_ALL_TOKENS, subject=subject)


def effect_question(
    context: StepContext, catalogue: PromptCatalogue, *, sees: bool, findings: str = "", subject: str = ""
) -> LanguageRequest[EffectReply]:
    """What the action did; arguments as for :func:`thought_question`."""
    values = _values(context, findings)
    values["after"] = _after_lines(context)
    values["changed"] = "\n".join(f"X: [{b.x1}-{b.x2}], Y: [{b.y1}-{b.y2}]" for b in context.changed or ())
    pictures = {"change": changed_images(context) if sees else ()}
    template = catalogue.get("writer/effect")
    return template.fill(EffectReply, values, pictures=pictures, max_tokens=_EFFECT_TOKENS, subject=subject)


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
    there = {element.track_id for element in context.after}
    gone = [element for element in context.before if element.track_id is not None and element.track_id not in there]
    return screen_lines(context.after, gone, near=near)


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


Words = Annotated[str, AfterValidator(_said)]
Steps = Annotated[
    tuple[str, ...], AfterValidator(lambda steps: tuple(" ".join(step.split()) for step in steps if step.strip()))
]


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
