"""Attributes by mouse and keyboard: digits, attribute mode, habits, the enlarged and read text, icons' names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import islice
from typing import ClassVar, Final

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QKeyEvent, QPainter, QPen, QPixmap

from annotator.attributes.element_attributes import FillStates, SetAttribute
from annotator.attributes.keyboard_choice import (
    DIGITS,
    AttributeMode,
    Line,
    TypeDigits,
    command_of,
    load_digits,
    save_digits,
)
from annotator.attributes.text_updates import offered_text
from annotator.attributes.type_defaults import TypeDefaults, read_reviewed
from annotator.commands import Command
from annotator.editing import EditKind
from annotator.step_words import type_word
from annotator.ui.canvas.box_painting import window_rect
from annotator.ui.canvas.layers import CanvasLayer
from annotator.ui.editor.attributes.text_reading import ElementReader, ReadingTask, TextFollowing
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.keys.key import Key
from annotator.ui.painting import draw_line, font_of, rounded_box
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HALO, RADIUS, SELECTION, SPACE, Palette
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import ATTRIBUTES, Element, ElementType
from demopack.domain.geometry import Rect

_ROW: Final = 22.0
_WIDTH: Final = 216.0
_MAX_WIDTH: Final = 320.0
_GAP: Final = 14.0
_BETWEEN: Final = 12.0
"""The name of an attribute and its value."""
_HINT: Final = tr("↑ ↓ attribute   Tab next   Esc ends")


class AttributeCard(CanvasLayer):
    """Painted while attribute mode is on; Esc ends the mode.

    Attributes:
        lines: what it shows.
    """

    def __init__(self, theme: Theme, *, end: Callable[[], None]) -> None:
        self._theme = theme
        self._end = end
        self.lines: tuple[Line, ...] = ()
        self._around: Rect | None = None
        self._picture: QPixmap | None = None
        self._looks: tuple[Palette, float] | None = None
        self._width = _WIDTH

    @property
    def on(self) -> bool:
        """Whether the card is shown."""
        return bool(self.lines)

    def show(self, lines: Sequence[Line], boxes: Sequence[Rect]) -> None:
        """Show these lines beside the elements with these boxes; no lines take the card away."""
        if tuple(lines) != self.lines:
            self.lines, self._picture = tuple(lines), None
        self._around = reduce(Rect.union, boxes) if boxes else None

    def escaped(self) -> bool:
        """See :class:`CanvasLayer`."""
        if not self.lines:
            return False
        self._end()
        return True

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        around = self._around
        if not self.lines or around is None:
            return
        target = window_rect(viewport, around)
        # A second frame, so that the eye finds what the card is about.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in ((HALO, 4), (SELECTION, 2)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawRect(target.adjusted(-5, -5, 5, 5))
        picture = self._drawn(painter)
        size = QSizeF(self._width, self._height())
        place = placed(target, size, width=viewport.width, room=viewport.height)
        painter.drawPixmap(place.topLeft().toPoint(), picture)

    def _drawn(self, painter: QPainter) -> QPixmap:
        """The card as a picture: its words are painted once, not on every repaint of the canvas."""
        looks = (self._theme.palette, painter.device().devicePixelRatioF())
        if self._picture is None or self._looks != looks:
            palette, ratio = self._looks = looks
            self._width = self._measured(painter.font())
            size = QSizeF(self._width + 1, self._height() + 1) * ratio
            self._picture = QPixmap(size.toSize())
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            inside = QPainter(self._picture)
            inside.setFont(painter.font())
            inside.setRenderHint(QPainter.RenderHint.Antialiasing)
            place = QRectF(0.5, 0.5, self._width - 1, self._height() - 1)
            rounded_box(inside, place, RADIUS, ground=palette.surface, edge=palette.edge)
            self._paint_lines(inside, place, palette)
            inside.end()
        return self._picture

    def _measured(self, font: QFont) -> float:
        """As wide as its longest line, within limits: a text may be very long."""
        bold = QFontMetricsF(font_of(font, size=FONT.base, bold=True))
        caption = QFontMetricsF(font_of(font, size=FONT.caption))
        lines = (
            bold.horizontalAdvance(line.words) + _BETWEEN + bold.horizontalAdvance(line.value) for line in self.lines
        )
        needed = max(*lines, caption.horizontalAdvance(_HINT), 0.0) + SPACE.m + SPACE.s + 4
        return min(max(needed, _WIDTH), _MAX_WIDTH)

    def _height(self) -> float:
        rows = sum(1 + (len(line.choices) + line.writes if line.current else 0) for line in self.lines)
        return (rows + 1) * _ROW + 2 * SPACE.s

    def _paint_lines(self, painter: QPainter, place: QRectF, palette: Palette) -> None:
        y = place.top() + SPACE.s
        for line in self.lines:
            row = QRectF(place.left() + 1, y, place.width() - 2, _ROW)
            if line.current:
                painter.fillRect(row, QColor(palette.accent_soft))
                painter.fillRect(QRectF(row.left(), row.top(), 3, row.height()), QColor(palette.accent))
            name = row.adjusted(SPACE.m, 0, -SPACE.s, 0)
            draw_line(painter, name, line.words, size=FONT.base, colour=palette.text, bold=line.current)
            value = name.adjusted(painter.fontMetrics().horizontalAdvance(line.words) + _BETWEEN, 0, 0, 0)
            colour = palette.text if line.current else palette.muted
            draw_line(painter, value, line.value, size=FONT.base, colour=colour, right=True, bold=line.current)
            y += _ROW
            if line.current:
                offered = [(choice.digit, choice.words, choice.taken) for choice in line.choices]
                if line.writes:
                    offered.append(("↵", tr("write it"), False))
                for digit, words, taken in offered:
                    row = QRectF(place.left() + 1, y, place.width() - 2, _ROW)
                    _paint_choice(painter, row, digit, words, palette, taken=taken)
                    y += _ROW
        hint = QRectF(place.left() + SPACE.m, y, place.width() - SPACE.m, _ROW)
        draw_line(painter, hint, _HINT, size=FONT.caption, colour=palette.muted)


def placed(target: QRectF, card: QSizeF, *, width: float, room: float) -> QRectF:
    """Where the card lies: right of the element where there is room, else left, else over its right edge.

    Args:
        target: the element, in window pixels.
        card: how large the card is.
        width: of the window.
        room: height of the window.
    """
    left = target.right() + _GAP
    if left + card.width() > width - SPACE.xs:
        left = target.left() - _GAP - card.width()
    if left < SPACE.xs:
        left = max(SPACE.xs, min(target.right(), width) - card.width() - SPACE.xs)
    top = max(SPACE.xs, min(target.top(), room - card.height() - SPACE.xs))
    return QRectF(QPointF(left, top), card)


def _paint_choice(painter: QPainter, row: QRectF, digit: str, words: str, palette: Palette, *, taken: bool) -> None:
    cap = QRectF(row.left() + SPACE.m, row.top() + 3, 16, row.height() - 6)
    ground, edge = (palette.accent, palette.accent) if taken else (palette.hover, palette.edge)
    rounded_box(painter, cap, 3, ground=ground, edge=edge)
    painter.setFont(font_of(painter.font(), size=FONT.caption, bold=True))
    painter.setPen(QColor(palette.on_accent if taken else palette.text))
    painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, digit)
    room = row.adjusted(SPACE.m + 24, 0, -SPACE.s, 0)
    draw_line(painter, room, words, size=FONT.base, colour=palette.text, bold=taken)


_NO_OTHER_KEY: Final = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
_LEARNED_AT_ONCE: Final = 50
"""Of an edit of thousands of elements no more are counted: it is one habit."""


class Learning:
    """Reads the library in the background, learns from each edit, fills in what is usual.

    Attributes:
        defaults: what is usual; those of an empty library until the library was read.
        digits: which digit sets which type.
    """

    def __init__(self, context: EditorContext, *, changed: Callable[[], None]) -> None:
        """Begin to read; ``changed`` is called when habits or digits are others."""
        self.defaults = TypeDefaults()
        self.digits = TypeDigits().relearned(self.defaults.types_by_use())
        self._context, self._changed = context, changed
        self._last = ""
        context.panel.element.legend.show_digits(self.digits)
        context.panel.element.legend.fixed.connect(self._fix)
        # A type brings its usual states along, whoever asked for it.
        context.session.set_rewrite("defaults", self._as_usual)
        context.session.edited.connect(self._on_edited)
        library, demo_id = context.session.library, context.session.demo_id
        context.operations.start(
            lambda: (load_digits(), read_reviewed(library, first=demo_id)),
            on_result=lambda read: self._use(*read),
            # Habits are a help: a library that cannot be read says so where it is read for its own sake.
            on_error=lambda _: None,
        )

    def _fix(self, digit: str, kind: ElementType | None) -> None:
        """Give a digit to a type for good; None lets it be learned again."""
        self._keep(self.digits.fix(digit, kind).relearned(self.defaults.types_by_use()))

    def _as_usual(self, command: Command) -> Command:
        if isinstance(command, SetAttribute) and command.name == "type":
            return replace(command, usual=self.defaults.all_usual_states())
        return command

    def _use(self, kept: TypeDigits, elements: list[Element]) -> None:
        self.defaults.add(elements)
        self._context.panel.element.set_habits(self.defaults)
        digits = kept.relearned(self.defaults.types_by_use())
        if digits != kept:
            self._keep(digits)
        else:
            self._show(digits)

    def _show(self, digits: TypeDigits) -> None:
        self.digits = digits
        self._context.panel.element.legend.show_digits(digits)
        self._changed()

    def _keep(self, digits: TypeDigits) -> None:
        self._show(digits)
        self._context.operations.start(lambda: save_digits(digits))

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        self._last = edit.id
        if kind != "done":
            return
        if edit.drawn is not None:
            # What is filled in by habit must not make the habit stronger.
            made = [change.key for change in edit.changes if change.kind == "element" and change.before is None]
            if len(made) == 1:
                # After the drawing itself was handed to the log.
                QTimer.singleShot(0, self._context.page, lambda: self._fill(made[0], edit))
            return
        elements = (change.becomes for change in edit.changes if isinstance(change.becomes, Element))
        approved = (element for element in elements if element.review == "approved")
        self.defaults.add(islice(approved, _LEARNED_AT_ONCE))

    def _fill(self, uid: str, edit: Edit) -> None:
        element = self._context.document.element(uid)
        # After another edit it would be an entry of its own, and no part of the drawing any more.
        if element is None or element.states or self._context.session.closed or edit.id != self._last:
            return
        states = self.defaults.usual_states(element.type)
        if states:
            self._context.session.do(FillStates(uid=uid, states=states, merge_key=edit.merge_key))
            self._context.panel.element.note_defaults(uid, states)


def _press(digit: str, feature: AttributesFeature) -> None:
    feature.press_digit(digit)


class AttributesFeature(Feature):
    """Sets attributes of the selected elements, and knows what is usual.

    Attributes:
        mode: which attribute the digits mean.
        card: what is shown beside the element.
        reading: reads texts in the background.
        following: reads the texts of boxes that were drawn or changed.
        learning: habits and digits.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.mode = AttributeMode()
        self._frame_id = ""
        self.card = AttributeCard(context.theme, end=self.end_mode)
        self.reading = ElementReader(self, context.services, context.operations, tell=self._on_selection)
        self.following = TextFollowing(context, self.reading)
        self.learning = Learning(context, changed=self._show_mode)
        context.canvas.installEventFilter(self)
        context.canvas.add_layer(self.card)
        view = context.view
        view.selection_changed.connect(self._on_selection)
        view.frame_changed.connect(self._on_selection)
        view.filters_changed.connect(self._show_mode)
        context.document.elements_changed.connect(lambda _: self._on_selection())
        context.canvas.loaded.connect(self._show_picture)
        self._on_selection()

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self.context.canvas.removeEventFilter(self)
        self.reading.close()

    # Digits and the mode --------------------------------------------------------------------------------------

    def press_digit(self, digit: str) -> None:
        """The value of the current attribute in attribute mode, else the type of the selection or the next box."""
        if self.card.on:
            command = command_of(self.card.lines, digit)
            if command is not None:
                self.context.do(command)
            return
        kind = self.learning.digits.type_of(digit)
        if kind is not None:
            self.context.panel.element.use_type(kind)
            if not self.context.view.selection:
                self.context.say(tr("The next box is a {type}.").format(type=type_word(kind)))

    def toggle_mode(self) -> None:
        """Begin to set attributes by keyboard, with the first element where none is selected; or end it."""
        if self.mode.on:
            self.end_mode()
            return
        self.mode.on = True
        self._frame_id = self._shown_frame()
        self._show_picture()
        self.context.leave()
        if not self.context.view.selection:
            self.context.view.select_next(1)
        self.context.canvas.setFocus()
        self._show_mode()
        if not self.card.on:
            self.end_mode()
            self.context.say(tr("There is no element on this picture."))

    def end_mode(self) -> None:
        """Set no more attributes by keyboard."""
        self.mode.on = False
        self._show_mode()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: the arrows up and down, which shortcuts would take otherwise, while attribute mode is on."""
        offset = 0
        if self.card.on and isinstance(event, QKeyEvent) and event.modifiers() in _NO_OTHER_KEY:
            offset = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if offset and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if offset and event.type() == QEvent.Type.KeyPress:
            self.mode.move(self.context.view.selected, offset)
            self._show_mode()
            return True
        return super().eventFilter(watched, event)

    def _show_mode(self) -> None:
        elements = self.context.view.selected if self.mode.on else []
        guesses = self._guesses(elements)
        lines = self.mode.lines(elements, digits=self.learning.digits, defaults=self.learning.defaults, guesses=guesses)
        self.card.show(lines, [element.box for element in elements])
        self.context.canvas.update()

    def _guesses(self, elements: Sequence[Element]) -> list[str]:
        """What a single icon may mean, as far as it was looked at."""
        if len(elements) != 1 or elements[0].type != "icon":
            return []
        return self.reading.names_of(elements[0].frame, elements[0].box)

    # Following ------------------------------------------------------------------------------------------------

    def _shown_frame(self) -> str:
        frame = self.context.view.frame
        return "" if frame is None else frame.id

    def _go_on(self) -> None:
        """In attribute mode with nothing selected: another picture begins with its first element, else it is over."""
        if not self.mode.on or self.context.view.selection or self.context.session.closed:
            return
        before, self._frame_id = self._frame_id, self._shown_frame()
        if before != self._frame_id:
            self.context.view.select_next(1)
        if not self.context.view.selection:
            self.end_mode()

    def _on_selection(self) -> None:
        if self.mode.on and not self.context.view.selection:
            # What follows may select something else at once, for instance the next one after a rejected one.
            QTimer.singleShot(0, self.context.page, self._go_on)
        self._show_mode()
        self._show_picture()

    # The text on the element ----------------------------------------------------------------------------------

    def _show_picture(self) -> None:
        element, panel = self.context.view.element, self.context.panel.element
        image = None if element is None else self.context.pictures.frame(element.frame)
        panel.offer_words([] if element is None else self._guesses([element]))
        if element is None or not isinstance(image, QImage) or not ATTRIBUTES[element.type].text:
            panel.crop.show_part(None, None)
            self.reading.forget_wish()
            icon = element is not None and element.type == "icon" and (self.mode.on or not element.subtype)
            if element is not None and isinstance(image, QImage) and icon:
                # Digits say soon what it may mean, or it has no name yet.
                self.reading.want(ReadingTask(element.frame, element.box, icon=True), image)
            return
        panel.crop.show_part(image, element.box)
        self._offer(element, image)

    def _offer(self, element: Element, image: QImage) -> None:
        """Offer what the text could be while there is none; where it must be read, it is read soon."""
        panel = self.context.panel.element
        if element.text:
            panel.offer_text("")
            self.reading.forget_wish()
            return
        here = self.context.document.elements(element.frame)
        offer = offered_text(element, here, self.context.canvas.pixels)
        if isinstance(offer, Rect):
            panel.offer_text(self.reading.text_of(element.frame, offer))
            self.reading.want(ReadingTask(element.frame, offer), image)
        else:
            panel.offer_text(offer or "")
            self.reading.forget_wish()

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("attribute_mode", tr("Set attributes by keyboard, or end it"), ("Q",), "Attributes", call=toggle_mode),
        Key("attribute_lines", tr("Attribute mode: another attribute"), ("Up", "Down"), "Attributes", "shown"),
        *(
            Key(f"digit_{digit}", tr("Type of the selection, or of the next box"), (digit,), "Attributes",
                call=partial(_press, digit))
            for digit in DIGITS
        ),
    )  # fmt: skip
