"""Every vocabulary that actions can be written in, and the table of what each makes of them.

The table is made by running the vocabularies on one action of each kind: nothing in it is written by hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from demopack.pack.formats.dialects import (
    anthropic,
    caap,
    gemini,
    openadapt,
    openai,
    osworld,
    pyautogui,
    qwen,
    ufo,
    uipath,
    uitars,
)
from demopack.pack.formats.specimens import SPECIMENS
from demopack.pack.formats.spoken import Dialect, Spoken

__all__ = ["DIALECTS", "Cell", "table"]

DIALECTS: Final[Mapping[str, Dialect]] = {
    dialect.name: dialect
    for dialect in (
        openai.DIALECT,
        anthropic.DIALECT,
        gemini.DIALECT,
        uitars.DIALECT,
        qwen.DIALECT,
        pyautogui.AGENTNET,
        pyautogui.SCRIPT,
        osworld.DIALECT,
        uipath.DIALECT,
        caap.DIALECT,
        ufo.DIALECT,
        openadapt.DIALECT,
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What one vocabulary makes of one action.

    Attributes:
        words: the calls, one to a line; empty where there is no word.
        losses: codes of :data:`demopack.pack.formats.spoken.WHY`.
    """

    words: tuple[str, ...]
    losses: tuple[str, ...]


def table() -> dict[str, dict[str, Cell]]:
    """Specimen -> vocabulary -> cell."""
    return {
        name: {key: _cell(dialect.say(act)) for key, dialect in DIALECTS.items()} for name, act in SPECIMENS.items()
    }


def _cell(spoken: Spoken) -> Cell:
    words = tuple(call if isinstance(call, str) else json.dumps(call, ensure_ascii=False) for call in spoken.calls)
    return Cell(words=words, losses=spoken.losses)
