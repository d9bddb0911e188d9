"""Makes the question about one step from what may be known for it, and shows it to whoever wants to see it.

The question of a writer without hindsight is made from a context out of which everything that came later was taken
(:func:`without_future`): there is no way for it to reach the prompt.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect, from_norm_xywh
from demopack.domain.ports import StepBrief, StepContext
from demopack.domain.rationale import Rationale, RationaleMode
from models.language.port import LanguageRequest, Picture, T
from models.language.prompts import FilledPrompt, PromptShelf
from models.language.recovery import mistake_told
from models.language.replies import EffectReply, HindsightReply, ThoughtReply
from models.language.script import action_line, record_lines, screen_lines
from models.language.views import change_pictures, target_pictures

__all__ = ["StepQuestion", "effect_question", "hindsight_question", "preview", "thought_question", "without_future"]

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
        return LanguageRequest(
            prompt=self.prompt.key,
            system=self.prompt.system,
            parts=self.prompt.parts(),
            answer=self.answer,
            max_tokens=self.max_tokens,
            subject=subject,
        )


def without_future(context: StepContext) -> StepContext:
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
    context: StepContext, shelf: PromptShelf, *, sees: bool, findings: str = ""
) -> StepQuestion[ThoughtReply]:
    """Why the action was taken, told from before it.

    Args:
        context: the step; what came after it is left out here.
        shelf: the prompts.
        sees: whether pictures may be sent.
        findings: what was wrong with the last answer; empty the first time.

    Raises:
        BadInputError: a person's own prompt is broken.
        CorruptFrameError: the picture is damaged.
    """
    known = without_future(context)
    values = _values(known, findings)
    values["history"] = record_lines(known.earlier, size=known.size, around=len(known.earlier))
    pictures = {"before": _before_pictures(known) if sees else ()}
    prompt = shelf.get("writer/thought").fill(values, pictures=pictures)
    return StepQuestion(prompt=prompt, answer=ThoughtReply, max_tokens=_THOUGHT_TOKENS)


def hindsight_question(
    context: StepContext, shelf: PromptShelf, *, sees: bool, findings: str = ""
) -> StepQuestion[HindsightReply]:
    """Why the action was taken and what came of it, told from the end; arguments as for :func:`thought_question`."""
    values = _values(context, findings)
    own = StepBrief(action=context.action, target=context.target, end_target=context.end_target)
    # Later steps have no reasons yet, or old ones that will be replaced.
    coming = [dataclasses.replace(brief, rationale=None) for brief in context.coming]
    around = len(context.earlier)
    values["record"] = record_lines([*context.earlier, own, *coming], size=context.size, around=around)
    values["after"] = _after_lines(context)
    pictures = {"before": _before_pictures(context) if sees else (), "change": _changes(context) if sees else ()}
    prompt = shelf.get("writer/hindsight").fill(values, pictures=pictures)
    return StepQuestion(prompt=prompt, answer=HindsightReply, max_tokens=_ALL_TOKENS)


def effect_question(
    context: StepContext, shelf: PromptShelf, *, sees: bool, findings: str = ""
) -> StepQuestion[EffectReply]:
    """What the action did; arguments as for :func:`thought_question`."""
    values = _values(context, findings)
    values["after"] = _after_lines(context)
    values["changed"] = "\n".join(f"X: [{b.x1}-{b.x2}], Y: [{b.y1}-{b.y2}]" for b in context.changed or ())
    prompt = shelf.get("writer/effect").fill(values, pictures={"change": _changes(context) if sees else ()})
    return StepQuestion(prompt=prompt, answer=EffectReply, max_tokens=_EFFECT_TOKENS)


def preview(context: StepContext, shelf: PromptShelf, *, mode: RationaleMode, sees: bool) -> FilledPrompt:
    """The whole prompt for one step, as a model would get it; nothing is sent.

    Args:
        context: the step.
        shelf: the prompts.
        mode: what the writer may look at.
        sees: whether the model gets pictures.

    Raises:
        BadInputError: a person's own prompt is broken.
        CorruptFrameError: the picture is damaged.
    """
    question: StepQuestion[Any] = (
        hindsight_question(context, shelf, sees=sees)
        if mode == "hindsight"
        else thought_question(context, shelf, sees=sees)
    )
    return question.prompt


def _values(context: StepContext, findings: str) -> dict[str, str]:
    """What every prompt of the writer may ask for."""
    number = len(context.earlier) + 2
    own = StepBrief(action=context.action, target=context.target, end_target=context.end_target)
    near = None if context.target is None else context.target.box
    return {
        "task": " ".join(context.task.split()) or _UNTOLD,
        "app": " ".join(context.app.split()) or _UNTOLD,
        "action": action_line(number, own, size=context.size),
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


def _before_pictures(context: StepContext) -> tuple[Picture, ...]:
    if context.look is None:
        return ()
    action, size = context.action, context.size
    boxes: list[Rect | None] = []
    for element, target in ((context.target, action.target), (context.end_target, action.end_target)):
        box = None if element is None else element.box
        if box is None and target is not None and target.bbox is not None and size is not None:
            box = from_norm_xywh(target.bbox, size)
        boxes.append(box)
    return target_pictures(context.look(), boxes[0], boxes[1])


def _changes(context: StepContext) -> tuple[Picture, ...]:
    if context.look is None or context.look_after is None or not context.changed:
        return ()
    return change_pictures(context.look(), context.look_after(), context.changed)
