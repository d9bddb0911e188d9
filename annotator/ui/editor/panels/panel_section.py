"""Base classes and layout helpers of the sections of the panel."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QLayout, QScrollArea, QVBoxLayout, QWidget
from shiboken6 import isValid

from annotator.commands import Command
from annotator.ui.controls import column, label, line, row
from annotator.ui.messages import Messages
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from demopack.domain.records import new_id
from demopack.errors import DemopackError

Do = Callable[[Command], None]
"""Carries a command out."""


class PanelSection(QWidget):
    """A part of the panel with a quiet heading and a caption at its right, under a line.

    Signals:
        wanted: this part of it is about to get the keyboard, and has to be seen for that.
    """

    wanted = Signal(QWidget)

    def __init__(self, heading: str, view: ViewState, do: Do, theme: Theme, *, first: bool = False) -> None:
        """Make it; what is ``first`` in the panel has no line over it."""
        super().__init__()
        self._view = view
        self._do = do
        self._theme = theme
        self._caption: QLabel = label("", role="caption")
        self._body = column(row(label(heading.upper(), role="heading"), None, self._caption), margins=SPACE.m)
        column(*(() if first else (line(),)), (self._body, 1), of=self, spacing=0)

    def _give_keyboard(self, field: QWidget) -> None:
        """Let the keyboard write into a field, wherever the panel is; one that is hidden or off stays as it is."""
        if field.isEnabled() and field.isVisibleTo(self):
            self.wanted.emit(field)
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)


class UndoGroup:
    """Names a run of edits that are taken back together: those of one field on one thing."""

    def __init__(self) -> None:
        self._about: tuple[object, ...] = ()
        self._key = ""

    def key(self, *about: object) -> str:
        """The name; another one as soon as it is about something else."""
        if about != self._about:
            self._about, self._key = about, new_id("gesture")
        return self._key

    def end(self) -> None:
        """Whatever comes next is another gesture."""
        self._about = ()


def part(heading: str, *parts: QWidget | QLayout) -> QVBoxLayout:
    """Controls under a heading."""
    return column(label(heading.upper(), role="heading"), *parts, margins=SPACE.m)


class Lines(QWidget):
    """Sentences under a heading; hidden while there are none."""

    def __init__(self, heading: str, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.words = label("", role="fact", wraps=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setAccessibleName(name)
        self.setLayout(part(heading, self.words))
        self.hide()

    def show_lines(self, lines: Iterable[str], *, role: str = "fact") -> None:
        """Show sentences, one a line; none hides everything."""
        text = "\n".join(lines)
        self.words.setProperty("role", role)
        style = self.words.style()
        style.unpolish(self.words)
        style.polish(self.words)
        self.words.setText(text)
        self.setVisible(bool(text))

    def show_error(self, error: Exception, messages: Messages) -> None:
        """Show what is wrong with what a person chose; anything else the window shows."""
        if isinstance(error, DemopackError):
            self.show_lines([error.user_message, error.hint], role="error")
        else:
            messages.show_error(error)


class TabPage(QWidget):
    """A tab that tells when it is seen.

    Signals:
        seen: it is shown.
        hidden: another tab is shown, or the panel is put away.
    """

    seen = Signal()
    hidden = Signal()

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's hook."""
        super().showEvent(event)
        self.seen.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Qt's hook."""
        super().hideEvent(event)
        self.hidden.emit()


def stacked(*parts: QWidget | QLayout) -> QWidget:
    """Parts of a tab under each other, a thin line between them, and room below."""
    inside = QWidget()
    ruled = [shown for one in parts for shown in (line(), one)][1:]
    column(*ruled, None, of=inside, spacing=0)
    return inside


def scrolled(inside: QWidget) -> QScrollArea:
    """A column that can be scrolled down, never sideways."""
    inside.setObjectName("panel")
    # As wide as the area, whatever its parts would like: what runs over the edge cannot be reached.
    inside.setMinimumWidth(1)
    area = QScrollArea(widgetResizable=True)
    area.setObjectName("panel")
    area.setWidget(inside)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


class Overlay(QFrame):
    """Floats over a widget, with the keyboard, until it is closed; then whoever had the keyboard has it again."""

    def __init__(self, over: QWidget, name: str, *, keeps_keys: bool = False) -> None:
        """Make it, hidden; one that ``keeps_keys`` lets no key be a shortcut of what lies below."""
        super().__init__(over)
        self._over = over
        self._back: QWidget | None = over
        self._keeps_keys = keeps_keys
        self.setObjectName("overlay")
        self.setAccessibleName(name)
        self.hide()

    def open_at(self, x: int, y: int, focus: QWidget) -> None:
        """Show it at a place of what lies below, as far as there is room, and give a part of it the keyboard."""
        room = self._over.rect().adjusted(SPACE.s, SPACE.s, -SPACE.s, -SPACE.s)
        x = min(max(x, room.left()), max(room.right() - self.width(), room.left()))
        self.move(x, min(max(y, room.top()), max(room.bottom() - self.height(), room.top())))
        self.open_here(focus)

    def open_here(self, focus: QWidget) -> None:
        """Show it where it is, and give a part of it the keyboard."""
        if self.isHidden():
            self._back = self._over.focusWidget()
        self.show()
        self.raise_()
        focus.setFocus()

    def close_overlay(self) -> None:
        """Put it away, and give the keyboard back unless it went elsewhere meanwhile."""
        focus = self._over.window().focusWidget()
        had_focus = focus is self or self.isAncestorOf(focus)
        self.hide()
        if had_focus:
            back = self._back
            if back is None or not isValid(back) or not back.isVisible():
                back = self._over
            back.setFocus()

    def event(self, event: QEvent) -> bool:
        """Qt's hook: keys that mean nothing else."""
        if self._keeps_keys and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)
