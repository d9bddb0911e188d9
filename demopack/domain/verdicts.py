"""Verdicts of a judge on a step and on a demo: data beside the record, never a part of what was recorded.

A step that was wrong need not be lost: kept as a *lesson* it shows a model what a mistake looks like and how the next
step recovers. Which of the two it is, a person says with the mark that every step has (``Step.review``).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from demopack.domain.provenance import Provenance
from demopack.domain.records import Record

Answer = Literal["yes", "no", "unsure"]
Score = Annotated[int, Field(ge=0, le=10)]
TaskQuality = Literal["good", "ambiguous", "over_detailed"]
StepLabel = Literal["no_effect", "undone", "undoing", "repeated", "back_and_forth"]
"""What frames and actions tell without a model: nothing on the screen changed; a later step led back to the screen
before it; it is such a step; it is the step before once more, on the same screen; it goes to and fro between two of
them."""


class StepVerdict(Record):
    """What was said about one step.

    Attributes:
        labels: from frames and actions alone.
        correct: whether it brought the task forward; None where no model was asked.
        redundant: whether the task could have been done without it; likewise.
        reflection: what is to be learned from it, or why it was right; empty where no model was asked.
        provenance: who judged.
    """

    labels: tuple[StepLabel, ...] = ()
    correct: Answer | None = None
    redundant: Answer | None = None
    reflection: str = ""
    provenance: Provenance

    @property
    def doubtful(self) -> bool:
        """Whether somebody should look at the step: a model found it wrong; where none was asked, a label stands."""
        if self.correct is None:
            return bool(self.labels)
        return self.correct == "no" or self.redundant == "yes"


class SubScore(Record):
    """One thing that the task asks for, and whether it was done."""

    name: str
    met: Answer


class DemoVerdict(Record):
    """What was said about a demo as a whole.

    Attributes:
        reason: why, in a few sentences.
        sub_scores: the parts of the task, each judged for itself.
        complete: whether the task was done.
        quality: whether the task says enough and not too much; None where the judge does not say, as the next three.
        alignment: how closely the steps follow the task, 0..10.
        efficiency: how few of them were wasted, 0..10.
        difficulty: how hard the task is for somebody who does not know the program, 0..10.
        actual_task: what was really done, worded as a task; empty where the judge does not say.
        provenance: who judged.
    """

    reason: str
    sub_scores: tuple[SubScore, ...] = ()
    complete: Answer
    quality: TaskQuality | None = None
    alignment: Score | None = None
    efficiency: Score | None = None
    difficulty: Score | None = None
    actual_task: str = ""
    provenance: Provenance
