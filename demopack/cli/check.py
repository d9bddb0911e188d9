"""``demopack check``."""

from __future__ import annotations

from pathlib import Path

import click

from demopack.cli.options import emit, json_option

__all__ = ["command"]


@click.command(name="check")
@click.argument("pack", type=click.Path(path_type=Path))
@json_option
@click.option("--sarif", is_flag=True, help="Print SARIF 2.1.0, for code-review tools.")
@click.pass_context
def command(ctx: click.Context, pack: Path, as_json: bool, sarif: bool) -> None:
    """Check a demo pack (a folder or a zip) against the rules. Exit code 0 without errors, 1 with.

    Example: demopack check my-pack
    """
    from demopack.pack.check import check_pack
    from demopack.pack.report import findings_json, findings_sarif, findings_text

    if as_json and sarif:
        raise click.UsageError("--json and --sarif exclude each other.")
    findings = check_pack(pack)
    if sarif:
        emit(findings_sarif(findings))
    elif as_json:
        emit(findings_json(pack, findings))
    else:
        for line in findings_text(pack, findings):
            click.echo(line)
    if any(finding.severity == "error" for finding in findings):
        ctx.exit(1)
