"""Elements and actions as CAAP's prompts write them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from demopack.domain.renderings import caap_paragraph
from demopack.pack.formats.caap import action_line
from demopack.pack.formats.dialects import caap
from demopack.prompting.scene import Listed
from demopack.prompting.situation import Recorded

__all__ = ["calls_of_step", "element_data", "element_list", "history_lines", "reasoned_calls"]


def element_data(element: Listed, *, visible: bool | None = None) -> str:
    """``{type: radio, X: 31 [10-52], Y: 62 [55-70], checked: False, text: "EiTE"}``.

    A tick comes before the text and every other state after it, as in the paper's figures.

    Args:
        element: what is on the screen.
        visible: whether it can be seen now; None to leave that out.
    """
    return caap.element_data(
        element.type, element.box, text=element.text, subtype=element.subtype, states=element.states, visible=visible
    )


def element_list(elements: Iterable[Listed]) -> str:
    """The elements of the current screen, one to a line."""
    return "\n".join(f"- ID: element_{item.number}, data: {element_data(item)}" for item in elements)


def calls_of_step(step: Recorded) -> list[dict[str, Any]]:
    """What CAAP's vocabulary makes of a step; empty where it has no word for it."""
    return list(caap.DIALECT.say(step.act).calls)


def reasoned_calls(step: Recorded, *, reasons: bool) -> list[tuple[dict[str, Any], str]]:
    """The calls of a step with the reason; of several calls the first tells it."""
    why = caap_paragraph(step.rationale) if reasons and step.rationale is not None else ""
    return [(call, why if number == 0 else "") for number, call in enumerate(calls_of_step(step))]


def history_lines(steps: Iterable[Recorded], *, label: str = "action") -> list[str]:
    """``action_1: {name: start}`` and what was done since, without reasons."""
    calls: list[dict[str, Any]] = [{"name": "start"}]
    for step in steps:
        calls += calls_of_step(step)
    return [action_line(f"{label}_{number}", call, "") for number, call in enumerate(calls, start=1)]
