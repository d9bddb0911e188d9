"""How far a review is: one short line of colours."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from annotator.finding.review import Progress
from annotator.ui.theme.manager import Theme

__all__ = ["ProgressLine"]


class ProgressLine(QWidget):
    """Approved, doubtful, the rest; the words are its tool tip and its accessible description."""

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._progress = Progress()
        self.setAccessibleName(name)
        self.setFixedHeight(6)
        self.setMinimumWidth(48)

    @property
    def progress(self) -> Progress:
        """What is shown."""
        return self._progress

    def show_progress(self, progress: Progress) -> None:
        """Show another state."""
        self._progress = progress
        self.setToolTip(progress.words)
        self.setAccessibleDescription(progress.words)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: three bars over each other."""
        del event
        shown, palette, painter = self._progress, self._theme.palette, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        total = max(shown.total, 1)
        for share, colour in (
            (total, palette.track),
            (shown.approved + shown.doubtful, palette.warning),
            (shown.approved, palette.success),
        ):
            if share:
                painter.setBrush(QColor(colour))
                painter.drawRoundedRect(0, 0, round(self.width() * share / total), self.height(), 3, 3)
