"""Finds the control that a planned step means on the screen as it is now, by its text. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from demopack.codecs.lam import CONTROL_TYPES
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Rect
from demopack.domain.text_likeness import plain_text, ratio, same_name
from demopack.domain.words import shorten
from demopack.errors import BadInputError

MatchStrategy = Literal["contains", "fuzzy", "regex"]
_SHORTCUT: Final = re.compile(r"\s+(?:(?:Ctrl|Alt|Shift|Super|Meta)\+)*(?:F\d{1,2}|(?<=\+)\S+)$|\s+\S$")
"""What stands behind the name of an item in a menu: its keys, or the arrow of a menu below it, read as a letter."""
MATCH_STRATEGIES: Final[tuple[MatchStrategy, ...]] = ("contains", "fuzzy", "regex")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRules:
    """How controls are found.

    Attributes:
        strategy: ``contains``: the control's text has the wanted one in it; ``fuzzy``: both share letters; ``regex``:
            the wanted one is a pattern for all of it.
        floor: of the likeness, 0..1, below which a control is another one.
    """

    strategy: MatchStrategy = "fuzzy"
    floor: float = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlMatch:
    """The control that was found, or why none was.

    Attributes:
        element: the control; None for none.
        likeness: of its text and the wanted one, 0..1; of the most like one where none was found.
        why: a sentence that says why none was found; empty where one was.
    """

    element: NumberedElement | None
    likeness: float
    why: str = ""


def find_control(
    text: str, label: str, elements: Sequence[NumberedElement], rules: MatchRules, *, window: Rect | None = None
) -> ControlMatch:
    """The control with a text.

    Where several have it, one in the window that has the input counts first, then a control of one of LAM's kinds, then
    the one whose number the plan names, then the first in reading order.

    Args:
        text: that the plan wants.
        label: number that the plan gives it; empty for none. Alone it is not believed: a number is of another screen.
        elements: on the screen now.
        rules: how it is found.
        window: that has the input, pixels; None where nobody tells.

    Raises:
        BadInputError: the text is no pattern.
    """
    rated = [(_likeness(text, one.text or "", rules), one) for one in elements if one.text and one.review != "rejected"]
    best = max((score for score, _ in rated), default=0.0)
    if best < rules.floor or not best:
        near = next((one.text or "" for score, one in rated if score == best), "") if best else ""
        like = f"; “{shorten(near)}” is {best:.0%} like it" if near else ""
        return ControlMatch(element=None, likeness=best, why=f"No control reads “{shorten(text)}”{like}.")
    found = [one for score, one in rated if score == best]

    def rank(one: NumberedElement) -> tuple[bool, bool, bool, int]:
        elsewhere = window is not None and not window.contains(one.box.center)
        return elsewhere, one.type not in CONTROL_TYPES, str(one.number) != label, one.number

    found.sort(key=rank)
    return ControlMatch(element=found[0], likeness=best)


def _likeness(wanted: str, text: str, rules: MatchRules) -> float:
    return max(_alike(wanted, one, rules) for one in {text, _SHORTCUT.sub("", text)})


def _alike(wanted: str, text: str, rules: MatchRules) -> float:
    if exact := same_name(wanted, text):
        return exact if rules.strategy != "regex" else 1.0
    if rules.strategy == "regex":
        try:
            return float(re.fullmatch(wanted, text, re.IGNORECASE) is not None)
        except re.error as error:
            raise BadInputError(f"“{shorten(wanted)}” is no pattern: {error}.", hint="Correct the plan.") from error
    one, other = (plain_text(side).rstrip(" .:*") for side in (wanted, text))
    if not one or not other:
        return 0.0
    if rules.strategy == "contains":
        # The shorter the text that has it, the more it is meant.
        return 0.7 + 0.2 * len(one) / len(other) if one in other else 0.0
    return 0.9 * ratio(one, other)
