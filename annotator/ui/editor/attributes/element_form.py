"""The form of the selected elements: text or subtype, states, review, box. What their types cannot carry is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.attributes.element_attributes import MIXED, Attribute, AttributeName, BoxField, attributes_of, is_state
from annotator.attributes.keyboard_choice import attribute_words
from annotator.attributes.type_defaults import TypeDefaults
from annotator.ui.controls import LineField, Segments, column, push_button, row
from annotator.ui.editor.attributes.attribute_fields import BoxFields, TriState, WordField
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import RADIUS, SPACE
from annotator.words import tr
from demopack.domain.elements import ATTRIBUTES, STATES, Element, State
from demopack.domain.geometry import Rect
from demopack.domain.words import shorten

_MAX_HEIGHT_PX: Final = 88
_MAX_SCALE: Final = 6
_MARGIN_PX: Final = 2
"""Pixels of the picture that are shown around the box."""


class CropView(QWidget):
    """Shows a part of a picture as large as there is room, in half steps: pixels stay crisp."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._crop = QPixmap()
        self.setAccessibleName(tr("The element, enlarged"))
        self.setToolTip(tr("The element as it is on the screenshot, enlarged"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_part(self, image: QImage | None, box: Rect | None) -> None:
        """Show a part of a picture; nothing, and take no room, where there is none."""
        part = QRect() if box is None else QRect(box.x1, box.y1, box.width, box.height)
        part = part.adjusted(-_MARGIN_PX, -_MARGIN_PX, _MARGIN_PX, _MARGIN_PX) if part.isValid() else part
        if image is not None:
            part = part.intersected(image.rect())
        if image is None or part.isEmpty():
            self._crop = QPixmap()
            self.hide()
            return
        self._crop = QPixmap.fromImage(image.copy(part))
        self.updateGeometry()
        self.show()
        self.update()

    @property
    def scale(self) -> float:
        """How much larger than on the screenshot; less than 1 where it does not fit."""
        if self._crop.isNull():
            return 1.0
        room = QSize(max(self.width() - 2 * SPACE.xs, 60), _MAX_HEIGHT_PX)
        fits = min(room.width() / self._crop.width(), room.height() / self._crop.height())
        # Half steps: a long line would stay as small as it is otherwise.
        return min(int(2 * fits) / 2, _MAX_SCALE) if fits >= 1 else fits

    def sizeHint(self) -> QSize:
        """Qt's hook: as high as the enlarged crop, and no higher than a few lines."""
        height = 0 if self._crop.isNull() else min(round(self._crop.height() * self.scale), _MAX_HEIGHT_PX)
        return QSize(120, height + 2 * SPACE.xs)

    def minimumSizeHint(self) -> QSize:
        """Qt's hook: the height is the hint's."""
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: the crop in the middle of a quiet ground."""
        del event
        palette, scale = self._theme.palette, self.scale
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(palette.line), 1))
        painter.setBrush(QColor(palette.sunken))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        if self._crop.isNull():
            return
        width, height = round(self._crop.width() * scale), round(self._crop.height() * scale)
        place = QRect((self.width() - width) // 2, (self.height() - height) // 2, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, scale < 1)
        painter.drawPixmap(place, self._crop)

    def resizeEvent(self, event: object) -> None:
        """Qt's hook: another width may allow another scale."""
        del event
        self.updateGeometry()
        self.setCursor(Qt.CursorShape.ArrowCursor)


_REVIEWS: Final = ("unreviewed", "doubtful", "approved")
_REVIEW_WORDS: Final = (tr("To review"), tr("Doubtful"), tr("Approved"))
_REVIEW_TIPS: Final = (
    tr("Nobody has looked at it yet"), tr("Somebody should look again"), tr("A person says that it is right"),
)  # fmt: skip


class ElementForm(QWidget):
    """Shows one element or many, and says what a person changes.

    Signals:
        attribute_set: uids, which attribute, its new value; a tuple, a string, an object.
        box_set: which number of the box, and what was typed.
        box_left: the numbers were left.
        written: Return ended the text or the subtype.
    """

    attribute_set = Signal(tuple, str, object)
    box_set = Signal(str, int)
    box_left = Signal()
    written = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._uids: dict[AttributeName, tuple[str, ...]] = {}
        self._read = ""
        self._guesses: tuple[str, ...] = ()
        self._usual_words: Sequence[str] = ()
        self.crop = CropView(theme)
        self._text = LineField(tr("Text of the element"), placeholder=tr("Text on it"))
        self._text.committed.connect(partial(self._set, "text"))
        read = tr("Write what was read on the picture")
        self._offer = push_button("", read, theme, role="link", call=self._take_offer)
        self._offer.setAccessibleName(tr("Write what was read"))
        self._offer.hide()
        self._subtype = WordField(tr("Subtype of the element"), placeholder=tr("Which one, for instance search"))
        self._subtype.setToolTip(
            tr("Which icon or shape it is; known words complete themselves, any other can be written")
        )
        self._subtype.committed.connect(partial(self._set, "subtype"))
        for field in (self._text, self._subtype):
            field.returnPressed.connect(self.written)
        self.box = BoxFields()
        self.box.changed.connect(self._on_number)
        self.box.left.connect(self.box_left)
        self._states: dict[State, TriState] = {state: TriState(attribute_words(state), theme) for state in STATES}
        for state, box in self._states.items():
            box.chosen.connect(partial(self._set, state))
        self._review = Segments(tr("Review of the element"), _REVIEW_WORDS, tips=_REVIEW_TIPS)
        self._review.chosen.connect(self._choose_review)
        states = column(*self._states.values(), spacing=0)
        texts = (self.crop, self._text, self._offer, self._subtype)
        column(*texts, states, row(self._review, None), self.box, of=self)

    # Showing --------------------------------------------------------------------------------------------------

    def show_elements(
        self, elements: Sequence[Element], *, defaults: TypeDefaults, usual: Mapping[str, Mapping[State, bool]]
    ) -> None:
        """Show what these elements are.

        Args:
            elements: at least one.
            defaults: for the words that are offered as subtypes.
            usual: uid -> the states that were filled in by habit.
        """
        attributes: dict[AttributeName, Attribute] = {one.name: one for one in attributes_of(elements)}
        self._uids = {name: attribute.uids for name, attribute in attributes.items()}
        one = elements[0] if len(elements) == 1 else None
        self._text.setVisible("text" in attributes)
        self._text.show_text("" if one is None else one.text or "")
        self._show_subtype(attributes.get("subtype"), elements, defaults)
        for state, box in self._states.items():
            shown = attributes.get(state)
            box.setVisible(shown is not None)
            if shown is not None:
                self._show_state(box, state, shown, elements, usual)
        self._show_review(attributes["review"])
        self.box.setVisible(one is not None)
        if one is not None:
            self.box.show_box(one.box)
        self.offer_text(self._read if one is not None else "")

    def _show_subtype(self, attribute: Attribute | None, elements: Sequence[Element], defaults: TypeDefaults) -> None:
        self._subtype.setVisible(attribute is not None)
        if attribute is None:
            return
        self._subtype.show_text(str(attribute.value or "") if attribute.value is not MIXED else "")
        able = next(element for element in elements if ATTRIBUTES[element.type].subtype)
        self._usual_words = defaults.subtypes(able.type)
        self.offer_words(self._guesses)

    def _show_state(
        self,
        box: TriState,
        state: State,
        attribute: Attribute,
        elements: Sequence[Element],
        usual: Mapping[str, Mapping[State, bool]],
    ) -> None:
        able = len(attribute.uids)
        words = attribute_words(state)
        box.setText(words if able == len(elements) else tr("{state} ({count})").format(state=words, count=able))
        value = attribute.value if attribute.value is MIXED or isinstance(attribute.value, bool) else None
        by_habit = isinstance(value, bool) and all(usual.get(uid, {}).get(state) == value for uid in attribute.uids)
        box.show_value(value, usual=by_habit)

    def _show_review(self, attribute: Attribute) -> None:
        if attribute.value in _REVIEWS:
            self._review.set_current(_REVIEWS.index(str(attribute.value)))
        else:
            self._review.set_none()

    def offer_text(self, text: str) -> None:
        """Offer what was read on the element, while its text is empty; empty offers nothing."""
        self._read = text
        wanted = bool(text) and not self._text.isHidden() and not self._text.text()
        self._offer.setText(tr("Write “{text}”, as read").format(text=shorten(text, 28)))
        self._offer.setAccessibleName(tr("Write “{text}”, as read").format(text=text))
        self._offer.setVisible(wanted)

    def offer_words(self, guesses: Sequence[str]) -> None:
        """What the element may be, the likeliest first: a subtype completes itself to these before the usual words."""
        self._guesses = tuple(guesses)
        self._subtype.words = list(dict.fromkeys((*guesses, *self._usual_words)))

    # Editing --------------------------------------------------------------------------------------------------

    def edit_text(self) -> None:
        """Put the cursor into the text, all of it selected; an empty one begins with what was read."""
        field = self._text if not self._text.isHidden() else self._subtype
        if field.isHidden():
            return
        if field is self._text and self._read and not field.text():
            field.setText(self._read)
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def flush(self) -> None:
        """Hand over what is being typed."""
        self._text.flush()
        self._subtype.flush()

    def _choose_review(self, place: int) -> None:
        self._set("review", _REVIEWS[place])

    def _take_offer(self) -> None:
        self._set("text", self._read)

    def _on_number(self, field: BoxField, value: int) -> None:
        self.box_set.emit(field, value)

    def _set(self, name: AttributeName, value: object) -> None:
        uids = self._uids.get(name, ())
        if uids:
            self.attribute_set.emit(uids, name, value if is_state(name) else str(value))
