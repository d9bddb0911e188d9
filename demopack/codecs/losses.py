"""Losses of a conversion: kinds in words, how often each came up, and the name of the log that tells them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import Field

from demopack.domain.records import Record

EXPORT_LOG: Final = "EXPORT_LOG.json"
"""File of an export that tells what was lost."""
_MAX_EXAMPLES: Final = 5

LOSS_WORDS: Final[Mapping[str, str]] = {
    "no_word": "the vocabulary has no word for this action",
    "no_place": "the vocabulary needs a place, and none is known",
    "hold": "how long the button was held down is not said",
    "modifiers": "the keys held meanwhile are not said",
    "click_count": "several clicks are said one by one",
    "submit": "the Enter at the end is said as an action of its own",
    "submit_left_out": "the Enter at the end is not said",
    "ascii": "characters beyond ASCII are passed over when the script runs",
    "presses": "repeated presses are said one by one",
    "drag_path": "the way between start and end is not said",
    "drag_start": "where the drag begins is said as an action of its own before it",
    "drag_button": "the button is not said, so it reads as the left one",
    "scroll_steps": "how far is not said",
    "wait_seconds": "how long is not said",
    "wait_assumed": "the demo does not say how long; 1 second is taken",
    "scroll_assumed": "the demo does not say how far; 1 notch is taken",
    "wait_rounded": "the time is rounded to whole seconds",
    "hover_seconds": "how long the pointer rested is not said",
    "finish_text": "success is said as a message, not as an action",
    "finish_failure": "failure is not said",
    "data": "the data that was read is not said",
    "keys": "the vocabulary has no name for one of the keys",
    "key_count": "the vocabulary takes three keys at most",
    "target": "the element is named in words, not by its place",
    "element_type": "the element's type is said as the nearest one that the vocabulary has",
    "element_details": "a state, the subtype or the text of the element is not said",
    "element_place": "the vocabulary wants an element here and cannot name it, so its place is said",
    "note": "the vocabulary has no word for this action, so it stands as a note in words",
}
"""Code of a loss -> what is lost."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that a format cannot carry.

    Attributes:
        code: a stable name.
        what: what gets lost, in words.
        why: what of the format is to blame.
    """

    code: str
    what: str
    why: str


class LostItem(Record):
    """One kind of loss.

    Attributes:
        code: a stable name.
        why: in words.
        count: how often.
        examples: the first few places, in words.
    """

    code: str
    why: str
    count: int = Field(gt=0)
    examples: list[str]


class LossCounts:
    """Counts losses by code; keeps the first few places of each."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, Any]] = {}

    def add(self, code: str, why: str, where: str) -> None:
        """One more."""
        found = self._found.setdefault(code, {"why": why, "count": 0, "examples": []})
        found["count"] += 1
        if len(found["examples"]) < _MAX_EXAMPLES:
            found["examples"].append(where)

    def items(self) -> list[LostItem]:
        """All kinds, the most frequent first."""
        items = [LostItem(code=code, **found) for code, found in self._found.items()]
        return sorted(items, key=lambda item: (-item.count, item.code))
