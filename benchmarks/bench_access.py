"""What it costs to ask programs: how late the news of a focus is, each question, a whole tree, CPU while idle.

Opens a GTK dialog, an editor, the practice app and pages in Chromium on a private desktop::

    python benchmarks/bench_access.py [--rounds 40] [--idle 10] [--json FILE]

Times are medians and the slowest, in milliseconds; CPU is of this process alone, in percent of one core. A tree is that
of the window with the input, read from nothing as the recorder reads it: its nodes, what that took us and the program
of a processor, and ours for 500 nodes.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demopack.domain.geometry import Rect
from recorder.backends import open_access, open_windows
from recorder.backends.atspi.budget import Budget, worked_s
from recorder.backends.atspi.bus import bus_address, open_bus
from recorder.backends.atspi.element_queries import ElementQueries
from recorder.backends.atspi.scale import ProgramScales, ServerWindows
from recorder.backends.atspi.walk import Walker
from recorder.backends.atspi.watch import KnownFieldGaps, SecureWatch
from recorder.backends.atspi.window_trees import TreeThread
from recorder.backends.base import AccessSource, SeenWindow
from recorder.backends.element_history import BoxHistory
from recorder.desktop.private_display import PrivateDesktop
from tests.support.desktop_programs import LOGIN_PAGE, DesktopProgram, chromium, until, zenity
from tests.support.injector import Injector

_PRACTICE = Path(__file__).resolve().parent.parent / "assets" / "practice_app" / "main.py"
Figures = dict[str, float]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--idle", type=float, default=10.0)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as folder, PrivateDesktop(width=1280, height=800) as desktop:
        found["nothing open"] = quiet(desktop, given.idle)
        for name, program in programs(desktop, Path(folder)).items():
            with program:
                with listening(desktop) as access:
                    found[name] = {**questions(desktop, access, given.rounds), **idle(given.idle)}
                found[name] |= tree(desktop, max(3, given.rounds // 4))
    for name, figures in found.items():
        print(name, "  ".join(f"{key} {value:.2f}" for key, value in figures.items()))
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def programs(desktop: PrivateDesktop, folder: Path) -> dict[str, DesktopProgram]:
    """One of each toolkit, each with a secure field in sight."""
    page = folder / "login.html"
    page.write_text(LOGIN_PAGE, encoding="utf-8")
    form, text = folder / "form.html", folder / "text.txt"
    field = "<p style='float:left;margin:0 4px'><label>Field <input size=4></label> <b>some</b> <i>words</i>"
    style = "<!doctype html><meta charset=utf-8><title>Form</title><body style='font-size:8px'>"
    form.write_text(f"{style}<input autofocus>{field * 70}", encoding="utf-8")
    text.write_text("words\n" * 50, encoding="ascii")
    state = str(folder / "state.json")
    return {
        "GTK": zenity(desktop, "--forms", "--add-entry=User", "--add-password=Password", title="Sign in"),
        "Qt": DesktopProgram(desktop, sys.executable, str(_PRACTICE), "--state", state, window="Practice"),
        "editor": DesktopProgram(desktop, "mousepad", "--disable-server", str(text), window="text.txt"),
        "Chromium": chromium(desktop, page, title="Login page", profile=folder / "profile"),
        "Chromium, form": chromium(desktop, form, title="Form", profile=folder / "profile of the form"),
    }


@contextmanager
def listening(desktop: PrivateDesktop) -> Generator[AccessSource]:
    """An accessibility source that already knows what has the input."""
    access = open_access(desktop.name)
    access.start()
    try:
        until(lambda: access.catch_up(timeout_s=1) and access.focused(time.monotonic_ns()) is not None, "no focus")
        yield access
    finally:
        access.stop()


def quiet(desktop: PrivateDesktop, seconds: float) -> Figures:
    """CPU with no program at all."""
    access = open_access(desktop.name)
    access.start()
    try:
        until(lambda: access.available, "no accessibility")
        return idle(seconds)
    finally:
        access.stop()


def idle(seconds: float) -> Figures:
    """CPU of this process while nothing happens."""
    threading.Event().wait(3)
    before, started = time.process_time(), time.monotonic()
    threading.Event().wait(seconds)
    return {"idle CPU %": (time.process_time() - before) / (time.monotonic() - started) * 100}


def questions(desktop: PrivateDesktop, access: AccessSource, rounds: int) -> Figures:
    """How long the news of a new focus takes from the key on, and each question."""
    news: list[float] = []
    pause = threading.Event()
    with Injector(desktop.name, key_s=0, between_s=0) as injector:
        for _ in range(rounds):
            old = access.focused(time.monotonic_ns())
            started = time.monotonic_ns()
            injector.key("Tab")
            while access.focused(time.monotonic_ns()) in (None, old):
                assert time.monotonic_ns() - started < 5_000_000_000, "the focus does not move"
                pause.wait(0.0005)
            news.append((time.monotonic_ns() - started) / 1e6)
            access.catch_up(timeout_s=1)
    until(lambda: access.focused(time.monotonic_ns()) is not None, "no focus")
    element = access.focused(time.monotonic_ns())
    assert element is not None
    assert element.box is not None
    return {
        **_summary("news ms", news),
        **_summary("catch up ms", [_caught_up(access) for _ in range(rounds)]),
        **_summary("pointed ms", [_pointed(access, element.box, number) for number in range(rounds)]),
    }


def tree(desktop: PrivateDesktop, rounds: int) -> Figures:
    """What a whole tree takes, by a reader that knows nothing of the program yet and may ask as much as it likes."""
    with closing(open_windows(desktop.name)) as windows:
        read = windows.read()
    stack = [window for window in read.stack if isinstance(window, SeenWindow)]
    ours, theirs, walls, nodes = list[float](), list[float](), list[float](), 0
    for _ in range(rounds):
        bus = open_bus(bus_address(desktop.name) or "", lambda _: None)
        assert bus is not None
        with closing(bus), closing(ProgramScales(ServerWindows(desktop.name))) as scales:
            asker = ElementQueries(bus, scales)
            budget = Budget(lambda _: 0, shares=(1.0,))
            watch = SecureWatch(
                Walker(asker), budget, boxes=BoxHistory(), gaps=KnownFieldGaps(), on_look=lambda _: None
            )
            reader = TreeThread(Walker(asker), budget, watch=watch)
            reader.start()
            cpu, started = time.process_time(), time.monotonic()
            worked = [worked_s(window.process) or 0.0 for window in stack]
            reader.look(stack, changed=[None] * len(stack))
            assert reader.wait_idle(30), "it does not end"
            ours.append((time.process_time() - cpu) * 1000)
            walls.append((time.monotonic() - started) * 1000)
            now = [worked_s(window.process) or 0.0 for window in stack]
            theirs.append(1000 * sum(b - a for a, b in zip(worked, now, strict=True)))
            nodes = max(len(one.tree.nodes) for one in reader.before(time.monotonic_ns()))
            reader.stop()
    return {
        "tree nodes": nodes,
        **_summary("tree CPU ms", ours),
        "tree CPU ms of 500": statistics.median(ours) * 500 / nodes,
        "tree CPU ms of the program": statistics.median(theirs),
        "tree ms": statistics.median(walls),
    }


def _caught_up(access: AccessSource) -> float:
    started = time.perf_counter()
    access.catch_up(timeout_s=1)
    return (time.perf_counter() - started) * 1000


def _pointed(access: AccessSource, box: Rect, number: int) -> float:
    """From the question to the answer, each time at another place."""
    x, y = box.x1 + 3 * (number % (box.width // 3)), box.y1 + 3 * (number * 3 // box.width % (box.height // 3))
    pause = threading.Event()
    access.ask(x, y)
    asked = time.monotonic_ns()
    while access.pointed(x, y, asked) is None and time.monotonic_ns() - asked < 1_000_000_000:
        pause.wait(0.0005)
    return (time.monotonic_ns() - asked) / 1e6


def _summary(name: str, values: list[float]) -> Figures:
    return {name: statistics.median(values), f"{name} (slowest)": max(values)}


if __name__ == "__main__":
    main()
