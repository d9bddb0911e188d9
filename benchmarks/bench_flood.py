"""Whether the recorder keeps up, and what the person feels of it: nothing.

A thousand pointer events a second and typing meanwhile; how long the hook keeps each event; how long a stop takes after
two hundred steps::

    python benchmarks/bench_flood.py [--seconds 60] [--steps 200] [--size 1280x800] [--json FILE]

The hook's time is that of its whole callback for one delivery of the X server, which holds up to 32 events: an event
has been handed on by then. The recorder runs in this process, the person in another.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demopack.settings import RecorderSettings
from demopack.store import Library
from recorder.backends import open_screen, open_windows
from recorder.backends.x11.input import X11Input
from recorder.desktop.private_display import PrivateDisplay
from recorder.session import RecordingSession
from tests.support.flood import start_flood, wait_for_flood
from tests.support.injector import Injector
from tests.support.stage import Stage

Figures = dict[str, float]
_KEYS = ("f5", "f6", "f7", "escape", "arrowdown", "arrowup", "home", "end", "pagedown", "tab")


class TimedInput(X11Input):
    """Notes how long the hook keeps each delivery.

    Attributes:
        took_ns: for each delivery with events, from its arrival in the hook to the hook's return.
    """

    def __init__(self, *, display: str) -> None:
        super().__init__(display=display)
        self.took_ns: list[int] = []

    def _take(self, reply: Any) -> None:  # noqa: ANN401 - an untyped library
        arrived = time.perf_counter_ns()
        super()._take(reply)
        self.took_ns.append(time.perf_counter_ns() - arrived)


@contextmanager
def recording(screen: PrivateDisplay, inputs: TimedInput) -> Generator[tuple[RecordingSession, Library]]:
    """A running recording; its end is the caller's to call."""
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder) / "library") as library:
        source, windows = open_screen(screen.name), open_windows(screen.name)
        session = RecordingSession(
            library, settings=RecorderSettings(), task="bench", screen=source, windows=windows, inputs=inputs
        )
        session.start()
        yield session, library
        source.close()
        windows.close()


def flood(size: tuple[int, int], *, seconds: float) -> Figures:
    """Record a flood; what was lost, and what it cost."""
    width, height = size
    with PrivateDisplay(width=width, height=height) as screen, Stage(screen.name) as stage:
        inputs = TimedInput(display=screen.name)
        with recording(screen, inputs) as (session, library):
            cpu, began = time.process_time(), time.monotonic()
            done = wait_for_flood(start_flood(screen.name, seconds=seconds))
            share = 100 * (time.process_time() - cpu) / (time.monotonic() - began)
            stage.wait_for(len(done.text), len(done.text), timeout_s=60)
            demo = library.demo(session.stop())
            counters = session.counters
        took = sorted(inputs.took_ns)
        texts = [step.action.typed_text for step in demo.steps[:-1]]
        return {
            "flood_s": done.seconds,
            "moves_per_s": done.moves / done.seconds,
            "chars_per_s": len(done.text) / done.seconds,
            "events": counters.events_seen,
            "not_delivered": done.moves + 2 * len(done.text) - counters.events_seen,
            "dropped": counters.events_dropped,
            "text_exact": float(texts == [done.text]),
            "flood_percent": share,
            "hook_p50_ms": statistics.median(took) / 1e6,
            "hook_p99_ms": took[int(len(took) * 0.99)] / 1e6,
            "hook_max_ms": took[-1] / 1e6,
        }


def stop_after(size: tuple[int, int], *, steps: int) -> Figures:
    """How long a stop takes after so many steps."""
    width, height = size
    with (
        PrivateDisplay(width=width, height=height) as screen,
        Stage(screen.name) as stage,
        Injector(screen.name) as person,
    ):
        inputs = TimedInput(display=screen.name)
        with recording(screen, inputs) as (session, library):
            for n in range(steps):
                person.key(_KEYS[n % len(_KEYS)])
                stage.wait_for(n + 1, n + 1)
                person.wait(0.05)
            asked = time.monotonic()
            demo_id = session.stop()
            took = time.monotonic() - asked
            stored = len(library.demo(demo_id).steps)
        return {"stop_s": took, "steps": stored - 1}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    parts: list[Callable[[], Figures]] = [
        lambda: flood((width, height), seconds=options.seconds),
        lambda: stop_after((width, height), steps=options.steps),
    ]
    figures: Figures = {}
    for part in parts:
        figures |= part()
        threading.Event().wait(0.5)
    print(f"flood at {options.size}, load {os.getloadavg()[0]:.1f}")
    for name, value in figures.items():
        print(f"  {name:16} {value:12.3f}")
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))
    if options.json:
        options.json.write_text(json.dumps({"size": options.size, **figures}, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
