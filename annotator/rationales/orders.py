"""What is ordered from a writer: for which steps, by whom, in place of what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from annotator.words import tr
from demopack.jobs import JobControl
from demopack.settings import Settings

if TYPE_CHECKING:
    from annotator.rationales.versions import Version
    from demopack.domain.rationale import RationaleMode
    from demopack.store import Library

__all__ = ["WriteOrder", "carry_out", "try_beside"]


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
    from models.language.reports import money
    from models.language.write import write_demos
    from models.language.writers import open_writer

    mode: RationaleMode = "hindsight" if order.hindsight else "no_hindsight"
    with open_writer(order.writer, settings.language, folder=library.folder, mode=mode, budget=order.budget) as ready:
        reports = write_demos(
            library, order.demos, ready.writer, control=control, rewriting=order.rewriting, only=order.only,
            at_once=ready.at_once,
        )  # fmt: skip
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
    from annotator.rationales.versions import write_versions
    from models.language.explained import explainer_of
    from models.language.writers import open_writer

    mode: RationaleMode = "hindsight" if order.hindsight else "no_hindsight"
    with open_writer(order.writer, settings.language, folder=library.folder, mode=mode, budget=order.budget) as ready:
        return write_versions(library, order.demos[0], explainer_of(ready.writer), control=control, only=order.only)
