# /// script
# requires-python = ">=3.11"
# dependencies = ["backoff>=2.2", "loguru>=0.7", "pillow>=11"]
# ///
"""``agentnet`` in OpenCUA's own tools: pictures, crops and pixels by its functions, its code on a fake screen.

OpenCUA is no package: its checkout is named by the variable ``OPENCUA``.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from deeds import Deed, compare, keys, sayable
from told import Told, loaded

LOST = {("click", "held"): "hold", ("hover", "seconds"): "hover_seconds", ("wait", "seconds"): "wait_seconds"}
TOOLS = Path("data") / "cot-generate" / "utils.py"
_CLICKS = {
    "click": ("left", 1), "doubleClick": ("left", 2), "tripleClick": ("left", 3), "rightClick": ("right", 1),
    "middleClick": ("middle", 1),
}  # fmt: skip


def main() -> None:
    """Every line."""
    told = Told.of("OpenCUA's tools", ("pillow",))
    checkout = Path(os.environ.get("OPENCUA", ""))
    if not (checkout / TOOLS).is_file():
        told.not_tried.append("no checkout of xlang-ai/OpenCUA is named by the variable OPENCUA")
        told.finish()
        return
    told.versions["OpenCUA"] = os.environ.get("OPENCUA_VERSION", "of that checkout")
    tools = loaded(checkout / TOOLS)
    lines = [json.loads(line) for line in (told.folder / "agentnet.jsonl").read_text("utf-8").split("\n") if line]
    said = [step for line in lines for step in line["traj"]]
    steps = sayable(told, pictured=True)
    told.count(len(said), len(steps))
    tasks = {step["demo"]: step["task"] for step in told.steps}
    told.same("tasks", {line["task_id"]: line["instruction"] for line in lines}, tasks)
    for one, step in zip(said, steps, strict=False):
        read, pixel = performed(told, tools, one, step)
        # It cuts what is after the comma, of a picture that it made larger or smaller.
        compare(told, step, read, within=1.0 + pixel, lost=LOST)
    told.losses(of=set(LOST.values()))
    told.finish()


def performed(told: Told, tools: ModuleType, one: dict[str, Any], step: dict[str, Any]) -> tuple[Deed, float]:
    """What the code of a step does, in pixels of the picture, and how large a pixel of OpenCUA's is."""
    with tools.load_image(one["image"], str(told.folder)) as image:
        told.picture(f"step {step['step']}", image, step)
        code, (width, height), _ = tools.convert_code_relative_to_absolute(one["value"]["code"], image)
        with contextlib.redirect_stdout(sys.stderr):
            tools.draw_bounding_box_and_crop_patch(image.convert("RGB"), one["value"]["code"])
        sizes = image.width / width, image.height / height
    done: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    class Screen:
        """Takes every call."""

        def __getattr__(self, name: str) -> object:
            return lambda *given, **named: done.append((name, given, named))

    exec(compile_code(code), {"pyautogui": Screen(), "computer": Screen()})
    return deed(done, sizes), max(sizes)


def compile_code(code: str) -> Any:  # noqa: ANN401 - a code object
    """The code of a step; a syntax error is a fault of the export."""
    return compile(code, "step", "exec")


def deed(done: list[tuple[str, tuple[Any, ...], dict[str, Any]]], sizes: tuple[float, float]) -> Deed:
    """What the calls of one step do."""
    held = keys(given[0] for name, given, _ in done if name == "keyDown")
    calls = [SimpleNamespace(name=n, given=g, named=k) for n, g, k in done if n not in {"keyDown", "keyUp"}]

    def point(call: SimpleNamespace) -> tuple[float, float] | None:
        return (call.named["x"] * sizes[0], call.named["y"] * sizes[1]) if "x" in call.named else None

    first, last = calls[0], calls[-1]
    if first.name in _CLICKS:
        button, count = _CLICKS[first.name]
        return {"kind": "click", "at": point(first), "button": button, "count": count, "keys": held}
    match last.name:
        case "scroll" | "hscroll":
            (way,) = last.given
            directions = ("up", "down") if last.name == "scroll" else ("right", "left")
            at = point(first) if first.name == "moveTo" else None
            return {"kind": "scroll", "at": at, "keys": held, "direction": directions[way < 0], "amount": abs(way)}
        case "dragTo":
            return {"kind": "drag", "at": point(first), "to": point(last), "keys": held, "button": last.named["button"]}
        case "moveTo":
            return {"kind": "hover", "at": point(first)}
        case "write" | "press" if first.name == "write":
            return {
                "kind": "type",
                "text": first.named["message"],
                "enter": [c.given for c in calls[1:]] == [("enter",)],
            }
        case "press":
            return {"kind": "press_key", "pressed": keys(first.given), "presses": first.named.get("presses", 1)}
        case "hotkey":
            return {"kind": "press_key", "pressed": keys(first.given), "presses": 1}
        case "terminate":
            return {"kind": "finish_goal", "status": first.named["status"]}
        case name:
            return {"kind": name}


if __name__ == "__main__":
    main()
