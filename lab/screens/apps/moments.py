"""Moments of real programs that were kept: a picture, its windows, and what the program told about itself.

Truth is made from them, and made anew when its rules change.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from demopack.atomic import write_text_atomic
from demopack.domain.geometry import Rect, Size
from lab.screens.apps.desktop_state import Line, Moment, Node, TitlePart, Window
from lab.screens.apps.desktop_style import DesktopStyle


def save_moment(moment: Moment, name: str, *, folder: Path) -> None:
    """Keep a moment; what is hidden is left out, except in drop-down lists."""
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(moment.image).save(folder / f"{name}.png", optimize=True)
    kept: dict[str, Any] = {
        "windows": [_from_window(w) for w in moment.windows],
        "programs": [_from_node(n) for n in moment.programs],
    }
    if moment.toolkits:
        kept["toolkits"] = moment.toolkits
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
        toolkits=tuple(kept.get("toolkits", ())),
    )


@dataclass(frozen=True, slots=True)
class Visit:
    """One start of a program: how it looked, and its moments, each with what led to it."""

    look: DesktopStyle
    moments: tuple[tuple[str, Moment], ...]


def has_visit(folder: Path, name: str) -> bool:
    """Whether a visit was kept whole."""
    return (folder / f"{name}.json").is_file()


def save_visit(visit: Visit, folder: Path, name: str) -> None:
    """Keep a visit; ``NAME.json`` comes last, so that it is whole where that is.

    Raises:
        DiskFullError: nothing usable was written.
    """
    for number, (_, moment) in enumerate(visit.moments):
        save_moment(moment, f"{name}-{number}", folder=folder)
    folder.mkdir(parents=True, exist_ok=True)
    kept = {"look": dataclasses.asdict(visit.look), "states": [state for state, _ in visit.moments]}
    write_text_atomic(folder / f"{name}.json", json.dumps(kept, ensure_ascii=False) + "\n")


def load_visit(folder: Path, name: str) -> Visit:
    """A visit that was kept."""
    kept = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    look: dict[str, Any] = kept["look"]
    look |= {"size": Size(*look["size"]), "backdrop": tuple(look["backdrop"])}
    states = enumerate(kept["states"])
    return Visit(
        DesktopStyle(**look),
        tuple((state, load_moment(f"{name}-{number}", folder=folder)) for number, state in states),
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
