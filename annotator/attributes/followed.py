"""Says which steps an edit of boxes took along."""

from __future__ import annotations

from annotator.document import Document
from annotator.step_words import describe_action
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.steps import Step

__all__ = ["followed_words"]


def followed_words(edit: Edit, document: Document) -> str:
    """One sentence about the steps whose target moved, or is another one now; empty when no step is concerned.

    Args:
        edit: what was done.
        document: as it is after the edit.
    """
    elements = [change for change in edit.changes if change.kind == "element"]
    if not elements:
        return ""
    moved = {c.key for c in elements if c.before and c.after and c.before.get("box") != c.after.get("box")}
    rebound = {change.key for change in edit.changes if change.kind == "step" and change.before and change.after}
    told = [
        words
        for number, step in enumerate(document.steps, start=1)
        if (words := _words(number, step, document, rebound=step.id in rebound, moved=moved))
    ]
    if len(told) > 2:
        return tr("{count} steps follow this change.").format(count=len(told))
    return " ".join(told)


def _words(number: int, step: Step, document: Document, *, rebound: bool, moved: set[str]) -> str:
    if rebound:
        if step.target_uid is None and step.end_uid is None:
            return tr("Step {number} hits no element now.").format(number=number)
        element, end = document.element(step.target_uid), document.element(step.end_uid)
        done = describe_action(step.action, element, end)
        return tr("Step {number} is now: {done}.").format(number=number, done=done)
    if step.target_uid in moved or step.end_uid in moved:
        return tr("The target of step {number} moved along.").format(number=number)
    return ""
