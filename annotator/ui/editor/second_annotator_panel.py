"""The tab: whose opinion, how far both agree, every difference, and who was right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from annotator.second_annotator.differences import KIND_WORDS, KINDS, Difference, Kind
from annotator.ui.controls import LineField, column, combo_box, label, line, push_button, row
from annotator.ui.editor.exchange_panel import Lines
from annotator.ui.editor.panels.panel_section import part
from annotator.ui.painting import font_of, is_chosen, row_ground
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE
from annotator.words import capital, tr

_Index = QModelIndex | QPersistentModelIndex


class DifferencesModel(QAbstractListModel):
    """Rows of differences; says of each where it is and what it is."""

    def __init__(self, place: Callable[[str], str]) -> None:
        super().__init__()
        self._place = place
        self._shown: list[Difference] = []

    def show(self, found: Sequence[Difference]) -> None:
        """Show other differences."""
        self.beginResetModel()
        self._shown = list(found)
        self.endResetModel()

    def at(self, row: int) -> Difference | None:
        """The difference of a row; None where there is none."""
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def rowCount(self, parent: _Index | None = None) -> int:
        """Qt's hook: how many."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: the words."""
        one = self.at(index.row())
        if one is None or role not in {
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.ToolTipRole,
            Qt.ItemDataRole.AccessibleTextRole,
        }:
            return None
        return f"{one.words}\n{self._place(one.frame)}"


_TEXT_FLAGS: Final = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class DifferenceDelegate(QStyledItemDelegate):
    """Words in the text's size, the place as a caption under them."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Qt's hook: as high as its lines are at this width."""
        del option
        width = self._view.viewport().width()
        words, place = _lines(index)
        height = sum(self._height(text, size, width) for text, size in ((words, FONT.base), (place, FONT.caption)))
        return QSize(width, height + 2 * SPACE.s)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Qt's hook: ground, words, place."""
        palette = self._theme.palette
        painter.save()
        box = row_ground(painter, option, palette, edge=palette.accent if is_chosen(option) else "")
        inside = box.adjusted(SPACE.s, SPACE.s, -SPACE.s, -SPACE.s)
        words, place = _lines(index)
        for text, size, colour in ((words, FONT.base, palette.text), (place, FONT.caption, palette.muted)):
            painter.setFont(font_of(self._view.font(), size=size))
            painter.setPen(QColor(colour))
            painter.drawText(inside, int(_TEXT_FLAGS), text)
            inside.setTop(inside.top() + self._height(text, size, box.width()))
        painter.restore()

    def _height(self, text: str, size: int, width: int) -> int:
        metrics = QFontMetrics(font_of(self._view.font(), size=size))
        return metrics.boundingRect(QRect(0, 0, width - 2 * SPACE.s, 1000), int(_TEXT_FLAGS), text).height()


def _lines(index: _Index) -> tuple[str, str]:
    words, _, place = str(index.data()).partition("\n")
    return words, place


_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class _List(QListView):
    """Differences; arrows and clicks show one, Enter takes theirs, Shift+Enter keeps mine.

    Signals:
        decided: ``theirs`` or ``mine``, for the row that is chosen.
    """

    decided = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setItemDelegate(DifferenceDelegate(theme, self))
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Differences"))
        self.setToolTip(tr("Enter takes theirs, Shift+Enter keeps mine"))
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)

    def event(self, event: QEvent) -> bool:
        """Qt's hook: Enter belongs to the list while it has the focus."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _means(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: decide."""
        choice = _means(event)
        if choice is None:
            super().keyPressEvent(event)
        else:
            self.decided.emit(choice)


def _means(event: QKeyEvent) -> str | None:
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if Qt.Key(event.key()) not in _ENTER:
        return None
    if held == Qt.KeyboardModifier.NoModifier:
        return "theirs"
    return "mine" if held == Qt.KeyboardModifier.ShiftModifier else None


def _tell(signal: SignalInstance, choice: str, *_: object) -> None:
    signal.emit(choice)


