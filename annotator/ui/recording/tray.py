"""The icon in the tray: the state of the recording in colour and shape, and the orders of the bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QCursor, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QSystemTrayIcon

from annotator.ui.recording.geometry import desktop_pixels
from annotator.ui.recording.menu_panel import MenuItem, MenuPanel
from annotator.ui.recording.state_mark import STATE_WORDS, paint_state
from annotator.ui.theme.manager import Theme
from recorder.docked import dock

__all__ = ["RecorderTray"]

_NAME = "tray"
_PLACE_MS = 500
_SIZES = (16, 22, 24, 32, 48, 64)


class RecorderTray(QObject):
    """Only where there is a tray; elsewhere it does nothing.

    Its menu is a panel of ours, for the reason that is told in ``floating``.
    """

    def __init__(self, theme: Theme, items: Callable[[], Sequence[MenuItem]], parent: QObject | None = None) -> None:
        """Take what its menu offers; nothing is shown yet.

        Args:
            theme: colours.
            items: asked each time the menu is opened.
            parent: its owner.
        """
        super().__init__(parent)
        self._theme = theme
        self._items = items
        self._state = "ready"
        self._problems: tuple[str, ...] = ()
        self._icon: QSystemTrayIcon | None = None
        self.menu = MenuPanel(theme, name="Menu")
        self._place = QTimer(self, interval=_PLACE_MS)
        self._place.timeout.connect(self._tell_place)
        theme.changed.connect(self._paint)

    def show(self) -> None:
        """Appear, if there is a tray; on X11 also when one comes later."""
        waits = QGuiApplication.platformName() == "xcb"
        if self._icon is not None or not (waits or QSystemTrayIcon.isSystemTrayAvailable()):
            return
        self._icon = QSystemTrayIcon(self)
        self._icon.activated.connect(self._on_click)
        self._paint()
        self._icon.show()
        self._place.start()

    @property
    def tip(self) -> str:
        """What the icon says when the pointer rests on it."""
        state = f"demopack: {STATE_WORDS.get(self._state, self._state).lower()}"
        return "\n".join((state, *self._problems))

    def set_state(self, state: str) -> None:
        """Follow the recording."""
        if state != self._state:
            self._state = state
            self._paint()

    def show_problems(self, problems: Sequence[str]) -> None:
        """Mark the icon while anything is wrong, and name it."""
        if tuple(problems) != self._problems:
            self._problems = tuple(problems)
            self._paint()

    def close(self) -> None:
        """Disappear; calling it twice is harmless."""
        self._place.stop()
        dock(_NAME, None)
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def _tell_place(self) -> None:
        """The icon lies in a window of another program; a click on it is meant for us all the same."""
        box = QRect() if self._icon is None else self._icon.geometry()
        dock(_NAME, None if box.isEmpty() else desktop_pixels(box))

    def open_menu(self) -> None:
        """Open the menu beside the icon, or close it."""
        box = self._icon.geometry() if self._icon is not None else None
        if box is None or box.isEmpty():
            self.menu.offer(self._items())
            self.menu.show_at(QCursor.pos())
        else:
            self.menu.open_beside(box, self._items())

    def _on_click(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in {
            QSystemTrayIcon.ActivationReason.Trigger,
            QSystemTrayIcon.ActivationReason.Context,
        }:
            self.open_menu()

    def _paint(self) -> None:
        if self._icon is not None:
            self._icon.setIcon(self.picture())
            self._icon.setToolTip(self.tip)

    def picture(self) -> QIcon:
        """The icon for the state, in every size a tray may want; with an amber dot while anything is wrong."""
        made = QIcon()
        for size in _SIZES:
            pixmap = QPixmap(size, size)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            inset = size * 0.16
            paint_state(
                painter, QRectF(inset, inset, size - 2 * inset, size - 2 * inset), self._state, self._theme.palette
            )
            if self._problems:
                side = size * 0.42
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(self._theme.palette.warning))
                painter.drawEllipse(QRectF(size - side, size - side, side, side))
            painter.end()
            made.addPixmap(pixmap)
        return made
