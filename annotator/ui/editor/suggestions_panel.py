"""The row under the picture: how sure a suggestion must be, who found it, and what becomes of those that are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial

import numpy as np
from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QGridLayout, QHBoxLayout, QMenu, QSlider

from annotator.outlines import LINE_KINDS, draw_outlines
from annotator.suggestions.confidence_filter import ORIGINS, ConfidenceFilter, Origin, SuggestionCounts
from annotator.suggestions.statements import ORIGIN_NAMES, count_words, disputed
from annotator.ui.canvas.layers import CanvasLayer
from annotator.ui.controls import Bar, check_box, flat_button, label, row, set_tip
from annotator.ui.fitting import least_width
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HALO, LINES, SPACE, LineStyle
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.elements import Element

SAMPLE_SIZE = QSize(26, 12)
"""Of a sample of a line; room for a whole period of each."""


def line_sample(style: LineStyle, colour: str, *, ratio: float = 1.0) -> QPixmap:
    """A small box with an outline as boxes on the picture have it, for legends."""
    width, height = round(SAMPLE_SIZE.width() * ratio), round(SAMPLE_SIZE.height() * ratio)
    made = QImage(width, height, QImage.Format.Format_ARGB32)
    made.fill(Qt.GlobalColor.transparent)
    pixels = np.frombuffer(made.bits(), dtype=np.uint32).reshape(height, made.bytesPerLine() // 4)
    draw_outlines(
        pixels,
        np.array([[0, 0, width, height]], dtype=np.int64),
        np.array([QColor(colour).rgb()], dtype=np.uint32),
        kinds=np.array([LINE_KINDS.index(style)], dtype=np.int64),
        width=max(round(ratio), 1),
    )
    made.setDevicePixelRatio(ratio)
    return QPixmap.fromImage(made)


_SAMPLE_GAP = 4
"""Pixels between a sample and its words, as the style has them."""
_ORIGIN_TIPS: Mapping[Origin, str] = {
    "ocr": tr("Show what was read by OCR"),
    "detector": tr("Show what the detector found"),
    "rule": tr("Show what rules found by outlines, lines and gaps"),
    "accessibility": tr("Show what the programs told"),
    "propagated": tr("Show what was carried over to where something changed"),
    "human": tr("Show what a person drew"),
}


class SuggestionRow(Bar):
    """Slider, counts, check boxes and buttons.

    Signals:
        least_chosen: how sure a suggestion must be, 0..1.
        origin_toggled: an ``Origin``, and whether its elements are shown.
    """

    least_chosen = Signal(float)
    origin_toggled = Signal(str, bool)

    def __init__(self, theme: Theme, *, fill_menu: Callable[[QMenu], None]) -> None:
        """A row; ``fill_menu`` puts the further choices into the menu each time it is opened."""
        super().__init__("footer")
        self._fill_menu = fill_menu
        self._theme = theme
        self._samples = True
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(SPACE.m, SPACE.xs, SPACE.s, SPACE.xs)
        self._layout.setSpacing(SPACE.s)
        self._first, self._second = self._slider_part(theme), self._origin_part()
        self._layout.addLayout(self._first, 1)
        self._layout.addLayout(self._second)

    def _slider_part(self, theme: Theme) -> QHBoxLayout:
        words = self._heading = label(tr("Suggestions"), role="muted")
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setRange(0, 100)
        self._slider.setSingleStep(5)
        self._slider.setPageStep(5)
        self._slider.setMinimumWidth(72)
        self._slider.setMaximumWidth(240)
        self._slider.setAccessibleName(tr("Least confidence of a suggestion, in percent"))
        set_tip(self._slider, tr("Hide suggestions whose finder was less sure"), action="show_more show_fewer")
        self._slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._slider.valueChanged.connect(self._move)
        words.setBuddy(self._slider)
        self._value = label("0.00")
        self._value.setMinimumWidth(self._value.fontMetrics().horizontalAdvance("0.00") + SPACE.xs)
        self._counts = label("", role="caption")
        accept, reject = tr("Accept every suggestion that is shown"), tr("Reject every suggestion that is shown")
        self._buttons = (
            flat_button("check", accept, theme, action="accept_shown", tint="success"),
            flat_button("close", reject, theme, action="reject_shown", tint="danger"),
        )
        more = flat_button("more", tr("Accept or reject by type, or below the slider"), theme)
        self._menu = QMenu(more)
        self._menu.aboutToShow.connect(self._open_menu)
        more.setMenu(self._menu)
        more.setPopupMode(more.ToolButtonPopupMode.InstantPopup)
        return row(words, (self._slider, 1), self._value, self._counts, None, *self._buttons, more)

    def _origin_part(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE.s)
        grid.setVerticalSpacing(SPACE.xs)
        grid.setColumnStretch(len(ORIGINS), 1)
        self._origins: dict[Origin, QCheckBox] = {}
        for origin in ORIGINS:
            tip, call = _ORIGIN_TIPS[origin], partial(self.origin_toggled.emit, origin)
            box = self._origins[origin] = check_box(ORIGIN_NAMES[origin], tip, call=call)
            box.setAccessibleName(tip)
            grid.addWidget(box, 0, len(self._origins) - 1)
        self._draw_samples()
        self._theme.changed.connect(self._draw_samples)
        return grid

    def _draw_samples(self) -> None:
        """Beside each source the line that its boxes have: the legend of the picture."""
        for origin, box in self._origins.items():
            sample = line_sample(LINES[origin], self._theme.palette.text, ratio=self.devicePixelRatioF())
            box.setIconSize(SAMPLE_SIZE)
            box.setIcon(QIcon(sample) if self._samples else QIcon())

    def show_limits(self, limits: ConfidenceFilter) -> None:
        """Which suggestions pass; nobody is told."""
        with QSignalBlocker(self._slider):
            self._slider.setValue(round(limits.least * 100))
        self._value.setText(f"{limits.least:.2f}")
        for origin, box in self._origins.items():
            box.setChecked(origin not in limits.hidden)

    def show_counts(self, counts: SuggestionCounts) -> None:
        """How many there are on the picture."""
        self._counts.setText(count_words(counts))
        for button in self._buttons:
            button.setEnabled(counts.shown > 0)
        for origin, box in self._origins.items():
            number = counts.by_origin.get(origin, 0)
            box.setText(f"{ORIGIN_NAMES[origin]} {number}" if number else ORIGIN_NAMES[origin])
            # Who found nothing here takes no room, unless it is hidden and would be missed elsewhere.
            box.setVisible(number > 0 or not box.isChecked())
        # A source that comes with an edit must not move the picture; where there is none at all, no room is kept.
        kept = any(not box.isHidden() for box in self._origins.values())
        for box in self._origins.values():
            policy = box.sizePolicy()
            if policy.retainSizeWhenHidden() != kept:
                policy.setRetainSizeWhenHidden(kept)
                box.setSizePolicy(policy)
        self._fold(self.width())

    def show_busy(self, words: str) -> None:
        """Say at once what takes a moment, before it begins; the next counts take its place."""
        self._counts.setText(words)
        self._counts.show()
        self._counts.repaint()

    def _move(self, value: int) -> None:
        self.least_chosen.emit(value / 100)

    def _open_menu(self) -> None:
        self._menu.clear()
        self._fill_menu(self._menu)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: two lines where one is too long."""
        self._fold(event.size().width())
        super().resizeEvent(event)

    def _fold(self, width: int) -> None:
        ways = QBoxLayout.Direction
        edges = self._layout.contentsMargins()
        room = width - edges.left() - edges.right()
        spare = (self._heading, self._counts)
        for part in spare:
            part.show()
        needed = self._origins_width(lines=1, samples=True)
        self._arrange(lines=1 if needed <= room else 2, samples=self._origins_width(lines=2, samples=True) <= room)
        wide = least_width(self._first) + needed + SPACE.l <= room
        self._layout.setDirection(ways.LeftToRight if wide else ways.TopToBottom)
        for part in spare:
            if least_width(self._first) > room:
                part.hide()

    def _origins_width(self, *, lines: int, samples: bool) -> int:
        """What the check boxes need in so many lines, with or without the samples of their lines."""
        change = (int(samples) - int(self._samples)) * (SAMPLE_SIZE.width() + _SAMPLE_GAP)
        # Hidden ones count, too: a source that comes with an edit must not move the picture.
        widths = [box.sizeHint().width() + change for box in self._origins.values()]
        columns = -(-len(widths) // lines)
        return sum(max(widths[column::columns]) + SPACE.s for column in range(columns))

    def _arrange(self, *, lines: int, samples: bool) -> None:
        """Put the check boxes into one line or two."""
        if samples != self._samples:
            self._samples = samples
            self._draw_samples()
        columns = -(-len(self._origins) // lines)
        for number, box in enumerate(self._origins.values()):
            down, across = divmod(number, columns)
            if self._second.getItemPosition(self._second.indexOf(box)) != (down, across, 1, 1):
                self._second.addWidget(box, down, across)

    def minimumSizeHint(self) -> QSize:
        """Qt's hook: it may be narrower than it is arranged just now."""
        edges = self._layout.contentsMargins()
        needed = self._origins_width(lines=2, samples=False) + edges.left() + edges.right()
        return QSize(needed, super().minimumSizeHint().height())


_SIZE = 11
"""Pixels of the window."""


@cache
def _mark(colour: str, ratio: float) -> QPixmap:
    """A dot with a halo, sharp on every screen."""
    made = QPixmap(round(_SIZE * ratio), round(_SIZE * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for inset, shade in ((0.0, HALO), (1.5, colour)):
        painter.setBrush(QColor(shade))
        painter.drawEllipse(QRectF(inset, inset, _SIZE - 2 * inset, _SIZE - 2 * inset))
    painter.end()
    return made


class DisputeLayer(CanvasLayer):
    """Dots at the upper right corners; remembers what it made out about each element.

    Attributes:
        corners: where the marks stand, in pixels of the picture.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._known: dict[str, tuple[Element, bool]] = {}
        self.corners: list[tuple[int, int]] = []

    def set_elements(self, elements: tuple[Element, ...]) -> None:
        """The elements of another picture, or after an edit; only what differs is looked at again."""
        known, self._known = self._known, {}
        for element in elements:
            if element.evidence:
                was = known.get(element.uid)
                if was is None or was[0] is not element:
                    was = (element, bool(disputed(element)))
                self._known[element.uid] = was

    def show(self, shows: Callable[[Element], bool]) -> None:
        """Mark those that are shown."""
        marked = (element for element, is_disputed in self._known.values() if is_disputed and shows(element))
        self.corners = [(element.box.x2, element.box.y1) for element in marked]

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """Those that can be seen."""
        if not self.corners:
            return
        mark = _mark(self._theme.palette.warning, painter.device().devicePixelRatioF())
        reach, scale, left, top = _SIZE / 2, viewport.scale, viewport.x, viewport.y
        width, height = viewport.width + reach, viewport.height + reach
        for x, y in self.corners:
            at_x, at_y = x * scale + left, y * scale + top
            if -reach < at_x < width and -reach < at_y < height:
                painter.drawPixmap(round(at_x - reach), round(at_y - reach), mark)
