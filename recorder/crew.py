"""Everything that works on a recording once its sources are open: what the session's thread turns from time to time."""

from __future__ import annotations

import time
from pathlib import Path

from demopack.domain.events import InputEvent
from demopack.settings import RecorderSettings
from demopack.store import Recording
from recorder.area import CaptureArea
from recorder.asking import Asking
from recorder.assembly import Assembler
from recorder.capture import Capture
from recorder.desk import Desk
from recorder.film import Film
from recorder.hotkeys import HotkeyDetector
from recorder.notes import FilmLook
from recorder.privacy.guard import Guard
from recorder.privacy.text_hold import TextHold
from recorder.reduction.gestures import Constants
from recorder.screen.frames import FrameRing, Look
from recorder.sources import Sources
from recorder.surroundings import Witness
from recorder.swallow import Swallower, outside_of
from recorder.writer import StepWriter, WriterEvents

__all__ = ["Crew"]


class Crew:
    """Used from the session's thread, but for the writer, which has its own.

    Attributes:
        capture: events in, drafts out.
        writer: makes steps durable.
        desk: carries out what the person tells the recorder itself.
        hold: whether typed text may be stored.
    """

    def __init__(
        self,
        recording: Recording,
        *,
        folder: Path,
        ring: FrameRing,
        sources: Sources,
        settings: RecorderSettings,
        area: CaptureArea,
        events: WriterEvents,
    ) -> None:
        """Put the parts together.

        Args:
            recording: where steps go.
            folder: the library, where other processes leave their orders.
            ring: the recent looks; there is one already.
            sources: opened.
            settings: of the recorder.
            area: what part of the desktop is captured.
            events: what the writer tells.
        """
        first = ring.newest
        assert first is not None
        self._ring = ring
        self.hold = TextHold(sources.access, hold_unknown=settings.privacy.hold_unknown, told=sources.has_real_programs)
        self._guard = Guard(settings.privacy, access=sources.access, hold=self.hold)
        self._asking = Asking(sources.access, sources.pings)
        self._film = Film(recording, budget_mb=settings.timeline_mb) if settings.timeline else None
        self._filmed: Look | None = None
        witness = Witness(sources.access, settings=settings.privacy, clipboard=sources.clipboard, pings=sources.pings)
        self.writer = StepWriter(
            recording,
            assembler=Assembler(recording, first=first, witness=witness, guard=self._guard),
            film=self._film,
            events=events,
        )
        outside = Swallower(outside_of(area))
        self.capture = Capture(
            ring,
            constants=Constants.of(settings, sources.inputs.timings()),
            settle_timeout_ms=settings.settle_timeout_ms,
            # Both must see every event.
            hides=lambda event, look: any([outside.hides(event, look), self._guard.hides(event, look)]),
        )
        self.desk = Desk(capture=self.capture, ring=ring, writer=self.writer, hold=self.hold, folder=folder)

    @property
    def is_busy(self) -> bool:
        """Whether something waits for time to pass."""
        return self.capture.is_busy or self.desk.waits or self._asking.waits or self._film is not None

    @property
    def secrets_hidden(self) -> int:
        """Typed texts that were not stored because they were secret."""
        return self._guard.secrets_hidden

    @property
    def notices(self) -> list[str]:
        """What the person should know about how the recording goes on."""
        full = self._film is not None and self._film.is_full
        told = ["The film has reached its size; the steps are recorded on."] if full else []
        return [*told, *self._asking.problems]

    def take(self, event: InputEvent, hotkeys: HotkeyDetector, *, paused: bool) -> str | None:
        """Take in one event; returns the meaning of a hot-key that it completes."""
        self._asking.note(event)
        return self.capture.take(event, hotkeys, paused=paused)

    def work(self, *, paused: bool) -> None:
        """Whatever is due now."""
        now = time.monotonic_ns()
        self.desk.look_in(now)
        self._asking.look_in(now)
        self.hand_over()
        if self._film is not None and not paused:
            self._shoot_film()

    def hand_over(self) -> None:
        """Give every finished draft to the writer."""
        for draft in self.capture.poll(time.monotonic_ns()):
            self.writer.put(draft)

    def _shoot_film(self) -> None:
        """Hand every new picture to the film; a disk that is far behind gets no more of them for a while.

        While texts are held back there is no film: how a field fills tells how many keys there were, and their rhythm.
        """
        if self.hold.is_held:
            self._filmed = self._ring.newest
            return
        if self.writer.is_behind:
            return
        for look in self._ring.after(0 if self._filmed is None else self._filmed.ended_ns):
            if self._filmed is None or look.picture is not self._filmed.picture:
                self.writer.put(FilmLook(look=look))
            self._filmed = look
