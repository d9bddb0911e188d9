"""Background work: every operation has an owner, runs beside the window's thread, and is answered on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, Literal, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from demopack.errors import CancelledError
from demopack.jobs import CancelToken, JobControl, Progress

T = TypeVar("T")
Lane = Literal["library", "pictures", "slow", "urgent"]
"""Which threads an operation waits for. ``library``: one thread, in the order of asking. ``pictures``: one thread.
``slow``: may have to wait for long jobs. ``urgent``: never waits for those; starts and stops recordings."""

_THREADS: Final[Mapping[Lane, int]] = {"library": 1, "pictures": 1, "slow": 3, "urgent": 3}


class Operation:
    """One piece of work, from its start to its answer.

    Attributes:
        title: what the user reads while it goes on; empty for one that is too short to be shown.
        progress: how far it is.
        token: ends it at its next safe point.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.progress = Progress(done=0, total=0)
        self.token = CancelToken()

    def cancel(self) -> None:
        """Ask it to stop."""
        self.token.cancel()


class Workers(QObject):
    """The threads of a window; satisfies ``annotator.editing.Store``.

    Signals:
        jobs_changed: an operation with a title began, went on or ended.
        failed: an error that no operation handles itself.
    """

    jobs_changed = Signal()
    failed = Signal(object)
    _arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pools = {
            lane: ThreadPoolExecutor(max_workers=count, thread_name_prefix=lane) for lane, count in _THREADS.items()
        }
        self._jobs: list[Operation] = []
        self._open = 0
        self._closed = False
        # Always queued: also what is emitted on the main thread itself waits for the event loop.
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def jobs(self) -> tuple[Operation, ...]:
        """The operations with a title that go on, oldest first."""
        return tuple(self._jobs)

    @property
    def busy(self) -> bool:
        """Whether anything at all is under way."""
        return self._open > 0

    def submit(
        self, work: Callable[[], T], *, on_result: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Do something with the library, after everything that was submitted before."""
        self.do("library", work, on_result, on_error)

    def do(
        self, lane: Lane, work: Callable[[], T], on_result: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Do something on a lane; one of the two is called on the main thread, unless the window closes first."""
        if self._closed:
            return
        self._open += 1

        def end(then: Callable[[], None]) -> None:
            self._open -= 1
            then()

        def task() -> None:
            try:
                result = work()
            except Exception as error:  # noqa: BLE001 - handed to the one who asked, who shows it
                self.post(partial(end, partial(on_error, error)))
            else:
                self.post(partial(end, partial(on_result, result)))

        self._pools[lane].submit(task)

    def post(self, call: Callable[[], object]) -> None:
        """Call something on the main thread soon; may be used from any thread."""
        self._arrived.emit(call)

    def show(self, operation: Operation) -> None:
        """Have an operation among the jobs, or show how far it is now."""
        if self._closed:
            return
        if operation not in self._jobs:
            self._jobs.append(operation)
        self.jobs_changed.emit()

    def hide(self, operation: Operation) -> None:
        """An operation is no job any more."""
        if operation in self._jobs:
            self._jobs.remove(operation)
            self.jobs_changed.emit()

    def close(self) -> None:
        """Cancel the jobs, finish what is urgent and what the library was given, deliver nothing more.

        It waits until every job has come to its next safe point; whoever calls it has left the screen before.
        """
        if self._closed:
            return
        self._closed = True
        for job in self._jobs:
            job.cancel()
        self._pools["urgent"].shutdown(wait=True)
        for lane in ("pictures", "slow"):
            self._pools[lane].shutdown(wait=True, cancel_futures=True)
        self._pools["library"].shutdown(wait=True)

    @Slot(object)
    def _deliver(self, call: Callable[[], object]) -> None:
        if not self._closed:
            call()


class Operations:
    """Starts operations for one owner, a page or the window; what arrives after the owner's end is dropped here.

    Attributes:
        workers: where they run.
    """

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._ended = False
        self._newest: dict[str, Operation] = {}

    def of_owner(self) -> Operations:
        """Operations on the same threads that end on their own."""
        return Operations(self.workers)

    def end(self) -> None:
        """Drop what arrives from now on; work that was begun is still done."""
        self._ended = True

    def start(
        self,
        work: Callable[[], T],
        *,
        on_result: Callable[[T], object] | None = None,
        on_error: Callable[[Exception], object] | None = None,
        lane: Lane = "slow",
        newest: str = "",
    ) -> None:
        """Start an operation that is too short to be shown.

        Args:
            work: done on a thread of the lane.
            on_result: called on the main thread.
            on_error: as ``on_result``; without it the window shows the error.
            lane: which threads it waits for.
            newest: of the operations of an owner with the same word here only the last one is answered.
        """
        self.run("", lambda _: work(), on_result=on_result, on_error=on_error, lane=lane, newest=newest)

    def run(
        self,
        title: str,
        work: Callable[[JobControl], T],
        *,
        on_result: Callable[[T], object] | None = None,
        on_error: Callable[[Exception], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        on_end: Callable[[], object] | None = None,
        announce: Callable[[T], object] | None = None,
        lane: Lane = "slow",
        newest: str = "",
    ) -> Operation:
        """Start an operation that the user can watch and cancel; a cancelled one ends quietly.

        Args:
            title: what it does, for instance ``Finding elements``.
            work: gets the control from which it learns that it was cancelled, and to which it reports.
            on_result: called on the main thread.
            on_error: as ``on_result``, not for a cancelled one; without it the window shows the error.
            on_progress: as ``on_result``.
            on_end: called last, however it ended.
            announce: as ``on_result``, but also after the owner's end: for what the window says about it.
            lane: which threads it waits for.
            newest: of the operations of an owner with the same word here only the last one is answered.
        """
        operation = Operation(title)
        if newest:
            self._newest[newest] = operation

        def done(result: T) -> None:
            self.workers.hide(operation)
            if announce is not None:
                announce(result)
            if on_result is not None and self._answers(operation, newest):
                on_result(result)
            end()

        def failed(error: Exception) -> None:
            self.workers.hide(operation)
            quiet = title and isinstance(error, CancelledError)
            if not quiet and (on_error is None or self._answers(operation, newest)):
                (on_error or self.workers.failed.emit)(error)
            end()

        def end() -> None:
            if on_end is not None and not self._ended:
                on_end()

        show = partial(self._show, operation, newest, on_progress)
        control = JobControl(token=operation.token, report=lambda progress: self.workers.post(partial(show, progress)))
        self.workers.do(lane, lambda: work(control), done, failed)
        if title:
            self.workers.show(operation)
        return operation

    def post(self, call: Callable[[], object]) -> None:
        """Call something on the main thread soon; may be used from any thread."""
        self.workers.post(lambda: None if self._ended else call())

    # ----------------------------------------------------------------------------------------------------------

    def _answers(self, operation: Operation, newest: str) -> bool:
        """Whether the owner is there, and asked for nothing newer of the same kind."""
        return not self._ended and (not newest or self._newest[newest] is operation)

    def _show(
        self,
        operation: Operation,
        newest: str,
        on_progress: Callable[[Progress], object] | None,
        progress: Progress,
    ) -> None:
        operation.progress = progress
        if operation in self.workers.jobs:
            self.workers.show(operation)
            if on_progress is not None and self._answers(operation, newest):
                on_progress(progress)
