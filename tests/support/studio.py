"""A recording whose screen, windows and input the test holds in its hands; the library is a real one."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from demopack.domain.demos import Demo
from demopack.domain.events import InputEvent
from demopack.domain.steps import Step
from demopack.domain.words import describe_action
from demopack.settings import RecorderSettings
from demopack.store import Library
from recorder.session import RecordingSession
from tests.support.notation import parse_events
from tests.support.sources import HandInput, HandScreen, HandWindows

SETTINGS = RecorderSettings(frame_interval_ms=20, idle_interval_ms=50)


class Studio:
    """A session with its sources, and everything it has told."""

    def __init__(self, library: Library, **fields: Any) -> None:
        self.library = library
        self.screen, self.inputs, self.windows = HandScreen(), HandInput(), HandWindows()
        self.states: list[str] = []
        self.steps: list[Step] = []
        self.hotkeys: list[str] = []
        self.changed: list[Step] = []
        self.forgotten: list[Sequence[str]] = []
        self._told = threading.Condition()
        self.session = RecordingSession(
            library,
            settings=fields.pop("settings", SETTINGS),
            task=fields.pop("task", "try it"),
            screen=self.screen,
            inputs=self.inputs,
            windows=self.windows,
            **fields,
        )
        self.session.on_state = lambda state: self._tell(self.states, state)
        self.session.on_step = lambda step: self._tell(self.steps, step)
        self.session.on_hotkey = lambda meaning: self._tell(self.hotkeys, meaning)
        self.session.on_changed = lambda step: self._tell(self.changed, step)
        self.session.on_forgotten = lambda ids: self._tell(self.forgotten, ids)

    def _tell(self, told: list[Any], what: object) -> None:
        with self._told:
            told.append(what)
            self._told.notify_all()

    def wait(self, told: list[Any], count: int) -> None:
        with self._told:
            assert self._told.wait_for(lambda: len(told) >= count, timeout=20), f"{told}, not {count}"

    def do(self, events: str, colour: int) -> None:
        """Act, and let the screen answer."""
        self.inputs.give(parse_events(events))
        self.screen.show(colour)

    def events(self, notation: str) -> list[InputEvent]:
        return parse_events(notation)

    def demo(self) -> Demo:
        return self.library.demo(self.session.demo_id)

    def words(self) -> list[str]:
        return [describe_action(step.action) for step in self.demo().steps]

    def colours(self, step: Step) -> tuple[int | None, int | None]:
        """What the pictures before and after a step show."""
        before, after = (
            None if frame is None else int(self.library.get_image(frame.id)[0, 0, 0])
            for frame in (step.before, step.after)
        )
        return before, after
