"""Exports demos of a library, or packs, in one or several formats: the pack is written and checked first."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Sequence
from pathlib import Path

from demopack.atomic import disk_errors
from demopack.codecs.sets.base import ExportLog, ExportOptions, Format
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.pack.check.pack_check import refuse_broken
from demopack.pack.reader import open_packs, parts_of
from demopack.pack.writer import export_pack
from demopack.replacing import made_beside
from demopack.store import Library


@contextlib.contextmanager
def packs_of(
    library: Library | None,
    demos: Sequence[str],
    packs: Sequence[Path],
    out: Path,
    *,
    licence: str = "",
    consent: str = "",
    control: JobControl | None = None,
) -> Generator[list[Path]]:
    """The packs to export: those that are there, and one of the library's demos that lasts as long as the block.

    Args:
        library: where the demos are; may be None when there are none.
        demos: ids.
        packs: folders and zips.
        out: where the export will go; the passing pack is made beside it, so that its pictures can be linked.
        licence: SPDX expression for the demos; empty takes their own where all have the same.
        consent: what the recorded person agreed to.
        control: progress and cancelling.

    Raises:
        BadInputError: a demo cannot be exported, or nothing can be written beside ``out``; nothing was written.
        DiskFullError: no space left; nothing was written.
        PackError: a demo breaks a rule of a good pack; nothing was written.
    """
    if not demos or library is None:
        yield list(packs)
        return
    with contextlib.ExitStack() as stack:
        try:
            with disk_errors(out.parent):
                work = stack.enter_context(made_beside(out.absolute().with_name(f"{out.name}.pack")))
        except OSError as error:
            raise BadInputError(
                f"The export cannot be written to {out}; nothing was changed.",
                details=str(error),
                hint="Check the folder's permissions, or name another place with -o.",
            ) from error
        own = work / "pack"
        export_pack(library, demos, own, licence=licence, consent=consent, control=control)
        yield [own, *packs]


def export_formats(
    packs: Sequence[Path],
    formats: Sequence[Format],
    out: Path,
    *,
    options: ExportOptions,
    trees: bool = True,
    proven: bool = False,
    despite_errors: bool = False,
    control: JobControl | None = None,
) -> dict[Path, ExportLog]:
    """Write packs in other programs' formats.

    Args:
        packs: folders and zips, read as one; a folder that ``demopack pack split`` made stands for all its sides.
        formats: which; one alone is written into ``out`` itself, several into a folder of their name in it.
        out: the folder to make; an earlier export there is replaced, anything else is not.
        options: as chosen.
        trees: with what programs reported of their windows, where a format has a place for it.
        proven: only demos that a replay has done again.
        despite_errors: export packs that break rules, too.
        control: progress and cancelling.

    Returns:
        Folder -> what was written and what was lost; the same as its ``EXPORT_LOG.json``.

    Raises:
        PackError: a pack breaks a rule, or cannot be read. Nothing was written.
        BadInputError: an option does not fit a format, or ``out`` holds something else.
        CancelledError: formats that were finished before are kept.
        DiskFullError: as for cancelling.
    """
    if not packs:
        raise BadInputError("Nothing was named that could be exported.", hint="Name demos or packs.")
    packs = [part for pack in packs for part in parts_of(pack)]
    for chosen in formats:
        chosen.fitting(options)
    if not despite_errors:
        for pack in packs:
            refuse_broken(pack, "exported", hint="; --despite-errors exports all the same")
    done: dict[Path, ExportLog] = {}
    for chosen in formats:
        folder = out if len(formats) == 1 else out / chosen.name
        with open_packs(packs, trees=trees and "trees" in chosen.uses, proven=proven) as demos:
            done[folder] = chosen.export(demos, folder, options=options, control=control)
    return done
