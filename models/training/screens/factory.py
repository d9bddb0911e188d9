"""Runs a source of screens: several studios at once, goes on where it was stopped, never makes a screen twice."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from demopack.errors import BadInputError, DemopackError
from demopack.jobs import JobControl, Progress
from models.training.screens.screen import Screen, ScreenSet, Side
from models.training.screens.sources import Rendered, ScreenSource, Studio, Ticket

__all__ = ["FactoryReport", "make_screens"]

_TRIES_PER_STUDIO = 3
"""Tickets that may fail one after the other before a studio is given up and started again."""


@dataclass(slots=True)
class FactoryReport:
    """What a run made.

    Attributes:
        made: screens that were drawn now.
        elements: on these.
        skipped: tickets that had been done before.
        failed: what went wrong, a sentence for each ticket that gave no screen.
    """

    made: int = 0
    elements: int = 0
    skipped: int = 0
    failed: list[str] = field(default_factory=list[str])


def make_screens(
    source: ScreenSource,
    *,
    folder: Path,
    count: int,
    seed: int = 0,
    side: Side = "train",
    workers: int = 2,
    control: JobControl,
) -> FactoryReport:
    """Draw about ``count`` screens into a set; what is there already is not drawn again.

    A ticket that cannot be drawn is reported and left out; when every ticket of a studio fails, the run ends.

    Args:
        source: what draws.
        folder: of the set; created where it is missing.
        count: screens wanted on this side, the ones that are there included.
        seed: another seed, other screens.
        side: what they may be used for.
        workers: studios at once.
        control: progress and cancelling.

    Raises:
        CancelledError: finished screens are kept.
        DemopackError: no studio could be started, or nothing can be drawn; the first cause.
        DiskFullError: finished screens are kept.
    """
    if count < 1:
        raise BadInputError(f"{count} screens cannot be made.", hint="Ask for at least one.")
    tickets = source.tickets(count=count, seed=seed, side=side)
    run = _Run(source, ScreenSet(folder), tickets, control)
    threads = [threading.Thread(target=run.work, name=f"studio-{i}", daemon=True) for i in range(max(1, workers))]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:
        # Ctrl-C: studios hold browsers and displays, which must end with us.
        run.give_up()
        for thread in threads:
            thread.join()
        raise
    if run.broken is not None:
        raise run.broken
    control.token.check()
    return run.report


class _Run:
    def __init__(
        self, source: ScreenSource, screens: ScreenSet, tickets: Sequence[Ticket], control: JobControl
    ) -> None:
        self._source = source
        self._screens = screens
        self._control = control
        self._total = len(tickets)
        self._done = 0
        self._given_up = False
        self._lock = threading.Lock()
        self._todo: queue.SimpleQueue[Ticket] = queue.SimpleQueue()
        self.report = FactoryReport()
        self.broken: BaseException | None = None
        for ticket in tickets:
            if screens.has(ticket.group, _name(ticket, 0)):
                self.report.skipped += 1
                self._done += 1
            else:
                self._todo.put(ticket)

    def work(self) -> None:
        """One studio after the other until nothing is left to do; runs in a thread of its own."""
        try:
            while not self._over():
                with self._source.studio() as studio:
                    self._with(studio)
        except BaseException as error:  # noqa: BLE001 - carried to the caller's thread
            with self._lock:
                self.broken = self.broken or error

    def give_up(self) -> None:
        """Begin nothing more."""
        self._given_up = True

    def _over(self) -> bool:
        stopped = self._given_up or self._control.token.cancelled or self.broken is not None
        return stopped or self._todo.empty()

    def _with(self, studio: Studio) -> None:
        """Draw with one studio until it is no good any more."""
        failures = 0
        while not self._over() and failures < _TRIES_PER_STUDIO:
            try:
                ticket = self._todo.get_nowait()
            except queue.Empty:
                return
            try:
                self._keep(ticket, studio.render(ticket))
                failures = 0
            except DemopackError as error:
                failures += 1
                self._note_failure(ticket, error)
        if failures >= _TRIES_PER_STUDIO and not self.report.made:
            raise DemopackError(
                f"None of the first {failures} {self._source.name} screens could be drawn.",
                details="\n".join(self.report.failed[-failures:]),
            )

    def _keep(self, ticket: Ticket, moments: Sequence[Rendered]) -> None:
        # The first moment last: where it is, the whole ticket is.
        for number in reversed(range(len(moments))):
            rendered = moments[number]
            screen = Screen(
                name=_name(ticket, number),
                source=self._source.name,
                group=ticket.group,
                side=ticket.side,
                seed=ticket.seed,
                variant={**ticket.variant, **rendered.variant},
                width=rendered.image.shape[1],
                height=rendered.image.shape[0],
                elements=tuple(rendered.elements),
            )
            self._screens.put(screen, rendered.image)
            with self._lock:
                self.report.made += 1
                self.report.elements += len(screen.elements)
        self._tell(ticket)

    def _note_failure(self, ticket: Ticket, error: DemopackError) -> None:
        with self._lock:
            self.report.failed.append(f"{ticket.group} {ticket.seed}: {error.user_message}")
        self._tell(ticket)

    def _tell(self, ticket: Ticket) -> None:
        with self._lock:
            self._done += 1
            text = f"{self._source.name}: {ticket.group}"
            self._control.report(Progress(done=self._done, total=self._total, text=text))


def _name(ticket: Ticket, number: int) -> str:
    return f"{ticket.group.replace('.', '_')}-{ticket.side}-{ticket.seed}-{number}"
