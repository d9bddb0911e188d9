"""Checks that a rationale names only what is there: every quoted name must be on the screen, in the task, or typed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from demopack.domain.elements import Element
from demopack.domain.ports import StepContext
from demopack.domain.rationale import Rationale
from demopack.domain.words import shorten

__all__ = ["quote", "quoted_names", "ungrounded"]

_QUOTED = re.compile(r"“([^“”]*)”")
_MARKS = str.maketrans({"“": "'", "”": "'"})


def quote(text: str, *, limit: int = 40) -> str:
    """Text in the quotes that this room uses for names, and for nothing else; on one line, shortened."""
    return f"“{_plain(text, limit=limit)}”"


def quoted_names(text: str) -> list[str]:
    """What stands in quotes, in order."""
    return _QUOTED.findall(text)


def ungrounded(rationale: Rationale, context: StepContext) -> list[str]:
    """The quoted names that nothing on the screen, in the task or in the action accounts for; empty when all is well.

    What is said before the step may name elements of the before-screen; ``actual_effect`` those of the after-screen.
    Both may quote the task, the typed text, the application and the window's title. Rejected elements do not count.
    """
    said = _said(context)
    before = " ".join((rationale.observation, rationale.thought, rationale.expected_effect, rationale.text or ""))
    missing = _missing(before, context.before, said)
    return missing + _missing(rationale.actual_effect, context.after or (), said)


def _said(context: StepContext) -> list[str]:
    spoken = [context.task, context.app, context.window_title]
    spoken += [value for value in context.action.parameters.values() if isinstance(value, str)]
    return [_plain(text, limit=1_000_000).casefold() for text in spoken if text.strip()]


def _missing(text: str, elements: Iterable[Element], said: list[str]) -> list[str]:
    names = quoted_names(text)
    if not names:
        return []
    on_screen = {_plain(e.text, limit=10_000) for e in elements if e.text and e.review != "rejected"}
    return [name for name in names if not _accounted(name, on_screen, said)]


def _accounted(name: str, on_screen: set[str], said: list[str]) -> bool:
    if name in on_screen:
        return True
    if name.endswith("…"):
        start = name[:-1].rstrip()
        if any(text.startswith(start) for text in on_screen) or any(start.casefold() in text for text in said):
            return bool(start)
    return bool(name) and any(name.casefold() in text for text in said)


def _plain(text: str, *, limit: int) -> str:
    return shorten(text.translate(_MARKS), limit)
