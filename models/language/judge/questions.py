"""Makes the judge's questions: one for each step, with what came of it; one for the demo."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

from demopack.domain.demos import Demo
from demopack.domain.frames import Frame
from demopack.domain.ports import FrameStore, StepBrief, StepContext
from demopack.domain.verdicts import StepLabel, StepVerdict
from models.language.effects import actual_effect
from models.language.judge.replies import DemoReply, StepReply
from models.language.port import LanguageRequest, Picture
from models.language.prompts import PromptShelf
from models.language.script import action_line, record_lines, screen_lines
from models.language.views import change_pictures, target_pictures

__all__ = ["LABEL_WORDS", "demo_request", "step_request"]

_UNTOLD: Final = "(not told)"
_UNSEEN: Final = "(nothing was looked for on it)"
LABEL_WORDS: Final[dict[StepLabel, str]] = {
    "no_effect": "nothing on the screen changed",
    "undone": "a later step led back to the screen before it",
    "undoing": "it led back to an earlier screen",
    "repeated": "the step before was the same, on the same screen",
    "back_and_forth": "it goes to and fro between two screens",
}


def step_request(
    context: StepContext, labels: Sequence[StepLabel], shelf: PromptShelf, *, sees: bool, subject: str
) -> LanguageRequest[StepReply]:
    """What is asked about one step.

    Args:
        context: the step, with what came of it.
        labels: what frames and actions tell.
        shelf: the prompts.
        sees: whether pictures may be sent.
        subject: demo and step, for the log.

    Raises:
        BadInputError: a person's own prompt is broken.
        CorruptFrameError: a picture is damaged.
    """
    near = None if context.target is None else context.target.box
    own = StepBrief(action=context.action, target=context.target, end_target=context.end_target)
    values = {
        "task": context.task.strip() or _UNTOLD,
        "app": context.app.strip() or _UNTOLD,
        "history": record_lines(context.earlier, size=context.size),
        "action": action_line(len(context.earlier) + 2, own, size=context.size),
        "note": " ".join(context.note.split()),
        "before": screen_lines(context.before, near=near),
        "after": _UNSEEN if context.after is None else screen_lines(context.after, near=near),
        "effect": actual_effect(context),
        "labels": "; ".join(LABEL_WORDS[label] for label in labels),
    }
    pictures = {"before": _before(context), "change": _change(context)} if sees else {}
    filled = shelf.get("judge/step").fill(values, pictures=pictures)
    return LanguageRequest(
        prompt=filled.key, system=filled.system, parts=filled.parts(), answer=StepReply, max_tokens=500, subject=subject
    )


def demo_request(
    demo: Demo,
    briefs: Sequence[StepBrief],
    verdicts: Sequence[StepVerdict | None],
    shelf: PromptShelf,
    *,
    images: FrameStore | None,
) -> LanguageRequest[DemoReply]:
    """What is asked about a whole demo.

    Args:
        demo: the demo.
        briefs: its steps, in order.
        verdicts: what is known about each of them.
        shelf: the prompts.
        images: the pictures, for a model that sees; None for one that does not.

    Raises:
        BadInputError: a person's own prompt is broken.
        CorruptFrameError: a picture is damaged.
    """
    first, last = _ends(demo)
    size = None if first is None else first.size
    outcome = demo.head.outcome or ""
    values = {
        "task": demo.head.task.strip() or _UNTOLD,
        "app": demo.head.app.strip() or _UNTOLD,
        "history": record_lines(briefs, size=size),
        "doubts": "\n".join(_doubts(verdicts)),
        "first": _screen(demo, first),
        "last": _screen(demo, last),
        "outcome": f"{outcome}{f', because {demo.head.outcome_reason}' if demo.head.outcome_reason else ''}",
    }
    ends = () if images is None else tuple(
        _whole(images, frame, what)
        for frame, what in ((first, "the screen at the beginning"), (last, "the screen at the end"))
        if frame is not None
    )  # fmt: skip
    filled = shelf.get("judge/demo").fill(values, pictures={"ends": ends})
    return LanguageRequest(
        prompt=filled.key, system=filled.system, parts=filled.parts(), answer=DemoReply, max_tokens=1200,
        subject=demo.head.id,
    )  # fmt: skip


def _ends(demo: Demo) -> tuple[Frame | None, Frame | None]:
    first = next((step.before for step in demo.steps if step.before is not None), None)
    last = demo.head.final_frame
    for step in reversed(demo.steps):
        last = last or step.after or step.before
    return first, last


def _screen(demo: Demo, frame: Frame | None) -> str:
    if frame is None or frame.id not in demo.parsed:
        return _UNSEEN
    return screen_lines(demo.ordered(frame.id))


def _doubts(verdicts: Sequence[StepVerdict | None]) -> list[str]:
    lines: list[str] = []
    for number, verdict in enumerate(verdicts, start=2):  # the start is action 1, as in the record
        if verdict is None:
            continue
        words = [LABEL_WORDS[label] for label in verdict.labels]
        words += ["judged to be wrong"] * (verdict.correct == "no")
        words += ["judged to be needless"] * (verdict.redundant == "yes")
        if words:
            lines.append(f"action_{number}: {'; '.join(words)}")
    return lines


def _before(context: StepContext) -> tuple[Picture, ...]:
    if context.look is None:
        return ()
    boxes = [None if one is None else one.box for one in (context.target, context.end_target)]
    return target_pictures(context.look(), boxes[0], boxes[1])[:1]


def _change(context: StepContext) -> tuple[Picture, ...]:
    if context.look is None or context.look_after is None or not context.changed:
        return ()
    return change_pictures(context.look(), context.look_after(), context.changed)


def _whole(images: FrameStore, frame: Frame, what: str) -> Picture:
    return dataclasses.replace(target_pictures(images.get_image(frame.id), None)[0], what=what)
