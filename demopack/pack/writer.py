"""Writes demos as a pack: beside the target, read back, checked, and only then put in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from demopack.clock import utc_now
from demopack.domain.demos import Demo
from demopack.errors import BadInputError, PackError
from demopack.jobs import JobControl, Progress
from demopack.pack.card import render_card
from demopack.pack.check import check_pack
from demopack.pack.convert import demo_row, element_rows, frame_files, pruned, step_rows
from demopack.pack.findings import Finding
from demopack.pack.lines import dump_line, dump_pretty
from demopack.pack.manifest import DEMOS, ELEMENTS, MANIFEST, STEPS, Counts, Manifest, Redaction, check_licence
from demopack.pack.page import render_page
from demopack.pack.preview import draw_previews
from demopack.pack.reader import read_pack
from demopack.pack.rows import DemoRow, ElementRow, StepRow
from demopack.pack.schemas import schema_files
from demopack.pack.sets.statistics import tally_rows
from demopack.pack.sink import PackSink, replaced_when_done
from demopack.redaction.summary import summarise
from demopack.store import Library
from demopack.store.blame import naming_the_step

__all__ = ["PackSummary", "export_pack"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PackSummary:
    """What an export wrote.

    Attributes:
        path: the folder or the zip.
        counts: rows and pictures.
        files: how many, ``pack.json`` included.
        size: bytes of all files, unpacked.
        warnings: what the check found worth a look; errors there are none.
        redaction: what was hidden, kept, and not decided about.
    """

    path: Path
    counts: Counts
    files: int
    size: int
    warnings: tuple[Finding, ...]
    redaction: Redaction


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tables:
    demos: list[DemoRow]
    steps: list[StepRow]
    elements: list[ElementRow]

    @property
    def counts(self) -> Counts:
        return Counts(
            demos=len(self.demos),
            steps=len(self.steps),
            elements=len(self.elements),
            frames=sum(len(row.frames) for row in self.demos),
            rationales=sum(row.rationale is not None for row in self.steps),
        )


def export_pack(
    library: Library,
    demo_ids: Sequence[str],
    out: Path,
    *,
    licence: str = "",
    consent: str = "",
    zipped: bool = False,
    control: JobControl | None = None,
    now: Callable[[], datetime] = utc_now,
) -> PackSummary:
    """Write demos as a pack.

    Args:
        library: where the demos are.
        demo_ids: which; in this order, each once.
        out: the folder or the zip to make; one that is there is replaced only if it is a pack, or an empty folder.
        licence: SPDX expression; empty takes the demos' own where all have the same.
        consent: what the recorded person agreed to.
        zipped: write one zip instead of a folder.
        control: progress and cancel.
        now: the wall clock; the manifest's ``created_at`` is all that comes from it.

    Raises:
        BadInputError: no demo, a demo without steps or still being recorded, a wrong licence, or ``out`` is
            something else. Nothing was written.
        PackError: a demo breaks a rule of a good pack; the message names step and way out. Nothing was written.
        CorruptFrameError: a picture in the library is damaged. Nothing was written.
        DiskFullError: what was at ``out`` is still there.
        CancelledError: as ``DiskFullError``.
    """
    control = control or JobControl()
    whole = [_exportable(library.demo(key)) for key in dict.fromkeys(demo_ids)]
    demos = [pruned(demo) for demo in whole]
    if not demos:
        raise BadInputError("No demo was named.", hint="`demopack list` shows what there is.")
    licence = check_licence(licence) or _common_licence(demos)
    total = sum(len(demo.frames()) for demo in demos)
    with replaced_when_done(out, zipped=zipped) as (sink, new):
        tables = _write_frames(library, demos, sink, control, total)
        _write_texts(library, tables, sink, licence)
        manifest = Manifest(
            created_at=now(),
            licence=licence,
            consent=consent.strip(),
            counts=tables.counts,
            redaction=Redaction.model_validate(asdict(summarise(whole))),
            files=sorted(sink.entries, key=lambda entry: entry.path),
        )
        text = dump_pretty(manifest).encode()
        sink.write(MANIFEST, text)
        sink.close()
        control.report(Progress(done=total, total=total + 1, text="Checking the pack"))
        control.token.check()
        warnings = _verify(new, demos, tables, manifest)
        control.token.check()
    control.report(Progress(done=total + 1, total=total + 1, text="Done"))
    size = len(text) + sum(entry.size for entry in manifest.files)
    return PackSummary(
        path=out,
        counts=manifest.counts,
        files=len(manifest.files) + 1,
        size=size,
        warnings=tuple(warnings),
        redaction=manifest.redaction,
    )


def _exportable(demo: Demo) -> Demo:
    name = f"The demo {demo.head.id} ({demo.head.task or 'no task'})"
    if demo.head.status == "recording":
        raise BadInputError(f"{name} is still being recorded.", hint="Stop the recording, then export it.")
    if not demo.steps:
        raise BadInputError(f"{name} has no steps.", hint="Leave it out, or record it again.")
    return demo


def _common_licence(demos: Sequence[Demo]) -> str:
    licences = {demo.head.licence for demo in demos}
    return check_licence(licences.pop()) if len(licences) == 1 else ""


def _write_frames(library: Library, demos: Sequence[Demo], sink: PackSink, control: JobControl, total: int) -> _Tables:
    tables = _Tables(demos=[], steps=[], elements=[])
    done = 0
    for demo in demos:
        files = frame_files(demo)
        for key, name in files.items():
            control.token.check()
            with naming_the_step(demo):
                sink.write(name, library.png_bytes(key))
            done += 1
            control.report(Progress(done=done, total=total + 1, text=f"Writing {name}"))
        tables.demos.append(demo_row(demo, files))
        tables.steps.extend(step_rows(demo, files))
        tables.elements.extend(element_rows(demo, files))
    return tables


def _write_texts(library: Library, tables: _Tables, sink: PackSink, licence: str) -> None:
    for name, rows in ((DEMOS, tables.demos), (STEPS, tables.steps), (ELEMENTS, tables.elements)):
        sink.write(name, "".join(dump_line(row) for row in rows).encode())
    for name, text in schema_files().items():
        sink.write(f"schema/{name}", text.encode())
    previews = draw_previews(tables.steps, library)
    for preview in previews:
        sink.write(preview.file, preview.data)
    numbers = tally_rows(tables.demos, tables.steps, tables.elements)
    card = render_card(tables.demos, tables.counts, previews, licence=licence, numbers=numbers)
    sink.write("README.md", card.encode())
    sink.write("index.html", render_page(tables.demos, tables.steps, tables.elements, numbers=numbers).encode())


def _verify(new: Path, demos: Sequence[Demo], tables: _Tables, manifest: Manifest) -> list[Finding]:
    """Check what was written, and read it back; returns the warnings."""
    findings = check_pack(new)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        raise _broken_rule(errors, tables)
    with read_pack(new) as pack:
        if pack.demos != list(demos) or pack.manifest != manifest:
            raise PackError(
                "The pack that was written does not read back equal, so it was not kept; the demos are unharmed.",
                details=", ".join(a.head.id for a, b in zip(pack.demos, demos, strict=False) if a != b),
                hint="Please report this, with the demo's id.",
            )
    return findings


def _broken_rule(errors: Sequence[Finding], tables: _Tables) -> PackError:
    first = errors[0]
    where = first.file
    if first.line is not None and first.file == STEPS:
        row = tables.steps[first.line - 1]
        where = f"step {row.index + 1} of {row.demo} ({row.description})"
    elif first.line is not None and first.file == ELEMENTS:
        element = tables.elements[first.line - 1]
        where = f"the {element.type} {element.text or ''} on {element.image} of {element.demo}".replace("  ", " ")
    more = f" {len(errors) - 1} more places break a rule." if len(errors) > 1 else ""
    return PackError(
        f"Nothing was written, because {where} breaks rule {first.rule}: {first.message}{more}",
        details="\n".join(f"{f.rule} {f.file}:{f.line} {f.message}" for f in errors),
        hint=first.fix,
    )
