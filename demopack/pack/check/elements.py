"""Rules about the elements of one demo: geometry, numbers, doubles, and what was painted over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from demopack.pack.check.lines import Line
from demopack.pack.check.scale import box_problem
from demopack.pack.findings import Finding
from demopack.pack.manifest import ELEMENTS
from demopack.pack.rules import RULES
from demopack.redaction.recognisers import PLACEHOLDER

__all__ = ["check_boxes", "check_covered", "check_numbers", "is_covered"]

_MOSTLY = 0.9
"""Part of an element's box that must lie under the paint for its text to count as hidden."""


def check_boxes(elements: Sequence[Line]) -> Iterator[Finding]:
    """G01 for every element; G09 for doubles; A06 for tracks."""
    boxes: set[tuple[object, ...]] = set()
    tracks: set[tuple[str, str]] = set()
    for line in elements:
        row = line.data
        problem = box_problem(row["box"], row["image_size"], may_be_point=False)
        if problem is not None:
            yield RULES["G01"].broken(ELEMENTS, line.number, f"box {problem}.")
        elif _pixels(row) != row["box"]:
            yield RULES["G01"].broken(ELEMENTS, line.number, f"bbox {row['bbox']} is not the box {row['box']}.")
        if row["element_id"] is None:
            continue
        double = (row["frame"], row["type"], row["text"], *row["box"])
        if double in boxes:
            message = f"A {row['type']} stands at {row['box']} already."
            yield RULES["G09"].broken(ELEMENTS, line.number, message)
        boxes.add(double)
        if row["track_id"] is not None:
            track = (row["frame"], row["track_id"])
            if track in tracks:
                message = f"The track_id {row['track_id']} is on this picture already."
                yield RULES["A06"].broken(ELEMENTS, line.number, message)
            tracks.add(track)


def check_numbers(elements: Sequence[Line]) -> Iterator[Finding]:
    """A05 for the numbers of the elements, 1, 2, 3, ... on each picture."""
    numbers: dict[str, int] = {}
    for line in elements:
        row = line.data
        if row["element_id"] is not None:
            numbers[row["frame"]] = numbers.get(row["frame"], 0) + 1
            if row["element_id"] != numbers[row["frame"]]:
                message = f"element_id is {row['element_id']}, expected is {numbers[row['frame']]}."
                yield RULES["A05"].broken(ELEMENTS, line.number, message)


def check_covered(elements: Sequence[Line], covered: Mapping[str, Sequence[list[int]]]) -> Iterator[Finding]:
    """P05: what lies under the paint of a picture has no text.

    Args:
        elements: of one demo.
        covered: frame id -> boxes that were painted over.
    """
    for line in elements:
        row = line.data
        text = row["text"] or ""
        if row["frame"] not in covered or not text.strip() or PLACEHOLDER.search(text):
            continue
        if any(_inside(row["box"], box) >= _MOSTLY for box in covered[row["frame"]]):
            message = f"The {row['type']} at {row['box']} was painted over, but its text is told."
            yield RULES["P05"].broken(ELEMENTS, line.number, message)


def is_covered(box: list[int], frame: dict[str, Any] | None) -> bool:
    """Whether most of a box was painted over on a frame; then nothing can be seen there, and nothing change."""
    return frame is not None and any(_inside(box, cover) >= _MOSTLY for cover in frame.get("covered") or ())


def _inside(box: list[int], cover: list[int]) -> float:
    """The part of a box that lies in another, 0..1."""
    area = (box[2] - box[0]) * (box[3] - box[1])
    width = min(box[2], cover[2]) - max(box[0], cover[0])
    height = min(box[3], cover[3]) - max(box[1], cover[1])
    return max(0, width) * max(0, height) / area if area > 0 else 0.0


def _pixels(row: dict[str, Any]) -> list[int]:
    """The bbox in pixels, as :func:`demopack.domain.geometry.from_norm_xywh` reads it; empty beyond 0..1."""
    x, y, w, h = row["bbox"]
    if min(x, y, w, h) < 0 or x + w > 1.00001 or y + h > 1.00001:
        return []
    # Written out, because a pack has hundreds of thousands of elements.
    width, height = row["image_size"]
    x2, y2 = min(round((x + w) * width), width), min(round((y + h) * height), height)
    return [min(round(x * width), width), min(round(y * height), height), x2, y2]
