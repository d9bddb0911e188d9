"""One rationale in the words of each dialect. Pure: whoever exports, prompts or shows renders with these.

==================  =========================================================================================
dialect             what it gets
==================  =========================================================================================
LLMResponse         ``Rationale.reasoning``: thought and expected effect; nothing that was seen only afterwards
CAAP                one paragraph: what was chosen and why, then what happened
UiPath              what came of a step, told by the *next* one as ``previous_action_result``
LAM                 thought before the action, and the plan: the steps that remain
==================  =========================================================================================
"""

from __future__ import annotations

from typing import Final

from demopack.domain.rationale import Rationale

__all__ = ["START_REASON", "caap_paragraph", "lam_plan", "lam_thought", "previous_action_result"]

START_REASON: Final = "Initiating the task."
"""What CAAP's start action, which is no recorded step, always gives as its reason."""


def caap_paragraph(rationale: Rationale) -> str:
    """CAAP's one paragraph: the one that was written in hindsight, else choice, reason and effect, in this order.

    A person's wording stands for what was seen and chosen.
    """
    if rationale.text is None and rationale.hindsight.strip():
        return _one_line(rationale.hindsight)
    chosen = [rationale.observation, rationale.thought] if rationale.text is None else [rationale.text]
    return _one_line(" ".join([*chosen, rationale.actual_effect]))


def previous_action_result(previous: Rationale | None) -> str:
    """What the step after ``previous`` reports as that one's result; empty before the first step, or when unknown."""
    return "" if previous is None else _one_line(previous.actual_effect)


def lam_thought(rationale: Rationale) -> str:
    """What was seen and why the action was chosen; nothing that was seen only afterwards."""
    if rationale.text is not None:
        return _one_line(rationale.text)
    return _one_line(f"{rationale.observation} {rationale.thought}")


def lam_plan(rationale: Rationale) -> list[str]:
    """The steps that remain after this one; empty when there are none."""
    return [_one_line(step) for step in rationale.plan if step.strip()]


def _one_line(text: str) -> str:
    return " ".join(text.split())
