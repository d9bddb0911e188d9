"""What the library costs: bytes per step, storing and reading frames, forgetting, listing, edits and undo.

Times are CPU milliseconds of this process, so that other programs on the machine count for less.
"""

from __future__ import annotations

import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measure import command_cpu_s, median_of, report
from screens import OnStep, play_busy, play_stage

from demopack.clock import utc_now
from demopack.domain.actions import TypeAction
from demopack.domain.demos import DemoHead
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element, reading_order
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.provenance import by_human
from demopack.domain.records import new_id
from demopack.domain.steps import Step
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


def pages(library: Library) -> int:
    """Bytes of the database, with what is still in the log beside it."""
    return library.connection.size  # nobody else wants to know


def frame(key: str, image: RgbImage) -> Frame:
    return Frame(id=key, width=image.shape[1], height=image.shape[0])


def step(number: int, before: Frame | None, after: Frame | None) -> Step:
    """A step with as many raw events as typing a word has."""
    events = tuple(InputEvent(t_ns=1000 * number + n, kind="key_down", key="a", char="a") for n in range(20))
    return Step(
        id=new_id("step"),
        position=1024 * number,
        action=TypeAction(text_to_type="a" * 10),
        before=before,
        after=after,
        started_ns=1000 * number,
        ended_ns=1000 * number + 500,
        events=events,
    )


def recording(name: str, play: Callable[[OnStep], None]) -> None:
    """Record what is played as the recorder does, and read it."""
    sizes: list[int] = []
    puts: list[float] = []
    still: list[float] = []
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder) / "library") as library:
        empty = pages(library)
        with library.begin_recording(DemoHead(id="demo", created_at=utc_now())) as running:

            def keep(before: RgbImage, after: RgbImage) -> None:
                size = pages(library)

                def put() -> None:
                    shown = [frame(running.stage_image(image), image) for image in (before, after)]
                    running.append_step(step(len(sizes) + 1, *shown))

                puts.append(cpu_ms(put))
                sizes.append(pages(library) - size)
                still.append(cpu_ms(lambda: library.put_image(after)))

            play(keep)
            running.finish()
        demo = library.demo("demo")
        reads = [cpu_ms(lambda shown=shown: library.get_image(shown.id)) for shown in demo.frames() * 3]
        walls: list[float] = []
        for shown in demo.frames():
            start = time.perf_counter()
            library.get_image(shown.id)
            walls.append((time.perf_counter() - start) * 1000)
        whole = pages(library) - empty
        last = [one.id for one in demo.steps[-5:]]
        forgetting = cpu_ms(lambda: library.forget_steps("demo", last))
    report(
        f"frames of {name}, {len(sizes)} steps, {len(demo.frames())} different screens",
        {
            "bytes per step, all in all": (whole / len(sizes) / 1000, "KB"),
            "bytes per step, median": (statistics.median(sizes) / 1000, "KB"),
            "first step": (sizes[0] / 1000, "KB"),
            "store a step, two frames": (statistics.median(puts), "ms"),
            "store a frame that is there": (statistics.median(still), "ms"),
            "read a frame, checked": (statistics.median(reads), "ms"),
            "read a frame, slowest": (max(reads), "ms"),
            "read a frame, by the clock": (statistics.median(walls), "ms"),
            "forget five steps": (forgetting, "ms"),
        },
    )


def big_library(demos: int = 100, steps: int = 50) -> None:
    """A library of 5,000 steps and 20,000 elements: listing it, and forgetting the last steps."""
    with tempfile.TemporaryDirectory() as folder:
        with Library.open(Path(folder) / "library") as library:
            for number in range(demos):
                name = f"demo_{number}"
                with library.begin_recording(DemoHead(id=name, created_at=utc_now())) as running:
                    for place in range(steps):
                        key = f"{number * steps + place:064x}"
                        running.append_step(step(place + 1, Frame(id=key, width=9, height=9), None))
                    running.finish()
                found = [
                    Change(kind="element", key=f"e{n}", before=None, after=element(n).to_json()) for n in range(200)
                ]
                library.commit(name, edit(*found))
            size = pages(library)
            ids = [one.id for one in library.demo("demo_9").steps[-5:]]
            start = time.perf_counter()
            cpu = cpu_ms(lambda: library.forget_steps("demo_9", ids))
            wall = (time.perf_counter() - start) * 1000
            start = time.perf_counter()
            library.compact()
            compacting = time.perf_counter() - start
        command = [sys.executable, "-m", "demopack", "list", "--library", str(Path(folder) / "library")]
        listing = median_of(5, lambda: command_cpu_s(command))
        bare = median_of(5, lambda: command_cpu_s([sys.executable, "-c", "pass"]))
    report(
        f"library of {demos} demos, {demos * steps} steps, {demos * 200} elements",
        {
            "database": (size / 1e6, "MB"),
            "forget five steps, CPU": (cpu, "ms"),
            "forget five steps, by the clock": (wall, "ms"),
            "compact, by the clock": (compacting, "s"),
            "bare interpreter, CPU": (bare, "s"),
            "demopack list, CPU": (listing, "s"),
        },
    )


def edits() -> None:
    with tempfile.TemporaryDirectory() as folder:
        with Library.open(Path(folder) / "library") as library:
            with library.begin_recording(DemoHead(id="demo", created_at=utc_now())) as recording:
                recording.finish()
            inserted = [
                Change(kind="element", key=f"e{n}", before=None, after=element(n).to_json()) for n in range(COUNT)
            ]
            insert = cpu_ms(lambda: library.commit("demo", edit(*inserted)))
            single: list[float] = []
            for number in range(EDITS):
                before, after = element(number).to_json(), element(number, 3).to_json()
                change = Change(kind="element", key=f"e{number}", before=before, after=after)
                single.append(cpu_ms(lambda change=change: library.commit("demo", edit(change))))
            undos = [cpu_ms(lambda: library.log.undo("demo")) for _ in range(EDITS)]
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
            "one edit": (statistics.median(single), "ms"),
            "one undo": (statistics.median(undos), "ms"),
            "all elements in one edit": (insert, "ms"),
            "open the demo": (statistics.median(loads), "ms"),
            "reading order": (statistics.median(orders), "ms"),
        },
    )


if __name__ == "__main__":
    recording("the stage at 1280x800", play_stage)
    recording("a busy desktop at 1920x1080", play_busy)
    big_library()
    edits()
