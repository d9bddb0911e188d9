"""Which steps of a demo an export leaves out: those that a person rejected, and on demand what a judge found wrong."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final, Literal

from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows

__all__ = ["LEFT_WORDS", "LeaveOut", "Left", "left_because", "speaks_of_the_gone", "without"]

LeaveOut = Literal["wrong", "redundant", "none"]
Left = Literal["rejected", "wrong", "redundant"]

LEFT_WORDS: Final[dict[Left, str]] = {
    "rejected": "a person said that the step is to be left out",
    "wrong": "a judge found the step wrong",
    "redundant": "a judge found the step needless",
}


def left_because(row: StepRow, choice: Collection[LeaveOut]) -> Left | None:
    """Why a step is left out; None for one that stays.

    What a person said stands above what a judge said. The step that ends the task is never left out by a judge's word:
    without it no sample would say when to stop. Where no model was asked, the labels that frames and actions give
    (no effect, undone, repeated, ...) say that a step was needless.
    """
    if "none" in choice:
        return None
    if row.review == "rejected":
        return "rejected"
    verdict = row.verdict
    if verdict is None or row.review == "approved" or row.response["action"]["action_type"] == "finish_goal":
        return None
    if "wrong" in choice and verdict.correct == "no":
        return "wrong"
    needless = bool(verdict.labels) if verdict.correct is None else verdict.redundant == "yes"
    return "redundant" if "redundant" in choice and needless else None


def without(demo: DemoRows, choice: Collection[LeaveOut]) -> tuple[DemoRows, list[tuple[StepRow, Left]]]:
    """The demo with the steps that stay, numbered anew, and the others with the reason."""
    left: list[tuple[StepRow, Left]] = []
    for row in demo.steps:
        why = left_because(row, choice)
        if why is not None:
            left.append((row, why))
    if not left:
        return demo, []
    gone = {row.step for row, _ in left}
    kept: list[StepRow] = []
    for row, following in zip(demo.steps, [*demo.steps[1:], None], strict=True):
        if row.step in gone:
            continue
        update: dict[str, object] = {"index": len(kept)}
        if row.after is None and following is not None and following.step in gone:
            # Exporters take the next step's picture for what came of this one; the next one that stays shows more.
            update["after"] = following.before
        kept.append(row.model_copy(update=update))
    return replace(demo, steps=kept), left


def speaks_of_the_gone(demo: DemoRows, gone: Collection[str]) -> list[StepRow]:
    """Steps that stay and come right after a wrong one that does not: their reasons may tell of it."""
    pairs = zip(demo.steps, demo.steps[1:], strict=False)
    return [
        row
        for before, row in pairs
        if before.step in gone and row.step not in gone and row.rationale is not None
        and before.verdict is not None and before.verdict.correct == "no"
    ]  # fmt: skip
