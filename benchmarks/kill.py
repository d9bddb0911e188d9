"""Kills recorders at random moments and counts what is missing: ``python benchmarks/kill.py --times 50``."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from measure import report

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.killing import AT_ONCE, kill_recorders


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill recorders at random moments and look at what they left.")
    parser.add_argument("--times", type=int, default=50, help="how many, at least")
    parser.add_argument("--seed", type=int, default=50)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="killed-") as folder:
        found = kill_recorders(Path(folder), rounds=-(-given.times // AT_ONCE), seed=given.seed)
    report(
        "kill -9 at random moments",
        {
            "killed": (len(found), "recorders"),
            "opened": (len(found), "libraries"),
            "steps begun": (sum(one.begun for one in found), ""),
            "of these over": (sum(one.over for one in found), ""),
            "saved": (sum(one.saved for one in found), ""),
            "most missing of those over": (max(max(0, one.over - one.saved) for one in found), "steps"),
            "most missing of those begun": (max(one.begun - one.saved for one in found), "steps"),
            "earliest": (min(one.after_s for one in found), "s"),
            "latest": (max(one.after_s for one in found), "s"),
        },
    )


if __name__ == "__main__":
    main()
