"""CPU time of a long history: show 10,000 edits, one more, scroll, find, what changed, and a jump over a part of them.

Run: python benchmarks/bench_history.py [--json] [--edits N]
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from bench_edits import WAITING, add_demo
from PySide6.QtWidgets import QApplication

from annotator.attributes.element_attributes import SetAttribute
from annotator.ui.editor.history.history_feature import HistoryFeature
from annotator.ui.main_window import MainWindow
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from demopack.clock import utc_now
from demopack.domain.edits import Change, Edit
from demopack.domain.provenance import by_human
from demopack.settings import Settings
from demopack.store import Library

DEMO, JUMP = "demo_bench", 1000
LIMITS_MS = {"show, window's thread": 200.0, "one more edit, window's thread": 16.0, "scroll, a page": 16.0}


def add_edits(folder: Path, count: int) -> None:
    """Texts of one box, one after the other, straight into the log: through the library each would be synced."""
    with Library.open(folder) as library:
        element = next(iter(library.demo(DEMO).elements.values()))[7]
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        for seq in range(1, count + 1):
            new = element.changed(text=f"text {seq}")
            change = Change(kind="element", key=element.uid, before=element.to_json(), after=new.to_json())
            label = f"Set the text of the button to “text {seq}”"
            edit = Edit(id=f"edit_{seq}", label=label, changes=(change,), provenance=by_human())
            row = (DEMO, seq, "do", edit.id, None, edit.model_dump_json(), utc_now().isoformat())
            db.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            element = new
        text = json.dumps(element.to_json(), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        db.execute("UPDATE entities SET json = ? WHERE demo = ? AND key = ?", (text, DEMO, element.uid))


class Bench:
    """The open editor with its history, and two clocks."""

    def __init__(self, app: QApplication, window: MainWindow) -> None:
        self.app, self.window = app, window
        self.found: dict[str, float] = {}
        window.open_demo(DEMO)
        self.settle()
        assert window.editor is not None
        self.page = window.editor
        self.panel = self.page.context.feature(HistoryFeature)

    def settle(self) -> None:
        while self.window.workers.busy:
            self.app.processEvents(WAITING)
        self.app.processEvents()

    def measure(self, name: str, work: Callable[[], object], *, times: int = 1) -> None:
        own, everything = time.thread_time(), time.process_time()
        for _ in range(times):
            work()
            self.settle()
        self.found[f"{name}, window's thread"] = (time.thread_time() - own) * 1000 / times
        self.found[f"{name}, all threads"] = (time.process_time() - everything) * 1000 / times

    def run(self) -> dict[str, float]:
        session, panel, texts = self.page.session, self.panel, iter(range(100))
        uid = session.library.log.edit_at(DEMO, 1).changes[0].key
        self.measure(
            "an edit, nobody looks",
            lambda: session.do(SetAttribute(uids=(uid,), name="text", value=f"{next(texts)}")),
            times=20,
        )
        self.measure("show", lambda: self.page.context.panel.show_tab("history"))
        self.measure(
            "one more edit",
            lambda: session.do(SetAttribute(uids=(uid,), name="text", value=f"more {next(texts)}")),
            times=20,
        )
        bar = panel.edit_list.verticalScrollBar()
        own = time.thread_time()
        for _ in range(100):
            bar.setValue(bar.value() + panel.edit_list.viewport().height())
            panel.edit_list.viewport().repaint()
        self.found["scroll, a page"] = (time.thread_time() - own) * 10
        self.measure("find words", lambda: (panel.words.setText("text 77"), panel.narrow()))
        self.measure("find nothing", lambda: (panel.words.clear(), panel.narrow()))
        self.measure("what changed", lambda: panel.mode.button(1).click())
        panel.mode.button(0).click()
        row = panel.edits.row_at(JUMP)
        self.measure(f"jump over {JUMP:,} edits", lambda: panel.go_back(row))
        return self.found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--edits", type=int, default=10_000)
    given = parser.parse_args()
    app = QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DEMOPACK_SETTINGS"] = str(Path(folder) / "settings.json")
        with Library.open(Path(folder) / "library") as library:
            add_demo(library, 200)
        add_edits(Path(folder) / "library", given.edits)
        with Library.open(Path(folder) / "library") as library:
            theme = Theme(app, choice="light")
            window = MainWindow(library, theme=theme, services=Services(settings=Settings()))
            window.resize(1400, 900)
            window.show()
            found = {name: round(ms, 2) for name, ms in Bench(app, window).run().items()}
            window.close()
            theme.close()
    failed = [name for name, limit in LIMITS_MS.items() if found[name] > limit]
    if given.json:
        print(
            json.dumps({"unit": "ms CPU", "edits": given.edits, "limits": LIMITS_MS, "found": found, "failed": failed})
        )
        return int(bool(failed))
    print(f"a history of {given.edits:,} edits, CPU milliseconds")
    for name, ms in found.items():
        print(f"  {name:<40} {ms:>9.2f}  {f'limit {LIMITS_MS[name]:.0f}' if name in LIMITS_MS else ''}".rstrip())
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
