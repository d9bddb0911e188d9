"""What becomes of a recording when it is saved: a demo to look over, or a take that joins its demo."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Signal

from annotator.ui.job_runner import JobRunner
from annotator.ui.library.actions import LibraryActions
from annotator.ui.messages import Messages
from annotator.ui.recording.plan import RecordingPlan
from annotator.words import tr
from demopack.domain.demos import DemoHead
from demopack.store import Library
from recorder.area import CaptureArea

__all__ = ["TakeFlow", "take_plan"]

_Kind = Literal["demo", "whole", "cut", "empty"]


def take_plan(head: DemoHead, after: str) -> RecordingPlan:
    """How to record a demo again after one of its steps: the same task, the same part of the screen."""
    return RecordingPlan(
        task=head.task, app=head.app, area=CaptureArea.parse(head.area), take_of=head.id, take_after=after
    )


class TakeFlow(QObject):
    """Joins a take that was recorded to its end; one that was cut off waits in the library for a person's word.

    Signals:
        show_wanted: id of a demo to open.
    """

    show_wanted = Signal(str)

    def __init__(self, library: Library, actions: LibraryActions, *, runner: JobRunner, messages: Messages) -> None:
        super().__init__(actions)
        self._library = library
        self._actions = actions
        self._runner = runner
        self._messages = messages

    def settle(self, demo_id: str) -> None:
        """A recording is saved."""

        def look() -> tuple[_Kind, DemoHead]:
            demo = self._library.demo(demo_id)
            did = any(step.action.action_type != "finish_goal" for step in demo.steps)
            if not demo.head.take_of:
                return "demo", demo.head
            if not did:
                self._library.delete_demo(demo_id)
                return "empty", demo.head
            return ("whole" if demo.head.status == "complete" else "cut"), demo.head

        self._runner.submit(look, on_result=self._go_on, on_error=self._messages.show_error)

    def _go_on(self, found: tuple[_Kind, DemoHead]) -> None:
        kind, head = found
        if kind == "whole":
            self._actions.join(head.id)
            return
        self._actions.refresh(select=head.id if kind == "demo" else head.take_of)
        if kind == "demo":
            self.show_wanted.emit(head.id)
        elif kind == "empty":
            self._messages.say(tr("Nothing was recorded; the demo is as it was."))
        else:
            self._messages.say(
                tr("The recording was cut off. The demo is as it was, the take is in the library."),
                button=tr("Join"),
                action=lambda: self._actions.join(head.id),
            )
