"""Demos that a careless program or a very large screen might make."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from demopack.clock import utc_now
from demopack.domain.actions import ClickAction, FinishGoalAction
from demopack.domain.binding import bind, point_target
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import Pointer, Step
from demopack.store import Library

HARD = "demo_hard"


def add_hard_demo(
    library: Library, boxes: Sequence[tuple[int, int, int, int]], *, width: int = 640, height: int = 480, text: str = ""
) -> Frame:
    """A demo of two steps with these boxes on the picture of the first, which is a click into the first box."""
    image = np.full((height, width, 3), 240, dtype=np.uint8)
    image[::16] = 200
    frame = Frame(id=library.put_image(image), width=width, height=height)
    elements = tuple(
        Element(uid=f"el_{i:05}", frame=frame.id, type="button", box=Rect(*box), text=text or None, source="detector")
        for i, box in enumerate(boxes)
    )
    at = Rect(*boxes[0]).center if boxes else Point(5, 5)
    at = Point(min(max(at.x, 0), width - 1), min(max(at.y, 0), height - 1))
    click = Step(
        id="step_1",
        position=1024,
        before=frame,
        after=frame,
        pointer=Pointer(x=at.x, y=at.y),
        action=ClickAction(target=point_target(at, frame)),
    )
    end = Step(id="step_2", position=2048, before=frame, action=FinishGoalAction())
    head = DemoHead(id=HARD, created_at=utc_now(), status="complete", outcome="success", task=text or "A hard one")
    library.add_demo(Demo(head=head, steps=(bind(click, elements), end), elements={frame.id: elements}))
    return frame


def many_boxes(count: int, *, width: int = 640, height: int = 480) -> list[tuple[int, int, int, int]]:
    """Boxes all over the picture."""
    chance = np.random.default_rng(7)
    x = chance.integers(0, width - 40, count)
    y = chance.integers(0, height - 20, count)
    return [
        (int(a), int(b), int(a) + 4 + i % 30, int(b) + 4 + i % 14) for i, (a, b) in enumerate(zip(x, y, strict=True))
    ]


def odd_boxes() -> list[tuple[int, int, int, int]]:
    """Of size zero, lines, outside on each side, larger than 640 x 480, and equal ones."""
    return [
        (20, 20, 20, 20),
        (40, 40, 90, 40),
        (60, 60, 60, 99),
        (700, 500, 760, 540),
        (-90, -40, -10, -5),
        (600, 440, 700, 520),
        (-50, -50, 900, 700),
        (100, 100, 160, 130),
        (100, 100, 160, 130),
    ]
