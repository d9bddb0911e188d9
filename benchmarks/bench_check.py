"""Steps a second and peak memory of the check: cold, warm, and after one step was changed. From a recorded demo.

Usage: python benchmarks/bench_check.py [STEPS]. Every check runs in a process of its own: its memory is its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measure import peak_mb

from demopack.domain.geometry import Rect, Size, to_norm_xywh
from demopack.pack.check import report_on
from demopack.pack.check.cache import CheckCache
from demopack.pack.writer import export_pack
from demopack.store import Library

STEPS = 5000
ON_A_SCREEN = 60
COLD_STEPS_S, WARM_STEPS_S, GOAL_MB = 100, 500, 300
TABLES = ("demos.jsonl", "steps.jsonl", "elements.jsonl")


def recorded(folder: Path) -> Path:
    """A pack of one demo, as the tests have it: a form of 960 x 600 pixels, eleven steps."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.support.demos import sample_demo

    with Library.open(folder / "library") as library:
        export_pack(library, [sample_demo(library)], folder / "one", licence="MIT")
    return folder / "one"


def grown(one: Path, out: Path, steps: int) -> None:
    """The same demo under as many ids as it takes, with a usual screen's number of elements on each picture."""
    manifest: dict[str, Any] = json.loads((one / "pack.json").read_bytes())
    texts = {name: (one / name).read_text("utf-8") for name in TABLES}
    demo = json.loads(texts["demos.jsonl"])
    count = -(-steps // demo["steps"])
    rows = crowded([json.loads(line) for line in texts["elements.jsonl"].splitlines()])
    texts["elements.jsonl"] = "".join(json.dumps(row) + "\n" for row in rows)
    demo["elements"] = len(rows)
    texts["demos.jsonl"] = json.dumps(demo) + "\n"
    files = [entry for entry in manifest["files"] if entry["path"] not in TABLES]
    pictures = [entry for entry in files if entry["path"].startswith("frames/")]
    files = [entry for entry in files if entry not in pictures]
    for entry in files:
        (out / entry["path"]).parent.mkdir(parents=True, exist_ok=True)
        os.link(one / entry["path"], out / entry["path"])
    for number in range(count):
        new = f"demo_{number:010}"
        for name in TABLES:
            with (out / name).open("a") as stream:
                stream.write(texts[name].replace(demo["demo"], new))
        (out / "frames" / new).mkdir(parents=True)
        for entry in pictures:
            path = entry["path"].replace(demo["demo"], new)
            os.link(one / entry["path"], out / path)
            files.append({**entry, "path": path})
    manifest["counts"].update(elements=len(rows))
    for name in ("steps", "elements", "frames", "rationales", "demos"):
        manifest["counts"][name] *= count
    (out / "pack.json").write_text(json.dumps({**manifest, "files": files}), "utf-8")
    seal(out)


def crowded(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """More elements on every picture, each a little beside one that is there."""
    frames: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        frames.setdefault(row["frame"], []).append(row)
    found: list[dict[str, Any]] = []
    for own in frames.values():
        found += own
        for number in range(len(own), ON_A_SCREEN):
            row = own[number % len(own)]
            moved = number // len(own)
            x1, y1, x2, y2 = row["box"]
            box = Rect(x1 - moved, y1, x2 - moved, y2)
            found.append({
                **row, "uid": f"{row['uid']}_{number}", "element_id": number + 1, "track_id": f"more_{number}",
                "box": [box.x1, box.y1, box.x2, box.y2], "bbox": list(to_norm_xywh(box, Size(*row["image_size"]))),
                "type": "other", "parent": None,
            })  # fmt: skip
    return found


def seal(out: Path) -> None:
    """Right sizes and sums of the tables."""
    manifest = json.loads((out / "pack.json").read_bytes())
    files = [entry for entry in manifest["files"] if entry["path"] not in TABLES]
    for name in TABLES:
        data = (out / name).read_bytes()
        files.append({"path": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()})
    (out / "pack.json").write_text(json.dumps({**manifest, "files": files}), "utf-8")


def one_check(pack: Path, cache: Path) -> None:
    """One check, in a process of its own; prints what it took."""
    started = time.perf_counter()
    with CheckCache(cache) as known:
        report = report_on(pack, cache=known)
    seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_SELF)
    rules = sorted({finding.rule for finding in report.findings})
    print(
        json.dumps(
            {
                "seconds": seconds,
                "mb": peak_mb(),
                "cpu": used.ru_utime + used.ru_stime,
                "unchanged": report.unchanged,
                "found": rules,
            }
        )
    )


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "pack").mkdir()
        grown(recorded(work), work / "pack", steps)
        counts = json.loads((work / "pack" / "pack.json").read_bytes())["counts"]
        print(f"{counts['steps']} steps, {counts['frames']} pictures, {counts['elements']} elements")
        results: dict[str, Any] = {}
        for name, goal in (("cold", COLD_STEPS_S), ("warm", WARM_STEPS_S), ("one step changed", COLD_STEPS_S)):
            if name == "one step changed":
                file = work / "pack" / "steps.jsonl"
                file.write_text(
                    file.read_text("utf-8").replace("The name comes first", "The name is first", 1), "utf-8"
                )
                seal(work / "pack")
            time.sleep(2.5)  # what was written just now is not believed to stay as it is
            command = [sys.executable, __file__, "--one", str(work / "pack"), str(work / "cache")]
            took = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            speed = counts["steps"] / took["seconds"]
            results[name] = {
                "steps_s": round(speed),
                "mb": round(took["mb"]),
                "cpu_s": round(took["cpu"], 1),
                "found": took["found"],
            }
            bad = " <-" if speed < goal or took["mb"] > GOAL_MB else ""
            facts = f"{took['mb']:6.0f} MB {took['cpu']:6.1f} s of CPU  {took['unchanged']} unchanged{bad}"
            print(f"{name:18} {speed:9.0f} steps/s {facts}", flush=True)
        print(json.dumps({"benchmark": "check", **counts, **results}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one_check(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main()
