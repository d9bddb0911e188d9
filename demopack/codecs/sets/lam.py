"""The Large Action Model's samples (Appendix C of its paper), in UFO's vocabulary."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from demopack.codecs import ufo, uipath
from demopack.codecs.answers import ufo_answer
from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import Format, FormatWriter, load_table
from demopack.codecs.sets.questions import history, reasoning
from demopack.domain.elements import ElementType, NumberedElement

CONTROL_TYPES: Final[dict[ElementType, str]] = {
    "button": "Button", "icon": "Button", "radio": "Button", "checkbox": "Button", "toggle": "Button",
    "input_field": "Edit", "spinner": "Edit", "text_area": "Document", "tab": "TabItem", "list_item": "ListItem",
    "tabled_text": "ListItem", "menu": "MenuItem", "menu_item": "MenuItem", "scrollbar": "ScrollBar",
    "slider": "ScrollBar", "tree_item": "TreeItem", "hyperlink": "Hyperlink", "dropdown": "ComboBox",
}  # fmt: skip
"""The ten kinds of controls that LAM knows; what is none of them is no control of its."""

_SYSTEM = """\
You help a person by operating one application, one action at a time. You get the controls of its window as a list of \
label, control_text and control_type, the request, the actions so far and the plan you made before.
Functions: click_input(button, double, pressed), click_on_coordinates(x, y, button, double), \
drag_on_coordinates(start_x, start_y, end_x, end_y, button, duration, key_hold), \
set_edit_text(text, clear_current_text), keyboard_input(keys), wheel_mouse_input(wheel_dist), summary(text). \
Coordinates are fractions of the window.
Answer with one JSON object: thought, control_label, control_name, function, args, status (CONTINUE or FINISH) and \
plan (the actions that remain, a list). control_label, control_name and function are empty, and args is {}, where \
nothing fits."""


def control_items(elements: Sequence[NumberedElement]) -> list[dict[str, str]]:
    """The elements that LAM has a kind of control for."""
    return [
        {"label": str(e.number), "control_text": e.text or "", "control_type": CONTROL_TYPES[e.type]}
        for e in elements
        if e.type in CONTROL_TYPES
    ]


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
        index: of the step; -1 for the plan before the first.
        orders: :func:`orders_of` the demo.
    """
    if index >= 0:
        rationale = demo.steps[index].recorded.rationale
        if rationale is not None and rationale.plan:
            return list(rationale.plan)
    return [order for step in orders[index + 1 :] for order in step]


class _Samples(FormatWriter):
    table = "lam.jsonl"
    note = "A plan is the rationale's where it has one, else the actions that followed: it knows how the demo went."

    def add(self, demo: RecordedDemo) -> None:
        orders = orders_of(demo)
        for step, encoded in self.encoded(demo, ufo.CODEC):
            asked = self._asked(demo, step, plan_after(demo, step.index - 1, orders=orders))
            plan = plan_after(demo, step.index, orders=orders)
            told = ufo_answer(
                encoded.calls[0],
                None if step.ends else ufo.control_of(step.placed),
                thought=reasoning(step, self.options),
                ends=step.ends,
                plan=[] if step.ends else plan,
            )
            answer = json.dumps(told, ensure_ascii=False)
            messages = [
                {"role": "system", "content": _SYSTEM},
                {"role": "user", "content": asked},
                {"role": "assistant", "content": answer},
            ]
            self.output.line(self.table, {"id": step.name, "messages": messages})

    def _asked(self, demo: RecordedDemo, step: RecordedStep, plan: list[str]) -> str:
        items = control_items(step.observation.elements) if self.options.elements else []
        parts = {
            "Available Control Item": items,
            "User Request": demo.head.task,
            "Previous Actions": history(demo, step, self.options),
            "Previous Plans": plan,
        }
        return "\n".join(f"<{name}:> {json.dumps(value, ensure_ascii=False)}" for name, value in parts.items())


LAM: Final = Format(
    name="lam",
    title="LAM samples (Appendix C)",
    files="lam.jsonl",
    reads="LAM's training",
    about="A step's question and answer as Large Action Models are trained on them.",
    load=load_table("lam.jsonl"),
    writer=_Samples,
    dialect="ufo",
    losses=(
        Loss("picture", "the pictures", "LAM reads controls as text alone"),
        Loss("kinds", "elements that are none of ten kinds of control", "LAM knows no others"),
        Loss("failure", "a finish that failed", "status knows CONTINUE and FINISH alone"),
    ),
    uses=frozenset({"rationale", "elements", "history", "any_outcome"}),
    successful_only=True,
)
