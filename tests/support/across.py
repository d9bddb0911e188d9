"""Small painted screens for what is taken from picture to picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect

WIDTH, HEIGHT = 640, 480
_FONT = ImageFont.load_default(14)
_NAMES = (
    "Anna", "Budget", "Cargo", "Delta", "Emil", "Fjord", "Gamma", "Hotel", "India", "Jazz", "Kilo", "Lima", "Mango",
    "Nova", "Opal", "Papa", "Quartz", "Romeo",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Item:
    """One thing on a screen: a text, or a control with a text in it."""

    text: str
    box: Rect
    type: ElementType = "text"
    fill: tuple[int, int, int] = (255, 255, 255)
    edge: tuple[int, int, int] = (90, 90, 90)
    written: str | None = None
    fields: dict[str, object] = field(default_factory=dict[str, object])


def painted(items: Iterable[Item], *, size: tuple[int, int] = (WIDTH, HEIGHT)) -> RgbImage:
    """The screen."""
    picture = Image.new("RGB", size, (238, 239, 242))
    draw = ImageDraw.Draw(picture)
    for item in items:
        box = item.box
        if item.type != "text":
            draw.rectangle((box.x1, box.y1, box.x2 - 1, box.y2 - 1), fill=item.fill, outline=item.edge)
        text = item.text if item.written is None else item.written
        draw.text((box.x1 + 4, box.y1 + 2), text, fill=(20, 20, 30), font=_FONT)
    return np.asarray(picture, dtype=np.uint8)


def found(items: Iterable[Item], frame: str, **fields: object) -> list[Element]:
    """The things as elements, each named after its text."""
    return [
        Element.model_validate(
            {"uid": f"{frame}-{item.text}", "frame": frame, "type": item.type, "box": item.box, "text": item.text}
            | {"source": "detector", "confidence": 0.9, "track_id": f"t-{item.text}"}
            | fields
            | item.fields
        )
        for item in items
    ]


def rows(count: int = 12, *, left: int = 40, top: int = 60, step: int = 26) -> list[Item]:
    """A list of texts under each other."""
    return [
        Item(text=name, box=Rect(left, top + i * step, left + 90, top + i * step + 20))
        for i, name in enumerate(_NAMES[:count])
    ]
