"""Rules about the order of a demo's steps: numbers, times, its end, and whether its pictures follow each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

from demopack.pack.check.changes import Changes
from demopack.pack.check.elements import is_covered
from demopack.pack.check.lines import Line
from demopack.pack.findings import Finding
from demopack.pack.manifest import DEMOS, STEPS
from demopack.pack.rules import RULES

__all__ = ["check_order"]

_CHANGING = frozenset({"click", "drag", "scroll", "type"})
"""Actions of which one expects to see something."""


def check_order(demo: Line, steps: Sequence[Line], changes: Changes) -> Iterator[Finding]:
    """S01, S02 and S04 to S08 for the steps of one demo."""
    yield from _check_numbers(steps)
    yield from _check_time(steps)
    yield from _check_end(demo, steps)
    yield from _check_effects(steps, changes)


def _check_numbers(steps: Sequence[Line]) -> Iterator[Finding]:
    for expected, line in enumerate(steps):
        if line.data["index"] != expected:
            yield RULES["S01"].broken(STEPS, line.number, f"index is {line.data['index']}, expected is {expected}.")
            return
    seen: set[str] = set()
    for line in steps:
        if line.data["step"] in seen:
            yield RULES["S01"].broken(STEPS, line.number, f"The step id {line.data['step']} is used twice.")
        seen.add(line.data["step"])


def _check_time(steps: Sequence[Line]) -> Iterator[Finding]:
    last = 0
    for line in steps:
        row = line.data
        start, end = row["started_ns"], row["ended_ns"]
        if start == 0:
            continue  # added by hand: nobody knows when
        if end < start:
            yield RULES["S02"].broken(STEPS, line.number, "The step ends before it starts.")
        if start < last:
            yield RULES["S02"].broken(STEPS, line.number, "The step starts before the one before it.")
        last = max(last, start)
        grabbed = row["before"]["grab_ended_ns"] if row["before"] else 0
        # Nothing happens when a wait begins: it is the time after the step before.
        if grabbed > start and _kind(line) != "wait":
            late = (grabbed - start) // 1_000_000
            yield RULES["S04"].broken(STEPS, line.number, f"The picture was finished {late} ms after the event.")


def _check_end(demo: Line, steps: Sequence[Line]) -> Iterator[Finding]:
    ends = [line for line in steps if _kind(line) == "finish_goal"]
    for line in ends:
        if line is not steps[-1]:
            yield RULES["S05"].broken(STEPS, line.number, "A step follows the one that finishes the task.")
    if ends or not steps:
        return
    if demo.data["status"] == "complete":
        yield RULES["S05"].broken(STEPS, steps[-1].number, "The last step does not finish the task.")
    else:
        yield RULES["S06"].broken(DEMOS, demo.number, f"The demo {demo.data['demo']} is {demo.data['status']}.")


def _kind(line: Line) -> object:
    action: Any = line.data["response"].get("action")
    return cast("dict[str, Any]", action).get("action_type") if isinstance(action, dict) else None


def _check_effects(steps: Sequence[Line], changes: Changes) -> Iterator[Finding]:
    for line in steps:
        row = line.data
        hidden = row["target_box"] is not None and is_covered(row["target_box"], row["before"])
        if _shows(row) == "nothing" and row["target_uid"] is not None and row["quality"]["settled"] and not hidden:
            yield RULES["S07"].broken(STEPS, line.number, f"Nothing changed: {row['description']}.")
    for earlier, later in pairwise(steps):
        before, now = earlier.data["before"], later.data["before"]
        if _shows(earlier.data) != "change" or now is None or now["id"] != before["id"]:
            continue
        if not changes.by_caret(before, earlier.data["after"]):
            message = "The picture is the one from before the last step; what that step changed is not on it."
            yield RULES["S08"].broken(STEPS, later.number, message)


def _shows(row: dict[str, Any]) -> str:
    """Whether the pictures of a step show a ``change`` or ``nothing``; empty where that says nothing."""
    before, after = row["before"], row["after"]
    action: Any = row["response"].get("action")
    kind = cast("dict[str, Any]", action).get("action_type") if isinstance(action, dict) else None
    if before is None or after is None or kind not in _CHANGING:
        return ""
    return "nothing" if before["id"] == after["id"] else "change"
