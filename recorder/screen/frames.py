"""What was on the screen, and when: a bounded log of grabs in which equal pictures are kept once."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from demopack.domain.geometry import Rect
from demopack.domain.steps import WindowInfo
from recorder.backends.base import Grab
from recorder.screen.changes import ChangeLog

__all__ = ["FrameRing", "Look", "Picture", "same_pixels"]


_BAND = 1 << 16  # pixels that are compared at once; the first that differ decide


def same_pixels(a: Grab, b: Grab) -> bool:
    """Whether two grabs show the same, to the last bit of colour."""
    if a.image.shape != b.image.shape:
        return False
    if a.raw is None or b.raw is None:
        return bool(np.array_equal(a.image, b.image))
    if a.raw is b.raw:
        return True
    # The fourth byte has no meaning; some programs write it.
    colours = np.uint32(0x00FFFFFF)
    ours, theirs = np.frombuffer(a.raw, dtype="<u4"), np.frombuffer(b.raw, dtype="<u4")
    for start in range(0, ours.size, _BAND):
        one, other = ours[start : start + _BAND], theirs[start : start + _BAND]
        if not np.array_equal(one, other) and bool(np.any((one ^ other) & colours)):
            return False
    return True


def _same_place(a: Grab, b: Grab) -> bool:
    """Whether a position on the one is the same position of the desktop on the other."""
    return (a.space, a.scale_factor, a.monitors) == (b.space, b.scale_factor, b.monitors)


@dataclass(slots=True, eq=False, kw_only=True)
class Picture:
    """One content of the screen; equal grabs that follow each other share it.

    Attributes:
        grab: the first grab that showed it.
        stored_id: its id in the library, once it is there.
    """

    grab: Grab
    stored_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One grab: when, what, and which windows there were.

    Attributes:
        started_ns: monotonic clock before the first pixel was read.
        ended_ns: monotonic clock after the last pixel was read.
        picture: what it showed.
        window: the window that had the input.
        own: where windows of ours could be seen.
        own_active: whether one of ours had the input.
        stack: the other windows that could be seen when the grab had ended, topmost first.
        stack_before: those that could be seen when it began; what is to be covered must be covered in both places.
    """

    started_ns: int
    ended_ns: int
    picture: Picture
    window: WindowInfo | None = None
    own: tuple[Rect, ...] = ()
    own_active: bool = False
    stack: tuple[WindowInfo, ...] = ()
    stack_before: tuple[WindowInfo, ...] = ()


