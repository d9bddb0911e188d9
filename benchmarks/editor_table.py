"""What the editor must show, what it shows here, and what others were measured at, in one table.

Run: python benchmarks/editor_table.py [--labelme-python PYTHON] [--x-anylabeling-python PYTHON]

Runs the benchmarks of the canvas, edits, the library, the start, the history and the search, each in a process of its
own, goes on when one is over its limit, and tells so at the end and by the exit code. Where labelme or X-AnyLabeling
is installed, for this Python, the one that is named, or the one that LABELME_PYTHON or X_ANYLABELING_PYTHON names in
the environment, it is measured beside ours.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peers import MEASURED, NAMES, PEERS

_HERE = Path(__file__).parent
_OF_TABLES = ("library", "search")
"""Benchmarks that print a line of JSON for each of their tables; the others print one with --json."""
_CANVAS = (
    ("repaint", "repaint, fit", {100: 3, 1000: 8, 5000: 16}),
    ("hover", "hover move", {100: 0.2, 1000: 0.2, 5000: 0.2}),
    ("drag step", "drag step", {5000: 2}),
)
"""Name in the benchmark, words, and the limit for each number of boxes."""

Told = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line.

    Attributes:
        words: what is measured.
        unit: of all its figures.
        limit: what it must not be over; None where nothing was promised.
        ours: None when the benchmark failed.
        key: of the others' figures.
    """

    words: str
    ours: float | None
    limit: float | None = None
    unit: str = "ms"
    key: str = ""

    @property
    def over(self) -> bool:
        """Whether the promise is broken; a figure that is missing breaks it, too."""
        return self.limit is not None and (self.ours is None or self.ours > self.limit)


def run(name: str) -> dict[str, Any]:
    """What a benchmark tells; empty when it broke down."""
    print(f"measuring: {name}", file=sys.stderr, flush=True)
    wants = [] if name in _OF_TABLES else ["--json"]
    command = [sys.executable, str(_HERE / f"bench_{name}.py"), *wants]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        print(f"bench_{name}.py told nothing: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return {}
    if name not in _OF_TABLES:
        return dict(lines[-1])
    return {key: value for line in lines for key, value in line.items()}


def beginning(told: dict[str, Any], words: str) -> float | None:
    """The figure whose name begins so; names in tables carry their limits."""
    return next((float(value) for key, value in told.items() if key.startswith(words)), None)


def canvas_rows(told: dict[str, Any]) -> Iterable[Row]:
    """Repainting and moving the pointer, for three numbers of boxes."""
    results = told.get("results", {})
    for name, words, limits in _CANVAS:
        for boxes, limit in limits.items():
            ours = results.get(str(boxes), {}).get(name)
            yield Row(words=f"{words}, {boxes:,} boxes", ours=ours, limit=limit, key=f"{name} {boxes}")


def rows(told: Told) -> list[Row]:
    """Every line, in the order in which one meets them."""
    edits, start = told["edits"].get("found", {}), told["start"]
    history, library, search = told["history"].get("found", {}), told["library"], told["search"]
    seeks = [float(value) for key, value in search.items() if key.startswith(("e", "-type", "/"))]
    return [
        *canvas_rows(told["canvas"]),
        Row(words="open a picture, 5,000 boxes", ours=edits.get("open"), limit=150, key="open"),
        Row(words="go to the next", ours=edits.get("next"), limit=150),
        Row(words="come back", ours=edits.get("back"), limit=150, key="back"),
        Row(words="undo one edit", ours=edits.get("undo"), limit=5, key="undo"),
        Row(words="redo one edit", ours=edits.get("redo"), limit=5, key="redo"),
        Row(words="10,000 demos: open the list", ours=beginning(library, "open:"), limit=500),
        Row(words="filter it, slowest", ours=beginning(library, "filter, slowest"), limit=200),
        Row(words="scroll it, slowest frame", ours=beginning(library, "scroll by 60 pixels, slowest"), limit=16),
        Row(words="show 10,000 edits", ours=history.get("show, window's thread"), limit=200),
        Row(words="one more edit, seen", ours=history.get("one more edit, window's thread"), limit=16),
        Row(words="search 250,000 boxes, slowest", ours=max(seeks, default=None)),
        Row(words="start to mapped window", ours=start.get("cpu_s"), limit=0.8, unit="s", key="start"),
        Row(words="memory then", ours=start.get("rss_mb"), limit=150, unit="MB", key="rss"),
    ]


def show(table: list[Row], here: dict[str, dict[str, str]]) -> None:
    """For people.

    Args:
        table: its rows.
        here: what programs were measured at on this machine, by their names.
    """
    beside = {name: found for name, found in here.items() if "version" in found}
    names = [*NAMES, *(f"{name} {found['version']}, here" for name, found in beside.items())]
    print(f"{'':<32}{'at most':>10}{'here':>11}   " + "".join(f"{name:>27}" for name in names))
    for row in table:
        limit = "" if row.limit is None else f"{row.limit:g} {row.unit}"
        ours = "nothing" if row.ours is None else f"{row.ours:.2f} {row.unit}"
        others = [*MEASURED.get(row.key, ("", "", "")), *(found.get(row.key, "") for found in beside.values())]
        print(
            f"{row.words:<32}{limit:>10}{ours:>11} {'<-' if row.over else '  '}" + "".join(f"{o:>27}" for o in others)
        )
    print("CPU time; the figures without “here” were measured once, of unmodified programs: see benchmarks/peers.py")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for peer in PEERS:
        option = f"--{peer.name.lower()}-python"
        parser.add_argument(option, dest=peer.module, metavar="PYTHON", help=f"a Python that has {peer.name}")
    given = parser.parse_args()
    table = rows({name: run(name) for name in ("canvas", "edits", "library", "history", "search", "start")})
    pythons = {peer: peer.python(getattr(given, peer.module)) for peer in PEERS}
    show(table, {peer.name: peer.measured(python) for peer, python in pythons.items() if python is not None})
    over = [row.words for row in table if row.over]
    print(f"over the limit: {'; '.join(over)}" if over else "every limit is kept")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
