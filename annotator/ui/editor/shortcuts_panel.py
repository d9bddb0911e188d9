"""Every key, in a tab or over a page without tabs: a search, the list by group, and changing the chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from PySide6.QtCore import QKeyCombination, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from annotator.ui.controls import (
    column,
    flat_button,
    label,
    native,
    on_escape,
    on_resize,
    push_button,
    row,
    show_words,
    table,
)
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.panels.panel_section import Overlay
from annotator.ui.fitting import Fitting, stacking
from annotator.ui.keys.key import GROUP_WORDS, Key, KeyMap
from annotator.ui.keys.ring import KeyRing
from annotator.ui.operations import Operations
from annotator.ui.settings.key_field import ALONE, KeyField
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE
from annotator.words import tr
from demopack.settings import Settings, load_settings, save_settings

_NAME: Final = Qt.ItemDataRole.UserRole
_SEARCH_WIDTH: Final = 210
"""For what stands in it before anything is searched."""


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


class _Wrapped(QStyledItemDelegate):
    """Rows as high as their names and keys need at the width of their columns; a tree alone does not wrap."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Qt's hook: several keys that are held together can be parted behind each plus."""
        super().initStyleOption(option, index)
        if index.column():
            option.text = option.text.replace("+", "+\u200b")

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Qt's hook: keys take half of the width at most."""
        view = self.parent()
        if isinstance(view, QTreeView) and index.parent().isValid():
            width = view.viewport().width() // 2 if index.column() else view.columnWidth(0)
            option.rect = QRect(0, 0, width - 2 * SPACE.xs, 1)
        return super().sizeHint(option, index) + QSize(0, SPACE.xs)


