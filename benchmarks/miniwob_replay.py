"""MiniWoB++: how often a task that was recorded once succeeds again from its pack, by the page's own reward.

    python benchmarks/miniwob_replay.py --seeds 5 [--tasks click-button use-slider] [--out rewards.json]

Runs on a private X server. Takes about 20 s a task and seed on two cores.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demopack.settings import VisionSettings
from demopack.store import Library
from models.vision.finder import WorkerFinder, open_finder
from player.backends.x11 import X11Performer
from player.scripted_user import PracticeUser
from recorder.desktop.private_display import PrivateDisplay, on_display
from tests.support.line import play, recording, to_pack
from tests.support.miniwob import NEUTRAL, SCREEN, MiniWob
from tests.support.miniwob_tasks import SOLVERS
from tests.support.noted_person import NotedPerson, compare, done


def measure(
    page: MiniWob, device: X11Performer, finder: WorkerFinder, task: str, seed: int, speed: float
) -> dict[str, Any]:
    """One task, one seed: rewards, whether the pack holds what was done, how targets were found, seconds."""
    started = time.monotonic()
    person = NotedPerson(PracticeUser(device, speed=speed, seed=seed))
    device.move(*NEUTRAL)
    page.open(task, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "pack"
        with Library.open(Path(folder) / "library") as library:
            with recording(library, task=page.utterance) as demo_id:
                SOLVERS[task](page, person)
                by_person = page.reward()
            rows = to_pack(library, demo_id(), finder, pack)
        device.move(*NEUTRAL)
        page.open(task, seed=seed)
        played = play(pack, finder)
        by_replay = page.reward()
    return {
        "task": task,
        "seed": seed,
        "person": by_person,
        "replay": by_replay,
        "faults": compare(person.meant, done(rows)),
        "strategies": played.strategies,
        "seconds": round(time.monotonic() - started, 1),
    }


def main() -> None:
    """Measure and print a table; the last lines are the shares over all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=100)
    parser.add_argument("--tasks", nargs="*", choices=list(SOLVERS), default=list(SOLVERS))
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with (
        PrivateDisplay(width=SCREEN[0], height=SCREEN[1]) as display,
        on_display(display.environment()),
        MiniWob(display.environment()) as page,
        X11Performer(display.name) as device,
        open_finder(VisionSettings()) as finder,
    ):
        page.calibrate(device)
        for task in given.tasks:
            for seed in range(given.first_seed, given.first_seed + given.seeds):
                row = measure(page, device, finder, task, seed, given.speed)
                rows.append(row)
                print(f"{task:20} {seed:5} {row['person']:6.2f} {row['replay']:6.2f} {row['seconds']:6.1f} s  ", end="")
                print(" ".join(row["strategies"]), *row["faults"], flush=True)
    if given.out is not None:
        given.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(f"recorded exactly {share(not row['faults'] for row in rows)}")
    print(f"replay raw reward > 0 {share(row['replay'] > 0 for row in rows)}")
    print(f"replay raw reward == 1 {share(row['replay'] == 1 for row in rows)}")


def share(values: Any) -> str:  # noqa: ANN401 - any run of booleans
    """For instance ``9 of 10``."""
    listed = list(values)
    return f"{sum(listed)} of {len(listed)}"


if __name__ == "__main__":
    main()
