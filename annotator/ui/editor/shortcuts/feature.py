"""The keys of the editor, looked up and changed in a tab of the panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication

from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.ui.editor.shortcuts.changer import KeyChanger
from annotator.ui.editor.shortcuts.panel import KeysPanel
from annotator.words import tr

__all__ = ["ShortcutsFeature"]

_TAB = "keys"
_RENAMES = QAbstractItemView.EditTrigger.EditKeyPressed


class ShortcutsFeature(Feature):
    """The tab with every key; what is changed there holds at once and is kept in the settings.

    Attributes:
        panel: what the tab shows.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (Key(name="keys", words=tr("Change keys"), keys=("F2",), group="Everything"),)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.panel = KeysPanel(desk.theme)
        self._changer = KeyChanger(self.panel, desk.keyring, runner=desk.runner, messages=desk.messages)
        desk.add_tab(_TAB, tr("Keys"), self.panel, stays=False)
        desk.add_head_action("change_keys", tr("Change keys"), self.open, tip=tr("Every key of the editor (F2)"))

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {"keys": self._press}

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
        self._changer.show()
        self.desk.show_tab(_TAB)
        self.panel.search.setFocus()
        self.panel.search.selectAll()
