# /// script
# requires-python = ">=3.11"
# dependencies = ["google-genai>=3", "pydantic>=2.10"]
# ///
"""``gemini`` in the types of Google's package: contents and tools of one request, each call where it was done."""

from __future__ import annotations

import json
from typing import Any

from deeds import Deed, compare, keys, sayable
from told import Told

LOST = {
    ("click", "held"): "hold", ("hover", "seconds"): "hover_seconds", ("drag", "button"): "drag_button",
    ("scroll", "amount"): "scroll_steps",
    **{(kind, "keys"): "modifiers" for kind in ("click", "scroll", "drag")},
}  # fmt: skip
_NOTCH = 100
_CLICKS = {
    "click": ("left", 1), "double_click": ("left", 2), "triple_click": ("left", 3), "right_click": ("right", 1),
    "middle_click": ("middle", 1),
}  # fmt: skip


def main() -> None:
    """Every demo."""
    from google.genai import types

    told = Told.of("Google's types", ("google-genai", "pydantic"))
    steps = sayable(told)
    read: list[Deed] = []
    for demo in dict.fromkeys(step["demo"] for step in told.steps):
        document = json.loads((told.folder / "demos" / f"{demo}.json").read_bytes())
        (tool,) = types.GenerateContentConfig(tools=document["tools"]).tools
        told.same(f"{demo}: environment", tool.computer_use.environment, types.Environment.ENVIRONMENT_DESKTOP)
        contents = [types.Content.model_validate(one) for one in document["contents"]]
        roles = ["user", "model"] * len(contents)
        told.same(f"{demo}: roles", [one.role for one in contents], roles[: len(contents)])
        sizes = iter([step["size"] for step in steps if step["demo"] == demo])
        waiting: list[str] = []
        for one in contents:
            calls = [part.function_call for part in one.parts if part.function_call]
            for part in one.parts:
                if part.function_response:
                    told.same(f"{demo}: the call that is answered", part.function_response.name, waiting.pop(0))
            if calls:
                waiting = [call.name for call in calls]
                read.append(deed([(call.name, call.args) for call in calls], next(sizes, None) or [0, 0]))
        told.same(f"{demo}: calls without an answer", waiting, [])
        if contents[-1].role == "model":
            status = "failure" if contents[-1].parts[-1].text.endswith("could not be done.") else "success"
            read.append({"kind": "finish_goal", "status": status})
    told.count(len(read), len(steps))
    for step, said in zip(steps, read, strict=False):
        # A thousandth of the picture, rounded to the nearest.
        compare(told, step, said, within=max(step["size"] or [0]) / 1000, lost=LOST)
    told.losses(of=set(LOST.values()))
    told.finish()


def deed(calls: list[tuple[str, dict[str, Any]]], size: list[int]) -> Deed:
    """What the calls of one content do, on a picture of this size."""
    name, given = calls[0]
    width, height = size

    def point(x: str, y: str) -> tuple[float, float] | None:
        return (given[x] * width / 1000, given[y] * height / 1000) if x in given else None

    at = point("x", "y")
    if name in _CLICKS:
        button, count = _CLICKS[name]
        return {"kind": "click", "at": at, "button": button, "count": count, "keys": []}
    match name:
        case "type":
            return {"kind": "type", "text": given["text"], "enter": given["press_enter"]}
        case "press_key" | "hotkey":
            pressed = given["keys"] if name == "hotkey" else [given["key"]]
            return {"kind": "press_key", "pressed": keys(pressed), "presses": len(calls)}
        case "scroll":
            along = width if given["direction"] in {"left", "right"} else height
            return {"kind": "scroll", "at": at, "keys": [], "direction": given["direction"],
                    "amount": round(given["magnitude"] * along / 1000 / _NOTCH, 1)}  # fmt: skip
        case "move":
            return {"kind": "hover", "at": at}
        case "drag_and_drop":
            return {
                "kind": "drag",
                "at": at,
                "to": point("destination_x", "destination_y"),
                "keys": [],
                "button": "left",
            }
        case "wait":
            return {"kind": "wait", "seconds": given["seconds"]}
        case _:
            return {"kind": name}


if __name__ == "__main__":
    main()
