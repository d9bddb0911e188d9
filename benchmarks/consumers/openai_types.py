# /// script
# requires-python = ">=3.11"
# dependencies = ["openai>=3", "pydantic>=2.10"]
# ///
"""``openai`` in the types of OpenAI's package: each item as part of a question, and each action where it was done."""

from __future__ import annotations

import json
from typing import Any

from deeds import Deed, compare, keys, sayable
from told import Told

LOST = {
    ("click", "held"): "hold", ("hover", "seconds"): "hover_seconds", ("wait", "seconds"): "wait_seconds",
    ("drag", "button"): "drag_button",
}  # fmt: skip
_NOTCH = 100


def main() -> None:
    """Every demo."""
    from openai.types.responses import ComputerAction, ResponseInputItemParam, ToolParam
    from pydantic import TypeAdapter

    told = Told.of("OpenAI's types", ("openai", "pydantic"))
    items, tools, action = (
        TypeAdapter(ResponseInputItemParam),
        TypeAdapter(list[ToolParam]),
        TypeAdapter(ComputerAction),
    )
    read: list[Deed] = []
    for demo in dict.fromkeys(step["demo"] for step in told.steps):
        document = json.loads((told.folder / "demos" / f"{demo}.json").read_bytes())
        tools.validate_python(document["tools"])
        asked, answered = [], []
        for item in document["input"]:
            items.validate_python(item)
            if item.get("type") == "computer_call":
                asked.append(item["call_id"])
                read.append(deed([action.validate_python(one) for one in item["actions"]]))
            elif item.get("type") == "computer_call_output":
                answered.append(item["call_id"])
        told.same(f"{demo}: calls that are answered", answered, asked)
        last = document["input"][-1]
        if last.get("role") == "assistant":
            status = "failure" if last["content"].endswith("could not be done.") else "success"
            read.append({"kind": "finish_goal", "status": status})
    steps = sayable(told)
    told.count(len(read), len(steps))
    for step, said in zip(steps, read, strict=False):
        compare(told, step, said, within=1.0, lost=LOST)
    told.losses(of=set(LOST.values()))
    told.finish()


def deed(actions: list[Any]) -> Deed:
    """What the actions of one call do."""
    first = actions[0]
    at, held = (getattr(first, "x", None), getattr(first, "y", None)), keys(getattr(first, "keys", None) or ())
    match first.type:
        case "click":
            same = all(one == first for one in actions)
            button = {"wheel": "middle"}.get(first.button, first.button)
            return {"kind": "click", "at": at, "button": button, "count": len(actions) if same else 0, "keys": held}
        case "double_click":
            return {"kind": "click", "at": at, "button": "left", "count": 2, "keys": held}
        case "type":
            return {"kind": "type", "text": first.text, "enter": [one.keys for one in actions[1:]] == [["ENTER"]]}
        case "keypress":
            return {"kind": "press_key", "pressed": held, "presses": len(actions)}
        case "scroll":
            sideways, down = first.scroll_x, first.scroll_y
            directions = ("right", "left") if sideways else ("down", "up")
            way = sideways or down
            return {"kind": "scroll", "at": at, "keys": held, "direction": directions[way < 0],
                    "amount": abs(way) / _NOTCH}  # fmt: skip
        case "move":
            return {"kind": "hover", "at": at}
        case "drag":
            start, end = first.path[0], first.path[-1]
            return {"kind": "drag", "at": (start.x, start.y), "to": (end.x, end.y), "keys": held, "button": "left"}
        case kind:
            return {"kind": kind}


if __name__ == "__main__":
    main()
