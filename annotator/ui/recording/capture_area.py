"""Choice of the part of the screen that is captured: a list of what there is, and a region drawn on the screen."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSignalBlocker, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QRegion,
    QScreen,
)
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from annotator.ui.controls import Call, combo_box, push_button, row
from annotator.ui.painting import rounded_box
from annotator.ui.recording.floating import desktop_pixels, desktop_ratio
from annotator.ui.theme.manager import Theme
from annotator.words import tr
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError
from recorder.area import EVERYTHING, CaptureArea
from recorder.backends import has_x11

_WINDOW, _REGION = "window", "region"
_WHEEL = Qt.FocusPolicy.WheelFocus


class AreaField(QWidget):
    """A list of what there is, and beside it the window's title or the region's numbers."""

    def __init__(self, theme: Theme, *, draw: Call, read_windows: Callable[[], object]) -> None:
        """Offer what there is; ``draw`` lets a region be drawn, ``read_windows`` is asked for the windows' titles."""
        super().__init__()
        self._read_windows = read_windows
        self.kind = combo_box(tr("What to capture"), tr("What part of the screen is captured"), focus=_WHEEL)
        self._title = combo_box(tr("Title of the window"), tr("The window's title, or a part of it"), focus=_WHEEL)
        self._title.setEditable(True)
        self._title.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        edit = self._title.lineEdit()
        if edit is not None:
            edit.setAccessibleName(tr("Title of the window"))
        self._title.setMinimumWidth(200)
        self._numbers = QLineEdit()
        self._numbers.setAccessibleName(tr("Region"))
        self._numbers.setPlaceholderText("left,top,widthxheight")
        in_points = {"darwin": tr("In points of the whole desktop, for instance 100,50,800x600")}
        in_pixels = tr("In pixels of the whole desktop, for instance 100,50,800x600")
        self._numbers.setToolTip(in_points.get(sys.platform, in_pixels))
        self._numbers.setMaximumWidth(190)
        self._draw = push_button(tr("Draw …"), tr("Draw the region on the screen"), theme, name="region", call=draw)
        row(self.kind, self._title, self._numbers, self._draw, None, of=self)
        self.read_monitors()
        self.kind.currentIndexChanged.connect(self._on_kind)
        self._on_kind()

    def read_monitors(self) -> None:
        """Offer the monitors that there are now; what was chosen stays, where it still exists."""
        chosen = self.kind.currentData()
        screens = QGuiApplication.screens()
        with QSignalBlocker(self.kind):
            self.kind.clear()
            self.kind.addItem(tr("All monitors") if len(screens) > 1 else tr("The whole screen"), "all")
            for screen in screens if len(screens) > 1 else ():
                box = desktop_pixels(screen.geometry(), screen)
                # Qt and the X server call a monitor alike; elsewhere two may have one name, or each library its own.
                area = (
                    CaptureArea(kind="monitor", name=screen.name())
                    if has_x11()
                    else CaptureArea(kind="monitor", region=box)
                )
                self.kind.addItem(f"{screen.name()} ({box.width} x {box.height})", str(area))
            if has_x11():
                self.kind.addItem(tr("One window"), _WINDOW)
            self.kind.addItem(tr("A region"), _REGION)
            self.kind.setCurrentIndex(max(0, self.kind.findData(chosen)))
        self._on_kind()

    def set_windows(self, titles: Sequence[str]) -> None:
        """Offer these windows; what is written stays."""
        written = self._title.currentText()
        self._title.clear()
        self._title.addItems(list(titles))
        if written:
            self._title.setEditText(written)

    def set_region(self, region: Rect) -> None:
        """Choose a region that was drawn."""
        self.kind.setCurrentIndex(self.kind.findData(_REGION))
        self._numbers.setText(str(CaptureArea(kind="region", region=region)).removeprefix("region:"))

    def area(self) -> CaptureArea:
        """What is chosen.

        Raises:
            BadInputError: the title is empty, or the region is none.
        """
        kind = str(self.kind.currentData())
        if kind == _WINDOW:
            title = self._title.currentText().strip()
            if not title:
                raise BadInputError(tr("No window is chosen."), hint=tr("Choose one, or write a part of its title."))
            return CaptureArea(kind="window", name=title)
        if kind == _REGION:
            try:
                return CaptureArea.parse(f"region:{self._numbers.text()}")
            except BadInputError as error:
                raise BadInputError(
                    tr("The region is not complete."), hint=tr("Draw it, or write it like 100,50,800x600.")
                ) from error
        return EVERYTHING if kind == "all" else CaptureArea.parse(kind)

    def _on_kind(self) -> None:
        kind = self.kind.currentData()
        self._title.setVisible(kind == _WINDOW)
        self._numbers.setVisible(kind == _REGION)
        self._draw.setVisible(kind == _REGION)
        if kind == _WINDOW:
            self._read_windows()


_MIN_SIDE_UNITS = 8
_WORDS = tr("Drag over what is to be captured. Esc leaves everything as it was.")


