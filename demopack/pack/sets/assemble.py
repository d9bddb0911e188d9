"""Writes a pack out of demos of other packs: their rows byte for byte, their pictures, and everything around anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
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


def assemble(
    parts: Sequence[tuple[Pack, Collection[str]]],
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
        parts: open packs and the ids of the demos that are taken from each, in this order.
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
    _refuse_doubles([demo for _, demos in parts for demo in demos])
    packs = [pack for pack, _ in parts]
    licence = check_licence(licence) or _one_licence(packs)
    consents = dict.fromkeys(pack.manifest.consent.strip() for pack in packs)
    with (
        replaced_when_done(out, zipped=out.suffix.lower() == ".zip") as (sink, new),
        PackWriter(sink, new.parent) as writer,
    ):
        pack_of: list[Pack] = []
        for pack, wanted in parts:
            for demo in pack.lines():
                control.token.check()
                if demo.head.demo in wanted:
                    writer.demo(demo.head, demo.steps, demo.elements, pack, raw=demo.raw)
                    pack_of.append(pack)
        writer.write_tables()
        _write_pictures(list(zip(pack_of, writer.heads, strict=True)), sink, control)
        manifest = writer.finish(
            licence=licence,
            consent=consent.strip() or "\n".join(text for text in consents if text),
            redaction=_redaction([pack.manifest.redaction for pack in packs]),
            created_at=now(),
            texts=texts,
        )
        verified(new)
    return manifest.counts


def _refuse_doubles(demos: Sequence[str]) -> None:
    if not demos:
        raise BadInputError("No demo is left. Nothing was written.", hint="Ask for less, or name other packs.")
    for demo, number in Counter(demos).items():
        if number > 1:
            raise BadInputError(
                f"The demo {demo} is in several of the packs. Nothing was written.",
                hint="`demopack pack diff` says how they differ; take it from one of them.",
            )


def _one_licence(packs: Sequence[Pack]) -> str:
    licences = {pack.licence for pack in packs}
    if len(licences) > 1:
        said = ", ".join(sorted(licence or "none" for licence in licences))
        raise BadInputError(
            f"The packs have different licences: {said}. Nothing was written.",
            hint="Say with --licence under which one the new pack may be used.",
        )
    return licences.pop()


def _redaction(all_of: Sequence[Redaction]) -> Redaction:
    """The sum of the parts. Of a part of a pack nobody knows which values were its own, so all count."""
    replaced, kept, left_open = Counter[str](), Counter[str](), Counter[str]()
    for one in all_of:
        replaced.update(one.replaced)
        kept.update(one.kept)
        left_open.update(one.open)
    return Redaction(
        replaced=dict(replaced),
        kept=dict(kept),
        open=dict(left_open),
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
