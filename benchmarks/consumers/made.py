"""The pack that consumers are tried on, with every action and texts that break loaders; its exports; its truth."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from demopack.codecs.sets.base import ExportOptions
from demopack.codecs.sets.catalogue import exporter
from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect
from demopack.pack.reader import open_packs
from demopack.pack.writer import export_pack
from demopack.store import Library
from tests.golden.inputs import library
from tests.support.demos import DemoBuilder, demo_head
from tests.support.pictures import noise_image

TEXTS = (
    "<image>", "<|im_end|>", "<|im_start|>user", "</tool_call>", "</s>", "<|endoftext|>", "<|vision_start|>", "<video>",
    "<bbox>", "<|begin_of_text|>", "[INST] x [/INST]", "{{ braces }} %s \\n {0}", "\"quoted\" 'x' \\ back",
    "日本語 🙂 عربى", "Zoë Müller ✓", "line one\nline two\t.", "NaN", "null", "https://example.org/?a=1&b=<2>",
    "`$(x)`", "e\u0301\u200d\u2028 \u00a0", "x" * 400,
)  # fmt: skip
"""Placeholders and special tokens of trainers, scripts of other directions, and what breaks lines or code."""
_SIZE = (1367, 769)


def make_pack(folder: Path) -> Path:
    """A pack of the hard library, in which every action is, and a demo whose every text is one of :data:`TEXTS`."""
    with Library.open(library("hard-library", folder)) as held:
        words_demo(held)
        export_pack(held, [one.head.id for one in held.demos()], folder / "pack", licence="CC-BY-4.0")
    return folder / "pack"


def words_demo(held: Library) -> str:
    """A click on an element of each text, and the same text typed, on a picture whose size divides by nothing."""
    b = DemoBuilder(library=held, demo_id="demo_00000000f0")
    frame = b.frame(noise_image(*_SIZE, seed=77))
    boxes = [Rect(7 + n % 4 * 331, 5 + n // 4 * 101, 211 + n % 4 * 331, 38 + n // 4 * 101) for n in range(len(TEXTS))]
    b.parse(
        frame,
        [
            Element(uid=f"words_{n:02}", frame=frame.id, type="button", box=box, text=text, source="human")
            for n, (text, box) in enumerate(zip(TEXTS, boxes, strict=True))
        ],
    )
    for n, (text, box) in enumerate(zip(TEXTS, boxes, strict=True)):
        at = Point(box.x1 + (37 * n) % box.width, box.y1 + (11 * n) % box.height)
        b.step("click", frame, None, at=at, thought=f"It says {text}")
        b.step("type", frame, None, parameters={"text_to_type": text}, thought=f"Now {text}")
    b.step("finish_goal", frame, None, thought="</think> It is done.")
    return b.store(demo_head(b.demo_id, task=f"Press {', '.join(TEXTS[:12])}", final_frame=frame))


def make_export(pack: Path, name: str, folder: Path, options: Mapping[str, Any]) -> None:
    """One export of it.

    Raises:
        BadInputError: there is no such format.
    """
    with open_packs([pack]) as demos:
        exporter(name).export(demos, folder, options=ExportOptions(**options))


def truth(pack: Path) -> dict[str, Any]:
    """What the pack's tables say, read as plain JSON: steps with actions and places in pixels, pictures with boxes."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows(pack / "elements.jsonl"):
        if row["element_id"] is not None:
            found.setdefault(row["image"], []).append(row)
    frames = [
        {
            "demo": demo["demo"],
            "file": frame["file"].removeprefix("frames/"),
            "size": [frame["width"], frame["height"]],
            "parsed": frame["parsed"],
            "boxes": [
                {name: row[name] for name in ("element_id", "type", "text", "box")}
                for row in found.get(frame["file"], ())
            ],
        }
        for demo in rows(pack / "demos.jsonl")
        for frame in demo["frames"]
    ]
    return {"steps": [_step(row) for row in rows(pack / "steps.jsonl")], "frames": frames}


def _step(row: dict[str, Any]) -> dict[str, Any]:
    pointer, before = row["pointer"] or {}, row["before"]
    return {
        **{name: row[name] for name in ("demo", "step", "task", "response", "review", "target_box", "end_box")},
        "picture": before and before["id"],
        "size": row["image_size"],
        "at": _point(pointer.get("x"), pointer.get("y")) or middle(row["target_box"]),
        "to": _point(pointer.get("end_x"), pointer.get("end_y")) or middle(row["end_box"]),
        "told_later": (row["rationale"] or {}).get("mode") == "hindsight",
    }


def _point(x: int | None, y: int | None) -> list[int] | None:
    return None if x is None or y is None else [x, y]


def middle(box: Sequence[int] | None) -> list[float] | None:
    """Of a box ``[x1, y1, x2, y2]``."""
    return box and [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]


def rows(file: Path) -> list[dict[str, Any]]:
    """Of a table of JSON lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]
