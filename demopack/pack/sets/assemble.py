"""Writes a pack out of demos of other packs: their rows byte for byte, their pictures, and everything around anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from demopack.clock import utc_now
from demopack.domain.frames import RgbImage
from demopack.errors import BadInputError, CorruptFrameError, PackError
from demopack.jobs import JobControl, Progress
from demopack.pack.card import render_card
from demopack.pack.check import check_pack
from demopack.pack.lines import dump_pretty, parse_object, read_row
from demopack.pack.manifest import DEMOS, ELEMENTS, MANIFEST, STEPS, Counts, Manifest, Redaction, check_licence
from demopack.pack.page import page_shows, render_page
from demopack.pack.picture import decode
from demopack.pack.preview import draw_previews
from demopack.pack.rows import DemoRow, ElementRow, StepRow
from demopack.pack.schemas import schema_files
from demopack.pack.sets.statistics import tally_rows
from demopack.pack.sink import PackSink, replaced_when_done
from demopack.pack.source import PackSource, raw_lines

__all__ = ["Part", "assemble"]

_R = TypeVar("_R", StepRow, ElementRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What is taken from one pack.

    Attributes:
        source: the open pack.
        manifest: its manifest.
        demos: ids of the demos that are taken; None for all.
    """

    source: PackSource
    manifest: Manifest
    demos: Collection[str] | None = None


class _Pictures:
    """The pictures of the new pack by id, for the card."""

    def __init__(self, places: Mapping[str, tuple[PackSource, str, int]]) -> None:
        self._places = places

    def get_image(self, frame_id: str) -> RgbImage:
        source, name, limit = self._places[frame_id]
        try:
            return decode(source.read(name, limit=limit)).image
        except ValueError as error:
            raise CorruptFrameError(f"The picture {name} is damaged.", details=str(error)) from error

    def put_image(self, image: RgbImage) -> str:
        raise PackError(f"A picture of {image.shape[1]} x {image.shape[0]} pixels cannot be added here.")


def assemble(
    parts: Sequence[Part],
    out: Path,
    *,
    licence: str = "",
    consent: str = "",
    texts: Mapping[str, str] | None = None,
    control: JobControl | None = None,
    now: Callable[[], datetime] = utc_now,
) -> Counts:
    """Write one pack; it is checked before it takes its place.

    Args:
        parts: what it is made of, in this order.
        out: the folder, or the zip where it ends in ``.zip``.
        licence: SPDX expression; empty takes the parts' own where all have the same.
        consent: empty joins what the parts say.
        texts: further files, by name.
        control: progress and cancel.
        now: the wall clock.

    Raises:
        BadInputError: the licences differ, a demo is there twice, or nothing is left. Nothing was written.
        PackError: a part cannot be read, or what came of it breaks a rule. Nothing was written.
        CancelledError: nothing was written.
    """
    control = control or JobControl()
    heads = list(_heads(parts))
    licence = check_licence(licence) or _one_licence(parts)
    consents = dict.fromkeys(part.manifest.consent.strip() for part in parts)
    with replaced_when_done(out, zipped=out.suffix.lower() == ".zip") as (sink, new):
        writing = _Writing(parts, sink, control)
        counts = writing.tables(frames=sum(len(head.frames) for _, head in heads))
        writing.pictures(heads)
        for name, text in {**{f"schema/{n}": t for n, t in schema_files().items()}, **(texts or {})}.items():
            sink.write(name, text.encode())
        writing.around([head for _, head in heads], counts, licence)
        manifest = Manifest(
            created_at=now(),
            licence=licence,
            consent=consent.strip() or "\n".join(text for text in consents if text),
            counts=counts,
            redaction=_redaction(parts),
            files=sorted(sink.entries, key=lambda entry: entry.path),
        )
        sink.write(MANIFEST, dump_pretty(manifest).encode())
        sink.close()
        errors = [finding for finding in check_pack(new) if finding.severity == "error"]
        if errors:
            raise PackError(
                f"Nothing was written: what came of it breaks rule {errors[0].rule} in {errors[0].file}: "
                f"{errors[0].message}",
                details="\n".join(f"{f.rule} {f.file}:{f.line} {f.message}" for f in errors),
                hint="Run `demopack check` on the packs that it is made of.",
            )
    return counts


def _heads(parts: Sequence[Part]) -> Iterator[tuple[Part, DemoRow]]:
    seen: set[str] = set()
    for part in parts:
        for line in _lines(part, DEMOS):
            try:
                head = read_row(line, DemoRow)
            except ValueError as error:
                raise _unreadable(part, DEMOS) from error
            if head.demo in seen:
                raise BadInputError(
                    f"The demo {head.demo} is in several of the packs. Nothing was written.",
                    hint="`demopack pack diff` says how they differ; take it from one of them.",
                )
            seen.add(head.demo)
            yield part, head
    if not seen:
        raise BadInputError("No demo is left. Nothing was written.", hint="Ask for less, or name other packs.")


