"""What "forget" costs while a recording runs, in a library with 200 steps and in one with 200,000.

Builds both once, straight through the store, records 60 steps of a changing screen into each and forgets the last ten
of them, again and again; wall milliseconds, because the next step waits as long::

    python benchmarks/bench_forget.py [--demos 10000] [--folder DIR]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from bench_library import build, step
from measure import report

from demopack.clock import utc_now
from demopack.domain.demos import DemoHead
from demopack.domain.frames import Frame
from demopack.store import Library
from demopack.store.tiles import pack_ids

_STEPS = 20  # of each demo
_RECORDED, _FORGOTTEN, _TIMES = 60, 10, 5
_LIMIT_TIMES = 2.0


def fill(folder: Path, demos: int) -> None:
    """Demos as recorded and as they stand, with a list of tiles for each picture that they show."""
    build(folder, demos=demos, steps=_STEPS)
    with Library.open(folder) as library, library.connection.unsynced() as db:  # as bench_library does
        db.execute("INSERT INTO originals SELECT * FROM entities WHERE kind <> 'element'")
        db.executemany("INSERT INTO tiles (data) VALUES (?)", [(bytes(200),)] * 1000)
        dice = np.random.default_rng(1)
        rows = (
            (f"{number * 100 + place:064x}", 1920, 1080, 40, pack_ids(dice.integers(1, 1000, 1296).tolist()))
            for number in range(demos)
            for place in range(_STEPS + 1)
        )
        db.executemany("INSERT INTO frames (id, width, height, side, tiles) VALUES (?, ?, ?, ?, ?)", rows)


def measure(folder: Path) -> float:
    """Median milliseconds of one forgetting."""
    taken: list[float] = []
    dice = np.random.default_rng(2)
    screen = dice.integers(0, 255, (600, 800, 3), dtype=np.uint8)
    with (
        Library.open(folder) as library,
        library.begin_recording(DemoHead(id=f"demo_{time.time_ns()}", created_at=utc_now())) as recording,
    ):
        for round_ in range(_TIMES):
            for place in range(_RECORDED if not round_ else _FORGOTTEN):
                screen = screen.copy()
                screen[40 * (place % 10) : 40 * (place % 10) + 40, :200] = dice.integers(0, 255, (40, 200, 3))
                key = recording.stage_image(screen)
                shown = Frame(id=key, width=800, height=600)
                new = step(900_000_000 + round_, place).model_copy(update={"before": shown, "after": None})
                recording.append_step(new)
            keys = [f"step_{900_000_000 + round_}_{place}" for place in range(_FORGOTTEN)]
            begun = time.perf_counter_ns()
            recording.forget_steps(keys)
            taken.append((time.perf_counter_ns() - begun) / 1e6)
        recording.finish()
    return statistics.median(taken)


def main() -> None:
    """Build and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--demos", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, help="keep the libraries here, and use them again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch)
        figures: dict[str, float] = {}
        for demos in (10, given.demos):
            library = folder / f"library-{demos}"
            if not (library / "library.db").exists():
                fill(library, demos)
            figures[f"{demos * _STEPS:,} steps"] = measure(library)
    small, large = figures.values()
    report("forget ten steps while recording", {name: (value, "ms") for name, value in figures.items()})
    if large > _LIMIT_TIMES * small:
        sys.exit(f"{large / small:.1f} times as long in the large library")


if __name__ == "__main__":
    main()
