"""What a recording costs the *program* that is recorded: its CPU and memory beside those of an unrecorded control.

Each program runs on a private desktop (Xvfb, openbox, D-Bus, at-spi), recorded and not recorded in turns, and has the
same work done to it::

    python benchmarks/bench_beside_programs.py [--runs 3] [--seconds 60] [--only calc ...] [--no-trees] [--json FILE]

CPU is of the program and its children for the same number of actions, in percent of a core for as long as these take
on a machine that has nothing else to do; memory is their proportional set size, and how much more
of it they took than before the work. Figures are medians over the runs. The recording keeps trees and a film, so every
picture is asked about. *Late* counts the actions whose window took longer than a quarter of a second to read its next
message (``_NET_WM_PING``). A program that is not installed is skipped. The limits: 5 % of a core and 20 MB above the
control.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demopack.domain.geometry import Rect
from demopack.processes import end_process
from demopack.settings import PrivacySettings
from recorder.backends import open_windows
from recorder.backends.x11.ping import X11Ping
from recorder.desktop.private_display import PrivateDesktop
from tests.support.desktop_programs import until, xdotool
from tests.support.injector import Injector
from tests.support.leaks import recorded as steps_in
from tests.support.record_command import RecordCommand

_TICK = os.sysconf("SC_CLK_TCK")
_MOST_CPU, _MOST_MB = 5.0, 20.0
_FILES = 10_000
_REST_S, _QUIET = 60.0, 0.02
_EVERY_S, _LATE_S = 2.5, 0.25
_SHEET_ROWS, _LINES = 100_000, 5_000
_TABLE = str(Path(__file__).with_name("table.py"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One program and what is done to it.

    Attributes:
        name: for the table.
        command: makes the command line, given an empty folder.
        area: where in its window is pressed, in fractions: left, top, right, bottom.
        text: typed after each press.
        keys: pressed after that.
        scroll: steps of the wheel, down and up in turns.
        settle_s: how long it may load after its window has appeared.
    """

    name: str
    command: Callable[[Path], list[str]]
    area: tuple[float, float, float, float] = (0.1, 0.3, 0.9, 0.9)
    text: str = ""
    keys: tuple[str, ...] = ("Down",)
    scroll: int = 0
    settle_s: float = 5.0


@dataclass(slots=True, kw_only=True)
class Figures:
    """One run, or the medians of several."""

    cpu: float
    mb: float
    grown_mb: float
    actions: float = 0
    late: float = 0
    recorder_cpu: float = 0.0
    steps: int = 0
    doubts: dict[str, int] = field(default_factory=dict[str, int])
    secrets: int = 0
    problems: list[str] = field(default_factory=list[str])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", nargs="*", choices=list(PROGRAMS))
    parser.add_argument("--no-trees", action="store_true", help="record without what programs report")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found: dict[str, dict[str, object]] = {}
    print(f"{'program':<24}{'CPU alone':>10}{'recorded':>10}{'more':>8}{'MB alone':>10}{'recorded':>10}{'more':>8}")
    for key in given.only or PROGRAMS:
        program = PROGRAMS[key]
        with tempfile.TemporaryDirectory() as folder:
            command = program.command(Path(folder))
        if not _is_installed(command):
            print(f"{program.name:<24}{'not installed':>20}", flush=True)
            continue
        alone, beside = list[Figures](), list[Figures]()
        for _ in range(given.runs):
            for runs, recorded in ((alone, False), (beside, True)):
                runs.append(run(program, given.seconds, recorded=recorded, trees=not given.no_trees))
        found[key] = {"alone": [asdict(one) for one in alone], "recorded": [asdict(one) for one in beside]}
        _print(program, _medians(alone), _medians(beside))
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def _medians(runs: list[Figures]) -> Figures:
    """Numbers are medians; what else was told is that of the last run, problems those of all."""
    numbers = {
        name: statistics.median(getattr(one, name) for one in runs)
        for name in ("cpu", "mb", "grown_mb", "recorder_cpu", "actions", "late")
    }
    problems = list(dict.fromkeys(problem for one in runs for problem in one.problems))
    return replace(runs[-1], **numbers, problems=problems)


