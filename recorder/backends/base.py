"""Ports to the operating system, for recorder and player; small enough that each system can answer them."""

# ruff: noqa: ARG002 - what stands here is the answer to any question where nobody tells

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from demopack.domain.events import InputEvent
from demopack.domain.frames import Monitor
from demopack.domain.geometry import Rect, iou, subtract
from demopack.domain.screenshots import Screenshot
from demopack.domain.steps import AccessibleElement, WindowInfo
from demopack.domain.trees import WindowTree
from demopack.errors import CaptureError
from demopack.reduction.gestures import OsTimings
from recorder.area import CaptureArea

_log = logging.getLogger(__name__)


def broken_off(error: Exception) -> CaptureError:
    """What to tell the user when a recording ends because of a fault of our own."""
    _log.info("The recording broke off.", exc_info=error)
    return CaptureError(
        "The recording broke off because of a fault in demopack; the steps before it are saved.",
        details="".join(traceback.format_exception(error)),
        hint="Start a new recording, and report what you did when it happened.",
    )


class ScreenLostError(CaptureError):
    """The screen has gone and will not come back, for instance because its server has ended."""


class ScreenAwayError(CaptureError):
    """The screen cannot be read now, for instance because it is locked; it will come back."""


class WindowAwayError(CaptureError):
    """The window that is to be captured cannot be seen now; it may come back."""


def area_box(area: CaptureArea, screen: Rect, monitors: Sequence[Monitor]) -> Rect:
    """Where a part of the desktop lies; not for a window, which may move.

    Args:
        area: the part.
        screen: the whole virtual desktop.
        monitors: its monitors.

    Raises:
        CaptureError: there is no such monitor, or the region lies outside the screen.
    """
    if area.kind == "monitor":
        for monitor in monitors:
            shown = monitor.box.intersection(screen)
            if shown is not None and _is_meant(monitor, area):
                return shown
        names = ", ".join(monitor.name for monitor in monitors)
        raise CaptureError(
            f"There is no monitor {str(area).removeprefix('monitor:')}.",
            hint=f"Connect it, or choose another: {names}." if names else "",
        )
    found = (area.region or screen).intersection(screen)
    if found is None:
        raise CaptureError(
            f"The region {area} lies outside the screen, which has {screen.width} x {screen.height} pixels.",
            hint="Choose another region.",
        )
    return found


_SAME_BOX_IOU = 0.95
"""Qt rounds the size of a scaled monitor, and so is up to a pixel off; another monitor is far below this."""


def _is_meant(monitor: Monitor, area: CaptureArea) -> bool:
    return monitor.name == area.name if area.region is None else iou(monitor.box, area.region) >= _SAME_BOX_IOU


class ScreenSource(Protocol):
    """Takes screenshots. Used from one thread at a time; the owner sees to that."""

    def grab(self) -> Screenshot:
        """The screen now.

        Raises:
            CaptureError: the screen cannot be read; says why and what to do.
        """
        ...

    def close(self) -> None:
        """Let go of the display; calling it twice is harmless."""

    def changed_ns(self) -> int | None:
        """When the screen first changed after the last grab began, monotonic nanoseconds.

        0 when it is certain that it has not changed: then no grab is needed, what was last grabbed is still shown. None
        where the system does not tell.

        Raises:
            CaptureError: the screen cannot be watched any more.
        """
        return None

    def fileno(self) -> int | None:
        """A descriptor that becomes readable when the screen may have changed; None where there is none."""
        return None


class InputSource(Protocol):
    """Delivers raw input events. The callback runs in a thread of the source and must only enqueue.

    Attributes:
        unreadable: events that arrived, but could not be understood; they were left out.
    """

    unreadable: int = 0

    @property
    def error(self) -> CaptureError | None:
        """Why nothing will arrive any more, although nobody stopped it; None while it listens.

        Any thread may ask, and often: the answer is there at once.
        """
        return None

    @property
    def problems(self) -> list[str]:
        """What keeps input away at the moment although it is watched, in the user's words; any thread may ask."""
        return []

    def start(self, callback: Callable[[InputEvent], None]) -> None:
        """Begin to listen; returns once events arrive.

        Raises:
            CaptureError: input cannot be watched in this session; says why and what to do.
        """

    def stop(self) -> None:
        """Stop listening and join the hook's threads; calling it twice is harmless. Never raises."""

    def timings(self) -> OsTimings:
        """The OS's own constants; where it has none, the settings count."""
        return OsTimings()


class SeenWindow(WindowInfo):
    """A window in a stack of windows; never stored.

    Attributes:
        see_through: whether what lies beneath it may shine through, as in its shadow or round its corners.
        process: that it belongs to; 0 when unknown.
        number: of the window in the system, with the frame around it; 0 when unknown.
    """

    see_through: bool = False
    process: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowReading:
    """The accessibility tree of a window as it was read.

    Attributes:
        tree: what was reported; without nodes where nothing was, or the program was not asked.
        started_ns: monotonic clock when reading began.
        ended_ns: when the last answer had come.
    """

    tree: WindowTree
    started_ns: int
    ended_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DesktopWindows:
    """The windows of the desktop at a time; boxes are in units of the virtual desktop (``ScreenSpace``).

    Attributes:
        active: the window that has the input; None when unknown.
        own: where windows of this process can be seen; clicks there are not recorded. Parts that another program's
            window covers do not count: a click there is meant for that program.
        own_active: whether the window that has the input belongs to this process; what is typed then is not recorded.
        stack: the windows that can be seen, topmost first, without our own; those that others may shine through are
            :class:`SeenWindow`. Empty where the system does not tell.
    """

    active: WindowInfo | None = None
    own: tuple[Rect, ...] = ()
    own_active: bool = False
    stack: tuple[WindowInfo, ...] = ()


