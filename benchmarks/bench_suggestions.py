"""CPU time of deciding about thousands of suggestions at once, in the whole editor: accept, reject, undo, redo.

Run: python benchmarks/bench_suggestions.py [--json] [--boxes N]

The window's thread is what a person waits for; the second column adds what the library does meanwhile. Cyclic garbage
is collected between two measurements, as the app does it between two events: the third column says what that takes.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from bench_edits import Bench, add_demo
from PySide6.QtWidgets import QApplication

from annotator.finding.review import DecideSuggestions
from annotator.ui.main_window import MainWindow
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from demopack.settings import Settings
from demopack.store import Library

LIMIT_MS = 100.0
REPEATS = 5


def collect() -> float:
    """CPU milliseconds that it takes to find all garbage."""
    start = time.thread_time()
    gc.collect()
    return (time.thread_time() - start) * 1000


def measure(bench: Bench, clock: Callable[[Callable[[], object]], float]) -> dict[str, tuple[float, float]]:
    """Medians of each, in milliseconds of one clock, and of collecting garbage after it."""
    session, frame = bench.page.session, bench.page.view.frame
    assert frame is not None
    uids = tuple(element.uid for element in session.document.elements(frame.id))
    times: dict[str, list[tuple[float, float]]] = {}

    def take(name: str, work: Callable[[], object]) -> None:
        times.setdefault(name, []).append((clock(work), collect()))

    for _ in range(REPEATS):
        take("accept", lambda: session.do(DecideSuggestions(decision="accept", uids=uids)))
        take("undo", session.undo)
        take("redo", session.redo)
        session.undo()
        bench.settle()
        take("reject", lambda: session.do(DecideSuggestions(decision="reject", uids=uids)))
        session.undo()
        bench.settle()
    return {
        name: (statistics.median(ms for ms, _ in found), statistics.median(garbage for _, garbage in found))
        for name, found in times.items()
    }


def run(app: QApplication, folder: Path, boxes: int) -> dict[str, dict[str, float]]:
    """Of the window's thread, of all threads, and of collecting garbage, in milliseconds."""
    with Library.open(folder / "library") as library:
        add_demo(library, boxes)
        theme = Theme(app, choice="light")
        window = MainWindow(library, theme=theme, services=Services(settings=Settings()))
        window.resize(1600, 1000)
        window.show()
        bench = Bench(app, window)
        bench.page.view.go_to(0)
        gc.disable()
        gc.freeze()
        seen, everything = measure(bench, bench.gui_ms), measure(bench, bench.all_ms)
        gc.unfreeze()
        gc.enable()
        window.close()
        theme.close()
    return {
        name: {"window": round(ms, 1), "all": round(everything[name][0], 1), "garbage": round(garbage, 1)}
        for name, (ms, garbage) in seen.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--boxes", type=int, default=5000)
    given = parser.parse_args()
    app = QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DEMOPACK_SETTINGS"] = str(Path(folder) / "settings.json")
        found = run(app, Path(folder), given.boxes)
    failed = [name for name, figures in found.items() if figures["window"] > LIMIT_MS]
    if given.json:
        told = {"unit": "ms CPU", "boxes": given.boxes, "limit": LIMIT_MS, "found": found}
        print(json.dumps({**told, "failed": failed}))
        return int(bool(failed))
    print(f"{given.boxes:,} suggestions, CPU milliseconds, median of {REPEATS}; limit {LIMIT_MS:.0f} in the window")
    print(" " * 10 + "".join(f"{column:>10}" for column in ("window", "all", "garbage")))
    for name, figures in found.items():
        print(f"  {name:<8}" + "".join(f"{ms:>10.1f}" for ms in figures.values()) + (" <-" if name in failed else ""))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
