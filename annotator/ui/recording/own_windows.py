"""Places and input of the app's own windows, for systems where the recorder cannot ask about windows."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QWindow

from annotator.ui.recording.floating import desktop_pixels, monitor_at
from annotator.ui.recording.system_windows import leave_out_of_pictures
from demopack.clock import now_ns
from recorder.event_filter import OwnWindows

_LOOK_MS = 50  # shorter than anybody needs to click on what has just appeared
_ON_TOP = frozenset({Qt.WindowType.Popup, Qt.WindowType.ToolTip})


class OwnWindowTracker(QObject):
    """Tells a recording where windows of ours can be clicked, and when one of them has the input.

    On X11 the server knows all of that, with what other windows cover. Here Qt knows our windows only: those that stay
    on top count as long as they are shown; any other counts while it is the active one, as then it is in front.
    """

    def __init__(self, own: OwnWindows, parent: QObject) -> None:
        """Tell nothing before :meth:`start`."""
        super().__init__(parent)
        self._own = own
        self._names: set[str] = set()
        self._has_input = False
        self._app: Any = QGuiApplication.instance()
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self.refresh)

    def start(self) -> None:
        """Tell it from now on; harmless when it has begun."""
        if self._timer.isActive():
            return
        self._timer.start()
        self._app.focusWindowChanged.connect(self.refresh)
        self.refresh()

    def stop(self) -> None:
        """Tell no more, as if there were no windows; harmless when it has not begun."""
        if not self._timer.isActive():
            return
        self._timer.stop()
        self._app.focusWindowChanged.disconnect(self.refresh)
        self._follow_input(has_input=False)
        self._dock({})

    def refresh(self) -> None:
        """Look at the windows as they are now."""
        focused: Any = QGuiApplication.focusWindow()
        self._follow_input(has_input=focused is not None)
        self._dock({f"window {int(w.winId())}": w for w in QGuiApplication.topLevelWindows() if _is_in_front(w)})

    def _follow_input(self, *, has_input: bool) -> None:
        # A prompt says before it is shown that it is going to have the input: only what we have seen begin do we end.
        if has_input:
            self._own.begin_input(now_ns())
        elif self._has_input:
            self._own.end_input(now_ns())
        self._has_input = has_input

    def _dock(self, windows: dict[str, QWindow]) -> None:
        for gone in self._names - windows.keys():
            self._own.dock(gone, None)
        before, self._names = self._names, set(windows)
        for name, window in windows.items():
            # The bar and what hangs on it see to that themselves, before anybody sees them.
            if name not in before and window.type() == Qt.WindowType.ToolTip:
                leave_out_of_pictures(int(window.winId()))
            box = window.frameGeometry()
            self._own.dock(name, desktop_pixels(box, monitor_at(box.center())))


def _is_in_front(window: QWindow) -> bool:
    if not window.isVisible() or window.windowStates() & Qt.WindowState.WindowMinimized:
        return False
    stays = window.flags() & Qt.WindowType.WindowStaysOnTopHint or window.type() in _ON_TOP
    return bool(stays) or window.isActive()