def own_parts(stack: Iterable[tuple[Rect | None, bool]]) -> tuple[Rect, ...]:
    """The parts of our windows that no window of others above them covers.

    Args:
        stack: the box of each window, topmost first, and whether it is ours.
    """
    above: list[Rect] = []
    found: list[Rect] = []
    for box, is_own in stack:
        if box is not None and is_own:
            found += subtract(box, above)
        elif box is not None:
            above.append(box)
    return tuple(found)


class WindowSource:
    """Knows the windows of the desktop; this class itself none, for systems that demopack cannot ask yet."""

    @property
    def is_known(self) -> bool:
        """Whether the system can be asked for its windows at all."""
        return type(self) is not WindowSource

    def read(self) -> DesktopWindows:
        """The windows as they are now."""
        return DesktopWindows()

    def close(self) -> None:
        """Let go of the display; calling it twice is harmless."""


def late_words(app: str) -> str:
    """What is said of a program that answered late; ``app`` is empty where its name is unknown."""
    if not app:
        return "A program answered late. It is asked less now, so that it is not slowed down."
    return f"“{app}” answered late. It is asked less now, so that it is not slowed down."


class AccessSource:
    """What programs tell about their elements through the system's accessibility interface.

    It listens and asks in threads of its own, each question with a deadline; nothing here ever waits for a program,
    except :meth:`catch_up`. Times are monotonic nanoseconds, boxes pixels of the virtual desktop. Where a program tells
    nothing, the answers are None or empty, and a recording goes on without them. This class itself is the source of a
    system where nobody tells anything.
    """

    def start(self) -> None:
        """Begin to listen; returns at once. Never raises: without accessibility there are just no answers."""

    def stop(self) -> None:
        """Stop listening and join the threads; calling it twice is harmless."""

    @property
    def available(self) -> bool:
        """Whether the system's accessibility interface answers."""
        return False

    @property
    def has_begun(self) -> bool:
        """Whether it is known by now if the interface answers at all."""
        return True

    def catch_up(self, *, timeout_s: float, since_ns: int | None = None) -> bool:
        """Wait until what programs had to say about everything before this call has arrived; False when time was up.

        With ``since_ns`` only what they had to say about everything before then is waited for.

        Called from the thread that writes steps, never from the hook or the session's thread.
        """
        return False

    def note_input(self, event: InputEvent) -> None:
        """Note an input that may move the focus or change a field: a press, a release, a key; returns at once."""

    def focused(self, t_ns: int) -> AccessibleElement | None:
        """The element that had the input at that time, as far as it is known by now."""
        return None

    def ask(self, x: int, y: int) -> None:
        """Find out what lies under this position; the answer is waited for by nobody. Called on presses and rests."""

    def pointed(self, x: int, y: int, t_ns: int) -> AccessibleElement | None:
        """The answer to the last :meth:`ask` about this position that was put at ``t_ns`` or shortly before."""
        return None

    def secure_between(self, started_ns: int, ended_ns: int) -> AccessibleElement | None:
        """A secure field that had the input at some time between the two; None when none had, or nobody tells."""
        return None

    def secure_boxes(self, started_ns: int, ended_ns: int) -> tuple[Rect, ...]:
        """Where secure fields could be seen at some time between the two, whether they had the input or not."""
        return ()

    def unknown_between(self, started_ns: int, ended_ns: int, *, moved_ns: int | None = None, process: int = 0) -> bool:
        """Whether what was typed between the two may have gone into a secure field without anybody having told.

        Args:
            started_ns: the first key.
            ended_ns: the last one.
            moved_ns: the input before the first key that may have moved the focus; None when that was long ago.
            process: whose window had the input; 0 when unknown.
        """
        return False

    def fields_known(self, started_ns: int, ended_ns: int) -> bool | None:
        """Whether all secure fields are known that the program with the input showed between the two.

        False where it did not answer, or where there was too much to look through. None where nobody tells.
        """
        return None

    def telling(self, *, timeout_s: float) -> frozenset[int] | None:
        """The processes of programs that tell of a window; None where nobody can be asked."""
        return None

    def read_trees(self, stack: Sequence[SeenWindow], *, changed: Sequence[Sequence[Rect] | None]) -> None:
        """Have the trees of windows read; the answer is waited for by nobody.

        Args:
            stack: those that can be seen and may be asked, topmost first.
            changed: for each of these where its pixels have changed since the last call, boxes of the virtual desktop;
                None for anywhere.
        """

    def trees_before(self, t_ns: int) -> tuple[WindowReading, ...]:
        """What was read of the windows that could be seen, by the newest look that had ended before, topmost first."""
        return ()

    def trees_now(self, stack: Sequence[SeenWindow], *, timeout_s: float) -> tuple[WindowReading, ...]:
        """Read the trees of these windows and wait for that; what was read before the call could not be read anew.

        Args:
            stack: as for :meth:`read_trees`.
            timeout_s: waited at most.
        """
        return ()

    @property
    def can_read_on(self) -> bool:
        """Whether a tree was cut off because its program had been asked enough, and more of it may be read by now."""
        return False

    @property
    def news_ns(self) -> int:
        """When a program last told that something in it had changed; 0 for never."""
        return 0

    @property
    def problems(self) -> list[str]:
        """What the person should know about programs that do not tell what they should, in words."""
        return []

    def text_change(self, started_ns: int, ended_ns: int) -> tuple[str, str] | None:
        """Value of the focused field before and after a span in which somebody typed; None when it is not known.

        Always None for a secure field. It is how the text of an input method is read back.
        """
        return None
