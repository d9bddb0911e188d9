"""The icon in the tray, and the sign of a recording's state: the same on the bar, on the dot and in the tray."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QCursor, QFont, QGuiApplication, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QSystemTrayIcon

from annotator.ui.recording.floating import MenuItem, MenuPanel, desktop_pixels
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import Palette
from annotator.words import tr
from recorder.event_filter import OwnWindows

STATE_WORDS = {
    "ready": tr("Ready"),
    "recording": tr("Recording"),
    "paused": tr("Paused"),
    "finishing": tr("Saving"),
    "stopped": tr("Saved"),
}


def paint_state(painter: QPainter, box: QRectF, state: str, palette: Palette, *, number: int = 0) -> None:
    """Draw it into a square: a red disc, two amber bars, a grey ring, three dots; or a number that is counted down.

    The caller switches anti-aliasing on; ``number`` is the seconds until a shot is taken, 0 for none.
    """
    colour = QColor({"recording": palette.danger, "paused": palette.warning}.get(state, palette.edge))
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    side = box.width()
    if number:
        _paint_number(painter, box, number, palette)
    elif state == "paused":
        for left in (0.14, 0.58):
            bar = QRectF(box.left() + left * side, box.top(), 0.28 * side, side)
            painter.drawRoundedRect(bar, side * 0.08, side * 0.08)
    elif state == "recording":
        painter.drawEllipse(box)
    elif state == "finishing":
        for part in range(3):
            painter.drawEllipse(
                QRectF(box.left() + part * 0.37 * side, box.center().y() - side / 8, side / 4, side / 4)
            )
    else:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        width = max(1.5, side / 8)
        painter.setPen(QPen(colour, width))
        painter.drawEllipse(box.adjusted(width / 2, width / 2, -width / 2, -width / 2))
    painter.restore()


def _paint_number(painter: QPainter, box: QRectF, number: int, palette: Palette) -> None:
    wide = box.adjusted(-4, -4, 4, 4)
    painter.setBrush(QColor(palette.accent))
    painter.drawEllipse(wide)
    font = QFont(painter.font())
    font.setPixelSize(round(box.height() * 0.95))
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor(palette.on_accent))
    painter.drawText(wide, Qt.AlignmentFlag.AlignCenter, str(number))


_NAME = "tray"
_PLACE_MS = 500
_SIZES = (16, 22, 24, 32, 48, 64)


class RecorderTray(QObject):
    """Only where there is a tray; elsewhere it does nothing.

    Its menu is a panel of ours, for the reason that is told in ``floating``.
    """

    def __init__(self, theme: Theme, items: Callable[[], Sequence[MenuItem]], own: OwnWindows, parent: QObject) -> None:
        """Show nothing yet; ``items`` is asked each time the menu is opened, ``own`` is told where the icon lies."""
        super().__init__(parent)
        self._theme = theme
        self._items = items
        self._own = own
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
        self._own.dock(_NAME, None)
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    @property
    def _box(self) -> QRect:
        """Where the icon lies on the screen; empty where the tray does not tell."""
        return QRect() if self._icon is None else self._icon.geometry()

    def _tell_place(self) -> None:
        """The icon lies in a window of another program; a click on it is meant for us all the same."""
        self._own.dock(_NAME, None if self._box.isEmpty() else desktop_pixels(self._box))

    def open_menu(self) -> None:
        """Open the menu beside the icon, or beside the pointer; or close it."""
        pointer = QRect(QCursor.pos() - QPoint(8, 8), QSize(16, 16))
        self.menu.open_beside(pointer if self._box.isEmpty() else self._box, self._items())

    def _on_click(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in {QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.Context}:
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
