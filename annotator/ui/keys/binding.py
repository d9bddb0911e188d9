"""Makes the table into actions of the window and its pages, and brings up what shows and changes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from annotator.ui.job_runner import JobRunner
from annotator.ui.keys.key import Key, KeyGroup, KeyPage
from annotator.ui.keys.key_map import KeyMap
from annotator.ui.keys.ring import KeyRing
from annotator.ui.keys.table import PAGE_KEYS, keys_on
from annotator.ui.messages import Messages
from annotator.ui.theme.manager import Theme

if TYPE_CHECKING:
    from annotator.ui.editor.overlay import KeyOverlay
    from annotator.ui.keys.sheet import KeysSheet

__all__ = ["Calls", "PageKeys", "WindowKeys"]

Calls = Mapping[str, Callable[[], object]]
"""What the keys do, by their names."""
_GROUPS: Final[Mapping[KeyPage, KeyGroup]] = {"library": "Library", "settings": "Settings", "models": "Models"}


class PageKeys(QObject):
    """The keys of one page. The sheets are made, and the editor's table is read, when they are first asked for.

    Attributes:
        ring: the keys that hold here.
    """

    def __init__(
        self,
        page: QWidget,
        name: KeyPage,
        calls: Calls,
        *,
        shared: Mapping[str, QAction],
        theme: Theme,
        runner: JobRunner,
        messages: Messages,
    ) -> None:
        super().__init__(page)
        self._page: QWidget = page
        self._name: KeyPage = name
        self._theme, self._runner, self._messages = theme, runner, messages
        self._overlay: KeyOverlay | None = None
        self._sheet: KeysSheet | None = None
        own = {**calls, "help_here": self.show_keys, "keys_here": self.change_keys}
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        actions = {key.name: _action(page, key, own[key.name], inside) for key in keys_on(name) if key.name in own}
        self.ring = KeyRing(page)
        self.ring.fill(keys_on(name), {**actions, **shared}, chosen={})

    def show_keys(self) -> None:
        """Show what holds here, or no longer."""
        if self._overlay is None:
            from annotator.ui.editor.overlay import KeyOverlay

            self._overlay = KeyOverlay(self._page, self._keys_here, mouse=False)
        self._overlay.toggle()

    def change_keys(self) -> None:
        """Show every key there is, to be changed."""
        if self._sheet is None:
            # What a key means in the editor can only be told by the editor.
            from annotator.ui.editor.features import editor_keys
            from annotator.ui.keys.sheet import KeysSheet

            self.ring.use(KeyMap((*editor_keys(), *PAGE_KEYS), self.ring.map.chosen))
            self._sheet = KeysSheet(self._page, self.ring, self._theme, runner=self._runner, messages=self._messages)
        self._sheet.open(group=_GROUPS[self._name])

    def _keys_here(self) -> Sequence[Key]:
        return [key for key in self.ring.map.keys if self._name in key.places]


class WindowKeys(QObject):
    """The keys of the window and of its pages.

    Signals:
        saved: the ``Settings`` with the user's keys, when they are on the disk.
    """

    saved = Signal(object)

    def __init__(self, window: QWidget, calls: Calls, *, theme: Theme, runner: JobRunner, messages: Messages) -> None:
        super().__init__(window)
        self._parts = (theme, runner, messages)
        whole = Qt.ShortcutContext.WindowShortcut
        self._shared = {
            key.name: _action(window, key, calls[key.name], whole) for key in PAGE_KEYS if key.scope == "window"
        }
        self._pages: dict[QWidget, PageKeys] = {}

    def add(self, page: QWidget, name: KeyPage, calls: Calls) -> PageKeys:
        """Bind the keys of a page."""
        theme, runner, messages = self._parts
        made = PageKeys(page, name, calls, shared=self._shared, theme=theme, runner=runner, messages=messages)
        made.ring.saved.connect(self.saved)
        self._pages[page] = made
        return made

    def share(self, ring: KeyRing) -> None:
        """Let an editor's keys have those of the window among them."""
        ring.adopt(self._shared)

    def take(self, page: QWidget | None, chosen: Mapping[str, Sequence[str]]) -> None:
        """A page is shown: what was chosen elsewhere holds there, too."""
        found = None if page is None else self._pages.get(page)
        if found is not None:
            found.ring.take(chosen)


def _action(home: QWidget, key: Key, call: Callable[[], object], context: Qt.ShortcutContext) -> QAction:
    made = QAction(key.words, home)
    made.setShortcuts([QKeySequence(text) for text in key.keys])
    made.setShortcutContext(context)
    made.triggered.connect(partial(_run, call))
    home.addAction(made)
    return made


def _run(call: Callable[[], object], *_: object) -> None:
    call()
