"""Small windows that float beside the bar, lists of things to do in them, and where they go on the monitors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QGuiApplication,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QScreen,
    QShowEvent,
)
from PySide6.QtWidgets import QPushButton, QWidget

from annotator.ui.controls import column, discard, label, native, push_button, row
from annotator.ui.painting import rounded_box
from annotator.ui.recording.system_windows import leave_out_of_pictures
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.geometry import Rect
from demopack.errors import DemopackError

if TYPE_CHECKING:
    from recorder.backends.x11.windows import X11Focus

_GAP_PX = 6
_SNAP_PX = 24


class Floating(QWidget):
    """A rounded window without a frame, above all others."""

    def __init__(self, theme: Theme, *, name: str, radius: int, takes_focus: bool = False) -> None:
        flags = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
        super().__init__(None, flags if takes_focus else flags | Qt.WindowType.WindowDoesNotAcceptFocus)
        if not takes_focus:
            self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        # Windows leaves only opaque windows out of pictures; there the mask alone makes the corners round.
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, on=sys.platform != "win32")
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        # It is never the active window, whose tips alone would be shown.
        self.setAttribute(Qt.WidgetAttribute.WA_AlwaysShowToolTips)
        # macOS hides tool windows as soon as another program is in front.
        self.setAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow)
        # So it is in no task bar: that is not ours, and would be on every picture.
        self.setAttribute(Qt.WidgetAttribute.WA_X11NetWmWindowTypeToolBar)
        self.setWindowTitle(tr("demopack {lower}").format(lower=name.lower()))
        self.setAccessibleName(name)
        self.theme = theme
        theme.style(self)
        self._radius = radius
        theme.changed.connect(self.update)

    def show_beside(self, anchor: QRect) -> None:
        """Appear under a box of the desktop (logical pixels), or above it where there is no room; or move along."""
        self.adjustSize()
        room = monitor_at(anchor.center()).availableGeometry()
        top = anchor.bottom() + 1 + _GAP_PX
        if top + self.height() > room.bottom() + 1:
            top = anchor.top() - _GAP_PX - self.height()
        left = min(max(anchor.left(), room.left()), room.right() + 1 - self.width())
        self.move(left, max(top, room.top()))
        self.show()
        self.raise_()

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's hook: pictures of the screen are to show what lies beneath, where the system can do that."""
        super().showEvent(event)
        leave_out_of_pictures(int(self.winId()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: ground and edge."""
        del event
        palette = self.theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Where nothing blends windows, what the cut leaves of the corners has to be painted, too.
        painter.setClipRegion(self.mask())
        painter.fillRect(self.rect(), QColor(palette.edge))
        painter.setClipping(False)
        inner = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        rounded_box(painter, inner, self._radius - 0.5, ground=palette.surface, edge=palette.edge)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: where nothing blends windows, what is translucent would be black, so the corners are cut off."""
        super().resizeEvent(event)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), self._radius, self._radius)
        self.setMask(QRegion(shape.toFillPolygon().toPolygon()))


def snapped(at: QPoint, size: QSize, room: QRect) -> QPoint:
    """The place that is wanted, or the edge of the screen that is near it."""
    right, bottom = room.right() + 1 - size.width(), room.bottom() + 1 - size.height()
    x = room.left() if abs(at.x() - room.left()) < _SNAP_PX else right if abs(at.x() - right) < _SNAP_PX else at.x()
    y = room.top() if abs(at.y() - room.top()) < _SNAP_PX else bottom if abs(at.y() - bottom) < _SNAP_PX else at.y()
    return QPoint(x, y)


def borrow_focus() -> X11Focus | None:
    """Who has the input now, to give it back; None where the system itself does that when a window goes."""
    if QGuiApplication.platformName() != "xcb":
        return None
    from recorder.backends.x11.windows import X11Focus

    try:
        return X11Focus()
    except DemopackError:
        # Without a connection of our own the window manager decides; the pop-up is there all the same.
        return None


