"""A demo on a wide screen with many buttons, so that rules about the numbers as a whole have something to look at."""

from __future__ import annotations

import numpy as np

from demopack.domain.elements import Element
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.store import Library
from tests.support.demos import DemoBuilder, demo_head

WIDE = (1600, 900)


def _picture(pressed: int) -> RgbImage:
    image = np.full((WIDE[1], WIDE[0], 3), 236, dtype=np.uint8)
    for number in range(28):
        box = _box(number)
        image[box.y1 : box.y2, box.x1 : box.x2] = 90 if number < pressed else 160
        image[box.y1 + 10 : box.y2 - 10, box.x1 + 20 : box.x2 - 60] = 20
    return image


def _box(number: int) -> Rect:
    column, row = number % 7, number // 7
    return Rect(30 + column * 222, 60 + row * 220, 230 + column * 222, 120 + row * 220)


def wide_demo(library: Library, *, demo_id: str = "demo_00000000ff") -> str:
    """Six clicks on buttons, a turn of the wheel and the end, on pictures of 1600 x 900; returns the demo's id."""
    b = DemoBuilder(library=library, demo_id=demo_id)

    def show(pressed: int) -> Frame:
        frame = b.frame(_picture(pressed))
        b.parse(frame, [
            Element(uid=f"{demo_id}_{pressed}_{n}", frame=frame.id, type="button", box=_box(n), text=f"Button {n}",
                    source="detector", confidence=0.9, track_id=f"button_{n}")
            for n in range(28)
        ])  # fmt: skip
        return frame

    shown = show(0)
    for number in range(6):
        b.step("click", shown, None, at=_box(number + 1).center, thought=f"Button {number} is the next one.")
        shown = show(number + 1)
        b.steps[-1] = b.steps[-1].model_copy(update={"after": shown})
    wheel = InputEvent(t_ns=b.now_ns + 1, kind="scroll", x=800, y=460, dy=-2)
    b.step("scroll", shown, None, at=Point(800, 460), events=[wheel], thought="The rest is below.",
           parameters={"scroll_direction": "down", "scroll_steps": 2})  # fmt: skip
    shown = show(7)
    b.steps[-1] = b.steps[-1].model_copy(update={"after": shown})
    b.step("finish_goal", shown, None, thought="All are pressed.")
    return b.store(demo_head(demo_id, final_frame=shown, task="Press the first buttons"))
