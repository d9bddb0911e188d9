"""Writes the rationales of demos, step by step, each stored as soon as it is there.

The steps of a demo are written in their order, because each is told with the reasons of those before it. Several demos
are written at once, each by a thread of its own.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from demopack.domain.demos import is_stale, step_basis
from demopack.domain.edits import Change, Edit
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.errors import CancelledError, LibraryError
from demopack.jobs import CancelToken, JobControl, Progress
from demopack.store.damaged_records import naming_the_step
from models.language.port import BudgetError, LanguageError, NoKeyError, ServerError
from models.language.reports import ModelCall, RationaleWriter, WriteReport, WrittenStep, money
from models.language.step_context import DemoStory

if TYPE_CHECKING:
    from demopack.store import Library

Rewriting = Literal["missing", "stale", "programs"]
"""Which steps are written: those without a rationale; also those whose rationale is stale; also all that a program
wrote. What a person wrote stays in any case."""

_IN_A_ROW: Final = 3
"""So many failures of the server one after the other end a run: the next hundred would fail, too."""
_POLL_S: Final = 0.2
"""How soon a run over several demos sees that it was cancelled, seconds."""


def write_demos(
    library: Library,
    demo_ids: Sequence[str],
    writer: RationaleWriter,
    *,
    control: JobControl,
    rewriting: Rewriting = "missing",
    at_once: int = 1,
    only: Collection[str] | None = None,
) -> list[WriteReport]:
    """Write the rationales of demos, so many of them at once; each report tells how far its demo came.

    Each rationale is stored as soon as it is there; those of one demo are undone in one go. A failure that would meet
    every other step too (no budget, no key, no server) ends the run; what was written is kept, and a run that is
    started again goes on where this one ended.

    Args:
        library: where the demos are.
        demo_ids: which.
        writer: explains one step.
        control: progress, with what was paid so far, and cancelling.
        rewriting: which steps are written.
        at_once: demos that are written at the same time.
        only: ids of the steps that may be written, for a selection; None for all.

    Raises:
        CancelledError: what was written before is kept.
        ModelError: the writer failed for a reason that no report tells; likewise.
        LibraryError: the only demo was changed elsewhere meanwhile, or a picture is damaged; of several demos, the
            report tells.
    """
    demo_ids = list(dict.fromkeys(demo_ids))
    total = sum(len(library.demo(demo_id).steps) for demo_id in demo_ids)
    run = _Run(library=library, writer=writer, rewriting=rewriting, only=only, total=total, control=control)
    return run.write(demo_ids, at_once=max(1, at_once))


@dataclass(kw_only=True)
class _Run:
    """A run over demos; the caller's thread gathers what the threads that write tell.

    Attributes:
        total: steps of all demos.
        ended: why the run must not go on.
    """

    library: Library
    writer: RationaleWriter
    rewriting: Rewriting
    only: Collection[str] | None
    total: int
    control: JobControl
    done: int = 0
    asked: list[ModelCall] = field(default_factory=list[ModelCall])
    told: queue.SimpleQueue[WrittenStep | None] = field(default_factory=queue.SimpleQueue[WrittenStep | None])
    ended: LanguageError | None = None
    failures: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, demo_ids: Sequence[str], *, at_once: int) -> list[WriteReport]:
        """Write all of them; the reports come in the order of the ids."""
        self._show()
        if len(demo_ids) == 1:
            return [_DemoRun(run=self, demo_id=demo_ids[0], control=self.control, tell=self._add).write()]
        inner = JobControl(token=CancelToken())
        with ThreadPoolExecutor(max_workers=min(at_once, len(demo_ids) or 1), thread_name_prefix="writer") as pool:
            futures = [pool.submit(self._write_one, demo_id, inner) for demo_id in demo_ids]
            try:
                self._gather(len(demo_ids), inner)
            except BaseException:
                inner.token.cancel()
                raise
        self.control.token.check()
        return [future.result() for future in futures]

    def fail(self, error: LanguageError) -> bool:
        """Note a failure, from any thread; returns whether it ends the run."""
        with self.lock:
            self.failures = self.failures + 1 if isinstance(error, ServerError) else 0
            ends = isinstance(error, (BudgetError, NoKeyError)) or self.failures >= _IN_A_ROW
            if ends and self.ended is None:
                self.ended = error
            return ends

    def _write_one(self, demo_id: str, control: JobControl) -> WriteReport:
        demo = _DemoRun(run=self, demo_id=demo_id, control=control, tell=self.told.put)
        try:
            return demo.write()
        except LibraryError as error:
            return demo.report(str(error))
        finally:
            self.told.put(None)

    def _gather(self, open_demos: int, inner: JobControl) -> None:
        """Pass on what the threads tell, until each has said that it is through."""
        while open_demos:
            if self.control.token.cancelled or self.ended is not None:
                inner.token.cancel()
            try:
                told = self.told.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            if told is None:
                open_demos -= 1
            else:
                self._add(told)

    def _add(self, report: WrittenStep) -> None:
        self.done += 1
        self.asked += report.asked
        self._show()

    def _show(self) -> None:
        cost = f"; {money(self.asked)} so far" if self.asked else ""
        self.control.report(
            Progress(done=self.done, total=self.total, text=f"Explained {self.done} of {self.total} steps{cost}")
        )


@dataclass(kw_only=True)
class _DemoRun:
    """One demo on its way through the writer.

    Attributes:
        tell: called with each step that is through.
        steps: what became of the steps so far.
        human: of these, the ones that a person explained.
    """

    run: _Run
    demo_id: str
    control: JobControl
    tell: Callable[[WrittenStep], None]
    steps: list[WrittenStep] = field(default_factory=list[WrittenStep])
    human: int = 0

    def write(self) -> WriteReport:
        """Write what is to be written."""
        library, run = self.run.library, self.run
        story, gesture = DemoStory(library, library.demo(self.demo_id)), new_id("rationale")
        for index, step in enumerate(story.demo.steps):
            report = WrittenStep(step=index + 1, state="kept")
            try:
                self.control.token.check()
                if run.ended is not None:
                    break
                if self._wanted(story, step):
                    report = self._step(story, index, gesture)
            except CancelledError:
                if run.ended is None:
                    raise
                break
            except LanguageError as error:
                if run.fail(error):
                    break
                report = WrittenStep(step=index + 1, state="failed", message=str(error))
            self.human += _is_by_human(step.rationale)
            self.steps.append(report)
            self.tell(report)
        whole = len(self.steps) == len(story.demo.steps)
        return self.report("" if whole or run.ended is None else str(run.ended))

    def report(self, trouble: str = "") -> WriteReport:
        """How far it is."""
        writer = self.run.writer
        return WriteReport(
            demo=self.demo_id,
            writer=writer.name,
            mode=writer.mode,
            steps=tuple(self.steps),
            human=self.human,
            trouble=trouble,
        )

    def _wanted(self, story: DemoStory, step: Step) -> bool:
        if self.run.only is not None and step.id not in self.run.only:
            return False
        if step.rationale is None:
            return True
        if _is_by_human(step.rationale):
            return False
        return self.run.rewriting == "programs" or (self.run.rewriting == "stale" and is_stale(step, story.demo))

    def _step(self, story: DemoStory, index: int, gesture: str) -> WrittenStep:
        demo, step = story.demo, story.demo.steps[index]
        with naming_the_step(demo):
            context = story.context(index)
            explained = self.run.writer.explain(context, subject=f"{demo.head.id}/{step.id}", control=self.control)
        if explained.asked:
            with self.run.lock:
                self.run.failures = 0
        rationale = explained.rationale.model_copy(update={"basis": step_basis(step, demo)})
        stored = _store(self.run.library, demo.head.id, step, rationale, gesture)
        story.told(index, rationale)
        return WrittenStep.of(index + 1, explained, stored=stored)


def _is_by_human(rationale: Rationale | None) -> bool:
    return rationale is not None and (rationale.provenance.kind == "human" or rationale.text is not None)


def _store(library: Library, demo_id: str, step: Step, rationale: Rationale, gesture: str) -> bool:
    """Commit one rationale; false when the step has this very one already."""
    old, by = step.rationale, rationale.provenance
    if old is not None and old.model_copy(update={"provenance": by}) == rationale:
        return False
    new = step.model_copy(update={"rationale": rationale})
    edit = Edit(
        id=new_id("edit"),
        label="Explain a step",
        changes=(Change.between(step, new),),
        provenance=by_program("model" if by.kind == "model" else "template", by.name, reason="rationale"),
        merge_key=gesture,
    )
    library.commit(demo_id, edit)
    return True
