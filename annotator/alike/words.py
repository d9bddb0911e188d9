"""What was selected, and what the next press selects, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotator.alike.levels import Level, LevelName
from annotator.words import tr

__all__ = ["level_words"]

_NOW: Final[Mapping[LevelName, str]] = {
    "look": tr("{count} of the same look selected"),
    "row": tr("{count} in the same row selected"),
    "column": tr("{count} in the same column selected"),
    "grid": tr("{count} in the same grid selected"),
    "type": tr("{count} of the same type selected"),
}
_NEXT: Final[Mapping[LevelName, str]] = {
    "look": tr("{selected}; again: {count} of the same look"),
    "row": tr("{selected}; again: {count} in the same row"),
    "column": tr("{selected}; again: {count} in the same column"),
    "grid": tr("{selected}; again: {count} in the same grid"),
    "type": tr("{selected}; again: {count} of the same type"),
}


def level_words(level: Level | None, wider: Level | None) -> str:
    """What is selected now, and what comes with the next press.

    Args:
        level: what was selected; None for the one element alone.
        wider: what comes next; None where the next press goes back to the one.
    """
    now = tr("Only this one selected") if level is None else _NOW[level.name].format(count=len(level.uids))
    if wider is not None:
        return _NEXT[wider.name].format(selected=now, count=len(wider.uids))
    return now if level is None else tr("{selected}; again: only the one").format(selected=now)
