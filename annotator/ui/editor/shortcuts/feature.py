"""The keys of the editor, looked up and changed in a tab of the panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication

from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.ui.editor.shortcuts.key_map import KeyMap
from annotator.ui.editor.shortcuts.panel import KeysPanel
from annotator.words import tr
from demopack.settings import Settings, load_settings, save_settings

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
        self.panel.pressed.connect(self._on_pressed)
        self.panel.taken.connect(self._give)
        self.panel.back_wanted.connect(self._set_back)
        desk.keyring.changed.connect(self._show)
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
        self._show()
        self.desk.show_tab(_TAB)
        self.panel.search.setFocus()
        self.panel.search.selectAll()

    def _show(self) -> None:
        if self.panel.isVisible() or not self.panel.chosen:
            self.panel.show_map(self.desk.keyring.map)

    # Changing -------------------------------------------------------------------------------------------------

    def _on_pressed(self, name: str, text: str, beside: bool) -> None:  # noqa: FBT001 - a slot
        now = self.desk.keyring.map
        if text and (why := now.refusal(name, text)):
            self.panel.tell(why)
        elif text and (others := now.others(name, text)):
            self.panel.ask(name, text, others, beside=beside)
        else:
            self._give(name, text, beside)

    def _give(self, name: str, text: str, beside: bool) -> None:  # noqa: FBT001 - a slot
        now = self.desk.keyring.map
        if beside and not text:
            # The further key is taken away; the first one stays.
            self._use(now.given(name, next(iter(now.keys_of(name)), "")))
        else:
            self._use(now.given(name, text, beside=beside))

    def _set_back(self, name: str) -> None:
        self._use(self.desk.keyring.map.set_back(name or None))

    def _use(self, wanted: KeyMap) -> None:
        desk = self.desk
        desk.keyring.use(wanted)
        chosen = wanted.chosen

        def save() -> Settings:
            # Read again: other pages write other settings.
            settings = load_settings()
            changed = settings.model_copy(update={"ui": settings.ui.model_copy(update={"keys": chosen})})
            save_settings(changed)
            return changed

        desk.runner.submit(save, on_result=desk.keyring.saved.emit, on_error=desk.messages.show_error)
