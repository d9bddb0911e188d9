"""Selection of the steps that an export leaves out: rejected ones, and on demand what a judge found wrong."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final, Literal

from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep

LeaveOut = Literal["wrong", "redundant", "none"]
LeftOutReason = Literal["rejected", "wrong", "redundant"]

LEFT_OUT_WORDS: Final[dict[LeftOutReason, str]] = {
    "rejected": "a person said that the step is to be left out",
    "wrong": "a judge found the step wrong",
    "redundant": "a judge found the step needless",
}


def left_because(step: RecordedStep, choice: Collection[LeaveOut]) -> LeftOutReason | None:
    """Why a step is left out; None for one that stays.

    What a person said stands above what a judge said. The step that ends the task is never left out by a judge's word:
    without it no sample would say when to stop. Where no model was asked, the labels that frames and actions give
    (no effect, undone, repeated, ...) say that a step was needless.
    """
    if "none" in choice:
        return None
    review, verdict = step.recorded.review, step.recorded.verdict
    if review == "rejected":
        return "rejected"
    if verdict is None or review == "approved" or step.ends:
        return None
    if "wrong" in choice and verdict.correct == "no":
        return "wrong"
    needless = bool(verdict.labels) if verdict.correct is None else verdict.redundant == "yes"
    return "redundant" if "redundant" in choice and needless else None


def without(
    demo: RecordedDemo, choice: Collection[LeaveOut]
) -> tuple[RecordedDemo, list[tuple[RecordedStep, LeftOutReason]]]:
    """The demo with the steps that stay, numbered anew, and the others with the reason."""
    left: list[tuple[RecordedStep, LeftOutReason]] = []
    for step in demo.steps:
        why = left_because(step, choice)
        if why is not None:
            left.append((step, why))
    if not left:
        return demo, []
    gone = {step.recorded.id for step, _ in left}
    kept: list[RecordedStep] = []
    for step, following in zip(demo.steps, [*demo.steps[1:], None], strict=True):
        recorded = step.recorded
        if recorded.id in gone:
            continue
        if recorded.after is None and following is not None and following.recorded.id in gone:
            # Exporters take the next step's picture for what came of this one; the next one that stays shows more.
            recorded = recorded.but(after=following.recorded.before)
        kept.append(replace(step, index=len(kept), recorded=recorded))
    return replace(demo, steps=kept), left


def steps_that_mention(demo: RecordedDemo, gone: Collection[str]) -> list[RecordedStep]:
    """Steps that stay and come right after a wrong one that does not: their reasons may tell of it."""
    pairs = zip(demo.steps, demo.steps[1:], strict=False)
    return [
        step
        for before, step in pairs
        if before.recorded.id in gone and step.recorded.id not in gone and step.recorded.rationale is not None
        and before.recorded.verdict is not None and before.recorded.verdict.correct == "no"
    ]  # fmt: skip
