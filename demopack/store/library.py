"""A person's demos in one folder."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from filelock import Timeout

from demopack.domain.demos import Demo, DemoHead, DemoSummary
from demopack.domain.edits import Edit
from demopack.domain.trees import tree_bytes
from demopack.domain.words import shorten
from demopack.errors import BadInputError, LibraryBusyError, LibraryError
from demopack.store.connection import Connection, open_database
from demopack.store.edit_log import EditLog
from demopack.store.entities import Table, read_demo, write_entity
from demopack.store.erasing import erase_demo, erase_steps, finish_erasing
from demopack.store.listing import DemoCounts, note_damage, prepare_listing, read_counts, read_summaries
from demopack.store.pictures import PictureStore
from demopack.store.recording import Recording, insert_head, mark_partial, no_recording, recording_lock, unfinished
from demopack.store.schema import take_marks
from demopack.store.trees import StoredTrees, insert_tree


class Library(PictureStore):
    """Demos, their frames and their history. Safe between threads; several processes may share one folder.

    Edits never touch what was recorded: they are values in an append-only log, and undo and redo are entries of it.

    Attributes:
        log: of edits: undoes and redoes, shows it, walks along it.
    """

    def __init__(self, folder: Path, connection: Connection) -> None:
        super().__init__(folder, connection)
        self.log = EditLog(connection)

    @classmethod
    def open(cls, folder: Path, *, create: bool = True, timeout_s: float = 10.0) -> Library:
        """Open a library, make one where ``create`` allows it, and mark recordings that were cut off as partial.

        One that may not be written can be read; whatever would change it raises ``LibraryError``.

        Raises:
            NotALibraryError: the folder holds something else.
            NewerVersionError: a newer demopack wrote it.
            LibraryBusyError: another process kept it locked for ``timeout_s`` seconds.
        """
        connection = open_database(folder, create=create, timeout_s=timeout_s)
        library = cls(folder, connection)
        with contextlib.suppress(LibraryError):  # demos that can be read are listed without it
            prepare_listing(connection)
        if not connection.read_only:
            library.recover()
            with contextlib.suppress(LibraryBusyError):  # the next one to open it will
                finish_erasing(connection)
        return library

    def close(self) -> None:
        """Close the files; calling it twice is harmless."""
        self.connection.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Recording ------------------------------------------------------------------------------------------------

    def begin_recording(self, head: DemoHead) -> Recording:
        """Start a demo. One recording at a time per library.

        Raises:
            LibraryBusyError: another recording is running in this library.
        """
        lock = recording_lock(self.folder)
        try:
            # The lock is only ever taken inside a transaction that writes. So whoever looks whether a recorder has died
            # and whoever starts one wait for each other, and that is over in a moment.
            with self.connection.writing() as db:
                lock.acquire(timeout=0)
                marks = take_marks(db)
                insert_head(db, head)
        except Timeout as error:
            raise LibraryBusyError(
                "Another recording is running in this library.",
                details=str(self.folder),
                hint="Stop it first, or record into another library with --library.",
            ) from error
        except BaseException:
            lock.release(force=True)
            raise
        return Recording(self, lock, head, marks)

    def recover(self) -> list[str]:
        """Mark demos whose recorder died as partial; returns their ids. A running recording is left alone.

        Where another program is writing just now, nothing is done.
        """
        with self.connection.reading() as db:
            if not (demos := unfinished(db)):
                return []
        try:
            with self.connection.writing(wait=False) as db, no_recording(self.folder):
                demos = unfinished(db)
                for demo in demos:
                    mark_partial(db, demo)
        except LibraryBusyError:
            return []
        return demos

    # Reading --------------------------------------------------------------------------------------------------

    def demos(self, *, deleted: bool = False, damaged: bool = False) -> list[DemoSummary]:
        """Every demo that is not deleted, or instead those that are; newest first.

        Args:
            deleted: which of the two.
            damaged: whether demos that cannot be opened are among them; ``DemoSummary.damage`` says why.
        """
        return read_summaries(self.connection, deleted=deleted, damaged=damaged)

    def counts(self) -> dict[str, DemoCounts]:
        """How many of everything each demo has that is neither deleted nor damaged, by its id."""
        return read_counts(self.connection)

    def find(self, name: str) -> str:
        """The id of a demo from its id, an unambiguous beginning of it, or ``last``.

        Raises:
            BadInputError: no demo or several fit.
        """
        ids = [summary.head.id for summary in self.demos(damaged=True)]
        if name == "last" and not ids:
            raise BadInputError(f"The library {self.folder} is empty.", hint='Start with: demopack record --task "..."')
        if name == "last":
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
        raise BadInputError(
            f"There is no demo {shorten(name)!r} in {self.folder}.", hint="`demopack list` shows what there is."
        )

    def demo(self, demo_id: str) -> Demo:
        """A demo as it stands now.

        Raises:
            BadInputError: there is no such demo.
            LibraryError: it is damaged; the error says where.
        """
        return self._read_demo("entities", demo_id)

    def original(self, demo_id: str) -> Demo:
        """A demo as it was recorded.

        Raises:
            BadInputError: there is no such demo.
        """
        return self._read_demo("originals", demo_id)

    def _read_demo(self, table: Table, demo_id: str) -> Demo:
        try:
            with self.connection.reading() as db:
                demo = read_demo(db, table, demo_id)
        except LibraryError:
            if table == "entities":
                note_damage(self.connection, demo_id)
            raise
        if demo is None:
            raise BadInputError(f"There is no demo {demo_id!r} in {self.folder}.", hint="`demopack list` shows them.")
        keys = demo.tree_ids()
        return replace(demo, trees=StoredTrees(self.connection, keys)) if keys else demo

    # Editing --------------------------------------------------------------------------------------------------

    def commit(self, demo_id: str, edit: Edit) -> int:
        """Apply an edit and log it; see :meth:`EditLog.commit`."""
        return self.log.commit(demo_id, edit)

    # Whole demos ----------------------------------------------------------------------------------------------

    def add_demo(self, demo: Demo) -> None:
        """Store a demo that was made elsewhere, with its accessibility trees; its pictures must be stored before.

        Raises:
            LibraryError: a demo with this id is here already.
        """
        with self.connection.writing() as db:
            if db.execute("SELECT 1 FROM demos WHERE id = ?", (demo.head.id,)).fetchone():
                raise LibraryError(f"The demo {demo.head.id} is in this library already.", hint="Nothing was changed.")
            insert_head(db, demo.head)
            for key in demo.tree_ids():
                insert_tree(db, tree_bytes(demo.trees[key]))
            entities = [("step", step.id, step.to_json()) for step in demo.steps]
            entities += [("element", one.uid, one.to_json()) for found in demo.elements.values() for one in found]
            entities += [("parsed", frame, {}) for frame in sorted(demo.parsed)]
            for kind, key, data in entities:
                write_entity(db, demo.head.id, kind, key, data)

    def delete_demo(self, demo_id: str) -> None:
        """Take a demo off the list; :meth:`restore_demo` brings it back."""
        self._set_deleted(demo_id, deleted=True)

    def restore_demo(self, demo_id: str) -> None:
        """Put a deleted demo back on the list."""
        self._set_deleted(demo_id, deleted=False)

    # Forgetting -----------------------------------------------------------------------------------------------

    def forget_steps(self, demo_id: str, ids: Collection[str], *, since_ns: int | None = None) -> None:
        """Remove steps for good: when this returns, no file of the library holds a byte of them.

        They go from what was recorded, from the demo as it stands, and from every edit in its log (edits of other
        things stay, and can be undone as before); with them go their elements, the timeline until the next step that
        stays, and every picture and tile that nothing else shows. A version of another step that holds a part of
        a forgotten one, because one was split off or merged, goes too.

        Args:
            demo_id: the demo.
            ids: of its steps; unknown ones are ignored.
            since_ns: all pictures of this demo that were grabbed at this time or later go too, also from the timeline,
                the end of the demo, and steps that stay: those then have no picture there.

        Raises:
            LibraryBusyError: another process is writing, and nothing was removed; or another one kept reading, and
                traces are left in a file until the library is opened next. The message says which.
            DiskFullError: nothing was removed.
        """
        erase_steps(self, demo_id, ids, since_ns=since_ns)
        finish_erasing(self.connection)

    def erase_demo(self, demo_id: str) -> None:
        """Remove a whole demo for good, and takes that were joined to it; as :meth:`forget_steps`.

        Raises:
            LibraryBusyError: it is still being recorded, or as for :meth:`forget_steps`.
        """
        with self.connection.reading() as db:
            running = demo_id in unfinished(db)
        if running:
            raise LibraryBusyError("This demo is still being recorded.", hint="Stop the recording first.")
        erase_demo(self, demo_id)
        finish_erasing(self.connection)

    def _set_deleted(self, demo_id: str, *, deleted: bool) -> None:
        with self.connection.writing() as db:
            db.execute("UPDATE demos SET deleted = ? WHERE id = ?", (int(deleted), demo_id))
