"""The overlay with every key."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from annotator.ui.controls import label
from annotator.ui.editor.keys import GROUP_WORDS, Key, KeyGroup
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["KeyOverlay"]

_COLUMNS: tuple[tuple[KeyGroup, ...], ...] = (
    ("Steps", "Everything"),
    ("Change steps", "Recording", "From step to step"),
    ("Boxes", "Attributes"),
    ("Suggestions", "Find and review", "View"),
)

_MOUSE = (
    (tr("Drag on empty ground"), tr("Draw a box")),
    (tr("Drag a box, or a handle"), tr("Move it, resize it")),
    (tr("Alt and drag"), tr("Draw on top of a box")),
    (tr("Click again"), tr("The next larger box")),
    (tr("Ctrl and click"), tr("Select several")),
    (tr("Wheel"), tr("Zoom")),
    (tr("Drag a step"), tr("Put it elsewhere")),
    (tr("Middle button, or Space"), tr("Push the picture")),
)


class KeyOverlay(QFrame):
    """Lies over its parent until a key or a click takes it away; scrolls where the window is small."""

    def __init__(self, parent: QWidget, keys: Sequence[Key]) -> None:
        super().__init__(parent)
        self.setObjectName("overlay")
        self.setAccessibleName(tr("Keys"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._parent = parent
        self._back: QWidget | None = None
        self._inside = QWidget()
        columns = QHBoxLayout(self._inside)
        columns.setContentsMargins(0, 0, SPACE.m, 0)
        columns.setSpacing(2 * SPACE.l)
        for groups in _COLUMNS:
            columns.addLayout(_groups(keys, groups))
        columns.addLayout(_groups(keys, (), mouse=True))
        area = QScrollArea()
        area.setObjectName("keys")
        area.setWidget(self._inside)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE.xl, SPACE.l, SPACE.m, SPACE.l)
        layout.setSpacing(SPACE.m)
        layout.addWidget(label(tr("Keys"), role="title"))
        layout.addWidget(area)
        parent.installEventFilter(self)
        self.hide()

    def toggle(self) -> None:
        """Show it, or take it away."""
        if self.isVisible():
            self._leave()
            return
        self._back = self._parent.focusWidget()
        self._place()
        self.show()
        self.raise_()
        self.setFocus()

    def _leave(self) -> None:
        self.hide()
        if self._back is not None:
            self._back.setFocus()

    def _place(self) -> None:
        wanted = self._inside.sizeHint() + QSize(SPACE.xl + SPACE.m + 4, 2 * SPACE.l + SPACE.m + 28)
        room = self._parent.size() - QSize(2 * SPACE.s, 2 * SPACE.s)
        self.resize(wanted.boundedTo(room))
        self.move((self._parent.width() - self.width()) // 2, max((self._parent.height() - self.height()) // 2, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: any key."""
        del event
        self._leave()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: any click."""
        del event
        self._leave()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: stay in the middle."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)


def _groups(keys: Sequence[Key], names: Sequence[KeyGroup], *, mouse: bool = False) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(SPACE.s)
    for name in names:
        shown = _shown(keys, name)
        if not shown:
            continue
        column.addWidget(label(GROUP_WORDS[name].upper(), role="heading"))
        grid = _grid()
        for words, texts in shown.items():
            _add(grid, texts[:3], words)
        column.addLayout(grid)
        column.addSpacing(SPACE.s)
    if mouse:
        column.addWidget(label("MOUSE", role="heading"))
        for what, words in _MOUSE:
            column.addWidget(label(f"{what}\n{words}", role="caption"))
    column.addStretch(1)
    return column


def _grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(SPACE.m)
    grid.setVerticalSpacing(3)
    grid.setColumnStretch(1, 1)
    return grid


def _shown(keys: Sequence[Key], group: KeyGroup) -> dict[str, list[str]]:
    """What can be done, and by which keys: the same by other keys is one line, and so are the four nudges."""
    found: dict[str, list[str]] = {}
    for key in keys:
        if key.group == group and not key.name.startswith("nudge_"):
            found.setdefault(key.words, []).extend(_native(text) for text in key.keys if text != "Return")
    if group == "Boxes":
        found["Move by a pixel"] = [_native("Ctrl+Arrows")]
    return found


def _native(text: str) -> str:
    if text == "Ctrl+Arrows":
        return "Ctrl+← ↑ ↓ →"
    native = QKeySequence(text).toString(QKeySequence.SequenceFormat.NativeText)
    return {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}.get(native, native)


def _add(grid: QGridLayout, keys: list[str], words: str) -> None:
    row = grid.rowCount()
    cell = QHBoxLayout()
    cell.setSpacing(SPACE.xs)
    for key in keys:
        cap: QLabel = label(key, role="key")
        cell.addWidget(cap)
    cell.addStretch(1)
    grid.addLayout(cell, row, 0)
    grid.addWidget(label(words, role="fact"), row, 1)
