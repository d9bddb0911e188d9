"""Steps a second and peak memory of every export, from a pack of 5,000 steps made of a recorded demo.

Usage: python benchmarks/bench_exports.py [STEPS [FORMAT...]]. Every format runs in a process of its own, so that its
memory is its own; pictures are hard-linked. The check that a person's export begins with is not counted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measure import peak_mb

from demopack.codecs.sets.base import ExportOptions
from demopack.codecs.sets.catalogue import NAMES, exporter
from demopack.pack.reader import open_packs
from demopack.pack.writer import export_pack
from demopack.store import Library

STEPS = 5000
ON_A_SCREEN = 60
GOAL_STEPS_S, GOAL_MB = 200, 200
TABLES = ("demos.jsonl", "steps.jsonl", "elements.jsonl")


def recorded(folder: Path) -> Path:
    """A pack of one demo, as the tests have it: a form of 960 x 600 pixels, eleven steps."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.support.demos import sample_demo

    with Library.open(folder / "library") as library:
        export_pack(library, [sample_demo(library)], folder / "one")
    return folder / "one"


def grown(one: Path, out: Path, steps: int) -> Path:
    """The same demo under as many ids as it takes; its pictures are linked, not copied."""
    manifest: dict[str, Any] = json.loads((one / "pack.json").read_bytes())
    (demo,) = [json.loads(line) for line in (one / "demos.jsonl").read_text("utf-8").splitlines()]
    count = -(-steps // demo["steps"])
    demo["elements"] = crowded(one / "elements.jsonl")
    (one / "demos.jsonl").write_text(json.dumps(demo) + "\n", "utf-8")
    texts = {name: (one / name).read_text("utf-8") for name in TABLES}
    pictures = [entry for entry in manifest["files"] if entry["path"].startswith("frames/")]
    files: list[dict[str, Any]] = []
    out.mkdir()
    with (
        (out / TABLES[0]).open("w") as demos,
        (out / TABLES[1]).open("w") as rows,
        (out / TABLES[2]).open("w") as found,
    ):
        for number in range(count):
            new = f"demo_{number:010}"
            for name, stream in zip(TABLES, (demos, rows, found), strict=True):
                stream.write(texts[name].replace(demo["demo"], new))
            (out / "frames" / new).mkdir(parents=True)
            for entry in pictures:
                path = entry["path"].replace(demo["demo"], new)
                os.link(one / entry["path"], out / path)
                files.append({**entry, "path": path})
    manifest["counts"]["elements"] = demo["elements"]
    for name in ("steps", "elements", "frames", "rationales", "demos"):
        manifest["counts"][name] *= count
    files += [{"path": name, "size": (out / name).stat().st_size, "sha256": "0" * 64} for name in TABLES]
    (out / "pack.json").write_text(json.dumps({**manifest, "files": files}), "utf-8")
    return out


def crowded(table: Path) -> int:
    """Repeat the elements of every picture until there are as many as a usual screen has; returns how many."""
    frames: dict[str, list[dict[str, Any]]] = {}
    for line in table.read_text("utf-8").splitlines():
        row = json.loads(line)
        frames.setdefault(row["frame"], []).append(row)
    found: list[dict[str, Any]] = []
    for own in frames.values():
        for number in range(ON_A_SCREEN):
            row = own[number % len(own)]
            uid = row["uid"] if number < len(own) else f"{row['uid']}_{number}"
            found.append({**row, "uid": uid, "element_id": number + 1})
    table.write_text("".join(json.dumps(row) + "\n" for row in found), "utf-8")
    return len(found)


def one_export(name: str, pack: Path, out: Path) -> None:
    """One format, in a process of its own; prints what it took."""
    started = time.perf_counter()
    with open_packs([pack]) as demos:
        log = exporter(name).export(demos, out, options=ExportOptions())
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "mb": peak_mb(), "rows": log.rows_out}))


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS
    names = sys.argv[2:] or list(NAMES)
    with tempfile.TemporaryDirectory() as work:
        pack = grown(recorded(Path(work)), Path(work) / "pack", steps)
        counts = json.loads((pack / "pack.json").read_bytes())["counts"]
        print(f"{counts['steps']} steps of {counts['demos']} demos, {counts['elements']} elements")
        print(f"{'format':14} {'steps/s':>9} {'peak MB':>8}")
        results: dict[str, Any] = {}
        for name in names:
            out = Path(work) / "out"
            command = [sys.executable, __file__, "--one", name, str(pack), str(out)]
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            took = json.loads(said.splitlines()[-1])
            speed = counts["steps"] / took["seconds"]
            results[name] = {"steps_s": round(speed), "mb": round(took["mb"])}
            bad = " <-" if speed < GOAL_STEPS_S or took["mb"] > GOAL_MB else ""
            print(f"{name:14} {speed:9.0f} {took['mb']:8.0f}{bad}", flush=True)
            subprocess.run(["rm", "-rf", str(out)], check=True)
        print(json.dumps({"benchmark": "exports", "steps": counts["steps"], "formats": results}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one_export(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        main()
