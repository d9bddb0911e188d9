"""LAM's training format, Appendix C of its paper: ten kinds of controls, one question, seven keys of an answer.

The same texts stand in training samples and in prompts: a model is asked as it was trained. The functions are UFO's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from demopack.codecs import ufo, uipath
from demopack.codecs.answers import ufo_answer
from demopack.codecs.placed_action import EncodedAction, NotExpressibleError, PlacedAction
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.texts import function_lines, texts
from demopack.domain import actions
from demopack.domain.elements import ElementType, NumberedElement
from demopack.domain.labels import control_beside
from demopack.domain.rationale import previous_action_result

CONTROL_TYPES: Final[dict[ElementType, str]] = {
    "button": "Button", "icon": "Button", "radio": "Button", "checkbox": "Button", "toggle": "Button",
    "scrollbar_up_button": "Button", "scrollbar_down_button": "Button", "scrollbar_left_button": "Button",
    "scrollbar_right_button": "Button", "input_field": "Edit", "spinner": "Edit", "text_area": "Document",
    "tab": "TabItem", "list_item": "ListItem", "tabled_text": "ListItem", "menu": "MenuItem", "menu_item": "MenuItem",
    "scrollbar": "ScrollBar", "scrollbar_thumb": "ScrollBar", "slider": "ScrollBar", "tree_item": "TreeItem",
    "hyperlink": "Hyperlink", "dropdown": "ComboBox",
}  # fmt: skip
"""The ten kinds of controls that LAM knows; what is none of them is no control of its."""


def control_items(elements: Sequence[NumberedElement]) -> list[dict[str, str]]:
    """The elements that LAM has a kind of control for."""
    return [
        {"label": str(e.number), "control_text": e.text or "", "control_type": CONTROL_TYPES[e.type]}
        for e in elements
        if e.type in CONTROL_TYPES
    ]


def listed(step: RecordedStep) -> RecordedStep:
    """The step as LAM sees it: its target is a control of the list, or none, and then its place is what is known.

    A text beside a radio button, check box or switch stands for that control, as a click on either does the same.
    """
    placed, target = step.placed, step.placed.target
    if target is None or target.type in CONTROL_TYPES:
        return step
    return replace(step, placed=replace(placed, target=control_beside(target, step.observation.elements)))


def _encode(placed: PlacedAction) -> EncodedAction:
    match placed.action:
        case actions.FinishGoalAction(status="failure"):
            raise NotExpressibleError("finish_failure")
        case actions.ClickAction() if placed.target is None and ufo.control_of(placed) is not None:
            # Known by words alone, which stand in no list.
            raise NotExpressibleError("no_place")
        case (
            actions.TypeAction() | actions.PressKeyAction() | actions.ScrollAction() | actions.ExtractDataAction()
        ) as action if placed.target is None:
            return ufo.CODEC.encoder(replace(placed, action=action.replace(target=None)))
        case _:
            return ufo.CODEC.encoder(placed)


CODEC: Final = replace(ufo.CODEC, encoder=_encode)
"""UFO's functions for steps that are :func:`listed`."""


def encode(step: RecordedStep) -> EncodedAction:
    """A step in LAM's words; empty where it has none."""
    return CODEC.encode(listed(step).placed)


# The question ------------------------------------------------------------------------------------------------------


@cache
def system_text() -> str:
    """The system text, in training as in use."""
    words = texts("lam")
    controls, keys = ("\n".join(f"- {line}" for line in words.get(name).split("\n")) for name in ("controls", "keys"))
    functions = function_lines(json.loads(words.get("functions")))
    return words.get("system", controls=controls, functions=functions, keys=keys)


def question(
    task: str,
    elements: Sequence[NumberedElement],
    done: Sequence[RecordedStep],
    plan: Sequence[str],
    *,
    words_told: bool = True,
) -> str:
    """The question before a step, in training as in use.

    Args:
        task: the request.
        elements: on the screen; those that LAM has no kind of control for are left out.
        done: the steps before, each told with what came of it.
        plan: that was made at the step before.
        words_told: whether what came of them may be told in a rationale's words.
    """
    fields = {
        "controls": control_items(elements),
        "task": task,
        "history": [{"action": one.description, "result": _result(one, words_told=words_told)} for one in done],
        "plan": list(plan),
    }
    told = {name: json.dumps(value, ensure_ascii=False) for name, value in fields.items()}
    return texts("lam").get("user", **told)


def _result(step: RecordedStep, *, words_told: bool) -> str:
    """What came of a step that was done: in words, else what its pictures say; empty when unknown."""
    effect = step.result or (previous_action_result(step.recorded.rationale) if words_told else "")
    before, after = step.recorded.before, step.recorded.after
    if effect or before is None or after is None:
        return effect
    return "The screen did not change." if before.id == after.id else "The screen changed."


def orders_of(demo: RecordedDemo) -> list[list[str]]:
    """What is done at each step, as orders; nothing for the step that ends the demo."""
    orders: list[list[str]] = []
    for step in demo.steps:
        if step.ends:
            orders.append([])
        else:
            encoded = uipath.CODEC.encode(step.placed)
            orders.append([str(call["description"]) for call in encoded.calls] or [step.description])
    return orders


def plan_after(demo: RecordedDemo, index: int, *, orders: Sequence[Sequence[str]]) -> list[str]:
    """What remains to be done after a step: its rationale's plan, else the actions that were done then, in words.

    Args:
        demo: the demo.
        index: of the step; -1, before the first, has no plan.
        orders: :func:`orders_of` the demo.
    """
    if index < 0:
        return []
    rationale = demo.steps[index].recorded.rationale
    if rationale is not None and rationale.plan:
        return list(rationale.plan)
    return [order for step in orders[index + 1 :] for order in step]


# The answer --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LamTurn:
    """One question of a demo and its answer.

    Attributes:
        step: that the answer does, :func:`listed`.
        plan: that was made at the step before.
        answer: the seven keys.
    """

    step: RecordedStep
    plan: Sequence[str]
    answer: dict[str, Any]


def lam_turns(
    demo: RecordedDemo,
    said: Sequence[tuple[RecordedStep, EncodedAction]],
    *,
    thought: Callable[[RecordedStep], str],
) -> Iterator[LamTurn]:
    """The turns of a demo. Its end is told with the last call, as ``FINISH``.

    Where the last step before the end cannot be said, an answer without a function says after it that the task is done.

    Args:
        demo: the demo.
        said: those of its steps that :data:`CODEC` has words for, :func:`listed`, each with these.
        thought: why a step was taken.
    """
    orders = orders_of(demo)
    ending = {step.index for step, _ in said if step.ends}
    told = {step.index for step, _ in said}
    for step, encoded in said:
        if step.ends and step.index - 1 in told:
            continue
        is_last = step.index + 1 == len(demo.steps) and demo.head.done == "yes"
        ends = step.ends or is_last or step.index + 1 in ending
        call, target = encoded.calls[0], step.placed.target
        at_place = call["Function"] in ufo.AT_PLACES
        control = None if target is None or at_place else (str(target.number), target.text or "")
        plan = [] if ends else plan_after(demo, step.index, orders=orders)
        yield LamTurn(
            step=step,
            plan=plan_after(demo, step.index - 1, orders=orders),
            answer=ufo_answer(call, control, thought=thought(step), ends=ends, plan=plan),
        )