def _print(program: Program, alone: Figures, beside: Figures) -> None:
    cpu, memory = beside.cpu - alone.cpu, beside.grown_mb - alone.grown_mb
    fits = cpu <= _MOST_CPU and memory <= _MOST_MB
    numbers = f"{alone.cpu:10.1f}{beside.cpu:10.1f}{cpu:+8.1f}{alone.mb:10.0f}{beside.mb:10.0f}{memory:+8.1f}"
    late = f"late {alone.late:g} of {alone.actions:g}, recorded {beside.late:g} of {beside.actions:g}"
    about = f"recorder {beside.recorder_cpu:.1f} %, {beside.steps} steps, {beside.secrets} secrets; {late}"
    doubts = ", ".join(f"{count} {doubt}" for doubt, count in sorted(beside.doubts.items()))
    print(
        f"{program.name:<24}{numbers}  {'ok' if fits else 'TOO MUCH'}  ({about}; {doubts or 'no doubts'})", flush=True
    )
    for problem in beside.problems:
        print(f"    ! {problem}")


def run(program: Program, seconds: float, *, recorded: bool, trees: bool) -> Figures:
    """One run of the program, from its start to its end."""
    with tempfile.TemporaryDirectory() as name, PrivateDesktop(width=1280, height=800) as desktop:
        folder = Path(name)
        process = subprocess.Popen(
            program.command(folder),
            env={**desktop.environment(), "SAL_USE_VCLPLUGIN": "gtk3", "HOME": name, "TZ": "UTC"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
        try:
            box = _window(desktop, process.pid, program.settle_s)
            before_mb = pss_mb(process.pid)
            library = folder / "recording" / "library"
            library.parent.mkdir()
            recording = RecordCommand(desktop, library, privacy=PrivacySettings(), trees=trees) if recorded else None
            with recording or nullcontext():
                figures = _measure(program, process.pid, box, desktop, seconds, recording)
                figures.grown_mb = figures.mb - before_mb
            if recording is not None:
                _tell(figures, recording, library)
            return figures
        finally:
            end_process(process)


def _measure(
    program: Program, pid: int, box: Rect, desktop: PrivateDesktop, seconds: float, recording: RecordCommand | None
) -> Figures:
    watched = [pid] if recording is None else [pid, recording.pid]
    before, started = [cpu_s(each) for each in watched], time.monotonic()
    actions, late = work(program, box, desktop, seconds)
    took = max(seconds, time.monotonic() - started)
    spent = [cpu_s(each) - first for each, first in zip(watched, before, strict=True)]
    own = 100 * spent[-1] / took if recording else 0.0
    return Figures(
        cpu=100 * spent[0] / seconds, mb=pss_mb(pid), grown_mb=0.0, recorder_cpu=own, actions=actions, late=late
    )


def _tell(figures: Figures, recording: RecordCommand, library: Path) -> None:
    steps = steps_in(library)
    figures.steps = len(steps)
    figures.doubts = dict(Counter(doubt for step in steps for doubt in step.doubts(parsed=False)))
    figures.secrets = int(recording.told[-1]["counters"]["secrets_hidden"])
    told = [str(item["text"]) for item in recording.told if item["event"] == "problem"]
    figures.problems = list(dict.fromkeys(told))


def work(program: Program, box: Rect, desktop: PrivateDesktop, seconds: float) -> tuple[int, int]:
    """An action every 2.5 seconds: presses all over the area, the wheel, typing, keys; the same in every run.

    Returns:
        How many there were, and after how many of them the program was late.
    """
    left, top, right, bottom = program.area
    number = late = 0
    pings = X11Ping(display=desktop.name, late_s=_LATE_S)
    pings.start()
    started = time.monotonic()
    with Injector(desktop.name) as person:
        while number * _EVERY_S < seconds:
            person.wait(max(0.0, number * _EVERY_S - (time.monotonic() - started)))
            across, down = left + (right - left) * (number * 7 % 10) / 10, top + (bottom - top) * (number * 3 % 10) / 10
            at = round(box.x1 + box.width * across), round(box.y1 + box.height * down)
            person.move(*at)
            person.wait(0.2)
            person.click(*at)
            acted_ns = time.monotonic_ns()
            pings.ask(acted_ns, at)
            person.wait(0.3)
            person.scroll("up" if number % 4 == 3 else "down", program.scroll)
            person.type(program.text)
            for key in program.keys:
                person.key(key)
                person.wait(0.3)
            late += pings.responded(acted_ns, acted_ns) is False
            number += 1
    pings.stop()
    return number, late


def _window(desktop: PrivateDesktop, pid: int, settle_s: float) -> Rect:
    """Where the program's window is, once it is there and has come to rest, or a minute has passed."""
    found: list[Rect] = []
    with closing(open_windows(desktop.name)) as windows:

        def shown() -> bool:
            active = windows.read().active
            box = None if active is None else active.box
            if box is not None and box.width > 300:
                found.append(box)
            return bool(found)

        until(shown, "the program shows no window", timeout_s=120)
        pause, deadline = threading.Event(), time.monotonic() + _REST_S
        pause.wait(settle_s)
        while time.monotonic() < deadline:
            before = cpu_s(pid)
            pause.wait(2)
            if cpu_s(pid) - before < 2 * _QUIET:
                break
        xdotool(desktop, "key", "Escape")
        found.clear()
        until(shown, "the program's window has gone", timeout_s=30)
    return found[-1]


def tree(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        below = [child for task in tasks for child in (task / "children").read_text(encoding="utf-8").split()]
    except OSError:
        return found
    return found + [each for child in below for each in tree(int(child))]


def cpu_s(pid: int) -> float:
    """CPU seconds so far of a process and all below it, those that have ended included."""
    total = 0
    for each in tree(pid):
        try:
            fields = Path(f"/proc/{each}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(int(number) for number in fields[11:15])
    return total / _TICK


def pss_mb(pid: int) -> float:
    """Memory of a process and all below it, shared pages counted in part, MB."""
    total = 0
    for each in tree(pid):
        try:
            lines = Path(f"/proc/{each}/smaps_rollup").read_text(encoding="utf-8").splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total * 1024 / 1e6


# The programs -----------------------------------------------------------------------------------------------------


def _office(kind: str) -> Callable[[Path], list[str]]:
    return lambda folder: [
        "soffice", f"--{kind}", "--norestore", "--nofirststartwizard", "--nologo",
        f"-env:UserInstallation={(folder / 'office').as_uri()}",
    ]  # fmt: skip


def _sheet(folder: Path) -> list[str]:
    """A million cells."""
    sheet = folder / "sheet.csv"
    rows = (",".join(str(row * column) for column in range(1, 11)) for row in range(_SHEET_ROWS))
    sheet.write_text("\n".join(rows), encoding="ascii")
    return [*_office("calc")(folder), "--infilter=Text - txt - csv (StarCalc):44,34,76,1", str(sheet)]


def _editor(*command: str) -> Callable[[Path], list[str]]:
    def made(folder: Path) -> list[str]:
        text = folder / "text.txt"
        text.write_text("".join(f"Line {n} of a text that is long\n" for n in range(_LINES)), encoding="ascii")
        return [*command, str(text)]

    return made


def _files(*command: str) -> Callable[[Path], list[str]]:
    def made(folder: Path) -> list[str]:
        files = folder / "files"
        files.mkdir()
        for number in range(_FILES):
            (files / f"file {number}.txt").touch()
        return [*command, str(files)]

    return made


def _chromium(folder: Path) -> list[str]:
    page = folder / "page.html"
    fields = "".join(f"<p><label>Field {n} <input size=40></label> and <b>some</b> <i>words</i>" for n in range(400))
    page.write_text(f"<!doctype html><meta charset=utf-8><title>Form</title>{fields}", encoding="utf-8")
    return [
        "chromium", "--no-sandbox", "--no-first-run", "--test-type", "--disable-gpu", "--password-store=basic",
        "--disable-background-networking", "--force-renderer-accessibility", f"--user-data-dir={folder / 'profile'}",
        "--window-size=1100,700", page.as_uri(),
    ]  # fmt: skip


def _thunderbird(folder: Path) -> list[str]:
    (folder / "mail").mkdir()
    return ["thunderbird", "--profile", str(folder / "mail")]


def _gtk(kind: str) -> Callable[[Path], list[str]]:
    return lambda _: ["/usr/bin/python3", _TABLE, kind]


def _is_installed(command: list[str]) -> bool:
    if shutil.which(command[0]) is None:
        return False
    if command[-1] not in {"gtk3", "gtk4"}:
        return True
    check = f"import gi; gi.require_version('Gtk', '{command[-1][-1]}.0')"
    return subprocess.run([command[0], "-c", check], capture_output=True, check=False).returncode == 0


PROGRAMS: dict[str, Program] = {
    "calc": Program(
        name="LibreOffice Calc", command=_office("calc"), area=(0.1, 0.4, 0.8, 0.85), text="12", keys=("Return",),
        settle_s=12,
    ),
    "sheet": Program(
        name="Calc, 1,000,000 cells", command=_sheet, area=(0.1, 0.4, 0.8, 0.85), text="12", keys=("Return", "Next"),
        scroll=4, settle_s=30,
    ),
    "writer": Program(
        name="LibreOffice Writer", command=_office("writer"), area=(0.3, 0.4, 0.7, 0.85), text="some words ",
        keys=("Return",), settle_s=12,
    ),
    "gedit": Program(
        name="gedit, 5,000 lines", command=_editor("gedit", "--standalone"), area=(0.3, 0.4, 0.7, 0.85),
        text="some words ", keys=("Return",), scroll=4,
    ),
    "mousepad": Program(
        name="Mousepad, 5,000 lines", command=_editor("mousepad", "--disable-server"), area=(0.3, 0.4, 0.7, 0.85),
        text="some words ", keys=("Return",), scroll=4,
    ),
    "featherpad": Program(
        name="FeatherPad, 5,000 lines", command=_editor("featherpad", "--standalone"), area=(0.3, 0.4, 0.7, 0.85),
        text="some words ", keys=("Return",), scroll=4,
    ),
    "caja": Program(name="Caja, 10,000 files", command=_files("caja", "--no-desktop", "--browser"), settle_s=10),
    "thunar": Program(name="Thunar, 10,000 files", command=_files("thunar"), settle_s=10),
    "gtk3": Program(name="GTK 3, 1,000,000 rows", command=_gtk("gtk3")),
    "gtk4": Program(name="GTK 4, 1,000,000 rows", command=_gtk("gtk4")),
    "qt": Program(name="Qt, 1,000,000 rows", command=lambda _: [sys.executable, _TABLE, "qt"]),
    "chromium": Program(
        name="Chromium", command=_chromium, area=(0.1, 0.3, 0.3, 0.9), text="some words", keys=("Tab",),
        scroll=4,
    ),
    "gimp": Program(name="GIMP", command=lambda _: ["gimp", "--new-instance", "--no-splash"], settle_s=20),
    "thunderbird": Program(
        name="Thunderbird", command=_thunderbird, area=(0.3, 0.4, 0.7, 0.8), text="some", keys=("Tab",), settle_s=15
    ),
}  # fmt: skip


if __name__ == "__main__":
    main()
