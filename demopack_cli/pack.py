"""``demopack pack``: packs as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from demopack.domain.words import counted
from demopack_cli.options import FILE, PATH, job_control, json_option, print_result, say


@click.group(name="pack")
def command() -> None:
    """Split, merge, compare and count demo packs.

    Example: demopack pack split my-pack -o sets --shares train=0.8,val=0.1,test=0.1
    """


def _filters(function: Any) -> Any:  # noqa: ANN401 - any command
    for option in reversed((
        click.option("--approved", is_flag=True, help="Only demos of which a person approved every step."),
        click.option("--sure", is_flag=True, help="Only demos without a doubt."),
        click.option("--verified", is_flag=True, help="Only demos that a replay has done again."),
        click.option("--complete", is_flag=True, help="Only demos that were not cut off."),
        click.option("--outcome", type=click.Choice(["success", "failure"]), default=None, help="Only this outcome."),
        click.option("--verdicts", type=FILE, default=None,
                     help="What a judge said: JSON Lines with demo and verdict."),
        click.option("--verdict", default="",
                     help="Only demos of which a judge said this: in --verdicts, else in the pack (yes, no, unsure)."),
        click.option("--shortest", default=0, metavar="N", help="Only demos with at least N steps."),
        click.option("--longest", default=0, metavar="N", help="Only demos with at most N steps."),
        click.option("--app", "apps", multiple=True, help="Only this application; may be given several times."),
        click.option("--tag", "tags", multiple=True, help="Only demos with #TAG in the task or in a note."),
        click.option("--task", "words", default="", help="Only demos whose task contains this text."),
    )):  # fmt: skip
        function = option(function)
    return function


def _wanted(given: dict[str, Any]) -> Any:  # noqa: ANN401 - Filter, imported only when needed
    from demopack.pack.sets.filters import Filter, read_verdicts

    verdicts, verdict = given.pop("verdicts"), given.pop("verdict")
    if verdicts and not verdict:
        raise click.UsageError("--verdicts needs --verdict: which of them is wanted.")
    given["outcome"] = given["outcome"] or ""
    return Filter(verdicts=read_verdicts(verdicts) if verdicts else {}, verdict=verdict, **given)


@command.command(name="split")
@click.argument("pack", type=PATH)
@click.option("-o", "--output", "out", type=PATH, help="The folder for the packs; without it only the plan.")
@click.option(
    "--shares", default="train=0.8,val=0.1,test=0.1", show_default=True, help="Sides and their shares of the steps."
)
@click.option(
    "--by", type=click.Choice(["task", "app"]), default="task", show_default=True, help="What stays together."
)
@click.option("--seed", default=0, show_default=True, help="Another seed, another division.")
@click.option("--allow-leaks", is_flag=True, help="Divide tasks even where they share steps; the leaks are told.")
@_filters
@json_option
def split(
    pack: Path,
    out: Path | None,
    shares: str,
    by: Any,  # noqa: ANN401 - one of two words
    seed: int,
    allow_leaks: bool,
    **given: Any,  # noqa: ANN401
) -> None:
    """Divide a pack for training and testing: whole tasks or applications, never steps.

    Example: demopack pack split my-pack -o sets --by app --approved
    """
    from demopack.pack.sets.divide import divide, split_text
    from demopack.pack.sets.splits import parse_shares

    split, left = divide(pack, parse_shares(shares), _wanted(given), out=out, by=by, seed=seed,
                         allow_leaks=allow_leaks, control=job_control())  # fmt: skip
    lines = [*split_text(split, left)]
    if out is not None:
        lines.append(f"Wrote {', '.join(str(out / side) for side in split.sides)} and {out / 'SPLITS.json'}.")
    print_result({**split.to_json(), "left_out": left}, lines)


@command.command(name="merge")
@click.argument("packs", metavar="PACK...", nargs=-1, required=True, type=PATH)
@click.option("-o", "--output", "out", type=PATH, required=True, help="The folder, or FILE.zip, to make.")
@click.option("--licence", default="", metavar="SPDX", help="Of the new pack; needed where the packs differ.")
@click.option("--consent", default="", metavar="TEXT", help="What the recorded persons agreed to.")
@_filters
@json_option
def merge(packs: tuple[Path, ...], out: Path, licence: str, consent: str, **given: Any) -> None:  # noqa: ANN401
    """Make one pack of several, or of the demos of one that fit.

    Example: demopack pack merge monday tuesday -o week --sure
    """
    from demopack.pack.sets.divide import merge_packs

    counts, left = merge_packs(packs, out, _wanted(given), licence=licence, consent=consent, control=job_control())
    lines = [f"left out: {demo}, {reason}" for demo, reason in left.items()]
    lines.append(f"Wrote {out}: {counted(counts.demos, 'demo')}, {counted(counts.steps, 'step')}.")
    print_result({"pack": out.name, "counts": counts.to_json(), "left_out": left}, lines)


@command.command(name="diff")
@click.argument("old", type=PATH)
@click.argument("new", type=PATH)
@json_option
def diff(old: Path, new: Path) -> None:
    """Say what differs between two packs: demos, steps, fields, pictures, elements.

    Example: demopack pack diff pack-1.0 pack-1.1
    """
    from demopack.pack.reader import open_pack
    from demopack.pack.sets.compare import compare, diff_text

    with open_pack(old) as before, open_pack(new) as after:
        found = compare(before, after)
    print_result(found.to_json(), diff_text(found))


@command.command(name="stats")
@click.argument("packs", metavar="PACK...", nargs=-1, required=True, type=PATH)
@json_option
def stats(packs: tuple[Path, ...]) -> None:
    """Count what is in packs: actions, elements, sizes, times, applications, doubts.

    Example: demopack pack stats my-pack
    """
    from demopack.pack.sets.divide import statistics_of
    from demopack.pack.sets.statistics import statistics_text

    found = statistics_of(packs)
    print_result(found.to_json(), statistics_text(found))


@command.command(name="version")
@click.argument("pack", type=PATH)
@click.argument("number", metavar="VERSION")
@click.option("--after", "old", type=PATH, required=True, help="The pack that this one follows.")
@click.option("-o", "--output", "out", type=PATH, required=True, help="Where the pack with its change list goes.")
@click.option("--note", default="", help="What there is to say about it.")
def version(pack: Path, number: str, old: Path, out: Path, note: str) -> None:
    """Give a pack a version: CHANGES.md in it says what differs from the one before.

    Example: demopack pack version new-pack 1.1.0 --after pack-1.0 -o pack-1.1
    """
    from demopack.pack.sets.divide import with_version

    with_version(pack, old, out, version=number, note=note, control=job_control())
    say(f"Wrote {out}, version {number}; its CHANGES.md says what is new.")
