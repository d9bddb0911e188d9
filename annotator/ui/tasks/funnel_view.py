"""Statistics of the tasks: a funnel through the stages, and bars by program and source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QFrame, QToolTip, QWidget

from annotator.task_words import FUNNEL_WORDS, short_source
from annotator.ui.controls import Bar, column, flat_button, label, on_escape, row, scroll_area
from annotator.ui.painting import draw_line, rounded_box
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE
from annotator.words import number_words, tr
from tasks.bank import FunnelStage

FunnelCounts: TypeAlias = Mapping[FunnelStage, int]
_MAX_BARS: Final = 10
_STAGE_HEIGHT: Final = 38
_BAR_HEIGHT: Final = 30
_NAME_WIDTH: Final = 160
_FIGURE_WIDTH: Final = 72


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFigures:
    """What is counted.

    Attributes:
        whole: through the stages.
        by_app: likewise for each program, most tasks first.
        by_source: likewise for each file or address.
    """

    whole: FunnelCounts
    by_app: Mapping[str, FunnelCounts]
    by_source: Mapping[str, FunnelCounts]


class FunnelChart(QWidget):
    """Stages under each other, each as wide as its share of the first."""

    def __init__(self, theme: Theme, counts: FunnelCounts) -> None:
        super().__init__()
        self._theme, self._counts = theme, counts
        self.setFixedHeight(_STAGE_HEIGHT * len(counts))
        self.setMinimumWidth(420)
        self.setAccessibleName(tr("Through the stages"))
        self.setAccessibleDescription(". ".join(f"{FUNNEL_WORDS[name]}: {count}" for name, count in counts.items()))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook."""
        del event
        palette, painter = self._theme.palette, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        counts = list(self._counts.items())
        most = max(counts[0][1], 1)
        room = self.width() - 2 * _NAME_WIDTH
        middle = _NAME_WIDTH + room / 2

        def half(count: int) -> float:
            return max(room * count / most / 2, 1.0) if count else 0.0

        for place, (name, count) in enumerate(counts):
            top, bottom = place * _STAGE_HEIGHT, (place + 1) * _STAGE_HEIGHT - 4
            after = half(counts[place + 1][1]) if place + 1 < len(counts) else half(count)
            wide = half(count)
            shape = QPolygonF([
                QPointF(middle - wide, top), QPointF(middle + wide, top),
                QPointF(middle + after, bottom), QPointF(middle - after, bottom),
            ])  # fmt: skip
            colour = QColor(palette.success if name == "complete" else palette.accent)
            colour.setAlphaF(1.0 if name == "complete" else 1.0 - 0.09 * place)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawPolygon(shape)
            line = QRect(0, top, _NAME_WIDTH - SPACE.s, _STAGE_HEIGHT - 4)
            draw_line(painter, line, FUNNEL_WORDS[name], size=FONT.base, colour=palette.text)
            before = counts[place - 1][1] if place else count
            share = f"{count / before:.0%}" if place and before else ""
            line.moveLeft(self.width() - _NAME_WIDTH + SPACE.s)
            line.setWidth(72)
            draw_line(painter, line, number_words(count), size=FONT.base, colour=palette.text, right=True, bold=True)
            line.translate(76, 0)
            line.setWidth(60)
            draw_line(painter, line, share, size=FONT.caption, colour=palette.muted, right=True)
        painter.end()


