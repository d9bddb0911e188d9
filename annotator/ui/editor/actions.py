"""Makes the table of keys into actions of the widgets that have the focus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from annotator.ui.editor.keys import Key

__all__ = ["bind_keys"]


def bind_keys(
    keys: Sequence[Key], calls: Mapping[str, Callable[[], object]], *, page: QWidget, canvas: QWidget, steps: QWidget
) -> dict[str, QAction]:
    """Actions by name.

    Letters work on the whole page, because text fields take them for themselves before any shortcut sees them. Keys
    that buttons and lists need (arrows, Tab, Delete) work on the picture and the step list only. What a widget handles
    itself (``shown``) is an action only where something is to be called, for menus.
    """
    homes = {"page": (page,), "picture": (canvas, steps), "canvas": (canvas,), "list": (steps,), "shown": ()}
    made: dict[str, QAction] = {}
    for key in keys:
        if key.scope == "shown" and key.name not in calls:
            continue
        action = QAction(key.words, page)
        action.setShortcuts([QKeySequence(text) for text in key.keys])
        whole = key.scope == "page"
        action.setShortcutContext(
            Qt.ShortcutContext.WidgetWithChildrenShortcut if whole else Qt.ShortcutContext.WidgetShortcut
        )
        action.triggered.connect(_without_arguments(calls[key.name]))
        for home in homes[key.scope]:
            home.addAction(action)
        made[key.name] = action
    return made


def _without_arguments(call: Callable[[], object]) -> Callable[[], None]:
    def triggered() -> None:
        call()

    return triggered
