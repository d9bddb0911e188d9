"""Whether a long recording grows: an action a second for an hour, and the recorder's memory every ten seconds.

Runs ``demopack record`` with accessibility on a private desktop where somebody works in a real window and on a stage
that repaints itself at every press::

    python benchmarks/bench_steady.py [--minutes 60] [--film]

Tells resident memory after five minutes and at the end (medians of two minutes), how many events were dropped, and
which actions are not in the recording as they were done. No more than 10 MB may come between the two, and nothing may
be lost.
"""

from __future__ import annotations

import argparse
import difflib
import json
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.bench_recorder import cpu_s
from demopack.domain.actions import ScrollAction, TypeAction
from demopack.domain.steps import Step
from demopack.settings import RecorderSettings, Settings, save_settings
from demopack.store import Library
from recorder.desktop.private_display import PrivateDesktop
from tests.support.injector import Injector
from tests.support.stage import Stage

_WARM_S = 300.0
_LIMIT_MB = 10.0
_WORDS = ("ada", "lovelace", "notes", "1843", "engine", "number", "so far")


def resident_mb(pid: int) -> float:
    """Memory that a process has in use now, MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) * 1024 / 1e6


def work(person: Injector, stage: Stage, seconds: float) -> list[str]:
    """An action a second; returns what was done, in the words of :func:`recorded`."""
    started, done = time.monotonic(), list[str]()
    while time.monotonic() - started < seconds:
        n = len(done)
        x, y = stage.place.x + 30 + 53 * n % 600, stage.place.y + 60 + 31 * n % 400
        if n % 5 == 4:
            word = _WORDS[n // 5 % len(_WORDS)]
            person.type(word)
            done.append(f"type {word}")
        elif n % 5 == 2:
            person.scroll("down", 2)
            done.append("scroll down 2")
        else:
            person.click(x, y)
            done.append(f"click {x} {y}")
        # Not faster than a person where the machine held everything up for a while.
        person.wait(max(0.6, started + len(done) - time.monotonic()))
    return done


def recorded(library: Path) -> list[str]:
    """The steps of the only demo of a library, for instance ``click 100 200``."""
    with Library.open(library, create=False) as opened:
        (summary,) = opened.demos()
        return [_words(step) for step in opened.demo(summary.head.id).steps[:-1]]  # the last one says that it is over


def _words(step: Step) -> str:
    action = step.action
    if isinstance(action, TypeAction):
        return f"type {action.text_to_type}"
    if isinstance(action, ScrollAction):
        return f"scroll {action.scroll_direction} {action.scroll_steps}"
    at = step.pointer
    return f"{action.action_type} {'' if at is None else f'{at.x} {at.y}'}".strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--film", action="store_true")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        PrivateDesktop() as screen,
        Stage(screen.name, width=700, height=500) as stage,
        Injector(screen.name) as person,
    ):
        settings = Path(folder) / "settings.json"
        save_settings(Settings(recorder=RecorderSettings(timeline=options.film)), settings)
        command = [
            sys.executable,
            "-m",
            "demopack",
            "record",
            "--task",
            "bench",
            "--json",
            "--library",
            f"{folder}/library",
        ]
        environment = {**screen.environment(), "DEMOPACK_SETTINGS": str(settings)}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        told: list[str] = []
        reader = threading.Thread(target=lambda: told.extend(process.stdout or ()), daemon=True)
        reader.start()
        threading.Event().wait(3)
        done: list[list[str]] = []
        worker = threading.Thread(target=lambda: done.append(work(person, stage, options.minutes * 60)))
        started, at = time.monotonic(), list[tuple[float, float]]()
        worker.start()
        warm_s = min(_WARM_S, options.minutes * 60 / 2)
        while worker.is_alive():
            worker.join(10)
            passed = time.monotonic() - started
            at.append((passed, resident_mb(process.pid)))
            if len(at) % 6:
                continue
            print(
                f"{passed / 60:6.1f} min {at[-1][1]:7.1f} MB  {cpu_s(process.pid) / passed:6.1%} of a core", flush=True
            )
        process.send_signal(signal.SIGINT)
        process.wait(60)
        reader.join(10)
        counters = json.loads(told[-1])["counters"]
        steps = recorded(Path(folder) / "library")
        different = list(difflib.unified_diff(done[0], steps, "done", "recorded", lineterm="", n=1))
        print("\n".join(different))
        # It goes up and down by some pictures; the middle of two minutes is what counts.
        warm = statistics.median(mb for passed, mb in at if warm_s - 60 <= passed <= warm_s + 60)
        end = statistics.median(mb for passed, mb in at if passed >= at[-1][0] - 120)
        grown = end - warm
        print(json.dumps({"actions": len(done[0]), "steps": len(steps), "as_done": not different,
                          "dropped": counters["events_dropped"],
                          "after_five_minutes_mb": round(warm, 1), "at_the_end_mb": round(end, 1),
                          "grown_mb": round(grown, 1)}))  # fmt: skip
        return int(grown > _LIMIT_MB or counters["events_dropped"] > 0 or bool(different))


if __name__ == "__main__":
    sys.exit(main())
