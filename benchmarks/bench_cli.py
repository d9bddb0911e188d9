"""How much CPU ``demopack --help`` takes, against an interpreter that does nothing."""

from __future__ import annotations

import sys

from measure import command_cpu_s, median_of, report

if __name__ == "__main__":
    bare = median_of(5, lambda: command_cpu_s([sys.executable, "-c", "pass"]))
    shown = median_of(5, lambda: command_cpu_s([sys.executable, "-m", "demopack", "--help"]))
    report(
        "demopack --help, CPU",
        {"bare interpreter": (bare, "s"), "demopack --help": (shown, "s"), "ratio": (shown / bare, "x")},
    )
