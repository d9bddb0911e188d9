"""Work off the GUI thread: one thread for the library, one for pictures, a few for slow jobs, a few for what is urgent.

Results come back on the main thread through a queued signal. A job that the user sees has a title, progress and a
cancel button; everything else is too short for that.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from demopack.errors import CancelledError
from demopack.jobs import CancelToken, JobControl, Progress

__all__ = ["Job", "JobRunner"]

T = TypeVar("T")


class Job:
    """A long piece of work that the user sees.

    Attributes:
        title: what it does, for instance ``Finding elements``.
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


class JobRunner(QObject):
    """Runs everything that must not run on the GUI thread; satisfies ``annotator.editing.Store``.

    Signals:
        jobs_changed: a job began, went on or ended.
    """

    jobs_changed = Signal()
    _arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store")
        self._pictures = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
        self._slow = ThreadPoolExecutor(max_workers=3, thread_name_prefix="slow")
        self._urgent = ThreadPoolExecutor(max_workers=3, thread_name_prefix="urgent")
        self._jobs: list[Job] = []
        self._newest: dict[str, int] = {}
        self._open = 0
        self._closed = False
        # Always queued: also what is emitted on the main thread itself waits for the event loop.
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs that are running, oldest first."""
        return tuple(self._jobs)

    @property
    def busy(self) -> bool:
        """Whether anything at all is under way."""
        return self._open > 0

    def submit(
        self, work: Callable[[], T], *, on_result: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Do something with the library, after everything that was submitted before."""
        self._start(self._store, work, on_result, on_error)

    def newest(
        self, key: str, work: Callable[[], T], *, on_result: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> None:
        """As :meth:`submit`; a result that a later call with the same key has overtaken is dropped."""
        number = self._newest[key] = self._newest.get(key, 0) + 1

        def deliver(result: T) -> None:
            if self._newest[key] == number:
                on_result(result)

        self.submit(work, on_result=deliver, on_error=on_error)

    def load(
        self, work: Callable[[], T], *, on_result: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Load a picture."""
        self._start(self._pictures, work, on_result, on_error)

    def background(
        self, work: Callable[[], T], *, on_result: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Do something that may take a while but is no job for the user to watch; it may have to wait for those."""
        self._start(self._slow, work, on_result, on_error)

    def urgent(
        self, work: Callable[[], T], *, on_result: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Do something now, however many long jobs there are: start a recording, stop it."""
        self._start(self._urgent, work, on_result, on_error)

    def run(
        self,
        title: str,
        work: Callable[[JobControl], T],
        *,
        on_result: Callable[[T], None],
        on_error: Callable[[Exception], None],
        on_progress: Callable[[Progress], None] | None = None,
        on_end: Callable[[], None] | None = None,
    ) -> Job:
        """Start a job that the user can watch and cancel; a cancelled one ends quietly.

        Args:
            title: what it does.
            work: gets the control from which it learns that it was cancelled, and to which it reports.
            on_result: called on the main thread.
            on_error: as ``on_result``; not called for a cancelled job.
            on_progress: as ``on_result``.
            on_end: called last, however it ended.
        """
        job = Job(title)
        self._jobs.append(job)

        def show(progress: Progress) -> None:
            job.progress = progress
            if job in self._jobs:
                self.jobs_changed.emit()
                if on_progress is not None:
                    on_progress(progress)

        def report(progress: Progress) -> None:
            self._arrived.emit(lambda: show(progress))

        def ended(then: Callable[[Any], None]) -> Callable[[Any], None]:
            def end(value: Any) -> None:  # noqa: ANN401 - a result or an error
                self._jobs.remove(job)
                self.jobs_changed.emit()
                if not isinstance(value, CancelledError):
                    then(value)
                if on_end is not None:
                    on_end()

            return end

        control = JobControl(token=job.token, report=report)
        self._start(self._slow, lambda: work(control), ended(on_result), ended(on_error))
        self.jobs_changed.emit()
        return job

    def post(self, call: Callable[[], None]) -> None:
        """Call something on the main thread soon; may be used from any thread."""
        self._arrived.emit(call)

    def close(self) -> None:
        """Cancel the jobs, finish what is urgent and what the library was given, deliver nothing more.

        It waits until every job has come to its next safe point; whoever calls it has left the screen before.
        """
        if self._closed:
            return
        self._closed = True
        for job in self._jobs:
            job.cancel()
        self._urgent.shutdown(wait=True)
        for pool in (self._pictures, self._slow):
            pool.shutdown(wait=True, cancel_futures=True)
        self._store.shutdown(wait=True)

    # ----------------------------------------------------------------------------------------------------------

    def _start(
        self,
        pool: ThreadPoolExecutor,
        work: Callable[[], T],
        on_result: Callable[[T], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        if self._closed:
            return
        self._open += 1

        def end(then: Callable[[Any], None], value: Any) -> None:  # noqa: ANN401 - a result or an error
            self._open -= 1
            then(value)

        def task() -> None:
            try:
                result = work()
            except Exception as error:  # noqa: BLE001 - handed to the one who asked, who shows it
                self._arrived.emit(lambda error=error: end(on_error, error))
            else:
                self._arrived.emit(lambda: end(on_result, result))

        pool.submit(task)

    @Slot(object)
    def _deliver(self, call: Callable[[], None]) -> None:
        if not self._closed:
            call()
