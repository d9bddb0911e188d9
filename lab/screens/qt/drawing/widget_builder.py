"""What a window is made with: chance, words, icons and a look; and small parts that many windows have."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLabel, QMainWindow, QMenu, QPushButton, QToolBar, QToolButton, QWidget

from lab.screens.qt.drawing.icons import IconMaker
from lab.screens.qt.drawing.window_style import WindowStyle
from lab.screens.qt.words.speech import Speech

_T = TypeVar("_T")


class WidgetBuilder:
    """Everything a generator of windows may use; two kits of equal seeds make equal windows."""

    def __init__(self, rng: random.Random, say: Speech, icons: IconMaker, look: WindowStyle) -> None:
        self.rng = rng
        self.say = say
        self.icons = icons
        self.look = look
        self.dense = rng.random()
        """0 for sparse windows, 1 for crowded ones."""

    def maybe(self, chance: float) -> bool:
        """True with this chance."""
        return self.rng.random() < chance

    def pick(self, things: Sequence[_T]) -> _T:
        """One of several."""
        return self.rng.choice(things)

    def count(self, low: int, high: int) -> int:
        """A number that grows with how crowded the window is."""
        span = high - low
        return low + round(span * min(1.0, max(0.0, self.dense + self.rng.uniform(-0.25, 0.25))))

    def label(self, text: str, *, wrap: bool = False) -> QLabel:
        """A line or paragraph of plain text."""
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(wrap)
        return label

    def heading(self, text: str) -> QLabel:
        """A larger line."""
        label = self.label(text)
        font = label.font()
        font.setPointSize(font.pointSize() + self.rng.randint(2, 8))
        font.setBold(self.maybe(0.5))
        label.setFont(font)
        return label

    def picture(self, subtype: str, size: int) -> QLabel:
        """An icon that stands by itself."""
        label = QLabel()
        label.setPixmap(self.icons.pixmap(subtype, size))
        label.setProperty("subtype", subtype)
        return label

    def button(self, text: str) -> QPushButton:
        """A button, now and then with an icon, disabled, or checkable."""
        button = QPushButton(text)
        if self.maybe(0.2):
            button.setIcon(self.icons.icon(self.icons.some()))
        button.setEnabled(not self.maybe(0.12))
        return button

    def tool(self, subtype: str, *, size: int = 20, flat: bool = True) -> QToolButton:
        """A button with nothing but an icon."""
        button = QToolButton()
        button.setIcon(self.icons.icon(subtype, size=size))
        button.setIconSize(QSize(size, size))
        button.setAutoRaise(flat)
        button.setProperty("subtype", subtype)
        return button

    def action(self, parent: QWidget, text: str, subtype: str = "") -> QAction:
        """An entry of a menu or tool bar."""
        action = QAction(text, parent)
        if subtype:
            action.setIcon(self.icons.icon(subtype))
            action.setProperty("subtype", subtype)
        return action

    def menu(self, parent: QWidget, title: str = "", *, deep: bool = True) -> QMenu:
        """A menu with some entries."""
        menu = QMenu(title, parent)
        words = self.say.actions(self.rng.randint(3, 12))
        icons, keys = self.maybe(0.4), self.maybe(0.5)
        for text in words:
            action = self.action(menu, text, self.icons.some() if icons and self.maybe(0.7) else "")
            if keys and self.maybe(0.5):
                action.setShortcut(QKeySequence(self.pick(_KEYS)))
            if self.maybe(0.12):
                action.setEnabled(False)
            if self.maybe(0.12):
                action.setCheckable(True)
                action.setChecked(self.maybe(0.5))
            menu.addAction(action)
            if self.maybe(0.18):
                menu.addSeparator()
        if deep and self.maybe(0.4):
            menu.addMenu(self.menu(menu, self.say.noun(), deep=False))
        return menu

    def menus(self, window: QMainWindow) -> None:
        """Fill a window's menu bar."""
        for title in self.say.menus(self.count(3, 9)):
            menu = self.menu(window, f"&{title}" if self.maybe(0.5) else title)
            window.menuBar().addMenu(menu)

    def tool_bar(self, window: QMainWindow, subtypes: Sequence[str], *, texts: Sequence[str] = ()) -> QToolBar:
        """A tool bar with an entry for each icon; with words where texts are given."""
        bar = QToolBar(window)
        bar.setMovable(self.maybe(0.3))
        size = self.pick((16, 16, 20, 22, 24, 32))
        bar.setIconSize(QSize(size, size))
        if texts:
            bar.setToolButtonStyle(
                self.pick((Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonTextUnderIcon))
            )
        for number, subtype in enumerate(subtypes):
            action = self.action(bar, texts[number] if number < len(texts) else subtype, subtype)
            action.setEnabled(not self.maybe(0.12))
            if self.maybe(0.1):
                action.setCheckable(True)
                action.setChecked(self.maybe(0.6))
            bar.addAction(action)
            if self.maybe(0.2):
                bar.addSeparator()
        window.addToolBar(bar)
        return bar


_KEYS = (
    "Ctrl+O",
    "Ctrl+S",
    "Ctrl+Shift+S",
    "Ctrl+N",
    "Ctrl+W",
    "F5",
    "Ctrl+Z",
    "Del",
    "Ctrl+C",
    "Alt+F4",
    "F1",
    "Ctrl+F",
)
