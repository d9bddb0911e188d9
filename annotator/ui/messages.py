"""Messages of the app that do not stand in the way: banners and toasts."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QPushButton, QWidget

from annotator.ui.controls import LayoutPart, column, flat_button, label, on_resize, push_button, row
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.errors import CancelledError, DemopackError

_LOG = logging.getLogger(__name__)
_TOAST_MS = 8000
_BOTTOM_MARGIN_PX = 92
"""Pixels from the lower edge: clear of the bars under the canvas."""


class Problem(QFrame):
    """A sentence and the way out of it; hidden while there is none."""

    def __init__(self, name: str, *beside: LayoutPart) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.setAccessibleName(name)
        self._words = label("", role="words", wraps=True)
        self._hint = label("", wraps=True)
        self._column = column(
            row((column(self._words, self._hint, spacing=2), 1), *beside),
            of=self,
            margins=(SPACE.m, SPACE.s, SPACE.m, SPACE.s),
        )
        self.hide()

    @property
    def words(self) -> str:
        """What is wrong, as shown; empty when nothing is."""
        return "" if self.isHidden() else self._words.text()

    def tell(self, words: str, hint: str = "") -> None:
        """Say it; nothing for nothing."""
        self._words.setText(words)
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        self.setAccessibleDescription(f"{words} {hint}".strip())
        self.setVisible(bool(words))


class Banner(Problem):
    """What happened, what is safe, what to do next; details behind a disclosure. Stays until it is closed."""

    def __init__(self, theme: Theme) -> None:
        self._more = push_button(tr("Details"), tr("Show what a report needs"), theme, role="link")
        self._more.setCheckable(True)
        close = flat_button("close", tr("Close this message"), theme, call=lambda: self.hide())
        top = Qt.AlignmentFlag.AlignTop
        super().__init__(tr("Message"), (self._more, 0, top), (close, 0, top))
        self._details = QPlainTextEdit(readOnly=True)
        self._details.setFixedHeight(96)
        self._details.setAccessibleName(tr("Details of the message"))
        self._details.hide()
        self._more.toggled.connect(self._details.setVisible)
        self._column.addWidget(self._details)
        self._column.setContentsMargins(SPACE.l, SPACE.s, SPACE.s, SPACE.s)

    @property
    def text(self) -> str:
        """The sentences that are shown; empty when none are."""
        return f"{self.words} {self._hint.text()}".strip() if self.words else ""

    def show_error(self, error: Exception) -> None:
        """Show an error; one that is not ours is a bug and says so."""
        if isinstance(error, CancelledError):
            return
        if isinstance(error, DemopackError):
            self.tell(error.user_message, error.hint)
            details = error.details
        else:
            _LOG.error("unexpected error", exc_info=error)
            self.tell(
                tr("Something went wrong inside demopack. Everything saved so far is kept."),
                tr("Please report this with the details."),
            )
            details = "".join(traceback.format_exception(error))
        self.show()  # also where there is no sentence
        self._details.setPlainText(details)
        self._more.setVisible(bool(details))
        self._more.setChecked(False)


class Toast(QFrame):
    """One passing line at the lower edge of its parent, with one thing to do about it at most."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("toast")
        self._parent = parent
        self._text = QLabel()
        self._button = QPushButton()
        self._action: Callable[[], object] | None = None
        self._button.clicked.connect(self.act)
        self._row = row(self._text, self._button, of=self, spacing=SPACE.l, margins=-1)
        self._timer = QTimer(self, interval=_TOAST_MS, singleShot=True)
        self._timer.timeout.connect(self.hide)
        on_resize(self, parent, lambda: None if self.isHidden() else self._place())
        self.hide()

    @property
    def text(self) -> str:
        """The line that is shown; empty when none is."""
        return "" if self.isHidden() else self._text.text()

    def say(self, text: str, *, button: str = "", action: Callable[[], object] | None = None) -> None:
        """Show a line for some seconds; it takes the place of the one before."""
        self._text.setText(text)
        self._button.setText(button)
        self._button.setVisible(action is not None)
        self._action = action
        self._row.setContentsMargins(SPACE.l, SPACE.s, SPACE.l if action is None else SPACE.s, SPACE.s)
        self.setAccessibleName(text)
        self._place()
        self.show()
        self.raise_()
        self._timer.start()

    def act(self) -> bool:
        """Do what the button offers; returns whether there was something."""
        action, self._action = self._action, None
        if self.isHidden() or action is None:
            return False
        self.hide()
        action()
        return True

    def _place(self) -> None:
        parent, margins = self._parent, self._row.contentsMargins()
        # Paths may be longer than the window is wide; the button stays in it.
        beside = 0 if self._button.isHidden() else self._button.sizeHint().width() + self._row.spacing()
        room = parent.width() - 2 * SPACE.l - margins.left() - margins.right() - beside
        self._text.setWordWrap(False)
        width = self._text.sizeHint().width()
        self._text.setWordWrap(width > room)
        self._text.setFixedWidth(min(width, room))
        self.adjustSize()
        self.move((parent.width() - self.width()) // 2, parent.height() - self.height() - _BOTTOM_MARGIN_PX)


class Messages:
    """Errors go to the banner and stay; news go to the toast and pass."""

    def __init__(self, banner: Banner, toast: Toast) -> None:
        self.show_error = banner.show_error
        self.say = toast.say

    def say_written(self, text: str, folder: Path) -> None:
        """Show that something was written, with a button that opens its folder."""
        url = QUrl.fromLocalFile(str(folder))
        self.say(text, button=tr("Open folder"), action=lambda: QDesktopServices.openUrl(url))
