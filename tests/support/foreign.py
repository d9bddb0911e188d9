"""Small recordings of other programs, written by hand after their documentation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PIL import Image

from demopack.codecs.files.base import Coordinates, DemoReport, ImportedDemo, ImportOptions, SkippedDemos
from demopack.codecs.losses import LostItem
from demopack.domain.demos import Demo
from demopack.domain.geometry import Size
from demopack.pack.import_demos import importer, open_files, recognise
from tests.support.pictures import noise_image

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def picture(path: Path, *, seed: int, size: tuple[int, int] = (200, 100)) -> Path:
    """A picture of noise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(noise_image(*size, seed=seed)).save(path)
    return path


def read_all(
    path: Path,
    *,
    name: str = "auto",
    skip_bad: bool = False,
    coordinates: Coordinates = "auto",
    screen: Size | None = None,
    task: str = "",
) -> tuple[list[ImportedDemo], list[LostItem]]:
    """Every demo, and what was left out."""
    options = ImportOptions(skip_bad=skip_bad, coordinates=coordinates, screen=screen, task=task, now=NOW)
    skipped = SkippedDemos(allowed=skip_bad)
    with open_files(path) as files:
        chosen = recognise(files) if name == "auto" else importer(name)
        found = list(chosen.read(files, options, skipped))
        for one in found:
            for frame in one.demo.frames():
                assert one.image(frame.id).shape == (frame.height, frame.width, 3)
    return found, skipped.counts.items()


def read_one(path: Path, **options: Any) -> tuple[Demo, DemoReport]:
    """The only demo; its rows add up."""
    (found,), _ = read_all(path, **options)
    report = found.report
    assert report.rows_in == report.rows_used + report.rows_noted + report.rows_skipped
    assert report.steps == len(found.demo.steps)
    return found.demo, report


def codes(items: Sequence[LostItem]) -> set[str]:
    """What kinds there are."""
    return {item.code for item in items}


def agentnet_step(index: int, code: str, **value: Any) -> dict[str, Any]:
    """One step of AgentNet, with the picture of its number."""
    return {"index": index, "image": f"{index}.png", "value": {"code": code, **value}}


def agentnet(folder: Path, *steps: Any, pictures: bool = True, **fields: Any) -> Path:
    """A file with one demo, and its pictures in images/."""
    folder.mkdir(parents=True, exist_ok=True)
    line = {"task_id": "t1", "instruction": "Save it", "traj": list(steps), **fields}
    path = folder / "agentnet.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    for step in steps if pictures else ():
        picture(folder / "images" / step["image"], seed=step["index"])
    return path


def osworld(folder: Path, *lines: dict[str, Any], pictures: bool = True) -> Path:
    """A run, and the pictures that its lines name."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "traj.jsonl").write_text(text, encoding="utf-8")
    names = [line[key] for line in lines for key in ("screenshot_file", "screenshot_file_before_exec") if line.get(key)]
    for seed, name in enumerate(dict.fromkeys(names), start=50):
        if pictures:
            picture(folder / name, seed=seed)
    return folder


def openadapt_step(index: int, action: dict[str, Any], **observation: Any) -> dict[str, Any]:
    """One step of an episode."""
    return {"step_index": index, "observation": observation, "action": action}


def events(folder: Path, *rows: dict[str, Any], about: dict[str, Any] | None = None) -> Path:
    """A DuckTrack recording without a film."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    base = {"system": "Linux", "node": "adas-laptop", "id": 0x0242AC110002, "screen_width": 400, "screen_height": 300}
    (folder / "metadata.json").write_text(json.dumps({**base, **(about or {})}), encoding="utf-8")
    return folder
