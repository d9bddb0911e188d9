"""Rules about the reasoning of a demo's steps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from demopack.domain.actions import LLMResponse
from demopack.pack.check.lines import Line
from demopack.pack.findings import Finding
from demopack.pack.manifest import STEPS
from demopack.pack.rules import RULES

__all__ = ["check_reasonings"]

_LONGEST = 2000
_HINDSIGHT = re.compile(
    r"\bafter (?:\w+ing)\b[^.!?]{0,60}\b(?:i (?:see|saw|can see)|(?:appeared|opened|closed|showed))\b", re.IGNORECASE
)
"""Told in the past, or as seen: nobody could know that before the action."""


def check_reasonings(steps: Sequence[tuple[Line, LLMResponse]]) -> Iterator[Finding]:
    """R01 to R03 for the steps of one demo."""
    last, times = "", 0
    for line, response in steps:
        text = response.reasoning.strip()
        rationale: dict[str, Any] = line.data["rationale"] or {}
        problem = _problem(text, rationale)
        if problem:
            yield RULES["R01"].broken(STEPS, line.number, problem)
        if rationale and not rationale["provenance"]["name"].strip():
            yield RULES["R02"].broken(STEPS, line.number, "The rationale's provenance has no name.")
        times = times + 1 if text and text == last else 1
        last = text
        if len(text) > _LONGEST:
            yield RULES["R03"].broken(STEPS, line.number, f"The reasoning has {len(text)} characters.")
        elif times == 3:
            yield RULES["R03"].broken(STEPS, line.number, "The reasoning is that of the two steps before.")


def _problem(text: str, rationale: dict[str, Any]) -> str:
    if not text:
        return "There is no reasoning."
    if rationale.get("mode") == "hindsight":
        return ""  # written by one who knew, and said so
    effect = str(rationale.get("actual_effect", "")).strip()
    if (len(effect) >= 12 and effect in text) or _HINDSIGHT.search(text):
        return "The reasoning tells what was seen only after the action."
    return ""
