"""The panel of keys over a page that has no tabs: F2 brings it, Esc takes it away."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QFrame, QWidget

from annotator.ui.controls import column, flat_button, label, on_escape, on_resize, row
from annotator.ui.editor.shortcuts_panel import KeysPanel
from annotator.ui.keys.ring import KeyRing
from annotator.ui.operations import Operations
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

_WIDTH: Final = 460


class KeysSheet(QFrame):
    """Lies over the right of its page, as high as that is.

    Attributes:
        panel: every key, with a search.
    """

    def __init__(self, page: QWidget, ring: KeyRing, theme: Theme, *, operations: Operations) -> None:
        super().__init__(page)
        self.setObjectName("overlay")
        self.setAccessibleName(tr("Change keys"))
        self._page = page
        self._back: QWidget | None = None
        self.panel = KeysPanel(theme, ring, operations=operations)
        close = flat_button("close", tr("Close"), theme, keys="Esc", call=self.leave)
        column(
            row((label(tr("Change keys"), role="title"), 1), close, margins=(SPACE.m, SPACE.s, SPACE.s, 0)),
            (self.panel, 1),
            of=self,
            spacing=0,
            margins=1,
        )
        on_resize(self, page, lambda: self._place() if self.isVisible() else None)
        on_escape(self, self.leave, always=True)
        self.hide()

    def open(self, *, group: str) -> None:
        """Show it, with the cursor in its search, at the keys of a group."""
        if not self.isVisible():
            self._back = self._page.focusWidget()
        self.panel.show_keys()
        self._place()
        self.show()
        self.raise_()
        self.panel.choose_group(group)
        self.panel.search.setFocus()
        self.panel.search.selectAll()

    def leave(self) -> None:
        """Take it away; the focus is where it was."""
        self.hide()
        if self._back is not None:
            self._back.setFocus()

    def _place(self) -> None:
        width = min(_WIDTH, self._page.width() - 2 * SPACE.s)
        self.setGeometry(self._page.width() - width - SPACE.s, SPACE.s, width, self._page.height() - 2 * SPACE.s)
