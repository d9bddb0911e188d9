"""What came of an agent's run, for people and programs."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import Field

from demopack.domain.records import Record

AgentEnd = Literal[
    "complete", "over", "gave_up", "steps", "unreadable", "model", "budget", "screen", "library", "stopped"
]
"""Why a run ended: the model said that the goal is reached; whoever watches the task said that it is over; the model
gave up; all steps were used; its answers could not be read; it gave none; the budget would have been passed; the
screen could not be read any more; the library could not be written; a person stopped it."""

END_WORDS: Final[dict[AgentEnd, str]] = {
    "complete": "the model says that the goal is reached",
    "over": "the task is over",
    "gave_up": "the model gave up",
    "steps": "all steps were used",
    "unreadable": "the model's answers could not be used",
    "model": "the model gave no answer",
    "budget": "the budget would have been passed",
    "screen": "the screen could not be read",
    "library": "what was done could not be kept",
    "stopped": "it was stopped",
}


class AgentReport(Record):
    """A run.

    Attributes:
        task: in the person's words.
        model: kind and name.
        dialect: in which it answered.
        demo: id of the recorded run; empty where no step was recorded.
        end: why it ended.
        reason: the same in words, with what is known of it.
        turns: how often the model was asked, repairs aside.
        repairs: how often an answer could not be used and was asked for again.
        steps: actions that were performed.
        failed: actions that were not, or that had no effect.
        data: what was read off the screen, in order.
        memory: of UiPath's planner, at the end.
        input_tokens: of all questions that were sent now.
        output_tokens: of their answers.
        cost: dollars that were paid now.
        seconds: from the first look to the end.
        model_seconds: of these, waited for the model.
        person_seconds: of these, waited for the person.
    """

    task: str
    model: str
    dialect: str
    demo: str = ""
    end: AgentEnd = "stopped"
    reason: str = ""
    turns: int = 0
    repairs: int = 0
    steps: int = 0
    failed: int = 0
    data: tuple[dict[str, Any], ...] = ()
    memory: dict[str, dict[str, Any]] = Field(default_factory=dict[str, dict[str, Any]])
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    model_seconds: float = 0.0
    person_seconds: float = 0.0

    @property
    def success(self) -> bool:
        """Whether the model said that the goal is reached."""
        return self.end == "complete"

    @property
    def overhead_s(self) -> float:
        """Seconds for each step without the model and the person; 0 without a step."""
        done = self.steps + self.failed
        return round((self.seconds - self.model_seconds - self.person_seconds) / done, 3) if done else 0.0

    def to_json(self) -> dict[str, Any]:
        """As plain JSON, with what follows from the fields."""
        return {**super().to_json(), "success": self.success, "overhead_s": self.overhead_s}
