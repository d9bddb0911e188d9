"""A task bank with 100,000 records: list, filter, search and count, as a page of tasks in the app asks for them.

Fills the bank once, through its own doors, then measures milliseconds of this process, wall time and CPU, each the
median of several runs. The yardsticks of the same run tell a slow machine from slow code: a loop of plain Python, and
the same texts searched by ``LIKE`` in a table without any index::

    python benchmarks/task_records.py [--tasks 100000] [--runs 7] [--folder DIR]
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measure import peak_mb

from demopack.domain.provenance import by_program
from demopack.domain.tasks import FilterFinding, Instantiation, SourceKind, StageRecord, Task, TaskSource
from demopack.domain.verdicts import DemoVerdict
from tasks.bank import TaskBank, TaskQuery

LIMIT_MS = 100.0
PAGE = 200
"""Rows that a page shows at once, and some more."""
BY = by_program("template", "benchmark")
VERBS = (
    "insert",
    "delete",
    "change",
    "print",
    "open",
    "save",
    "export",
    "format",
    "align",
    "number",
    "sort",
    "filter",
    "merge",
    "split",
    "rotate",
    "crop",
    "hide",
)
THINGS = (
    "table",
    "page",
    "row",
    "column",
    "border",
    "image",
    "header",
    "footer",
    "chart",
    "cell",
    "style",
    "index",
    "field",
    "frame",
    "note",
    "shape",
    "date",
)
PLACES = ("document", "spreadsheet", "slide", "letter", "report", "invoice", "list", "form", "drawing", "template")
APPS = ("writer", "calc", "impress", "pluma", "chromium", "")
KINDS: tuple[SourceKind, ...] = ("manual", "how_to", "query", "task_file", "evolved", "demo")


def words(chance: random.Random, count: int) -> str:
    """A sentence of words: few are frequent, most are rare, as in manuals."""
    rare = [f"{chance.choice(THINGS)}{chance.randrange(3000)}" for _ in range(max(count // 5, 1))]
    common = [chance.choice(chance.choice((VERBS, THINGS, PLACES))) for _ in range(count - len(rare))]
    return " ".join([*common, *rare])


def tasks(count: int) -> Iterator[Task]:
    """Tasks as a bank has them at all stages."""
    chance = random.Random(1)
    for number in range(count):
        task = Task(
            id=f"task_{number:06}",
            task=f"{chance.choice(VERBS).capitalize()} {words(chance, chance.randrange(5, 14))}",
            plan=tuple(words(chance, chance.randrange(4, 16)) for _ in range(chance.randrange(0, 12))),
            app=chance.choice(APPS),
            source=TaskSource(kind=chance.choice(KINDS), name=f"guide/{number % 2000:04}.html", place=f"line {number}"),
            provenance=BY,
        )
        far = number % 10
        if far > 1:
            kept = far > 4
            rule = FilterFinding(rule=chance.choice(("language", "too_short", "duplicate")), reason="It breaks it.")
            task = task.but(findings=() if kept else (rule,))
        if far > 7:
            task = task.but(
                instantiation=Instantiation(request=task.task), stages={"prefill": StageRecord(seconds=3.0)}
            )
        if far > 8:
            answer = chance.choice(("yes", "no", "unsure"))
            task = task.but(verdict=DemoVerdict(reason="So it is.", complete=answer, provenance=BY))
        yield task


def build(folder: Path, count: int) -> float:
    """Fill a bank; seconds."""
    began = time.monotonic()
    with TaskBank.open(folder) as bank:
        bank.add(tasks(count), label="Add", provenance=BY)
        bank.count()  # what is derived
    return time.monotonic() - began


def plain_loop() -> None:
    """A fixed piece of work, to compare machines by."""
    found = 0
    for number in range(1_000_000):
        found += number & 7


def timed(runs: int, call: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of wall time and CPU, medians, after one run that does not count."""
    call()
    wall, cpu = list[float](), list[float]()
    for _ in range(runs):
        began, used = time.perf_counter_ns(), time.process_time_ns()
        call()
        wall.append((time.perf_counter_ns() - began) / 1e6)
        cpu.append((time.process_time_ns() - used) / 1e6)
    return statistics.median(wall), statistics.median(cpu)


