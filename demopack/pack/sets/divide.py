"""Splits, merges and compares packs on the disk: the work of ``demopack pack``.

Rows of a new pack are those of other packs byte for byte, with their pictures; everything around them is made anew.
Rows of a pack with the schemas of an earlier version are written anew, so that those of this version hold.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from demopack.atomic import write_text_atomic
from demopack.clock import utc_now
from demopack.domain.words import counted
from demopack.errors import BadInputError, PackError
from demopack.jobs import JobControl
from demopack.json_lines import dump_pretty
from demopack.pack.manifest import Counts, Redaction, check_licence
from demopack.pack.reader import SPLITS, Pack, Packs, open_pack, open_packs
from demopack.pack.rows import DemoRow
from demopack.pack.schemas import schema_files
from demopack.pack.sets.compare import CHANGES, change_list, compare
from demopack.pack.sets.filters import Filter, chosen
from demopack.pack.sets.splits import By, Split, split_demos
from demopack.pack.sets.statistics import PackStatistics, RowCounter
from demopack.pack.sink import PackSink, replaced_when_done
from demopack.pack.writer import PackWriter, verified


def divide(
    path: Path,
    shares: Mapping[str, float],
    wanted: Filter,
    *,
    out: Path | None,
    by: By = "task",
    seed: int = 0,
    allow_leaks: bool = False,
    control: JobControl | None = None,
    now: Callable[[], datetime] = utc_now,
) -> tuple[Split, dict[str, str]]:
    """Divide a pack, and write a pack for each side.

    Args:
        path: the pack.
        shares: side -> share.
        wanted: which demos.
        out: the folder for the packs and ``SPLITS.json``; None only says who would go where.
        by: what stays together.
        seed: see :func:`split_demos`.
        allow_leaks: see :func:`split_demos`.
        control: progress and cancel.
        now: the wall clock.

    Returns:
        The division, and why each demo that is in none of the packs was left out.

    Raises:
        BadInputError: too few demos, or something else stands where a pack should go.
        PackError: the pack cannot be read.
        CancelledError: packs that were finished stay.
    """
    with open_packs([path]) as packs:
        demos, left = chosen(packs, wanted, Pack.recorded)
        split = split_demos(demos, shares, by=by, seed=seed, allow_leaks=allow_leaks, control=control)
    if out is None:
        return split, left
    if out.exists() and not out.is_dir():
        raise BadInputError(f"{out} is a file; it was left as it is.", hint="Name a folder with -o.")
    with open_pack(path) as pack:
        for side, ids in split.sides.items():
            assemble([(pack, frozenset(ids))], out / side, control=control, now=now)
    write_text_atomic(out / SPLITS, dump_pretty({**split.to_json(), "left_out": left}))
    return split, left


def split_text(split: Split, left: Mapping[str, str]) -> Iterator[str]:
    """Line by line, for people."""
    for side, demos in split.sides.items():
        yield f"{side}: {counted(len(demos), 'demo')}, {counted(split.steps[side], 'step')}"
    if split.joined:
        yield f"{counted(split.joined, 'group')} of demos stayed with others because they share steps"
    if split.shared_screens:
        pairs = (
            "pair of demos on different sides shows"
            if split.shared_screens == 1
            else "pairs of demos on different sides show"
        )
        yield f"{split.shared_screens} {pairs} a screen in common, doing something else"
    for leak in split.leaks[:10]:
        yield f"leak: {leak.one} and {leak.other} do the same on the same screen"
    if len(split.leaks) > 10:
        yield f"and {counted(len(split.leaks) - 10, 'more leak')}"
    for demo, reason in left.items():
        yield f"left out: {demo}, {reason}"


def merge_packs(
    paths: Sequence[Path],
    out: Path,
    wanted: Filter,
    *,
    licence: str = "",
    consent: str = "",
    texts: Mapping[str, str] | None = None,
    control: JobControl | None = None,
    now: Callable[[], datetime] = utc_now,
) -> tuple[Counts, dict[str, str]]:
    """Make one pack of the demos that are wanted.

    Returns:
        What the new pack holds, and why each other demo was left out.

    Raises:
        BadInputError: the licences differ, a demo is in two packs, or nothing is left. Nothing was written.
        PackError: a pack cannot be read. Nothing was written.
    """
    left: dict[str, str] = {}
    with contextlib.ExitStack() as stack:
        parts: list[tuple[Pack, Collection[str]]] = []
        for path in paths:
            pack = stack.enter_context(open_pack(path))
            taken, others = chosen(Packs([pack]), wanted, lambda _, lines: lines.head.demo)
            left |= others
            parts.append((pack, frozenset(taken)))
        counts = assemble(parts, out, licence=licence, consent=consent, texts=texts, control=control, now=now)
    return counts, left


def with_version(
    path: Path,
    old: Path,
    out: Path,
    *,
    version: str,
    note: str = "",
    control: JobControl | None = None,
    now: Callable[[], datetime] = utc_now,
) -> None:
    """Write a pack once more, with a list of what changed since another.

    Raises:
        BadInputError: the version does not come after the other's. Nothing was written.
        PackError: a pack cannot be read. Nothing was written.
    """
    with open_pack(old) as before, open_pack(path) as after:
        diff = compare(before, after)
        text = change_list(before.source, diff, version=version, day=now().date(), note=note)
    merge_packs([path], out, Filter(), texts={CHANGES: text}, control=control, now=now)


def statistics_of(paths: Sequence[Path]) -> PackStatistics:
    """Count what is in packs, demo by demo.

    Raises:
        PackError: a pack cannot be read.
        BadInputError: a demo is in two of them.
    """
    tally = RowCounter()
    with open_packs(paths) as packs:
        for _, lines in packs.lines():
            tally.demo(lines.head, lines.steps)
            tally.elements(row for row in lines.elements if row.number)
    return tally.result()


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
            keeps_bytes = _has_our_schemas(pack)
            for demo in pack.lines(trees=True):
                control.token.check()
                if demo.head.demo in wanted:
                    raw = demo.raw if keeps_bytes else None
                    writer.demo(demo.head, demo.steps, demo.elements, pack, trees=demo.trees, raw=raw)
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


def _has_our_schemas(pack: Pack) -> bool:
    try:
        return all(pack.read(f"schema/{name}") == text.encode() for name, text in schema_files().items())
    except PackError:
        return False  # it has none


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
