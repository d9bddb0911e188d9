"""Screenshots for the views, loaded off the GUI thread and kept as long as they are likely to be shown again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
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

        def keep(found: QImage | Exception) -> None:
            if isinstance(found, Exception) and not isinstance(found, DemopackError):
                found = CorruptFrameError("This picture could not be loaded.", details=str(found))
            self._keep(self._frames, frame_id, found, _FRAMES_KEPT)
            self.frame_ready.emit(frame_id)

        return self._known(self._frames, frame_id, lambda: self._read(frame_id), keep)

    def thumbnail(self, frame_id: str, size: QSize) -> QPixmap | None:
        """The screenshot within ``size``, in device pixels; None until ``thumbnail_ready``; null if damaged."""
        key = (frame_id, size.width(), size.height())
        shape, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation

        def keep(found: QImage | Exception) -> None:
            image = QImage() if isinstance(found, Exception) else found
            self._keep(self._thumbnails, key, QPixmap.fromImage(image), _THUMBNAILS_KEPT)
            self.thumbnail_ready.emit(frame_id)

        return self._known(self._thumbnails, key, lambda: self._read(frame_id).scaled(size, shape, smooth), keep)

    def _known(
        self, cache: OrderedDict[K, V], key: K, read: Callable[[], QImage], keep: Callable[[QImage | Exception], None]
    ) -> V | None:
        """What is kept; None where it has to be read first, which is begun unless it was."""
        found = cache.get(key)
        if found is not None:
            cache.move_to_end(key)
        elif key not in self._loading:
            self._loading.add(key)
            self._operations.start(read, on_result=keep, on_error=keep, lane="pictures")
        return found

    def _keep(self, cache: OrderedDict[K, V], key: K, value: V, limit: int) -> None:
        self._loading.discard(key)
        cache[key] = value
        while len(cache) > limit:
            cache.popitem(last=False)

    def _read(self, frame_id: str) -> QImage:
        pixels = self._library.get_image(frame_id)
        height, width = pixels.shape[:2]
        view = QImage(pixels.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888)
        # The format that the painter draws without converting; a copy, because the bytes are ours no longer.
        return view.convertToFormat(QImage.Format.Format_RGB32)
