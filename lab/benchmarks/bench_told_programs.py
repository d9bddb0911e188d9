"""How well the controls of ten programs are found that report what they show: with their trees, and by pixels alone.

The screens are before-frames of a demo pack that demopack's own recorder made; the truth was written by eye, from the
pictures alone (``benchmarks/told_programs``). Each demo is brought into a library and parsed as it always is, once with
what programs reported and once without a word of it; totals only are printed::

    python lab/benchmarks/bench_told_programs.py [--folder DIR] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.jobs import JobControl
from demopack.pack.reader import open_pack
from demopack.replacing import scratch_folder
from demopack.settings import VisionSettings
from demopack.store import Library
from lab.evaluation.controls import ControlTally
from lab.evaluation.figures import Share, TypeFigures
from lab.evaluation.judge import judge
from models.training.labelled_screens import LabelledScreen
from models.vision.demo_parsing import parse_demo
from models.vision.finder import WorkerFinder, open_finder

FOLDER = Path(__file__).parents[2] / "benchmarks" / "told_programs"
KINDS = ("slider", "spinner", "scrollbar", "tab", "list_item", "tree_item")
"""Types with an aim of their own, beside header cells."""
LIMITS = {
    "with trees": {"found": 0.97, "type": 0.97, "name": 0.97, "states": 0.95},
    "pixels alone": {"found": 0.82, "centre": 0.92, "type": 0.85},
}
Row = dict[str, Share]
_COLUMNS = ("found", "centre", "type", "type or icon", "name", "states", "when true", "precision")


def read_truth(folder: Path) -> list[LabelledScreen]:
    """The screens; ``variant`` of each names its demo and step."""
    return [
        LabelledScreen.model_validate_json(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))
    ]


def silent(demo: Demo) -> Demo:
    """The demo as it would have been recorded of programs that report nothing."""
    steps = tuple(step.model_copy(update={"trees": (), "focused": None, "pointed": None}) for step in demo.steps)
    return replace(demo, steps=steps, trees={})


def fill(library: Library, pack_folder: Path, *, told: bool) -> Iterator[Demo]:
    """Store every demo of a pack that is whole; yields each as it was stored."""
    with closing(open_pack(pack_folder)) as pack:
        for lines in pack.lines(trees=True):
            demo = pack.whole(lines)
            for frame in demo.frames():
                library.put_image(pack.get_image(frame.id))
            kept = demo if told else silent(demo)
            library.add_demo(kept)
            yield kept


def found_on(demo: Demo, screen: LabelledScreen) -> Sequence[Element]:
    """What a parse found on a screen."""
    step = next(step for step in demo.steps if step.id == screen.variant["step"])
    if step.before is None or (step.before.width, step.before.height) != (screen.width, screen.height):
        raise ValueError(f"{screen.name}: the picture is not the one that the truth was written for.")
    return demo.elements.get(step.before.id, ())


def measure(
    library: Library, finder: WorkerFinder, pack_folder: Path, truth: Sequence[LabelledScreen], *, told: bool
) -> dict[str, ControlTally]:
    """Parse the demos that have truth and count; of each program, and of all under an empty name."""
    programs: dict[str, ControlTally] = {"": ControlTally()}
    for demo in fill(library, pack_folder, told=told):
        screens = [screen for screen in truth if screen.variant["demo"] == demo.head.id]
        if screens:
            parse_demo(library, demo.head.id, finder, control=JobControl())
        parsed = library.demo(demo.head.id)
        for screen in screens:
            judged = judge(screen, found_on(parsed, screen))
            programs[""].add(judged)
            programs.setdefault(screen.group, ControlTally()).add(judged)
    return programs


def measure_both(folder: Path) -> dict[str, dict[str, ControlTally]]:
    """By way of looking and program; the models look at each picture once."""
    truth = read_truth(folder / "truth")
    results: dict[str, dict[str, ControlTally]] = {}
    with scratch_folder() as work, open_finder(VisionSettings()) as finder:
        for way, told in (("with trees", True), ("pixels alone", False)):
            library = Library.open(work / way)
            if not told:
                shutil.copytree(work / "with trees" / "cache", work / way / "cache")
            with closing(library):
                results[way] = measure(library, finder, folder / "pack", truth, told=told)
    return results


def row_of(counted: ControlTally) -> Row:
    """The figures of some screens."""
    figures = counted.tally.figures()
    true = figures.when_true.values()
    return {
        "found": figures.interactive.recall,
        "centre": figures.interactive.centre,
        "type": figures.interactive.type,
        "type or icon": counted.types_or_icons,
        "name": counted.names,
        "states": figures.states,
        "when true": Share.count(sum(one.right for one in true), sum(one.of for one in true)),
        "precision": figures.interactive.precision,
    }


def row_of_kind(kind: TypeFigures) -> Row:
    """The figures of one type."""
    return {
        "found": Share.count(kind.hit, kind.truth),
        "centre": Share.count(kind.centre, kind.truth),
        "type": Share.count(kind.right, kind.hit),
        "precision": Share.count(kind.right, kind.found),
    }


def table(parts: dict[str, ControlTally]) -> dict[str, Row]:
    """The rows: all, each program, each kind; those with an aim of their own first."""
    everything = parts[""]
    types = everything.tally.figures(whole=True).types
    kinds = sorted((kind for kind, row in types.items() if row.truth), key=lambda kind: (kind not in KINDS, kind))
    return {
        "all": row_of(everything),
        **{name: row_of(part) for name, part in sorted(parts.items()) if name},
        "header cell": row_of_kind(everything.header_cells),
        **{kind: row_of_kind(types[kind]) for kind in kinds},
    }


def main() -> int:
    """Measure and print; 1 where something is short."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="with pack/ and truth/")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    tables = {way: table(parts) for way, parts in measure_both(given.folder).items()}
    short: list[str] = []
    for way, rows in tables.items():
        print(f"\n{way:14}" + "".join(f"{name:>13}" for name in _COLUMNS))
        for name, row in rows.items():
            print(f"{name:14}" + "".join(f"{_shown(row.get(column, Share())):>13}" for column in _COLUMNS))
        for name, limit in LIMITS[way].items():
            share = rows["all"][name].share or 0.0
            if share < limit:
                short.append(f"{way}: {name} {share} < {limit}")
    print("", *short, sep="\n")
    if given.json:
        plain = {
            way: {name: {key: share.to_json() for key, share in row.items()} for name, row in rows.items()}
            for way, rows in tables.items()
        }
        given.json.write_text(json.dumps(plain, indent=2) + "\n", encoding="utf-8")
    return 1 if short else 0


def _shown(share: Share) -> str:
    return "-" if share.share is None else f"{share.share:.3f} /{share.of:>5}"


if __name__ == "__main__":
    sys.exit(main())
