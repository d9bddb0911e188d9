"""How long a pattern may look, told from the pattern alone: one that is searched for cannot be stopped any more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["MOST_OPEN", "open_repetitions", "room_for"]

MOST_OPEN: Final = 3
"""Repetitions without an end in one pattern; each multiplies the time by the length of the text."""

_FEW: Final = 8
"""A repetition up to so many times is counted out; one that goes further is as good as without an end."""
_ROOM: Final[dict[int, int]] = {2: 1_000, 3: 250}

_PIECE: Final = re.compile(
    r"""\\. | \[\^?\]?(?:\\.|[^\]\\])*\] | (?P<open>\((?:\?(?:P?<[=!]|P<\w+>|P[=>]|[^)\s:=!>]*[:=!>])?)?)
    | (?P<close>\)) | (?P<either>\|) | (?P<times>[*+?]|\{\d*,?\d*\})[?+]? | .""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(slots=True)
class _Part:
    """A group, or one character.

    Attributes:
        open: repetitions without an end, in that of its alternatives that has most of them.
        branch: those of the alternative that is read just now.
        either: whether there are alternatives in it.
    """

    open: int = 0
    branch: int = 0
    either: bool = False

    def end_branch(self) -> None:
        self.open, self.branch = max(self.open, self.branch), 0


def open_repetitions(pattern: str) -> int | None:
    """How many repetitions without an end a readable pattern has; None where one lies within another.

    Such a one, and alternatives that are repeated, may take time that doubles with each letter of a text.
    """
    groups, last = [_Part()], _Part()
    for found in _PIECE.finditer(pattern):
        here = groups[-1]
        most = _most(found["times"]) if found["times"] else 0
        if found["open"]:
            groups.append(_Part())
            last = _Part()
        elif found["close"] and len(groups) > 1:
            last = groups.pop()
            last.end_branch()
            groups[-1].branch += last.open
            groups[-1].either |= last.either
        elif found["either"]:
            here.end_branch()
            here.either, last = True, _Part()
        elif most > _FEW:
            if last.open or last.either:
                return None
            here.branch += 1
        elif found["times"]:
            here.branch += last.open * max(most - 1, 0)
        else:
            last = _Part()
    groups[0].end_branch()
    return groups[0].open


def _most(times: str) -> int:
    """How often something may be repeated."""
    if times in "*+?":
        return 1 if times == "?" else _FEW + 1
    low, comma, high = times[1:-1].partition(",")
    if not low and not comma:
        return 1  # an empty pair of braces is text
    return int((high or _FEW + 1) if comma else low)


def room_for(repetitions: int) -> int | None:
    """How many letters of a text are looked at, so that no text takes seconds; None for all."""
    return _ROOM.get(repetitions)
