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
from tests.support.truth_figures import figures, steps_of


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--missed", action="store_true", help="print what was missed and what was alarming")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        steps = steps_of(sample_library(Path(folder)))
    started = time.perf_counter()
    found = figures(steps)
    seconds = time.perf_counter() - started
    if options.json:
        print(json.dumps({"steps": len(steps), "seconds": round(seconds, 2), **found}, ensure_ascii=False, indent=2))
        return
    for half, data in found.items():
        print(
            rate = f"{data['false_alarm_rate']:.2%}"
            print(f"{half}: {data['true']} true rationales, {data['false_alarms']} false alarms ({rate})")
        )
        for name, row in data["classes"].items():
            print(f"  {name:18} {row['found']:4} of {row['made']:4}  recall {row['recall']:.3f}")
            for text in row["missed"] if options.missed else ():
                print(f"      missed: {text[:300]}")
        for name, row in data["voices"].items():
            for text in row["alarms"] if options.missed else ():
                print(f"      {name}: {text[:300]}")
    print(f"{seconds:.1f} s")


if __name__ == "__main__":
    main()
