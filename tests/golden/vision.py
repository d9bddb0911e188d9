"""What the shipped weights find on fixed pictures. Compared with a tolerance, as processors round differently."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from PIL import Image

from tests.golden.doors import demopack
from tests.golden.inputs import INPUTS
from tests.golden.libraries import stored
from tests.golden.outputs import Outputs

BOX_PX, CONFIDENCE = 1, 0.02
_OF_THE_RUN = ("uid", "parent")
"""Made anew each time."""


def found(work: Path, outputs: Outputs) -> None:
    """The pictures become a demo, which is parsed with the shipped models, without an end to their patience."""
    (work / "home" / "settings.json").write_text('{"vision": {"describe_s": 3600, "tesseract": ""}}', encoding="utf-8")
    shutil.copytree(INPUTS / "screens", work / "screens" / "images")
    names = sorted(path.name for path in (INPUTS / "screens").iterdir())
    steps = [
        {"index": i, "image": name, "value": {"code": "pyautogui.click(x=0.5, y=0.5)"}} for i, name in enumerate(names)
    ]
    line = {"task_id": "screens", "instruction": "Look at everything", "traj": steps}
    (work / "screens" / "agentnet.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    outputs.said("import", demopack("import", "screens", "--library", "seen"))
    said = demopack("parse", "last", "--library", "seen")
    outputs.text("parse", f"{said.err}exit code {said.code}\n")
    frames = {_frame_id(path): path.name for path in sorted((INPUTS / "screens").iterdir())}
    rows = [row[4] for row in stored(work / "seen")["entities"] if row[1] == "element"]
    for frame, name in frames.items():
        here = [
            {key: value for key, value in row.items() if key not in _OF_THE_RUN}
            for row in rows
            if row["frame"] == frame
        ]
        here.sort(key=lambda row: (row["box"], json.dumps(row)))
        outputs.text(name, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in here))


def _frame_id(path: Path) -> str:
    import hashlib

    with Image.open(path) as picture:
        plain = picture.convert("RGB")
        return hashlib.sha256(f"{plain.width}x{plain.height}:".encode() + plain.tobytes()).hexdigest()


def within_tolerance(expected: dict[str, str], texts: dict[str, str]) -> dict[str, str]:
    """The texts, with the expected line in place of each that is near enough to one."""
    settled: dict[str, str] = {}
    for name, text in texts.items():
        rows, wanted = _rows(text), _rows(expected.get(name, ""))
        kept: list[str] = []
        for row, line in rows:
            near = next((one for one in wanted if _near(one[0], row)), None)
            if near is not None:
                wanted.remove(near)
            kept.append(line if near is None else near[1])
        order = {line: number for number, line in enumerate(expected.get(name, "").splitlines(keepends=True))}
        settled[name] = "".join(sorted(kept, key=lambda line: order.get(line, len(order)))) if rows else text
    return settled


def _rows(text: str) -> list[tuple[Any, str]]:
    lines = text.splitlines(keepends=True)
    return [(json.loads(line), line) for line in lines] if all(line.startswith("{") for line in lines) else []


def _near(one: Any, other: Any, name: str = "") -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_near(one[key], other[key], key) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(_near(a, b, name) for a, b in zip(one, other, strict=True))
    if name in {"box", "confidence"} and isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= (BOX_PX if name == "box" else CONFIDENCE)
    return bool(one == other)
