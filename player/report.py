"""Report of a replay."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial
from typing import Any, Final, Literal

from demopack.domain.elements import Box
from demopack.domain.records import Record
from demopack.errors import ReplayCode
from player.keyboard_check import Checked
from player.target_strategies import Strategy

FOUND_WORDS: Final[dict[Strategy, str]] = {
    "role_name": "by its role and name",
    "track_id": "as the recorded element",
    "element_id": "by its number on the screen",
    "text": "by its text",
    "bbox": "by its place",
}
"""What found a target, for people."""


_DOTS: Final = "••••••••"
_MIN_HIDDEN: Final = 4  # characters; shorter secrets are parts of ordinary words
_MIN_CUT: Final = 8  # characters; so many of a secret's first before an ellipsis are it, shortened
_QUOTED: Final = re.compile("“[^”]*”")


def hide_secrets(text: str, secrets: Collection[str]) -> str:
    """A text without secrets, should a screen have shown one and a message repeat it, whole or shortened.

    Short ones are hidden in quotations alone, as whole words.
    """
    given = {one for secret in secrets for one in (secret, " ".join(secret.split()))}
    for secret in sorted(given, key=len, reverse=True):
        if len(secret) >= _MIN_HIDDEN:
            text = text.replace(secret, _DOTS)
            for length in range(len(secret) - 1, _MIN_CUT - 1, -1) if "…" in text else ():
                text = text.replace(f"{secret[:length]}…", f"{_DOTS}…")
        elif secret.strip():
            text = _QUOTED.sub(partial(_hide_word, rf"(?<!\w){re.escape(secret)}(?!\w)"), text)
    return text


def _hide_word(pattern: str, quoted: re.Match[str]) -> str:
    return re.sub(pattern, _DOTS, quoted.group())


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
        checked: what told, before keys were sent, that they would arrive where they did; None for the pointer.
        sent: where keys were stopped in the middle: how many characters or combinations had been sent.
        matched_before: whether the screen looked as recorded before the step; None when it was not compared.
        matched_after: whether the step did what it did in the recording; None when that cannot be told.
        late: whether it did so only when the next step began.
        effect: share of what the step changed in the recording that looks so now, 0..1; None where it changed nothing.
        share_before: of the pixels that were equal, 0..1.
        share_after: of the pixels that were equal, 0..1.
        differing: boxes in which the screen afterwards differs from the recorded one, largest first.
        seconds: from the first look to the last.
        error: why the replay ended here; empty when all went well.
        code: the class of what went wrong, for programs; empty when all went well.
    """

    index: int
    step: str
    action_type: str
    action: str
    performed: bool = False
    strategy: Strategy | None = None
    point: tuple[int, int] | None = None
    failed: tuple[str, ...] = ()
    checked: Checked | None = None
    sent: int | None = None
    matched_before: bool | None = None
    matched_after: bool | None = None
    late: bool = False
    effect: float | None = None
    share_before: float | None = None
    share_after: float | None = None
    differing: tuple[Box, ...] = ()
    seconds: float = 0.0
    error: str = ""
    code: ReplayCode | Literal[""] = ""

    def without(self, secrets: Collection[str]) -> StepReport:
        """The same without secrets in its texts."""
        if not secrets:
            return self
        failed = tuple(hide_secrets(why, secrets) for why in self.failed)
        return self.but(
            action=hide_secrets(self.action, secrets), failed=failed, error=hide_secrets(self.error, secrets)
        )


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
        screen: width and height of the screen, pixels; None in a dry run.
        scale_factor: how much larger than usual programs drew there.
    """

    schema_version: Literal[1] = 1
    demo: str
    task: str = ""
    dry_run: bool = False
    total: int
    steps: tuple[StepReport, ...] = ()
    stopped: str = ""
    seconds: float = 0.0
    screen: tuple[int, int] | None = None
    scale_factor: float = 1.0

    def without(self, secrets: Collection[str]) -> ReplayReport:
        """The same without secrets in its texts."""
        if not secrets:
            return self
        steps = tuple(step.without(secrets) for step in self.steps)
        return self.but(task=hide_secrets(self.task, secrets), steps=steps, stopped=hide_secrets(self.stopped, secrets))

    @property
    def performed(self) -> bool:
        """Whether every step was performed."""
        return not self.stopped and len(self.steps) == self.total and all(step.performed for step in self.steps)

    @property
    def matched(self) -> float | None:
        """Share of the compared steps that did what they did in the recording; None when none was compared."""
        compared = [step.matched_after for step in self.steps if step.matched_after is not None]
        return sum(compared) / len(compared) if compared else None

    @property
    def as_recorded(self) -> bool | None:
        """Whether every step that was compared did what it did in the recording; None when none was compared."""
        return None if self.matched is None else self.matched == 1.0

    @property
    def first_difference(self) -> str:
        """The first step that did something else than in the recording, in words; empty where there is none."""
        step = next((step for step in self.steps if step.matched_after is False), None)
        if step is None:
            return ""
        if step.effect is not None:
            return f"step {step.index} ({step.action}): {step.effect:.0%} of what it changed looks as recorded"
        return f"step {step.index} ({step.action}): {step.share_after or 0:.0%} of the screen looks as recorded"

    @property
    def code(self) -> ReplayCode | Literal[""]:
        """The class of what went wrong first; empty when nothing did."""
        for step in self.steps:
            if step.code:
                return step.code
        return "stopped" if self.stopped else ""

    @property
    def success(self) -> bool:
        """Whether every step was performed, and none did something else than in the recording."""
        return self.performed and self.as_recorded is not False

    def to_json(self) -> dict[str, Any]:
        """The plain JSON form, with what is derived."""
        derived = {
            "success": self.success,
            "performed": self.performed,
            "matched": self.matched,
            "as_recorded": self.as_recorded,
            "first_difference": self.first_difference,
            "code": self.code,
        }
        return {**super().to_json(), **derived}
