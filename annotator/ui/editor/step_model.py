"""The steps as a Qt model: listens to the document, owns nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QPointF, QSize, Qt

from annotator.document import Document
from annotator.step_words import describe_action, doubt_words
from annotator.ui.pictures import Pictures
from annotator.words import tr
from demopack.domain.elements import Review
from demopack.domain.steps import Step

__all__ = [
    "DoubtsRole",
    "PointerRole",
    "RemarkRole",
    "ReviewRole",
    "StepModel",
    "ThumbnailRole",
    "doubts_of",
    "words_of",
]

ThumbnailRole = Qt.ItemDataRole.UserRole + 1
DoubtsRole = Qt.ItemDataRole.UserRole + 2
ReviewRole = Qt.ItemDataRole.UserRole + 3
PointerRole = Qt.ItemDataRole.UserRole + 4
"""Where the pointer acted, as fractions of the picture; None for the keyboard."""
RemarkRole = Qt.ItemDataRole.UserRole + 5
"""The step's variable and note, in one line; empty for none."""

THUMBNAIL = QSize(96, 64)


_STATES: dict[Review, str] = {
    "approved": tr("approved"),
    "rejected": tr("rejected"),
    "doubtful": tr("doubtful"),
    "unreviewed": tr("not approved"),
}


def words_of(document: Document, step: Step) -> str:
    """What a step did, in words, with the elements as they are called now."""
    return describe_action(step.action, document.element(step.target_uid), document.element(step.end_uid))


def doubts_of(document: Document, step: Step) -> list[str]:
    """Why a step should be looked at, in sentences; none for one that a person approved."""
    if step.review == "approved":
        return []
    parsed = step.before is not None and document.is_parsed(step.before.id)
    said = [tr("You marked this step as doubtful.")] if step.review == "doubtful" else []
    return [*said, *(doubt_words(doubt) for doubt in step.doubts(parsed=parsed))]


class StepModel(QAbstractListModel):
    """One row a step.

    Attributes:
        changing: rows are being inserted or removed just now.
    """

    def __init__(self, document: Document, pictures: Pictures, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._pictures = pictures
        self._ratio = 1.0
        self.changing = False
        self._facets = self._facet_table()
        self._ends = [
            document.step_inserting.connect(self._inserting),
            document.step_inserted.connect(self._inserted),
            document.step_removing.connect(self._removing),
            document.step_removed.connect(self._removed),
            document.step_changed.connect(lambda index: self._tell(index, index)),
            document.elements_changed.connect(self._elements_changed),
        ]
        pictures.thumbnail_ready.connect(self._thumbnail_ready)

    def close_view(self) -> None:
        """Stop following; called before the document goes."""
        for end in self._ends:
            end()
        self._pictures.thumbnail_ready.disconnect(self._thumbnail_ready)

    def set_ratio(self, ratio: float) -> None:
        """How many device pixels a pixel of the list has."""
        self._ratio = ratio

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Qt's hook: how many steps."""
        return 0 if parent is not None and parent.isValid() else len(self._document.steps)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: one facet of a step."""
        steps = self._document.steps
        if not index.isValid() or index.row() >= len(steps):
            return None
        facet = self._facets.get(role)
        return None if facet is None else facet(steps[index.row()], index.row())

    def _facet_table(self) -> dict[int, Callable[[Step, int], object]]:
        document = self._document
        return {
            Qt.ItemDataRole.DisplayRole: lambda step, _: words_of(document, step),
            ThumbnailRole: lambda step, _: self._thumbnail(step),
            ReviewRole: lambda step, _: step.review,
            DoubtsRole: lambda step, _: doubts_of(document, step),
            PointerRole: lambda step, _: _pointer(step),
            RemarkRole: lambda step, _: _remark(step),
            Qt.ItemDataRole.ToolTipRole: lambda step, _: "\n".join(
                part for part in (words_of(document, step), _remark(step), *doubts_of(document, step)) if part
            ),
            Qt.ItemDataRole.AccessibleTextRole: self._said,
        }

    def _said(self, step: Step, row: int) -> str:
        words = tr("Step {value}: {words_of}, {value2}").format(
            value=row + 1, words_of=words_of(self._document, step), value2=_STATES[step.review]
        )
        return " ".join([words + ".", *doubts_of(self._document, step)])

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        """Qt's hook: a row can be dragged; it is dropped between rows, never on one."""
        known = super().flags(index)
        return known | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.ItemIsDropEnabled

    def supportedDropActions(self) -> Qt.DropAction:
        """Qt's hook: steps are moved."""
        return Qt.DropAction.MoveAction

    def _thumbnail(self, step: Step) -> object:
        frame = step.before or step.after
        return None if frame is None else self._pictures.thumbnail(frame.id, THUMBNAIL * self._ratio)

    def _tell(self, first: int, last: int, *roles: int) -> None:
        self.dataChanged.emit(self.index(first), self.index(last), list(roles))

    def _elements_changed(self, frame_id: str) -> None:
        """A target may be called otherwise now, and a doubt may have gone."""
        for row, step in enumerate(self._document.steps):
            if step.before is not None and step.before.id == frame_id:
                self._tell(row, row, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, DoubtsRole)

    def _thumbnail_ready(self, frame_id: str) -> None:
        for row, step in enumerate(self._document.steps):
            frame = step.before or step.after
            if frame is not None and frame.id == frame_id:
                self._tell(row, row, ThumbnailRole)

    def _inserting(self, index: int) -> None:
        self.changing = True
        self.beginInsertRows(QModelIndex(), index, index)

    def _inserted(self, index: int) -> None:
        del index
        self.endInsertRows()
        self.changing = False

    def _removing(self, index: int) -> None:
        self.changing = True
        self.beginRemoveRows(QModelIndex(), index, index)

    def _removed(self, index: int) -> None:
        del index
        self.endRemoveRows()
        self.changing = False


def _remark(step: Step) -> str:
    return " · ".join(part for part in (f"{{{step.variable}}}" if step.variable else "", step.note) if part)


def _pointer(step: Step) -> QPointF | None:
    if step.pointer is None or step.before is None:
        return None
    return QPointF(step.pointer.x / step.before.width, step.pointer.y / step.before.height)
