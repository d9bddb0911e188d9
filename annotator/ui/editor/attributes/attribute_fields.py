"""Fields for attributes: yes, no or not visible; one word that completes itself; boxes and places as numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QApplication, QCheckBox, QGridLayout, QSizePolicy, QSpinBox, QWidget

from annotator.attributes.element_attributes import MIXED, BoxField, Mixed
from annotator.attributes.keyboard_choice import STATE_WORDS, completed
from annotator.ui.controls import LineField, label
from annotator.ui.painting import draw_line, font_of, rounded_box
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HIT, RADIUS, SPACE, Palette
from annotator.words import tr
from demopack.domain.geometry import Rect, Size

_BOX: Final = 18
_NEXT: Final[dict[bool | None, bool | None]] = {True: False, False: None, None: True}
_CHECKS: Final = {
    True: Qt.CheckState.Checked,
    False: Qt.CheckState.Unchecked,
    None: Qt.CheckState.PartiallyChecked,
}


class TriState(QCheckBox):
    """One state of an element: its name at the left, the box and the value in words at the right.

    A click, or Space, goes from yes to no to "cannot be seen".

    Signals:
        chosen: the new value, True, False or None.

    Attributes:
        value: what is shown.
    """

    chosen = Signal(object)

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__(name)
        self._theme = theme
        self.value: bool | Mixed | None = None
        self._usual = False
        self.setTristate(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(tr("{state}: a click goes from yes to no to cannot be seen").format(state=name))
        self.clicked.connect(self._choose)
        self.show_value(None)

    @property
    def words(self) -> str:
        """The value as it is written beside the box."""
        if self.value is MIXED:
            return tr("different")
        words = STATE_WORDS[self.value if isinstance(self.value, bool) else None]
        return tr("{value}, as usual").format(value=words) if self._usual else words

    def show_value(self, value: bool | Mixed | None, *, usual: bool = False) -> None:  # noqa: FBT001 - the value itself
        """Show a value, ``MIXED`` for several, without telling anybody; a ``usual`` one was filled in by habit."""
        self.value, self._usual = value, usual
        self.setCheckState(_CHECKS[value if isinstance(value, bool) else None])
        self.setAccessibleDescription(self.words)
        self.update()

    def _choose(self) -> None:
        value = None if self.value is MIXED else self.value
        new = _NEXT[value if isinstance(value, bool) else None]
        self.show_value(new)
        self.chosen.emit(new)

    # Qt's hooks -----------------------------------------------------------------------------------------------

    def nextCheckState(self) -> None:
        """Qt's hook: the value, not Qt's own order, says what comes next."""

    def hitButton(self, pos: QPoint) -> bool:
        """Qt's hook: the whole row can be clicked."""
        return self.rect().contains(pos)

    def sizeHint(self) -> QSize:
        """Qt's hook: a row that is easy to hit."""
        return QSize(super().sizeHint().width() + 120, HIT.tool)

    def minimumSizeHint(self) -> QSize:
        """Qt's hook: as high as the hint; narrow panels cut the words."""
        return QSize(120, HIT.tool)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: name, box, value."""
        del event
        palette = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = self.rect()
        if self.underMouse() and self.isEnabled():
            rounded_box(painter, QRectF(whole), 4, ground=palette.hover)
        half = whole.width() // 2 - SPACE.s
        colour = palette.text if self.isEnabled() else palette.faint
        draw_line(painter, QRect(SPACE.xs, 0, half, whole.height()), self.text(), size=FONT.base, colour=colour)
        box = QRectF(whole.width() // 2, (whole.height() - _BOX) / 2, _BOX, _BOX)
        self._paint_box(painter, box, palette)
        words = QRect(round(box.right()) + SPACE.s, 0, whole.width() - round(box.right()) - SPACE.s, whole.height())
        colour = palette.text if isinstance(self.value, bool) else palette.muted
        draw_line(painter, words, self.words, size=FONT.base, colour=colour, bold=self.value is True)
        if self.hasFocus():
            rounded_box(painter, QRectF(whole).adjusted(1, 1, -1, -1), 4, edge=palette.accent, width=2)

    def _paint_box(self, painter: QPainter, box: QRectF, palette: Palette) -> None:
        yes = self.value is True
        unseen = self.value is None
        painter.setBrush(QColor(palette.accent if yes else palette.surface))
        style = Qt.PenStyle.DotLine if unseen else Qt.PenStyle.SolidLine
        painter.setPen(QPen(QColor(palette.accent if yes else palette.edge), 1.5, style))
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if yes:
            painter.setPen(QPen(QColor(palette.on_accent), 2.2, c=Qt.PenCapStyle.RoundCap))
            tick = [QPointF(4.6, 9.4), QPointF(7.8, 12.6), QPointF(13.4, 5.8)]
            painter.drawPolyline(QPolygonF([box.topLeft() + point for point in tick]))
        elif self.value is MIXED:
            painter.setPen(QPen(QColor(palette.text), 2.2, c=Qt.PenCapStyle.RoundCap))
            painter.drawLine(box.topLeft() + QPointF(5, 9), box.topLeft() + QPointF(13, 9))
        elif unseen:
            painter.setFont(font_of(self.font(), size=FONT.caption, bold=True))
            painter.setPen(QColor(palette.muted))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "?")


class WordField(LineField):
    """Each letter at the end is followed by the rest of the best word, selected.

    Return takes it, the next letter takes its place, Backspace takes it away.

    Attributes:
        words: the best first.
    """

    def __init__(self, name: str, *, placeholder: str = "") -> None:
        super().__init__(name, placeholder=placeholder)
        self.words: Sequence[str] = ()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: completes after a letter."""
        before = self.text()
        super().keyPressEvent(event)
        typed = self.text()
        if typed == before or not event.text().isprintable() or not event.text().strip():
            return
        if self.cursorPosition() == len(typed):
            whole = completed(typed, self.words)
            if whole != typed:
                self.setText(whole)
                self.setSelection(len(typed), len(whole) - len(typed))


