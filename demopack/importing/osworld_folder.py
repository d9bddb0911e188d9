"""What lies beside an OSWorld trajectory: the first screen, the score, the task's words."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any, Final

from demopack.domain.frames import Frame
from demopack.importing.building import Builder
from demopack.importing.errors import BadRowError
from demopack.importing.files import Files
from demopack.importing.pictures import Shelf
from demopack.importing.report import Ledger
from demopack.importing.values import Row, object_in

__all__ = ["first_screen", "outcome_of", "task_of"]

_FIRST: Final = ("initial.png", "step_0.png", "initial_screenshot.png", "step_reset.png")


def first_screen(shelf: Shelf, rows: Sequence[Row], builder: Builder) -> Frame | None:
    """The screen before the first action; reported, as is where the others come from."""
    ledger = builder.ledger
    if not rows:
        return None
    if rows[0].get("screenshot_file_before_exec"):
        ledger.assume("before", "the screen before a line is the one that it names itself", ledger.source)
        return None
    why = "pictures show the screen after a line, so the one before a line is the picture of the line before it"
    ledger.assume("before", why, ledger.source)
    home = posixpath.dirname(rows[0].file)
    found = next((name for base in _FIRST if shelf.files.has(name := posixpath.join(home, base))), None)
    if found is None:
        why = "the screen before the first line is nowhere; the step has no picture"
        ledger.assume("no_first", why, ledger.source)
        return None
    ledger.assume("first", f"the screen before the first line is {posixpath.basename(found)}", ledger.source)
    return shelf.file(found)


def outcome_of(files: Files, name: str, rows: Sequence[Row], ledger: Ledger) -> dict[str, Any]:
    """How it ended: result.txt, else the reward of the last line; fields of a demo's head.

    Raises:
        BadRowError: the score is no number.
    """
    beside = posixpath.join(posixpath.dirname(name), "result.txt")
    score: float | None = None
    if files.has(beside):
        text = files.read(beside, limit=1 << 16).decode("utf-8", "replace").strip()
        try:
            score = float(text)
        except ValueError as error:
            row = Row(data={}, file=beside)
            raise row.wrong("", f"it says {text[:40]!r}, not a score") from error
    elif rows and rows[-1].flag("done") and rows[-1].number("reward") is not None:
        score = rows[-1].number("reward")
        ledger.assume("reward", "there is no result.txt; the reward of the last line tells how it ended", name)
    if score is None:
        return {}
    if 0 < score < 1:
        ledger.assume(
            "score", "a score between 0 and 1 is neither success nor failure; how it ended is left open", name
        )
        return {"outcome_reason": f"OSWorld's score was {score:g}."}
    return {"outcome": "success" if score >= 1 else "failure"}


def task_of(files: Files, name: str) -> str:
    """The task's words, where a JSON file beside the trajectory or OSWorld's example of the same name has them."""
    home = posixpath.dirname(name)
    ident = posixpath.basename(home)
    beside = [one for one in files.names if posixpath.dirname(one) == home and one.endswith(".json")]
    named = [one for one in files.names if ident and posixpath.basename(one) == f"{ident}.json"]
    for one in [*beside, *named]:
        try:
            value = files.json(one)
        except BadRowError:
            continue  # not ours; what it says is only a help
        words = object_in(value).get("instruction")
        if isinstance(words, str):
            files.taken.add(one)
            return words
    return ""
