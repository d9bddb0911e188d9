"""What the writer asks a model for: flat records, every field required."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from demopack.domain.records import Record

__all__ = ["EffectReply", "HindsightReply", "ThoughtReply"]


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