def desktop_pixels(box: QRect, screen: QScreen | None = None) -> Rect:
    """A box of the screen in units of the desktop (``ScreenSpace``), each corner by the monitor it lies on.

    Qt keeps the place of a monitor's corner as the system has it, and scales what lies on the monitor.

    Args:
        box: in Qt's units.
        screen: the monitor by which both corners count.
    """
    x1, y1 = _pixel(box.topLeft(), screen)
    x2, y2 = _pixel(QPoint(box.right(), box.bottom()), screen, end=1)
    return Rect(x1, y1, max(x2, x1 + 1), max(y2, y1 + 1))


def _pixel(point: QPoint, screen: QScreen | None, *, end: int = 0) -> tuple[int, int]:
    on = screen or monitor_at(point)
    origin, ratio = on.geometry().topLeft(), desktop_ratio(on)
    x, y = point.x() + end - origin.x(), point.y() + end - origin.y()
    return round(x * ratio) + origin.x(), round(y * ratio) + origin.y()


SCALE_PROPERTY = "demopack_scale"
"""Of the application: how much larger than the system's size all of it is shown."""


def desktop_ratio(screen: QScreen) -> float:
    """Units of the desktop for each of Qt's on a monitor."""
    # macOS counts its desktop in points, as Qt does, however many pixels a point has.
    app: Any = QGuiApplication.instance()
    points = sys.platform == "darwin"
    return float(app.property(SCALE_PROPERTY) or 1) if points else screen.devicePixelRatio()


def monitor_at(point: QPoint) -> QScreen:
    """The monitor at a point of the desktop, or else the main one.

    ``QWidget.screen()`` is used nowhere: PySide ties the monitor to the widget that was asked, and when Python's
    garbage collector takes that widget, the monitor goes with it and the program crashes.
    """
    return QGuiApplication.screenAt(point) or QGuiApplication.primaryScreen()


_LEFT_ALONE_MS = 1500


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One line.

    Attributes:
        words: what happens.
        act: does it; None for a line that only says something.
        icon: its name; empty for none.
        keys: its hot-key; empty for none.
    """

    words: str
    act: Callable[[], None] | None = None
    icon: str = ""
    keys: str = ""


class MenuPanel(Floating):
    """Things to do beside the bar or the tray icon, one a line; Qt's own menus would take the focus.

    Closes when something was chosen, and when the pointer has left it for a while.
    """

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__(theme, name=name, radius=8)
        self._column = column(of=self, spacing=0, margins=SPACE.xs)
        self._lines: list[QPushButton] = []
        self._alone = QTimer(self, interval=_LEFT_ALONE_MS, singleShot=True)
        self._alone.timeout.connect(self.hide)

    @property
    def items(self) -> tuple[str, ...]:
        """What is offered, in words."""
        return tuple(line.text().replace("&&", "&") for line in self._lines)

    def open_beside(self, anchor: QRect, items: Sequence[MenuItem]) -> None:
        """Show these lines beside a box, to its left where there is no room on its right; close when it is open."""
        if self.isVisible():
            self.hide()
            return
        discard(self._lines)
        self._lines = [self._add_line(item) for item in items]
        self.setFixedSize(self._column.sizeHint())
        if anchor.left() + self.width() > monitor_at(anchor.center()).availableGeometry().right():
            anchor = QRect(QPoint(anchor.right() + 1 - self.width(), anchor.top()), anchor.bottomRight())
        self.show_beside(anchor)
        self._alone.start(4 * _LEFT_ALONE_MS)

    def _add_line(self, item: MenuItem) -> QPushButton:
        """Icon and words, and the hot-key at the right edge."""
        words = item.words.replace("&", "&&")  # what was typed may stand in it, and names no key
        made = push_button(words, "", self.theme, name=item.icon, role="menu", call=partial(self._choose, item))
        made.setEnabled(item.act is not None)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._column.addWidget(made)
        if item.keys:
            keys = label(native(item.keys), role="caption")
            keys.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            row(None, keys, of=made, margins=(0, 0, SPACE.m, 0))
            made.setMinimumWidth(made.sizeHint().width() + SPACE.xl + keys.sizeHint().width())
        return made

    def _choose(self, item: MenuItem, *_: object) -> None:
        self.hide()
        if item.act is not None:
            item.act()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Qt's hook: somebody is looking."""
        super().enterEvent(event)
        self._alone.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Qt's hook: perhaps nobody is looking any more."""
        super().leaveEvent(event)
        self._alone.start(_LEFT_ALONE_MS)
