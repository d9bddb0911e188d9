"""Each first-class format read by the program that it is for: `make consumers`.

    python benchmarks/consumers/try_all.py [NAME ...] [-o TABLE.md]

A pack with every action and hard texts is made and exported here. Each consumer is a script of its own beside this
file, whose first lines name what it needs; uv runs it in an environment of its own, which stays in uv's cache. It gets
the export and the truth, the pack's tables as plain JSON, and prints one line: rows, places, meanings. Ends with 1 if
one of them reads something else than was recorded. What cannot be tried here (no Python that new, a package that cannot
be had, a checkout that is not named) is said, and is no fault.

OpenCUA is no package; the variable OPENCUA names a checkout of xlang-ai/OpenCUA, OPENCUA_VERSION its commit.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from made import make_export, make_pack, truth

HERE = Path(__file__).parent
TIME_LIMIT_S = 1800
HEADINGS = ("format", "consumer", "rows", "left out", "places", "furthest", "meanings", "verdict")


@dataclass(frozen=True, slots=True, kw_only=True)
class Consumer:
    """A script and what it reads.

    Attributes:
        script: its name beside this file, without ``.py``.
        format: that it reads.
        options: of the export.
    """

    script: str
    format: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


CONSUMERS = (
    Consumer(script="huggingface_5", format="huggingface"),
    Consumer(script="huggingface_4", format="huggingface"),
    Consumer(script="trl_trainer", format="trl"),
    Consumer(script="llama_factory", format="sharegpt"),
    Consumer(script="llmresponse_rows", format="llmresponse"),
    Consumer(script="atif_harbor", format="atif"),
    Consumer(script="agentnet_opencua", format="agentnet"),
    Consumer(script="coco_pycocotools", format="coco"),
    Consumer(script="yolo_ultralytics", format="yolo"),
    Consumer(script="openai_types", format="openai"),
    Consumer(script="anthropic_types", format="anthropic"),
    Consumer(script="gemini_types", format="gemini"),
    Consumer(script="grounding_rows", format="grounding"),
    Consumer(script="rl_verl", format="rl"),
)


def find_uv() -> str:
    """uv, where ``scripts/bootstrap.sh`` looks for it and puts it."""
    beside = HERE.parents[1] / ".uv" / "bin" / "uv"
    found = shutil.which("uv") or (str(beside) if beside.is_file() else None)
    if found is None:
        sys.exit("uv is not there: run `sh scripts/bootstrap.sh test`, which `make consumers` does")
    return found


def environment(scratch: Path) -> dict[str, str]:
    """For the consumers: nothing of ours is on their path, nothing is fetched from a hub, no cache is left behind."""
    kept = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    named = {name: str(scratch / name) for name in ("HF_HOME", "YOLO_CONFIG_DIR", "MPLCONFIGDIR", "RAY_TMPDIR")}
    return {**kept, **named, "HF_HUB_OFFLINE": "1", "PYTHONDONTWRITEBYTECODE": "1", "CUDA_VISIBLE_DEVICES": ""}


def told_by(consumer: Consumer, export: Path, known: Path, scratch: Path) -> dict[str, Any]:
    """The line of one consumer, and the format it read."""
    uv, script, variables = find_uv(), str(HERE / f"{consumer.script}.py"), environment(scratch)
    line: dict[str, Any]
    made = _run([uv, "sync", "--quiet", "--script", script], variables)
    if made.returncode:
        reason = f"no environment for it: {first_words(made.stderr)}"
        line = {"consumer": consumer.script, "verdict": "not tried", "not_tried": [reason]}
    else:
        command = [uv, "run", "--quiet", "--offline", "--script", script, str(export), str(known)]
        line = line_of(consumer.script, _run(command, variables))
    return {"format": consumer.format, **line}


def _run(command: Sequence[str], variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, env=dict(variables), capture_output=True, text=True, check=False, timeout=TIME_LIMIT_S
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"it took more than {TIME_LIMIT_S} s")


def line_of(name: str, done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """What a script that ran said; a script that broke off found something wrong."""
    said = done.stdout.strip().rpartition("\n")[2]
    if done.returncode == 0 and said.startswith("{"):
        read: dict[str, Any] = json.loads(said)
        return read
    return {
        "consumer": name,
        "verdict": "wrong",
        "wrong": [f"it ended with {done.returncode}: {last_words(done.stderr)}"],
    }


def first_words(text: str) -> str:
    """The first error that uv names, with its cause: what follows repeats it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    start = next((number for number, line in enumerate(lines) if "error" in line.lower()), 0)
    return " ".join(lines[start : start + 2])[:300] or "it said nothing"


def last_words(text: str) -> str:
    """The last line of an error's text, where Python names it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "it said nothing"


def cells(line: Mapping[str, Any]) -> list[str]:
    """One row of the table."""
    versions = ", ".join(f"{name} {version}" for name, version in line.get("versions", {}).items())
    consumer = f"{line['consumer']} ({versions})" if versions else line["consumer"]
    if line["verdict"] == "not tried":
        return [line["format"], consumer, "-", "-", "-", "-", "-", f"not tried: {'; '.join(line['not_tried'])}"]
    rows = f"{line.get('rows_out', '?')} of {line.get('rows_in', '?')}"
    furthest = f"{line['furthest_px']} px" if line.get("places") else "-"
    verdict = "; ".join([line["verdict"], *(f"not tried: {one}" for one in line.get("not_tried", ()))])
    left, places, meanings = (str(line.get(name, "-")) for name in ("left_out", "places", "meanings"))
    return [line["format"], consumer, rows, left, places, furthest, meanings, verdict]


def table(lines: Sequence[Mapping[str, Any]]) -> str:
    """Markdown, a row for each consumer."""
    rows = [[cell.replace("|", "\\|") for cell in cells(line)] for line in lines]
    shown = [HEADINGS, ["---"] * len(HEADINGS), *rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in shown)


def main() -> int:
    """Try them; 1 if one reads something else than was recorded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="scripts or formats; all of them otherwise")
    parser.add_argument("-o", "--output", type=Path, help="write the table there, too")
    given = parser.parse_args()
    chosen = [one for one in CONSUMERS if not given.names or {one.script, one.format} & set(given.names)]
    if not chosen:
        parser.error(f"there are {', '.join(one.script for one in CONSUMERS)}")
    with tempfile.TemporaryDirectory() as folder:
        lines = tried(chosen, Path(folder))
    text = table(lines)
    print(text, end="")
    if given.output:
        given.output.parent.mkdir(parents=True, exist_ok=True)
        given.output.write_text(text, encoding="utf-8")
    faults = [(line, wrong) for line in lines for wrong in line.get("wrong", ())]
    for line, wrong in faults:
        print(f"{line['format']}, {line['consumer']}: {wrong}")
    return 1 if any(line["verdict"] == "wrong" for line in lines) else 0


def tried(chosen: Sequence[Consumer], folder: Path) -> list[dict[str, Any]]:
    """Make the pack and its exports, and let each consumer read its own."""
    pack, known = make_pack(folder), folder / "truth.json"
    known.write_text(json.dumps(truth(pack), ensure_ascii=False), encoding="utf-8")
    lines: list[dict[str, Any]] = []
    for consumer in chosen:
        print(f"trying: {consumer.script}", file=sys.stderr, flush=True)
        export, scratch = folder / consumer.script, folder / f"{consumer.script}-scratch"
        scratch.mkdir()
        make_export(pack, consumer.format, export, consumer.options)
        lines.append(told_by(consumer, export, known, scratch))
    return lines


if __name__ == "__main__":
    sys.exit(main())
