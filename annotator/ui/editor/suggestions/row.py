"""The row under the picture: how sure a suggestion must be, who found it, and what becomes of those that are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QGridLayout, QHBoxLayout, QMenu, QSlider, QWidget

from annotator.suggestions.sieve import ORIGINS, Counts, Origin, Sieve
from annotator.suggestions.words import ORIGIN_NAMES, count_words
from annotator.ui.controls import flat_button, label, shortcut_tip
from annotator.ui.fitting import least_width
from annotator.ui.line_sample import SAMPLE_SIZE, line_sample
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import LINES, SPACE
from annotator.words import tr

__all__ = ["SuggestionRow"]

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


class SuggestionRow(QWidget):
    """Slider, counts, check boxes and buttons.

    Signals:
        least_chosen: how sure a suggestion must be, 0..1.
        origin_toggled: an ``Origin``, and whether its elements are shown.
        accept_wanted: accept all suggestions that are shown.
        reject_wanted: reject all suggestions that are shown.
    """

    least_chosen = Signal(float)
    origin_toggled = Signal(str, bool)
    accept_wanted = Signal()
    reject_wanted = Signal()

    def __init__(self, theme: Theme, *, fill_menu: Callable[[QMenu], None]) -> None:
        """A row; ``fill_menu`` puts the further choices into the menu each time it is opened."""
        super().__init__()
        self.setObjectName("footer")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
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
        self._slider.setToolTip(tr("Hide suggestions whose finder was less sure (Ctrl+[ and Ctrl+])"))
        self._slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._slider.valueChanged.connect(self._move)
        words.setBuddy(self._slider)
        self._value = label("0.00")
        self._value.setMinimumWidth(self._value.fontMetrics().horizontalAdvance("0.00") + SPACE.xs)
        self._counts = label("", role="caption")
        accept = flat_button(
            "check", tr("Accept every suggestion that is shown"), theme, keys="Shift+Y", tint="success"
        )
        accept.clicked.connect(self.accept_wanted)
        reject = flat_button("close", tr("Reject every suggestion that is shown"), theme, keys="Shift+X", tint="danger")
        reject.clicked.connect(self.reject_wanted)
        self._buttons = (accept, reject)
        more = flat_button("more", tr("Accept or reject by type, or below the slider"), theme)
        self._menu = QMenu(more)
        self._menu.aboutToShow.connect(self._open_menu)
        more.setMenu(self._menu)
        more.setPopupMode(more.ToolButtonPopupMode.InstantPopup)
        row = QHBoxLayout()
        row.setSpacing(SPACE.s)
        row.addWidget(words)
        row.addWidget(self._slider, 1)
        row.addWidget(self._value)
        row.addWidget(self._counts)
        row.addStretch(1)
        for button in (*self._buttons, more):
            row.addWidget(button)
        return row

    def _origin_part(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE.s)
        grid.setVerticalSpacing(SPACE.xs)
        grid.setColumnStretch(len(ORIGINS), 1)
        self._origins: dict[Origin, QCheckBox] = {}
        for origin in ORIGINS:
            box = QCheckBox(ORIGIN_NAMES[origin])
            box.setAccessibleName(_ORIGIN_TIPS[origin])
            box.setToolTip(shortcut_tip(_ORIGIN_TIPS[origin]))
            box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            box.toggled.connect(partial(self.origin_toggled.emit, origin))
            self._origins[origin] = box
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

    def show_sieve(self, sieve: Sieve) -> None:
        """Which suggestions pass; nobody is told."""
        with QSignalBlocker(self._slider):
            self._slider.setValue(round(sieve.least * 100))
        self._value.setText(f"{sieve.least:.2f}")
        for origin, box in self._origins.items():
            with QSignalBlocker(box):
                box.setChecked(origin not in sieve.hidden)

    def show_counts(self, counts: Counts) -> None:
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
            row, column = divmod(number, columns)
            if self._second.getItemPosition(self._second.indexOf(box)) != (row, column, 1, 1):
                self._second.addWidget(box, row, column)

    def minimumSizeHint(self) -> QSize:
        """Qt's hook: it may be narrower than it is arranged just now."""
        edges = self._layout.contentsMargins()
        needed = self._origins_width(lines=2, samples=False) + edges.left() + edges.right()
        return QSize(needed, super().minimumSizeHint().height())
