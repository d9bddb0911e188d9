"""One import from beginning to end: everything is read first, and stored only when all of it is good."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from demopack.errors import BadInputError
from demopack.importing.building import Imported, ImportOptions
from demopack.importing.catalogue import importer, recognise
from demopack.importing.files import Files, open_files
from demopack.importing.importer import Importer, Skipped
from demopack.importing.report import DemoReport, ImportReport, SourceReport
from demopack.jobs import JobControl, Progress
from demopack.store import Library

__all__ = ["import_demos"]

_HELD: Final = 32
"""Demos of one source that are kept in memory, without pictures, between reading and storing; more are read twice."""


def import_demos(
    paths: Sequence[Path],
    library: Library | None,
    *,
    format: str = "auto",
    options: ImportOptions | None = None,
    control: JobControl | None = None,
) -> ImportReport:
    """Read demos from elsewhere, and store them.

    Each source is read through before anything of it is stored, so an error leaves the library as it was before that
    source. Each demo is stored wholly or not at all. A demo that is in the library already is left alone.

    Args:
        paths: folders, zips or files.
        library: where to; None only reads and reports.
        format: name of an importer, or ``auto``.
        options: what the person says beyond the files.
        control: progress, and the wish to stop.

    Raises:
        BadRowError: a row is bad; file, line, field and way out are named.
        BadInputError: a source cannot be read or is of no known format.
        PackError: a pack cannot be read.
        CancelledError: demos that were stored before are kept.
        DiskFullError: likewise.
    """
    options, control = options or ImportOptions(), control or JobControl()
    reports = [_one(path, library, format, options, control) for path in paths]
    return ImportReport(sources=reports, stored=library is not None)


def _one(path: Path, library: Library | None, name: str, options: ImportOptions, control: JobControl) -> SourceReport:
    with open_files(path) as files:
        chosen = recognise(files) if name == "auto" else importer(name)
        skipped = Skipped(allowed=options.skip_bad)
        held: list[Imported] = []
        reports: list[DemoReport] = []
        for imported in _read(chosen, files, options, skipped, control):
            reports.append(imported.report)
            if len(reports) <= _HELD:
                held.append(imported)
        if not reports and not skipped.tally.items():
            raise BadInputError(
                f"{path} holds no demo of the format {chosen.title}.", hint=f"It looks for {chosen.files}."
            )
        if library is not None:
            again = held if len(reports) <= _HELD else chosen.read(files, options, Skipped(allowed=options.skip_bad))
            reports = [_stored(imported, library, control, len(reports)) for imported in again]
        return SourceReport(
            path=str(path),
            format=chosen.name,
            title=chosen.title,
            guessed=name == "auto",
            demos=reports,
            skipped=skipped.tally.items(),
            ignored=files.ignored,
        )


def _read(
    chosen: Importer, files: Files, options: ImportOptions, skipped: Skipped, control: JobControl
) -> Iterator[Imported]:
    for done, imported in enumerate(chosen.read(files, options, skipped), start=1):
        control.token.check()
        control.report(Progress(done=done, total=0, text=f"Read {imported.report.source}"))
        yield imported


def _stored(imported: Imported, library: Library, control: JobControl, total: int) -> DemoReport:
    control.token.check()
    demo = imported.demo
    status: Literal["imported", "already_there"] = "already_there"
    if not _is_there(library, demo.head.id):
        for frame in demo.frames():
            key = library.put_image(imported.image(frame.id))
            assert key == frame.id
        library.add_demo(demo)
        status = "imported"
    control.report(Progress(done=0, total=total, text=f"Stored {demo.head.task or demo.head.id}"))
    return imported.report.model_copy(update={"status": status})


def _is_there(library: Library, demo: str) -> bool:
    try:
        library.demo(demo)
    except BadInputError:
        return False
    return True
