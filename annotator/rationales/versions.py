"""Another writer's versions of a demo's rationales: written beside the ones that are there, taken or left."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotator.commands import changed_to, make_edit
from annotator.document import Document
from annotator.words import tr
from demopack.domain.edits import Change, Edit
from demopack.domain.rationale import Rationale
from demopack.domain.staleness import basis_on, step_basis
from demopack.errors import DemopackError
from demopack.jobs import JobControl, Progress
from models.language.contexts import DemoStory
from models.language.explained import Asked, Explainer, errors_in
from models.language.port import BudgetError, LanguageError, NoKeyError
from models.language.reports import money

if TYPE_CHECKING:
    from demopack.store import Library
    from models.language.check.findings import RationaleFinding

__all__ = ["StaleVersionError", "TakeVersions", "Version", "passing", "write_versions"]


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


def passing(versions: Sequence[Version]) -> list[Version]:
    """Those that pass the truth check."""
    return [one for one in versions if one.passes]


def write_versions(
    library: Library, demo_id: str, explainer: Explainer, *, control: JobControl, only: Collection[str] | None = None
) -> list[Version]:
    """Let a writer explain steps without storing anything.

    Its answers are kept by the ledger, so asking again after a crash, or taking a version later, costs nothing.

    Args:
        library: where the demo is.
        demo_id: which demo.
        explainer: the other writer.
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
    asked: list[Asked] = []
    for done, (index, step) in enumerate(wanted):
        control.token.check()
        cost = tr("; {money} so far").format(money=money(asked)) if asked else ""
        text = tr("{name}: {done} of {wanted} steps{cost}").format(
            name=explainer.name, done=done, wanted=len(wanted), cost=cost
        )
        control.report(Progress(done=done, total=len(wanted), text=text))
        try:
            made = explainer.explain(story.context(index), subject=f"{demo_id}/{step.id}", control=control)
        except (BudgetError, NoKeyError):
            raise
        except LanguageError as error:
            versions.append(Version(step_id=step.id, writer=explainer.name, rationale=None, trouble=str(error)))
            continue
        asked += made.asked
        rationale = made.rationale.model_copy(update={"basis": step_basis(step, demo)})
        story.told(index, rationale)
        versions.append(Version(step_id=step.id, writer=explainer.name, rationale=rationale, findings=made.findings))
    return versions


class StaleVersionError(DemopackError):
    """Versions that speak of another action or target than the demo has now."""

    def __init__(self, count: int) -> None:
        what = tr("The version was") if count == 1 else tr("The versions were")
        super().__init__(
            tr("{what} written before the task, the action or its target changed; the demo keeps what it has.").format(
                what=what
            ),
            hint=tr("Write the versions again."),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeVersions:
    """Versions that take the place of what is there; one edit."""

    versions: tuple[Version, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`.

        Raises:
            StaleVersionError: all of them were written from something else than what the demo shows now.
        """
        changes: list[Change] = []
        stale = 0
        for one in self.versions:
            step = document.step(one.step_id)
            if step is None or one.rationale is None or step.rationale == one.rationale:
                continue
            elements = () if step.before is None else document.elements(step.before.id)
            if one.rationale.basis != basis_on(step, task=document.head.task, elements=elements):
                stale += 1
                continue
            changes.append(changed_to(step, step.model_copy(update={"rationale": one.rationale})))
        if not changes:
            if stale:
                raise StaleVersionError(stale)
            return None
        writer = self.versions[0].writer
        label = (
            tr("Take the rationale that {writer} wrote").format(writer=writer)
            if len(changes) == 1
            else tr("Take {changes} rationales that {writer} wrote").format(changes=len(changes), writer=writer)
        )
        return make_edit(label, changes)
