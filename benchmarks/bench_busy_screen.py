"""What a recording costs while the screen itself is busy: typing at full speed, scrolling output, an animation.

Runs ``demopack record`` as a user would, on a private X server, and reads ``/proc``::

    python benchmarks/bench_busy_screen.py [--size 1280x800 1920x1080] [--seconds 8] [--json FILE]

CPU is in percent of one core, of the recorder's process alone; memory is its peak.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.bench_recorder import cpu_s, rss_mb
from demopack.domain.geometry import Rect
from demopack.processes import end_process
from recorder.desktop.private_display import PrivateDisplay
from tests.support.easel import Easel
from tests.support.injector import Injector

_FPS = 30
_XTERM = ["xterm", "-geometry", "120x40+50+50", "-e"]
_ENDLESS = "while :; do echo lorem ipsum dolor sit amet consectetur $(date +%N); sleep 0.03; done"


def _nothing(_: PrivateDisplay, __: threading.Event) -> None:
    return


def _type(screen: PrivateDisplay, stop: threading.Event) -> None:
    with Injector(screen.name, key_s=0.01, between_s=0.03) as person:
        person.click(300, 300)
        while not stop.is_set():
            person.type("the quick brown fox ")


def _animate(screen: PrivateDisplay, stop: threading.Event) -> None:
    with Easel(screen.name) as easel:
        sheet, n = easel.sheet(Rect(100, 100, 900, 600), 0), 0
        while not stop.wait(1 / _FPS):
            n += 1
            sheet.paint(n * 0x010305 & 0xFFFFFF)


WORK: dict[str, tuple[list[str], Callable[[PrivateDisplay, threading.Event], None]]] = {
    "idle": ([], _nothing),
    "typing": ([*_XTERM, "cat"], _type),
    "scrolling": ([*_XTERM, "sh", "-c", _ENDLESS], _nothing),
    "animation": ([], _animate),
}


@contextlib.contextmanager
def _program(command: list[str], screen: PrivateDisplay) -> Generator[None]:
    if not command:
        yield
        return
    process = subprocess.Popen(command, env=screen.environment(), stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        end_process(process)


def run(size: tuple[int, int], name: str, *, seconds: float) -> dict[str, float]:
    """One recording."""
    command, work = WORK[name]
    with (
        tempfile.TemporaryDirectory() as folder,
        PrivateDisplay(width=size[0], height=size[1]) as screen,
        _program(command, screen),
    ):
        record = [sys.executable, "-m", "demopack", "record", "--task", "bench", "--library", f"{folder}/library"]
        process = subprocess.Popen(
            record, env=screen.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()
        stop = threading.Event()
        worker = threading.Thread(target=work, args=(screen, stop))
        worker.start()
        threading.Event().wait(3)  # until the start counts as past
        before, started = cpu_s(process.pid), time.monotonic()
        threading.Event().wait(seconds)
        used = 100 * (cpu_s(process.pid) - before) / (time.monotonic() - started)
        stop.set()
        worker.join()
        peak = rss_mb(process.pid)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        return {"percent": round(used, 1), "peak_rss_mb": round(peak, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", nargs="+", default=["1280x800", "1920x1080"])
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    for text in options.size:
        width, height = map(int, text.split("x"))
        for name in WORK:
            figures = found[f"{text} {name}"] = run((width, height), name, seconds=options.seconds)
            print(f"{text:10} {name:10} {figures['percent']:6.1f} %  {figures['peak_rss_mb']:6.1f} MB", flush=True)
    print(json.dumps({"load": os.getloadavg()[0], **found}))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
