"""What is wrong with a field of an action, in words that stand beside the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotator.attributes.aim import Aim
from demopack.errors import ActionError

__all__ = ["aim_words", "field_words"]

_FIELDS: Final[Mapping[str, str]] = {
    "wait_duration_s": "A wait lasts longer than 0 seconds.",
    "duration_s": "Leave it at 0 when it was not measured.",
    "app": "Name the program that is started.",
    "description": "Say what is read.",
    "text_to_type": "Write the text that was typed.",
    "scroll_steps": "A scroll has one notch at least.",
    "presses": "A key is pressed once at least.",
}
_AIMS: Final[Mapping[tuple[str, bool], str]] = {
    ("none", False): "The pointer hit no element.",
    ("none", True): "The drag ended on no element.",
    ("several", False): "Several elements lie under the pointer.",
    ("several", True): "Several elements lie where the drag ended.",
    ("elsewhere", False): "The target does not lie under the pointer.",
    ("elsewhere", True): "The drag did not end on this element.",
}


def field_words(name: str, value: object, error: ActionError) -> str:
    """The sentence for one field; what the contract says where there is none of our own.

    Args:
        name: of the parameter.
        value: what was written.
        error: what the contract said about it.
    """
    if name == "key_info" and not value:
        return "Write a key, for instance Ctrl+S."
    return _FIELDS.get(name, str(error))


def aim_words(aim: Aim, *, end: bool) -> str:
    """What is wrong with one end of a step, and what to do; empty when nothing is."""
    if not aim.trouble:
        return ""
    words = _AIMS[aim.trouble, end]
    if aim.offers:
        return f"{words} Which one was meant?"
    return f"{words} Draw a box where it was, or pick another element."
