"""Records with a guard, from the real sources to a library."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import TracebackType

from demopack.clock import utc_now
from demopack.domain.demos import DemoHead
from demopack.domain.frames import Frame
from demopack.settings import PrivacySettings, RecorderSettings
from demopack.store import Library
from recorder.backends import open_input, open_screen, open_windows
from recorder.backends.base import AccessSource
from recorder.capture import Capture
from recorder.cover import cover
from recorder.frames import FrameRing, Look
from recorder.gestures import Constants
from recorder.grabber import Grabber
from recorder.guard import Guard
from recorder.hotkeys import HotkeyDetector
from recorder.intake import EventQueue, Item
from recorder.pairing import Draft
from recorder.steps import build_step, frame_of
from recorder.surroundings import Witness


class GuardedRecording:
    """Everything between the screen and the disk that a secret has to pass."""

    def __init__(self, display: str, folder: Path, *, privacy: PrivacySettings, access: AccessSource | None) -> None:
        self._display, self._folder = display, folder
        self._settings = RecorderSettings(privacy=privacy)
        self._queue, self._ring = EventQueue(), FrameRing()
        self._stop = threading.Event()
        self.guard = Guard(privacy, access=access)
        self._witness = Witness(access, settings=privacy)
        self.failed: BaseException | None = None

    def __enter__(self) -> GuardedRecording:
        self._library = Library.open(self._folder)
        self._head = DemoHead(id="demo_guarded", task="nothing leaks", created_at=utc_now())
        self._recording = self._library.begin_recording(self._head)
        self._screen, self._windows = open_screen(self._display), open_windows(self._display)
        self._grabber = Grabber(screen=self._screen, windows=self._windows, ring=self._ring, settings=self._settings)
        self._grabber.start()
        self._input = open_input(self._display)
        self._capture = Capture(
            self._ring,
            constants=Constants.of(self._settings, self._input.timings()),
            settle_timeout_ms=1000,
            hides=self.guard.hides,
        )
        self._input.start(self._queue.put)
        self._position = 0
        self._thread = threading.Thread(target=self._run, name="guarded recording")
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        self._input.stop()
        self._grabber.stop()
        self._screen.close()
        self._windows.close()
        newest = self._ring.newest
        self._recording.finish(final_frame=None if newest is None else self._store(newest))
        self._library.close()
        if self.failed is not None:
            raise self.failed

    def _run(self) -> None:
        hotkeys = HotkeyDetector({})
        try:
            while not self._stop.is_set():
                for item in self._queue.take(0.04):
                    self._take(item, hotkeys)
                for draft in self._capture.poll(time.monotonic_ns()):
                    self._keep(draft)
            for item in self._queue.take(0):
                self._take(item, hotkeys)
            for draft in self._capture.end(time.monotonic_ns()):
                self._keep(draft)
        except BaseException as error:  # noqa: BLE001 - raised again in the test's thread
            self.failed = error

    def _take(self, item: Item, hotkeys: HotkeyDetector) -> None:
        if not hasattr(item, "t_ns") or not hasattr(item, "dx"):
            return
        self._capture.take(item, hotkeys, paused=False)  # type: ignore[arg-type]
        self._grabber.poke(acts=item.kind != "move")

    def _keep(self, draft: Draft) -> None:
        around = self._witness.describe(draft)
        scrubbed = self.guard.scrub(draft)
        if scrubbed is None:
            return
        around = self.guard.clean(around, scrubbed)
        before = None if scrubbed.before is None else self._store(scrubbed.before)
        after = None if scrubbed.after is None else self._store(scrubbed.after)
        basis = before or after
        assert basis is not None
        self._position += 1
        step = build_step(scrubbed, position=self._position, before=before, after=after, basis=basis)
        told = {"focused": around.focused, "pointed": around.pointed, "clipboard": around.clipboard}
        self._recording.append_step(step.model_copy(update=told))

    def _store(self, look: Look) -> Frame:
        grab = look.picture.grab
        boxes = self.guard.covers(look)
        image, covered = cover(grab.image, boxes, origin=(grab.origin_x, grab.origin_y), scale=grab.scale_factor)
        return frame_of(look, self._library.put_image(image)).model_copy(update={"covered": covered})
