"""Row of one private value in the review: the value, its places, its pictures, and the decision about it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from annotator.ui.controls import Segments, column, label, row
from annotator.ui.painting import draw_lines, font_of
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, RADIUS, SPACE
from annotator.words import capital, tr
from demopack.domain.frames import MASK_COLOUR
from demopack.domain.geometry import Rect
from demopack.domain.words import shorten
from demopack.redaction.matches import Kind
from demopack.redaction.picture_paint import INK
from demopack.redaction.scan import Decision, PrivateFinding
from demopack.redaction.summary import places_text
from demopack.redaction.text_locations import TextLocation

_SIZE = QSize(220, 64)
_CONTEXT_FACTOR = 1.25  # how much more than the value itself is shown
_MAX_SCALE, _MIN_SCALE = 2.0, 0.9  # of the picture's own size: not blown up further, and never too small to read
_LEFT_MARGIN_PX = 10


class RedactionPreview(QWidget):
    """Where the value can be seen, outlined, or painted over once it is to be replaced; else the text around it."""

    def __init__(self, place: TextLocation, value: str, pictures: ScreenshotCache, theme: Theme) -> None:
        super().__init__()
        self._place = place
        self._value = value
        self._pictures = pictures
        self._theme = theme
        self.pixels: QImage | None = None
        self._box = QRectF()
        self._replacement: str | None = None
        self.setFixedSize(_SIZE)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("What it looks like {where}").format(where=place.where))
        self.setToolTip(capital(place.where))
        if place.frame is not None and place.box is not None:
            pictures.frame_ready.connect(self._take)
            self._take(place.frame)

    def show_replaced(self, placeholder: str | None) -> None:
        """As it will be, with this placeholder; None for as it is."""
        self._replacement = placeholder
        self.update()

    def _take(self, frame_id: str) -> None:
        if frame_id != self._place.frame or self.pixels is not None or self._place.box is None:
            return
        image = self._pictures.frame(frame_id)
        if isinstance(image, QImage):
            around = _around(self._place.box, QSize(image.width(), image.height()))
            self.pixels = image.copy(around)
            box = self._place.box
            self._box = QRectF(box.x1 - around.x(), box.y1 - around.y(), box.width, box.height)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: draw the part of the picture, or the text."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        palette = self._theme.palette
        ground = QPainterPath()
        ground.addRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)
        painter.fillPath(ground, QColor(palette.sunken))
        painter.setClipPath(ground)
        if self.pixels is not None:
            self._draw_crop(painter, self.pixels)
        elif self._place.box is None:
            self._draw_text(painter)
        painter.setClipping(False)
        painter.setPen(QPen(QColor(palette.line), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def _draw_crop(self, painter: QPainter, crop: QImage) -> None:
        scale = min(self.width() / crop.width(), self.height() / crop.height(), _MAX_SCALE)
        width, height = crop.width() * scale, crop.height() * scale
        left, top = (self.width() - width) / 2, (self.height() - height) / 2
        painter.drawImage(QRectF(left, top, width, height), crop)
        box = QRectF(
            left + self._box.x() * scale, top + self._box.y() * scale,
            self._box.width() * scale, self._box.height() * scale
        )  # fmt: skip
        if self._replacement is not None:
            painter.fillRect(box, QColor(*MASK_COLOUR))
            painter.setPen(QColor(*INK))
            painter.setFont(font_of(self.font(), size=min(max(round(box.height() * 0.5), 8), FONT.base)))
            room = box.intersected(QRectF(self.rect())).adjusted(SPACE.xs, 0, -SPACE.xs, 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._replacement)
        else:
            painter.setPen(QPen(QColor(self._theme.palette.warning), 2))
            painter.drawRoundedRect(box, 2, 2)

    def _draw_text(self, painter: QPainter) -> None:
        value = self._value if self._replacement is None else self._replacement
        before, found, after = self._place.text.partition(self._value)
        line = " ".join(before.split())
        gap = " " if before[-1:].isspace() else ""
        words = f"{f'…{line[-17:]}' if len(line) > 18 else line}{gap}{value}{after}" if found else value
        painter.setPen(QColor(self._theme.palette.muted))
        painter.setFont(font_of(self.font(), size=FONT.caption))
        room = self.rect().adjusted(SPACE.s, SPACE.xs, -SPACE.s, -SPACE.xs)
        height = painter.fontMetrics().lineSpacing()
        # The last words of its place: a picture has none, so they stand over the text.
        kind = capital(self._place.where.rpartition(", ")[2])
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, kind)
        painter.setPen(QColor(self._theme.palette.text))
        draw_lines(painter, room.adjusted(0, height + 2, 0, 0), words, lines=2)


def _around(box: Rect, size: QSize) -> QRect:
    """The part of a picture to show, in the shape of the view: the box in its middle, or the left end of a long one."""
    shape = _SIZE.width() / _SIZE.height()
    wanted = max(box.width * _CONTEXT_FACTOR, box.height * _CONTEXT_FACTOR * shape, _SIZE.width() / _MAX_SCALE)
    width = min(wanted, max(_SIZE.width() / _MIN_SCALE, box.height * _CONTEXT_FACTOR * shape))
    height = width / shape
    middle = (box.x1 + box.x2 - width) / 2
    # Text begins at the left; what cannot be shown without making it too small to read is the empty end.
    left = middle if width >= box.width * _CONTEXT_FACTOR else box.x1 - _LEFT_MARGIN_PX
    left = min(max(0.0, left), max(0.0, size.width() - width))
    top = min(max(0.0, (box.y1 + box.y2 - height) / 2), max(0.0, size.height() - height))
    return QRectF(left, top, width, height).toRect().intersected(QRect(0, 0, size.width(), size.height()))


_CHOICES: tuple[Decision, ...] = ("replace", "keep")


class FindingRow(QFrame):
    """A value with its two choices. R replaces, K keeps, Space changes over, the arrows go to the neighbours.

    Signals:
        decided: digest of the value, and ``replace`` or ``keep``.
        moved: the neighbour is wanted, 1 for the next one.
    """

    decided = Signal(str, str)
    moved = Signal(int)

    def __init__(self, found: PrivateFinding, pictures: ScreenshotCache, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("finding")
        self.digest = found.digest
        self._placeholder = found.placeholder
        self.decision: Decision = found.decision
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # A picture says more than words, so the first place that can be seen goes first.
        shown = next((place for place in found.places if place.box is not None), found.places[0])
        self.crop = RedactionPreview(shown, found.value, pictures, theme)
        self._value = label(_short(found.value), role="words")
        self._value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._value.setToolTip(shorten(found.value, 400))
        kind = _kind_words()[found.kind]
        secret = tr(" · secret") if found.secret else ""
        self._kind = label(f"{capital(kind)}{secret}", role="warning" if found.secret else "caption")
        self._becomes = label(found.placeholder, role="caption")
        places = label(places_text(found), role="caption", wraps=True)
        places.setToolTip("\n".join(dict.fromkeys(place.where for place in found.places)))
        self._choice = Segments(
            tr("What to do"),
            (tr("Replace"), tr("Keep")),
            tips=(tr("In every text and picture (R)"), tr("And do not ask again (K)")),
        )
        self._choice.chosen.connect(lambda: self.decide(_CHOICES[self._choice.current]))
        row(
            (self.crop, 0, Qt.AlignmentFlag.AlignTop),
            (column(self._value, row(self._kind, self._becomes, None), places, None, spacing=2), 1),
            (self._choice, 0, Qt.AlignmentFlag.AlignTop),
            of=self,
            spacing=SPACE.l,
            margins=SPACE.m,
        )
        self.show_decision(found.decision)
        self.setAccessibleName(f"{kind}: {found.value}")
        self.setAccessibleDescription(places_text(found, limit=8))

    def decide(self, decision: Decision) -> None:
        """Take a choice and tell it."""
        self.show_decision(decision)
        self.decided.emit(self.digest, decision)

    def show_decision(self, decision: Decision) -> None:
        """Show a choice; nobody is told."""
        self.decision = decision
        if decision in _CHOICES:
            self._choice.set_current(_CHOICES.index(decision))
        replaced = decision == "replace"
        self.crop.show_replaced(self._placeholder if replaced else None)
        self._becomes.setText(tr("becomes {placeholder}").format(placeholder=self._placeholder) if replaced else "")

    # Qt's hooks -----------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: decide, or go on."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_J: 1, Qt.Key.Key_Up: -1}
        other: Decision = "keep" if self.decision == "replace" else "replace"
        choices: dict[int, Decision] = {Qt.Key.Key_R: "replace", Qt.Key.Key_K: "keep", Qt.Key.Key_Space: other}
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and event.key() in steps:
            self.moved.emit(steps[Qt.Key(event.key())])
        elif plain and event.key() in choices:
            self.decide(choices[event.key()])
        else:
            super().keyPressEvent(event)


def _kind_words() -> dict[Kind, str]:
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
