"""Writing rationales by order, or beside those that are there, as versions to be taken or left."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from annotator.commands import make_edit
from annotator.document import Document
from annotator.words import tr
from demopack.domain.demos import step_basis
from demopack.domain.edits import Change, Edit
from demopack.domain.rationale import Rationale
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.settings import Settings
from models.language.port import BudgetError, LanguageAnswer, LanguageError, NoKeyError
from models.language.reports import RationaleWriter, errors_in, money
from models.language.step_context import DemoStory

if TYPE_CHECKING:
    from demopack.domain.rationale import RationaleMode
    from demopack.store import Library
    from models.language.check.truth_rule import RationaleFinding


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One step as another writer explains it.

    Attributes:
        step_id: which step.
        writer: who wrote it.
        rationale: what it says; None where the writer gave nothing.
        findings: what the truth check says about it.
        trouble: why there is none.
    """

    step_id: str
    writer: str
    rationale: Rationale | None
    findings: tuple[RationaleFinding, ...] = ()
    trouble: str = ""

    @property
    def passes(self) -> bool:
        """Whether there is one, and nothing in it is contradicted by the screen."""
        return self.rationale is not None and not errors_in(self.findings)


def write_versions(
    library: Library, demo_id: str, writer: RationaleWriter, *, control: JobControl, only: Collection[str] | None = None
) -> list[Version]:
    """Let a writer explain steps without storing anything.

    Its answers are kept in the log, so asking again after a crash, or taking a version later, costs nothing.

    Args:
        library: where the demo is.
        demo_id: which demo.
        writer: the other writer.
        control: progress, with what was paid so far, and cancelling.
        only: ids of the steps; None for all.

    Raises:
        CancelledError: the user stopped it.
        LanguageError: no budget or no key is left: every other step would fail, too.
        LibraryError: a picture is damaged.
    """
    demo = library.demo(demo_id)
    story = DemoStory(library, demo)
    wanted = [(i, step) for i, step in enumerate(demo.steps) if only is None or step.id in only]
    versions: list[Version] = []
    asked: list[LanguageAnswer[Any]] = []
    for done, (index, step) in enumerate(wanted):
        cost = tr("; {money} so far").format(money=money(asked)) if asked else ""
        text = tr("{name}: {done} of {wanted} steps{cost}").format(
            name=writer.name, done=done, wanted=len(wanted), cost=cost
        )
        control.step(done, len(wanted), text)
        try:
            made = writer.explain(story.context(index), subject=f"{demo_id}/{step.id}", control=control)
        except (BudgetError, NoKeyError):
            raise
        except LanguageError as error:
            versions.append(Version(step_id=step.id, writer=writer.name, rationale=None, trouble=str(error)))
            continue
        asked += made.asked
        rationale = made.rationale.model_copy(update={"basis": step_basis(step, demo)})
        story.told(index, rationale)
        versions.append(Version(step_id=step.id, writer=writer.name, rationale=rationale, findings=made.findings))
    return versions


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeVersions:
    """Versions that take the place of what is there; one edit."""

    versions: tuple[Version, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`.

        Raises:
            BadInputError: all of them were written from something else than what the demo shows now.
        """
        changes: list[Change] = []
        stale = 0
        for one in self.versions:
            step = document.step(one.step_id)
            if step is None or one.rationale is None or step.rationale == one.rationale:
                continue
            if one.rationale.basis != document.basis_of(step):
                stale += 1
                continue
            changes.append(Change.between(step, step.model_copy(update={"rationale": one.rationale})))
        if not changes:
            if not stale:
                return None
            what = tr("The version was") if stale == 1 else tr("The versions were")
            words = tr("{what} written before the task, the action or its target changed; the demo keeps what it has.")
            raise BadInputError(words.format(what=what), hint=tr("Write the versions again."))
        writer = self.versions[0].writer
        label = (
            tr("Take the rationale that {writer} wrote").format(writer=writer)
            if len(changes) == 1
            else tr("Take {changes} rationales that {writer} wrote").format(changes=len(changes), writer=writer)
        )
        return make_edit(label, changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOrder:
    """One order.

    Attributes:
        demos: ids of the demos.
        writer: ``template``, or a model as in the settings.
        only: ids of the steps; None for all.
        rewriting: what is replaced: nothing, what is stale, or all that a program wrote; a person's words stay.
        hindsight: whether the writer may see what came of each step.
        budget: dollars that it may cost; None for what the settings allow.
    """

    demos: tuple[str, ...]
    writer: str = "template"
    only: frozenset[str] | None = None
    rewriting: Literal["missing", "stale", "programs"] = "missing"
    hindsight: bool = False
    budget: float | None = None


def carry_out(library: Library, order: WriteOrder, settings: Settings, control: JobControl) -> str:
    """Write what was ordered, each step stored as soon as it is there; returns what to tell the user.

    Started again after a crash or a cancel it goes on where it was: what a model answered is never paid for twice.

    Raises:
        CancelledError: what was written is kept.
        BadInputError: there is no such model.
        LanguageError: no key, no library, no server.
        LibraryError: a demo was changed elsewhere meanwhile.
    """
    from models.language.rationale_run import write_demos

    with _opened(library, order, settings) as (writer, at_once):
        reports = write_demos(
            library, order.demos, writer, control=control, rewriting=order.rewriting, only=order.only, at_once=at_once
        )
    written, failed = sum(one.written for one in reports), sum(len(one.failed) for one in reports)
    asked = [one for report in reports for one in report.asked]
    what = tr("1 rationale") if written == 1 else tr("{written} rationales").format(written=written)
    told = (
        tr("{what} written for {money}.").format(what=what, money=money(asked))
        if asked
        else tr("{what} written.").format(what=what)
    )
    if failed:
        told += tr(" 1 step got none.") if failed == 1 else tr(" {failed} steps got none.").format(failed=failed)
    trouble = next((report.trouble for report in reports if report.trouble), "")
    return tr("{told} It ended early: {trouble}").format(told=told, trouble=trouble) if trouble else told


def try_beside(library: Library, order: WriteOrder, settings: Settings, control: JobControl) -> list[Version]:
    """Let the writer explain the steps of the one demo without storing anything.

    Raises:
        CancelledError, BadInputError, LanguageError, LibraryError: as :func:`carry_out`.
    """
    with _opened(library, order, settings) as (writer, _):
        return write_versions(library, order.demos[0], writer, control=control, only=order.only)


def _opened(
    library: Library, order: WriteOrder, settings: Settings
) -> AbstractContextManager[tuple[RationaleWriter, int]]:
    from models.language.writers import open_writer

    mode: RationaleMode = "hindsight" if order.hindsight else "no_hindsight"
    return open_writer(order.writer, settings.language, folder=library.folder, mode=mode, budget=order.budget)
