"""A person's demos in one folder."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType

from filelock import FileLock, Timeout

from demopack.clock import utc_now
from demopack.domain.demos import Demo, DemoHead, DemoSummary
from demopack.domain.edits import Edit, LogEntry
from demopack.domain.frames import RgbImage
from demopack.errors import BadInputError, LibraryBusyError, LibraryError
from demopack.store.blobs import Blobs
from demopack.store.connection import Connection, open_database
from demopack.store.entities import Table, apply_changes, demo_changes, read_demo, write_entity
from demopack.store.recording import Recording
from demopack.store.undo import UndoState

__all__ = ["Library"]


class Library:
    """Demos, their frames and their history. Safe between threads; several processes may share one folder.

    Edits never touch what was recorded: they are values in an append-only log, and undo and redo are entries of it.
    """

    def __init__(self, folder: Path, connection: Connection) -> None:
        self.folder = folder
        self._connection = connection
        self._blobs = Blobs(folder / "frames")
        self._undo: dict[str, UndoState] = {}

    @classmethod
    def open(cls, folder: Path, *, create: bool = True, timeout_s: float = 10.0) -> Library:
        """Open a library, make one where ``create`` allows it, and mark recordings that were cut off as partial.

        Raises:
            NotALibraryError: the folder holds something else.
            NewerVersionError: a newer demopack wrote it.
            LibraryBusyError: another process kept it locked for ``timeout_s`` seconds.
        """
        library = cls(folder, open_database(folder, create=create, timeout_s=timeout_s))
        library.recover()
        return library

    def close(self) -> None:
        """Close the files; calling it twice is harmless."""
        self._connection.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Pictures -------------------------------------------------------------------------------------------------

    def put_image(self, image: RgbImage) -> str:
        """Store a picture, shape (height, width, 3), uint8; returns its id. See ``FrameStore``."""
        return self._blobs.put_image(image)

    def get_image(self, frame_id: str) -> RgbImage:
        """The pixels of a picture. See ``FrameStore``.

        Raises:
            CorruptFrameError: it is missing or damaged.
        """
        return self._blobs.get_image(frame_id)

    def image_path(self, frame_id: str) -> Path:
        """The PNG file of a picture."""
        return self._blobs.path(frame_id)

    # Recording ------------------------------------------------------------------------------------------------

    def begin_recording(self, head: DemoHead) -> Recording:
        """Start a demo. One recording at a time per library.

        Raises:
            LibraryBusyError: another recording is running in this library.
        """
        lock = self._recording_lock()
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise LibraryBusyError(
                "Another recording is running in this library.",
                details=str(self.folder),
                hint="Stop it first, or record into another library with --library.",
            ) from error
        try:
            with self._connection.writing() as db:
                self._insert_head(db, head)
        except BaseException:
            lock.release(force=True)
            raise
        return Recording(self._connection, lock, head)

    def recover(self) -> list[str]:
        """Mark demos whose recorder died as partial; returns their ids. A running recording is left alone."""
        lock = self._recording_lock()
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return []
        try:
            with self._connection.reading() as db:
                rows = db.execute(
                    "SELECT demo FROM entities WHERE kind = 'head' AND json_extract(json, '$.status') = 'recording'"
                ).fetchall()
            for (demo,) in rows:
                self._mark_partial(demo)
            return [row[0] for row in rows]
        finally:
            lock.release(force=True)

    def _mark_partial(self, demo: str) -> None:
        with self._connection.writing() as db:
            for table in ("originals", "entities"):
                db.execute(
                    f"UPDATE {table} SET json = json_set(json, '$.status', 'partial') "  # noqa: S608 - a literal name
                    "WHERE demo = ? AND kind = 'head'",
                    (demo,),
                )

    def _recording_lock(self) -> FileLock:
        return FileLock(self.folder / "recording.lock", thread_local=False)

    def _insert_head(self, db: sqlite3.Connection, head: DemoHead) -> None:
        db.execute("INSERT INTO demos (id, created_at) VALUES (?, ?)", (head.id, head.created_at.isoformat()))
        for table in ("originals", "entities"):
            write_entity(db, table, head.id, "head", head.id, head.to_json())

    # Reading --------------------------------------------------------------------------------------------------

    def demos(self) -> list[DemoSummary]:
        """Every demo that is not deleted, newest first."""
        with self._connection.reading() as db:
            rows = db.execute(_SUMMARIES).fetchall()
        return [
            DemoSummary(
                head=DemoHead.model_validate_json(head),
                steps=steps,
                rationales=rationales,
                approved=approved,
                first_frame=frame,
            )
            for head, steps, rationales, approved, frame in rows
        ]

    def find(self, name: str) -> str:
        """The id of a demo from its id, an unambiguous beginning of it, or ``last``.

        Raises:
            BadInputError: no demo or several fit.
        """
        ids = [summary.head.id for summary in self.demos()]
        if name == "last" and ids:
            return ids[0]
        fitting = [demo for demo in ids if demo == name] or [
            demo for demo in ids if demo.startswith(name) or demo.removeprefix("demo_").startswith(name)
        ]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise BadInputError(
                f"Several demos begin with {name!r}: {', '.join(fitting[:5])}.", hint="Write more of it."
            )
        raise BadInputError(f"There is no demo {name!r} in {self.folder}.", hint="`demopack list` shows what there is.")

    def demo(self, demo_id: str) -> Demo:
        """A demo as it stands now.

        Raises:
            BadInputError: there is no such demo.
        """
        return self._read("entities", demo_id)

    def original(self, demo_id: str) -> Demo:
        """A demo as it was recorded.

        Raises:
            BadInputError: there is no such demo.
        """
        return self._read("originals", demo_id)

    def _read(self, table: Table, demo_id: str) -> Demo:
        with self._connection.reading() as db:
            demo = read_demo(db, table, demo_id)
        if demo is None:
            raise BadInputError(f"There is no demo {demo_id!r} in {self.folder}.", hint="`demopack list` shows them.")
        return demo

    # Editing --------------------------------------------------------------------------------------------------

    def commit(self, demo_id: str, edit: Edit) -> int:
        """Apply an edit and log it; returns its position in the log. What was undone before cannot be redone now.

        Raises:
            LibraryError: the demo was changed elsewhere meanwhile; nothing was applied.
        """
        with self._connection.writing() as db:
            apply_changes(db, demo_id, edit.changes)
            return self._log(db, demo_id, "do", edit.id, edit.merge_key, edit)

    def undo(self, demo_id: str) -> list[Edit]:
        """Take back the last edit, or all edits of the last gesture, newest first; empty when there is none."""
        with self._connection.writing() as db:
            edits = [self._edit(db, demo_id, key) for key in self._undo_state(db, demo_id).next_undo()]
            for edit in edits:
                apply_changes(db, demo_id, [change.reversed() for change in reversed(edit.changes)])
                self._log(db, demo_id, "undo", edit.id, edit.merge_key, None)
        return edits

    def redo(self, demo_id: str) -> list[Edit]:
        """Apply again what was undone last, oldest first; empty when there is nothing."""
        with self._connection.writing() as db:
            edits = [self._edit(db, demo_id, key) for key in self._undo_state(db, demo_id).next_redo()]
            for edit in edits:
                apply_changes(db, demo_id, edit.changes)
                self._log(db, demo_id, "redo", edit.id, edit.merge_key, None)
        return edits

    def undo_labels(self, demo_id: str) -> tuple[str | None, str | None]:
        """What undo and redo would do next, in the user's words; None where there is nothing."""
        with self._connection.reading() as db:
            state = self._undo_state(db, demo_id)
            back, forward = state.next_undo(), state.next_redo()
            return (
                self._edit(db, demo_id, back[-1]).label if back else None,
                self._edit(db, demo_id, forward[0]).label if forward else None,
            )

    def history(self, demo_id: str) -> list[LogEntry]:
        """The whole log of a demo, oldest first."""
        with self._connection.reading() as db:
            rows = db.execute(
                "SELECT l.seq, l.op, d.edit FROM log l JOIN log d ON d.demo = l.demo AND d.edit_id = l.edit_id "
                "AND d.op = 'do' WHERE l.demo = ? ORDER BY l.seq",
                (demo_id,),
            ).fetchall()
        return [LogEntry(seq=seq, op=op, edit=Edit.model_validate_json(text)) for seq, op, text in rows]

    def _edit(self, db: sqlite3.Connection, demo: str, edit_id: str) -> Edit:
        row = db.execute(
            "SELECT edit FROM log WHERE demo = ? AND edit_id = ? AND op = 'do'", (demo, edit_id)
        ).fetchone()
        return Edit.model_validate_json(row[0])

    def _log(
        self,
        db: sqlite3.Connection,
        demo: str,
        op: str,
        edit_id: str,
        merge_key: str | None,
        edit: Edit | None,
    ) -> int:
        (last,) = db.execute("SELECT coalesce(max(seq), 0) FROM log WHERE demo = ?", (demo,)).fetchone()
        text = None if edit is None else edit.model_dump_json()
        try:
            db.execute(
                "INSERT INTO log (demo, seq, op, edit_id, merge_key, edit, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (demo, last + 1, op, edit_id, merge_key, text, utc_now().isoformat()),
            )
        except sqlite3.IntegrityError as error:
            raise LibraryError(f"There is no demo {demo!r} to edit.", details=str(error)) from error
        return int(last) + 1

    def _undo_state(self, db: sqlite3.Connection, demo: str) -> UndoState:
        """The stacks, folded from where they were left; a rolled-back fold is thrown away by its sequence number."""
        (last,) = db.execute("SELECT coalesce(max(seq), 0) FROM log WHERE demo = ?", (demo,)).fetchone()
        state = self._undo.get(demo)
        if state is None or state.seq > last:
            state = self._undo[demo] = UndoState()
        rows = db.execute(
            "SELECT seq, op, edit_id, merge_key FROM log WHERE demo = ? AND seq > ? ORDER BY seq",
            (demo, state.seq),
        )
        state.fold(rows)
        return state

    # Whole demos ----------------------------------------------------------------------------------------------

    def add_demo(self, demo: Demo) -> None:
        """Store a demo that was made elsewhere; its pictures must be stored before.

        Raises:
            LibraryError: a demo with this id is here already.
        """
        with self._connection.writing() as db:
            if db.execute("SELECT 1 FROM demos WHERE id = ?", (demo.head.id,)).fetchone():
                raise LibraryError(f"The demo {demo.head.id} is in this library already.", hint="Nothing was changed.")
            self._insert_head(db, demo.head)
            for change in demo_changes(demo):
                if change.kind != "head" and change.after is not None:
                    for table in ("originals", "entities"):
                        write_entity(db, table, demo.head.id, change.kind, change.key, change.after)

    def delete_demo(self, demo_id: str) -> None:
        """Take a demo off the list; :meth:`restore_demo` brings it back."""
        self._set_deleted(demo_id, deleted=True)

    def restore_demo(self, demo_id: str) -> None:
        """Put a deleted demo back on the list."""
        self._set_deleted(demo_id, deleted=False)

    def _set_deleted(self, demo_id: str, *, deleted: bool) -> None:
        with self._connection.writing() as db:
            db.execute("UPDATE demos SET deleted = ? WHERE id = ?", (int(deleted), demo_id))


_SUMMARIES = """
SELECT h.json,
       (SELECT count(*) FROM entities s WHERE s.demo = d.id AND s.kind = 'step'),
       (SELECT count(*) FROM entities s WHERE s.demo = d.id AND s.kind = 'step'
          AND json_extract(s.json, '$.rationale') IS NOT NULL),
       (SELECT count(*) FROM entities s WHERE s.demo = d.id AND s.kind = 'step'
          AND json_extract(s.json, '$.review') = 'approved'),
       (SELECT json_extract(s.json, '$.before.id') FROM entities s WHERE s.demo = d.id AND s.kind = 'step'
          ORDER BY s.position LIMIT 1)
FROM demos d JOIN entities h ON h.demo = d.id AND h.kind = 'head'
WHERE d.deleted = 0
ORDER BY d.created_at DESC, d.id
"""
