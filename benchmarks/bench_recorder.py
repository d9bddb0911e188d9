"""What a recording costs: CPU while nothing happens and while somebody works, memory, and how long a stop takes.

Runs ``demopack record`` as a user would, on a private X server, and reads ``/proc``::

    python benchmarks/bench_recorder.py [--runs 5] [--idle 10] [--active 10] [--size 1280x800 ...] [--json FILE]
    python benchmarks/bench_recorder.py --trees both ...
    python benchmarks/bench_recorder.py --beside-desktop ...   (each run again in a recording desktop, a Xephyr window)

CPU is in percent of one core, of the recorder's process alone and together with what it makes the X server do. The
figures are medians over the runs, for each size of the screen. ``--trees`` (``on``, ``off`` or ``both``) puts a form
whose program tells its accessibility tree in the place of a plain picture, and records with or without trees. What a
flood of events costs and how long the hook keeps them is measured by ``bench_flood.py``, exactness by ``stage_600.py``.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demopack.domain.geometry import Rect
from demopack_cli.quickstart.practice import PracticeApp
from recorder.desktop.private_display import PrivateDesktop, PrivateDisplay
from recorder.desktop.recording_desktop import RecordingDesktop
from recorder.desktop.servers import DesktopOptions
from tests.support.injector import Injector
from tests.support.stage import Stage

_TICK = os.sysconf("SC_CLK_TCK")
Figures = dict[str, float]


def cpu_s(pid: int) -> float:
    """CPU seconds of a process so far, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def rss_mb(pid: int) -> float:
    """Peak resident memory of a process, MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6


def server_pid(name: str = "Xvfb") -> int:
    """The X server that is recorded, a child of this process."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text(encoding="utf-8").split()
    names = {int(pid): Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip() for pid in children}
    return next(pid for pid, found in names.items() if found == name)


def _share(pids: tuple[int, int], seconds: float, work: threading.Thread | None = None) -> tuple[float, float]:
    """Percent of a core that the recorder, and recorder and server together, take in the next seconds."""
    before = [cpu_s(pid) for pid in pids]
    started = time.monotonic()
    if work is None:
        threading.Event().wait(seconds)
    else:
        work.start()
        work.join()
    took = time.monotonic() - started
    used = [100 * (cpu_s(pid) - start) / took for pid, start in zip(pids, before, strict=True)]
    return used[0], sum(used)


def _work(person: Injector, place: Rect, seconds: float) -> None:
    """A brisk person: two or three actions a second."""
    end, n = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        person.click(place.x1 + 53 * n % place.width, place.y1 + 31 * n % place.height)
        person.wait(0.25)
        person.type("ok")
        person.wait(0.25)
        n += 1


@contextlib.contextmanager
def _picture(size: tuple[int, int], _: Path) -> Generator[tuple[PrivateDisplay, Rect]]:
    with PrivateDisplay(width=size[0], height=size[1]) as screen, Stage(screen.name, width=700, height=500) as stage:
        yield screen, Rect(stage.place.x + 30, stage.place.y + 60, stage.place.x + 630, stage.place.y + 460)


@contextlib.contextmanager
def _desktop(size: tuple[int, int], _: Path) -> Generator[tuple[PrivateDisplay, Rect]]:
    with PrivateDisplay(width=size[0] + 40, height=size[1] + 60) as outer:
        os.environ["DISPLAY"] = outer.name
        with (
            RecordingDesktop(DesktopOptions(size=size, server="xephyr")) as screen,
            Stage(screen.name, width=700, height=500) as stage,
        ):
            yield screen, Rect(stage.place.x + 30, stage.place.y + 60, stage.place.x + 630, stage.place.y + 460)


@contextlib.contextmanager
def _form(size: tuple[int, int], folder: Path) -> Generator[tuple[PrivateDisplay, Rect]]:
    with (
        PrivateDesktop(width=size[0], height=size[1]) as desktop,
        PracticeApp(folder, environment=desktop.environment()) as app,
    ):
        yield desktop, Rect.spanning(app.where("name").center, app.where("email").center).grown(20)


def run(size: tuple[int, int], *, trees: str, idle_s: float, active_s: float) -> Figures:
    """One recording, idle and then active.

    ``trees``: ``on``, ``off``, empty for a picture that tells nothing, ``desktop`` for one in a recording desktop.
    """
    scene = _desktop if trees == "desktop" else _form if trees else _picture
    with (
        tempfile.TemporaryDirectory() as folder,
        scene(size, Path(folder)) as (screen, place),
        Injector(screen.name) as person,
    ):
        command = [sys.executable, "-m", "demopack", "record", "--task", "bench", "--library", f"{folder}/library"]
        command += ["--no-trees"] if trees == "off" else []
        started = time.monotonic()
        process = subprocess.Popen(command, env=screen.environment(), stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Recording")
        figures = {"start_s": time.monotonic() - started}
        pids = (process.pid, server_pid("Xephyr" if trees == "desktop" else "Xvfb"))
        threading.Event().wait(3)  # until the start counts as past
        figures["idle_percent"], figures["idle_with_server_percent"] = _share(pids, idle_s)
        worker = threading.Thread(target=_work, args=(person, place, active_s))
        figures["active_percent"], _ = _share(pids, active_s, worker)
        figures["peak_rss_mb"] = rss_mb(process.pid)
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        figures["stop_s"] = time.monotonic() - asked
        assert process.wait(30) == 0, rest
        return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--idle", type=float, default=10)
    parser.add_argument("--active", type=float, default=10)
    parser.add_argument("--size", nargs="+", default=["1280x800", "1920x1080"])
    parser.add_argument("--trees", choices=["on", "off", "both"], default="")
    parser.add_argument("--beside-desktop", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    results: list[dict[str, object]] = []
    for size in options.size:
        width, height = map(int, size.split("x"))
        kinds = ["on", "off"] if options.trees == "both" else [options.trees]
        kinds += ["desktop"] if options.beside_desktop else []
        found: dict[str, list[Figures]] = {kind: [] for kind in kinds}
        for _ in range(options.runs):
            for kind in kinds:
                found[kind].append(run((width, height), trees=kind, idle_s=options.idle, active_s=options.active))
        for kind, runs in found.items():
            medians = {name: round(statistics.median(r[name] for r in runs), 3) for name in runs[0]}
            words = {"": "", "desktop": ", in a recording desktop"}.get(kind, f", trees {kind}")
            print(f"recorder at {size}{words}, median of {options.runs}, load {os.getloadavg()[0]:.1f}")
            for name, value in medians.items():
                spread = f"{min(r[name] for r in runs):.2f} to {max(r[name] for r in runs):.2f}"
                print(f"  {name:26} {value:8.2f}   ({spread})")
            print(json.dumps({"size": size, "trees": kind, **medians}), flush=True)
            results.append({"size": size, "trees": kind, "runs": runs, "median": medians})
    if options.json:
        options.json.write_text(json.dumps(results, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
