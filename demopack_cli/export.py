"""``demopack export``."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from demopack.domain.words import counted
from demopack_cli.options import PATH, job_control, json_option, library_option, open_library, print_result, say

if TYPE_CHECKING:  # `demopack export --help` must not pay for the exporters
    from demopack.codecs.sets.base import ExportLog, Format
    from demopack.pack.writer import PackSummary
    from demopack.store import Library

_COLLECTION_THRESHOLD: Final = 20_000
"""New objects after which Python looks for cycles. Imports and the rows of packs make many and hardly a cycle; looking
after every 700, as it is by default, takes a fifth of the time of an export."""


@click.command(name="export")
@click.argument("demos", metavar="DEMO|PACK...", nargs=-1)
@click.option("-o", "--output", "out", type=PATH, help="The folder, or FILE.zip, to make.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="NAME",
    help="Another program's format instead of a pack; may be repeated. “list” shows them all.",
)
@click.option("--licence", default="", metavar="SPDX", help="Licence of the pack, for instance CC-BY-4.0.")
@click.option("--consent", default="", metavar="TEXT", help="What the recorded person agreed to.")
@click.option(
    "--rationale",
    type=click.Choice(["none", "no_hindsight", "hindsight"]),
    default="no_hindsight",
    show_default=True,
    help="With --format: no reasoning, what could be known before, or also what came of it.",
)
@click.option("--elements/--no-elements", default=True, help="With --format: the list of elements in the questions.")
@click.option("--marks/--no-marks", default=False, help="With --format: the elements' numbers drawn on the pictures.")
@click.option("--per", type=click.Choice(["step", "episode"]), help="With --format: one sample for each of these.")
@click.option("--history", type=click.IntRange(min=0), metavar="N", help="With --format: at most N earlier actions.")
@click.option(
    "--leave-out",
    "leave_out",
    multiple=True,
    type=click.Choice(["wrong", "redundant", "none"]),
    help="With --format: steps that a judge found wrong or redundant; may be repeated. Steps that you rejected are "
    "left out anyway; “none” keeps even those.",
)
@click.option(
    "--any-outcome",
    is_flag=True,
    help="With --format lam or caap: also demos that failed, and those that nobody judged or marked as successful.",
)
@click.option(
    "--trees/--no-trees",
    default=True,
    help="What programs reported about their windows: in a pack, and with --format openadapt.",
)
@click.option("--verified-only", is_flag=True, help="Only demos that a replay has done again; see `demopack replay`.")
@click.option("--despite-errors", is_flag=True, help="With --format: export packs that break rules, too.")
@library_option
@json_option
def command(
    demos: tuple[str, ...],
    out: Path | None,
    formats: tuple[str, ...],
    **given: Any,  # noqa: ANN401 - click's values
) -> None:
    """Write demos as a demo pack, or in other programs' formats. DEMO is an id, the beginning of one, or "last".

    A pack is read back and checked before it takes its place; one that is there is replaced, anything else is not.
    With --format a PACK, a folder or a zip, may be named as well as a demo. EXPORT_LOG.json in the folder says how many
    rows were written and what the format could not carry.

    Example: demopack export last -o my-pack --licence CC-BY-4.0

    A folder that `demopack pack split` made stands for all its sides, and formats that know sides keep them apart.

    Example: demopack export my-pack -o for-trl --format trl
    """
    if "list" in formats:
        _list()
        return
    if not demos:
        raise click.UsageError("Name at least one demo or pack.")
    if out is None:
        raise click.UsageError("Say where to with -o.")
    if formats and out.suffix.lower() == ".zip":
        raise click.UsageError("--format writes a folder, not a zip; name a folder with -o.")
    gc.set_threshold(_COLLECTION_THRESHOLD)
    if formats:
        _export_formats(demos, out, formats, **given)
    else:
        _export_pack(demos, out, **given)


def _list() -> None:
    from demopack.codecs.sets.catalogue import GROUPS, NAMES, exporter

    rows: list[dict[str, str]] = []
    lines: list[str] = []
    width = max(map(len, NAMES))
    for heading, names in GROUPS.items():
        lines += ["", heading] if lines else [heading]
        for one in map(exporter, names):
            lines.append(f"  {one.name:{width}}  {one.about}")
            told = {"title": one.title, "about": one.about, "files": one.files, "reads": one.reads, "load": one.load}
            rows.append({"name": one.name, "group": heading, **told})
    print_result(rows, lines)


def _export_formats(
    names: tuple[str, ...],
    out: Path,
    formats: tuple[str, ...],
    *,
    licence: str,
    consent: str,
    despite_errors: bool,
    per: str | None,
    trees: bool,
    verified_only: bool,
    **choices: Any,  # noqa: ANN401 - the choices of an export, checked by its options
) -> None:
    from demopack.codecs.sets.base import ExportOptions
    from demopack.codecs.sets.catalogue import exporter
    from demopack.pack.export import export_formats, packs_of

    chosen: list[Format] = [exporter(name) for name in dict.fromkeys(formats)]
    options = ExportOptions.model_validate({"unit": per, **choices})
    packs = [Path(name) for name in names if _is_pack(Path(name))]
    demos = [name for name in names if not _is_pack(Path(name))]
    if (licence or consent) and not demos:
        way = "`demopack pack merge PACK -o NEW --licence SPDX` writes it anew under another."
        raise click.UsageError(f"--licence and --consent are for demos; a pack has its own. {way}")
    with contextlib.ExitStack() as stack:
        opened = stack.enter_context(open_library(create=False)) if demos else None
        ids = [] if opened is None else _found(opened, demos, verified_only=verified_only and not packs)
        ready = stack.enter_context(
            packs_of(opened, ids, packs, out, licence=licence, consent=consent, control=job_control())
        )
        done = export_formats(
            ready,
            chosen,
            out,
            options=options,
            trees=trees,
            proven=verified_only,
            despite_errors=despite_errors,
            control=job_control(),
        )
    rows = [{"folder": str(folder), "log": log.to_json()} for folder, log in done.items()]
    print_result(rows, (line for one in done.items() for line in _exported_lines(*one)))


def _found(library: Library, names: Sequence[str], *, verified_only: bool) -> list[str]:
    """The ids of demos; says which are left out because no replay has done them again.

    Raises:
        BadInputError: there is no such demo, or none is left.
    """
    from demopack.errors import BadInputError

    ids = [library.find(name) for name in names]
    if not verified_only:
        return ids
    left = [one for one in ids if library.demo(one).proof is None]
    if len(left) == len(ids):
        raise BadInputError(
            "None of these demos has been done again by a replay since it was changed last.",
            hint=f"Do it with: demopack replay {names[0]}",
        )
    for one in left:
        say(f"{one} is left out: no replay has done it again.", err=True)
    return [one for one in ids if one not in left]


def _is_pack(path: Path) -> bool:
    """Whether a name is a path of a pack, or of a divided one; a folder that is called like a demo is none."""
    from demopack.pack.reader import SPLITS

    return (
        path.suffix.lower() == ".zip"
        or len(path.parts) > 1
        or any((path / name).is_file() for name in ("pack.json", SPLITS))
    )


def _exported_lines(folder: Path, log: ExportLog) -> Iterator[str]:
    yield f"{log.format}: {log.rows_out} of {counted(log.rows_in, log.rows.removesuffix('s'))} in {folder}"
    for kind, items in (("left out", log.left_out), ("less exact", log.lost)):
        for item in items:
            yield f"  {kind}: {item.count} ({item.why}), for instance {item.examples[0]}"


def _export_pack(
    demos: tuple[str, ...],
    out: Path,
    *,
    licence: str,
    consent: str,
    trees: bool,
    verified_only: bool,
    **_: object,  # the choices of another format
) -> None:
    from demopack.pack.writer import export_pack

    zipped = out.suffix.lower() == ".zip"
    with open_library(create=False) as opened:
        ids = _found(opened, demos, verified_only=verified_only)
        summary = export_pack(
            opened, ids, out, licence=licence, consent=consent, zipped=zipped, trees=trees, control=job_control()
        )
    data = {
        "pack": str(summary.path),
        "counts": summary.counts.to_json(),
        "files": summary.files,
        "bytes": summary.size,
        "redaction": summary.redaction.to_json(),
        "warnings": [finding.to_json() for finding in summary.warnings],
    }
    print_result(data, _pack_lines(summary, demos[0]))


def _pack_lines(summary: PackSummary, first: str) -> Iterator[str]:
    from demopack.pack.report import findings_text

    counts = summary.counts
    yield from findings_text(summary.path, summary.warnings)
    told = (counts.demos, "demo"), (counts.steps, "step"), (counts.frames, "picture"), (counts.elements, "element")
    numbers = ", ".join(counted(number, thing) for number, thing in told)
    yield f"\nWrote {numbers}: {counted(summary.files, 'file')}, {summary.size / 1e6:.1f} MB."
    undecided = sum(summary.redaction.open.values())
    if undecided:
        words = "thing that may be private was" if undecided == 1 else "things that may be private were"
        yield f"{undecided} {words} not decided about: demopack redact {first} --list"
    yield f"Look at it: {summary.path / 'index.html' if summary.path.is_dir() else summary.path}"
