"""Keys of a page: their actions, and what shows and changes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from annotator.ui.keys.key import PAGE_KEYS, KeyGroup, KeyPage, keys_on
from annotator.ui.keys.key_map import KeyMap
from annotator.ui.keys.ring import KeyRing
from annotator.ui.operations import Operations
from annotator.ui.theme.manager import Theme

if TYPE_CHECKING:
    from annotator.ui.editor.key_overlay import KeyOverlay
    from annotator.ui.keys.sheet import KeysSheet

_GROUPS: Final[Mapping[KeyPage, KeyGroup]] = {"library": "Library", "settings": "Settings", "models": "Models"}


class PageKeys(KeyRing):
    """The keys of one page. The sheets are made, and the editor's table is read, when they are first asked for."""

    def __init__(
        self, page: QWidget, name: KeyPage, *, shared: Mapping[str, QAction], theme: Theme, operations: Operations
    ) -> None:
        """Bind them.

        Args:
            page: whose keys they are.
            name: what the table calls it.
            shared: the actions of the whole window, whose keys can be changed here, too.
            theme: colours.
            operations: saves what is changed.
        """
        keys = keys_on(name)
        own, help_keys = ([key for key in keys if key.scope == scope] for scope in (name, "pages"))
        super().__init__(page, keys, own=(*own, *help_keys))
        self._name: KeyPage = name
        self._theme, self._operations = theme, operations
        self._overlay: KeyOverlay | None = None
        self._sheet: KeysSheet | None = None
        self.connect_keys(own, page)
        self.connect_keys(help_keys, self)
        self.adopt(shared)
        self.connect_buttons(page)

    def show_keys(self) -> None:
        """Show what holds here, or no longer."""
        if self._overlay is None:
            from annotator.ui.editor.key_overlay import KeyOverlay

            self._overlay = KeyOverlay(
                self.page, lambda: [key for key in self.map.keys if self._name in key.places], mouse=False
            )
        self._overlay.toggle()

    def change_keys(self) -> None:
        """Show every key there is, to be changed."""
        if self._sheet is None:
            # What a key means in the editor can only be told by the editor.
            from annotator.ui.editor import features
            from annotator.ui.editor.editor_keys import EDITOR_KEYS
            from annotator.ui.keys.sheet import KeysSheet

            self.use(KeyMap((*EDITOR_KEYS, *features.keys(), *PAGE_KEYS), self.map.chosen))
            self._sheet = KeysSheet(self.page, self, self._theme, operations=self._operations)
        self._sheet.open(group=_GROUPS[self._name])
