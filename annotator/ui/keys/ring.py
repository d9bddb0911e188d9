"""The keys that hold on one page: on its actions, in its tool tips, and for whoever shows and changes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QWidget

from annotator.ui.controls import ACTION, CLICKS, KEY, native, set_tip
from annotator.ui.keys.key import PAGE_KEYS, Key, KeyMap, KeyPage, KeyScope, keys_on
from annotator.ui.operations import Operations
from annotator.ui.theme.manager import Theme
from annotator.words import capital

if TYPE_CHECKING:
    from annotator.ui.editor.key_overlay import KeyOverlay
    from annotator.ui.editor.shortcuts_panel import KeysSheet

_WIDGET_SCOPES = ("picture", "canvas", "list")


class KeyRing(QObject):
    """Actions of one page by name, with the keys that the user wants.

    Attributes:
        page: whose keys they are.
        map: the keys that hold.
        actions: by the names of the keys; of keys that call nothing there is none.

    Signals:
        changed: other keys hold.
        saved: the ``Settings`` with the user's keys, when they are on the disk.
    """

    changed = Signal()
    saved = Signal(object)

    def __init__(
        self,
        page: QWidget,
        keys: Sequence[Key],
        *,
        own: Sequence[Key] | None = None,
        chosen: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Make the actions; they do something once ``connect_keys`` names the owner of their calls.

        Args:
            page: parent of the actions; tool tips on it are kept.
            keys: the table.
            own: those of which actions are made; all, unless given. Others can be changed here as well.
            chosen: keys of the user's own, by name.
        """
        super().__init__(page)
        self.page = page
        self.map = KeyMap(keys, chosen)
        made = keys if own is None else own
        self.actions = {key.name: _action(self.map[key.name], page) for key in made if key.call is not None}

    def connect_keys(
        self, keys: Iterable[Key], owner: object, homes: Mapping[KeyScope, Sequence[QWidget]] | None = None
    ) -> None:
        """Let keys call their owner, on the widgets given for their scopes, or on the whole page."""
        for key in keys:
            if key.call is not None:
                action = self.actions[key.name]
                action.triggered.connect(partial(key.call, owner))
                for home in (self.page,) if homes is None else homes.get(key.scope, ()):
                    home.addAction(action)

    def connect_buttons(self, root: QWidget) -> None:
        """Show the keys in the tool tips of all widgets and menus below; buttons trigger the actions that they name.

        Raises:
            KeyError: a button names an action that there is not.
        """
        widgets: list[QWidget | QAction] = [*root.findChildren(QWidget), *root.findChildren(QAction)]
        for widget in widgets:
            if name := widget.property(ACTION):
                keys = (next(iter(self.map[one].keys), "") for one in name.split())
                widget.setProperty(KEY, ", ".join(filter(None, keys)))
                set_tip(widget)
                if isinstance(widget, QAbstractButton) and widget.property(CLICKS):
                    widget.setProperty(CLICKS, False)  # noqa: FBT003 - Qt's own
                    widget.clicked.connect(self.actions[name].trigger)

    def adopt(self, actions: Mapping[str, QAction]) -> None:
        """Change these actions, too: those of the window around."""
        self.actions.update(actions)

    def take(self, chosen: Mapping[str, Sequence[str]]) -> None:
        """Let the keys hold that were chosen elsewhere meanwhile."""
        wanted = self.map.with_choice(chosen)
        if wanted.chosen != self.map.chosen:
            self.use(wanted)

    def use(self, wanted: KeyMap) -> None:
        """Let other keys hold from now on."""
        self.map = wanted
        for name, action in self.actions.items():
            action.setShortcuts([QKeySequence(text) for text in wanted.keys_of(name)])
        self.connect_buttons(self.page)
        self.changed.emit()

    def text_of(self, name: str) -> str:
        """The first key of an action as the platform writes it; empty where it has none.

        Raises:
            KeyError: there is no such action.
        """
        return native(next(iter(self.map[name].keys), ""))


def _action(key: Key, parent: QWidget) -> QAction:
    # Letters work on the whole page, because text fields take them for themselves before any shortcut sees them. Keys
    # that buttons and lists need (arrows, Tab, Delete) work on the picture and the step list only.
    made = QAction(key.words, parent)
    made.setShortcuts([QKeySequence(text) for text in key.keys])
    around = Qt.ShortcutContext
    wide = around.WindowShortcut if key.scope == "window" else around.WidgetWithChildrenShortcut
    made.setShortcutContext(around.WidgetShortcut if key.scope in _WIDGET_SCOPES else wide)
    return made


class PageKeys(KeyRing):
    """The keys of one page. The sheets are made, and the editor's table is read, when they are first asked for."""

    def __init__(
        self, page: QWidget, name: KeyPage, *, shared: Mapping[str, QAction], theme: Theme, operations: Operations
    ) -> None:
        """Bind the keys of a page; those of ``shared``, the actions of the whole window, can be changed here, too."""
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
            from annotator.ui.editor.shortcuts_panel import KeysSheet

            self.use(KeyMap((*EDITOR_KEYS, *features.keys(), *PAGE_KEYS), self.map.chosen))
            self._sheet = KeysSheet(self.page, self, self._theme, operations=self._operations)
        self._sheet.open(group=capital(self._name))
