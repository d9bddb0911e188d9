"""One private value in the review: what it is, where it is, what it looks like, and what shall be done with it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout

from annotator.ui.controls import Segments, label
from annotator.ui.pictures import Pictures
from annotator.ui.redaction.crop import CropView
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import RADIUS, SPACE
from annotator.words import tr
from demopack.domain.words import shorten
from demopack.redaction.matches import Kind
from demopack.redaction.scan import Decision, Found
from demopack.redaction.words import places_text

__all__ = ["FindingRow"]

_CHOICES: tuple[Decision, ...] = ("replace", "keep")


class FindingRow(QFrame):
    """A value with its two choices. R replaces, K keeps, Space changes over, the arrows go to the neighbours.

    Signals:
        decided: digest of the value, and ``replace`` or ``keep``.
        moved: the neighbour is wanted, 1 for the next one.
    """

    decided = Signal(str, str)
    moved = Signal(int)

    def __init__(self, found: Found, pictures: Pictures, theme: Theme) -> None:
        super().__init__()
        self._digest = found.digest
        self._placeholder = found.placeholder
        self._theme = theme
        self._decision: Decision = found.decision
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # A picture says more than words, so the first place that can be seen goes first.
        shown = next((place for place in found.places if place.box is not None), found.places[0])
        self._crop = CropView(shown, found.value, pictures, theme)
        self._value = label(_short(found.value), role="words")
        self._value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._value.setToolTip(shorten(found.value, 400))
        kind = _kind_words()[found.kind]
        secret = tr(" · secret") if found.secret else ""
        self._kind = label(f"{kind[:1].upper()}{kind[1:]}{secret}", role="caption")
        if found.secret:
            self._kind.setProperty("role", "warning")
        self._becomes = label(found.placeholder, role="caption")
        places = label(places_text(found), role="caption", wraps=True)
        places.setToolTip("\n".join(dict.fromkeys(place.where for place in found.places)))
        self._choice = Segments(
            tr("What to do"),
            (tr("Replace"), tr("Keep")),
            tips=(tr("In every text and picture (R)"), tr("And do not ask again (K)")),
        )
        self._choice.chosen.connect(self._choose)
        self._lay_out(places)
        self.show_decision(found.decision)
        self.setAccessibleName(f"{kind}: {found.value}")
        self.setAccessibleDescription(places_text(found, limit=8))

    def _lay_out(self, places: QFrame) -> None:
        head = QHBoxLayout()
        head.setSpacing(SPACE.s)
        head.addWidget(self._kind)
        head.addWidget(self._becomes)
        head.addStretch(1)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._value)
        words.addLayout(head)
        words.addWidget(places)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.m, SPACE.m, SPACE.m, SPACE.m)
        row.setSpacing(SPACE.l)
        row.addWidget(self._crop, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        row.addWidget(self._choice, 0, Qt.AlignmentFlag.AlignTop)

    @property
    def digest(self) -> str:
        """Which value."""
        return self._digest

    @property
    def decision(self) -> Decision:
        """What is shown."""
        return self._decision

    @property
    def crop(self) -> CropView:
        """What it looks like."""
        return self._crop

    def _choose(self, place: int) -> None:
        self.decide(_CHOICES[place])

    def decide(self, decision: Decision) -> None:
        """Take a choice and tell it."""
        self.show_decision(decision)
        self.decided.emit(self._digest, decision)

    def show_decision(self, decision: Decision) -> None:
        """Show a choice; nobody is told."""
        self._decision = decision
        if decision in _CHOICES:
            self._choice.set_current(_CHOICES.index(decision))
        replaced = decision == "replace"
        self._crop.show_replaced(self._placeholder if replaced else None)
        self._becomes.setText(tr("becomes {placeholder}").format(placeholder=self._placeholder) if replaced else "")

    # Qt's hooks -----------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: decide, or go on."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_J: 1, Qt.Key.Key_Up: -1}
        other: Decision = "keep" if self._decision == "replace" else "replace"
        choices: dict[int, Decision] = {Qt.Key.Key_R: "replace", Qt.Key.Key_K: "keep", Qt.Key.Key_Space: other}
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and event.key() in steps:
            self.moved.emit(steps[Qt.Key(event.key())])
        elif plain and event.key() in choices:
            self.decide(choices[event.key()])
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt's hook: the edge shows it."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Qt's hook: the edge shows it."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: ground and edge."""
        del event
        palette, painter = self._theme.palette, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(palette.surface))
        focused = self.hasFocus()
        painter.setPen(QPen(QColor(palette.accent if focused else palette.line), 2 if focused else 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS, RADIUS)


def _kind_words() -> dict[Kind, str]:
    """What one value of each kind is called, in the user's language."""
    return {
        "token": tr("token"),
        "iban": tr("bank account"),
        "card": tr("payment card"),
        "email": tr("e-mail address"),
        "key": tr("key"),
        "password_like": tr("password"),
        "phone": tr("telephone number"),
        "user_path": tr("user name"),
        "ip": tr("internet address"),
        "maybe_password": tr("possible password"),
        "text": tr("text"),
    }


def _short(value: str) -> str:
    """A long value by its beginning and its end, by which it is known."""
    line = " ".join(value.split())
    return line if len(line) <= 44 else f"{line[:28]}…{line[-8:]}"
