"""Writes a pack out of demos of other packs: their rows byte for byte, their pictures, and everything around anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from demopack.clock import utc_now
from demopack.errors import BadInputError, PackError
from demopack.jobs import JobControl
from demopack.pack.manifest import Counts, Redaction, check_licence
from demopack.pack.reader import Pack
from demopack.pack.rows import DemoRow
from demopack.pack.sink import PackSink, replaced_when_done
from demopack.pack.writer import PackWriter, verified


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoSelection:
    """What is taken from one pack.

    Attributes:
        pack: the open pack.
        demos: ids of the demos that are taken.
    """

    pack: Pack
    demos: Collection[str]


def assemble(
    parts: Sequence[DemoSelection],
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
    _refuse_doubles(parts)
    licence = check_licence(licence) or _one_licence(parts)
    consents = dict.fromkeys(part.pack.manifest.consent.strip() for part in parts)
    with (
        replaced_when_done(out, zipped=out.suffix.lower() == ".zip") as (sink, new),
        PackWriter(sink, new.parent) as writer,
    ):
        pack_of: list[Pack] = []
        for part in parts:
            for demo in part.pack.lines():
                control.token.check()
                if demo.head.demo in part.demos:
                    writer.demo(demo.head, demo.steps, demo.elements, part.pack, raw=demo.raw)
                    pack_of.append(part.pack)
        writer.write_tables()
        _write_pictures(list(zip(pack_of, writer.heads, strict=True)), sink, control)
        manifest = writer.finish(
            licence=licence,
            consent=consent.strip() or "\n".join(text for text in consents if text),
            redaction=_redaction(parts),
            created_at=now(),
            texts=texts,
        )
        verified(new)
    return manifest.counts


def _refuse_doubles(parts: Sequence[DemoSelection]) -> None:
    times = Counter(demo for part in parts for demo in part.demos)
    if not times:
        raise BadInputError("No demo is left. Nothing was written.", hint="Ask for less, or name other packs.")
    for demo, number in times.items():
        if number > 1:
            raise BadInputError(
                f"The demo {demo} is in several of the packs. Nothing was written.",
                hint="`demopack pack diff` says how they differ; take it from one of them.",
            )


def _one_licence(parts: Sequence[DemoSelection]) -> str:
    licences = {part.pack.licence for part in parts}
    if len(licences) > 1:
        said = ", ".join(sorted(licence or "none" for licence in licences))
        raise BadInputError(
            f"The packs have different licences: {said}. Nothing was written.",
            hint="Say with --licence under which one the new pack may be used.",
        )
    return licences.pop()


def _redaction(parts: Sequence[DemoSelection]) -> Redaction:
    """The sum of the parts. Of a part of a pack nobody knows which values were its own, so all count."""
    sums: dict[str, Counter[str]] = {"replaced": Counter(), "kept": Counter(), "open": Counter()}
    all_of = [part.pack.manifest.redaction for part in parts]
    for one in all_of:
        for name, counter in sums.items():
            counter.update(getattr(one, name))
    return Redaction(
        replaced=dict(sums["replaced"]),
        kept=dict(sums["kept"]),
        open=dict(sums["open"]),
        kept_digests=sorted({digest for one in all_of for digest in one.kept_digests}),
        secrets_hidden=sum(one.secrets_hidden for one in all_of),
        frames_covered=sum(one.frames_covered for one in all_of),
    )


def _write_pictures(demos: Sequence[tuple[Pack, DemoRow]], sink: PackSink, control: JobControl) -> None:
    """Every picture of the demos, once."""
    written: set[str] = set()
    for number, (pack, head) in enumerate(demos):
        control.step(number, len(demos), f"Writing {head.demo}")
        for frame in head.frames:
            if frame.file in written:
                raise PackError(
                    f"Two demos have a picture {frame.file}. Nothing was written.",
                    hint="Import one of the packs into a library and export it again.",
                )
            written.add(frame.file)
            sink.write(frame.file, pack.read(frame.file))
