"""A hint beside what it is about, and a frame around that; neither takes the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from annotator.ui.controls import label, push_button
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["Bubble", "place_beside"]

_WIDTH = 300


class Bubble(QFrame):
    """Title, words, how many are to come, and the two ways on.

    Signals:
        next_wanted: the next hint.
        end_wanted: no more hints.
    """

    next_wanted = Signal()
    end_wanted = Signal()

    def __init__(self, parent: QWidget, theme: Theme) -> None:
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
        self._next = push_button("", tr("The next hint"), theme, keys="F3", role="main")
        self._next.clicked.connect(self.next_wanted)
        skip = push_button(tr("Skip (Esc)"), tr("No more hints; More in a demo shows them again"), theme)
        skip.setAccessibleName(tr("Skip"))
        skip.clicked.connect(self.end_wanted)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.l, SPACE.m, SPACE.l, SPACE.m)
        column.setSpacing(SPACE.s)
        column.addWidget(self._title)
        column.addWidget(self._words)
        row = QHBoxLayout()
        row.setSpacing(SPACE.s)
        row.addWidget(self._number, 1)
        row.addWidget(skip)
        row.addWidget(self._next)
        column.addLayout(row)
        self.take_away()

    @property
    def text(self) -> str:
        """What is told; empty when nothing is."""
        return "" if self.isHidden() else self._words.text()

    def show_beside(self, target: QRect, *, title: str, words: str, number: str, last: bool) -> None:
        """Tell something about a part of the parent, in the parent's coordinates."""
        self._title.setText(title)
        self._words.setText(words)
        self._number.setText(number)
        ways = tr("Done") if last else tr("Next")
        self._next.setText(tr("{words} (F3)").format(words=ways))
        self._next.setAccessibleName(ways)
        self.setAccessibleName(title)
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
    """Where a box goes so that it hides as little as possible of a target.

    Args:
        target: what it is about.
        what: the box; only its size counts.
        room: in which both lie.
    """
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
