"""What an edit, an undo and opening a demo cost with 5,000 elements on a frame; CPU, against a plain SQLite insert."""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measure import report

from demopack.clock import utc_now
from demopack.domain.demos import DemoHead
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element, reading_order
from demopack.domain.provenance import by_human
from demopack.store import Library

COUNT = 5000
EDITS = 200


def element(number: int, shift: int = 0) -> Element:
    x, y = number % 100 * 12 + shift, number // 100 * 12
    box = [x, y, x + 9, y + 9]
    return Element.model_validate({"uid": f"e{number}", "frame": "f", "type": "button", "box": box})


def edit(*changes: Change) -> Edit:
    return Edit(id=f"edit_{time.monotonic_ns()}", label="Edit", changes=changes, provenance=by_human())


def cpu_ms(call: Callable[[], object]) -> float:
    start = time.process_time_ns()
    call()
    return (time.process_time_ns() - start) / 1e6


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        with Library.open(Path(folder) / "library") as library:
            with library.begin_recording(DemoHead(id="demo", created_at=utc_now())) as recording:
                recording.finish()
            inserted = [
                Change(kind="element", key=f"e{n}", before=None, after=element(n).to_json()) for n in range(COUNT)
            ]
            insert = cpu_ms(lambda: library.commit("demo", edit(*inserted)))
            edits: list[float] = []
            for number in range(EDITS):
                before, after = element(number).to_json(), element(number, 3).to_json()
                change = Change(kind="element", key=f"e{number}", before=before, after=after)
                edits.append(cpu_ms(lambda change=change: library.commit("demo", edit(change))))
            undos = [cpu_ms(lambda: library.undo("demo")) for _ in range(EDITS)]
            loads = [cpu_ms(lambda: library.demo("demo")) for _ in range(5)]
            found = library.demo("demo").elements["f"]
            orders = [cpu_ms(lambda: reading_order(found)) for _ in range(5)]
        plain = sqlite3.connect(Path(folder) / "plain.db", isolation_level=None)
        plain.execute("PRAGMA journal_mode = WAL")
        plain.execute("CREATE TABLE t (x)")
        yardstick = [cpu_ms(lambda: plain.execute("INSERT INTO t VALUES ('x')")) for _ in range(EDITS)]
        plain.close()
    report(
        f"store with {COUNT} elements on a frame, CPU, medians",
        {
            "plain SQLite insert": (statistics.median(yardstick), "ms"),
            "one edit": (statistics.median(edits), "ms"),
            "one undo": (statistics.median(undos), "ms"),
            "all elements in one edit": (insert, "ms"),
            "open the demo": (statistics.median(loads), "ms"),
            "reading order": (statistics.median(orders), "ms"),
        },
    )


if __name__ == "__main__":
    main()
