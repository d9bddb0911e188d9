"""The film of a recording: every distinct picture of the screen beside the steps, up to a size."""

from __future__ import annotations

from demopack.store import Recording
from recorder.assembly import Assembler
from recorder.screen.frames import Look, Picture

__all__ = ["Film"]


class Film:
    """Used from the writer's thread.

    Attributes:
        is_full: whether the budget is used up; nothing is added any more.
    """

    def __init__(self, recording: Recording, *, budget_mb: int) -> None:
        self.is_full = False
        self._recording = recording
        self._budget = budget_mb * 1_000_000
        self._last: Picture | None = None
        self._last_id = ""

    def add(self, look: Look, assembler: Assembler) -> None:
        """Keep what a look shows, unless it shows what the last one did."""
        if self.is_full or look.picture is self._last:
            return
        self._last = look.picture
        frame = assembler.frame(look)
        if frame.id == self._last_id:
            return  # what has changed is painted over; how often it did would tell how much was typed there
        self._last_id = frame.id
        self._recording.add_film(frame, shown_ns=look.ended_ns)
        self.is_full = self._recording.film_bytes >= self._budget
