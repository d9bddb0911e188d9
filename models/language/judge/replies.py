"""What the judge asks a model for: flat records, every field required."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from demopack.domain.provenance import by_program
from demopack.domain.records import Record
from demopack.domain.verdicts import Answer, DemoVerdict, StepLabel, StepVerdict, SubScore, TaskQuality

__all__ = ["DemoReply", "StepReply"]


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return " ".join(text.split())


Words = Annotated[str, AfterValidator(_said)]
Score = Annotated[int, Field(ge=0, le=10)]


class StepReply(Record):
    """About one step."""

    reflection: Words = Field(description="What the step did, and what is to be learned from it.")
    correct: Answer = Field(description="Whether it brought the task forward.")
    redundant: Answer = Field(description="Whether the task could have been done without it.")

    def verdict(self, *, labels: tuple[StepLabel, ...], model: str) -> StepVerdict:
        """The answer as it is kept."""
        return StepVerdict(
            labels=labels,
            correct=self.correct,
            redundant=self.redundant,
            reflection=self.reflection,
            provenance=by_program("model", model, reason="judge"),
        )


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
            reason=self.reason,
            sub_scores=tuple(SubScore(name=name, met=met) for name, met in pairs),
            complete=self.complete,
            quality=self.task_quality,
            alignment=self.alignment,
            efficiency=self.efficiency,
            difficulty=self.difficulty,
            actual_task=self.actual_task,
            provenance=by_program("model", model, reason="judge"),
        )
