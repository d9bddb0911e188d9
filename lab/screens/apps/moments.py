"""Moments of real programs that were kept: a picture, its windows, and what the program told about itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from demopack.domain.geometry import Rect
from lab.screens.apps.desktop_state import Line, Moment, Node, TitlePart, Window


def save_moment(moment: Moment, name: str, *, folder: Path) -> None:
    """Keep a moment; what is hidden is left out, except in drop-down lists."""
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(moment.image).save(folder / f"{name}.png", optimize=True)
    kept = {"windows": [_from_window(w) for w in moment.windows], "programs": [_from_node(n) for n in moment.programs]}
    (folder / f"{name}.json").write_text(json.dumps(kept, ensure_ascii=False, separators=(",", ":")) + "\n")


def load_moment(name: str, *, folder: Path) -> Moment:
    """A moment that was kept."""
    kept = json.loads((folder / f"{name}.json").read_text())
    with Image.open(folder / f"{name}.png") as picture:
        image = np.asarray(picture.convert("RGB"), dtype=np.uint8)
    return Moment(
        image=image,
        windows=tuple(_to_window(w) for w in kept["windows"]),
        programs=tuple(_to_node(n) for n in kept["programs"]),
    )


def _box(rect: Rect | None) -> list[int] | None:
    return None if rect is None else [rect.x1, rect.y1, rect.x2, rect.y2]


def _rect(box: list[int] | None) -> Rect | None:
    return None if box is None else Rect(*box)


def _from_window(window: Window) -> dict[str, Any]:
    return {
        "kind": window.kind,
        "box": _box(window.box),
        "frame": _box(window.frame),
        "title": window.title,
        "active": window.active,
        "parts": [[part.kind, _box(part.box)] for part in window.parts],
    }


def _to_window(kept: dict[str, Any]) -> Window:
    return Window(
        kind=kept["kind"],
        box=Rect(*kept["box"]),
        frame=Rect(*kept["frame"]),
        title=kept["title"],
        active=kept["active"],
        parts=tuple(TitlePart(kind, Rect(*box)) for kind, box in kept["parts"]),
    )


def _from_node(node: Node) -> dict[str, Any]:
    told: dict[str, Any] = {"role": node.role}
    if node.name:
        told["name"] = node.name
    if node.states:
        told["states"] = sorted(node.states)
    if node.box is not None and node.box.x1 > -100_000:
        told["box"] = _box(node.box)
    if node.text is not None:
        told["text"] = node.text
    if node.lines:
        told["lines"] = [[line.text, _box(line.box)] for line in node.lines]
    if node.value is not None:
        told["value"] = list(node.value)
    if node.attributes:
        told["attributes"] = dict(node.attributes)
    children = [child for child in node.children if child.shown or node.role in {"combo box", "application"}]
    if children:
        told["children"] = [_from_node(child) for child in children]
    return told


def _to_node(told: dict[str, Any]) -> Node:
    value = told.get("value")
    return Node(
        role=told["role"],
        name=told.get("name", ""),
        states=frozenset(told.get("states", ())),
        box=_rect(told.get("box")),
        text=told.get("text"),
        lines=tuple(Line(text, _rect(box)) for text, box in told.get("lines", ())),
        value=None if value is None else (value[0], value[1], value[2]),
        attributes=told.get("attributes", {}),
        children=tuple(_to_node(child) for child in told.get("children", ())),
    )