_MAX_COORDINATE_PX: Final = 99_999
BOX_WORDS: Final[Mapping[BoxField, tuple[str, str]]] = {
    "x": (
        tr("Left edge in pixels"),
        tr("Left edge, pixels of the screenshot; the arrow keys change it by 1, with Shift by 10"),
    ),
    "y": (
        tr("Top edge in pixels"),
        tr("Top edge, pixels of the screenshot; the arrow keys change it by 1, with Shift by 10"),
    ),
    "w": (
        tr("Width in pixels"),
        tr("Width, pixels of the screenshot; the arrow keys change it by 1, with Shift by 10"),
    ),
    "h": (
        tr("Height in pixels"),
        tr("Height, pixels of the screenshot; the arrow keys change it by 1, with Shift by 10"),
    ),
}
_LARGE_STEP_PX: Final = 10


class NumberField(QSpinBox):
    """Pixels: the arrow keys change them by 1, with Shift by 10."""

    def __init__(self, name: str, tip: str) -> None:
        super().__init__()
        self.setRange(0, _MAX_COORDINATE_PX)
        self.setKeyboardTracking(False)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(56)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Shift makes the arrows coarse."""
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and event.key() in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self.stepBy(_LARGE_STEP_PX if event.key() == Qt.Key.Key_Up else -_LARGE_STEP_PX)
            return
        super().keyPressEvent(event)


SPOT_WORDS: Final[tuple[Mapping[BoxField, tuple[str, str]], ...]] = (
    {
        "x": (
            tr("Where the pointer acted, from the left"),
            tr("Where the pointer acted, pixels from the left; the arrow keys change it by 1, with Shift by 10"),
        ),
        "y": (
            tr("Where the pointer acted, from the top"),
            tr("Where the pointer acted, pixels from the top; the arrow keys change it by 1, with Shift by 10"),
        ),
    },
    {
        "x": (
            tr("Where the drag ended, from the left"),
            tr("Where the drag ended, pixels from the left; the arrow keys change it by 1, with Shift by 10"),
        ),
        "y": (
            tr("Where the drag ended, from the top"),
            tr("Where the drag ended, pixels from the top; the arrow keys change it by 1, with Shift by 10"),
        ),
    },
)
"""Of the spot where the pointer acted, and of the one where a drag ended."""


class NumberFields(QWidget):
    """The numbers of one box or one spot, two beside each other."""

    def __init__(
        self,
        words: Mapping[BoxField, tuple[str, str]],
        *,
        change: Callable[[BoxField, int], None],
        leave: Callable[[], None] = lambda: None,
    ) -> None:
        """Make the fields; ``change`` gets what was typed, even if beside the picture; ``leave`` comes after all."""
        super().__init__()
        self._leave = leave
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SPACE.s)
        grid.setVerticalSpacing(SPACE.s)
        self._fields: dict[BoxField, NumberField] = {}
        for place, (name, (text, tip)) in enumerate(words.items()):
            field = self._fields[name] = NumberField(text, tip)
            field.valueChanged.connect(partial(change, name))
            field.editingFinished.connect(self._on_left)
            grid.addWidget(label(name, role="muted"), place // 2, place % 2 * 2)
            grid.addWidget(field, place // 2, place % 2 * 2 + 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)

    def number(self, name: BoxField) -> int:
        """What one of them says."""
        return self._fields[name].value()

    def show_numbers(self, numbers: Mapping[BoxField, int], *, room: Size | None = None) -> None:
        """Show numbers without telling anybody; with a size, what is typed is clamped to it."""
        most = {} if room is None else {"x": room.width - 1, "y": room.height - 1}
        for name, field in self._fields.items():
            with QSignalBlocker(field):
                field.setRange(0, max(most.get(name, _MAX_COORDINATE_PX), 0))
                field.setValue(numbers[name])

    def _on_left(self) -> None:
        if QApplication.focusWidget() not in self._fields.values():
            self._leave()


_MAX_HEIGHT_PX: Final = 88
_MAX_SCALE: Final = 6
_MARGIN_PX: Final = 2
"""Pixels of the picture that are shown around the box."""


class CropView(QWidget):
    """Shows a part of a picture as large as there is room, in half steps: pixels stay crisp."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._crop = QPixmap()
        self.setAccessibleName(tr("The element, enlarged"))
        self.setToolTip(tr("The element as it is on the screenshot, enlarged"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_part(self, image: QImage | None, box: Rect | None) -> None:
        """Show a part of a picture; nothing, and take no room, where there is none."""
        part = QRect() if box is None else QRect(box.x1, box.y1, box.width, box.height)
        part = part.adjusted(-_MARGIN_PX, -_MARGIN_PX, _MARGIN_PX, _MARGIN_PX) if part.isValid() else part
        if image is not None:
            part = part.intersected(image.rect())
        if image is None or part.isEmpty():
            self._crop = QPixmap()
            self.hide()
            return
        self._crop = QPixmap.fromImage(image.copy(part))
        self.updateGeometry()
        self.show()
        self.update()

    @property
    def scale(self) -> float:
        """How much larger than on the screenshot; less than 1 where it does not fit."""
        if self._crop.isNull():
            return 1.0
        room = QSize(max(self.width() - 2 * SPACE.xs, 60), _MAX_HEIGHT_PX)
        fits = min(room.width() / self._crop.width(), room.height() / self._crop.height())
        # Half steps: a long line would stay as small as it is otherwise.
        return min(int(2 * fits) / 2, _MAX_SCALE) if fits >= 1 else fits

    def sizeHint(self) -> QSize:
        """Qt's hook: as high as the enlarged crop, and no higher than a few lines."""
        height = 0 if self._crop.isNull() else min(round(self._crop.height() * self.scale), _MAX_HEIGHT_PX)
        return QSize(120, height + 2 * SPACE.xs)

    def minimumSizeHint(self) -> QSize:
        """Qt's hook: the height is the hint's."""
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: the crop in the middle of a quiet ground."""
        del event
        palette, scale = self._theme.palette, self.scale
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        rounded_box(painter, ground, RADIUS, ground=palette.sunken, edge=palette.line)
        if self._crop.isNull():
            return
        width, height = round(self._crop.width() * scale), round(self._crop.height() * scale)
        place = QRect((self.width() - width) // 2, (self.height() - height) // 2, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, scale < 1)
        painter.drawPixmap(place, self._crop)

    def resizeEvent(self, event: object) -> None:
        """Qt's hook: another width may allow another scale."""
        del event
        self.updateGeometry()
        self.setCursor(Qt.CursorShape.ArrowCursor)
