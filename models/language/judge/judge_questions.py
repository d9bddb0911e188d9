"""Makes the judge's questions: one for each step, with what came of it; one for the demo."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field, model_validator

from demopack.domain.demos import Demo
from demopack.domain.frames import Frame
from demopack.domain.ports import FrameStore, StepBrief, StepContext
from demopack.domain.provenance import by_program
from demopack.domain.records import Record
from demopack.domain.verdicts import Answer, DemoVerdict, StepLabel, StepVerdict, SubScore, TaskQuality
from models.language.effect_sentences import actual_effect
from models.language.picture_views import target_pictures
from models.language.port import LanguageRequest, PromptImage
from models.language.prompts import PromptCatalogue
from models.language.step_questions import UNTOLD, Words, changed_images, own_line, record_lines, screen_lines

LABEL_WORDS: Final[dict[StepLabel, str]] = {
    "no_effect": "nothing on the screen changed",
    "undone": "a later step led back to the screen before it",
    "undoing": "it led back to an earlier screen",
    "repeated": "the step before was the same, on the same screen",
    "back_and_forth": "it goes to and fro between two screens",
}


def step_request(
    context: StepContext, labels: Sequence[StepLabel], catalogue: PromptCatalogue, *, sees: bool, subject: str
) -> LanguageRequest[StepReply]:
    """What is asked about one step.

    Args:
        context: the step, with what came of it.
        labels: what frames and actions tell.
        catalogue: the prompts.
        sees: whether pictures may be sent.
        subject: demo and step, for the log.

    Raises:
        BadInputError: a person's own prompt is broken.
        CorruptFrameError: a picture is damaged.
    """
    near = None if context.target is None else context.target.box
    values = {
        "task": context.task.strip() or UNTOLD,
        "app": context.app.strip() or UNTOLD,
        "history": record_lines(context.earlier, size=context.size),
        "action": own_line(context),
        "note": " ".join(context.note.split()),
        "before": screen_lines(context.before, near=near),
        "after": screen_lines(context.after, near=near),
        "effect": actual_effect(context),
        "labels": "; ".join(LABEL_WORDS[label] for label in labels),
    }
    pictures: dict[str, tuple[PromptImage, ...]] = {}
    if sees:
        boxes = [None if one is None else one.box for one in (context.target, context.end_target)]
        before = () if context.look is None else target_pictures(context.look(), boxes[0], boxes[1])[:1]
        pictures = {"before": before, "change": changed_images(context)}
    return catalogue.get("judge/step").fill(StepReply, values, pictures=pictures, max_tokens=500, subject=subject)


def demo_request(
    demo: Demo,
    briefs: Sequence[StepBrief],
    verdicts: Sequence[StepVerdict | None],
    catalogue: PromptCatalogue,
    *,
    images: FrameStore | None,
) -> LanguageRequest[DemoReply]:
    """What is asked about a whole demo.

    Args:
        demo: the demo.
        briefs: its steps, in order.
        verdicts: what is known about each of them.
        catalogue: the prompts.
        images: the pictures, for a model that sees; None for one that does not.

    Raises:
        BadInputError: a person's own prompt is broken.
        CorruptFrameError: a picture is damaged.
    """
    first = next((step.before for step in demo.steps if step.before is not None), None)
    last = demo.head.final_frame
    for step in reversed(demo.steps):
        last = last or step.after or step.before
    size = None if first is None else first.size
    outcome = demo.head.outcome or ""
    values = {
        "task": demo.head.task.strip() or UNTOLD,
        "app": demo.head.app.strip() or UNTOLD,
        "history": record_lines(briefs, size=size),
        "doubts": "\n".join(_doubts(verdicts)),
        "first": _screen(demo, first),
        "last": _screen(demo, last),
        "outcome": f"{outcome}{f', because {demo.head.outcome_reason}' if demo.head.outcome_reason else ''}",
    }
    ends = () if images is None else tuple(
        dataclasses.replace(target_pictures(images.get_image(frame.id), None)[0], what=what)
        for frame, what in ((first, "the screen at the beginning"), (last, "the screen at the end"))
        if frame is not None
    )  # fmt: skip
    template = catalogue.get("judge/demo")
    return template.fill(DemoReply, values, pictures={"ends": ends}, max_tokens=1200, subject=demo.head.id)


def _screen(demo: Demo, frame: Frame | None) -> str:
    return screen_lines(None if frame is None or frame.id not in demo.parsed else demo.ordered(frame.id))


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


Score = Annotated[int, Field(ge=0, le=10)]


class StepReply(Record):
    """About one step."""

    reflection: Words = Field(description="What the step did, and what is to be learned from it.")
    correct: Answer = Field(description="Whether it brought the task forward.")
    redundant: Answer = Field(description="Whether the task could have been done without it.")

    def verdict(self, *, labels: tuple[StepLabel, ...], model: str) -> StepVerdict:
        """The answer as it is kept."""
        provenance = by_program("model", model, reason="judge")
        return StepVerdict(labels=labels, provenance=provenance, **self.model_dump())


class DemoReply(Record):
    """About a demo; two lists of one length instead of a mapping, which strict schemas do not know."""

    reason: Words = Field(description="Why you judge so, in a few sentences.")
    criteria: tuple[Words, ...] = Field(description="The parts of the task, each as something that can be checked.")
    criteria_met: tuple[Answer, ...] = Field(
        description="For each of the criteria, in their order, whether it was met."
    )
    complete: Answer = Field(description="Whether the whole task was done.")
    task_quality: TaskQuality = Field(description="Whether the task says enough and not too much.")
    alignment: Score = Field(description="0 to 10: how closely the steps follow the task.")
    efficiency: Score = Field(description="0 to 10: how few steps were wasted.")
    difficulty: Score = Field(description="0 to 10: how hard the task is for somebody new to the program.")
    actual_task: Words = Field(description="What was really done, worded as a task.")

    @model_validator(mode="after")
    def _paired(self) -> DemoReply:
        if len(self.criteria) != len(self.criteria_met):
            raise ValueError("criteria and criteria_met must have the same length")
        return self

    def verdict(self, *, model: str) -> DemoVerdict:
        """The answer as it is kept."""
        pairs = zip(self.criteria, self.criteria_met, strict=True)
        return DemoVerdict(
            **self.model_dump(exclude={"criteria", "criteria_met", "task_quality"}),
            sub_scores=tuple(SubScore(name=name, met=met) for name, met in pairs),
            quality=self.task_quality,
            provenance=by_program("model", model, reason="judge"),
        )
