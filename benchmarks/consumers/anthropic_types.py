# /// script
# requires-python = ">=3.11"
# dependencies = ["anthropic>=2.12", "pydantic>=2.10"]
# ///
"""``anthropic`` in the types of Anthropic's package: each message of a question, each call as the tool gets it."""

from __future__ import annotations

import json
from typing import Any

from deeds import Deed, compare, keys, sayable
from told import Told

LOST = {
    ("click", "held"): "hold", ("hover", "seconds"): "hover_seconds", ("wait", "seconds"): "wait_rounded",
    ("drag", "button"): "drag_button",
}  # fmt: skip
_CLICKS = {
    "left_click": ("left", 1), "double_click": ("left", 2), "triple_click": ("left", 3), "right_click": ("right", 1),
    "middle_click": ("middle", 1),
}  # fmt: skip


def main() -> None:
    """Every demo."""
    import anthropic.types as types
    from pydantic import TypeAdapter

    told = Told.of("Anthropic's types", ("anthropic", "pydantic"))
    message, tools = TypeAdapter(types.MessageParam), TypeAdapter(list[types.ToolUnionParam])
    blocks = {
        "text": TypeAdapter(types.TextBlockParam), "image": TypeAdapter(types.ImageBlockParam),
        "tool_use": TypeAdapter(types.ToolUseBlockParam), "tool_result": TypeAdapter(types.ToolResultBlockParam),
    }  # fmt: skip
    use = TypeAdapter(types.ComputerToolUseBlock)
    read: list[Deed] = []
    for demo in dict.fromkeys(step["demo"] for step in told.steps):
        document = json.loads((told.folder / "demos" / f"{demo}.json").read_bytes())
        tools.validate_python(document["tools"])
        messages = document["messages"]
        roles = ["user", "assistant"] * len(messages)
        told.same(f"{demo}: roles", [one["role"] for one in messages], roles[: len(messages)])
        waiting: list[str] = []
        for one in messages:
            message.validate_python(one)
            calls = []
            for block in one["content"]:
                blocks[block["type"]].validate_python(block)
                if block["type"] == "tool_use":
                    waiting.append(block["id"])
                    calls.append(use.validate_python({**block, "caller": {"type": "direct"}}))
                elif block["type"] == "tool_result":
                    waiting.remove(block["tool_use_id"])
            if calls:
                read.append(deed([(call.name, call.input.to_dict(exclude_unset=True)) for call in calls]))
        told.same(f"{demo}: calls without an answer", waiting, [])
        if messages[-1]["role"] == "assistant":
            said = messages[-1]["content"][-1]["text"]
            status = "failure" if said.endswith("could not be done.") else "success"
            read.append({"kind": "finish_goal", "status": status})
    steps = sayable(told)
    told.count(len(read), len(steps))
    for step, said in zip(steps, read, strict=False):
        compare(told, step, said, within=1.0, lost=LOST)
    told.losses(of=set(LOST.values()))
    told.finish()


def deed(calls: list[tuple[str, dict[str, Any]]]) -> Deed:
    """What the calls of one message do."""
    name, given = calls[0]
    at, held = given.get("coordinate"), keys(given["text"].split("+")) if given.get("text") else []
    if name in _CLICKS:
        button, count = _CLICKS[name]
        return {"kind": "click", "at": at, "button": button, "count": count, "keys": held}
    match name:
        case "type":
            return {"kind": "type", "text": given["text"], "enter": [one["text"] for _, one in calls[1:]] == ["Return"]}
        case "key":
            return {"kind": "press_key", "pressed": held, "presses": given.get("repeat", 1)}
        case "scroll":
            return {"kind": "scroll", "at": at, "keys": held, "direction": given["scroll_direction"],
                    "amount": given["scroll_amount"]}  # fmt: skip
        case "mouse_move":
            return {"kind": "hover", "at": at}
        case "left_click_drag":
            return {"kind": "drag", "at": given["start_coordinate"], "to": at, "keys": held, "button": "left"}
        case "wait":
            return {"kind": "wait", "seconds": given["duration"]}
        case _:
            return {"kind": name}


if __name__ == "__main__":
    main()
