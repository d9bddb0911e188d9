"""Rationale: why a step was taken, in fields; the contract's ``reasoning`` is rendered from them."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final, Literal, TypeAlias

from demopack.domain.actions import Action
from demopack.domain.elements import Element
from demopack.domain.provenance import Provenance
from demopack.domain.records import Record

RationaleMode: TypeAlias = Literal["no_hindsight", "hindsight"]
"""What the writer saw: only what could be known before the action, or everything that came of it, too."""

_BASIS_DIGITS = 12


class Rationale(Record):
    """The explanation of one step.

    Attributes:
        observation: what matters on the screen before the step.
        thought: what was chosen and why.
        expected_effect: what should happen.
        actual_effect: what the after-frame shows; hindsight, never rendered into ``reasoning``.
        plan: what remains to be done after this step, in order; empty when nothing does or nobody said.
        hindsight: one paragraph of someone who has seen the end: what was chosen and why, then what happened.
        mode: whether the writer of the fields saw what came afterwards; those that did are not for training.
        basis: fingerprint of what the words were written from; empty when it is not known.
        text: a person's own wording of the reasoning; when set it is the reasoning, whatever the fields say.
        provenance: who wrote it; ``kind="template"`` for the deterministic writer.
    """

    observation: str = ""
    thought: str = ""
    expected_effect: str = ""
    actual_effect: str = ""
    plan: tuple[str, ...] = ()
    hindsight: str = ""
    mode: RationaleMode = "no_hindsight"
    basis: str = ""
    text: str | None = None
    provenance: Provenance

    @property
    def reasoning(self) -> str:
        """The contract's reasoning: the person's words, else thought and expected effect; no hindsight."""
        if self.text is not None:
            return self.text
        return " ".join(part.strip() for part in (self.thought, self.expected_effect) if part.strip())


def basis_of(*, task: str, action: Action, target: Element | None, end_target: Element | None = None) -> str:
    """A fingerprint of what a rationale speaks of: when it is another one now, the rationale is stale.

    Counted are the task, the action, and of its elements type, subtype, text, box and states. Neither their numbers
    nor who found them count: a box that is drawn elsewhere on the screen makes no rationale stale.

    Args:
        task: what the person set out to do.
        action: as recorded, or with its target filled in: where an element is known, the action's target is left out.
        target: the element it was done to.
        end_target: the element a drag ended on.
    """
    wire = action.to_wire()
    parameters: dict[str, Any] = dict(wire["parameters"])
    if end_target is not None:
        parameters["end_target"] = _seen(end_target)
    data = {
        "task": task.strip(),
        "action": wire["action_type"],
        "parameters": parameters,
        "target": wire["target"] if target is None else _seen(target),
    }
    text = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:_BASIS_DIGITS]


def _seen(element: Element) -> dict[str, Any]:
    """What can be seen of an element."""
    return {
        "type": element.type,
        "subtype": element.subtype or "",
        "text": element.text or "",
        "box": element.box.corners,
        "states": dict(sorted(element.states.items())),
    }


START_REASON: Final = "Initiating the task."
"""What CAAP's start action, which is no recorded step, always gives as its reason."""


def caap_paragraph(rationale: Rationale | None) -> str:
    """CAAP's one paragraph: the one that was written in hindsight, else choice, reason and effect, in this order.

    A person's wording stands for what was seen and chosen. Empty where nobody said why.
    """
    if rationale is None:
        return ""
    if rationale.text is None and rationale.hindsight.strip():
        return _one_line(rationale.hindsight)
    chosen = [rationale.observation, rationale.thought] if rationale.text is None else [rationale.text]
    return _one_line(" ".join([*chosen, rationale.actual_effect]))


def previous_action_result(previous: Rationale | None) -> str:
    """What the step after ``previous`` reports as that one's result; empty before the first step, or when unknown."""
    return "" if previous is None else _one_line(previous.actual_effect)


def lam_thought(rationale: Rationale | None) -> str:
    """What was seen and why the action was chosen, nothing that was seen only afterwards; empty where nobody said."""
    if rationale is None:
        return ""
    if rationale.text is not None:
        return _one_line(rationale.text)
    return _one_line(f"{rationale.observation} {rationale.thought}")


def _one_line(text: str) -> str:
    return " ".join(text.split())
