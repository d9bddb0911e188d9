"""What is wrong with a field of an action, in words that stand beside the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotator.attributes.aim import Aim
from annotator.words import tr
from demopack.errors import ActionError

__all__ = ["aim_words", "field_words"]

_FIELDS: Final[Mapping[str, str]] = {
    "wait_duration_s": tr("A wait lasts longer than 0 seconds."),
    "duration_s": tr("Leave it at 0 when it was not measured."),
    "app": tr("Name the program that is started."),
    "description": tr("Say what is read."),
    "text_to_type": tr("Write the text that was typed."),
    "scroll_steps": tr("A scroll has one notch at least."),
    "presses": tr("A key is pressed once at least."),
}
_AIMS: Final[Mapping[tuple[str, bool], tuple[str, str]]] = {
    ("none", False): (
        tr("The pointer hit no element. Which one was meant?"),
        tr("The pointer hit no element. Draw a box where it was, or pick another element."),
    ),
    ("none", True): (
        tr("The drag ended on no element. Which one was meant?"),
        tr("The drag ended on no element. Draw a box where it was, or pick another element."),
    ),
    ("several", False): (
        tr("Several elements lie under the pointer. Which one was meant?"),
        tr("Several elements lie under the pointer."),
    ),
    ("several", True): (
        tr("Several elements lie where the drag ended. Which one was meant?"),
        tr("Several elements lie where the drag ended."),
    ),
    ("elsewhere", False): (
        tr("The target does not lie under the pointer. Which one was meant?"),
        tr("The target does not lie under the pointer. Draw a box where it was, or pick another element."),
    ),
    ("elsewhere", True): (
        tr("The drag did not end on this element. Which one was meant?"),
        tr("The drag did not end on this element. Draw a box where it was, or pick another element."),
    ),
}
"""By trouble and end: what is said with something to choose from, and without."""


def field_words(name: str, value: object, error: ActionError) -> str:
    """The sentence for one field; what the contract says where there is none of our own.

    Args:
        name: of the parameter.
        value: what was written.
        error: what the contract said about it.
    """
    if name == "key_info" and not value:
        return tr("Write a key, for instance Ctrl+S.")
    return _FIELDS.get(name, str(error))


def aim_words(aim: Aim, *, end: bool) -> str:
    """What is wrong with one end of a step, and what to do; empty when nothing is."""
    if not aim.trouble:
        return ""
    with_offers, without = _AIMS[aim.trouble, end]
    return with_offers if aim.offers else without
