"""Import of demos into a library: all is read first, and stored only when all of it is good."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from demopack.codecs.files import agentnet, ducktrack, openadapt, openadapt_capture, osworld, ufo
from demopack.codecs.files.base import DemoReport, ImportedDemo, Importer, ImportOptions, SkippedDemos
from demopack.codecs.files.source import SourceFiles
from demopack.codecs.losses import LossCounts, LostItem
from demopack.domain.demos import Demo
from demopack.domain.marks import certain_labels, rebound, with_labels
from demopack.domain.records import Record
from demopack.domain.words import counted, shorten
from demopack.errors import BadInputError, PackError
from demopack.file_names import UnsafePathError
from demopack.jobs import JobControl, Progress
from demopack.pack.check.pack_check import refuse_broken
from demopack.pack.convert import whole_response
from demopack.pack.manifest import LABELS_SINCE, MANIFEST, is_licence
from demopack.pack.reader import open_pack
from demopack.pack.source import FolderSource, ZipSource
from demopack.store import Library

_KINDS: Final = (("assumed", "assumed"), ("lost", "not carried"), ("skipped", "left out"))
_DONE: Final = {
    "read": "read, not stored",
    "imported": "imported",
    "already_there": "in the library already, unchanged",
}
_MAX_HELD: Final = 32
"""Demos of one source that are kept in memory, without pictures, between reading and storing; more are read twice."""


_GOAL_FLAG: Final = (
    "is_goal_complete is not the one of its action; a finish_goal was put behind the action, or says failure"
)
_LICENCE: Final = "the licence of the pack, because the demo has another one or this is no SPDX expression"
_KEPT: Final = "which values that may be private somebody kept; decide about them again with demopack redact"
_CONSENT: Final = "what the recorded person agreed to; say it again when you export the demo, with --consent"


def _read_pack(files: SourceFiles, _options: ImportOptions, _skipped: SkippedDemos) -> Iterator[ImportedDemo]:
    """The demos of a pack; it is whole or it is none, and the error tells where it breaks a rule of a good pack."""
    files.taken.update(files.tables)
    where = files.path.parent if files.only else files.path
    pack = files.enter_context(open_pack(where))  # a newer version, or none at all, is told as such
    refuse_broken(where, "imported")
    licence, consent = pack.licence, pack.manifest.consent
    for lines in pack.lines(trees=True):
        demo, assumed, lost = pack.whole(lines), LossCounts(), LossCounts()
        if pack.manifest.schema_version < LABELS_SINCE:
            demo = _with_labels(demo)
        count, frames = len(lines.steps), demo.frames()
        for row in lines.steps:
            if not whole_response(row).flag_follows:
                assumed.add("goal_flag", _GOAL_FLAG, f"step {row.index + 1}")
        if licence and not demo.head.licence and is_licence(licence):
            # Said of the whole pack, it holds for each demo of it.
            demo = replace(demo, head=demo.head.model_copy(update={"licence": licence}))
        if licence not in {"", demo.head.licence}:
            lost.add("licence", _LICENCE, licence)
        if consent:
            lost.add("consent", _CONSENT, shorten(consent))
        for digest in pack.kept_digests:
            lost.add("kept", _KEPT, digest)
        for frame in frames:
            pack.get_image(frame.id)
        report = DemoReport(
            demo=demo.head.id,
            task=demo.head.task,
            source=f"{MANIFEST}, {demo.head.id}",
            rows_in=count,
            rows_used=count,
            steps=len(demo.steps),
            pictures=len(frames),
            assumed=assumed.items(),
            lost=lost.items(),
        )
        yield ImportedDemo(demo=demo, image=pack.get_image, report=report)


def _with_labels(demo: Demo) -> Demo:
    """A demo of an earlier pack, in which boxes to tick and their labels are elements of their own, as now."""
    owned = {frame: certain_labels(found) for frame, found in demo.elements.items()}
    if not any(owned.values()):
        return demo
    every = {mark: label for pairs in owned.values() for mark, label in pairs.items()}
    return replace(
        demo,
        elements={frame: with_labels(found, owned[frame]) for frame, found in demo.elements.items()},
        steps=tuple(rebound(step, every) for step in demo.steps),
    )


PACK: Final = Importer(
    name="pack",
    title="demo pack",
    files=f"{MANIFEST} and what it lists, a folder or a zip",
    before="as it was recorded",
    # At the top, or in a zip's only folder.
    sniff=lambda files: files.has(MANIFEST) and files.only in {"", MANIFEST},
    read=_read_pack,
)
IMPORTERS: Final[tuple[Importer, ...]] = (
    PACK,
    agentnet.IMPORTER,
    ducktrack.IMPORTER,
    osworld.IMPORTER,
    openadapt.IMPORTER,
    openadapt_capture.IMPORTER,
    ufo.IMPORTER,
)


def importer(name: str) -> Importer:
    """The importer of a format.

    Raises:
        BadInputError: there is none.
    """
    found = next((one for one in IMPORTERS if one.name == name), None)
    if found is None:
        names = ", ".join(one.name for one in IMPORTERS)
        raise BadInputError(f"There is no importer called “{name}”.", hint=f"Use auto or one of {names}.")
    return found


def recognise(files: SourceFiles) -> Importer:
    """The one importer whose files these are.

    Raises:
        BadInputError: none knows them, or several do.
    """
    if PACK.sniff(files):
        return PACK  # exports of ours that lie inside a pack are no second opinion
    found = [one for one in IMPORTERS if one.sniff(files)]
    if len(found) == 1:
        return found[0]
    if not found:
        known = "; ".join(f"{one.name}: {one.files}" for one in IMPORTERS)
        raise BadInputError(f"{files.path} holds no demos that are known.", hint=f"Known are {known}.")
    names = " or ".join(one.name for one in found)
    raise BadInputError(
        f"{files.path} holds demos of several formats.", hint=f"Say which format, {names}, or import each apart."
    )


class SourceReport(Record):
    """One folder, zip or file.

    Attributes:
        path: as it was named.
        format: name of the importer.
        title: of the format, for people.
        guessed: whether the format was recognised by what is in the files, not named.
        demos: in the order of the files.
        skipped: whole demos that were left out, because that was asked for.
        ignored: JSON files that are of another kind, or cannot be told to be of this one; nothing was read from them.
    """

    path: str
    format: str
    title: str
    guessed: bool
    demos: list[DemoReport] = Field(default_factory=list[DemoReport])
    skipped: list[LostItem] = Field(default_factory=list[LostItem])
    ignored: list[str] = Field(default_factory=list[str])


class ImportReport(Record):
    """Everything that one import did.

    Attributes:
        sources: one for each path.
        stored: whether demos were stored, or only read to tell what would happen.
    """

    sources: list[SourceReport]
    stored: bool

    @property
    def demos(self) -> list[DemoReport]:
        """Of all sources, in order."""
        return [demo for source in self.sources for demo in source.demos]


def report_text(report: ImportReport) -> list[str]:
    """The report for people, line by line."""
    lines: list[str] = []
    for source in report.sources:
        how = "recognised by its files" if source.guessed else "as named"
        lines.append(f"{source.path}: {source.title} ({how})")
        for demo in source.demos:
            lines += _demo_text(demo)
        lines += _items("  left out", source.skipped)
        if source.ignored:
            lines.append(
                f"  not read: {counted(len(source.ignored), 'other JSON file')}, for instance {source.ignored[0]}"
            )
    return lines


def _demo_text(demo: DemoReport) -> list[str]:
    kept = f", {demo.rows_noted} kept as notes" if demo.rows_noted else ""
    left = f", {demo.rows_skipped} left out" if demo.rows_skipped else ""
    rows = f"{counted(demo.rows_in, demo.unit)} in {demo.source}: {demo.rows_used} used{kept}{left}"
    lines = [
        f"  {demo.demo}  {demo.task or 'no task written'}  ({_DONE[demo.status]})",
        f"    {rows}; {counted(demo.steps, 'step')}, {counted(demo.pictures, 'picture')}",
    ]
    for name, word in _KINDS:
        lines += _items(f"    {word}", getattr(demo, name))
    return lines


def _items(word: str, items: Sequence[LostItem]) -> list[str]:
    return [f"{word}: {item.why.rstrip('.')} ({item.count}x, for instance {item.examples[0]})" for item in items]


def open_files(path: Path) -> SourceFiles:
    """A folder, a zip, or a file with what lies beside it.

    Raises:
        BadInputError: there is nothing, or the zip is damaged.
        UnsafePathError: the zip holds a path that leads outside.
    """
    if path.is_dir():
        return SourceFiles(FolderSource(path), path=path)
    if not path.is_file():
        raise BadInputError(f"There is no file or folder {path}.", hint="Check the path.")
    if path.suffix.lower() != ".zip":
        return SourceFiles(FolderSource(path.parent), path=path, only=path.name)
    try:
        return SourceFiles(ZipSource(path), path=path)
    except UnsafePathError:
        raise
    except PackError as error:
        raise BadInputError(
            f"{path} is not a zip that can be read.", details=str(error), hint="Get the file again."
        ) from error


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
        skipped = SkippedDemos(allowed=options.skip_bad)
        held: list[ImportedDemo] = []
        reports: list[DemoReport] = []
        for imported in chosen.read(files, options, skipped):
            control.step(len(reports) + 1, 0, f"Read {imported.report.source}")
            reports.append(imported.report)
            if len(reports) <= _MAX_HELD:
                held.append(imported)
        if not reports and not skipped.counts.items():
            raise BadInputError(
                f"{path} holds no demo of the format {chosen.title}.", hint=f"It looks for {chosen.files}."
            )
        if library is not None:
            ignored = SkippedDemos(allowed=options.skip_bad)
            again = held if len(reports) <= _MAX_HELD else chosen.read(files, options, ignored)
            reports = [_stored(imported, library, control, len(reports)) for imported in again]
        return SourceReport(
            path=str(path),
            format=chosen.name,
            title=chosen.title,
            guessed=name == "auto",
            demos=reports,
            skipped=skipped.counts.items(),
            ignored=files.ignored,
        )


def _stored(imported: ImportedDemo, library: Library, control: JobControl, total: int) -> DemoReport:
    control.token.check()
    demo = imported.demo
    status: Literal["imported", "already_there"] = "already_there"
    try:
        library.demo(demo.head.id)
    except BadInputError:
        status = "imported"
    if status == "imported":
        for frame in demo.frames():
            key = library.put_image(imported.image(frame.id))
            assert key == frame.id
        library.add_demo(demo)
    control.report(Progress(done=0, total=total, text=f"Stored {demo.head.task or demo.head.id}"))
    return imported.report.model_copy(update={"status": status})
