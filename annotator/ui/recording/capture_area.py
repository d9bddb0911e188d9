"""Choice of the part of the screen that is captured: a list of what there is, and a region drawn on the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSignalBlocker, Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QRegion
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from annotator.ui.controls import Call, combo_box, push_button, row
from annotator.ui.painting import rounded_box
from annotator.ui.recording.floating import desktop_pixels
from annotator.ui.theme.manager import Theme
from annotator.words import tr
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError
from recorder.area import EVERYTHING, CaptureArea

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
        self._numbers.setToolTip(tr("In pixels of the whole desktop, for instance 100,50,800x600"))
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
                size = desktop_pixels(screen.geometry(), screen)
                self.kind.addItem(f"{screen.name()} ({size.width} x {size.height})", f"monitor:{screen.name()}")
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


_MIN_SIDE_PX = 8
_WORDS = tr("Drag over what is to be captured. Esc leaves everything as it was.")


class RegionPicker(QWidget):
    """A still of the desktop, darker; what is drawn is bright again."""

    def __init__(self, theme: Theme, *, done: Callable[[Rect | None], object]) -> None:
        """Show nothing yet; ``done`` gets the pixels of the virtual desktop, or None where it is left without."""
        # Without a window manager in between it lies exactly over every monitor; so it takes the keyboard itself.
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
        self._theme, self._done = theme, done
        self._stills: list[tuple[QRect, QPixmap]] = []
        self._from: QPoint | None = None
        self._region = QRect()

    def open(self) -> None:
        """Take the stills and cover the desktop."""
        whole = QRect()
        for screen in QGuiApplication.screens():
            whole = whole.united(screen.geometry())
            self._stills.append((screen.geometry(), screen.grabWindow(0)))
        self.setGeometry(whole)
        self.show()
        self.raise_()
        self.activateWindow()
        self.grabKeyboard()

    def _end(self, region: QRect | None = None) -> None:
        self.releaseKeyboard()
        pixels = None if region is None else desktop_pixels(region.translated(self.pos()))
        self.close()
        self._done(pixels)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: one corner; the right button leaves."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = event.position().toPoint()
        elif event.button() == Qt.MouseButton.RightButton:
            self._end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: the other corner."""
        if self._from is not None:
            here = QPointF(event.position().toPoint())
            self._region = QRectF(QPointF(self._from), here).normalized().toRect()
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: done, unless it was a mere click."""
        if event.button() != Qt.MouseButton.LeftButton or self._from is None:
            return
        self._from = None
        if min(self._region.width(), self._region.height()) >= _MIN_SIDE_PX:
            self._end(self._region)
        else:
            self._region = QRect()
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self._end()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: the dark still, the bright region with its size, and what to do."""
        del event
        painter = QPainter(self)
        for box, still in self._stills:
            painter.drawPixmap(box.translated(-self.pos()), still)
        painter.setClipRegion(QRegion(self.rect()).subtracted(QRegion(self._region)))
        painter.fillRect(self.rect(), QColor(0, 0, 0, 128))
        painter.setClipping(False)
        if not self._region.isEmpty():
            self._paint_region(painter)
        palette = self._theme.palette
        first = QGuiApplication.primaryScreen().geometry().translated(-self.pos())
        words = QRect(0, 0, painter.fontMetrics().horizontalAdvance(_WORDS) + 32, 36)
        words.moveCenter(QPoint(first.center().x(), first.top() + 48))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rounded_box(painter, words, 6, ground=palette.toast)
        painter.setPen(QColor(palette.on_toast))
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, _WORDS)

    def _paint_region(self, painter: QPainter) -> None:
        palette = self._theme.palette
        painter.setPen(QPen(QColor(palette.accent), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self._region)
        region = desktop_pixels(self._region.translated(self.pos()))
        size = f"{region.width} x {region.height}"
        tag = QRect(0, 0, painter.fontMetrics().horizontalAdvance(size) + 16, 22)
        tag.moveTopLeft(self._region.bottomLeft() + QPoint(0, 6))
        if tag.bottom() > self.height():
            tag.moveBottomLeft(self._region.bottomLeft() + QPoint(6, -6))
        painter.fillRect(tag, QColor(palette.accent))
        painter.setPen(QColor(palette.on_accent))
        painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, size)
