"""``demopack check``."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from demopack_cli.options import PATH, emit, json_option, print_result, wants_json


@click.command(name="check")
@click.argument("pack", type=PATH)
@json_option
@click.option("--sarif", is_flag=True, help="Print SARIF 2.1.0, for code-review tools.")
@click.option(
    "--publish", is_flag=True, help="Ask for all that giving it away needs: licence, consent, nothing private."
)
@click.option("--fix", is_flag=True, help="Mend what can be mended safely; the pack is written anew, whole.")
@click.option("--no-cache", is_flag=True, help="Read every file, also those that did not change since the last check.")
def command(pack: Path, sarif: bool, publish: bool, fix: bool, no_cache: bool) -> None:
    """Check a demo pack (a folder or a zip) against the rules. Exit code 0 without errors, 1 with.

    An export in any format is checked, too: every answer is read back with the codec that wrote it. A folder that
    others wrote (COCO, YOLO, chat messages, imagefolder, JSON Lines, ATIF, openadapt, WebDataset, Hugging Face,
    examples for OpenAI, Anthropic and Gemini) is checked as far as that goes.

    Example: demopack check my-pack --publish
    """
    from demopack.pack.check.cache import CheckCache
    from demopack.pack.check.exports_folder import check_path
    from demopack.pack.check.fix import fix_pack
    from demopack.pack.check.private import machine_names
    from demopack.pack.report import report_json, report_sarif, report_text
    from demopack.settings import cache_folder

    if wants_json() and sarif:
        raise click.UsageError("--json and --sarif exclude each other.")
    mended = fix_pack(pack) if fix else []
    with contextlib.ExitStack() as stack:
        cache = None if no_cache else stack.enter_context(CheckCache(cache_folder()))
        names = machine_names() if publish else []
        report = check_path(pack, publish=publish, names=names, cache=cache)
    if sarif:
        emit(report_sarif(report))
    else:
        print_result(report_json(pack, report, mended=mended), report_text(pack, report, mended=mended))
    if not report.ok:
        raise click.exceptions.Exit(1)