class KeysPanel(QWidget):
    """Every key of a page; what is changed here holds at once, and is kept in the settings.

    Attributes:
        search: words, or a key.
        list: the keys by group.
        key: of the chosen action.
        further: its second key.
    """

    def __init__(self, theme: Theme, ring: KeyRing, *, operations: Operations) -> None:
        super().__init__()
        self._theme, self._ring, self._operations = theme, ring, operations
        self._rows: dict[str, QTreeWidgetItem] = {}
        self._heads: list[QTreeWidgetItem] = []
        self.search = QLineEdit(placeholderText=tr("What it does, or a key"), clearButtonEnabled=True)
        self.search.setAccessibleName(tr("Search the keys"))
        self.search.setToolTip(tr("Show only what has these words, or this key"))
        self.search.textChanged.connect(self._narrow)
        self.list = self._make_list()
        self._nothing = label(tr("No key fits this search."), role="muted")
        self._nothing.hide()
        self.key, self.further = self._make_fields()
        self._words = label("", role="words", wraps=True)
        usual, all_usual = tr("Give it its usual keys again"), tr("Give everything its usual keys again")
        self._back = flat_button("restore", usual, theme, call=lambda: self._use(ring.map.set_back(self.chosen)))
        self._all_back = push_button(tr("Set all back"), all_usual, theme, call=lambda: self._use(ring.map.set_back()))
        self.told = label("", role="warning", wraps=True)
        takes = tr("The key means this here, and no longer what it meant")
        self._take = push_button(tr("Take it away there"), takes, theme, role="main", call=self._take_away)
        self._keep = push_button(tr("Keep it there"), tr("Change nothing"), theme, call=lambda: self.tell(""))
        self._asked = ("", False)
        self.search.setMinimumWidth(_SEARCH_WIDTH)
        head = row((self.search, 1), self._all_back)
        # Under each other: side by side the names of some keys would be cut.
        fields = table(((label(tr("Key"), role="muted"), self.key), (label(tr("Further"), role="muted"), self.further)))
        fields.setColumnStretch(1, 1)
        column(
            head,
            (self.list, 1),
            self._nothing,
            row((self._words, 1), self._back),
            fields,
            self.told,
            self._take,
            self._keep,
            of=self,
            margins=SPACE.m,
        )
        self._fitting = Fitting(self, (stacking(head),), says=self._all_back.text)
        self.tell("")
        ring.changed.connect(self._follow)

    def _make_list(self) -> QTreeWidget:
        made = QTreeWidget(columnCount=2)
        made.setAccessibleName(tr("Keys"))
        made.setHeaderHidden(True)
        made.setRootIsDecorated(False)
        made.setIndentation(0)
        made.setWordWrap(True)
        made.setItemDelegate(_Wrapped(made))
        made.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.header().setStretchLastSection(False)
        made.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        made.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        made.header().sectionResized.connect(made.scheduleDelayedItemsLayout)
        made.currentItemChanged.connect(self._show_chosen)
        made.itemActivated.connect(lambda: self.key.setFocus())
        return made

    def _make_fields(self) -> tuple[KeyField, KeyField]:
        made = KeyField(tr("Key"), read=pressed_text), KeyField(tr("Further key"), read=pressed_text)
        for beside, field in enumerate(made):
            field.committed.connect(partial(self._press, bool(beside)))
            field.waiting_changed.connect(lambda: self.tell(""))
        return made

    # Showing --------------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> str:
        """Name of the chosen action; empty for none."""
        item = self.list.currentItem()
        return "" if item is None else str(item.data(0, _NAME) or "")

    def choose(self, name: str) -> None:
        """Choose an action."""
        self.list.setCurrentItem(self._rows[name])
        self.list.scrollToItem(self._rows[name])

    def choose_group(self, group: str) -> None:
        """Bring the keys of a group into sight, the first of them chosen."""
        name = next((key.name for key in self._ring.map.keys if key.group == group), None)
        if name is not None:
            self.choose(name)
            head = self._rows[name].parent()
            if head is not None:
                self.list.scrollToItem(head, QAbstractItemView.ScrollHint.PositionAtTop)

    def show_keys(self) -> None:
        """Show the keys that hold."""
        shown = self._ring.map
        if set(self._rows) != {key.name for key in shown.keys}:
            self._fill(shown.keys)
        for key in shown.keys:
            row, changed = self._rows[key.name], shown.is_changed(key.name)
            row.setText(1, "\n".join(native(text) for text in key.keys) or tr("No key"))
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
            items = [item for item in self._rows.values() if item.parent() is head]
            for item in items:
                # Keys also by the names that they have on every system, for instance "Ctrl".
                usual = " ".join(self._ring.map.keys_of(str(item.data(0, _NAME))))
                told = f"{head.text(0)} {item.text(0)} {item.text(1)} {usual}".casefold()
                item.setHidden(not all(word in told for word in words))
            head.setHidden(all(item.isHidden() for item in items))
        self._nothing.setVisible(all(head.isHidden() for head in self._heads))

    def _show_chosen(self) -> None:
        name = self.chosen
        key = next((one for one in self._ring.map.keys if one.name == name), None)
        fixed = key is not None and self._ring.map.is_fixed(name)
        self._words.setText("" if key is None else key.words)
        for field, shown in zip((self.key, self.further), (*(() if key is None else key.keys), "", ""), strict=False):
            field.show_keys(shown)
            field.setEnabled(key is not None and not fixed)
        self._back.setVisible(key is not None and self._ring.map.is_changed(name))
        self.tell(tr("This key stays as it is: the controls themselves answer to it.") if fixed else "")

    # What is wrong --------------------------------------------------------------------------------------------

    def tell(self, words: str) -> None:
        """Say why a key was not taken; nothing for nothing."""
        show_words(self.told, words)
        for button in (self._take, self._keep):
            button.hide()

    def _ask(self, text: str, others: Sequence[Key], *, beside: bool) -> None:
        """A key means something else already: ask which of both it is to mean."""
        theirs = ", ".join(f"“{key.words}”" for key in others)
        self.tell(
            tr("{key} already means {theirs}. One key can mean one thing.").format(key=native(text), theirs=theirs)
        )
        self._asked = (text, beside)
        self._take.show()
        self._keep.show()
        self.list.scrollTo(self.list.currentIndex())
        self._take.setFocus()

    def _take_away(self) -> None:
        self.tell("")
        self._give(self._asked[0], beside=self._asked[1])

    # Changing -------------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        if self.isVisible() or not self.chosen:
            self.show_keys()

    def _press(self, beside: bool, text: str) -> None:  # noqa: FBT001 - a slot
        """A key was pressed for the chosen action, empty for none; perhaps beside the one that it has."""
        now, name = self._ring.map, self.chosen
        if text and (why := now.refusal(name, text)):
            self.tell(why)
        elif text and (others := now.others(name, text)):
            self._ask(text, others, beside=beside)
        else:
            self._give(text, beside=beside)

    def _give(self, text: str, *, beside: bool) -> None:
        now, name = self._ring.map, self.chosen
        if beside and not text:
            # The further key is taken away; the first one stays.
            text, beside = next(iter(now.keys_of(name)), ""), False
        self._use(now.given(name, text, beside=beside))

    def _use(self, wanted: KeyMap) -> None:
        self._ring.use(wanted)
        chosen = wanted.chosen

        def save() -> Settings:
            # Read again: other pages write other settings.
            settings = load_settings()
            changed = settings.model_copy(update={"ui": settings.ui.model_copy(update={"keys": chosen})})
            save_settings(changed)
            return changed

        self._operations.start(save, on_result=self._ring.saved.emit, lane="library")


