"""A recorder at its port: makes a real demo in the library without looking at a screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from annotator.ui.services import RecordingPlan
from demopack.domain.actions import Action, PressKeyAction, TypeAction
from demopack.domain.records import new_id
from demopack.domain.steps import AccessibleElement, CaptureQuality, Step
from demopack.errors import CaptureError, DemopackError
from demopack.settings import Settings
from demopack.store import Library
from tests.support.demos import demo_head


def _nothing(_: object) -> None:
    return


class FakeRecorder:
    """Does what it is told; the test calls ``press`` and ``type_text`` to record a step.

    Attributes:
        refuse: what ``start`` raises, of the class.
        plan: what was asked for.
        settings: what it was asked to go by.
        shots: the delays of the shots that were ordered.
        seconds: how far back each order to forget reached.
    """

    refuse: DemopackError | None = None

    def __init__(self, library: Library, settings: Settings, plan: RecordingPlan) -> None:
        self.on_step: Callable[[Step], None] = _nothing
        self.on_changed: Callable[[Step], None] = _nothing
        self.on_forgotten: Callable[[Sequence[str]], None] = _nothing
        self.on_state: Callable[[str], None] = _nothing
        self.on_hotkey: Callable[[str], None] = _nothing
        self.error: DemopackError | None = None
        self.health: list[str] = []
        self.plan = plan
        self.settings = settings
        self.task = plan.task
        self.paused = False
        self.holds_text = False
        self.shots: list[float] = []
        self.seconds: list[float] = []
        self.steps: list[Step] = []
        self._library = library
        self._number = 0
        self._head = demo_head(
            new_id("demo"),
            task=plan.task,
            app=plan.app,
            status="recording",
            outcome=None,
            take_of=plan.take_of,
            take_after=plan.take_after,
        )

    @property
    def demo_id(self) -> str:
        return self._head.id

    def start(self) -> None:
        refuse = type(self).refuse
        if refuse is not None:
            raise refuse
        self._recording = self._library.begin_recording(self._head)
        self.on_state("recording")

    # What a person does on the screen ---------------------------------------------------------------------------

    def press(self, key: str = "Enter", *, settled: bool | None = None) -> None:
        self._add(
            PressKeyAction(key_info=key),
            quality=CaptureQuality(settled=settled),
        )

    def type_text(self, text: str, *, field: str = "") -> None:
        self._add(
            TypeAction(text_to_type=text),
            focused=AccessibleElement(role="text", name=field) if field else None,
        )

    def _add(self, action: Action, **more: Any) -> None:
        self._number += 1
        step = Step(id=new_id("step"), position=self._number * 1000, action=action, **more)
        self._recording.append_step(step)
        self.steps.append(step)
        self.on_step(step)

    # What a person tells the recorder ---------------------------------------------------------------------------

    def pause(self) -> None:
        self.paused = True
        self.on_state("paused")

    def hold_text(self, hold: bool) -> None:
        self.holds_text = hold

    def resume(self) -> None:
        self.paused = False
        self.on_state("recording")

    def panic(self) -> None:
        self.pause()
        self.forget(self.settings.recorder.privacy.panic_forget_s)

    def forget(self, seconds: float) -> None:
        """As if the last two steps had been done within that time."""
        self.seconds.append(seconds)
        gone, self.steps = self.steps[-2:], self.steps[:-2]
        self.on_forgotten([step.id for step in gone])

    def add_shot(self, *, delay_s: float = 0.0) -> None:
        self.shots.append(delay_s)

    def add_note(self, text: str) -> None:
        self._change(note=text)

    def mark_variable(self, name: str) -> None:
        self._change(variable=name)

    def _change(self, **fields: str) -> None:
        if self.steps:
            self.steps[-1] = self.steps[-1].model_copy(update=fields)
            self.on_changed(self.steps[-1])

    def stop(
        self,
        *,
        outcome: Literal["success", "failure"] | None = "success",
        own_key: str | None = None,
    ) -> str:
        del own_key
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
