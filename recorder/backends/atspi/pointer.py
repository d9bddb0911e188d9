"""Element under a position of the screen; in a thread of its own, the newest question wins."""

from __future__ import annotations

import contextlib
import time
from functools import partial

from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement
from recorder.backends.atspi.budget import Budget, QueryThread
from recorder.backends.atspi.bus import Ref
from recorder.backends.atspi.roles import POPPING_UP
from recorder.backends.atspi.scale import ServerWindows
from recorder.backends.atspi.walk import Walker
from recorder.backends.atspi.watch import SecureWatch
from recorder.backends.element_history import PointedAnswers

_DEADLINE_S = 0.15
_DEEPEST = 40
_DECORATION = frozenset({"static", "image", "icon", "label"})
_INNER = frozenset({"filler", "viewport", "panel"})
_FIELDS = frozenset({"text", "entry", "terminal", "document text"})
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


class PointerQueries(QueryThread):
    """Answers what lay under the pointer when it was asked."""

    def __init__(self, walker: Walker, budget: Budget, *, watch: SecureWatch, display: str | None) -> None:
        """As a :class:`QueryThread`; who knows secure fields, and the X server (None: ``DISPLAY``)."""
        super().__init__("accessibility pointer", walker, budget)
        self._watch = watch
        self._answers = PointedAnswers()
        self._under = ServerWindows(display)

    def ask(self, at: Point) -> None:
        """Put a question; one that still waits is dropped for it."""
        self._put("question", partial(self._answer, time.monotonic_ns(), at))

    def answer(self, at: Point, t_ns: int) -> AccessibleElement | None:
        """See :meth:`PointedAnswers.answer`."""
        return self._answers.answer(at, t_ns)

    # The thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        with contextlib.closing(self._under):
            super()._run()

    def _answer(self, asked_ns: int, at: Point) -> None:
        element = self._find(at)
        self._answers.add(asked_ns, at, element)

    def _find(self, at: Point) -> AccessibleElement | None:
        process, popup = self._under.at(at.x, at.y)
        programs = self._asker.programs(timeout_s=_DEADLINE_S)
        for program in programs:
            bus = program.bus
            if process and self._asker.process(bus, timeout_s=_DEADLINE_S) != process:
                continue
            if self._asker.bus.is_silent(bus) or not self._budget.room_s(bus):
                continue
            with self._spending(bus, timeout_s=_DEADLINE_S):
                deadline = time.monotonic() + _DEADLINE_S
                found = self._descend(program, at, popup, deadline)
                element = None if found is None else self._describe(found, deadline)
                if found is not None and element is not None:
                    element = self._control(found, element, deadline)
            if found is not None:
                return element
        return None

    def _control(self, ref: Ref, element: AccessibleElement, deadline: float) -> AccessibleElement:
        """The control that the element belongs to.

        A browser tells of the words on a button as a thing of their own, Qt of the part of a text area that scrolls.
        """
        owners = _CONTROLS if element.role in _DECORATION else _FIELDS if element.role in _INNER else frozenset[str]()
        if not owners or (owners is _FIELDS and element.name):
            return element
        parent = self._asker.parent(ref, timeout_s=_left(deadline))
        around = self._describe(parent, deadline) if parent is not None else None
        return around if around is not None and around.role in owners else element

    def _describe(self, ref: Ref, deadline: float) -> AccessibleElement | None:
        return self._asker.describe(ref, timeout_s=_left(deadline), secure=self._watch.is_secure(ref))

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
