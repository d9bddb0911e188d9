"""Hints of the first time, in their order, and the guide that leads through them in the library and the editor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from PySide6.QtCore import QObject, QPoint, QRect, QSettings, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QWidget

from annotator.ui.controls import Call, column, label, on_resize, push_button, row
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

HintName: TypeAlias = Literal["open", "slider", "decide", "attributes", "carry", "approve", "export"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """One hint.

    Attributes:
        name: tells what it stands beside.
        title: in a few words.
        words: what can be done; ``{keys}`` are those of the actions below.
        actions: names of the editor's actions whose keys are told, in their order.
    """

    name: HintName
    title: str
    words: str
    actions: tuple[str, ...] = ()


HINTS: Final[tuple[Hint, ...]] = (
    Hint(name="open", title=tr("Open a demo"), words=tr("Double-click it, or press Enter. The tour goes on inside.")),
    Hint(
        name="slider",
        title=tr("How sure must a suggestion be?"),
        words=tr("The slider hides boxes whose finder was less sure. Nothing is changed by that."),
    ),
    Hint(
        name="decide",
        title=tr("Accept or reject"),
        words=tr("{keys}: accept or reject the suggestion and go to the next. Drag to draw what is missing."),
        actions=("accept_suggestion", "reject_suggestion"),
    ),
    Hint(
        name="attributes",
        title=tr("States by keyboard"),
        words=tr("{keys}: digits set the values of the selected element, Tab goes to the next."),
        actions=("attribute_mode",),
    ),
    Hint(
        name="carry",
        title=tr("Work once, not on every screen"),
        words=tr("{keys}: brings along from the previous step what is still there."),
        actions=("carry_over",),
    ),
    Hint(
        name="approve",
        title=tr("Approve and go on"),
        words=tr("{keys}: approves, and goes to what is next to look at. Ctrl+Z takes anything back, without end."),
        actions=("approve",),
    ),
    Hint(
        name="export",
        title=tr("Give it away"),
        words=tr(
            "Export writes a pack, or another program's format. {keys} shows every key, and More shows this tour again."
        ),
        actions=("help",),
    ),
)

_WIDTH = 300


class Bubble(QFrame):
    """Title, words, how many are to come, and the two ways on."""

    def __init__(self, parent: QWidget, theme: Theme, *, forward: Call, end: Call) -> None:
        super().__init__(parent)
        self.setObjectName("hint")
        self._parent = parent
        self._frame = QFrame(parent)
        self._frame.setObjectName("hinted")
        self._frame.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._title = label("", role="words")
        self._words = label("", wraps=True)
        self._words.setFixedWidth(_WIDTH)
        self._number = label("", role="caption")
        self._next = push_button("", tr("The next hint"), theme, keys="F3", role="main", call=forward)
        skip = push_button(tr("Skip (Esc)"), tr("No more hints; More in a demo shows them again"), theme, call=end)
        skip.setAccessibleName(tr("Skip"))
        self._column = column(
            self._title,
            self._words,
            row((self._number, 1), skip, self._next),
            of=self,
            margins=(SPACE.l, SPACE.m, SPACE.l, SPACE.m),
        )
        self.take_away()

    @property
    def text(self) -> str:
        """What is told; empty when nothing is."""
        return "" if self.isHidden() else self._words.text()

    def show_hint(self, number: int, target: QRect, *, keys: str) -> None:
        """Give a hint, counted from 1, beside a part of the parent, in the parent's coordinates."""
        hint = HINTS[number - 1]
        words = hint.words.format(keys=keys)
        self._title.setText(hint.title)
        self._words.setText(words)
        self._number.setText(tr("{number} of {all}").format(number=number, all=len(HINTS)))
        ways = tr("Done") if number == len(HINTS) else tr("Next")
        self._next.setText(tr("{words} (F3)").format(words=ways))
        self._next.setAccessibleName(ways)
        self.setAccessibleName(hint.title)
        self.setAccessibleDescription(words)
        self._column.activate()
        self.resize(self.sizeHint())
        room = self._parent.rect()
        self.move(place_beside(target, QRect(QPoint(), self.size()), room))
        self._frame.setGeometry(target.adjusted(-2, -2, 2, 2) & room)
        for part in (self._frame, self):
            part.show()
            part.raise_()

    def take_away(self) -> None:
        """Tell nothing."""
        self._frame.hide()
        self.hide()


def place_beside(target: QRect, what: QRect, room: QRect) -> QPoint:
    """Where a box (only its size counts) goes in a room so that it hides as little as possible of a target."""
    gap, wide, high = SPACE.s, what.width(), what.height()
    across = min(max(target.center().x() - wide // 2, room.left() + gap), room.right() - wide - gap)
    down = min(max(target.top(), room.top() + gap), room.bottom() - high - gap)
    beside = [QPoint(target.right() + gap, down), QPoint(target.left() - wide - gap, down)]
    over = [QPoint(across, target.top() - high - gap), QPoint(across, target.bottom() + gap)]
    for at in (*over, *beside) if target.width() > 2 * target.height() else (*beside, *over):
        if room.contains(QRect(at, what.size())):
            return at
    # It is as large as the window: in its lower corner.
    return QPoint(target.left() + gap, min(target.bottom(), room.bottom()) - high - gap)


Anchor = tuple[QWidget, QRect]
"""A widget, and the part of it that a hint is about."""
_SEEN: Final = "tour/seen"


class Guide(QObject):
    """Shows one hint at a time while what it is about can be seen; the rest of the window works as ever.

    Attributes:
        number: the hint whose turn it is, counted from 1; 0 while the tour is not under way.
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
        """Show nothing yet.

        ``places`` remembers that the tour was seen; ``anchor`` tells where a hint stands, None while that cannot be
        seen; ``keys`` gives the key of one of the editor's actions, empty for none.
        """
        super().__init__(window)
        self.number = 0
        self._window, self._places = window, places
        self._anchor, self._keys = anchor, keys
        self.bubble = Bubble(window, theme, forward=self.forward, end=self.end)
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
        on_resize(self, window, lambda: self.follow() if self.number else None)

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
        self._go_to(1)

    def forward(self) -> None:
        """Go to the next hint, or end after the last."""
        if self.number == len(HINTS):
            self.end()
        elif self.number:
            self._go_to(self.number + 1)

    def end(self) -> None:
        """Skip what is left; it does not come again by itself."""
        self._places.setValue(_SEEN, "yes")
        self._go_to(0)

    def _go_to(self, number: int) -> None:
        self.number = number
        self.follow()

    def follow(self) -> None:
        """Another page is shown, or another hint has its turn."""
        self._soon.start()

    def _show(self) -> None:
        if self.number == 1 and self._anchor("slider") is not None:
            # A demo is open already.
            self.number = 2
        hint = HINTS[self.number - 1] if self.number else None
        anchor = None if hint is None else self._anchor(hint.name)
        for shortcut in self._shortcuts:
            shortcut.setEnabled(anchor is not None)
        if hint is None or anchor is None:
            self.bubble.take_away()
            return
        widget, part = anchor
        target = QRect(widget.mapTo(self._window, QPoint()) + part.topLeft(), part.size())
        keys = " / ".join(text for name in hint.actions if (text := self._keys(name)))
        self.bubble.show_hint(self.number, target & self._window.rect(), keys=keys)
