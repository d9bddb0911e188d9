"""The demos as a Qt model: what the last reading of the library and the search left over."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt

from annotator.finding.demo_search import demo_search
from annotator.ui.recording.recording_words import count_steps
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.words import date_words, tr
from demopack.domain.demos import DemoSummary

SummaryRole = Qt.ItemDataRole.UserRole + 1
ThumbnailRole = Qt.ItemDataRole.UserRole + 2

THUMBNAIL = QSize(384, 240)


def facts_of(summary: DemoSummary) -> str:
    """Number of steps, application and day, in one line."""
    head = summary.head
    at = head.created_at.astimezone()
    day = f"{date_words(at.date())}, {at:%H:%M}"
    return " · ".join(part for part in (count_steps(summary.steps), head.app, day) if part)


class LibraryModel(QAbstractListModel):
    """One row a demo, newest first."""

    def __init__(self, pictures: ScreenshotCache, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pictures = pictures
        self._all: list[DemoSummary] = []
        self._shown: list[DemoSummary] = []
        self._rows: dict[str, int] = {}
        self._pictured: dict[str, list[int]] = {}
        self._fits = demo_search("")
        self._ratio = 1.0
        pictures.thumbnail_ready.connect(self._thumbnail_ready)

    @property
    def total(self) -> int:
        """How many demos there are, found or not."""
        return len(self._all)

    def set_ratio(self, ratio: float) -> None:
        """How many device pixels a pixel of the list has."""
        self._ratio = ratio

    def set_demos(self, demos: Sequence[DemoSummary]) -> None:
        """Take a new reading of the library."""
        # What has not changed is the same object, so the comparison costs nothing.
        if list(demos) != self._all:
            self._all = list(demos)
            self._search()

    def set_query(self, query: str) -> None:
        """Show only what fits.

        Raises:
            QueryError: the search cannot be understood; what is shown stays.
        """
        self._fits = demo_search(query)
        self._search()

    def summary(self, row: int) -> DemoSummary | None:
        """The demo in a row; None where there is none."""
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def row_of(self, demo_id: str | None) -> int:
        """The row of a demo; -1 when it is not shown."""
        return -1 if demo_id is None else self._rows.get(demo_id, -1)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Qt's hook: how many demos are shown."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: one facet of a demo."""
        summary = self.summary(index.row()) if index.isValid() else None
        if summary is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return summary.head.task or tr("No task written")
        if role == SummaryRole:
            return summary
        if role == ThumbnailRole:
            frame = summary.first_frame
            return None if frame is None else self._pictures.thumbnail(frame, THUMBNAIL * self._ratio)
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = (summary.head.task or tr("No task written"), facts_of(summary), summary.damage)
            return "\n".join(filter(None, lines))
        if role == Qt.ItemDataRole.AccessibleTextRole and summary.damage:
            return tr("{task}. Damaged: {reason}").format(
                task=summary.head.task or tr("No task written"), reason=summary.damage
            )
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return tr("{value}. {facts_of}. {status}. {rationales} of {steps} rationales, {approved} approved.").format(
                value=summary.head.task or tr("No task written"),
                facts_of=facts_of(summary),
                status=summary.head.status,
                rationales=summary.rationales,
                steps=summary.steps,
                approved=summary.approved,
            )
        return None

    def _search(self) -> None:
        shown = list(filter(self._fits, self._all))
        if self._shown and [id(summary) for summary in shown] == [id(summary) for summary in self._shown]:
            return
        self.beginResetModel()
        self._shown = shown
        self._rows = {summary.head.id: row for row, summary in enumerate(shown)}
        self._pictured = {}
        for row, summary in enumerate(shown):
            if summary.first_frame is not None:
                self._pictured.setdefault(summary.first_frame, []).append(row)
        self.endResetModel()

    def _thumbnail_ready(self, frame_id: str) -> None:
        for row in self._pictured.get(frame_id, ()):
            self.dataChanged.emit(self.index(row), self.index(row), [ThumbnailRole])
