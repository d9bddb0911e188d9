"""Writes demos as a pack: beside the target, read back, checked, and only then put in its place."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import Final

from demopack.clock import utc_now
from demopack.domain.demos import Demo
from demopack.domain.ports import FrameStore
from demopack.errors import BadInputError, PackError
from demopack.jobs import JobControl, Progress
from demopack.json_lines import LineError, dump_line, dump_pretty, parse_line
from demopack.pack.card import render_card
from demopack.pack.check.pack_check import check_pack, refusal
from demopack.pack.convert import demo_row, element_rows, frame_files, pruned, step_rows, tree_rows
from demopack.pack.manifest import (
    DEMOS,
    ELEMENTS,
    MANIFEST,
    STEPS,
    TABLES,
    TREES,
    Counts,
    Manifest,
    Redaction,
    check_licence,
)
from demopack.pack.page import page_shows, render_page
from demopack.pack.reader import open_pack
from demopack.pack.rows import DemoRow, ElementRow, StepRow, TreeRow
from demopack.pack.rules import Finding
from demopack.pack.schemas import schema_files
from demopack.pack.sets.statistics import RowCounter
from demopack.pack.sink import PackSink, replaced_when_done
from demopack.pack.source import BLOCK, open_source, raw_lines
from demopack.pack.thumbnails import Thumbnail, draw_thumbnails
from demopack.redaction.summary import summarise
from demopack.store import Library
from demopack.store.entities import naming_the_step

_MAX_IN_MEMORY_BYTES: Final = 4 << 20
"""Bytes of a table; a longer one waits in a file."""


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


class PackWriter:
    """A pack on its way to the disk: demos go in one after the other, and what is around them at the end.

    Memory holds no more rows than the page shows. Close it, or use ``with``.

    Args:
        sink: takes the files.
        folder: where tables may lie until they are whole.

    Attributes:
        heads: of the demos so far.
    """

    def __init__(self, sink: PackSink, folder: Path) -> None:
        self.heads: list[DemoRow] = []
        self._sink = sink
        self._tally = RowCounter()
        self._thumbnails: list[Thumbnail] = []
        self._steps: list[StepRow] = []
        self._elements: list[ElementRow] = []
        self._files = contextlib.ExitStack()
        self._tables = {
            name: self._files.enter_context(SpooledTemporaryFile[bytes](_MAX_IN_MEMORY_BYTES, dir=str(folder)))
            for name in TABLES
        }

    def demo(
        self,
        head: DemoRow,
        steps: Sequence[StepRow],
        elements: Sequence[ElementRow],
        images: FrameStore,
        *,
        trees: Iterable[TreeRow] = (),
        raw: Mapping[str, Iterable[bytes]] | None = None,
    ) -> None:
        """Add the rows of one demo; its pictures are written by the caller.

        Args:
            head: the demo.
            steps: in order.
            elements: picture by picture.
            images: its pictures.
            trees: window by window; taken one at a time.
            raw: name of a table -> the rows' lines, where they come from a file and are to stay as they are.

        Raises:
            CorruptFrameError: a picture is damaged that the card shows.
        """
        for name, rows in ((DEMOS, [head]), (STEPS, steps), (ELEMENTS, elements), (TREES, trees)):
            self._tables[name].writelines(raw[name] if raw else (dump_line(row).encode() for row in rows))
        self.heads.append(head)
        self._tally.demo(head, steps)
        self._tally.elements(elements)
        self._thumbnails += draw_thumbnails(steps, images, drawn=len(self._thumbnails))
        shows_steps, shows_elements = page_shows(self.heads)
        self._steps = [*self._steps, *steps] if shows_steps else []
        self._elements = [*self._elements, *elements] if shows_elements else []

    def write_tables(self) -> None:
        """Write the tables, when all demos are in."""
        for name, table in self._tables.items():
            size = table.tell()
            table.seek(0)
            self._sink.write_parts(name, iter(partial(table.read, BLOCK), b""), size=size)

    def finish(
        self,
        *,
        licence: str,
        consent: str,
        redaction: Redaction,
        created_at: datetime,
        texts: Mapping[str, str] | None = None,
    ) -> Manifest:
        """Write what is around the tables and pictures: schemas, ``texts``, card, page, ``pack.json``; all is on disk.

        Returns:
            The content of ``pack.json``.
        """
        numbers = self._tally.result()
        counts = Counts(
            demos=numbers.demos,
            steps=numbers.steps,
            elements=numbers.elements,
            trees=sum(head.trees for head in self.heads),
            frames=sum(len(head.frames) for head in self.heads),
            rationales=numbers.steps - numbers.rationales.get("none", 0),
        )
        for name, text in {**{f"schema/{n}": t for n, t in schema_files().items()}, **(texts or {})}.items():
            self._sink.write(name, text.encode())
        for thumbnail in self._thumbnails:
            self._sink.write(thumbnail.file, thumbnail.data)
        card = render_card(self.heads, counts, self._thumbnails, licence=licence, numbers=numbers)
        self._sink.write("README.md", card.encode())
        page = render_page(self.heads, self._steps, self._elements, numbers=numbers)
        self._sink.write("index.html", page.encode())
        manifest = Manifest(
            created_at=created_at,
            licence=licence,
            consent=consent,
            counts=counts,
            redaction=redaction,
            files=sorted(self._sink.entries, key=lambda entry: entry.path),
        )
        self._sink.write(MANIFEST, dump_pretty(manifest).encode())
        self._sink.close()
        return manifest

    def __enter__(self) -> PackWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._files.close()


def verified(new: Path) -> list[Finding]:
    """The warnings about a pack that was just written.

    Raises:
        PackError: it breaks a rule; the first place and the way out are named.
    """
    findings = check_pack(new)
    errors = [finding for finding in findings if finding.severity == "error"]
    if not errors:
        return findings
    first = errors[0]
    why = f"Nothing was written, because {_place(new, first)} breaks rule {first.rule}"
    raise refusal(why, errors, hint=first.fix)


def _place(pack: Path, finding: Finding) -> str:
    """Where something is wrong, in words of the demo where that can be said."""
    if finding.line is None or finding.file not in {STEPS, ELEMENTS}:
        return finding.file
    with open_source(pack) as source, contextlib.closing(raw_lines(source, finding.file)) as lines:
        raw = next(islice(lines, finding.line - 1, None))
    with contextlib.suppress(LineError):
        if finding.file == STEPS:
            step = parse_line(raw, StepRow)[1]
            return f"step {step.index + 1} of {step.demo} ({step.description})"
        row = parse_line(raw, ElementRow)[1]
        return f"the {row.type} {row.text or ''} on {row.image} of {row.demo}".replace("  ", " ")
    return finding.file


def export_pack(
    library: Library,
    demo_ids: Sequence[str],
    out: Path,
    *,
    licence: str = "",
    consent: str = "",
    zipped: bool = False,
    trees: bool = True,
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
        trees: with what programs reported about their windows.
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
    demos = [pruned(demo, trees=trees) for demo in whole]
    if not demos:
        raise BadInputError("No demo was named.", hint="`demopack list` shows what there is.")
    licence = check_licence(licence) or _common_licence(demos)
    total = sum(len(demo.frames()) for demo in demos) + 1
    done = 0
    with replaced_when_done(out, zipped=zipped) as (sink, new), PackWriter(sink, new.parent) as writer:
        for demo in demos:
            files = frame_files(demo)
            for key, name in files.items():
                control.token.check()
                with naming_the_step(demo):
                    sink.write(name, library.png_bytes(key))
                done += 1
                control.report(Progress(done=done, total=total, text=f"Writing {name}"))
            rows = (demo_row(demo, files), step_rows(demo, files), element_rows(demo, files))
            writer.demo(*rows, library, trees=tree_rows(demo))
        writer.write_tables()
        manifest = writer.finish(
            licence=licence,
            consent=consent.strip(),
            redaction=Redaction.model_validate(asdict(summarise(whole))),
            created_at=now(),
        )
        control.report(Progress(done=done, total=total, text="Checking the pack"))
        control.token.check()
        warnings = verified(new)
        _read_back(new, demos, manifest)
        size = sum(entry.size for entry in manifest.files) + len(dump_pretty(manifest).encode())
        control.token.check()
    control.report(Progress(done=total, total=total, text="Done"))
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


def _read_back(new: Path, demos: Sequence[Demo], manifest: Manifest) -> None:
    with open_pack(new) as pack:
        written = pack.whole_demos()
        differ = [demo.head.id for demo in demos if demo != next(written, None)]
        if differ or next(written, None) is not None or pack.manifest != manifest:
            raise PackError(
                "The pack that was written does not read back equal, so it was not kept; the demos are unharmed.",
                details=", ".join(differ),
                hint="Please report this, with the demo's id.",
            )