_TAB = "keys"
_RENAMES = QAbstractItemView.EditTrigger.EditKeyPressed


_SHEET_WIDTH: Final = 460


class KeysSheet(Overlay):
    """Lies over the right of its page, as high as that is.

    Attributes:
        panel: every key, with a search.
    """

    def __init__(self, page: QWidget, ring: KeyRing, theme: Theme, *, operations: Operations) -> None:
        super().__init__(page, tr("Change keys"))
        self.panel = KeysPanel(theme, ring, operations=operations)
        close = flat_button("close", tr("Close"), theme, keys="Esc", call=self.close_overlay)
        column(
            row((label(tr("Change keys"), role="title"), 1), close, margins=(SPACE.m, SPACE.s, SPACE.s, 0)),
            (self.panel, 1),
            of=self,
            spacing=0,
            margins=1,
        )
        on_resize(self, page, lambda: self._place() if self.isVisible() else None)
        on_escape(self, self.close_overlay, always=True)

    def open(self, *, group: str) -> None:
        """Show it, with the cursor in its search, at the keys of a group."""
        self.panel.show_keys()
        self._place()
        self.open_here(self.panel.search)
        self.panel.choose_group(group)
        self.panel.search.selectAll()

    def _place(self) -> None:
        page = self._over
        width = min(_SHEET_WIDTH, page.width() - 2 * SPACE.s)
        self.setGeometry(page.width() - width - SPACE.s, SPACE.s, width, page.height() - 2 * SPACE.s)


class ShortcutsFeature(Feature):
    """The tab with every key; what is changed there holds at once and is kept in the settings.

    Attributes:
        panel: what the tab shows.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.panel = KeysPanel(context.theme, context.keyring, operations=context.operations)
        context.panel.add_tab(_TAB, tr("Keys"), self.panel, stays=False)
        tip = tr("Every key of the editor")
        context.head.add_job("change_keys", tr("Change keys"), self.open, tip=tip, key="keys")

    def _press(self) -> None:
        """F2 renames where a list can do that, and shows the keys everywhere else."""
        focus = QApplication.focusWidget()
        if isinstance(focus, QAbstractItemView) and focus.editTriggers() & _RENAMES:
            here = focus.currentIndex()
            if here.isValid() and here.flags() & Qt.ItemFlag.ItemIsEditable:
                focus.edit(here)
                return
        self.open()

    def open(self) -> None:
        """Show the tab, with the cursor in its search."""
        self.panel.show_keys()
        self.context.panel.show_tab(_TAB)
        self.panel.search.setFocus()
        self.panel.search.selectAll()

    KEYS: ClassVar[tuple[Key, ...]] = (Key("keys", tr("Change keys"), ("F2",), "Everything", call=_press),)
