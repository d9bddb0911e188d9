"""Splits, merges and compares packs on the disk: the work of ``demopack pack``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from demopack.atomic import write_text_atomic
from demopack.clock import utc_now
from demopack.domain.words import counted
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.json_lines import dump_pretty
from demopack.pack.manifest import Counts
from demopack.pack.reader import SPLITS, Pack, Packs, open_pack, open_packs
from demopack.pack.sets.assemble import assemble
from demopack.pack.sets.compare import CHANGES, change_list, compare
from demopack.pack.sets.filters import Filter, chosen
from demopack.pack.sets.splits import By, Split, split_demos
from demopack.pack.sets.statistics import PackStatistics, RowCounter


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
        yield f"{split.shared_screens} pairs of demos on different sides show a screen in common, doing something else"
    for leak in split.leaks[:10]:
        yield f"leak: {leak.one} and {leak.other} do the same on the same screen"
    if len(split.leaks) > 10:
        yield f"and {len(split.leaks) - 10} more leaks"
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
