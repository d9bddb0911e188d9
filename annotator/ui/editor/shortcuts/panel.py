"""The tab with every key: a search, the list by group, and below it what can be done with the chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QKeyCombination, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.ui.controls import flat_button, label, push_button
from annotator.ui.editor.keys import GROUP_WORDS, Key
from annotator.ui.keys.key_map import KeyMap
from annotator.ui.keys.ring import native
from annotator.ui.settings.key_field import ALONE, KeyField
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE
from annotator.words import tr

__all__ = ["KeysPanel", "pressed_text"]

_NAME: Final = Qt.ItemDataRole.UserRole


def pressed_text(event: QKeyEvent) -> str:
    """What was pressed as the table of keys writes it, for instance ``Ctrl+Shift+T``; empty for a modifier alone."""
    key = Qt.Key(event.key())
    if key in ALONE:
        return ""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    letter = Qt.Key.Key_A <= key <= Qt.Key.Key_Z
    if not letter and len(event.text()) == 1 and event.text().isprintable() and not event.text().isspace():
        # Shift belongs to the sign: "?" is "?", on whatever key it lies.
        held &= ~Qt.KeyboardModifier.ShiftModifier
    if key == Qt.Key.Key_Backtab:
        key = Qt.Key.Key_Tab
    return QKeySequence(QKeyCombination(held, key)).toString(QKeySequence.SequenceFormat.PortableText)


class KeysPanel(QWidget):
    """Shows the keys and says what is wanted; it changes nothing itself.

    Signals:
        pressed: name of an action, the key that was pressed for it (empty: none), and whether it comes beside those
            that it has.
        taken: as ``pressed``, and it is to be taken away from whatever has it.
        back_wanted: name of an action that gets its usual keys; empty for all.
    """

    pressed = Signal(str, str, bool)
    taken = Signal(str, str, bool)
    back_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._map = KeyMap(())
        self._rows: dict[str, QTreeWidgetItem] = {}
        self._heads: list[QTreeWidgetItem] = []
        self.search = QLineEdit()
        self.search.setAccessibleName(tr("Search the keys"))
        self.search.setPlaceholderText(tr("What it does, or a key"))
        self.search.setToolTip(tr("Show only what has these words, or this key"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._narrow)
        self.list = self._make_list()
        self._nothing = label(tr("No key fits this search."), role="muted")
        self._nothing.hide()
        self.key, self.further = self._make_fields()
        self._words = label("", role="words", wraps=True)
        self._back = flat_button("restore", tr("Give it its usual keys again"), theme)
        self._back.clicked.connect(lambda: self.back_wanted.emit(self.chosen))
        self._all_back = push_button(tr("Set all back"), tr("Give everything its usual keys again"), theme)
        self._all_back.clicked.connect(lambda: self.back_wanted.emit(""))
        self._told = label("", role="warning", wraps=True)
        self._take = push_button(
            tr("Take it away there"), tr("The key means this here, and no longer what it meant"), theme, role="main"
        )
        self._take.clicked.connect(self._take_away)
        self._keep = push_button(tr("Keep it there"), tr("Change nothing"), theme)
        self._keep.clicked.connect(lambda: self.tell(""))
        self._asked: tuple[str, str, bool] | None = None
        self._lay_out()
        self.tell("")

    def _make_list(self) -> QTreeWidget:
        made = QTreeWidget()
        made.setAccessibleName(tr("Keys"))
        made.setColumnCount(2)
        made.setHeaderHidden(True)
        made.setRootIsDecorated(False)
        made.setIndentation(0)
        made.setUniformRowHeights(True)
        made.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.header().setStretchLastSection(False)
        made.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        made.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        made.currentItemChanged.connect(self._show_chosen)
        made.itemActivated.connect(self._to_key)
        return made

    def _make_fields(self) -> tuple[KeyField, KeyField]:
        made: list[KeyField] = []
        for name, beside in ((tr("Key"), False), (tr("Further key"), True)):
            field = KeyField(name, read=pressed_text)
            field.setMinimumWidth(90)
            field.committed.connect(partial(self._hand_over, beside))
            field.waiting_changed.connect(self._forget)
            made.append(field)
        return made[0], made[1]

    def _hand_over(self, beside: bool, text: str) -> None:  # noqa: FBT001 - a slot
        self.pressed.emit(self.chosen, text, beside)

    def _to_key(self) -> None:
        self.key.setFocus()

    def _forget(self) -> None:
        self.tell("")

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.m, SPACE.m, SPACE.m, SPACE.m)
        column.setSpacing(SPACE.s)
        head = QHBoxLayout()
        head.addWidget(self.search, 1)
        head.addWidget(self._all_back)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        column.addWidget(self._nothing)
        name = QHBoxLayout()
        name.addWidget(self._words, 1)
        name.addWidget(self._back)
        column.addLayout(name)
        fields = QHBoxLayout()
        for words, field in ((tr("Key"), self.key), (tr("Further"), self.further)):
            fields.addWidget(label(words, role="muted"))
            fields.addWidget(field, 1)
        column.addLayout(fields)
        column.addWidget(self._told)
        column.addWidget(self._take)
        column.addWidget(self._keep)

    # Showing --------------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> str:
        """Name of the chosen action; empty for none."""
        item = self.list.currentItem()
        return "" if item is None else str(item.data(0, _NAME) or "")

    @property
    def told(self) -> str:
        """What is wrong, as shown."""
        return self._told.text()

    def choose(self, name: str) -> None:
        """Choose an action."""
        self.list.setCurrentItem(self._rows[name])
        self.list.scrollToItem(self._rows[name])

    def choose_group(self, group: str) -> None:
        """Bring the keys of a group into sight, the first of them chosen."""
        name = next((key.name for key in self._map.keys if key.group == group), None)
        if name is not None:
            self.choose(name)
            head = self._rows[name].parent()
            if head is not None:
                self.list.scrollToItem(head, QAbstractItemView.ScrollHint.PositionAtTop)

    def show_map(self, shown: KeyMap) -> None:
        """Show the keys that hold."""
        self._map = shown
        if set(self._rows) != {key.name for key in shown.keys}:
            self._fill(shown.keys)
        for key in shown.keys:
            row, changed = self._rows[key.name], shown.is_changed(key.name)
            row.setText(1, "  ".join(native(text) for text in key.keys) or tr("No key"))
            font = row.font(1)
            font.setBold(changed)
            row.setFont(1, font)
            row.setToolTip(1, tr("Your own choice") if changed else "")
        self._all_back.setEnabled(bool(shown.chosen))
        self._show_chosen()

    def _fill(self, keys: Sequence[Key]) -> None:
        self.list.clear()
        self._rows.clear()
        self._heads.clear()
        for group, words in GROUP_WORDS.items():
            head = QTreeWidgetItem(self.list, [words.upper()])
            self._heads.append(head)
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            head.setFirstColumnSpanned(True)
            font = head.font(0)
            font.setPixelSize(FONT.caption)
            font.setBold(True)
            head.setFont(0, font)
            for key in keys:
                if key.group == group:
                    row = QTreeWidgetItem(head, [key.words, ""])
                    row.setData(0, _NAME, key.name)
                    row.setToolTip(0, key.words)
                    self._rows[key.name] = row
            head.setExpanded(True)
        for first in list(self._rows.values())[:1]:
            self.list.setCurrentItem(first)

    def _narrow(self, text: str) -> None:
        words = text.casefold().split()
        for head in self._heads:
            rows = [row for row in self._rows.values() if row.parent() is head]
            for row in rows:
                # Keys also by the names that they have on every system, for instance "Ctrl".
                usual = " ".join(self._map.keys_of(str(row.data(0, _NAME))))
                told = f"{head.text(0)} {row.text(0)} {row.text(1)} {usual}".casefold()
                row.setHidden(not all(word in told for word in words))
            head.setHidden(all(row.isHidden() for row in rows))
        self._nothing.setVisible(all(head.isHidden() for head in self._heads))

    def _show_chosen(self) -> None:
        name = self.chosen
        key = next((one for one in self._map.keys if one.name == name), None)
        fixed = key is not None and self._map.is_fixed(name)
        self._words.setText("" if key is None else key.words)
        self.key.show_keys("" if key is None else next(iter(key.keys), ""))
        self.further.show_keys("" if key is None else next(iter(key.keys[1:]), ""))
        for field in (self.key, self.further):
            field.setEnabled(key is not None and not fixed)
        self._back.setVisible(self._map.is_changed(name) if key is not None else False)
        self.tell(tr("This key stays as it is: the controls themselves answer to it.") if fixed else "")

    # What is wrong --------------------------------------------------------------------------------------------

    def tell(self, words: str) -> None:
        """Say why a key was not taken; nothing for nothing."""
        self._asked = None
        self._told.setText(words)
        self._told.setVisible(bool(words))
        for button in (self._take, self._keep):
            button.hide()

    def ask(self, name: str, text: str, others: Sequence[Key], *, beside: bool) -> None:
        """A key means something else already: ask which of both it is to mean."""
        theirs = ", ".join(f"“{key.words}”" for key in others)
        self.tell(
            tr("{key} already means {theirs}. One key can mean one thing.").format(key=native(text), theirs=theirs)
        )
        self._asked = (name, text, beside)
        self._take.show()
        self._keep.show()
        self.list.scrollTo(self.list.currentIndex())
        self._take.setFocus()

    def _take_away(self) -> None:
        if self._asked is not None:
            name, text, beside = self._asked
            self.tell("")
            self.taken.emit(name, text, beside)
