"""Identity switches per 100 frames on made sequences, without and with noise in what the models find.

Run: python benchmarks/bench_tracking.py
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from measure import report

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.track_scenes import SCENES, identity_switches

SEEDS = range(3)
LIMIT = 1.0


def main() -> None:
    """Print the table, and say what is missed."""
    rows: dict[str, tuple[float, str]] = {}
    worst = 0.0
    began, count = time.process_time(), 0
    for noise in (0.0, 0.03):
        for name in SCENES:
            results = [identity_switches(name, seed=seed, noise=noise) for seed in SEEDS]
            switches, frames = sum(one[0] for one in results), sum(one[1] for one in results)
            count += frames
            rows[f"{name}{f', {noise:.0%} noise' if noise else ''}"] = (100 * switches / frames, "per 100 frames")
            if not noise:
                worst = max(worst, 100 * switches / frames)
    rows["a frame, painting it included"] = ((time.process_time() - began) / count, "CPU s")
    report("tracking", rows)
    print("missed: " + ("switches" if worst > LIMIT else "nothing"))


if __name__ == "__main__":
    main()
