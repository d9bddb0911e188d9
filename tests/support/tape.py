"""Makes a demo by acting on a live screen: performs an action, and keeps what was seen before and after."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from demopack.clock import now_ns
from demopack.domain.actions import FinishGoalAction, parse_action
from demopack.domain.binding import bind, point_target
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Point
from demopack.domain.steps import Pointer, Step
from demopack.jobs import JobControl
from demopack.settings import PlayerSettings
from models.vision.tracker import assign_tracks
from player.backends.base import Performer
from player.input_driver import InputDriver, perform
from recorder.backends.base import ScreenSource
from recorder.screen.snapshots import wait_until_settled
from tests.support.target_window import TargetWindow

FAST = PlayerSettings(pause_s=0, typing_interval_ms=0, pointer_px_s=20000)


class MemoryImages:
    """A frame store in memory."""

    def __init__(self) -> None:
        self._images: dict[str, RgbImage] = {}

    def put_image(self, image: RgbImage) -> str:
        key = frame_id(image)
        self._images[key] = image
        return key

    def get_image(self, frame_id: str) -> RgbImage:
        return self._images[frame_id]


_TYPES = {
    "field": "input_field", "area": "text_area", "button": "button", "box": "checkbox", "pad": "image",
    "slider": "slider", "list": "other", "asks": "text",
}  # fmt: skip
CONTROLS = tuple(name for name in _TYPES if name != "asks")


class TruthFinder:
    """Knows the elements of the target window from the window itself."""

    name = "truth"

    def __init__(self, window: TargetWindow, *, only: Sequence[str] = CONTROLS) -> None:
        self._window = window
        self._only = only
        self.calls = 0

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Sequence[Point] = ()) -> list[Element]:  # noqa: ARG002 - the port's form
        self.calls += 1
        return [
            Element.model_validate(
                {
                    "uid": f"{frame.id[:8]}_{name}_{id(self)}",
                    "frame": frame.id,
                    "type": _TYPES[name],
                    "box": self._window.place(name),
                    "text": self._window.state["texts"].get(name),
                    "source": "detector",
                }
            )
            for name in self._only
        ]


class FreeWatch:
    """Nobody interferes."""

    def check(self) -> None:
        return

    def wait(self, seconds: float) -> None:
        threading.Event().wait(max(0, seconds))

    def expect(self, point: Point) -> None:  # noqa: ARG002 - the protocol's form
        return


class Tape:
    """Collects steps while it performs them."""

    def __init__(
        self,
        screen: ScreenSource,
        performer: Performer,
        *,
        finder: TruthFinder | None = None,
        windows: bool = True,
    ) -> None:
        self.images = MemoryImages()
        self._screen = screen
        self._performer = performer
        self._windows = windows
        self._hands = InputDriver(performer, gate=FreeWatch(), settings=FAST)
        self._finder = finder
        self._steps: list[Step] = []
        self._elements: dict[str, tuple[Element, ...]] = {}
        self._last: list[Element] = []

    def click(self, point: Point, **parameters: Any) -> None:
        self._point("click", point, parameters)

    def scroll(self, point: Point, **parameters: Any) -> None:
        self._point("scroll", point, parameters)

    def drag(self, start: Point, end: Point, **parameters: Any) -> None:
        self._hands.move_to(start)
        before = self._frame()
        target = point_target(end, before).to_wire()
        self._do("drag", start, {**parameters, "end_target": target}, before, end=end)

    def type(self, text: str, **parameters: Any) -> None:
        self._do("type", None, {**parameters, "text_to_type": text}, self._frame())

    def press(self, keys: str) -> None:
        self._do("press_key", None, {"key_info": keys}, self._frame())

    def _point(self, kind: str, point: Point, parameters: dict[str, Any]) -> None:
        # A person's pointer is there before the press, and the before-frame shows it.
        self._hands.move_to(point)
        self._do(kind, point, parameters, self._frame())

    def _do(
        self, kind: str, start: Point | None, parameters: dict[str, Any], before: Frame, *, end: Point | None = None
    ) -> None:
        target = None if start is None else point_target(start, before)
        action = parse_action({"action_type": kind, "target": target, "parameters": parameters})
        window = self._performer.focused_window() if self._windows else None
        started = now_ns()
        perform(action, self._hands, start=start, end=end)
        ended = now_ns()
        pointer = None
        if start is not None:
            pointer = Pointer(
                x=start.x, y=start.y, end_x=None if end is None else end.x, end_y=None if end is None else end.y
            )
        step = Step(
            id=f"step_{len(self._steps)}", position=len(self._steps), action=action, pointer=pointer, before=before,
            after=self._frame(), started_ns=started, ended_ns=ended, window=window,
        )  # fmt: skip
        self._steps.append(bind(step, self._elements.get(before.id, ())))

    def _frame(self) -> Frame:
        grab, _ = wait_until_settled(self._screen, timeout_s=5, control=JobControl())
        height, width = grab.image.shape[:2]
        frame = Frame(id=self.images.put_image(grab.image), width=width, height=height, scale_factor=grab.scale_factor)
        if self._finder is not None and frame.id not in self._elements:
            found = assign_tracks(self._last, self._finder.find(grab.image, frame, control=JobControl()))
            self._last = found
            self._elements[frame.id] = tuple(found)
        return frame

    def demo(self, *, change: Callable[[Step], Step] = lambda step: step) -> Demo:
        """What was done so far, ended by ``finish_goal``."""
        frame = self._frame()
        finish = Step(id="step_end", position=len(self._steps), action=FinishGoalAction(), before=frame)
        head = DemoHead(id="demo_tape", created_at=datetime(2026, 1, 1, tzinfo=UTC), final_frame=frame)
        return Demo(
            head=head,
            steps=tuple(change(step) for step in (*self._steps, finish)),
            elements=self._elements,
            parsed=frozenset(self._elements),
        )
