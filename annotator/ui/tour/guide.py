"""Leads through the hints of the first time, beside the library and in the editor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSettings, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from annotator.tour import HINTS, HintName, Tour
from annotator.ui.theme.manager import Theme
from annotator.ui.tour.bubble import Bubble
from annotator.words import tr

__all__ = ["Anchor", "Guide"]

Anchor = tuple[QWidget, QRect]
"""A widget, and the part of it that a hint is about."""
_SEEN: Final = "tour/seen"


class Guide(QObject):
    """Shows one hint at a time while what it is about can be seen; the rest of the window works as ever.

    Attributes:
        tour: where one stands.
        bubble: the hint.
    """

    def __init__(
        self,
        window: QWidget,
        *,
        theme: Theme,
        places: QSettings,
        anchor: Callable[[HintName], Anchor | None],
        keys: Callable[[str], str],
    ) -> None:
        """Prepare it; nothing is shown.

        Args:
            window: over which hints are shown.
            theme: colours.
            places: where it is remembered that the tour was seen.
            anchor: where a hint stands; None while that cannot be seen.
            keys: the key of one of the editor's actions; empty for none.
        """
        super().__init__(window)
        self.tour = Tour()
        self._window, self._places = window, places
        self._anchor, self._keys = anchor, keys
        self.bubble = Bubble(window, theme)
        self.bubble.next_wanted.connect(self.forward)
        self.bubble.end_wanted.connect(self.end)
        self._shortcuts: list[QShortcut] = []
        for text, call in (("F3", self.forward), ("Esc", self.end)):
            made = QShortcut(QKeySequence(text), window, context=Qt.ShortcutContext.WindowShortcut)
            made.activated.connect(call)
            made.activatedAmbiguously.connect(call)
            made.setEnabled(False)
            self._shortcuts.append(made)
        # Layouts settle first; then it is known where everything stands.
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._show)
        window.installEventFilter(self)

    @property
    def seen(self) -> bool:
        """Whether the tour was gone through, or skipped, before."""
        return bool(self._places.value(_SEEN) == "yes")

    def offer(self) -> None:
        """Begin if it was never seen."""
        if not self.seen:
            self.begin()

    def begin(self) -> None:
        """Begin with what can be seen: a demo to open, or the editor."""
        self.tour.begin()
        self.follow()

    def forward(self) -> None:
        """Go to the next hint, or end after the last."""
        if self.tour.is_last:
            self.end()
        else:
            self.tour.forward()
            self.follow()

    def end(self) -> None:
        """Skip what is left; it does not come again by itself."""
        self.tour.end()
        self._places.setValue(_SEEN, "yes")
        self.follow()

    def follow(self) -> None:
        """Another page is shown, or another hint has its turn."""
        self._soon.start()

    def _show(self) -> None:
        hint = self.tour.hint
        if hint is not None and hint.name == "open" and self._anchor("slider") is not None:
            # A demo is open already.
            self.tour.forward()
            hint = self.tour.hint
        anchor = None if hint is None else self._anchor(hint.name)
        for shortcut in self._shortcuts:
            shortcut.setEnabled(anchor is not None)
        if hint is None or anchor is None:
            self.bubble.take_away()
            return
        widget, part = anchor
        target = QRect(widget.mapTo(self._window, QPoint()) + part.topLeft(), part.size())
        keys = " / ".join(text for name in hint.actions if (text := self._keys(name)))
        self.bubble.show_beside(
            target & self._window.rect(),
            title=hint.title,
            words=hint.words.format(keys=keys),
            number=tr("{number} of {all}").format(number=self.tour.number, all=len(HINTS)),
            last=self.tour.is_last,
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: stay beside what it is about."""
        if event.type() == QEvent.Type.Resize and self.tour.hint is not None:
            self.follow()
        return super().eventFilter(watched, event)
