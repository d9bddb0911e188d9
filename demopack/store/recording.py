"""The writing side of a running recording: one commit per step, and a lock that dies with the process."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Collection, Generator, Sequence
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from filelock import FileLock, Timeout

from demopack.domain.demos import DemoHead
from demopack.domain.frames import Frame
from demopack.domain.steps import Step
from demopack.domain.trees import TreeReading, WindowTree, tree_bytes, tree_id
from demopack.errors import LibraryBusyError, LibraryError
from demopack.store.entities import TABLES, write_entity
from demopack.store.erasing import erase_steps, finish_erasing
from demopack.store.timeline import insert_keyframe
from demopack.store.trees import insert_tree

if TYPE_CHECKING:
    from demopack.domain.frames import RgbImage
    from demopack.store.pictures import PictureStore
    from demopack.store.schema import RowMarks

_UNFINISHED: Final = """
SELECT d.id FROM demos d CROSS JOIN entities h ON h.demo = d.id AND h.kind = 'head' AND h.key = d.id
WHERE CASE WHEN json_valid(h.json) THEN json_extract(h.json, '$.status') = 'recording' END
"""


def recording_lock(folder: Path) -> FileLock:
    """The lock that says "somebody records into this library"; the OS lets go of it when the process dies."""
    return FileLock(folder / "recording.lock", thread_local=False, mode=0o600)


@contextlib.contextmanager
def no_recording(folder: Path) -> Generator[None]:
    """While nobody records into a library.

    Raises:
        LibraryBusyError: somebody does.
    """
    lock = recording_lock(folder)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise LibraryBusyError(
            "A recording is running in this library; nothing was changed.",
            details=str(folder),
            hint="Stop it, then repair the library.",
        ) from error
    try:
        yield
    finally:
        lock.release(force=True)


def insert_head(db: sqlite3.Connection, head: DemoHead) -> None:
    """Make a demo of its head alone."""
    db.execute(
        "INSERT INTO demos (id, created_at) VALUES (?, ?)", (head.id, head.created_at.astimezone(UTC).isoformat())
    )
    write_entity(db, head.id, "head", head.id, head.to_json())


def unfinished(db: sqlite3.Connection) -> list[str]:
    """The demos that say that they are being recorded: at most one of them is."""
    return [row[0] for row in db.execute(_UNFINISHED)]


def mark_partial(db: sqlite3.Connection, demo: str) -> None:
    """The recorder of this demo died: what it committed is kept as a partial demo."""
    missing = f"The recorder ended without being stopped; {lost_after(count_steps(db, demo))}"
    for table in TABLES:
        db.execute(
            f"UPDATE {table} SET json = json_set(json, '$.status', 'partial', '$.missing', ?) "  # noqa: S608 - our names
            "WHERE demo = ? AND kind = 'head' AND json_valid(json)",
            (missing, demo),
        )


def count_steps(db: sqlite3.Connection, demo: str) -> int:
    """How many steps of a demo were recorded."""
    query = "SELECT count(*) FROM originals WHERE demo = ? AND kind = 'step'"
    return int(db.execute(query, (demo,)).fetchone()[0])


def lost_after(steps: int) -> str:
    """What a recording lacks that broke off after so many steps, as the end of a sentence."""
    if not steps:
        return "what was done is missing, because no step had been saved."
    return f"what was done after step {steps} is missing."


class Recording:
    """A demo that is being recorded; made by ``Library.begin_recording``.

    Leaving it without :meth:`finish` marks the demo partial; so does a killed process, as soon as
    somebody opens the library again. Every method may be called from any thread.

    Pictures are handed over by :meth:`stage_image`, which only gives them their ids: each is stored together with the
    first thing that shows it, in one transaction and with one sync.

    Attributes:
        head: as last written.
        timeline_bytes: what the timeline has added to the library so far.
        tree_bytes: what accessibility trees have added so far.
    """

    def __init__(self, pictures: PictureStore, lock: FileLock, head: DemoHead, marks: RowMarks) -> None:
        self._connection = pictures.connection
        self._marks = marks
        self._lock = lock
        self.head = head
        self._pictures = pictures
        self._staged: dict[str, RgbImage] = {}
        self._staged_trees: dict[str, bytes] = {}
        self._staging = threading.Lock()
        self.timeline_bytes = 0
        self.tree_bytes = 0

    def stage_image(self, image: RgbImage, *, key: str = "") -> str:
        """Take a picture to be stored with the step, keyframe or head that shows it; returns its id.

        Stage a picture again for each step, even if it was stored before: it may have been forgotten meanwhile.

        Args:
            image: shape (height, width, 3), uint8, never written to from now on; it is kept until it is stored.
            key: its id where that is known already, which saves hashing it.
        """
        if not key:
            from demopack.domain.frames import frame_id

            key = frame_id(image)
        with self._staging:
            self._staged[key] = image
        return key

    def stage_tree(self, tree: WindowTree) -> str:
        """Take an accessibility tree to be stored with the step that names it; returns its id.

        Stage a tree again for each step, as a picture.
        """
        data = tree_bytes(tree)
        key = tree_id(data)
        with self._staging:
            self._staged_trees[key] = data
        return key

    def append_step(self, step: Step) -> None:
        """Store a step for good: when this returns, a crash cannot take it away. Its frames must be stored or staged.

        Raises:
            DiskFullError: nothing was written; the steps before are safe.
        """
        with self._writing(step.before, step.after, trees=step.trees) as db:
            write_entity(db, self.head.id, "step", step.id, step.to_json())

    def step(self, step_id: str) -> Step:
        """A step of this recording as it was stored last.

        Raises:
            LibraryError: there is no such step (any more).
        """
        with self._connection.reading() as db:
            query = "SELECT json FROM entities WHERE demo = ? AND kind = 'step' AND key = ?"
            row = db.execute(query, (self.head.id, step_id)).fetchone()
        if row is None:
            raise LibraryError("This step is not in the recording any more.", details=step_id)
        return Step.model_validate_json(row[0])

    def update_step(self, step: Step) -> None:
        """Store a step of this recording again that got a note, a variable or another frame since it was saved.

        Raises:
            LibraryError: there is no such step (any more): nothing was written.
            DiskFullError: nothing was written.
        """
        with self._writing(step.before, step.after, trees=step.trees) as db:
            query = "SELECT 1 FROM originals WHERE demo = ? AND kind = 'step' AND key = ?"
            if db.execute(query, (self.head.id, step.id)).fetchone() is None:
                raise LibraryError("This step is not in the recording any more; nothing was changed.", details=step.id)
            write_entity(db, self.head.id, "step", step.id, step.to_json())

    def add_keyframe(self, frame: Frame, *, shown_ns: int) -> None:
        """Add a picture to the timeline; it must be stored or staged.

        Not synced by itself: a power cut may take the last moments of the timeline away, a killed process does not.

        Args:
            frame: the picture.
            shown_ns: monotonic clock from which on it could be seen.

        Raises:
            DiskFullError: nothing was written.
        """
        with self._writing(frame, synced=False) as db:
            insert_keyframe(db, self.head.id, frame, shown_ns=shown_ns)

    def forget_steps(self, ids: Collection[str], *, since_ns: int | None = None) -> None:
        """Remove steps of this recording for good; see :meth:`Library.forget_steps`.

        Takes as long as the recording is long, however large the library is.
        """
        marks = self._marks
        if erase_steps(self._pictures, self.head.id, ids, since_ns=since_ns, marks=marks):
            self._marks = replace(marks, erasures=str(int(marks.erasures) + 1))  # ours kept all row ids
        finish_erasing(self._connection)

    def update_head(self, **fields: Any) -> None:  # noqa: ANN401 - validated by the model
        """Replace fields of the head, for instance ``counters`` or ``final_frame``."""
        head = DemoHead.model_validate({**self.head.model_dump(), **fields})
        with self._writing(head.final_frame) as db:
            write_entity(db, head.id, "head", head.id, head.to_json())
        self.head = head

    def finish(self, *, missing: str = "", **fields: Any) -> None:  # noqa: ANN401 - validated by the model
        """Mark the demo complete, or partial where something is missing, and let go of the library.

        Args:
            missing: what is missing and why, in sentences for the user; :meth:`lost` ends one.
            fields: other fields of the head.
        """
        try:
            self.update_head(status="partial" if missing else "complete", missing=missing, **fields)
        finally:
            self._lock.release(force=True)

    def lost(self) -> str:
        """The end of a sentence that says what is missing if the recording ends now."""
        with self._connection.reading() as db:
            return lost_after(count_steps(db, self.head.id))

    @contextlib.contextmanager
    def _writing(
        self, *frames: Frame | None, trees: Sequence[TreeReading] = (), synced: bool = True
    ) -> Generator[sqlite3.Connection]:
        """One transaction that begins with the staged ones among the frames and trees that are about to be used."""
        with self._staging:
            read = {one.tree: self._staged_trees[one.tree] for one in trees if one.tree in self._staged_trees}
            staged = {frame.id: self._staged[frame.id] for frame in frames if frame and frame.id in self._staged}
        added = 0
        with self._connection.writing() if synced else self._connection.unsynced() as db:
            for key, image in staged.items():
                added += self._pictures.insert(db, key, image)
            told = sum(insert_tree(db, data) for data in read.values())
            yield db
        self.tree_bytes += told
        if not synced:
            self.timeline_bytes += added
        with self._staging:
            for key in staged:
                self._staged.pop(key, None)
            for key in read:
                self._staged_trees.pop(key, None)

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._lock.is_locked:
            return
        try:
            if self.head.status == "recording":
                self.finish(missing=f"The recording was broken off; {self.lost()}")
        finally:
            self._lock.release(force=True)
