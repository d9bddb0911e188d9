"""Whether what a rationale was written from is still so."""

from __future__ import annotations

from collections.abc import Iterable

from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.rationale import basis_of
from demopack.domain.steps import Step

__all__ = ["basis_on", "is_stale", "step_basis"]


def step_basis(step: Step, demo: Demo) -> str:
    """The fingerprint (:func:`demopack.domain.rationale.basis_of`) of a step as the demo stands now."""
    elements = () if step.before is None else demo.elements.get(step.before.id, ())
    return basis_on(step, task=demo.head.task, elements=elements)


def basis_on(step: Step, *, task: str, elements: Iterable[Element]) -> str:
    """As :func:`step_basis`, from the demo's task and the elements on the step's before-frame."""
    found = {element.uid: element for element in elements}
    return basis_of(
        task=task,
        action=step.action,
        target=_there(found, step.target_uid),
        end_target=_there(found, step.end_uid),
    )


def is_stale(step: Step, demo: Demo) -> bool:
    """Whether task, action, target or target's looks changed since the rationale was written.

    A rationale whose basis is not known, because an older version or a person's own words made it, is never stale.
    """
    rationale = step.rationale
    return rationale is not None and bool(rationale.basis) and rationale.basis != step_basis(step, demo)


def _there(found: dict[str, Element], uid: str | None) -> Element | None:
    element = found.get(uid or "")
    return None if element is None or element.review == "rejected" else element
