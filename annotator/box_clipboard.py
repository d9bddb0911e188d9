"""Copied boxes as JSON, so that they can be pasted on another frame, in another window, or into a text editor."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect, Size
from demopack.domain.records import new_id

__all__ = ["MIME", "boxes_from_json", "boxes_to_json", "to_paste"]

MIME = "application/x-demopack-boxes+json"

_FIELDS = {"type", "box", "text", "subtype", "states"}
_MOST = 20_000
_AWAY = 8
"""Pixels; copies on the frame that they come from would hide what they were copied from."""


class _Copied(BaseModel):
    demopack_boxes: Literal[1]
    boxes: list[dict[str, Any]]


def boxes_to_json(elements: Sequence[Element]) -> str:
    """What a person sees of boxes, without identities, finders and reviews: those belong to the originals."""
    boxes = [element.model_dump(mode="json", include=_FIELDS, exclude_none=True) for element in elements]
    return json.dumps({"demopack_boxes": 1, "boxes": boxes}, ensure_ascii=False)


def boxes_from_json(text: str) -> list[Element]:
    """The boxes of :func:`boxes_to_json`, on no frame yet; empty where the text is something else."""
    try:
        found = _Copied.model_validate_json(text)
        return [Element.model_validate({**box, "uid": "copied", "frame": ""}).cleaned() for box in found.boxes[:_MOST]]
    except ValueError:
        return []


def to_paste(copied: Sequence[Element], *, frame_id: str, size: Size, here: Sequence[Element]) -> tuple[Element, ...]:
    """New elements for a frame, in their old place; where the same boxes lie already, a little away.

    Args:
        copied: from :func:`boxes_from_json`.
        frame_id: where to.
        size: of that frame; boxes that would lie outside are moved onto it together, then cut.
        here: what lies on the frame now.
    """
    if not copied:
        return ()
    taken = {(element.type, element.box) for element in here if element.review != "rejected"}
    dx, dy = _onto([element.box for element in copied], size)
    boxes = [element.box.moved(dx, dy).clamped(size) for element in copied]
    step = 0
    while any((element.type, box) in taken for element, box in zip(copied, boxes, strict=True)) and step < 20:
        step += 1
        ax, ay = _onto([box.moved(_AWAY, _AWAY) for box in boxes], size)
        boxes = [box.moved(_AWAY + ax, _AWAY + ay) for box in boxes]
        if (ax, ay) == (-_AWAY, -_AWAY):
            break
    made = (
        element.model_copy(update={"uid": new_id("el"), "frame": frame_id, "box": box, "review": "approved"})
        for element, box in zip(copied, boxes, strict=True)
    )
    return tuple(element for element in made if element.box.area)


def _onto(boxes: Sequence[Rect], size: Size) -> tuple[int, int]:
    """How far boxes have to move together to lie on a frame, as far as they fit."""
    left, top = min(box.x1 for box in boxes), min(box.y1 for box in boxes)
    right, bottom = max(box.x2 for box in boxes), max(box.y2 for box in boxes)
    dx = max(min(0, size.width - right), -left) if right > size.width else max(0, -left)
    dy = max(min(0, size.height - bottom), -top) if bottom > size.height else max(0, -top)
    return dx, dy
