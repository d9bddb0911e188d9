"""Runs what depends on the screen on desktops of many kinds, and prints a table: ``make matrix``.

Each row of the table is one desktop: the resolution for which programs lay out their text (``Xft.dpi``), what GTK and
Qt are told about scale, and how many monitors there are. Every value meets every value of the other columns at least
once. The tests are those of the suite; they find the desktop in the environment (``tests/support/desktops.py``).

usage: python benchmarks/desktop_matrix.py [--only ROW] [--tests NAME ...]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
TRIALS = {
    "60 actions": ["tests/e2e/test_stage.py", "-k", "sixty and quiet"],
    "areas": ["tests/e2e/test_screen_areas.py", "-k", "lies_on"],
    "password fields, film": ["tests/e2e/test_leaks_passwords.py"],
    "blocked windows, regions": ["tests/e2e/test_leaks.py"],
    "replay": ["tests/e2e/test_player_replay.py", "-k", "ends_as or elsewhere"],
}

_LARGE = {"password fields, film": "3200x1800", "replay": "3200x2800"}
"""Trials with real programs, which may be drawn four times as large, and the screens that they need."""


@dataclass(frozen=True, slots=True)
class Desktop:
    """One kind of desktop."""

    dpi: int
    gdk: int
    qt: int
    monitors: int

    def environment(self) -> dict[str, str]:
        """What tells the tests and the programs that they start."""
        return {
            "DEMOPACK_TEST_DPI": str(self.dpi),
            "DEMOPACK_TEST_MONITORS": str(self.monitors),
            "GDK_SCALE": str(self.gdk),
            "QT_SCALE_FACTOR": str(self.qt),
        }


# Each of the four resolutions with each value of the rest, and all pairs of the rest.
DESKTOPS = (
    Desktop(96, 1, 1, 1), Desktop(96, 2, 2, 2),
    Desktop(120, 1, 2, 1), Desktop(120, 2, 1, 2),
    Desktop(144, 1, 1, 2), Desktop(144, 2, 2, 1),
    Desktop(192, 1, 1, 1), Desktop(192, 2, 2, 2), Desktop(192, 2, 1, 1), Desktop(192, 1, 2, 2),
)  # fmt: skip


def main() -> int:
    """Run the rows one after the other; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=int, nargs="*", help="numbers of rows, from 1")
    parser.add_argument("--tests", nargs="*", choices=list(TRIALS), help="some of the trials only")
    options = parser.parse_args()
    trials = {name: TRIALS[name] for name in options.tests or TRIALS}
    wrong = 0
    print("| Xft.dpi | GDK_SCALE | QT_SCALE_FACTOR | monitors | " + " | ".join(trials) + " | s |")
    print("|" + " --- |" * (5 + len(trials)), flush=True)
    for number, desktop in enumerate(DESKTOPS, start=1):
        if options.only and number not in options.only:
            continue
        started = time.monotonic()
        results = [run(desktop, name, arguments) for name, arguments in trials.items()]
        wrong += sum(not good for _, good in results)
        cells = [str(value) for value in (desktop.dpi, desktop.gdk, desktop.qt, desktop.monitors)]
        cells += [words for words, _ in results]
        print("| " + " | ".join(cells) + f" | {time.monotonic() - started:.0f} |", flush=True)
    return 1 if wrong else 0


def run(desktop: Desktop, name: str, arguments: list[str]) -> tuple[str, bool]:
    """One trial on one desktop: what stands in the table, and whether all went well."""
    size = {"DEMOPACK_TEST_SIZE": _LARGE[name]} if name in _LARGE else {}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", f"--junit-xml={report}"]
        done = subprocess.run(
            [*command, f"--basetemp={folder}/run", *arguments],
            cwd=ROOT, env={**os.environ, **desktop.environment(), **size}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if not report.is_file():
            print(done.stdout[-2000:], done.stderr[-2000:], file=sys.stderr)
            return "did not run", False
        cases = list(ET.parse(report).iter("testcase"))
        # A program that is not installed was not tried: that is no success.
        faults = [(case, part) for case in cases for part in case if part.tag in {"failure", "error", "skipped"}]
        failed = {case.get("name") for case, _ in faults}
        for case, part in faults:
            lines = re.findall(r"^E  +(.*)$", part.text or "", re.MULTILINE)[:4] or [part.get("message", "")]
            print(f"{desktop}: {case.get('name')}", *lines, sep="\n    ", file=sys.stderr)
        return f"{len(cases) - len(failed)}/{len(cases)}", not failed and bool(cases)


if __name__ == "__main__":
    sys.exit(main())
