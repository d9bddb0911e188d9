"""Writes the rationales of one demo, step by step, each stored as soon as it is there.

The steps of a demo are written in their order, because each is told with the reasons of those before it. Whoever runs
several demos at once shares one :class:`Halt` between them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from demopack.domain.edits import Change, Edit
from demopack.domain.provenance import Provenance, by_program
from demopack.domain.rationale import Rationale
from demopack.domain.records import new_id
from demopack.domain.staleness import is_stale, step_basis
from demopack.domain.steps import Step
from demopack.errors import CancelledError
from demopack.jobs import JobControl
from demopack.store.blame import naming_the_step
from models.language.contexts import DemoStory
from models.language.explained import Explainer
from models.language.port import BudgetError, LanguageError, NoKeyError, ServerError
from models.language.reports import StepReport, WriteReport

if TYPE_CHECKING:
    from demopack.store import Library

__all__ = ["DemoRun", "Halt", "Rewriting", "is_by_human"]

Rewriting = Literal["missing", "stale", "programs"]
"""Which steps are written: those without a rationale; also those whose rationale is stale; also all that a program
wrote. What a person wrote stays in any case."""

_IN_A_ROW: Final = 3
"""So many failures of the server one after the other end a run: the next hundred would fail, too."""


class Halt:
    """Why a run over several demos must not go on; safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failures = 0
        self.error: LanguageError | None = None

    def saw(self, error: LanguageError) -> bool:
        """Note a failure; returns whether it ends the run."""
        with self._lock:
            self._failures = self._failures + 1 if isinstance(error, ServerError) else 0
            ends = isinstance(error, (BudgetError, NoKeyError)) or self._failures >= _IN_A_ROW
            if ends and self.error is None:
                self.error = error
            return ends

    def went_well(self) -> None:
        """An answer came."""
        with self._lock:
            self._failures = 0


@dataclass(kw_only=True)
class DemoRun:
    """One demo on its way through a writer.

    Attributes:
        library: where it is.
        demo_id: which.
        explainer: explains one step.
        rewriting: which steps are written.
        halt: shared by all demos of a run.
        control: cancelling.
        tell: called with each step that is through.
        only: ids of the steps that may be written; None for all.
        steps: what became of the steps so far.
        human: of these, the ones that a person explained.
    """

    library: Library
    demo_id: str
    explainer: Explainer
    rewriting: Rewriting
    halt: Halt
    control: JobControl
    tell: Callable[[StepReport], None]
    only: Collection[str] | None = None
    steps: list[StepReport] = field(default_factory=list[StepReport])
    human: int = 0

    def run(self) -> WriteReport:
        """Write what is to be written.

        Raises:
            CancelledError: the user stopped it; what was written before is kept.
            LibraryError: the demo was changed elsewhere meanwhile, or a picture is damaged; likewise.
        """
        story, gesture = DemoStory(self.library, self.library.demo(self.demo_id)), new_id("rationale")
        for index, step in enumerate(story.demo.steps):
            try:
                self._check()
                report = self._step(story, index, gesture) if self._wanted(story, step) else _kept(index)
            except CancelledError:
                if self.halt.error is None:
                    raise
                break
            except LanguageError as error:
                if self.halt.saw(error):
                    break
                report = StepReport(step=index + 1, state="failed", message=str(error))
            self.human += is_by_human(step.rationale)
            self.steps.append(report)
            self.tell(report)
        whole = len(self.steps) == len(story.demo.steps)
        return self.report("" if whole or self.halt.error is None else str(self.halt.error))

    def report(self, trouble: str = "") -> WriteReport:
        """How far it is."""
        return WriteReport(
            demo=self.demo_id,
            writer=self.explainer.name,
            mode=self.explainer.mode,
            steps=tuple(self.steps),
            human=self.human,
            trouble=trouble,
        )

    def _check(self) -> None:
        self.control.token.check()
        if self.halt.error is not None:
            raise CancelledError("The run was ended.")

    def _wanted(self, story: DemoStory, step: Step) -> bool:
        if self.only is not None and step.id not in self.only:
            return False
        if step.rationale is None:
            return True
        if is_by_human(step.rationale):
            return False
        return self.rewriting == "programs" or (self.rewriting == "stale" and is_stale(step, story.demo))

    def _step(self, story: DemoStory, index: int, gesture: str) -> StepReport:
        demo, step = story.demo, story.demo.steps[index]
        with naming_the_step(demo):
            context = story.context(index)
            explained = self.explainer.explain(context, subject=f"{demo.head.id}/{step.id}", control=self.control)
        if explained.asked:
            self.halt.went_well()
        rationale = explained.rationale.model_copy(update={"basis": step_basis(step, demo)})
        stored = _store(self.library, demo.head.id, step, rationale, gesture)
        story.told(index, rationale)
        return StepReport.of(index + 1, explained, stored=stored)


def is_by_human(rationale: Rationale | None) -> bool:
    """Whether a person wrote or reworded it."""
    return rationale is not None and (rationale.provenance.kind == "human" or rationale.text is not None)


def _kept(index: int) -> StepReport:
    return StepReport(step=index + 1, state="kept")


def _store(library: Library, demo_id: str, step: Step, rationale: Rationale, gesture: str) -> bool:
    """Commit one rationale; false when the step has this very one already."""
    old = step.rationale
    if old is not None and old.model_copy(update={"provenance": rationale.provenance}) == rationale:
        return False
    new = step.model_copy(update={"rationale": rationale})
    edit = Edit(
        id=new_id("edit"),
        label="Explain a step",
        changes=(Change(kind="step", key=step.id, before=step.to_json(), after=new.to_json()),),
        provenance=_by(rationale.provenance),
        merge_key=gesture,
    )
    library.commit(demo_id, edit)
    return True


def _by(provenance: Provenance) -> Provenance:
    kind: Literal["model", "template"] = "model" if provenance.kind == "model" else "template"
    return by_program(kind, provenance.name, reason="rationale")
