"""Collects cyclic garbage in the GUI thread only.

Python collects in whichever thread happens to allocate next. When that is a worker, and the garbage is a window or a
timer, Qt is taken apart in the wrong thread and the process dies.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

__all__ = ["GuiThreadCollector"]

_EVERY_MS = 500


class GuiThreadCollector(QObject):
    """From its making to :meth:`close` nothing is collected but here, as often as Python itself would."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_enabled = gc.isenabled()
        self._thresholds = gc.get_threshold()
        gc.disable()
        # Belt and braces: a library that switches collecting on again changes nothing.
        gc.set_threshold(0)
        # What was imported stays to the end. Looking through it each time takes longer than a frame may.
        gc.freeze()
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Collect every generation that is due."""
        due = [count > limit for count, limit in zip(gc.get_count(), self._thresholds, strict=True)]
        for generation in (2, 1, 0):
            if due[generation]:
                gc.collect(generation)
                return

    def close(self) -> None:
        """Give collecting back to Python; calling it twice is harmless."""
        self._timer.stop()
        gc.unfreeze()
        gc.set_threshold(*self._thresholds)
        if self._was_enabled:
            gc.enable()
