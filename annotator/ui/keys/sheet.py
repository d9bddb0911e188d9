"""The panel of keys over a page that has no tabs: F2 brings it, Esc takes it away."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

from annotator.ui.controls import column, flat_button, label, on_escape, on_resize, row
from annotator.ui.editor.panels.panel_section import Overlay
from annotator.ui.editor.shortcuts_panel import KeysPanel
from annotator.ui.keys.ring import KeyRing
from annotator.ui.operations import Operations
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

_WIDTH: Final = 460


class KeysSheet(Overlay):
    """Lies over the right of its page, as high as that is.

    Attributes:
        panel: every key, with a search.
    """

    def __init__(self, page: QWidget, ring: KeyRing, theme: Theme, *, operations: Operations) -> None:
        super().__init__(page, tr("Change keys"))
        self.panel = KeysPanel(theme, ring, operations=operations)
        close = flat_button("close", tr("Close"), theme, keys="Esc", call=self.close_overlay)
        column(
            row((label(tr("Change keys"), role="title"), 1), close, margins=(SPACE.m, SPACE.s, SPACE.s, 0)),
            (self.panel, 1),
            of=self,
            spacing=0,
            margins=1,
        )
        on_resize(self, page, lambda: self._place() if self.isVisible() else None)
        on_escape(self, self.close_overlay, always=True)

    def open(self, *, group: str) -> None:
        """Show it, with the cursor in its search, at the keys of a group."""
        self.panel.show_keys()
        self._place()
        self.open_here(self.panel.search)
        self.panel.choose_group(group)
        self.panel.search.selectAll()

    def _place(self) -> None:
        page = self._over
        width = min(_WIDTH, page.width() - 2 * SPACE.s)
        self.setGeometry(page.width() - width - SPACE.s, SPACE.s, width, page.height() - 2 * SPACE.s)
