"""The log as a person reads it: one row for each gesture, with its state; and moments to look back from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from annotator.words import tr
from demopack.store import LogLine

RowState = Literal["done", "undone", "left"]
"""``done``: in force. ``undone``: taken back, redo brings it. ``left``: taken back, then something else was done."""


@dataclass(slots=True, kw_only=True)
class HistoryRow:
    """One gesture: an edit, or several that are taken back together.

    Attributes:
        label: what was done, in a sentence.
        who: name of the person or program; empty for the user of this library.
        by_person: whether a person did it.
        at: when it was done, UTC.
        seq: place in the log of its last edit: the point to which one goes back.
        things: how many entities its last edit changed.
        edits: how many edits it holds.
        state: whether it is in force.
    """

    label: str
    who: str
    by_person: bool
    at: datetime
    seq: int
    things: int
    edits: int = 1
    state: RowState = "done"


class Timeline:
    """Rows, oldest first; takes further lines of the log at any time.

    Attributes:
        rows: what there is.
        seq: the last line that was taken in.
    """

    def __init__(self) -> None:
        self.rows: list[HistoryRow] = []
        self.seq = 0
        self._row_of: dict[str, int] = {}
        self._done: list[str] = []
        self._undone: list[str] = []
        self._key: str | None = None

    @property
    def here(self) -> int:
        """Place of the row that was done last and is in force; -1 when the demo is as it was before its first edit."""
        return self._row_of[self._done[-1]] if self._done else -1

    def extend(self, lines: Iterable[LogLine]) -> tuple[int, set[int]]:
        """Take in further lines; returns how many rows are new, and which of the others look different now."""
        known = len(self.rows)
        touched: set[int] = set()
        for line in lines:
            self.seq = line.seq
            if line.op == "do":
                # What was taken back cannot be redone any more.
                left = {self._row_of[edit] for edit in self._undone}
                for place in left:
                    self.rows[place].state = "left"
                self._undone.clear()
                touched |= {*left, self._add(line)}
            else:
                touched.add(self._turn(line))
        return len(self.rows) - known, {place for place in touched if place < known}

    def _add(self, line: LogLine) -> int:
        last = self.rows[-1] if self.rows else None
        if last is not None and last.state == "done" and line.merge_key is not None and line.merge_key == self._key:
            last.label, last.at, last.seq, last.things = line.label, line.at, line.seq, line.things
            last.edits += 1
        else:
            person = line.kind == "human"
            who = "" if person and line.name == "user" else line.name
            self.rows.append(
                HistoryRow(label=line.label, who=who, by_person=person, at=line.at, seq=line.seq, things=line.things)
            )
        self._key = line.merge_key
        place = self._row_of[line.edit_id] = len(self.rows) - 1
        self._done.append(line.edit_id)
        return place

    def _turn(self, line: LogLine) -> int:
        back = line.op == "undo"
        source, target = (self._done, self._undone) if back else (self._undone, self._done)
        edit = source.pop()
        target.append(edit)
        place = self._row_of[edit]
        self.rows[place].state = "undone" if back else "done"
        return place


def fitting(rows: Sequence[HistoryRow], words: str, since: datetime | None) -> list[int]:
    """Places of the rows that hold every word, and are not older than a moment."""
    wanted = words.casefold().split()
    return [
        place
        for place, row in enumerate(rows)
        if (since is None or row.at >= since) and all(word in f"{row.label} {row.who}".casefold() for word in wanted)
    ]


Since = Literal["ever", "opened", "hour", "today", "chosen"]
SINCE: Final[dict[Since, str]] = {
    "ever": tr("At any time"),
    "opened": tr("Since I opened it"),
    "hour": tr("In the last hour"),
    "today": tr("Today"),
    "chosen": tr("Since a time…"),
}
"""The choices in words, in the order in which they are offered."""

BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)


def moment_of(since: Since, *, now: datetime, opened: datetime, chosen: datetime) -> datetime | None:
    """When a choice begins; None for ever.

    Args:
        since: the choice.
        now: the moment, in the time zone in which a day begins.
        opened: when the demo was opened.
        chosen: what the person chose.
    """
    return {
        "ever": None,
        "opened": opened,
        "hour": now - timedelta(hours=1),
        "today": now.replace(hour=0, minute=0, second=0, microsecond=0),
        "chosen": chosen,
    }[since]
