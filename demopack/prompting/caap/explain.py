"""The prompt that asks for the reason of one action: the script, the screen before, the screen after (Figure 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from demopack.errors import BadInputError
from demopack.pack.formats.caap import script_text
from demopack.prompting.caap.elements import element_data, reasoned_calls
from demopack.prompting.prompt import Message, Part
from demopack.prompting.scene import Listed, Scene
from demopack.prompting.situation import Shot
from demopack.prompting.texts import texts

__all__ = ["build_explain"]


def build_explain(shot: Shot, step: int, *, after: Scene | None, reasons: Mapping[int, str] | None = None) -> Message:
    """Ask why a step was taken.

    The elements keep their numbers over the demo, and those that are gone are told as not visible. The script shows
    the whole demo, what came later included: reasons written from it know the end.

    Args:
        shot: the demo.
        step: which of its steps, from 0.
        after: the screen after the step; None when the task was completed by it.
        reasons: reasons that are already there, by step; those of the demo itself are not told.

    Raises:
        BadInputError: CAAP has no word for the step's action, or there is no such step.
    """
    if not 0 <= step < len(shot.steps):
        raise BadInputError(f"The demo has no step {step + 1}.", hint=f"It has {len(shot.steps)} steps.")
    calls = [[call for call, _ in reasoned_calls(item, reasons=False)] for item in shot.steps]
    if not calls[step]:
        raise BadInputError(f"CAAP has no word for step {step + 1}: {shot.steps[step].description}.")
    told = reasons or {}
    flat = [(call, told.get(i, "") if n == 0 else "") for i, group in enumerate(calls) for n, call in enumerate(group)]
    name = f"action_{2 + sum(len(group) for group in calls[:step])}"
    words = texts("caap")
    numbers: dict[str, int] = {}
    known: dict[str, Listed] = {}
    before = ""
    for item in shot.steps[: step + 1]:
        before = _tell(item.scene.elements, numbers, known)
    ending = (
        words.get("explain_end", action=name)
        if after is None
        else words.get("explain_after", action=name, elements=_tell(after.elements, numbers, known))
    )
    given = {
        "premise": words.get("explain_premise"),
        "script": script_text(shot.task, flat),
        "why": words.get("explain_why", action=name),
        "before": words.get("explain_before", action=name, elements=before),
        "after": ending,
        "ask": words.get("explain_ask", action=name),
    }
    return Message(role="user", parts=tuple(Part(name=key, text=text) for key, text in given.items()))


def _tell(elements: Sequence[Listed], numbers: dict[str, int], known: dict[str, Listed]) -> str:
    """One line for every element seen so far, in order of first sight; updates what is known."""
    seen: set[str] = set()
    for item in elements:
        key = item.track_id or item.uid or f"{item.type}/{item.text}/{item.number}"
        numbers.setdefault(key, len(numbers) + 1)
        known[key] = item
        seen.add(key)
    return "\n".join(
        f"demo_element_{number}: {element_data(known[key], visible=key in seen)}" for key, number in numbers.items()
    )
