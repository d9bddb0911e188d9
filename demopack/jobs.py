"""Long work: how it is cancelled and how it tells how far it is. Knows no thread and no window."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from demopack.errors import CancelledError


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a job is.

    Attributes:
        done: finished parts.
        total: all parts; 0 when unknown.
        text: what is being done, for the user.
    """

    done: int
    total: int
    text: str = ""


class CancelToken:
    """Set by the one who waits, asked by the one who works; safe between threads."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the work to stop at its next safe point."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._event.is_set()

    def check(self) -> None:
        """Stop here if asked to.

        Raises:
            CancelledError: the work was cancelled.
        """
        if self._event.is_set():
            raise CancelledError("Cancelled; what was finished before is kept.")

    def wait(self, seconds: float) -> bool:
        """Sleep, but wake at once when cancelled; returns whether it was."""
        return self._event.wait(seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobControl:
    """What a job gets from whoever runs it.

    Attributes:
        token: asked at every safe point.
        report: called with each step of progress, from the job's own thread.
    """

    token: CancelToken = field(default_factory=CancelToken)
    report: Callable[[Progress], None] = lambda _: None

    def step(self, done: int, total: int, text: str = "") -> None:
        """Stop here if asked to, and else say how far the job is.

        Args:
            done: finished parts.
            total: all parts; 0 when unknown.
            text: what is being done, for the user.

        Raises:
            CancelledError: the work was cancelled.
        """
        self.token.check()
        self.report(Progress(done=done, total=total, text=text))

    def wordless(self) -> JobControl:
        """The same, but the job's own words, which are English and name files, are left out: its title stands alone."""

        def report(progress: Progress) -> None:
            self.report(replace(progress, text=""))

        return replace(self, report=report)
