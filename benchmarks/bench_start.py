"""From `demopack --library …` to a mapped window on a private X server: CPU seconds and memory, median of five.

Run: python benchmarks/bench_start.py [--json]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from demopack.store import Library
from recorder.desktop.private_display import PrivateDisplay

LIMIT_CPU_S, LIMIT_RSS_MB = 0.8, 150.0
PEERS = "labelImg 0.45 s, 140 MB; labelme 6.3.1 1.45 s, 237 MB, 7.9.1 1.5 s, 184 MB; X-AnyLabeling 4.2.1 4.0 s, 334 MB"
RUNS = 5
ROOT = Path(__file__).parents[1]


def once(display: PrivateDisplay, library: Path, settings: Path) -> tuple[float, float]:
    """CPU seconds of the process when its window is mapped, and its memory in MB then."""
    from Xlib import X
    from Xlib.display import Display

    env = {**display.environment(), "DEMOPACK_SETTINGS": str(settings)}
    connection = Display(display.name)
    process = subprocess.Popen([sys.executable, "-m", "demopack", "--library", str(library)], env=env, cwd=ROOT)
    try:
        deadline = time.monotonic() + 60
        while not mapped(connection.screen().root, X):
            if time.monotonic() > deadline or process.poll() is not None:
                raise SystemExit("The window did not appear.")
            time.sleep(0.005)
        return cpu_seconds(process.pid), rss_mb(process.pid)
    finally:
        process.terminate()
        process.wait()
        connection.close()


def mapped(root: object, x: object) -> bool:
    """Whether a window called demopack can be seen."""
    waiting = [root]
    while waiting:
        window = waiting.pop()
        try:
            waiting += window.query_tree().children  # type: ignore[attr-defined]
            seen = window.get_attributes().map_state == x.IsViewable  # type: ignore[attr-defined]
            if seen and window.get_wm_name() == "demopack":  # type: ignore[attr-defined]
                return True
        except Exception as error:
            if "Bad" not in type(error).__name__:
                raise
    return False


def cpu_seconds(pid: int) -> float:
    """User and system time so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss_mb(pid: int) -> float:
    """Resident memory."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, PrivateDisplay(width=1440, height=900) as display:
        library, settings = Path(folder) / "library", Path(folder) / "settings.json"
        Library.open(library).close()
        once(display, library, settings)  # warms the disk cache
        runs = [once(display, library, settings) for _ in range(RUNS)]
    cpu, rss = statistics.median(r[0] for r in runs), statistics.median(r[1] for r in runs)
    if "--json" in sys.argv:
        print(json.dumps({"cpu_s": cpu, "rss_mb": round(rss, 1), "limits": [LIMIT_CPU_S, LIMIT_RSS_MB]}))
    else:
        print(f"start to mapped window: {cpu:.2f} s CPU (limit {LIMIT_CPU_S}), {rss:.0f} MB (limit {LIMIT_RSS_MB:.0f})")
        print(f"  beside it, measured once: {PEERS}")
    return int(cpu > LIMIT_CPU_S or rss > LIMIT_RSS_MB)


if __name__ == "__main__":
    sys.exit(main())
