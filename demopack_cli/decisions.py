"""``demopack decisions``."""

from __future__ import annotations

from pathlib import Path

import click

from demopack.domain.words import counted
from demopack_cli.options import FILE, library_option, open_library, say


@click.command(name="decisions")
@click.argument("demos", nargs=-1, metavar="[DEMO...]")
@library_option
@click.option("--out", "-o", type=FILE, help="Write the lines into this file instead of printing them.")
def command(demos: tuple[str, ...], out: Path | None) -> None:
    """Print what people decided about suggested elements, one JSON line for each: accepted, fixed or rejected.

    Each line has what was suggested, by whom and how surely, what became of it, who decided and when. DEMO is its id,
    the beginning of it, or "last"; all demos without one.

    Example: demopack decisions last -o decisions.jsonl
    """
    from annotator.suggestions.decisions import decisions
    from demopack.atomic import write_text_atomic

    with open_library(create=False) as opened:
        keys = [opened.find(demo) for demo in demos] or [summary.head.id for summary in opened.demos()]
        made = [one for key in keys for one in decisions(key, opened.log.entries(key))]
    lines = "".join(f"{one.model_dump_json()}\n" for one in made)
    if out is None:
        say(lines, nl=False)
        return
    write_text_atomic(out, lines)
    counts = {verdict: sum(one.verdict == verdict for one in made) for verdict in ("accepted", "fixed", "rejected")}
    say(
        f"{out}: {counted(len(made), 'decision')}, {counts['accepted']} accepted, {counts['fixed']} fixed, "
        f"{counts['rejected']} rejected",
        err=True,
    )
