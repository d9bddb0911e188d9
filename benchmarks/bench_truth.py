"""How well the truth check tells true rationales from false ones: recall by class, false alarms by voice.

    python benchmarks/bench_truth.py [--json] [--missed]

The set is made by code from recorded steps (``tests/support/truth_*.py``): true rationales in many voices, and the
same ones with one named fault. ``seen`` is what the rules were tuned with, ``unseen`` are voices and forms that were
only counted.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.editing import sample_library
from tests.support.truth_figures import by_hand_figures, figures
from tests.support.truth_steps import practice_steps, sample_steps, screen_steps


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--missed", action="store_true", help="print what was missed and what was alarming")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sample = sample_steps(sample_library(Path(folder)))
    steps = [*practice_steps(), *sample, *screen_steps()]
    started = time.perf_counter()
    found = figures(steps)
    seconds = time.perf_counter() - started
    hand = by_hand_figures(sample)
    if options.json:
        data = {"steps": len(steps), "seconds": round(seconds, 2), **found, "by_hand": hand}
        print(json.dumps(data, ensure_ascii=False, indent=2))
        return
    for half, data in found.items():
        rate = f"{data['false_alarm_rate']:.2%}"
        print(f"{half}: {data['true']} true rationales, {data['false_alarms']} false alarms ({rate})")
        for name, row in data["classes"].items():
            print(f"  {name:18} {row['found']:4} of {row['made']:4}  recall {row['recall']:.3f}")
            for text in row["missed"] if options.missed else ():
                print(f"      missed: {text[:300]}")
        for name, row in data["voices"].items():
            for text in row["alarms"] if options.missed else ():
                print(f"      {name}: {text[:300]}")
    print(f"by hand, after all mending: {hand['found']} of {hand['false']} faults found, ", end="")
    print(f"{hand['false_alarms']} false alarms on {hand['true']} true ones")
    print(f"{seconds:.1f} s")


if __name__ == "__main__":
    main()
