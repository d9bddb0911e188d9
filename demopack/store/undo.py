"""What can be undone and redone, folded from the log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from demopack.errors import LibraryError
from demopack.store.damage import REPAIR

__all__ = ["UndoState", "damaged_history"]


def damaged_history(details: str) -> LibraryError:
    """The error for a log that cannot be read."""
    return LibraryError(
        "The history of a demo is damaged; the demo itself is as it was left.", details=details, hint=REPAIR
    )


@dataclass(slots=True, kw_only=True)
class UndoState:
    """The two stacks as the log left them.

    Attributes:
        seq: last entry that was folded in.
        done: edits in force, newest last: (edit id, merge key).
        undone: edits taken back, next to redo last.
        made: where in the log each edit was made, by its id.
    """

    seq: int = 0
    done: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    undone: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    made: dict[str, int] = field(default_factory=dict[str, int])

    def fold(self, entries: Iterable[tuple[int, str, str, str | None]]) -> None:
        """Take in further entries of the log: (seq, op, edit id, merge key).

        Raises:
            LibraryError: an entry takes back or repeats what was never done.
        """
        for seq, op, edit_id, merge_key in entries:
            if op == "do":
                self.done.append((edit_id, merge_key))
                self.made[edit_id] = seq
                self.undone.clear()
            elif op == "undo" and self.done:
                self.undone.append(self.done.pop())
            elif op == "redo" and self.undone:
                self.done.append(self.undone.pop())
            else:
                raise damaged_history(f"{op} at {seq}, with nothing that could be")
            self.seq = seq

    def next_undo(self) -> list[str]:
        """Edits to take back next, newest first: one, or all of one gesture."""
        return _gesture(self.done)

    def next_redo(self) -> list[str]:
        """Edits to apply again next, oldest first: one, or all of one gesture."""
        return _gesture(self.undone)

    @property
    def line_in_force(self) -> list[str]:
        """The edits that are in force, oldest first."""
        return [edit for edit, _ in self.done]

    @property
    def line(self) -> list[str]:
        """The edits that undo and redo walk along, oldest first; the first ``len(done)`` of them are in force."""
        return self.line_in_force + [edit for edit, _ in reversed(self.undone)]

    def towards(self, depth: int, *, limit: int) -> tuple[bool, list[str]]:
        """The next edits on the way to the first ``depth`` of the line being in force: whether back, and which."""
        here = len(self.done)
        if depth < here:
            return True, [edit for edit, _ in reversed(self.done[depth:])][:limit]
        return False, self.line[here:depth][:limit]


def _gesture(stack: list[tuple[str, str | None]]) -> list[str]:
    if not stack:
        return []
    first_id, key = stack[-1]
    ids = [first_id]
    if key is not None:
        for edit_id, other in reversed(stack[:-1]):
            if other != key:
                break
            ids.append(edit_id)
    return ids
