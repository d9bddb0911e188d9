"""The review: everything that may be private, one row each with its places and pictures, over the editor."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from annotator.ui.controls import (
    Bar,
    LineField,
    Segments,
    column,
    discard,
    flat_button,
    label,
    on_resize,
    push_button,
    row,
    scroll_area,
)
from annotator.ui.painting import draw_lines, font_of, rounded_box
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
        rounded_box(painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, edge=palette.line)

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
            rounded_box(painter, box, 2, edge=self._theme.palette.warning, width=2)

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

    Attributes:
        finding: the value, with the decision as it stands.
    """

    def __init__(
        self, found: PrivateFinding, pictures: ScreenshotCache, theme: Theme,
        *, decided: Callable[[], object], moved: Callable[[int], object],
    ) -> None:  # fmt: skip
        """Show a value; ``decided`` is called after a decision, ``moved`` with 1 for the next row, -1 for the last."""
        super().__init__()
        self.setObjectName("finding")
        self.finding = found
        self._decided, self._moved = decided, moved
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
        self._show_decision()
        self.setAccessibleName(f"{kind}: {found.value}")
        self.setAccessibleDescription(places_text(found, limit=8))

    def decide(self, decision: Decision) -> None:
        """Take a choice and tell it."""
        self.finding = dataclasses.replace(self.finding, decision=decision)
        self._show_decision()
        self._decided()

    def _show_decision(self) -> None:
        decision, placeholder = self.finding.decision, self.finding.placeholder
        if decision in _CHOICES:
            self._choice.set_current(_CHOICES.index(decision))
        replaced = decision == "replace"
        self.crop.show_replaced(placeholder if replaced else None)
        self._becomes.setText(tr("becomes {placeholder}").format(placeholder=placeholder) if replaced else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: decide, or go on."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_J: 1, Qt.Key.Key_Up: -1}
        other: Decision = "keep" if self.finding.decision == "replace" else "replace"
        choices: dict[int, Decision] = {Qt.Key.Key_R: "replace", Qt.Key.Key_K: "keep", Qt.Key.Key_Space: other}
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and event.key() in steps:
            self._moved(steps[Qt.Key(event.key())])
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


_MAX_WIDTH = 920


class RedactionSheet(Bar):
    """Covers its parent until the person is done, or leaves it.

    Ctrl+Enter is done, Esc leaves; see :class:`FindingRow` for the keys of a row.
    """

    def __init__(
        self, parent: QWidget, pictures: ScreenshotCache, theme: Theme, *, then: str, leave: Callable[[], object],
        done: Callable[[Sequence[PrivateFinding]], object], named: Callable[[str], object],
    ) -> None:  # fmt: skip
        """Cover nothing yet.

        ``then`` is what is done after it, in a word, or empty. One of the calls ends it: ``leave`` where nothing is to
        be changed, ``done`` with the findings and their decisions; ``named`` gets texts to be replaced as well.
        """
        super().__init__("page", parent)
        self._left, self._carry_out, self._named = leave, done, named
        self.setAccessibleName(tr("What may be private"))
        self._parent = parent
        self._pictures = pictures
        self._theme = theme
        self._then = then
        self.rows: list[FindingRow] = []
        self._title = label("", role="large")
        self._words = label("", role="muted", wraps=True)
        self._unread = label("", role="warning", wraps=True)
        self._replace = push_button(
            tr("Replace all"),
            tr("Replace every value that is not kept"),
            theme,
            keys="Ctrl+R",
            call=lambda: self._decide_all("replace"),
        )
        self._keep = push_button(
            tr("Keep all"), tr("Keep every value that is not replaced"), theme, call=lambda: self._decide_all("keep")
        )
        self._name = LineField(tr("Also replace"), placeholder=tr("Also replace a text, for instance a name"))
        self._name.returnPressed.connect(self._hand_over_name)
        self._leave = push_button(tr("Not now"), tr("Change nothing and go back"), theme, keys="Esc", call=leave)
        self._done = push_button(
            tr("Done"), tr("Carry it out"), theme, keys="Ctrl+Return", role="main", call=self._finish
        )
        self._close = flat_button("close", tr("Change nothing and go back"), theme, keys="Esc", call=leave)
        self._lay_out()
        on_resize(self, parent, self._fill_parent)

    def _lay_out(self) -> None:
        top = Qt.AlignmentFlag.AlignTop
        inside = QWidget()
        self._list = column(None, of=inside)
        self._area = scroll_area(inside, tr("What may be private"))
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        part = QWidget()
        part.setMaximumWidth(_MAX_WIDTH)
        column(
            row(
                (column(self._title, self._words, self._unread, spacing=SPACE.xs), 1),
                (self._replace, 0, top),
                (self._keep, 0, top),
                (self._close, 0, top),
            ),
            (self._area, 1),
            row((self._name, 1), SPACE.xl, self._leave, self._done),
            of=part,
            spacing=SPACE.l,
            margins=(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.l),
        )
        row(None, (part, 100), None, of=self, spacing=-1)

    @property
    def found(self) -> list[PrivateFinding]:
        """What is shown, with the decisions as they stand."""
        return [entry.finding for entry in self.rows]

    def open(self, found: Sequence[PrivateFinding], *, unread: int) -> None:
        """Show findings, and how many pictures nobody has looked through; choices taken here before stay."""
        chosen = {one.digest: one.decision for one in self.found}
        discard(self.rows)
        self.rows = []
        for place, one in enumerate(found):
            decided = dataclasses.replace(one, decision=chosen.get(one.digest, one.decision))
            entry = FindingRow(decided, self._pictures, self._theme, decided=self._show, moved=partial(self._go, place))
            self._list.insertWidget(place, entry)
            self.rows.append(entry)
        pictures = tr("1 picture was") if unread == 1 else tr("{unread} pictures were").format(unread=unread)
        self._unread.setText(
            tr("{pictures} not looked through yet: what only they show is not found. Find elements first.").format(
                pictures=pictures
            )
        )
        self._unread.setVisible(unread > 0)
        self._show()
        self._fill_parent()
        self.show()
        self.raise_()
        self._go(0)

    def say(self, words: str) -> None:
        """Tell something about the text that was named."""
        self._unread.setText(words)
        self._unread.setVisible(True)

    # Deciding -------------------------------------------------------------------------------------------------

    def _decide_all(self, decision: Decision) -> None:
        for entry in self.rows:
            if entry.finding.decision == "open":
                entry.decide(decision)

    def _finish(self) -> None:
        if self._done.isEnabled():
            self._carry_out(self.found)

    def _hand_over_name(self) -> None:
        text = self._name.text().strip()
        self._name.show_text("")
        self._name.clear()
        if text:
            self._named(text)

    def _show(self) -> None:
        found = self.found
        number, secrets = len(found), sum(one.secret for one in found)
        self._title.setText(
            tr("Found 1 thing that may be private")
            if number == 1
            else tr("Found {number} things that may be private").format(number=number)
        )
        first = {0: "", 1: tr("One of them is a secret. ")}.get(
            secrets, tr("{number} of them are secrets. ").format(number=secrets)
        )
        self._words.setText(
            tr(
                "{first}A value that is replaced gives way to the same placeholder in every text, and is painted "
                "over in every picture. Undo takes it back."
            ).format(first=first)
        )
        replaced = sum(one.decision == "replace" for one in found)
        kept = sum(one.decision == "keep" for one in found)
        left = number - replaced - kept
        parts = [tr("replace {replaced}").format(replaced=replaced)] if replaced else []
        parts += [tr("keep {kept}").format(kept=kept)] if kept else []
        words = tr(" and ").join(parts) + (tr(", then {then}").format(then=self._then) if self._then and parts else "")
        self._done.setText(words[:1].upper() + words[1:] if parts else tr("Done"))
        self._done.setAccessibleName(self._done.text())
        self._done.setEnabled(bool(parts))
        for button in (self._replace, self._keep):
            button.setEnabled(left > 0)

    # Keys and place -------------------------------------------------------------------------------------------

    def _go(self, place: int, by: int = 0) -> None:
        if self.rows:
            entry = self.rows[min(max(place + by, 0), len(self.rows) - 1)]
            entry.setFocus(Qt.FocusReason.OtherFocusReason)
            self._area.ensureWidgetVisible(entry)
        else:
            self._name.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: done, leave, replace all."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape:
            self._left()
        elif control and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._finish()
        elif control and event.key() == Qt.Key.Key_R:
            self._decide_all("replace")
        else:
            super().keyPressEvent(event)

    def _fill_parent(self) -> None:
        self.setGeometry(self._parent.rect())