class StageBars(QWidget):
    """A bar a name: collected, of these kept, executed, and judged yes."""

    def __init__(self, theme: Theme, name: str, counts: Mapping[str, FunnelCounts]) -> None:
        super().__init__()
        self._theme = theme
        self._counts = dict(islice(counts.items(), _MAX_BARS))
        rest = list(islice(counts.values(), _MAX_BARS, None))
        if rest:
            more = tr("{count} others").format(count=len(rest))
            self._counts[more] = {stage: sum(one[stage] for one in rest) for stage in rest[0]}
        self.setFixedHeight(_BAR_HEIGHT * len(self._counts))
        self.setMinimumWidth(420)
        self.setAccessibleName(name)
        told = (f"{key}: {', '.join(f'{FUNNEL_WORDS[s]} {n}' for s, n in one.items())}" for key, one in counts.items())
        self.setAccessibleDescription(". ".join(islice(told, _MAX_BARS)))
        theme.changed.connect(self.update)

    def event(self, event: QEvent) -> bool:
        """Qt's hook: the whole name of the bar beneath the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            name = next(islice(self._counts, event.pos().y() // _BAR_HEIGHT, None), "")
            QToolTip.showText(event.globalPos(), name, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook."""
        del event
        palette, painter = self._theme.palette, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        most = max((one["collected"] for one in self._counts.values()), default=1) or 1
        room = self.width() - _NAME_WIDTH - 3 * _FIGURE_WIDTH
        shades: tuple[tuple[FunnelStage, str], ...] = (
            ("collected", palette.track), ("kept", palette.edge), ("executed", palette.accent),
            ("complete", palette.success),
        )  # fmt: skip
        for place, (name, one) in enumerate(self._counts.items()):
            top = place * _BAR_HEIGHT
            words = short_source(name) or tr("unknown")
            draw_line(
                painter, QRect(0, top, _NAME_WIDTH - SPACE.m, _BAR_HEIGHT), words,
                size=FONT.base, colour=palette.text if name else palette.muted, elide=Qt.TextElideMode.ElideMiddle,
            )  # fmt: skip
            for stage, colour in shades:
                if one[stage]:
                    wide = max(room * one[stage] / most, 3.0)
                    rounded_box(painter, QRectF(_NAME_WIDTH, top + 7, wide, _BAR_HEIGHT - 14), 4, ground=colour)
            cells = QRect(self.width() - 3 * _FIGURE_WIDTH, top, _FIGURE_WIDTH, _BAR_HEIGHT)
            for stage in ("collected", "executed", "complete"):
                shown = palette.text if one[stage] else palette.faint
                draw_line(painter, cells, number_words(one[stage]), size=FONT.base, colour=shown, right=True)
                cells.translate(_FIGURE_WIDTH, 0)
        painter.end()


class StageLegend(QWidget):
    """What the shades of the bars mean, over the columns of their figures."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedHeight(20)
        self.setMinimumWidth(420)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook."""
        del event
        palette, painter = self._theme.palette, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = 0
        shades = (
            (tr("collected"), palette.track), (tr("kept"), palette.edge), (tr("executed"), palette.accent),
            (tr("judged yes"), palette.success),
        )  # fmt: skip
        for words, colour in shades:
            rounded_box(painter, QRectF(left, 5, 10, 10), 3, ground=colour)
            draw_line(painter, QRect(left + 15, 0, 200, 20), words, size=FONT.caption, colour=palette.muted)
            left += 15 + painter.fontMetrics().horizontalAdvance(words) + SPACE.m
        cells = QRect(self.width() - 3 * _FIGURE_WIDTH, 0, _FIGURE_WIDTH, 20)
        for words in (tr("collected"), tr("executed"), tr("yes")):
            draw_line(painter, cells, words, size=FONT.caption, colour=palette.muted, right=True)
            cells.translate(_FIGURE_WIDTH, 0)
        painter.end()


class FunnelView(Bar):
    """The statistics of the bank, in the place of list and detail."""

    def __init__(self, theme: Theme, *, close: Callable[[], object]) -> None:
        super().__init__("page")
        self._theme = theme
        self.shown: TaskFigures | None = None
        heading = tr("Statistics of the tasks")
        self.setAccessibleName(heading)
        back = flat_button("close", tr("Close the statistics"), theme, keys="Esc", call=close)
        self._area = scroll_area(QWidget(), heading)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setMinimumHeight(1)
        margins = (SPACE.xl, SPACE.m, SPACE.m, SPACE.s)
        column(row(label(heading, role="title"), None, back, margins=margins), (self._area, 1), of=self, spacing=0)
        self.setFocusProxy(self._area)
        on_escape(self, close)

    def show_waiting(self) -> None:
        """A word in the place of figures."""
        self.shown = None
        told = label(tr("Counting …"), role="muted")
        told.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._area.setWidget(told)

    def show_figures(self, figures: TaskFigures) -> None:
        """Show what was counted."""
        self.shown = figures
        inside = QWidget()
        column(
            self._card(tr("Through the stages"), FunnelChart(self._theme, figures.whole)),
            self._bars(tr("By program"), figures.by_app),
            self._bars(tr("By source"), figures.by_source),
            None,
            of=inside,
            spacing=SPACE.l,
            margins=(SPACE.xl, SPACE.s, SPACE.xl, SPACE.xl),
        )
        self._area.setWidget(inside)

    def _bars(self, name: str, counts: Mapping[str, FunnelCounts]) -> QFrame:
        return self._card(name, StageLegend(self._theme), StageBars(self._theme, name, counts))

    def _card(self, name: str, *parts: QWidget) -> QFrame:
        made = QFrame()
        made.setObjectName("card")
        made.setAccessibleName(name)
        margins = (SPACE.l, SPACE.m, SPACE.l, SPACE.l)
        column(label(name, role="words"), *parts, of=made, spacing=SPACE.s, margins=margins)
        return made
