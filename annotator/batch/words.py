"""Batches in the user's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotator.batch.duplicates import Duplicate, Reason
from annotator.batch.orders import ParseOrder
from annotator.batch.ranges import Scope
from annotator.document import Document
from annotator.step_words import name_element
from annotator.words import tr

__all__ = ["SCOPE_NAMES", "duplicate_words", "first_step", "left_words", "range_words"]

SCOPE_NAMES: Final[Mapping[Scope, str]] = {
    "step": tr("This step"),
    "selected": tr("The selected steps"),
    "onwards": tr("From this step on"),
    "demo": tr("The whole demo"),
    "library": tr("Every demo of the library"),
}

_REASONS: Final[Mapping[Reason, str]] = {
    "same_box": tr("{name} on step {step}: nearly the same box as another one"),
    "same_text_inside": tr("{name} on step {step}: lies with the same words in {other}"),
}


def range_words(steps: int, screens: int) -> str:
    """How much a range is."""
    return (
        tr("Steps: {steps}, screens: {screens}").format(steps=steps, screens=screens)
        if screens
        else tr("There is no screen here.")
    )


def left_words(order: ParseOrder) -> str:
    """What is left of a search."""
    screens = order.screens
    if screens is None:
        return tr("A search was stopped; {demos} demos are left.").format(demos=len(order.demos))
    return (
        tr("A search was stopped; 1 screen is left.")
        if screens == 1
        else tr("A search was stopped; {screens} screens are left.").format(screens=screens)
    )


def duplicate_words(document: Document, duplicate: Duplicate) -> str:
    """Which element is double, and why."""
    one, other = document.element(duplicate.uid), document.element(duplicate.keep)
    if one is None or other is None:
        return tr("It is gone already.")
    step = first_step(document, duplicate.frame)
    return _REASONS[duplicate.reason].format(
        name=name_element(one), other=name_element(other), step="?" if step is None else step + 1
    )


def first_step(document: Document, frame_id: str) -> int | None:
    """The place of the first step that shows a frame, from 0; None where none does."""
    for place, step in enumerate(document.steps):
        if frame_id in {frame.id for frame in (step.before, step.after) if frame is not None}:
            return place
    return None
