"""Rules about the order of a demo's steps: numbers, times, its end, and what its pictures have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, cast

from demopack.domain.frames import RgbImage
from demopack.errors import PackError
from demopack.pack.check.elements import is_covered
from demopack.pack.check.lines import CheckedLine
from demopack.pack.findings import Finding
from demopack.pack.picture import decode
from demopack.pack.source import PackSource
from demopack.pixels.changes import changed_pixels
from demopack.pixels.masks import tight_box

_CHANGING = frozenset({"click", "drag", "scroll", "type"})
"""Actions of which one expects to see something."""


def check_order(demo: CheckedLine, steps: Sequence[CheckedLine], changes: PictureOrderCheck) -> Iterator[Finding]:
    """S01, S02 and S04 to S08 for the steps of one demo."""
    yield from _check_numbers(steps)
    yield from _check_time(steps)
    yield from _check_end(demo, steps)
    yield from _check_effects(steps, changes)


def _check_numbers(steps: Sequence[CheckedLine]) -> Iterator[Finding]:
    for expected, line in enumerate(steps):
        if line.data["index"] != expected:
            yield line.broken("S01", f"index is {line.data['index']}, expected is {expected}.")
            return
    seen: set[str] = set()
    for line in steps:
        if line.data["step"] in seen:
            yield line.broken("S01", f"The step id {line.data['step']} is used twice.")
        seen.add(line.data["step"])


def _check_time(steps: Sequence[CheckedLine]) -> Iterator[Finding]:
    last = 0
    for line in steps:
        row = line.data
        start, end = row["started_ns"], row["ended_ns"]
        if start == 0:
            continue  # added by hand: nobody knows when
        if end < start:
            yield line.broken("S02", "The step ends before it starts.")
        if start < last:
            yield line.broken("S02", "The step starts before the one before it.")
        last = max(last, start)
        grabbed = row["before"]["grab_ended_ns"] if row["before"] else 0
        # Nothing happens when a wait begins: it is the time after the step before.
        if grabbed > start and _kind(line) != "wait":
            late = (grabbed - start) // 1_000_000
            yield line.broken("S04", f"The picture was finished {late} ms after the event.")


def _check_end(demo: CheckedLine, steps: Sequence[CheckedLine]) -> Iterator[Finding]:
    ends = [line for line in steps if _kind(line) == "finish_goal"]
    for line in ends:
        if line is not steps[-1]:
            yield line.broken("S05", "A step follows the one that finishes the task.")
    if ends or not steps:
        return
    if demo.data["status"] == "complete":
        yield steps[-1].broken("S05", "The last step does not finish the task.")
    else:
        yield demo.broken("S06", f"The demo {demo.data['demo']} is {demo.data['status']}.")


def _kind(line: CheckedLine) -> object:
    action: Any = line.data["response"].get("action")
    return cast("dict[str, Any]", action).get("action_type") if isinstance(action, dict) else None


def _check_effects(steps: Sequence[CheckedLine], changes: PictureOrderCheck) -> Iterator[Finding]:
    for line in steps:
        row = line.data
        hidden = row["target_box"] is not None and is_covered(row["target_box"], row["before"])
        if _shows(line) == "nothing" and row["target_uid"] is not None and row["quality"]["settled"] and not hidden:
            yield line.broken("S07", f"Nothing changed: {row['description']}.")
    for earlier, later in pairwise(steps):
        before, now = earlier.data["before"], later.data["before"]
        if _shows(earlier) != "change" or now is None or now["id"] != before["id"]:
            continue
        if not changes.by_caret(before, earlier.data["after"]):
            message = "The picture is the one from before the last step; what that step changed is not on it."
            yield later.broken("S08", message)


def _shows(line: CheckedLine) -> str:
    """Whether the pictures of a step show a ``change`` or ``nothing``; empty where that says nothing."""
    before, after = line.data["before"], line.data["after"]
    if before is None or after is None or _kind(line) not in _CHANGING:
        return ""
    return "nothing" if before["id"] == after["id"] else "change"


_CARET_MAX_PX: Final = (6, 96)
"""Pixels: no caret is wider or higher, on a screen of twice the usual density either."""
_MAX_COMPARISONS: Final = 200
"""Pairs of pictures that are compared; of a pack in which more are alike, the rest counts as changed."""


class PictureOrderCheck:
    """Compares the pictures of one pack.

    Args:
        source: the pack.
        limits: the most bytes each picture may have.
    """

    def __init__(self, source: PackSource, limits: Mapping[str, int]) -> None:
        self._source = source
        self._limits = limits
        self._looked = 0

    def by_caret(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
        """Whether one picture is the other but for a caret; False where one cannot be read.

        Args:
            before: a frame as a row tells it, with ``file``, ``width`` and ``height``.
            after: another.
        """
        self._looked += 1
        if self._looked > _MAX_COMPARISONS:
            return False
        first, second = self._image(before), self._image(after)
        if first is None or second is None or first.shape != second.shape:
            return False
        caret = tight_box(changed_pixels(first, second, tolerance=0))
        return caret is not None and caret.width <= _CARET_MAX_PX[0] and caret.width < caret.height <= _CARET_MAX_PX[1]

    def _image(self, frame: Mapping[str, Any]) -> RgbImage | None:
        name = str(frame["file"])
        try:
            data = self._source.read(name, limit=self._limits.get(name, 0))
            return decode(data, size=(frame["width"], frame["height"])).image
        except (PackError, ValueError):
            return None
