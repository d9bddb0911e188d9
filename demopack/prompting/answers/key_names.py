"""Keys as models spell them: any spelling of any vocabulary is read, as models mix them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from demopack.domain.keys import NAMED_KEYS, join_keys, normalise_key
from demopack.errors import ActionError

__all__ = ["key_name", "key_parts", "keys_text"]

_SPELLED: Final = {
    spelling.lower(): key.name
    for key in NAMED_KEYS.values()
    for spelling in (key.pynput, key.xdotool, key.pyautogui, key.uipath)
    if spelling is not None and len(spelling) > 1
}


def key_name(text: str) -> str:
    """The canonical name of one key.

    Raises:
        ActionError: (``unknown_key``) no vocabulary has such a key.
    """
    try:
        return normalise_key(text)
    except ActionError:
        name = _SPELLED.get(text.strip().lower())
        if name is None:
            raise
        return name


def keys_text(keys: Sequence[str]) -> str:
    """The canonical text of keys pressed together.

    Raises:
        ActionError: (``unknown_key``) one of them is none.
    """
    return join_keys([key_name(key) for key in keys])


def key_parts(text: str) -> list[str]:
    """The keys of a combination with blanks or plus signs between them; a plus sign that stands alone is that key."""
    parts: list[str] = []
    for piece in text.split():
        if len(piece) == 1:
            parts.append(piece)
            continue
        names = piece.removesuffix("++").removesuffix("+") if piece.endswith("+") else piece
        parts += [name for name in names.split("+") if name]
        parts += ["+"] if piece.endswith("++") else []
    # A combination may end with the sign itself: "ctrl +" and "ctrl++" are the same.
    return parts or [text]
