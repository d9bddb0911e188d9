"""What a step did, in words that every program of calls shares: a dictionary of a few plain fields.

``kind`` is the contract's. Beside it stand, as the kind needs them: ``at`` and ``to`` in pixels; ``button``, ``count``
and ``held`` (s) of a click; ``keys`` held meanwhile; ``text`` and ``enter``; ``pressed`` keys and ``presses``;
``direction`` and ``amount`` (notches); ``seconds``; ``status``. Only the standard library, as in ``told.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from told import Step, Told

Deed = dict[str, Any]
WORDLESS = ("launch", "extract_data")
"""What no vocabulary of computer calls has a word for."""
_CLICKS = {
    "single": ("left", 1), "double": ("left", 2), "triple": ("left", 3), "right": ("right", 1), "middle": ("middle", 1),
}  # fmt: skip
_NAMES = {
    "esc": "escape", "return": "enter", "win": "meta", "super": "meta", "super_l": "meta", "cmd": "meta", "+": "plus",
    "page_down": "pagedown", "page_up": "pageup", "control": "ctrl",
}  # fmt: skip


def key(name: str) -> str:
    """The contract's name of a key, in small letters."""
    return _NAMES.get(name.lower(), name.lower())


def keys(names: Iterable[str]) -> list[str]:
    """Keys that are held together, in no order."""
    return sorted(key(name) for name in names)


def deed(step: Step) -> Deed:
    """What was recorded."""
    action = step["response"]["action"]
    kind, given = action["action_type"], action["parameters"]
    held = keys(given.get("modifiers", ()))
    match kind:
        case "click":
            button, count = _CLICKS[given.get("click_type", "single")]
            return {"kind": kind, "at": step["at"], "button": button, "count": count, "keys": held,
                    "held": given.get("hold_s")}  # fmt: skip
        case "type":
            return {"kind": kind, "text": given["text_to_type"], "enter": given.get("submit", False)}
        case "press_key":
            return {"kind": kind, "pressed": keys(given["key_info"].split("+")), "presses": given.get("presses", 1)}
        case "scroll":
            return {"kind": kind, "at": step["at"], "direction": given["scroll_direction"],
                    "amount": given.get("scroll_steps", 1), "keys": held}  # fmt: skip
        case "hover":
            return {"kind": kind, "at": step["at"], "seconds": given.get("duration_s")}
        case "wait":
            return {"kind": kind, "seconds": given.get("wait_duration_s")}
        case "drag":
            return {
                "kind": kind,
                "at": step["at"],
                "to": step["to"],
                "button": given.get("button", "left"),
                "keys": held,
            }
        case "finish_goal":
            return {"kind": kind, "status": given.get("status", "success")}
        case _:
            return {"kind": kind}


def sayable(told: Told, *, pictured: bool = False) -> list[Step]:
    """The steps that a vocabulary of computer calls can say."""
    found = []
    for step in told.kept(pictured=pictured):
        done = deed(step)
        placeless = done["kind"] in {"click", "hover", "drag"} and done["at"] is None
        if done["kind"] not in WORDLESS and not placeless:
            found.append(step)
    return found


def compare(told: Told, step: Step, said: Deed, *, within: float, lost: Mapping[tuple[str, str], str]) -> None:
    """One step.

    Args:
        told: gets what was found.
        step: the truth.
        said: what the consumer read.
        within: pixels that a place may be off.
        lost: kind and field to the code under which the export's log counts what is missing there.
    """
    what = f"step {step['step']}"
    for name, known in deed(step).items():
        code = lost.get((step["response"]["action"]["action_type"], name))
        if name in {"at", "to"}:
            if known is not None:
                told.place(f"{what}, {name}", said.get(name), known, within=within)
        elif code is not None and said.get(name) != known:
            told.unsaid[code] += 1
        else:
            told.same(f"{what}, {name}", said.get(name), known)
