"""Shared by the benchmarks: CPU seconds of whole commands, medians, and one way to print."""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path


def command_cpu_s(command: Sequence[str]) -> float:
    """User and system seconds of one command and its children; its output is thrown away."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peak_mb() -> float:
    """The most memory that this process held so far, MiB; getrusage may tell that of the process which began it."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def median_of(runs: int, measure: Callable[[], float]) -> float:
    """The median of several runs after one that does not count."""
    measure()
    return statistics.median(measure() for _ in range(runs))


def report(title: str, rows: dict[str, tuple[float, str]]) -> None:
    """A table for people and one JSON line for programs; each row is (value, unit)."""
    width = max(len(name) for name in rows)
    print(title)
    for name, (value, unit) in rows.items():
        print(f"  {name:<{width}}  {value:10.3f} {unit}")
    print(json.dumps({"benchmark": title, **{name: value for name, (value, _) in rows.items()}}))
