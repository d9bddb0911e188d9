"""Screenshots for the views, loaded off the GUI thread and kept as long as they are likely to be shown again."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap

from annotator.ui.operations import Operations
from demopack.errors import CorruptFrameError, DemopackError
from demopack.store import Library

K = TypeVar("K")
V = TypeVar("V")

_FRAMES_KEPT = 6
_THUMBNAILS_KEPT = 600


class ScreenshotCache(QObject):
    """A cache in front of the library's frames.

    Signals:
        frame_ready: id of a frame that was asked for and can be had now, or is known to be damaged.
        thumbnail_ready: id of a frame whose thumbnail can be had now.
    """

    frame_ready = Signal(str)
    thumbnail_ready = Signal(str)

    def __init__(self, library: Library, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._operations = operations
        self._frames: OrderedDict[str, QImage | DemopackError] = OrderedDict()
        self._thumbnails: OrderedDict[tuple[str, int, int], QPixmap] = OrderedDict()
        self._loading: set[object] = set()

    def frame(self, frame_id: str) -> QImage | DemopackError | None:
        """The whole screenshot, checked; the error if it is damaged; None until ``frame_ready``."""
        found = self._frames.get(frame_id)
        if found is not None:
            self._frames.move_to_end(frame_id)
            return found
        if frame_id not in self._loading:
            self._loading.add(frame_id)
            self._operations.start(
                lambda: self._read(frame_id),
                on_result=lambda image: self._keep_frame(frame_id, image),
                on_error=lambda error: self._keep_frame(frame_id, _sentence(error)),
                lane="pictures",
            )
        return None

    def thumbnail(self, frame_id: str, size: QSize) -> QPixmap | None:
        """The screenshot within ``size``, in device pixels; None until ``thumbnail_ready``; null if damaged."""
        key = (frame_id, size.width(), size.height())
        found = self._thumbnails.get(key)
        if found is not None:
            self._thumbnails.move_to_end(key)
            return found
        if key not in self._loading:
            self._loading.add(key)
            self._operations.start(
                lambda: self._read_small(frame_id, size),
                on_result=lambda image: self._keep_thumbnail(key, image),
                on_error=lambda _: self._keep_thumbnail(key, QImage()),
                lane="pictures",
            )
        return None

    def _read(self, frame_id: str) -> QImage:
        pixels = self._library.get_image(frame_id)
        height, width = pixels.shape[:2]
        view = QImage(pixels.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888)
        # The format that the painter draws without converting; a copy, because the bytes are ours no longer.
        return view.convertToFormat(QImage.Format.Format_RGB32)

    def _read_small(self, frame_id: str, size: QSize) -> QImage:
        image = self._read(frame_id)
        return image.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)

    def _keep_frame(self, frame_id: str, found: QImage | DemopackError) -> None:
        self._loading.discard(frame_id)
        _keep(self._frames, frame_id, found, _FRAMES_KEPT)
        self.frame_ready.emit(frame_id)

    def _keep_thumbnail(self, key: tuple[str, int, int], image: QImage) -> None:
        self._loading.discard(key)
        _keep(self._thumbnails, key, QPixmap.fromImage(image), _THUMBNAILS_KEPT)
        self.thumbnail_ready.emit(key[0])


def _keep(cache: OrderedDict[K, V], key: K, value: V, limit: int) -> None:
    cache[key] = value
    while len(cache) > limit:
        cache.popitem(last=False)


def _sentence(error: Exception) -> DemopackError:
    if isinstance(error, DemopackError):
        return error
    return CorruptFrameError("This picture could not be loaded.", details=str(error))
