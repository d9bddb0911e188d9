"""Finds the element under a position of the screen; in a thread of its own, the newest question wins."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement
from demopack.errors import CaptureError
from recorder.backends.atspi.ask import Asker
from recorder.backends.atspi.budget import Budget, Meter
from recorder.backends.atspi.bus import Ref
from recorder.backends.atspi.names import POPPING_UP
from recorder.backends.atspi.thread import AskingThread
from recorder.backends.atspi.walk import Walker
from recorder.backends.x11.xlib import open_display, xlib

__all__ = ["PointerAsker", "Under", "WindowUnder"]

_DEADLINE_S = 0.15
_DEEPEST, _FRAMES = 40, 4
_KEPT = 256
_SHORTLY_NS, _LATE_NS = 2_000_000_000, 300_000_000
_NEAR_PX = 2
_DECORATION = frozenset({"static", "image", "icon", "label"})
_CONTROLS = frozenset(
    {
        "push button",
        "toggle button",
        "check box",
        "radio button",
        "link",
        "menu item",
        "page tab",
        "list item",
        "combo box",
    }
)


@dataclass(frozen=True, slots=True)
class Under:
    """The window under a position.

    Attributes:
        process: that owns it; 0 when nobody tells.
        popup: where it is, for a window without a frame that only pops up, as menus do; None for every other.
    """

    process: int = 0
    popup: Rect | None = None


class WindowUnder:
    """Knows whose window lies under a position; a connection of its own, for one thread."""

    def __init__(self, display: str | None) -> None:
        self._errors: tuple[type[Exception], ...] = (
            xlib("error").XError,
            xlib("error").ConnectionClosedError,
            OSError,
        )
        self._display: Any = None
        with contextlib.suppress(CaptureError):
            self._display = open_display(display)
            self._display.set_error_handler(_ignore_error)
            self._pid = self._display.intern_atom("_NET_WM_PID")

    def at(self, x: int, y: int) -> Under:
        """What the X server knows about the window there; nothing where nobody tells."""
        if self._display is None:
            return Under()
        try:
            root = self._display.screen().root
            top = window = root.translate_coords(root, x, y).child
            if not top:
                return Under()
            popup = _popup(top)
            for _ in range(_FRAMES):
                told = window.get_full_property(self._pid, xlib("X").AnyPropertyType)
                if told is not None and len(told.value):
                    return Under(int(told.value[0]), popup)
                window = window.translate_coords(root, x, y).child
                if not window:
                    break
            return Under(0, popup)
        except self._errors:
            return Under()

    def close(self) -> None:
        """Let go of the display."""
        if self._display is not None:
            with contextlib.suppress(*self._errors):
                self._display.close()
            self._display = None


@dataclass(frozen=True, slots=True)
class _Answer:
    asked_ns: int
    at: Point
    element: AccessibleElement | None


class PointerAsker(AskingThread):
    """Answers what lay under the pointer when it was asked."""

    def __init__(
        self,
        asker: Asker,
        *,
        walker: Walker,
        budget: Budget,
        is_secure: Callable[[Ref], bool],
        display: str | None,
    ) -> None:
        """Take the parts.

        Args:
            asker: puts the questions.
            walker: looks through windows.
            budget: says how much each program may be asked.
            is_secure: whether an element was a secure field at any time.
            display: the X server; None for the one in ``DISPLAY``.
        """
        super().__init__("accessibility pointer")
        self._asker = asker
        self._walker = walker
        self._budget = budget
        self._is_secure = is_secure
        self._display = display
        self._question: tuple[int, Point] | None = None
        self._answers: deque[_Answer] = deque(maxlen=_KEPT)
        self._busy = False

    def ask(self, at: Point) -> None:
        """Put a question; one that still waits is dropped for it."""
        with self._changed:
            self._question = (time.monotonic_ns(), at)
            self._changed.notify_all()

    def answer(self, at: Point, t_ns: int) -> AccessibleElement | None:
        """The newest answer to a question about this position that was put at this time or shortly before.

        Events reach us late; where nothing was asked before, the first question after it counts.
        """
        with self._changed:
            near = [a for a in self._answers if max(abs(a.at.x - at.x), abs(a.at.y - at.y)) <= _NEAR_PX]
        before = [a for a in near if 0 <= t_ns - a.asked_ns <= _SHORTLY_NS]
        after = [a for a in near if 0 < a.asked_ns - t_ns <= _LATE_NS]
        return before[-1].element if before else after[0].element if after else None

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until the last question is answered; whether it was."""
        with self._changed:
            return self._changed.wait_for(lambda: self._ended or not (self._busy or self._question), timeout_s)

    # The thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        under = WindowUnder(self._display)
        try:
            while True:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: self._ended or self._question is not None)
                    if self._ended or self._question is None:
                        return
                    (asked_ns, at), self._question = self._question, None
                    self._busy = True
                element = self._find(at, under.at(at.x, at.y))
                with self._changed:
                    self._answers.append(_Answer(asked_ns, at, element))
        finally:
            under.close()

    def _find(self, at: Point, under: Under) -> AccessibleElement | None:
        for program in self._programs_of(under.process):
            if self._asker.is_silent(program.bus) or not self._budget.room_s(program.bus):
                continue
            meter = Meter(self._asker.process(program.bus, timeout_s=_DEADLINE_S))
            deadline = time.monotonic() + _DEADLINE_S
            found = self._descend(program, at, under.popup, deadline)
            element = None if found is None else self._describe(found, deadline)
            if found is not None and element is not None:
                element = self._control(found, element, deadline)
            self._budget.spend(program.bus, meter.cost_s)
            if found is not None:
                return element
        return None

    def _control(self, ref: Ref, element: AccessibleElement, deadline: float) -> AccessibleElement:
        """The control that the element belongs to: a browser tells of the words on a button as a thing of their own."""
        if element.role not in _DECORATION:
            return element
        parent = self._asker.parent(ref, timeout_s=_left(deadline))
        around = self._describe(parent, deadline) if parent is not None else None
        return around if around is not None and around.role in _CONTROLS else element

    def _describe(self, ref: Ref, deadline: float) -> AccessibleElement | None:
        return self._asker.describe(ref, timeout_s=_left(deadline), secure=self._is_secure(ref))

    def _programs_of(self, process: int) -> list[Ref]:
        programs = self._asker.programs(timeout_s=_DEADLINE_S)
        if not process:
            return programs
        return [p for p in programs if self._asker.process(p.bus, timeout_s=_DEADLINE_S) == process]

    def _descend(self, program: Ref, at: Point, popup: Rect | None, deadline: float) -> Ref | None:
        """From the program's window under the position down to the innermost element; None when it has none there."""
        found: Ref | None = None
        self._asker.measure(program.bus, timeout_s=_left(deadline))
        windows = self._asker.children(program, timeout_s=_left(deadline))
        if popup is not None:
            # Some toolkits count such a window among the children of what it belongs to.
            windows += self._walker.with_roles(windows, POPPING_UP, until_s=deadline)
        seen = self._asker.windows_at(windows, at, popup=popup, timeout_s=_left(deadline))
        below: Ref | None = seen[0] if seen else None
        for _ in range(_DEEPEST):
            if below is None or below == found or time.monotonic() > deadline:
                break
            found = below
            below = self._asker.child_at(found, at, timeout_s=_left(deadline))
        return found


def _left(deadline: float) -> float:
    """Seconds, at least a few milliseconds: an answer that is there already is taken."""
    return max(deadline - time.monotonic(), 0.02)


def _popup(window: Any) -> Rect | None:  # noqa: ANN401 - an untyped library
    if not window.get_attributes().override_redirect:
        return None
    box = window.get_geometry()
    return Rect(box.x, box.y, box.x + box.width, box.y + box.height)


def _ignore_error(*_: object) -> None:
    """Windows come and go while we ask about them; python-xlib would print every such answer."""
