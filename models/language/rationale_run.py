"""Writes the rationales of demos, step by step, each stored as soon as it is there.

The steps of a demo are written in their order, because each is told with the reasons of those before it. Several demos
are written at once, each by a thread of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from demopack.domain.demos import Demo, is_stale, step_basis
from demopack.domain.edits import Change, Edit
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.errors import CancelledError, LibraryError
from demopack.jobs import CancelToken, JobControl, Progress
from demopack.store.entities import naming_the_step
from models.language.port import BudgetError, LanguageAnswer, LanguageError, NoKeyError, ServerError
from models.language.reports import RationaleWriter, WriteReport, WrittenStep, money
from models.language.step_context import DemoStory

if TYPE_CHECKING:
    from demopack.store import Library

Rewriting = Literal["missing", "stale", "programs"]
"""Which steps are written: those without a rationale; also those whose rationale is stale; also all that a program
wrote. What a person wrote stays in any case."""

_IN_A_ROW: Final = 3
"""So many failures of the server one after the other end a run: the next hundred would fail, too."""


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
        control: progress, with what was paid so far, told from any thread, one at a time; and cancelling.
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
    run.tell()
    with ThreadPoolExecutor(max_workers=max(1, min(at_once, len(demo_ids))), thread_name_prefix="writer") as pool:
        futures = [pool.submit(run.write, demo_id, alone=len(demo_ids) == 1) for demo_id in demo_ids]
        try:
            wait(futures)
        except BaseException:
            run.token.cancel()
            raise
    control.token.check()
    return [future.result() for future in futures]


class _RunToken(CancelToken):
    """Cancelled with the caller's token, or by itself when the run must end."""

    def __init__(self, outer: CancelToken) -> None:
        super().__init__()
        self._outer = outer

    @property
    def cancelled(self) -> bool:
        return self._outer.cancelled or super().cancelled

    def check(self) -> None:
        self._outer.check()
        super().check()


@dataclass(kw_only=True)
class _Run:
    """A run over demos; each demo is written by one thread.

    Attributes:
        token: cancelled when the run must not go on.
    """

    library: Library
    writer: RationaleWriter
    rewriting: Rewriting
    only: Collection[str] | None
    total: int
    control: JobControl
    done: int = 0
    asked: list[LanguageAnswer[Any]] = field(default_factory=list[LanguageAnswer[Any]])
    ended: LanguageError | None = None
    failures: int = 0

    def __post_init__(self) -> None:
        self.token = _RunToken(self.control.token)
        self.lock = threading.Lock()

    def tell(self, report: WrittenStep | None = None) -> None:
        """Tell how far the run is, a step more being through; from any thread."""
        with self.lock:
            if report is not None:
                self.done += 1
                self.asked += report.asked
            cost = f"; {money(self.asked)} so far" if self.asked else ""
            text = f"Explained {self.done} of {self.total} steps{cost}"
            self.control.report(Progress(done=self.done, total=self.total, text=text))

    def write(self, demo_id: str, *, alone: bool) -> WriteReport:
        """Write what is to be written of one demo; ``alone``, its damage is raised and not reported."""
        steps: list[WrittenStep] = []
        human, trouble = 0, ""
        try:
            story, gesture = DemoStory(self.library, self.library.demo(demo_id)), new_id("rationale")
            for index, step in enumerate(story.demo.steps):
                self.token.check()
                steps.append(self._step(story, index, gesture))
                human += _is_by_human(step.rationale)
                self.tell(steps[-1])
        except LibraryError as error:
            if alone:
                raise
            trouble = str(error)
        except (CancelledError, LanguageError):
            if self.ended is None:
                raise
            trouble = str(self.ended)
        writer = self.writer
        return WriteReport(
            demo=demo_id, writer=writer.name, mode=writer.mode, steps=tuple(steps), human=human, trouble=trouble
        )

    def _step(self, story: DemoStory, index: int, gesture: str) -> WrittenStep:
        demo, step = story.demo, story.demo.steps[index]
        if not self._is_wanted(step, demo):
            return WrittenStep(step=index + 1, state="kept")
        subject, control = f"{demo.head.id}/{step.id}", JobControl(token=self.token)
        try:
            with naming_the_step(demo):
                explained = self.writer.explain(story.context(index), subject=subject, control=control)
        except LanguageError as error:
            with self.lock:
                self.failures = self.failures + 1 if isinstance(error, ServerError) else 0
                if isinstance(error, (BudgetError, NoKeyError)) or self.failures >= _IN_A_ROW:
                    self.ended = self.ended or error
                    self.token.cancel()
                    raise
            return WrittenStep(step=index + 1, state="failed", message=str(error))
        if explained.asked:
            with self.lock:
                self.failures = 0
        rationale = explained.rationale.model_copy(update={"basis": step_basis(step, demo)})
        stored = _store(self.library, demo.head.id, step, rationale, gesture)
        story.told(index, rationale)
        return WrittenStep.of(index + 1, explained, stored=stored)

    def _is_wanted(self, step: Step, demo: Demo) -> bool:
        if self.only is not None and step.id not in self.only:
            return False
        if step.rationale is None:
            return True
        if _is_by_human(step.rationale):
            return False
        return self.rewriting == "programs" or (self.rewriting == "stale" and is_stale(step, demo))


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
