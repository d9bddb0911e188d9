"""Ranges of steps and screens that a batch works on, and batches in the user's words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal

from annotator.batch.batch_commands import Duplicate, Reason
from annotator.batch.parsing import ParseOrder
from annotator.document import Document
from annotator.step_words import name_element
from annotator.words import tr
from demopack.domain.frames import Frame
from demopack.domain.steps import Step

Scope = Literal["step", "selected", "onwards", "demo", "library"]
SCOPES: Final[tuple[Scope, ...]] = ("step", "selected", "onwards", "demo", "library")


def steps_in(
    document: Document, scope: Scope, *, current: str | None, selected: Collection[str] = ()
) -> tuple[Step, ...]:
    """The steps of a scope in the demo's order.

    Args:
        document: the demo.
        scope: ``library`` means every step of this demo here.
        current: id of the current step; None in an empty demo.
        selected: ids of the selected steps.
    """
    steps = document.steps
    if scope == "step":
        return tuple(step for step in steps if step.id == current)
    if scope == "selected":
        return tuple(step for step in steps if step.id in selected)
    if scope == "onwards":
        start = next((place for place, step in enumerate(steps) if step.id == current), len(steps))
        return steps[start:]
    return steps


def frames_of(document: Document, steps: Iterable[Step]) -> tuple[Frame, ...]:
    """The screens before and after these steps, each once; with all steps, the one at the demo's end too."""
    chosen = list(steps)
    seen: dict[str, Frame] = {}
    for step in chosen:
        for frame in (step.before, step.after):
            if frame is not None:
                seen.setdefault(frame.id, frame)
    final = document.head.final_frame
    if final is not None and len(chosen) == len(document.steps):
        seen.setdefault(final.id, final)
    return tuple(seen.values())


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
    frame = duplicate.frame
    shows = (n for n, step in enumerate(document.steps, 1) for at in (step.before, step.after) if at and at.id == frame)
    return _REASONS[duplicate.reason].format(name=name_element(one), other=name_element(other), step=next(shows, "?"))
