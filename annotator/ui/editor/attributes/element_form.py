"""The form of the selected elements: text or subtype, states, review, box. What their types cannot carry is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.attributes.box_numbers import BoxField
from annotator.attributes.form import MIXED, Attribute, AttributeName, attributes_of, is_state
from annotator.attributes.habits import Habits
from annotator.attributes.mode import attribute_words
from annotator.ui.controls import LineField, Segments, push_button
from annotator.ui.editor.attributes.box_fields import BoxFields
from annotator.ui.editor.attributes.crop_view import CropView
from annotator.ui.editor.attributes.tri_state import TriState
from annotator.ui.editor.attributes.word_field import WordField
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.elements import ATTRIBUTES, STATES, Element, State
from demopack.domain.words import shorten

__all__ = ["ElementForm"]

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
        self._offer = push_button("", tr("Write what was read on the picture"), theme, role="link")
        self._offer.setAccessibleName(tr("Write what was read"))
        self._offer.clicked.connect(self._take_offer)
        self._offer.hide()
        self._subtype = self._subtype_field()
        for field in (self._text, self._subtype):
            field.returnPressed.connect(self.written)
        self.box = BoxFields()
        self.box.changed.connect(self._on_number)
        self.box.left.connect(self.box_left)
        inner = QVBoxLayout(self)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(SPACE.s)
        for part in (self.crop, self._text, self._offer, self._subtype):
            inner.addWidget(part)
        inner.addLayout(self._state_rows(theme))
        inner.addWidget(self._review_row())
        inner.addWidget(self.box)

    def _subtype_field(self) -> WordField:
        field = WordField(tr("Subtype of the element"), placeholder=tr("Which one, for instance search"))
        field.setToolTip(tr("Which icon or shape it is; known words complete themselves, any other can be written"))
        field.committed.connect(partial(self._set, "subtype"))
        return field

    def _state_rows(self, theme: Theme) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        self._states: dict[State, TriState] = {}
        for state in STATES:
            row = TriState(attribute_words(state), theme)
            row.chosen.connect(partial(self._set, state))
            column.addWidget(row)
            self._states[state] = row
        return column

    def _review_row(self) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        self._review = Segments(tr("Review of the element"), _REVIEW_WORDS, tips=_REVIEW_TIPS)
        self._review.chosen.connect(self._choose_review)
        layout.addWidget(self._review)
        layout.addStretch(1)
        return row

    # Showing --------------------------------------------------------------------------------------------------

    def show_elements(
        self, elements: Sequence[Element], *, habits: Habits, usual: Mapping[str, Mapping[State, bool]]
    ) -> None:
        """Show what these elements are.

        Args:
            elements: at least one.
            habits: for the words that are offered as subtypes.
            usual: uid -> the states that were filled in by habit.
        """
        attributes: dict[AttributeName, Attribute] = {one.name: one for one in attributes_of(elements)}
        self._uids.clear()
        for name, attribute in attributes.items():
            self._uids[name] = attribute.uids
        one = elements[0] if len(elements) == 1 else None
        self._text.setVisible("text" in attributes)
        self._text.show_text("" if one is None else one.text or "")
        self._show_subtype(attributes.get("subtype"), elements, habits)
        for state, row in self._states.items():
            shown = attributes.get(state)
            row.setVisible(shown is not None)
            if shown is not None:
                self._show_state(row, state, shown, elements, usual)
        self._show_review(attributes["review"])
        self.box.setVisible(one is not None)
        if one is not None:
            self.box.show_box(one.box)
        self.offer_text(self._read if one is not None else "")

    def _show_subtype(self, attribute: Attribute | None, elements: Sequence[Element], habits: Habits) -> None:
        self._subtype.setVisible(attribute is not None)
        if attribute is None:
            return
        self._subtype.show_text(str(attribute.value or "") if attribute.value is not MIXED else "")
        able = next(element for element in elements if ATTRIBUTES[element.type].subtype)
        self._usual_words = habits.subtypes(able.type)
        self.offer_words(self._guesses)

    def _show_state(
        self,
        row: TriState,
        state: State,
        attribute: Attribute,
        elements: Sequence[Element],
        usual: Mapping[str, Mapping[State, bool]],
    ) -> None:
        able = len(attribute.uids)
        words = attribute_words(state)
        row.setText(words if able == len(elements) else tr("{state} ({count})").format(state=words, count=able))
        value = attribute.value if attribute.value is MIXED or isinstance(attribute.value, bool) else None
        by_habit = isinstance(value, bool) and all(usual.get(uid, {}).get(state) == value for uid in attribute.uids)
        row.show_value(value, usual=by_habit)

    def _show_review(self, attribute: Attribute) -> None:
        if attribute.value in _REVIEWS:
            self._review.set_current(_REVIEWS.index(str(attribute.value)))
        else:
            _clear(self._review)

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


def _clear(segments: Segments) -> None:
    """Take none of the choices: the elements differ."""
    group = segments.button(0).group()
    group.setExclusive(False)
    for button in group.buttons():
        button.setChecked(False)
    group.setExclusive(True)
