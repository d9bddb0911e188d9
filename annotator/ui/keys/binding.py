"""Keys of the window and its pages: their actions, and what shows and changes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from annotator.ui.keys.key import PAGE_KEYS, Key, KeyGroup, KeyPage, keys_on
from annotator.ui.keys.key_map import KeyMap
from annotator.ui.keys.ring import KeyRing
from annotator.ui.operations import Operations
from annotator.ui.theme.manager import Theme

if TYPE_CHECKING:
    from annotator.ui.editor.key_overlay import KeyOverlay
    from annotator.ui.keys.sheet import KeysSheet

_GROUPS: Final[Mapping[KeyPage, KeyGroup]] = {"library": "Library", "settings": "Settings", "models": "Models"}


class PageKeys(QObject):
    """The keys of one page. The sheets are made, and the editor's table is read, when they are first asked for.

    Attributes:
        ring: the keys that hold here.
    """

    def __init__(
        self, page: QWidget, name: KeyPage, *, shared: Mapping[str, QAction], theme: Theme, operations: Operations
    ) -> None:
        super().__init__(page)
        self._page: QWidget = page
        self._name: KeyPage = name
        self._theme, self._operations = theme, operations
        self._overlay: KeyOverlay | None = None
        self._sheet: KeysSheet | None = None
        keys = keys_on(name)
        own, help_keys = ([key for key in keys if key.scope == scope] for scope in (name, "pages"))
        self.ring = KeyRing(page, keys, own=(*own, *help_keys))
        self.ring.connect_keys(own, page)
        self.ring.connect_keys(help_keys, self)
        self.ring.adopt(shared)
        self.ring.connect_buttons(page)

    def show_keys(self) -> None:
        """Show what holds here, or no longer."""
        if self._overlay is None:
            from annotator.ui.editor.key_overlay import KeyOverlay

            self._overlay = KeyOverlay(self._page, self._keys_here, mouse=False)
        self._overlay.toggle()

    def change_keys(self) -> None:
        """Show every key there is, to be changed."""
        if self._sheet is None:
            # What a key means in the editor can only be told by the editor.
            from annotator.ui.editor import features
            from annotator.ui.editor.editor_keys import EDITOR_KEYS
            from annotator.ui.keys.sheet import KeysSheet

            self.ring.use(KeyMap((*EDITOR_KEYS, *features.keys(), *PAGE_KEYS), self.ring.map.chosen))
            self._sheet = KeysSheet(self._page, self.ring, self._theme, operations=self._operations)
        self._sheet.open(group=_GROUPS[self._name])

    def _keys_here(self) -> Sequence[Key]:
        return [key for key in self.ring.map.keys if self._name in key.places]


class WindowKeys(QObject):
    """The keys of the window and of its pages.

    Signals:
        saved: the ``Settings`` with the user's keys, when they are on the disk.
    """

    saved = Signal(object)

    def __init__(self, window: QWidget, *, theme: Theme, operations: Operations) -> None:
        super().__init__(window)
        self._parts = (theme, operations)
        keys = [key for key in PAGE_KEYS if key.scope == "window"]
        ring = KeyRing(window, keys)
        ring.connect_keys(keys, window)
        self._shared = ring.actions
        self._pages: dict[QWidget, PageKeys] = {}

    def add(self, page: QWidget, name: KeyPage) -> None:
        """Bind the keys of a page."""
        theme, operations = self._parts
        made = PageKeys(page, name, shared=self._shared, theme=theme, operations=operations)
        made.ring.saved.connect(self.saved)
        self._pages[page] = made

    def share(self, ring: KeyRing) -> None:
        """Let an editor's keys have those of the window among them."""
        ring.adopt(self._shared)

    def take(self, page: QWidget | None, chosen: Mapping[str, Sequence[str]]) -> None:
        """A page is shown: what was chosen elsewhere holds there, too."""
        found = None if page is None else self._pages.get(page)
        if found is not None:
            found.ring.take(chosen)
