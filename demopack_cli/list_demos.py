"""``demopack list``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from demopack_cli.options import emit, json_option, library_option, open_library, plain, say, wants_json

if TYPE_CHECKING:
    from demopack.domain.demos import DemoSummary


@click.command(name="list")
@library_option
@json_option
def command() -> None:
    """List the demos in the library, newest first.

    Example: demopack list --json
    """
    with open_library(create=False) as opened:
        rows = opened.demos(damaged=True)
    if wants_json():
        emit([row.to_json() for row in rows])
        return
    if not rows:
        say('The library is empty. Start with: demopack record --task "..."')
        return
    _show(rows)
    for row in rows:
        if row.damage:
            say(f"{row.head.id} is damaged: {row.damage} `demopack repair` mends what can be mended.", err=True)


def _show(rows: list[DemoSummary]) -> None:
    cells = [_cells(row) for row in rows]
    if not _is_terminal():
        # For grep and cut: one demo a line, nothing wrapped.
        for line in cells:
            say("\t".join(line))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None)
    for title in ("demo", "task", "steps", "rationales", "status", "recorded"):
        table.add_column(title, no_wrap=title != "task", ratio=1 if title == "task" else None)
    for line in cells:
        # As texts, not as markup: a task may hold brackets.
        table.add_row(*(Text(plain(cell)) for cell in line))
    Console().print(table)


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _cells(row: DemoSummary) -> tuple[str, ...]:
    from demopack.domain.words import shorten

    head = row.head
    when = head.created_at.astimezone().strftime("%Y-%m-%d")
    # Whoever sees "done" goes on to export: what is not all there says so first.
    ended = {"success": "done", "failure": "failed"}.get(head.outcome or "", head.status)
    state = ended if head.status == "complete" else head.status
    if head.take_of:
        state = f"take, {state}"
    if row.damage:
        state = "damaged"
    task = shorten(head.task, 200) or "-"
    return (head.id, task, str(row.steps), f"{row.rationales}/{row.steps}", state, when)
