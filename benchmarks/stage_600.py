"""Six hundred things a person does, on a stage whose pixels say what the screen showed when.

Once on a quiet machine and once with every core kept busy. For each it says how many actions became exactly one right
step, and how many of these have exactly the screen before and after that there was::

    python benchmarks/stage_600.py [--rounds 10] [--rests] [--json FILE]

A round is the sixty actions of ``tests/e2e/test_stage.py``, each round in another order; ``--rests`` adds the script
with hovers, waits, long presses and held keys to each.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.stage_script import QUICK, Act, burners, perform, rests, sixty

# None shares a factor with 60, so that every action meets others in every round.
_STRIDES = (1, 7, 11, 17, 19, 23, 29, 31, 37, 41, 43, 49, 53)
_SHOWN = 20  # after the first that is missing, all the others are at the wrong place


def script(rounds: int, *, with_rests: bool) -> list[Act]:
    """The actions of so many rounds."""
    acts: list[Act] = []
    for n in range(rounds):
        stride = _STRIDES[n % len(_STRIDES)]
        once = sixty()
        acts += [once[stride * m % 60] for m in range(60)]
        if with_rests:
            acts += rests()
    texts = [n for n, (one, next_one) in enumerate(pairwise(acts)) if one.kind == next_one.kind == "type"]
    assert not texts, f"two texts in a row are rightly one step: {texts}"
    return acts


def run(acts: list[Act], *, load: int) -> dict[str, float]:
    """Record and judge one script."""
    began = time.monotonic()
    with burners(load), tempfile.TemporaryDirectory() as folder:
        verdict = perform(Path(folder) / "library", acts, settings=QUICK)
    for line in (verdict.wrong_steps + verdict.wrong_frames)[:_SHOWN]:
        print(f"  {line}", file=sys.stderr)
    ages = sorted(step.quality.frame_age_ms or 0 for step in verdict.demo.steps[:-1])
    return {
        "actions": verdict.acts,
        "exact_steps": verdict.exact_steps,
        "exact_before": verdict.exact_frames("before"),
        "exact_after": verdict.exact_frames("after"),
        "median_age_ms": ages[len(ages) // 2],
        "seconds": time.monotonic() - began,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--rests", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    acts = script(options.rounds, with_rests=options.rests)
    results: dict[str, dict[str, float]] = {}
    for name, load in (("quiet", 0), ("loaded", os.cpu_count() or 2)):
        result = results[name] = run(acts, load=load)
        print(f"{name}: " + ", ".join(f"{word} {value:g}" for word, value in result.items()), flush=True)
    print(json.dumps(results))
    if options.json:
        options.json.write_text(json.dumps(results, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
