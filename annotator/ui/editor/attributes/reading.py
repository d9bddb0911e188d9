"""Asks in the background what is written on elements, and what icons mean: first what is looked at, then in order."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QImage

from annotator.ui.job_runner import JobRunner
from annotator.ui.services import BoxReader, Services
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.errors import DemopackError
from demopack.settings import VisionSettings
from models.vision.icons.guesses import IconGuesses, surroundings

__all__ = ["Reading", "pixels_of"]

_PAUSE_MS: Final = 200
"""The selection has to rest this long: who walks along the elements does not want each of them read."""
_GLANCE_MS: Final = 40
"""The pause for icons: naming one takes milliseconds, and digits should not mean something else a moment later."""
_KEPT: Final = 200
_IDLE_MS: Final = 120_000
"""A reader that nobody asked for so long ends: it takes a few hundred megabytes, and starts in a few seconds."""

_Answer: TypeAlias = str | IconGuesses


class _Key(NamedTuple):
    """What is asked: what is written in a box of a picture, or what the icon there means."""

    frame_id: str
    box: Rect
    icon: bool = False


_Heard = Callable[[_Answer | None], None]


class Reading(QObject):
    """Asks the reader for one box at a time, and remembers what it said."""

    def __init__(self, services: Services, runner: JobRunner, *, tell: Callable[[], None]) -> None:
        """Nothing is opened before the first wish.

        Args:
            services: has the reader.
            runner: whose background it runs in.
            tell: called when something was said.
        """
        super().__init__()
        self._services, self._runner, self._tell = services, runner, tell
        self._reader: BoxReader | None = None
        self._vision: VisionSettings = services.settings.vision
        self._cannot = False
        self._known: OrderedDict[_Key, _Answer] = OrderedDict()
        self._wanted: tuple[_Key, QImage] | None = None
        self._asked: deque[tuple[_Key, QImage, _Heard]] = deque()
        self._busy = False
        self._closed = False
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._start)
        self._idle = QTimer(self, interval=_IDLE_MS, singleShot=True)
        self._idle.timeout.connect(self._end_reader)

    def text_of(self, frame_id: str, box: Rect) -> str:
        """What was read there; empty while nothing was."""
        return _words(self._known.get(_Key(frame_id, box)))

    def guesses_of(self, frame_id: str, box: Rect) -> IconGuesses:
        """What the icon there may mean; nothing while it was not looked at."""
        return _guesses(self._known.get(_Key(frame_id, box, icon=True)))

    @property
    def given_up(self) -> bool:
        """Whether nothing can be read with the settings as they are."""
        return self._cannot and self._vision == self._services.settings.vision

    def want(self, frame_id: str, box: Rect, image: QImage) -> None:
        """Read a box of a picture soon, unless that was done, or another wish comes first."""
        self._want(_Key(frame_id, box), image, pause_ms=_PAUSE_MS)

    def want_meaning(self, frame_id: str, box: Rect, image: QImage) -> None:
        """As :meth:`want`, for what the icon there may mean."""
        self._want(_Key(frame_id, box, icon=True), image, pause_ms=_GLANCE_MS)

    def _want(self, key: _Key, image: QImage, *, pause_ms: int) -> None:
        self._follow_settings()
        if self._cannot or self._closed or key in self._known:
            self._wanted = None
            return
        self._wanted = (key, image)
        self._pause.start(pause_ms)

    def ask(self, frame_id: str, box: Rect, image: QImage, heard: Callable[[str], None]) -> None:
        """Read a box in any case, after those that were asked for before.

        Args:
            frame_id: which picture.
            box: pixels of it.
            image: the picture.
            heard: called with what was read, empty where nothing is; never at once, and not at all where nothing can
                be read.
        """
        self._ask(_Key(frame_id, box), image, lambda answer: heard(_words(answer)))

    def ask_meaning(self, frame_id: str, box: Rect, image: QImage, heard: Callable[[IconGuesses], None]) -> None:
        """As :meth:`ask`, for what the icon there may mean."""
        self._ask(_Key(frame_id, box, icon=True), image, lambda answer: heard(_guesses(answer)))

    def _ask(self, key: _Key, image: QImage, heard: _Heard) -> None:
        self._follow_settings()
        if not self._cannot and not self._closed:
            self._asked.append((key, image, heard))
            QTimer.singleShot(0, self, self._start)

    def forget_wish(self) -> None:
        """What was only looked at is not to be read any more."""
        self._wanted = None

    def forget_asked(self) -> None:
        """What was asked for is not to be read any more."""
        self._asked.clear()

    def close(self) -> None:
        """End the reader; what it still says is not heard."""
        self._closed = True
        self._asked.clear()
        self._pause.stop()
        self._idle.stop()
        self._end_reader()

    def _follow_settings(self) -> None:
        """What was said by other models is forgotten; with these it may be possible to read, or no longer."""
        vision = self._services.settings.vision
        if vision != self._vision and not self._busy:
            self._vision, self._cannot = vision, False
            self._known.clear()
            self._end_reader()

    def _end_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()

    def _start(self) -> None:
        while not self._busy and not self._closed:
            if self._wanted is not None and not self._pause.isActive():
                (key, image), self._wanted = self._wanted, None
            elif self._asked:
                key, image, _ = self._asked[0]
            else:
                return
            crop = None if key in self._known else _crop_of(key, image)
            if crop is None:
                self._answer(key)
                continue
            self._begin(key, crop)

    def _begin(self, key: _Key, crop: tuple[RgbImage, Rect]) -> None:
        self._busy = True
        self._idle.stop()
        self._runner.background(
            lambda: self._read(key, crop),
            on_result=lambda answer: self._keep(key, answer),
            on_error=lambda error: self._give_up(key, error),
        )

    def _answer(self, key: _Key) -> None:
        """Tell all who asked about a box."""
        heard = [one for asked, _, one in self._asked if asked == key]
        self._asked = deque(one for one in self._asked if one[0] != key)
        for one in heard:
            one(self._known.get(key))

    def _read(self, key: _Key, crop: tuple[RgbImage, Rect]) -> _Answer:
        """On another thread; only one of these runs at a time."""
        reader = self._reader
        if reader is None:
            reader = self._reader = self._services.open_reader(self._services.settings)
        if reader is None or self._closed:
            self._cannot = True
            return IconGuesses() if key.icon else ""
        pixels, inside = crop
        return reader.meanings(pixels, inside) if key.icon else reader.read(pixels)

    def _keep(self, key: _Key, answer: _Answer) -> None:
        self._busy = False
        self._known[key] = answer
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        if self._closed:
            # It may have been opened after everything else was closed.
            self._end_reader()
            return
        self._idle.start()
        self._answer(key)
        if self._cannot:
            self._asked.clear()
        self._tell()
        self._start()

    def _give_up(self, key: _Key, error: Exception) -> None:
        """A reader that cannot be had, or that died, is done without: the text is written by hand as before."""
        self._busy = False
        if isinstance(error, DemopackError):
            self._cannot = True
            self._asked.clear()
            return
        # One box that it stumbles over is no reason to read none of the others.
        self._answer(key)
        QTimer.singleShot(0, self, self._start)
        raise error


def _words(answer: _Answer | None) -> str:
    return answer if isinstance(answer, str) else ""


def _guesses(answer: _Answer | None) -> IconGuesses:
    return answer if isinstance(answer, IconGuesses) else IconGuesses()


def _crop_of(key: _Key, image: QImage) -> tuple[RgbImage, Rect] | None:
    """What the reader is shown, and the box on it; None where the box lies outside of the picture."""
    size = Size(image.width(), image.height())
    if not key.box.area or not key.box.inside(size):
        return None
    part = surroundings(key.box, size) if key.icon else key.box
    pixels = pixels_of(image, part)
    return None if pixels is None else (pixels, key.box.moved(-part.x1, -part.y1))


def pixels_of(image: QImage, box: Rect) -> RgbImage | None:
    """The part of a picture as an array of shape (height, width, 3); None where the box lies outside."""
    part = image.copy(box.x1, box.y1, box.width, box.height) if box.area else QImage()
    part = part.convertToFormat(QImage.Format.Format_RGB888)
    inside = image.rect().contains(box.x1, box.y1) and image.rect().contains(box.x2 - 1, box.y2 - 1)
    if part.isNull() or not inside:
        return None
    rows = np.frombuffer(part.constBits(), dtype=np.uint8).reshape(part.height(), part.bytesPerLine())
    return rows[:, : 3 * part.width()].reshape(part.height(), part.width(), 3).copy()
