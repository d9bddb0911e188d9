"""The keys that hold in one editor: on its actions, in its tool tips, and for whoever shows them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from annotator.ui.controls import shortcut_tip
from annotator.ui.keys.key import Key
from annotator.ui.keys.key_map import KeyMap

__all__ = ["KeyRing", "native"]

_TIP: Final = re.compile(r"(?P<words>.+) \((?P<key>[^()]+|\(|\))\)", re.DOTALL)
_OURS: Final = "keyTip"
_LAST: Final = ("picture", "canvas", "list", "shown")
"""Scopes that name a key in a tool tip only where no wider one does."""


class KeyRing(QObject):
    """Changes the keys of the actions while the editor is open.

    Signals:
        changed: other keys hold.
        saved: the ``Settings`` with the user's keys, when they are on the disk.
    """

    changed = Signal()
    saved = Signal(object)

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self._actions: Mapping[str, QAction] = {}
        self._map = KeyMap(())

    @property
    def map(self) -> KeyMap:
        """The keys that hold."""
        return self._map

    def fill(self, keys: Sequence[Key], actions: Mapping[str, QAction], *, chosen: Mapping[str, Sequence[str]]) -> None:
        """Take the table and the actions over; called once, when all features are made."""
        self._actions = actions
        self._map = KeyMap(keys)
        wanted = KeyMap(keys, chosen)
        if wanted.chosen:
            self.use(wanted)

    def adopt(self, actions: Mapping[str, QAction]) -> None:
        """Change these actions, too: those of the window around."""
        self._actions = {**self._actions, **actions}

    def take(self, chosen: Mapping[str, Sequence[str]]) -> None:
        """Let the keys hold that were chosen elsewhere meanwhile."""
        wanted = self._map.with_choice(chosen)
        if wanted.chosen != self._map.chosen:
            self.use(wanted)

    def use(self, wanted: KeyMap) -> None:
        """Let other keys hold from now on."""
        before, self._map = self._map, wanted
        for name, action in self._actions.items():
            if before.keys_of(name) != wanted.keys_of(name):
                action.setShortcuts([QKeySequence(text) for text in wanted.keys_of(name)])
        self._tell_tips(before)
        self.changed.emit()

    def text_of(self, name: str) -> str:
        """The first key of an action as the platform writes it; empty where it has none.

        Raises:
            KeyError: there is no such action.
        """
        return native(next(iter(self._map[name].keys), ""))

    def _tell_tips(self, before: KeyMap) -> None:
        """A tool tip that ends with a key in parentheses gets the key that holds now."""
        names: dict[str, str] = {}
        for key in sorted(before.keys, key=lambda key: key.scope in _LAST and _LAST.index(key.scope) + 1):
            for text in key.keys:
                names.setdefault(native(text), key.name)
        for widget in self._page.findChildren(QWidget):
            if not (tip := widget.toolTip()):
                continue
            known = cast("list[str] | None", widget.property(_OURS))
            if known is not None and known[2] == tip:
                words, name = known[0], known[1]
            elif (found := _TIP.fullmatch(tip)) is not None and found["key"] in names:
                words, name = found["words"], names[found["key"]]
            else:
                continue
            told = shortcut_tip(words, next(iter(self._map.keys_of(name)), ""))
            widget.setToolTip(told)
            widget.setProperty(_OURS, [words, name, told])


def native(text: str) -> str:
    """A key as the platform writes it."""
    return QKeySequence(text).toString(QKeySequence.SequenceFormat.NativeText)
