"""Which parts of which pictures show a value, and the pictures with those parts painted over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.domain.ports import FrameStore
from demopack.domain.steps import Step
from demopack.redaction.texts import keys_text
from demopack.redaction.values import ValueFinder

__all__ = ["FILL", "boxes_to_cover", "paint_over", "painted_frames"]

FILL = (128, 128, 128)
"""Colour of what was painted over, red, green, blue: that of what was covered while recording."""


def boxes_to_cover(demo: Demo, finder: ValueFinder) -> dict[str, tuple[Rect, ...]]:
    """Frame id -> boxes that show a value: elements with that text, fields it was typed into, what accessibility told.

    Boxes are clipped to their picture; a picture that shows none is not named.
    """
    sizes = {frame.id: frame.size for frame in demo.frames()}
    boxes: dict[str, list[Rect]] = {}
    for key, elements in demo.elements.items():
        boxes[key] = [element.box for element in elements if _shows(element.text, finder)]
    for number, step in enumerate(demo.steps):
        for frame, box in _told_by_system(step, finder):
            boxes.setdefault(frame.id, []).append(box)
        if _types_one(step, finder):
            for key, box in _typed_into(demo, number):
                boxes.setdefault(key, []).append(box)
    clipped = {key: _clipped(found, sizes[key]) for key, found in boxes.items() if key in sizes}
    return {key: found for key, found in clipped.items() if found}


def _shows(text: str | None, finder: ValueFinder) -> bool:
    return text is not None and (bool(finder.find(text)) or finder.alike(text) is not None)


def _types_one(step: Step, finder: ValueFinder) -> bool:
    texts = (step.action.parameters.get("text_to_type"), step.clipboard, keys_text(step))
    return any(text and finder.find(text) for text in texts)


def _told_by_system(step: Step, finder: ValueFinder) -> Iterable[tuple[Frame, Rect]]:
    """Boxes of the focused and the pointed element where name or value tells one; on both pictures of the step."""
    for seen in (step.focused, step.pointed):
        if seen is None or seen.box is None or not (finder.find(seen.name) or finder.find(seen.value)):
            continue
        for frame in (step.before, step.after):
            if frame is not None:
                yield frame, seen.box.moved(-frame.origin_x, -frame.origin_y)


def _typed_into(demo: Demo, number: int) -> Iterable[tuple[str, Rect]]:
    """The field that took a value, on the picture after the typing and on every later one where it looks the same.

    Whoever reads pictures may have misread the value beyond recognition; that it was typed there is known all the same.
    """
    step = demo.steps[number]
    before = () if step.before is None else demo.elements.get(step.before.id, ())
    field = next((element for element in before if element.uid == step.target_uid), None)
    if step.after is None or field is None or step.before is None or step.after.size != step.before.size:
        return
    filled = next((e for e in demo.elements.get(step.after.id, ()) if _same(e, field)), None)
    yield step.after.id, field.box if filled is None else filled.box
    if filled is None or not filled.text:
        return
    for later in demo.steps[number + 1 :]:
        for frame in (later.before, later.after):
            shown = () if frame is None else demo.elements.get(frame.id, ())
            yield from ((e.frame, e.box) for e in shown if _same(e, field) and e.text == filled.text)


def _same(one: Element, other: Element) -> bool:
    return one.track_id is not None and one.track_id == other.track_id


def _clipped(boxes: Sequence[Rect], size: Size) -> tuple[Rect, ...]:
    """On the picture, with an area, each once, from the top; boxes inside others are left out."""
    kept = {part for box in boxes if (part := box.clamped(size)).area}
    outer = [box for box in kept if not any(other != box and other.encloses(box) for other in kept)]
    return tuple(sorted(outer, key=lambda box: (box.y1, box.x1, box.y2, box.x2)))


def paint_over(image: RgbImage, boxes: Iterable[Rect]) -> RgbImage:
    """A copy of a picture in which these boxes, in its pixels, are one flat colour."""
    painted = np.ascontiguousarray(image).copy()
    for box in boxes:
        painted[box.y1 : box.y2, box.x1 : box.x2] = FILL
    return painted


def painted_frames(demo: Demo, boxes: Mapping[str, tuple[Rect, ...]], images: FrameStore) -> dict[str, Frame]:
    """Frame id -> the frame of the picture that was painted over and stored; ``covered`` are the boxes.

    Raises:
        CorruptFrameError: a picture is missing or damaged.
        DiskFullError: a picture could not be stored.
    """
    painted: dict[str, Frame] = {}
    for frame in demo.frames():
        if frame.id not in boxes:
            continue
        key = images.put_image(paint_over(images.get_image(frame.id), boxes[frame.id]))
        if key != frame.id:  # where it was painted over already, nothing changes
            painted[frame.id] = frame.model_copy(update={"id": key, "covered": boxes[frame.id]})
    return painted
