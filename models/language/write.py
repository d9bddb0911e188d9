"""Writes the rationales of demos; a person's words are never touched."""

from __future__ import annotations

import queue
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from demopack.domain.ports import RationaleWriter
from demopack.errors import LibraryError
from demopack.jobs import CancelToken, JobControl, Progress
from models.language.explained import Asked, Check, Explainer, explainer_of
from models.language.reports import StepReport, WriteReport, money
from models.language.runs import DemoRun, Halt, Rewriting

if TYPE_CHECKING:
    from demopack.store import Library

__all__ = ["write_demos", "write_rationales"]

_POLL_S: Final = 0.2
"""How soon a run over several demos sees that it was cancelled, seconds."""


@dataclass(kw_only=True)
class _Tally:
    """How far a run is; only its own thread touches it.

    Attributes:
        total: steps of all demos.
        control: gets the progress.
        done: steps that are through.
        asked: what they took.
    """

    total: int
    control: JobControl
    done: int = 0
    asked: list[Asked] = field(default_factory=list[Asked])

    def add(self, report: StepReport) -> None:
        """One more step is through."""
        self.done += 1
        self.asked += report.asked
        self.show()

    def show(self) -> None:
        """Tell how far it is, and what it cost so far."""
        cost = f"; {money(self.asked)} so far" if self.asked else ""
        self.control.report(
            Progress(done=self.done, total=self.total, text=f"Explained {self.done} of {self.total} steps{cost}")
        )


def write_rationales(
    library: Library,
    demo_id: str,
    writer: RationaleWriter | Explainer,
    *,
    control: JobControl,
    overwrite: bool = False,
    rewriting: Rewriting | None = None,
    only: Collection[str] | None = None,
    check: Check | None = None,
) -> WriteReport:
    """Write a rationale for each step of one demo that has none; undone in one go, each stored as soon as it is done.

    Args:
        library: where the demo is.
        demo_id: which demo.
        writer: explains one step.
        control: progress and cancelling.
        overwrite: replace what a program wrote before; never what a person wrote.
        rewriting: which steps are written; None goes by ``overwrite``.
        only: ids of the steps that may be written, for a selection; None for all.
        check: holds each rationale against its screen; None for the truth check.

    Raises:
        CancelledError: what was written before is kept.
        ModelError: the writer failed for a reason that no report tells; likewise.
        LibraryError: the demo was changed elsewhere meanwhile, or a picture is damaged.
    """
    chosen: Rewriting = rewriting or ("programs" if overwrite else "missing")
    return write_demos(library, [demo_id], writer, control=control, rewriting=chosen, only=only, check=check)[0]


def write_demos(
    library: Library,
    demo_ids: Sequence[str],
    writer: RationaleWriter | Explainer,
    *,
    control: JobControl,
    rewriting: Rewriting = "missing",
    at_once: int = 1,
    only: Collection[str] | None = None,
    check: Check | None = None,
) -> list[WriteReport]:
    """Write the rationales of several demos, so many of them at once; each report tells how far its demo came.

    A failure that would meet every other step too (no budget, no key, no server) ends the run; what was written is
    kept, and a run that is started again goes on where this one ended.

    Args:
        library: where the demos are.
        demo_ids: which.
        writer: explains one step.
        control: progress, with what was paid so far, and cancelling.
        rewriting: which steps are written.
        at_once: demos that are written at the same time.
        only: ids of the steps that may be written, for a selection; None for all.
        check: holds each rationale against its screen; None for the truth check.

    Raises:
        CancelledError: what was written before is kept.
        LibraryError: the only demo was changed elsewhere meanwhile, or a picture is damaged; of several demos, the
            report tells.
    """
    demo_ids = list(dict.fromkeys(demo_ids))
    total = sum(len(library.demo(demo_id).steps) for demo_id in demo_ids)
    crew = _Crew(
        library=library,
        explainer=explainer_of(writer, check=check),
        rewriting=rewriting,
        only=only,
        tally=_Tally(total=total, control=control),
        control=control,
    )
    return crew.work(demo_ids, at_once=max(1, at_once))


@dataclass(kw_only=True)
class _Crew:
    """Threads that write demos; the caller's thread gathers what they tell."""

    library: Library
    explainer: Explainer
    rewriting: Rewriting
    only: Collection[str] | None
    tally: _Tally
    control: JobControl
    halt: Halt = field(default_factory=Halt)
    told: queue.SimpleQueue[StepReport | None] = field(default_factory=queue.SimpleQueue[StepReport | None])

    def work(self, demo_ids: Sequence[str], *, at_once: int) -> list[WriteReport]:
        """Write all of them; the reports come in the order of the ids."""
        self.tally.show()
        if len(demo_ids) == 1:
            return [self._run(demo_ids[0], self.control, self.tally.add).run()]
        inner = JobControl(token=CancelToken())
        with ThreadPoolExecutor(max_workers=min(at_once, len(demo_ids) or 1), thread_name_prefix="writer") as pool:
            futures = [pool.submit(self._write, demo_id, inner) for demo_id in demo_ids]
            try:
                self._gather(len(demo_ids), inner)
            except BaseException:
                inner.token.cancel()
                raise
        self.control.token.check()
        return [future.result() for future in futures]

    def _gather(self, demos: int, inner: JobControl) -> None:
        """Pass on what the threads tell, until each has said that it is through."""
        open_demos = demos
        while open_demos:
            if self.control.token.cancelled or self.halt.error is not None:
                inner.token.cancel()
            try:
                told = self.told.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            if told is None:
                open_demos -= 1
            else:
                self.tally.add(told)

    def _write(self, demo_id: str, control: JobControl) -> WriteReport:
        run = self._run(demo_id, control, self.told.put)
        try:
            return run.run()
        except LibraryError as error:
            return run.report(str(error))
        finally:
            self.told.put(None)

    def _run(self, demo_id: str, control: JobControl, tell: Callable[[StepReport], None]) -> DemoRun:
        return DemoRun(
            library=self.library,
            demo_id=demo_id,
            explainer=self.explainer,
            rewriting=self.rewriting,
            halt=self.halt,
            control=control,
            tell=tell,
            only=self.only,
        )
