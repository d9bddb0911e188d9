"""The writing side of a running recording: one commit per step, and a lock that dies with the process."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from demopack.domain.demos import DemoHead
from demopack.domain.steps import Step
from demopack.store.entities import TABLES, write_entity

if TYPE_CHECKING:
    from demopack.store.connection import Connection

__all__ = ["Recording", "insert_head", "mark_partial", "recording_lock"]


def recording_lock(folder: Path) -> FileLock:
    """The lock that says "somebody records into this library"; the OS lets go of it when the process dies."""
    return FileLock(folder / "recording.lock", thread_local=False)


def insert_head(db: sqlite3.Connection, head: DemoHead) -> None:
    """Make a demo of its head alone."""
    db.execute("INSERT INTO demos (id, created_at) VALUES (?, ?)", (head.id, head.created_at.isoformat()))
    for table in TABLES:
        write_entity(db, table, head.id, "head", head.id, head.to_json())


def mark_partial(db: sqlite3.Connection, demo: str) -> None:
    """The recorder of this demo died: what it committed is kept as a partial demo."""
    for table in TABLES:
        db.execute(
            f"UPDATE {table} SET json = json_set(json, '$.status', 'partial') "  # noqa: S608 - a literal name
            "WHERE demo = ? AND kind = 'head'",
            (demo,),
        )


class Recording:
    """A demo that is being recorded; made by ``Library.begin_recording``.

    Leaving it without :meth:`finish` marks the demo partial; so does a killed process, as soon as somebody opens the
    library again. Every method may be called from any thread.
    """

    def __init__(self, connection: Connection, lock: FileLock, head: DemoHead) -> None:
        self._connection = connection
        self._lock = lock
        self._head = head

    @property
    def head(self) -> DemoHead:
        """The head as last written."""
        return self._head

    def append_step(self, step: Step) -> None:
        """Store a step for good: when this returns, a crash cannot take it away. Its frames must be stored before.

        Raises:
            DiskFullError: nothing was written; the steps before are safe.
        """
        with self._connection.writing() as db:
            for table in TABLES:
                write_entity(db, table, self._head.id, "step", step.id, step.to_json())

    def update_head(self, **fields: Any) -> None:  # noqa: ANN401 - validated by the model
        """Replace fields of the head, for instance ``counters`` or ``final_frame``."""
        head = DemoHead.model_validate({**self._head.model_dump(), **fields})
        with self._connection.writing() as db:
            for table in TABLES:
                write_entity(db, table, head.id, "head", head.id, head.to_json())
        self._head = head

    def finish(self, **fields: Any) -> None:  # noqa: ANN401 - validated by the model
        """Mark the demo complete (other fields of the head may be given) and let go of the library."""
        try:
            self.update_head(status="complete", **fields)
        finally:
            self._lock.release(force=True)

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._lock.is_locked:
            return
        try:
            if self._head.status == "recording":
                self.update_head(status="partial")
        finally:
            self._lock.release(force=True)