class SecondAnnotatorPanel(QWidget):
    """Says what the user wants; does nothing itself.

    Signals:
        source_chosen: another library, pack or file.
        pick_wanted: choose a folder.
        row_chosen: another difference is looked at; None for none.
        kind_chosen: another kind is listed.
        decided: ``theirs`` or ``mine``, for the difference that is looked at.
        all_decided: likewise, for all that are listed.
    """

    source_chosen = Signal()
    pick_wanted = Signal()
    row_chosen = Signal(object)
    kind_chosen = Signal()
    decided = Signal(str)
    all_decided = Signal(str)

    def __init__(self, theme: Theme, model: DifferencesModel) -> None:
        super().__init__()
        self._model = model
        self.path = LineField(tr("Whose work"), placeholder=tr("Library, pack or annotations"))
        self.path.setToolTip(tr("Another person's library, a pack, or annotations of the same pictures"))
        self.path.committed.connect(self.source_chosen)
        folder = tr("Choose the folder of the other one's work")
        pick = push_button(tr("Choose …"), folder, theme, name="folder", call=self.pick_wanted)
        self.said = Lines(tr("Agreement"), tr("How far both agree"))
        which = tr("Which differences are listed")
        self.kinds = combo_box(tr("Kind of differences"), which, call=self.kind_chosen)
        self.list = _List(theme)
        self.list.setModel(model)
        self.none = label("", role="caption", wraps=True)
        self._differences, self._rest = QWidget(), QWidget()
        inside = part(tr("Differences"), self.kinds, self.none, self.list, self._button_rows(theme))
        inside.setStretch(inside.indexOf(self.list), 1)
        self._differences.setLayout(inside)
        source = part(tr("Second opinion"), row((self.path, 1), pick))
        column(source, self.said, line(), (self._differences, 1), (self._rest, 1), of=self, spacing=0)
        self.list.selectionModel().currentChanged.connect(self._choose)
        self.list.clicked.connect(self._choose)
        self.list.decided.connect(self.decided)
        self._show_list(shown=False)

    def _button_rows(self, theme: Theme) -> QVBoxLayout:
        listed = tr("For every difference that is listed, in one edit")
        keep = tr("Approve mine and do not ask again (Shift+Enter)")
        self._buttons = [
            push_button(words, tip, theme, role=role, call=partial(_tell, signal, choice))
            for words, tip, role, signal, choice in (
                (tr("Take theirs"), tr("Make mine like theirs (Enter)"), "main", self.decided, "theirs"),
                (tr("Keep mine"), keep, "", self.decided, "mine"),
                (tr("Take all of theirs"), listed, "", self.all_decided, "theirs"),
                (tr("Keep all of mine"), listed, "", self.all_decided, "mine"),
            )
        ]
        single, every = self._buttons[:2], self._buttons[2:]
        return column(row(*((one, 1) for one in single)), row(*((one, 1) for one in every)))

    # Showing --------------------------------------------------------------------------------------------------

    @property
    def source(self) -> Path | None:
        """The other one's work; None while there is none."""
        text = self.path.text().strip()
        return Path(text).expanduser() if text else None

    @property
    def kind(self) -> Kind | None:
        """Which kind is listed; None for all."""
        name = self.kinds.currentData()
        return next((kind for kind in KINDS if kind == name), None)

    def show_path(self, path: Path) -> None:
        """Take a path that was chosen elsewhere."""
        self.path.show_text(str(path))
        self.source_chosen.emit()

    def show_nothing(self, lines: Sequence[str], *, wrong: bool = False) -> None:
        """There is no opinion to compare with."""
        self.said.show_lines(lines, role="error" if wrong else "fact")
        self._model.show(())
        self._show_list(shown=False)

    def show_differences(self, found: Sequence[Difference], counts: Mapping[Kind, int]) -> None:
        """List differences; the row that was chosen stays at its place.

        Args:
            found: those of the kind that is listed.
            counts: of every kind.
        """
        row = max(self.list.currentIndex().row(), 0)
        self._show_kinds(counts)
        self._model.show(found)
        self._show_list(shown=True)
        self.none.setText("" if found else tr("There is no difference."))
        self.none.setVisible(not found)
        for button in self._buttons:
            button.setEnabled(bool(found))
        if found:
            self.list.setCurrentIndex(self._model.index(min(row, len(found) - 1)))
        else:
            self.row_chosen.emit(None)

    def _show_kinds(self, counts: Mapping[Kind, int]) -> None:
        chosen = self.kind
        with QSignalBlocker(self.kinds):
            self.kinds.clear()
            self.kinds.addItem(tr("All differences ({number})").format(number=sum(counts.values())), None)
            for kind in KINDS:
                if counts.get(kind) or kind == chosen:
                    self.kinds.addItem(f"{capital(KIND_WORDS[kind])} ({counts.get(kind, 0)})", kind)
            self.kinds.setCurrentIndex(max(self.kinds.findData(chosen), 0))

    def _show_list(self, *, shown: bool) -> None:
        self._differences.setVisible(shown)
        self._rest.setVisible(not shown)

    def _choose(self, index: QModelIndex, *_: object) -> None:
        self.row_chosen.emit(self._model.at(index.row()))
