"""Small demos whose pictures are painted here, for tests that need a library but no screen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from demopack.clock import utc_now
from demopack.domain.actions import ClickAction, PressKeyAction, TypeAction
from demopack.domain.binding import point_target
from demopack.domain.demos import DemoHead
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import Pointer, Step
from demopack.store import Library


def blank(width: int = 320, height: int = 200, *, shade: int = 240) -> RgbImage:
    """A picture of one grey."""
    return np.full((height, width, 3), shade, dtype=np.uint8)


def painted(*boxes: Rect, shade: int = 240, ink: int = 30) -> RgbImage:
    """A grey picture with dark boxes."""
    image = blank(shade=shade)
    for box in boxes:
        image[box.y1 : box.y2, box.x1 : box.x2] = ink
    return image


def keep(library: Library, image: RgbImage) -> Frame:
    """Store a picture and return its record."""
    return Frame(id=library.put_image(image), width=image.shape[1], height=image.shape[0])


def click_step(number: int, before: Frame, after: Frame | None, point: Point) -> Step:
    """A recorded left click, not bound to anything."""
    return Step(
        id=f"step_{number}",
        position=number,
        action=ClickAction(target=point_target(point, before)),
        pointer=Pointer(x=point.x, y=point.y),
        before=before,
        after=after,
    )


def type_step(number: int, before: Frame, after: Frame | None, text: str) -> Step:
    """A recorded run of typing."""
    return Step(
        id=f"step_{number}",
        position=number,
        action=TypeAction(text_to_type=text),
        before=before,
        after=after,
    )


def key_step(number: int, before: Frame, key: str) -> Step:
    """A recorded key."""
    return Step(id=f"step_{number}", position=number, action=PressKeyAction(key_info=key), before=before)


def record(folder: Path, images: Sequence[RgbImage], actions: Sequence[Point | str], *, task: str = "") -> Library:
    """A library with the complete demo ``demo_1``: action ``i`` leads from picture ``i`` to picture ``i + 1``."""
    library = Library.open(folder / "library")
    frames = [keep(library, image) for image in images]
    with library.begin_recording(DemoHead(id="demo_1", task=task, created_at=utc_now())) as recording:
        for i, action in enumerate(actions):
            if isinstance(action, str):
                recording.append_step(type_step(i, frames[i], frames[i + 1], action))
            else:
                recording.append_step(click_step(i, frames[i], frames[i + 1], action))
        recording.finish(outcome="success", final_frame=frames[-1])
    return library
