"""Binding of steps to elements while boxes are edited.

The rule: a step follows the pointer (or the focus) until a person says otherwise. Whether a person did is read off the
state itself: a step whose target is not the one that the elements on its frame imply was bound by hand, and is left
alone. Only a target that is taken away lets such a step fall back to the pointer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from demopack.domain.binding import bind
from demopack.domain.elements import Element
from demopack.domain.steps import Step


def targets_of(steps: Iterable[Step]) -> frozenset[str]:
    """Uids of everything that steps are bound to: targets, ends of drags, and what would have been as right."""
    return frozenset(
        uid for step in steps for uid in (step.target_uid, step.end_uid, *step.alternatives) if uid is not None
    )


def implied(step: Step, elements: Sequence[Element]) -> Step:
    """The step with the targets that its pointer, or the focus, points at on these elements."""
    return bind(step.model_copy(update={"target_uid": None, "end_uid": None}), elements)


def rebound(
    steps: Iterable[Step], before: Sequence[Element], after: Sequence[Element], *, gone: Collection[str] = ()
) -> list[tuple[Step, Step]]:
    """Pairs (old, new) of the steps whose targets change when the elements of their frame do.

    Args:
        steps: those whose before-frame it is.
        before: its elements until now.
        after: its elements from now on.
        gone: uids that are removed; a target among them is never kept.
    """
    pairs: list[tuple[Step, Step]] = []
    for step in steps:
        old = implied(step, before)
        by_hand = (old.target_uid, old.end_uid) != (step.target_uid, step.end_uid)
        lost = step.target_uid in gone or step.end_uid in gone
        if by_hand and not lost:
            continue
        new = implied(step, after)
        if by_hand:
            # Only the half that was lost falls back; the other half is still the person's choice.
            kept = {
                name: value
                for name, value in (("target_uid", step.target_uid), ("end_uid", step.end_uid))
                if value is not None and value not in gone
            }
            new = new.model_copy(update=kept)
        if new != step:
            pairs.append((step, new))
    return pairs
