"""Pictures of a demo in the order in which they were seen: of the steps, and of the timeline where there is one."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Sequence

from demopack.domain.demos import DemoHead
from demopack.domain.frames import Frame
from demopack.domain.steps import Step
from demopack.store import Keyframe


class FrameSequence:
    """The pictures of a demo, oldest first; none twice in a row."""

    def __init__(self, shown: Sequence[Keyframe] = ()) -> None:
        self._shown = tuple(shown)
        self._times = [one.shown_ns for one in self._shown]

    @classmethod
    def of(cls, head: DemoHead, steps: Iterable[Step], film: Iterable[Keyframe] = ()) -> FrameSequence:
        """The film with the pictures of the steps in their places."""
        shown = [one for one in film if one.shown_ns]
        frames = [frame for step in steps for frame in step.frames]
        if head.final_frame is not None:
            frames.append(head.final_frame)
        shown += [Keyframe(frame=frame, shown_ns=frame.grab_ended_ns) for frame in frames]
        shown.sort(key=lambda one: one.shown_ns)
        return cls([next(same) for _, same in itertools.groupby(shown, key=lambda one: one.frame.id)])

    def __len__(self) -> int:
        return len(self._shown)

    def __getitem__(self, place: int) -> Keyframe:
        return self._shown[place]

    def seconds(self, place: int) -> float:
        """Seconds since the first picture whose time is known; 0 where it is not."""
        first = next((t for t in self._times if t), 0)
        at = self._times[place]
        return (at - first) / 1e9 if at else 0.0

    def place_at(self, at_ns: int) -> int | None:
        """The newest picture that was seen at a time or before; None before the first."""
        place = bisect.bisect_right(self._times, at_ns) - 1
        return place if place >= 0 and self._times[place] else None

    def place_of(self, frame: Frame | None) -> int | None:
        """Where a picture is: at its own time, or else the first that looks the same."""
        if frame is None:
            return None
        at = self.place_at(frame.grab_ended_ns) if frame.grab_ended_ns else None
        if at is not None and self._shown[at].frame.id == frame.id:
            return at
        return next((i for i, one in enumerate(self._shown) if one.frame.id == frame.id), None)

    def pause_ms(self, place: int) -> int | None:
        """How long a picture was seen before the next one; None for the last."""
        if place + 1 >= len(self._shown):
            return None
        here, there = self._times[place], self._times[place + 1]
        return max(round((there - here) / 1e6), 0) if here and there else 0
