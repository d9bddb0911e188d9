"""A library with 10,000 demos and 200,000 steps: open the list, filter it, scroll it.

Builds the library once, straight through the store, then measures CPU milliseconds of this process on Qt's offscreen
platform, in a window of 1600 x 1000::

    python benchmarks/bench_library.py [--demos 10000] [--steps 20] [--folder DIR]
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from measure import report

from demopack.domain.actions import ActionTarget, ClickAction
from demopack.domain.demos import DemoHead
from demopack.domain.elements import Element
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.records import Record
from demopack.domain.steps import Pointer, Step
from demopack.store import Library, listing
from demopack.store.entities import compact

_TASKS = ("Book a room", "Export the report", "Add a customer", "Change the address", "Pay the invoice", "Archive mail")
_APPS = ("Customers", "Mail", "Files", "Browser", "Calendar")
_START = datetime(2026, 1, 1, tzinfo=UTC)
QUERIES = ("b", "bo", "book", "app:mail", "app:mail is:approved", "steps:>10 -is:partial", "action:click /0{2}/", "")


def head(number: int) -> DemoHead:
    return DemoHead(
        id=f"demo_{number:010}",
        task=f"{_TASKS[number % len(_TASKS)]} {number}",
        app=_APPS[number % len(_APPS)],
        platform="linux-x11",
        created_at=_START + timedelta(minutes=number),
        status="complete" if number % 9 else "partial",
        accepted=bool(number % 3),
    )


def step(number: int, place: int) -> Step:
    """As many raw events as typing a word has; the frames are references only."""
    frames = [Frame(id=f"{number * 100 + place + i:064x}", width=1920, height=1080) for i in (0, 1)]
    return Step(
        id=f"step_{number}_{place}",
        position=1024 * place,
        action=ClickAction(target=ActionTarget(bbox=(0.5, 0.5, 0.0, 0.0))),
        pointer=Pointer(x=960, y=540),
        before=frames[0],
        after=frames[1],
        started_ns=1_000_000 * place,
        ended_ns=1_000_000 * place + 500,
        events=tuple(InputEvent(t_ns=1000 * n, kind="key_down", key="a", char="a") for n in range(20)),
        review="approved" if (number + place) % 4 else "unreviewed",
    )


def element(number: int) -> Element:
    return Element(
        uid=f"el_{number}",
        frame=f"{number * 100:064x}",
        type="button",
        box=Rect(10, 10, 90, 40),
        source="detector",
        confidence=0.8,
    )


def build(folder: Path, *, demos: int, steps: int) -> None:
    """Fill a library; rows go in as the store writes them."""
    with Library.open(folder) as library, library.connection.unsynced() as db:  # a thousand times faster
        for number in range(demos):
            first = head(number)
            db.execute("INSERT INTO demos (id, created_at) VALUES (?, ?)", (first.id, first.created_at.isoformat()))
            rows: list[tuple[str, str, int, Record]] = [
                ("head", first.id, 0, first),
                ("element", "el", 0, element(number)),
            ]
            rows += [("step", f"step_{number}_{place}", 1024 * place, step(number, place)) for place in range(steps)]
            db.executemany(
                "INSERT INTO entities (demo, kind, key, position, json) VALUES (?, ?, ?, ?, ?)",
                [(first.id, kind, key, place, compact(record.to_json())) for kind, key, place, record in rows],
            )


def cpu_ms(call: Callable[[], object]) -> float:
    start = time.process_time_ns()
    call()
    return (time.process_time_ns() - start) / 1e6


def measure(folder: Path) -> None:
    """Everything that a person waits for."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with Library.open(folder) as library:
        counted = cpu_ms(library.demos)
    listing._summary.cache_clear()  # noqa: SLF001 - as in a new process
    with Library.open(folder) as library:
        read, again = cpu_ms(library.demos), cpu_ms(library.demos)
        report("the list from the store", {"counted": (counted, "ms"), "read": (read, "ms"), "again": (again, "ms")})
        _measure_page(library, read)


def _measure_page(library: Library, read: float) -> None:
    from PySide6.QtWidgets import QApplication

    from annotator.ui.app import GuiThreadCollector
    from annotator.ui.library.library_page import LibraryPage
    from annotator.ui.operations import Operations, Workers
    from annotator.ui.recording.start_panel import StartPanel
    from annotator.ui.screenshot_cache import ScreenshotCache
    from annotator.ui.services import Services
    from annotator.ui.theme.manager import Theme
    from tests.support.services import with_calls

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    collector = GuiThreadCollector()
    theme, workers = Theme(app, choice="light"), Workers()
    operations = Operations(workers)
    services = with_calls(Services(), open_hotkeys=lambda *_: None, self_test=lambda *_: [], key_taken=lambda _: False)
    panel = StartPanel(theme, services=services, operations=operations, folder=library.folder)
    page = LibraryPage(ScreenshotCache(library, operations), theme, panel=panel)
    page.resize(1600, 1000)
    page.show()
    app.processEvents()
    demos = library.demos()

    def show() -> None:
        page.show_demos(demos)
        page.grab()

    shown = cpu_ms(show)
    filters = {query: cpu_ms(lambda query=query: (page.search.field.setText(query), page.grab())) for query in QUERIES}
    bar, frames = page.cards.verticalScrollBar(), list[float]()
    for place in range(0, min(bar.maximum(), 60 * 300), 60):
        bar.setValue(place)
        frames.append(cpu_ms(page.cards.viewport().repaint))
        # As the app's timer does now and then.
        frames[-1] += cpu_ms(collector.collect) if place % 600 == 0 else 0.0
    again = cpu_ms(lambda: page.show_demos(library.demos()))
    report(
        f"the library page, {len(demos)} demos",
        {
            "open: read, lay out, paint (<= 500)": (read + shown, "ms"),
            "filter, median": (statistics.median(filters.values()), "ms"),
            "filter, slowest (<= 200)": (max(filters.values()), "ms"),
            "scroll by 60 pixels, median": (statistics.median(frames), "ms"),
            "scroll by 60 pixels, slowest (<= 16)": (max(frames), "ms"),
            "read again, nothing new": (again, "ms"),
        },
    )
    page.close()
    collector.close()
    workers.close()
    theme.close()


def main() -> None:
    """Build and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--demos", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--folder", type=Path, help="keep the library here, and use it again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch) / "library"
        if not (folder / "library.db").exists():
            build(folder, demos=given.demos, steps=given.steps)
        measure(folder)


if __name__ == "__main__":
    main()