class FrameRing:
    """The recent looks, oldest first. One thread adds, any thread asks.

    A picture that is grabbed again and found equal is still current: the new look repeats it with its own times, so
    the age of a frame counts from the last look that confirmed it. Where the system tells that nothing has changed, no
    grab is needed for that.

    Attributes:
        grabbed: grabs that were taken in.
        confirmed: looks for which none was needed.
        kept: of the grabs, those that showed something new.
    """

    def __init__(self, *, max_bytes: int = 64_000_000, max_looks: int = 512, min_pictures: int = 6) -> None:
        self._looks: deque[Look] = deque(maxlen=max_looks)
        self._max_bytes = max_bytes
        self._min_pictures = min_pictures
        self._pictures = 0
        self._under_way: int | None = None
        self._changes = ChangeLog()
        self._condition = threading.Condition()
        self.grabbed = 0
        self.confirmed = 0
        self.kept = 0

    def begin(self) -> None:
        """A grab starts now; :meth:`before` waits for it where it could matter."""
        with self._condition:
            self._under_way = time.monotonic_ns()

    def add(
        self,
        grab: Grab,
        *,
        window: WindowInfo | None = None,
        own: tuple[Rect, ...] = (),
        own_active: bool = False,
        stack: tuple[WindowInfo, ...] = (),
        stack_before: tuple[WindowInfo, ...] = (),
    ) -> bool:
        """Take in a finished grab; returns whether it shows something new, be it only at another place."""
        previous = self._looks[-1] if self._looks else None
        last = None if previous is None else previous.picture
        changed = last is None or not _same_place(last.grab, grab) or not same_pixels(last.grab, grab)
        picture = Picture(grab=grab) if changed or last is None else last
        look = Look(
            started_ns=grab.started_ns,
            ended_ns=grab.ended_ns,
            picture=picture,
            window=window,
            own=own,
            own_active=own_active,
            stack=stack,
            stack_before=stack_before,
        )
        with self._condition:
            if previous is not None and grab.changed_ns is not None and (grab.changed_ns or not changed):
                # What was drawn anew and looks as before is no change.
                self._changes.add(previous.started_ns, grab.started_ns, grab.changed_ns if changed else 0)
            self._append(look, changed=changed)
            self.grabbed += 1
            self._under_way = None
            self._condition.notify_all()
        return changed

    def confirm(
        self,
        *,
        started_ns: int,
        ended_ns: int,
        window: WindowInfo | None = None,
        own: tuple[Rect, ...] = (),
        own_active: bool = False,
        stack: tuple[WindowInfo, ...] = (),
        stack_before: tuple[WindowInfo, ...] = (),
    ) -> None:
        """The newest picture is still shown, as the system has said between these two times; no grab was needed."""
        with self._condition:
            previous = self._looks[-1]
            look = replace(
                previous,
                started_ns=started_ns,
                ended_ns=ended_ns,
                window=window,
                own=own,
                own_active=own_active,
                stack=stack,
                stack_before=stack_before,
            )
            self._changes.add(previous.started_ns, started_ns, 0)
            self._append(look, changed=False)
            self.confirmed += 1
            self._under_way = None
            self._condition.notify_all()

    def changed_between(self, started_ns: int, ended_ns: int) -> bool | None:
        """Whether the screen changed, so that one could see it, after the look that began at ``started_ns``.

        Args:
            started_ns: when a look began; what had changed before its pixels were read does not count.
            ended_ns: up to this time, for instance that of an input event.

        Returns:
            True or False where it is certain, None where the system does not tell, or has not told yet.
        """
        with self._condition:
            return self._changes.between(started_ns, ended_ns)

    def cancel(self) -> None:
        """The grab that was under way failed."""
        with self._condition:
            self._under_way = None
            self._condition.notify_all()

    def _append(self, look: Look, *, changed: bool) -> None:
        if len(self._looks) == self._looks.maxlen:
            self._drop_oldest()
        self._looks.append(look)
        if changed:
            self.kept += 1
            self._pictures += 1
        size = look.picture.grab.image.size * 4 // 3
        limit = max(self._min_pictures, self._max_bytes // max(size, 1))
        while self._pictures > limit:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        dropped = self._looks.popleft()
        if not self._looks or self._looks[0].picture is not dropped.picture:
            self._pictures -= 1

    def wait_before(self, t_ns: int, *, timeout_s: float = 0.5) -> None:
        """Wait until every grab that began before ``t_ns`` has been added; a stuck grab is not waited for."""
        deadline = time.monotonic() + timeout_s
        with self._condition:
            while self._under_way is not None and self._under_way < t_ns:
                left = deadline - time.monotonic()
                if left <= 0 or not self._condition.wait(left):
                    return

    def before(self, t_ns: int) -> Look | None:
        """The newest look that had ended before ``t_ns``; None where nothing is left from that time."""
        with self._condition:
            for look in reversed(self._looks):
                if look.ended_ns < t_ns:
                    return look
        return None

    def straddling(self, t_ns: int) -> list[Look]:
        """Looks that had begun before ``t_ns`` and ended at it or later."""
        with self._condition:
            return [look for look in self._recent(t_ns) if look.started_ns < t_ns]

    def after(self, t_ns: int, *, until_ns: int | None = None) -> list[Look]:
        """Looks that began at ``t_ns`` or later, and ended before ``until_ns`` where that is given, oldest first."""
        with self._condition:
            found = [look for look in self._recent(t_ns) if look.started_ns >= t_ns]
        found.reverse()
        return [look for look in found if until_ns is None or look.ended_ns < until_ns]

    def _recent(self, t_ns: int) -> Iterator[Look]:
        """Looks that ended at ``t_ns`` or later, newest first."""
        for look in reversed(self._looks):
            if look.ended_ns < t_ns:
                return
            yield look

    def forget(self) -> None:
        """Let go of every look but the newest, which shows the screen as it is now."""
        with self._condition:
            while len(self._looks) > 1:
                self._drop_oldest()

    @property
    def newest(self) -> Look | None:
        """The last look; None before the first."""
        with self._condition:
            return self._looks[-1] if self._looks else None
