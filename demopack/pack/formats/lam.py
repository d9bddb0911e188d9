"""The Large Action Model's samples (Appendix C of its paper): a talk whose answer has all seven keys."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from demopack.domain.elements import ElementType
from demopack.pack.formats.acts import act_of
from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.dialects import ufo, uipath
from demopack.pack.formats.hearing import hear
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import history, reasoning
from demopack.pack.formats.spoken import Spoken
from demopack.pack.rows import ElementRow, StepRow
from demopack.pack.stream import DemoRows, named

__all__ = ["ANSWER_KEYS", "CONTROL_TYPES", "FORMAT", "control_items", "orders_of", "plan_after"]

ANSWER_KEYS: Final = ("thought", "control_label", "control_name", "function", "args", "status", "plan")

CONTROL_TYPES: Final[dict[ElementType, str]] = {
    "button": "Button", "icon": "Button", "radio": "Button", "checkbox": "Button", "toggle": "Button",
    "input_field": "Edit", "spinner": "Edit", "text_area": "Document", "tab": "TabItem", "list_item": "ListItem",
    "tabled_text": "ListItem", "menu": "MenuItem", "menu_item": "MenuItem", "scrollbar": "ScrollBar",
    "slider": "ScrollBar", "tree_item": "TreeItem", "hyperlink": "Hyperlink", "dropdown": "ComboBox",
}  # fmt: skip
"""The ten kinds of controls that LAM knows; what is none of them is no control of its."""

_TOLD = """\
You help a person by operating one application, one action at a time. You get the controls of its window as a list of \
label, control_text and control_type, the request, the actions so far and the plan you made before.
Functions: click_input(button, double, pressed), click_on_coordinates(x, y, button, double), \
drag_on_coordinates(start_x, start_y, end_x, end_y, button, duration, key_hold), \
set_edit_text(text, clear_current_text), keyboard_input(keys), wheel_mouse_input(wheel_dist), summary(text). \
Coordinates are fractions of the window.
Answer with one JSON object: thought, control_label, control_name, function, args, status (CONTINUE or FINISH) and \
plan (the actions that remain, a list). control_label, control_name and function are empty, and args is {}, where \
nothing fits."""


def control_items(elements: Sequence[ElementRow]) -> list[dict[str, str]]:
    """The elements that LAM has a kind of control for."""
    return [
        {"label": str(e.element_id), "control_text": e.text or "", "control_type": CONTROL_TYPES[e.type]}
        for e in elements
        if e.type in CONTROL_TYPES
    ]


def orders_of(demo: DemoRows) -> list[list[str]]:
    """What is done at each step, as orders; nothing for the step that ends the demo."""
    orders: list[list[str]] = []
    for row in demo.steps:
        if row.response["action"]["action_type"] == "finish_goal":
            orders.append([])
        else:
            spoken = uipath.DIALECT.say(act_of(row, demo))
            orders.append([str(call["description"]) for call in spoken.calls] or [row.description])
    return orders


def plan_after(demo: DemoRows, index: int, *, orders: Sequence[Sequence[str]]) -> list[str]:
    """What remains to be done after a step: its rationale's plan, else the actions that were done then, in words.

    Args:
        demo: the demo.
        index: of the step; -1 for the plan before the first.
        orders: :func:`orders_of` the demo.
    """
    if index >= 0:
        rationale = demo.steps[index].rationale
        if rationale is not None and rationale.plan:
            return list(rationale.plan)
    return [order for step in orders[index + 1 :] for order in step]


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options

    def add(self, demo: DemoRows) -> None:
        orders = orders_of(demo)
        for row in demo.steps:
            self._output.rows_in += 1
            spoken = hear(self._output, ufo.DIALECT, demo, row)
            if spoken is None:
                continue
            asked = self._asked(demo, row, plan_after(demo, row.index - 1, orders=orders))
            plan = plan_after(demo, row.index, orders=orders)
            answer = json.dumps(self._answer(demo, row, spoken, plan), ensure_ascii=False)
            messages = [
                {"role": "system", "content": _TOLD},
                {"role": "user", "content": asked},
                {"role": "assistant", "content": answer},
            ]
            self._output.line("lam.jsonl", {"id": named(row), "messages": messages})
            self._output.rows_out += 1

    def _asked(self, demo: DemoRows, row: StepRow, plan: list[str]) -> str:
        items = control_items(demo.on(row)) if self._options.elements else []
        parts = {
            "Available Control Item": items,
            "User Request": row.task,
            "Previous Actions": history(demo, row, self._options),
            "Previous Plans": plan,
        }
        return "\n".join(f"<{name}:> {json.dumps(value, ensure_ascii=False)}" for name, value in parts.items())

    def _answer(self, demo: DemoRows, row: StepRow, spoken: Spoken, plan: list[str]) -> dict[str, Any]:
        call = spoken.calls[0]
        target = demo.element(row, row.target_uid)
        ends = row.response["action"]["action_type"] == "finish_goal"
        values = (
            reasoning(row, self._options),
            "" if target is None or ends else str(target.element_id),
            "" if target is None or ends else target.text or "",
            call["Function"],
            call["Args"],
            "FINISH" if ends else "CONTINUE",
            [] if ends else plan,
        )
        return dict(zip(ANSWER_KEYS, values, strict=True))

    def finish(self) -> None:
        """Say where plans come from."""
        self._output.text("lam.jsonl")
        self._output.notes.append(
            "A plan is the rationale's where it has one, else the actions that followed: it knows how the demo went."
        )


FORMAT: Final = Format(
    name="lam",
    title="LAM samples (Appendix C)",
    files="lam.jsonl",
    reads="LAM's training",
    writer=_Writer,
    dialect="ufo",
    losses=(
        Loss(code="picture", what="the pictures", why="LAM reads controls as text alone"),
        Loss(code="kinds", what="elements that are none of ten kinds of control", why="LAM knows no others"),
        Loss(code="failure", what="a finish that failed", why="status knows CONTINUE and FINISH alone"),
    ),
    uses=frozenset({"rationale", "elements", "history"}),
)
