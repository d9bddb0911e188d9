"""Rules about accessibility trees: T01 and T02, and P05 for what lies under the paint of a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.trees import WindowTree, tree_bytes, tree_id
from demopack.pack.check.elements import is_covered
from demopack.pack.check.lines import CheckedLine
from demopack.pack.rules import Finding

_TEXTS: Final = ("name", "description", "value", "placeholder")


def check_trees(steps: Sequence[CheckedLine], trees: Sequence[CheckedLine]) -> Iterator[Finding]:
    """Every rule about the trees of one demo."""
    known = {line.data["tree"] for line in trees}
    named: set[str] = set()
    for line in steps:
        for reading in line.data["trees"]:
            named.add(reading["tree"])
            if reading["tree"] not in known:
                yield line.broken("T01", f"The step names the tree {reading['tree'][:12]}…, and there is no such row.")
    for line in trees:
        yield from _of_row(line, is_named=line.data["tree"] in named)
    by_id = {line.data["tree"]: line for line in trees}
    told: set[int] = set()
    for step in steps:
        frame = step.data["before"]
        for reading in step.data["trees"] if frame and frame["covered"] else ():
            row = by_id.get(reading["tree"])
            if row is not None and row.number not in told and (place := _told_under_paint(row.data, frame)):
                told.add(row.number)
                yield row.broken("P05", f"The {place} was painted over, but its text is told.")


def _of_row(line: CheckedLine, *, is_named: bool) -> Iterator[Finding]:
    row = line.data
    if not is_named:
        yield line.broken("T01", f"No step names the tree {row['tree'][:12]}….")
    content = {name: row[name] for name in WindowTree.model_fields}
    if tree_id(tree_bytes(WindowTree.model_validate(content))) != row["tree"]:
        yield line.broken("T01", f"What stands there is not the tree {row['tree'][:12]}…: it was changed.")
    for index, node in enumerate(row["nodes"]):
        if node.get("secure") and (node.get("value") or node.get("lines") or node.get("range")):
            yield line.broken("T02", f"The {node['role']} at place {index} tells what was typed.")
            return


def _told_under_paint(row: dict[str, Any], frame: dict[str, Any]) -> str:
    """The first node under the paint of a picture that says something, in words; empty where there is none."""
    space = Frame.model_validate({name: frame[name] for name in Frame.model_fields}).space
    for node in row["nodes"]:
        box = node.get("box")
        if box is None or not any(node.get(name, "").strip() for name in _TEXTS):
            continue
        pixels = space.to_pixels(Rect(*box))
        if is_covered(pixels.corners, frame):
            return f"{node['role']} at {pixels.corners}"
    return ""
