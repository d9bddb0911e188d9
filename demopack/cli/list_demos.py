"""``demopack list``."""

from __future__ import annotations

from pathlib import Path

import click

from demopack.cli.options import emit, json_option, library_option, open_library

__all__ = ["command"]


@click.command(name="list")
@library_option
@json_option
def command(library: Path | None, as_json: bool) -> None:
    """List the demos in the library, newest first.

    Example: demopack list --json
    """
    with open_library(library, create=False) as opened:
        rows = opened.demos()
    if as_json:
        emit([row.to_json() for row in rows])
        return
    if not rows:
        click.echo('The library is empty. Start with: demopack record --task "..."')
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("demo", "task", "steps", "rationales", "status", "recorded", box=None)
    for row in rows:
        head = row.head
        when = head.created_at.astimezone().strftime("%Y-%m-%d %H:%M")
        state = head.status if head.outcome is None else f"{head.status}, {head.outcome}"
        table.add_row(head.id, head.task or "-", str(row.steps), f"{row.rationales}/{row.steps}", state, when)
    Console().print(table)
