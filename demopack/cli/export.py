"""``demopack export``."""

from __future__ import annotations

from pathlib import Path

import click

from demopack.cli.options import emit, job_control, json_option, library_option, open_library

__all__ = ["command"]


@click.command(name="export")
@click.argument("demos", metavar="DEMO...", nargs=-1, required=True)
@click.option(
    "-o", "--output", "out", type=click.Path(path_type=Path), required=True, help="The folder, or FILE.zip, to make."
)
@click.option("--licence", default="", metavar="SPDX", help="Licence of the pack, for instance CC-BY-4.0.")
@click.option("--consent", default="", metavar="TEXT", help="What the recorded person agreed to.")
@library_option
@json_option
def command(demos: tuple[str, ...], out: Path, licence: str, consent: str, library: Path | None, as_json: bool) -> None:
    """Write demos as a demo pack. DEMO is an id, the beginning of one, or "last".

    The pack is read back and checked before it takes its place; one that is there is replaced, anything else is not.

    Example: demopack export last -o my-pack --licence CC-BY-4.0
    """
    from demopack.pack.report import findings_text
    from demopack.pack.writer import export_pack

    with open_library(library, create=False) as opened:
        summary = export_pack(
            opened,
            [opened.find(demo) for demo in demos],
            out,
            licence=licence,
            consent=consent,
            zipped=out.suffix.lower() == ".zip",
            control=job_control(),
        )
    if as_json:
        emit(
            {
                "pack": str(summary.path),
                "counts": summary.counts.to_json(),
                "files": summary.files,
                "bytes": summary.size,
                "redaction": summary.redaction.to_json(),
                "warnings": [finding.to_json() for finding in summary.warnings],
            }
        )
        return
    counts = summary.counts
    for line in findings_text(summary.path, summary.warnings):
        click.echo(line)
    demos_word = "demo" if counts.demos == 1 else "demos"
    click.echo(
        f"\nWrote {counts.demos} {demos_word}, {counts.steps} steps, {counts.frames} pictures, "
        f"{counts.elements} elements: {summary.files} files, {summary.size / 1e6:.1f} MB."
    )
    undecided = sum(summary.redaction.open.values())
    if undecided:
        words = "thing that may be private was" if undecided == 1 else "things that may be private were"
        click.echo(f"{undecided} {words} not decided about: demopack redact {demos[0]} --list")
    click.echo(f"Look at it: {summary.path / 'index.html' if summary.path.is_dir() else summary.path}")