QUERIES = {
    "state kept": TaskQuery(state="kept"),
    "state complete": TaskQuery(state="complete"),
    "program": TaskQuery(app="calc"),
    "kind": TaskQuery(kind="manual"),
    "source": TaskQuery(source="guide/0042.html"),
    "rule": TaskQuery(rule="duplicate"),
    "rule, state, program": TaskQuery(rule="language", state="filtered_out", app="writer"),
    "program, state, kind": TaskQuery(app="calc", state="kept", kind="manual"),
    "search t": TaskQuery(words="t"),
    "search ta": TaskQuery(words="ta"),
    "search table": TaskQuery(words="table"),
    "search table border": TaskQuery(words="table border"),
    "search table border page row": TaskQuery(words="table border page row"),
    "search a rare word": TaskQuery(words="table1234"),
    "search nothing": TaskQuery(words="zzzzz"),
    "search table, state kept": TaskQuery(words="table", state="kept"),
    "search t, program, state": TaskQuery(words="t", app="calc", state="complete"),
    "search t, rule": TaskQuery(words="t", rule="duplicate"),
}


def measure(folder: Path, runs: int) -> list[str]:
    """Print every row; returns those that are too slow."""
    rows: dict[str, tuple[float, float]] = {}
    began = time.perf_counter_ns()
    with TaskBank.open(folder) as bank:
        first = bank.rows(limit=PAGE)
        opened = (time.perf_counter_ns() - began) / 1e6
        total = bank.count()
        assert len(first) == min(PAGE, total)
        calls: dict[str, Callable[[], object]] = {
            "list: first page": lambda: bank.rows(limit=PAGE),
            "list: a page in the middle": lambda: bank.rows(offset=total // 2, limit=PAGE),
            "list: the last page": lambda: bank.rows(offset=max(total - PAGE, 0), limit=PAGE),
            "list: how many": bank.count,
            "one task": lambda: bank.get(first[-1].id),
            "counts by state": lambda: bank.counts("state"),
            "counts by program": lambda: bank.counts("app"),
            "counts by kind": lambda: bank.counts("kind"),
            "counts by source": lambda: bank.counts("source"),
            "counts by rule": lambda: bank.counts("rule"),
        }
        for name, query in QUERIES.items():
            calls[f"{name}: first page"] = partial(bank.rows, query, limit=PAGE)
            calls[f"{name}: how many"] = partial(bank.count, query)
            last = max(bank.count(query) - PAGE, 0)
            calls[f"{name}: last page"] = partial(bank.rows, query, offset=last, limit=PAGE)
        for name, call in calls.items():
            rows[name] = timed(runs, call)
        everything = timed(runs, bank.rows)
    rows["yardstick: a million turns of a loop"] = timed(runs, plain_loop)
    with sqlite3.connect(":memory:") as plain:
        plain.execute("CREATE TABLE texts (task TEXT, plan TEXT)")
        plain.executemany("INSERT INTO texts VALUES (?, ?)", ((one.task, "\n".join(one.plan)) for one in tasks(total)))
        text = "SELECT count(*) FROM texts WHERE task LIKE '%table%' OR plan LIKE '%table%'"
        rows["yardstick: LIKE without an index"] = timed(runs, lambda: plain.execute(text).fetchone())
    width = max(map(len, rows))
    print(f"a bank of {total} tasks; wall ms, CPU ms, medians of {runs}; opened with its first page in {opened:.0f} ms")
    slow = [name for name, (wall, _) in rows.items() if wall > LIMIT_MS and not name.startswith("yardstick")]
    for name, (wall, cpu) in rows.items():
        print(f"  {name:<{width}}  {wall:9.2f} {cpu:9.2f}{'  <- more than 100' if name in slow else ''}")
    print(f"every row at once, as for an export: {everything[0]:.0f} ms; memory of this process {peak_mb():.0f} MB")
    told = {name: round(one[0], 3) for name, one in rows.items()}
    print(json.dumps({"benchmark": "task_records", "tasks": total, **told}))
    return slow


def main() -> None:
    """Build and measure; ends with 1 where something takes longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--folder", type=Path, help="keep the bank here, and use it again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch) / "library"
        if not (folder / "tasks.db").exists():
            print(f"filled in {build(folder, given.tasks):.0f} s")
        slow = measure(folder, given.runs)
    sys.exit(f"slower than {LIMIT_MS:g} ms: {', '.join(slow)}" if slow else 0)


if __name__ == "__main__":
    main()
