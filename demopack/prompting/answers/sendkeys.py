"""pywinauto's notation of keys, which UFO's keyboard functions use: ``^c``, ``{ENTER}``, ``Hello{ENTER}``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from demopack.domain.keys import join_keys
from demopack.errors import ActionError

__all__ = ["sent_keys"]

_PREFIX: Final = {"^": "Ctrl", "%": "Alt", "+": "Shift"}
_NAMES: Final = {
    "ENTER": "Enter", "TAB": "Tab", "ESC": "Escape", "BACKSPACE": "Backspace", "BS": "Backspace", "BKSP": "Backspace",
    "DELETE": "Delete", "DEL": "Delete", "INSERT": "Insert", "INS": "Insert", "HOME": "Home", "END": "End",
    "PGUP": "PageUp", "PGDN": "PageDown", "UP": "ArrowUp", "DOWN": "ArrowDown", "LEFT": "ArrowLeft",
    "RIGHT": "ArrowRight", "SPACE": "Space", "CAPSLOCK": "CapsLock", "NUMLOCK": "NumLock", "SCROLLLOCK": "ScrollLock",
    "BREAK": "Pause", "LWIN": "Meta", "RWIN": "Meta", "APPS": "Menu", **{f"F{n}": f"F{n}" for n in range(1, 21)},
}  # fmt: skip
_MOST: Final = 100
_TOKEN = re.compile(r"([\^%+]*)(?:\{([{}]|[^{}]+?)(?: (\d+))?\}|([^{}\^%+]))", re.DOTALL)


def sent_keys(text: str) -> tuple[str, dict[str, Any], list[str]]:
    """What a run of keys means: typed text, typed text and Enter, or one key combination some times.

    Returns:
        Action type, parameters, and what had to be assumed.
    """
    tokens = list(_tokens(text))
    combos = [token for token in tokens if isinstance(token, tuple)]
    typed = "".join(token for token in tokens if isinstance(token, str))
    if not combos:
        return "type", {"text_to_type": typed}, []
    if not typed and len(set(combos)) == 1:
        times = {"presses": len(combos)} if len(combos) > 1 else {}
        return "press_key", {"key_info": join_keys(combos[0]), **times}, []
    if combos == [("Enter",)] and tokens[-1] == ("Enter",):
        return "type", {"text_to_type": typed, "submit": True}, []
    # Line ends and tabs between words are typed; anything else has no place inside a text.
    signs: dict[tuple[str, ...], str] = {("Enter",): "\n", ("Tab",): "\t"}
    lost = [join_keys(combo) for combo in combos if combo not in signs]
    whole = "".join(token if isinstance(token, str) else signs.get(token, "") for token in tokens)
    if not whole:
        return "press_key", {"key_info": join_keys(combos[0])}, [f"Only the first of {len(combos)} keys was read."]
    return "type", {"text_to_type": whole}, [f"{', '.join(lost)} inside the text was left out."] if lost else []


def _count(written: str | None) -> int:
    if written is None:
        return 1
    if len(written) > 3 or not 0 < int(written) <= _MOST:
        raise ActionError(
            f"A key pressed {written} times is no action.",
            code="bad_parameter",
            field="keys",
            hint=f"Press it 1 to {_MOST} times.",
        )
    return int(written)


def _tokens(text: str) -> Sequence[str | tuple[str, ...]]:
    found: list[str | tuple[str, ...]] = []
    for match in _TOKEN.finditer(text):
        held = tuple(_PREFIX[sign] for sign in match.group(1))
        name, count, plain = match.group(2), _count(match.group(3)), match.group(4)
        if plain is not None:
            found.append((*held, plain) if held else plain)
        elif name.upper() in _NAMES:
            found.extend([(*held, _NAMES[name.upper()])] * count)
        else:
            found.extend([(*held, name) if held else name] * count)
    return found
