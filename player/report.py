"""What a replay says about itself."""

from __future__ import annotations

from typing import Any, Literal

from demopack.domain.elements import Box
from demopack.domain.records import Record
from player.resolve import Strategy

__all__ = ["ReplayReport", "StepReport"]


class StepReport(Record):
    """One step of a replay.

    Attributes:
        index: from 1.
        step: its id.
        action_type: one of the contract's.
        action: what was done, in words.
        performed: whether it was done; in a dry run, whether its target was found.
        strategy: what found the target; None for a step without one.
        point: where it was done, in pixels of the live frame; None for the keyboard.
        failed: for each stronger strategy, why it did not find the target.
        matched_before: whether the screen looked as recorded before the step; None when it was not compared.
        matched_after: whether it did so afterwards; None when it was not compared.
        share_before: of the pixels that were equal, 0..1.
        share_after: of the pixels that were equal, 0..1.
        differing: boxes in which the screen afterwards differs from the recorded one, largest first.
        seconds: from the first look to the last.
        error: why the replay ended here; empty when all went well.
    """

    index: int
    step: str
    action_type: str
    action: str
    performed: bool = False
    strategy: Strategy | None = None
    point: tuple[int, int] | None = None
    failed: tuple[str, ...] = ()
    matched_before: bool | None = None
    matched_after: bool | None = None
    share_before: float | None = None
    share_after: float | None = None
    differing: tuple[Box, ...] = ()
    seconds: float = 0.0
    error: str = ""


class ReplayReport(Record):
    """A whole replay.

    Attributes:
        schema_version: of this record.
        demo: its id.
        task: what the person set out to do.
        dry_run: nothing was performed.
        total: steps of the demo.
        steps: those that were tried.
        stopped: why it ended before the last step; empty when it did not.
        seconds: from start to end.
    """

    schema_version: Literal[1] = 1
    demo: str
    task: str = ""
    dry_run: bool = False
    total: int
    steps: tuple[StepReport, ...] = ()
    stopped: str = ""
    seconds: float = 0.0

    @property
    def success(self) -> bool:
        """Whether every step was performed."""
        return not self.stopped and len(self.steps) == self.total and all(step.performed for step in self.steps)

    @property
    def matched(self) -> float | None:
        """Share of the compared steps after which the screen looked as recorded; None when none was compared."""
        compared = [step.matched_after for step in self.steps if step.matched_after is not None]
        return sum(compared) / len(compared) if compared else None

    def to_json(self) -> dict[str, Any]:
        """The plain JSON form, with what is derived."""
        return {**super().to_json(), "success": self.success, "matched": self.matched}
