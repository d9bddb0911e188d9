"""The recent snapshots of the screen, when it is known to have changed, and when it has settled."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from demopack.clock import now_ns
from demopack.domain.geometry import Rect, outermost
from demopack.domain.screenshots import Screenshot, Snapshot, same_pixels, same_place
from demopack.jobs import JobControl
from demopack.pixels.changes import differences
from recorder.backends.base import ScreenSource

_KEPT_CHANGES = 1024
_GRAIN_NS = 1_000_000  # systems tell whole milliseconds, rounded down; so do the times of input events


@dataclass(slots=True)
class _Span:
    """From one snapshot to the next: ``changed_ns`` is the first visible change in it, 0 for none."""

    from_ns: int
    until_ns: int
    changed_ns: int


class ChangeLog:
    """Spans of time that follow each other, a bounded number; quiet ones that touch are one."""

    def __init__(self, *, limit: int = 2048) -> None:
        self._spans: deque[_Span] = deque(maxlen=limit)

    def add(self, from_ns: int, until_ns: int, changed_ns: int) -> None:
        """The screen was watched from one time to another, and first changed at ``changed_ns``; 0 if it did not.

        Spans are added in their order. One that is not added was not watched.
        """
        last = self._spans[-1] if self._spans else None
        if last is not None and last.until_ns == from_ns and not last.changed_ns and not changed_ns:
            last.until_ns = until_ns
        else:
            self._spans.append(_Span(from_ns, until_ns, changed_ns))

    def between(self, started_ns: int, ended_ns: int) -> bool | None:
        """Whether the screen changed between the two; None where that is not certain."""
        known_until, certain = started_ns, True
        for span in self._spans:
            if span.until_ns <= started_ns:
                continue
            if span.from_ns >= ended_ns:
                break
            certain = certain and span.from_ns <= known_until
            known_until = span.until_ns
            change = span.changed_ns
            if not change or change > ended_ns:
                continue
            # Within the same millisecond nobody knows which of the two came first.
            if change + _GRAIN_NS <= ended_ns and (change >= started_ns or span.from_ns >= started_ns):
                return True
            certain = False
        return False if certain and known_until >= ended_ns else None


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What a snapshot shows otherwise than the one before it, boxes of the virtual desktop; None for anything."""

    started_ns: int
    ended_ns: int
    boxes: Sequence[Rect] | None


