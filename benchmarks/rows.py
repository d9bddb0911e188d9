"""A demo done for each of 50 rows, killed twice in the middle of a row and resumed; a page is the judge.

Usage: python benchmarks/rows.py [--rows 50] [--seed 1] [--stall 2.6]

On a private desktop with Chromium: a note for a customer is recorded once (name typed, chosen from a list, a note
typed, saved), then ``demopack replay --for-each`` does it for a table. Two kills (SIGKILL) come at random moments. As a
person would, somebody clicks and loads the page anew after each. Then the rows that are unknown are looked up
in what the page has saved, and answered with redo or done. With ``--stall`` the browser stands still for so many
seconds two rows before each kill, as on a machine that is busy otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from demopack.settings import PrivacySettings
from recorder.backends import open_windows
from recorder.backends.base import SeenWindow
from recorder.desktop.private_display import PrivateDesktop
from tests.support.customers_page import CustomersPage, SavedNote, record_note
from tests.support.desktop_programs import chromium
from tests.support.injector import Injector

_FIRST = ("Ada", "Anna", "Anne", "Bo", "Cy", "Dora", "Émile", "Gus", "Hal", "Ida")
_LAST = ("Berg", "Li", "Ng", "Noël", "O'Hara")


def main() -> None:
    """Record, kill twice, resume, answer, and print what the page says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stall", type=float, default=0.0)
    options = parser.parse_args()
    moments = random.Random(options.seed)
    customers = [f"{first} {last}" for last in _LAST for first in _FIRST]
    notes = [SavedNote(customer=name, chosen=name, note=f"call {n}") for n, name in enumerate(customers, start=1)]
    wanted = moments.sample(notes, options.rows)
    folder = Path(tempfile.mkdtemp(prefix="rows-"))
    table = folder / "customers.csv"
    lines = ["text_1,text_2", *(f'"{note.customer}",{note.note}' for note in wanted)]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with (
        PrivateDesktop(width=1000, height=700) as desktop,
        CustomersPage(folder, customers) as page,
        chromium(desktop, page.file, title="Customers", profile=folder / "profile"),
        Injector(desktop.name) as person,
    ):
        record_note(desktop, page, person, folder / "library", notes[0], privacy=PrivacySettings())
        settings = folder / "replay.json"
        settings.write_text('{"player": {"settle_timeout_s": 0.3, "pause_s": 0}}', encoding="utf-8")
        page.saved.clear()

        def replay(*more: str) -> subprocess.Popen[str]:
            command = [sys.executable, "-m", "demopack", "replay", "last", "--yes", "--json", "--on-error", "continue"]
            return subprocess.Popen(
                [*command, "--for-each", str(table), "--library", str(folder / "library"), *more],
                env={**desktop.environment(), "DEMOPACK_SETTINGS": str(settings)},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip

        def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
            report: dict[str, Any] = json.loads(process.communicate()[0])
            print(f"exit code {process.returncode}, {report['counts']}, {report['seconds']:.0f} s")
            for row in report["rows"]:
                if row["state"] == "failed":
                    print(f"  row {row['row']} {row['values']}: {row['error']}")
            return report

        started = time.monotonic()
        for share in (0.25, 0.7):
            row = round(options.rows * share) + moments.randint(-2, 2)
            process = replay()
            if options.stall:
                _wait_for_begun(folder, row - 2)
                threading.Event().wait(moments.uniform(0.0, 6.0))
                _stall(desktop, options.stall)
            _wait_for_begun(folder, row)
            threading.Event().wait(moments.uniform(0.0, 6.0))
            process.kill()
            process.communicate()
            print(f"killed about row {row}; the page has saved {len(page.saved)} notes")
            person.release()  # a kill in the middle of a click leaves the button down until somebody clicks
            person.key("f5")
            person.move(700, 560)
            person.wait(2.0)
        report = finish(replay())
        _judge(page.saved, wanted)
        for unknown in [row for row in report["rows"] if row["state"] == "unknown"]:
            was_saved = wanted[unknown["row"] - 1] in page.saved
            print(f"row {unknown['row']} is unknown; the page {'has' if was_saved else 'has not'} saved it")
        # One answer for all that are left: those that were saved would have to be answered first.
        all_saved = all(wanted[r["row"] - 1] in page.saved for r in report["rows"] if r["state"] == "unknown")
        none_saved = not any(wanted[r["row"] - 1] in page.saved for r in report["rows"] if r["state"] == "unknown")
        if all_saved or none_saved:
            finish(replay("--unknown", "done" if all_saved else "redo"))
        else:
            print("one was saved and one was not: answer them one by one in a terminal")
        _judge(page.saved, wanted)
        print(f"{time.monotonic() - started:.0f} s in all")


def _stall(desktop: PrivateDesktop, seconds: float) -> None:
    with contextlib.closing(open_windows(desktop.name)) as windows:
        (browser,) = {window.process for window in windows.read().stack if isinstance(window, SeenWindow)}
    os.kill(browser, signal.SIGSTOP)
    threading.Event().wait(seconds)
    os.kill(browser, signal.SIGCONT)


def _wait_for_begun(folder: Path, row: int) -> None:
    pause = threading.Event()
    begun = f'{{"row": {row}, "state": "begun"'
    while not any(begun in journal.read_text(encoding="utf-8") for journal in folder.glob("customers.csv.*.journal")):
        pause.wait(0.05)


def _judge(saved: list[SavedNote], wanted: list[SavedNote]) -> None:
    times = Counter(saved)
    once = sum(times[note] == 1 for note in wanted)
    twice = [note for note in wanted if times[note] > 1]
    wrong = [note for note in saved if note not in wanted]
    print(f"  saved right and once: {once} of {len(wanted)}; more than once: {twice}; wrong: {wrong}")


if __name__ == "__main__":
    main()
