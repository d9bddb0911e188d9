"""Whether a long recording grows: an action a second for an hour, and the recorder's memory every ten seconds.

Runs ``demopack record`` with accessibility on a private desktop where somebody works in a real window and on a stage
that repaints itself at every press::

    python benchmarks/bench_steady.py [--minutes 60] [--film]

Tells resident memory after five minutes and at the end (medians of two minutes), how many events were dropped, and how
many steps there are. No more than 10 MB may come between the two, and nothing may be lost.
"""

from __future__ import annotations

import argparse
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
from demopack.settings import RecorderSettings, Settings, save_settings
from recorder.backends.private_desktop import PrivateDesktop
from tests.support.injector import Injector
from tests.support.stage import Stage

_WARM_S = 300.0
_LIMIT_MB = 10.0
_WORDS = ("ada", "lovelace", "notes", "1843", "engine", "number", "so far")


def resident_mb(pid: int) -> float:
    """Memory that a process has in use now, MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) * 1024 / 1e6


def work(person: Injector, stage: Stage, seconds: float) -> int:
    """An action a second; returns how many."""
    started, n = time.monotonic(), 0
    while time.monotonic() - started < seconds:
        x, y = stage.place.x + 30 + 53 * n % 600, stage.place.y + 60 + 31 * n % 400
        if n % 5 == 4:
            person.type(_WORDS[n // 5 % len(_WORDS)])
        elif n % 5 == 2:
            person.scroll("down", 2)
        else:
            person.click(x, y)
        n += 1
        person.wait(max(0.0, started + n - time.monotonic()))
    return n


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
        done: list[int] = []
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
        steps = sum(json.loads(line).get("event") == "step" for line in told)
        # It goes up and down by some pictures; the middle of two minutes is what counts.
        warm = statistics.median(mb for passed, mb in at if warm_s - 60 <= passed <= warm_s + 60)
        end = statistics.median(mb for passed, mb in at if passed >= at[-1][0] - 120)
        grown = end - warm
        print(json.dumps({"actions": done[0], "steps": steps, "dropped": counters["events_dropped"],
                          "after_five_minutes_mb": round(warm, 1), "at_the_end_mb": round(end, 1),
                          "grown_mb": round(grown, 1)}))  # fmt: skip
        return int(grown > _LIMIT_MB or counters["events_dropped"] > 0)


if __name__ == "__main__":
    sys.exit(main())