class SnapshotRing:
    """The recent snapshots, oldest first. One thread adds, any thread asks.

    A picture that is grabbed again and found equal is still current: the new snapshot repeats it with its own times, so
    the age of a frame counts from the last snapshot that confirmed it. Where the system tells that nothing has changed,
    no grab is needed for that.

    Attributes:
        grabbed: grabs that were taken in.
        confirmed: looks for which none was needed.
        kept: of the grabs, those that showed something new.
    """

    def __init__(self, *, max_bytes: int = 64_000_000, max_snapshots: int = 512, min_pictures: int = 6) -> None:
        self._snapshots: deque[Snapshot] = deque(maxlen=max_snapshots)
        self._max_bytes = max_bytes
        self._min_pictures = min_pictures
        self._pictures = 0
        self._under_way: int | None = None
        self._changes = ChangeLog()
        self._drawn: deque[_Drawn] = deque(maxlen=_KEPT_CHANGES)
        self._drawn_since_ns: int | None = None
        self._missed = False
        self._condition = threading.Condition()
        self.grabbed = 0
        self.confirmed = 0
        self.kept = 0

    def begin(self) -> None:
        """A grab starts now; :meth:`before` waits for it where it could matter."""
        with self._condition:
            self._under_way = now_ns()

    def add(self, snapshot: Snapshot) -> bool:
        """Take in a finished grab; returns whether it shows something new, be it only at another place."""
        previous, screenshot = self._snapshots[-1] if self._snapshots else None, snapshot.screenshot
        last = None if previous is None else previous.screenshot
        boxes = None
        if last is not None and same_place(last, screenshot):
            # After a grab that failed nobody knows what "read anew" is to be compared with.
            boxes = differences(last, replace(screenshot, read=None) if self._missed else screenshot)
        changed = boxes is None or bool(boxes)
        if last is not None and not changed:
            snapshot = replace(snapshot, screenshot=last)
        self._missed = False
        with self._condition:
            if self._drawn_since_ns is None:
                self._drawn_since_ns = snapshot.ended_ns
            elif changed:
                if len(self._drawn) == self._drawn.maxlen:
                    self._drawn_since_ns = self._drawn[0].ended_ns
                self._drawn.append(_Drawn(snapshot.started_ns, snapshot.ended_ns, boxes))
            if previous is not None and screenshot.changed_ns is not None and (screenshot.changed_ns or not changed):
                # What was drawn anew and looks as before is no change.
                self._changes.add(previous.started_ns, screenshot.started_ns, screenshot.changed_ns if changed else 0)
            self._append(snapshot, changed=changed)
            self.grabbed += 1
        return changed

    def confirm(self, snapshot: Snapshot) -> None:
        """Take in a look at the newest picture, which is still shown, as the system has said; no grab was needed."""
        with self._condition:
            self._changes.add(self._snapshots[-1].started_ns, snapshot.started_ns, 0)
            self._append(snapshot, changed=False)
            self.confirmed += 1

    def changed_between(self, started_ns: int, ended_ns: int) -> bool | None:
        """Whether the screen changed, so that one could see it, after the snapshot that began at ``started_ns``.

        Args:
            started_ns: when a snapshot began; what had changed before its pixels were read does not count.
            ended_ns: up to this time, for instance that of an input event.

        Returns:
            True or False where it is certain, None where the system does not tell, or has not told yet.
        """
        with self._condition:
            return self._changes.between(started_ns, ended_ns)

    def drawn(self, *, since_ns: int, until_ns: int) -> list[Rect] | None:
        """Where the screen changed, boxes of the virtual desktop; also long after the pictures have gone.

        Args:
            since_ns: what is shown by a snapshot that had ended by then does not count.
            until_ns: nor does what is shown only by one that began later.

        Returns:
            None where that is not known.
        """
        with self._condition:
            if self._drawn_since_ns is None or self._drawn_since_ns > since_ns:
                return None
            shown = [one for one in self._drawn if one.ended_ns > since_ns and one.started_ns <= until_ns]
        found: list[Rect] = []
        for one in shown:
            if one.boxes is None:
                return None
            found += one.boxes
        return outermost(found)

    def cancel(self) -> None:
        """The grab that was under way failed."""
        with self._condition:
            self._missed = True
            self._under_way = None
            self._condition.notify_all()

    def _append(self, snapshot: Snapshot, *, changed: bool) -> None:
        if len(self._snapshots) == self._snapshots.maxlen:
            self._drop_oldest()
        self._snapshots.append(snapshot)
        if changed:
            self.kept += 1
            self._pictures += 1
        size = snapshot.screenshot.image.size * 4 // 3
        limit = max(self._min_pictures, self._max_bytes // max(size, 1))
        while self._pictures > limit:
            self._drop_oldest()
        self._under_way = None
        self._condition.notify_all()

    def _drop_oldest(self) -> None:
        dropped = self._snapshots.popleft()
        if not self._snapshots or self._snapshots[0].screenshot is not dropped.screenshot:
            self._pictures -= 1

    def wait_before(self, t_ns: int, *, timeout_s: float = 0.5) -> None:
        """Wait until every grab that began before ``t_ns`` has been added; a stuck grab is not waited for."""
        with self._condition:
            self._condition.wait_for(lambda: self._under_way is None or self._under_way >= t_ns, timeout_s)

    def before(self, t_ns: int) -> Snapshot | None:
        """The newest snapshot that had ended before ``t_ns``; None where nothing is left from that time."""
        with self._condition:
            for snapshot in reversed(self._snapshots):
                if snapshot.ended_ns < t_ns:
                    return snapshot
        return None

    def straddling(self, t_ns: int) -> list[Snapshot]:
        """Snapshots that had begun before ``t_ns`` and ended at it or later."""
        with self._condition:
            return [snapshot for snapshot in self._recent(t_ns) if snapshot.started_ns < t_ns]

    def after(self, t_ns: int, *, until_ns: int | None = None) -> list[Snapshot]:
        """Snapshots that began at ``t_ns`` or later, and ended before ``until_ns`` if that is given, oldest first."""
        with self._condition:
            found = [snapshot for snapshot in self._recent(t_ns) if snapshot.started_ns >= t_ns]
        found.reverse()
        return [snapshot for snapshot in found if until_ns is None or snapshot.ended_ns < until_ns]

    def _recent(self, t_ns: int) -> Iterator[Snapshot]:
        """Snapshots that ended at ``t_ns`` or later, newest first."""
        for snapshot in reversed(self._snapshots):
            if snapshot.ended_ns < t_ns:
                return
            yield snapshot

    def drop_old(self) -> None:
        """Let go of every snapshot but the newest, which shows the screen as it is now."""
        with self._condition:
            while len(self._snapshots) > 1:
                self._drop_oldest()

    @property
    def newest(self) -> Snapshot | None:
        """The last snapshot; None before the first."""
        with self._condition:
            return self._snapshots[-1] if self._snapshots else None


def wait_until_settled(
    screen: ScreenSource, *, timeout_s: float, control: JobControl, interval_s: float = 0.08, quiet_s: float = 0.24
) -> tuple[Screenshot, bool]:
    """Grab until the screen has not changed for ``quiet_s`` seconds.

    Args:
        screen: used from this thread until the call returns.
        timeout_s: longest wait; a screen that never rests is returned as it is then.
        control: cancels the wait.
        interval_s: between two grabs.
        quiet_s: for how long all grabs must be equal.

    Returns:
        The newest grab, and whether the screen had come to rest.

    Raises:
        CaptureError: the screen cannot be read.
        CancelledError: the wait was cancelled.
    """
    deadline = time.monotonic() + timeout_s
    screenshot = screen.grab()
    quiet_since = screenshot.started_ns
    while True:
        control.token.check()
        if screenshot.ended_ns - quiet_since >= quiet_s * 1e9:
            return screenshot, True
        if time.monotonic() >= deadline:
            return screenshot, False
        control.token.wait(interval_s)
        new = screen.grab()
        if not same_pixels(screenshot, new):
            quiet_since = new.started_ns
        screenshot = new
