"""Which steps, and which screens, something is done to."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, Literal

from annotator.document import Document
from demopack.domain.frames import Frame
from demopack.domain.steps import Step

__all__ = ["SCOPES", "Scope", "frames_of", "steps_in"]

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