def _lines(part: Part, table: str) -> Iterator[bytes]:
    """The lines of the demos that are taken."""
    for line in raw_lines(part.source, table):
        if part.demos is not None:
            demo = _row(part, table, line).get("demo")
            if demo not in part.demos:
                continue
        yield line


def _row(part: Part, table: str, line: bytes) -> dict[str, Any]:
    try:
        return parse_object(line.decode("utf-8"))
    except ValueError as error:
        raise _unreadable(part, table) from error


def _unreadable(part: Part, table: str) -> PackError:
    return PackError(
        f"A line of {table} in {part.source.path} cannot be read. Nothing was written.",
        hint="`demopack check` says which.",
    )


def _one_licence(parts: Sequence[Part]) -> str:
    licences = {part.manifest.licence for part in parts}
    if len(licences) > 1:
        said = ", ".join(sorted(licence or "none" for licence in licences))
        raise BadInputError(
            f"The packs have different licences: {said}. Nothing was written.",
            hint="Say with --licence under which one the new pack may be used.",
        )
    return licences.pop()


def _redaction(parts: Sequence[Part]) -> Redaction:
    """The sum of the parts. Of a part of a pack nobody knows which values were its own, so all count."""
    sums: dict[str, Counter[str]] = {"replaced": Counter(), "kept": Counter(), "open": Counter()}
    for part in parts:
        for name, counter in sums.items():
            counter.update(getattr(part.manifest.redaction, name))
    all_of = [part.manifest.redaction for part in parts]
    return Redaction(
        replaced=dict(sums["replaced"]),
        kept=dict(sums["kept"]),
        open=dict(sums["open"]),
        kept_digests=sorted({digest for one in all_of for digest in one.kept_digests}),
        secrets_hidden=sum(one.secrets_hidden for one in all_of),
        frames_covered=sum(one.frames_covered for one in all_of),
    )


class _Writing:
    """One pack on its way to the disk."""

    def __init__(self, parts: Sequence[Part], sink: PackSink, control: JobControl) -> None:
        self._parts, self._sink, self._control = parts, sink, control
        self._places: dict[str, tuple[PackSource, str, int]] = {}
        self._written: set[str] = set()

    def tables(self, *, frames: int) -> Counts:
        """The three tables, line by line."""
        counted: Counter[str] = Counter()

        def lines(table: str) -> Iterator[bytes]:
            for part in self._parts:
                for line in _lines(part, table):
                    counted[table] += 1
                    if table == STEPS:
                        counted["rationales"] += _row(part, table, line).get("rationale") is not None
                    yield line

        for table in (DEMOS, STEPS, ELEMENTS):
            self._control.token.check()
            self._sink.write_parts(table, lines(table))
        return Counts(
            demos=counted[DEMOS],
            steps=counted[STEPS],
            elements=counted[ELEMENTS],
            frames=frames,
            rationales=counted["rationales"],
        )

    def pictures(self, heads: Sequence[tuple[Part, DemoRow]]) -> None:
        """Every picture of the demos, once."""
        for number, (part, head) in enumerate(heads):
            self._control.token.check()
            self._control.report(Progress(done=number, total=len(heads), text=f"Writing {head.demo}"))
            limits = {entry.path: entry.size for entry in part.manifest.files}
            for frame in head.frames:
                if frame.file in self._written:
                    raise PackError(
                        f"Two demos have a picture {frame.file}. Nothing was written.",
                        hint="Import one of the packs into a library and export it again.",
                    )
                self._written.add(frame.file)
                self._places[frame.id] = (part.source, frame.file, limits.get(frame.file, 0))
                self._sink.write(frame.file, part.source.read(frame.file, limit=limits.get(frame.file, 0)))

    def around(self, heads: Sequence[DemoRow], counts: Counts, licence: str) -> None:
        """The card, its pictures, and the page."""
        numbers = tally_rows(heads, self._rows(STEPS, StepRow), self._rows(ELEMENTS, ElementRow))
        shows_steps, shows_elements = page_shows(heads)
        steps = list(self._rows(STEPS, StepRow)) if shows_steps else []
        elements = list(self._rows(ELEMENTS, ElementRow)) if shows_elements else []
        previews = draw_previews(steps, _Pictures(self._places))
        for preview in previews:
            self._sink.write(preview.file, preview.data)
        card = render_card(heads, counts, previews, licence=licence, numbers=numbers)
        self._sink.write("README.md", card.encode())
        self._sink.write("index.html", render_page(heads, steps, elements, numbers=numbers).encode())

    def _rows(self, table: str, model: type[_R]) -> Iterator[_R]:
        for part in self._parts:
            for line in _lines(part, table):
                try:
                    yield read_row(line, model)
                except ValueError as error:
                    raise _unreadable(part, table) from error
