"""A recorder at its port: makes a real demo in the library without looking at a screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from demopack.domain.actions import AgentAction
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.errors import CaptureError, DemopackError
from demopack.store import Library
from tests.support.demos import demo_head

__all__ = ["FakeRecorder", "NoHotkeys"]


class FakeRecorder:
    """Does what it is told; the test calls ``press`` to record a step."""

    refuse: DemopackError | None = None

    def __init__(self, library: Library, task: str) -> None:
        self.on_step: Callable[[Step], None] = lambda _: None
        self.on_state: Callable[[str], None] = lambda _: None
        self.on_hotkey: Callable[[str], None] = lambda _: None
        self.error: DemopackError | None = None
        self.health: list[str] = []
        self.task = task
        self.paused = False
        self._library = library
        self._steps = 0
        self._head = demo_head(new_id("demo"), task=task, status="recording", outcome=None)

    @property
    def demo_id(self) -> str:
        return self._head.id

    def start(self) -> None:
        if type(self).refuse is not None:
            raise type(self).refuse
        self._recording = self._library.begin_recording(self._head)
        self.on_state("recording")

    def press(self, key: str = "Enter") -> None:
        self._steps += 1
        action = AgentAction(action_type="press_key", parameters={"key_info": key})
        step = Step(id=new_id("step"), position=self._steps * 1000, action=action)
        self._recording.append_step(step)
        self.on_step(step)

    def pause(self) -> None:
        self.paused = True
        self.on_state("paused")

    def resume(self) -> None:
        self.paused = False
        self.on_state("recording")

    def stop(self, *, outcome: Literal["success", "failure"] | None = "success") -> str:
        if self.error is None:
            self._recording.finish(outcome=outcome)
        else:
            self._recording.__exit__(None, None, None)
        self.on_state("stopped")
        return self.demo_id

    def die(self) -> None:
        """As a recorder does whose screen was taken away."""
        self.error = CaptureError("The screen can no longer be captured.", hint="Everything up to here is saved.")
        self.on_state("stopped")


class NoHotkeys:
    """Global keys that a test presses itself."""

    def __init__(self, *_: Any) -> None:
        self.running = False

    def start(self) -> None:
        self.running = True

    def stop(self) -> None:
        self.running = False
