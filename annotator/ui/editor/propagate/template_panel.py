"""The list of templates: save, place, rename, delete."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from annotator.propagate.templates import Template
from annotator.ui.controls import column, flat_button, label, push_button, row
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HIT, SPACE
from annotator.words import tr


class _List(QListWidget):
    """The names; Enter places one, F2 renames it, Delete takes it away.

    Signals:
        entered: Enter was pressed.
        deleted: Delete was pressed.
        left: Esc was pressed.
    """

    entered = Signal()
    deleted = Signal()
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.entered.emit()
        elif event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.deleted.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class TemplatePanel(QWidget):
    """What the tab shows.

    Signals:
        save_wanted: keep the selection, or all boxes of the picture, under this name.
        chosen: id of the template to look at; empty for none.
        place_wanted: place the one that is looked at.
        renamed: id and new name.
        delete_wanted: id.
        left: Esc was pressed.
        hidden: another tab is shown.
    """

    save_wanted = Signal(str)
    chosen = Signal(str)
    place_wanted = Signal()
    renamed = Signal(str, str)
    delete_wanted = Signal(str)
    left = Signal()
    hidden = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._filling = False
        self._name = QLineEdit()
        self._name.setAccessibleName(tr("Name of the new template"))
        self._name.setPlaceholderText(tr("Name of a new template"))
        self._name.returnPressed.connect(self._save)
        self._save_button = push_button(tr("Save"), tr("Keep the boxes under this name"), theme, call=self._save)
        self._about = label("", role="caption", wraps=True)
        self.list = _List()
        self.list.setObjectName("offers")
        self.list.setAccessibleName(tr("Templates"))
        self.list.setToolTip(
            tr("Arrow keys show a template on the picture, Enter places it, F2 renames, Delete deletes")
        )
        self.list.setEditTriggers(QListWidget.EditTrigger.EditKeyPressed | QListWidget.EditTrigger.DoubleClicked)
        self.list.currentRowChanged.connect(self._choose)
        self.list.itemChanged.connect(self._rename)
        self.list.entered.connect(self.place_wanted)
        self.list.deleted.connect(self._delete)
        self.list.left.connect(self.left)
        self._empty = label(
            tr("Boxes that come back on many pictures can be kept here and placed with two keys."),
            role="muted",
            wraps=True,
        )
        self.words = label("", role="caption", wraps=True)
        place = tr("Put these boxes on the picture")
        self._place = push_button(tr("Place"), place, theme, role="main", keys="Return", call=self.place_wanted)
        self._remove = flat_button("trash", tr("Delete this template"), theme, keys="Delete", call=self._delete)
        column(
            row((self._name, 1), self._save_button),
            self._about,
            self._empty,
            (self.list, 1),
            self.words,
            row((self._place, 1), self._remove),
            of=self,
            margins=SPACE.m,
        )
        self.show_place("", ready=False)

    # What is shown --------------------------------------------------------------------------------------------

    def show_templates(self, templates: Sequence[Template], *, current: str = "") -> None:
        """List them, one of them taken."""
        self._filling = True
        self.list.clear()
        for template in templates:
            item = QListWidgetItem(template.name)
            item.setData(Qt.ItemDataRole.UserRole, template.id)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            count = len(template.elements)
            item.setToolTip(tr("1 box") if count == 1 else tr("{count} boxes").format(count=count))
            item.setSizeHint(QSize(0, HIT.tool))
            self.list.addItem(item)
            if template.id == current:
                self.list.setCurrentItem(item)
        self._empty.setVisible(not templates)
        self.list.setVisible(bool(templates))
        self._filling = False
        self._choose()

    def show_offer(self, *, selected: int, all_boxes: int) -> None:
        """What would be saved."""
        count = selected or all_boxes
        boxes = tr("1 box") if count == 1 else tr("{count} boxes").format(count=count)
        if not count:
            self._about.setText(tr("There are no boxes on this picture to save."))
        elif selected:
            self._about.setText(tr("Saves the selection: {boxes}.").format(boxes=boxes))
        else:
            self._about.setText(tr("Nothing is selected: saves all of this picture, {boxes}.").format(boxes=boxes))
        self._save_button.setEnabled(bool(count))

    def show_place(self, words: str, *, ready: bool) -> None:
        """What placing the chosen one would do."""
        self.words.setText(words)
        self.words.setVisible(bool(words))
        self._place.setEnabled(ready)
        self._remove.setEnabled(self.current != "")

    @property
    def current(self) -> str:
        """Id of the template that is looked at; empty for none."""
        if self.list.currentRow() < 0:
            return ""
        return str(self.list.currentItem().data(Qt.ItemDataRole.UserRole))

    def take_focus(self) -> None:
        """Let the keyboard begin at the list, or at the name where there is no list yet."""
        if self.list.count():
            if self.list.currentRow() < 0:
                self.list.setCurrentRow(0)
            self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self._name.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def hideEvent(self, event: QHideEvent) -> None:
        """Qt's hook: what was looked at is no longer."""
        super().hideEvent(event)
        self.hidden.emit()

    # What is wanted -------------------------------------------------------------------------------------------

    def _save(self) -> None:
        name = " ".join(self._name.text().split())
        if name and self._save_button.isEnabled():
            self._name.clear()
            self.save_wanted.emit(name)
        else:
            self._name.setFocus()

    def _choose(self, row: int = -1) -> None:
        del row
        if not self._filling:
            self.chosen.emit(self.current)

    def _rename(self, item: QListWidgetItem) -> None:
        if not self._filling:
            self.renamed.emit(str(item.data(Qt.ItemDataRole.UserRole)), item.text())

    def _delete(self) -> None:
        if self.current:
            self.delete_wanted.emit(self.current)