class RegionPicker:
    """A still of the desktop, darker; what is drawn is bright again. A window of its own on each monitor.

    One window over all of them would be mapped by the scale of one monitor, and macOS gives each a space of its own.

    Attributes:
        windows: one for each monitor, in Qt's order; there are none before :meth:`open` and after the end.
    """

    def __init__(self, theme: Theme, *, done: Callable[[Rect | None], object]) -> None:
        """Show nothing yet; ``done`` gets the region in units of the desktop, or None where it is left without."""
        self._theme, self._done = theme, done
        self._from: tuple[float, float] | None = None
        self._region: Rect | None = None
        self.windows: list[RegionWindow] = []

    def open(self) -> None:
        """Take the stills and cover the desktop."""
        self.windows = [RegionWindow(self._theme, screen, picker=self) for screen in QGuiApplication.screens()]
        for window in self.windows:
            window.show()
            window.raise_()
        self.windows[0].activateWindow()
        # On X11 no window manager gives it to them.
        self.windows[0].grabKeyboard()

    @property
    def region(self) -> Rect | None:
        """What is drawn so far, in units of the desktop."""
        return self._region

    def begin(self, at: tuple[float, float]) -> None:
        """One corner."""
        self._from = at

    def move(self, at: tuple[float, float]) -> None:
        """The other corner, which may lie on another monitor; nothing while there is none."""
        if self._from is None:
            return
        (x1, x2), (y1, y2) = (sorted((one, other)) for one, other in zip(self._from, at, strict=True))
        self._show(Rect(round(x1), round(y1), round(x2), round(y2)))

    def release(self) -> None:
        """Done, unless it was a mere click."""
        if self._from is None:
            return
        self._from = None
        region = self._region
        if region is not None and min(region.width, region.height) >= _MIN_SIDE_UNITS:
            self.end(region)
        else:
            self._show(None)

    def end(self, region: Rect | None = None) -> None:
        """Uncover the desktop; later ends are harmless."""
        windows, self.windows = self.windows, []
        if not windows:
            return
        windows[0].releaseKeyboard()
        for window in windows:
            window.close()
        self._done(region)

    def _show(self, region: Rect | None) -> None:
        self._region = region
        for window in self.windows:
            window.update()


class RegionWindow(QWidget):
    """The part of a :class:`RegionPicker` on one monitor."""

    def __init__(self, theme: Theme, screen: QScreen, *, picker: RegionPicker) -> None:
        # Without a window manager in between it lies exactly over the monitor.
        super().__init__(
            None,
            Qt.WindowType.Window
            | Qt.WindowType.FramelessWindowHint
            | Qt.WindowType.WindowStaysOnTopHint
            | Qt.WindowType.X11BypassWindowManagerHint,
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.setWindowTitle(tr("demopack region"))
        self.setAccessibleName(tr("Draw the region to capture"))
        self.setCursor(Qt.CursorShape.CrossCursor)
        self._theme, self._picker = theme, picker
        self._corner, self._ratio = screen.geometry().topLeft(), desktop_ratio(screen)
        self._still = screen.grabWindow(0)
        self.setGeometry(screen.geometry())

    def _on_desktop(self, at: QPointF) -> tuple[float, float]:
        """A position in this window, which may lie outside it, in units of the desktop.

        The system counts what is beyond the edge by this monitor's scale, too, as long as the button is down.
        """
        x, y = (at + QPointF(self.pos() - self._corner)).toTuple()
        return self._corner.x() + x * self._ratio, self._corner.y() + y * self._ratio

    def _here(self, region: Rect) -> QRectF:
        """A box of the desktop in this window."""
        corner, moved = self._corner, QPointF(self._corner - self.pos())
        left, top = (region.x1 - corner.x()) / self._ratio, (region.y1 - corner.y()) / self._ratio
        return QRectF(left, top, region.width / self._ratio, region.height / self._ratio).translated(moved)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: one corner; the right button leaves."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._picker.begin(self._on_desktop(event.position()))
        elif event.button() == Qt.MouseButton.RightButton:
            self._picker.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: the other corner."""
        self._picker.move(self._on_desktop(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: done."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._picker.release()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self._picker.end()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Qt's hook: closed by the system, it takes the others along."""
        super().closeEvent(event)
        self._picker.end()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: the dark still, the bright region with its size, and what to do."""
        del event
        painter = QPainter(self)
        painter.drawPixmap(self.rect(), self._still)
        region = self._picker.region
        drawn = QRect() if region is None else self._here(region).toRect()
        painter.setClipRegion(QRegion(self.rect()).subtracted(QRegion(drawn)))
        painter.fillRect(self.rect(), QColor(0, 0, 0, 128))
        painter.setClipping(False)
        if region is not None:
            self._paint_region(painter, drawn, f"{region.width} x {region.height}")
        palette = self._theme.palette
        words = QRect(0, 0, painter.fontMetrics().horizontalAdvance(_WORDS) + 32, 36)
        words.moveCenter(QPoint(self.rect().center().x(), 48))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rounded_box(painter, words, 6, ground=palette.toast)
        painter.setPen(QColor(palette.on_toast))
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, _WORDS)

    def _paint_region(self, painter: QPainter, drawn: QRect, size: str) -> None:
        palette = self._theme.palette
        painter.setPen(QPen(QColor(palette.accent), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(drawn)
        tag = QRect(0, 0, painter.fontMetrics().horizontalAdvance(size) + 16, 22)
        tag.moveTopLeft(drawn.bottomLeft() + QPoint(0, 6))
        if tag.bottom() > self.height():
            tag.moveBottomLeft(drawn.bottomLeft() + QPoint(6, -6))
        painter.fillRect(tag, QColor(palette.accent))
        painter.setPen(QColor(palette.on_accent))
        painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, size)
