"""The tab: whose opinion, how far both agree, every difference, and who was right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QSignalBlocker, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QListView, QVBoxLayout, QWidget

from annotator.opinion.commands import KIND_WORDS
from annotator.opinion.differences import KINDS, Difference, Kind
from annotator.ui.controls import LineField, label, line, push_button
from annotator.ui.editor.interchange.parts import Lines
from annotator.ui.editor.opinion.delegate import DifferenceDelegate
from annotator.ui.editor.opinion.model import DifferencesModel
from annotator.ui.editor.panels.base import part
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import capital, tr

__all__ = ["OpinionPanel"]

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


class OpinionPanel(QWidget):
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
        self.path.committed.connect(self._choose_source)
        pick = push_button(tr("Choose …"), tr("Choose the folder of the other one's work"), theme, name="folder")
        pick.clicked.connect(self.pick_wanted)
        row = QHBoxLayout()
        row.setSpacing(SPACE.s)
        row.addWidget(self.path, 1)
        row.addWidget(pick)
        self.said = Lines(tr("Agreement"), tr("How far both agree"))
        self.kinds = QComboBox()
        self.kinds.setAccessibleName(tr("Kind of differences"))
        self.kinds.setToolTip(tr("Which differences are listed"))
        self.kinds.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.list = _List(theme)
        self.list.setModel(model)
        self.none = label("", role="caption", wraps=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(part(tr("Second opinion"), row))
        column.addWidget(self.said)
        column.addWidget(line())
        self._differences = QWidget()
        inside = part(tr("Differences"), self.kinds, self.none, self.list, self._buttons(theme))
        inside.setStretch(inside.indexOf(self.list), 1)
        self._differences.setLayout(inside)
        column.addWidget(self._differences, 1)
        self._rest = QWidget()
        column.addWidget(self._rest, 1)
        self.kinds.currentIndexChanged.connect(self._choose_kind)
        self.list.selectionModel().currentChanged.connect(self._choose)
        self.list.clicked.connect(self._choose)
        self.list.decided.connect(self.decided)
        self._show_list(shown=False)

    def _buttons(self, theme: Theme) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(SPACE.s)
        self._single = [
            push_button(tr("Take theirs"), tr("Make mine like theirs (Enter)"), theme, role="main"),
            push_button(tr("Keep mine"), tr("Approve mine and do not ask again (Shift+Enter)"), theme),
        ]
        self._all = [
            push_button(tr("Take all of theirs"), tr("For every difference that is listed, in one edit"), theme),
            push_button(tr("Keep all of mine"), tr("For every difference that is listed, in one edit"), theme),
        ]
        for buttons, signal in ((self._single, self.decided), (self._all, self.all_decided)):
            row = QHBoxLayout()
            row.setSpacing(SPACE.s)
            for button, choice in zip(buttons, ("theirs", "mine"), strict=True):
                button.clicked.connect(partial(_tell, signal, choice))
                row.addWidget(button, 1)
            column.addLayout(row)
        return column

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
        for button in (*self._single, *self._all):
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

    def _choose_kind(self, *_: object) -> None:
        self.kind_chosen.emit()

    def _choose_source(self, *_: object) -> None:
        self.source_chosen.emit()

    def _choose(self, index: QModelIndex, *_: object) -> None:
        self.row_chosen.emit(self._model.at(index.row()))
