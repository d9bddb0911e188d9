"""The selected elements: what they are, what is written on them, their states, their box; the digits of the types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, cast

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QComboBox, QGridLayout, QMenu, QSizePolicy, QToolButton, QWidget

from annotator.attributes.element_attributes import (
    MIXED,
    Attribute,
    AttributeName,
    BoxField,
    SetAttribute,
    attributes_of,
    box_with,
    is_state,
    number_of,
)
from annotator.attributes.keyboard_choice import DIGITS, TypeDigits, attribute_words
from annotator.attributes.type_defaults import TypeDefaults
from annotator.box_commands import SetBoxes
from annotator.step_words import type_word
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.controls import (
    LineField,
    Segments,
    column,
    combo_box,
    flat_button,
    label,
    on_escape,
    push_button,
    row,
)
from annotator.ui.editor.attributes.attribute_fields import BOX_WORDS, CropView, NumberFields, TriState, WordField
from annotator.ui.editor.panels.panel_section import Do, PanelSection, UndoGroup
from annotator.ui.painting import type_badge
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HIT, SPACE
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, STATES, Element, ElementType, State
from demopack.domain.words import shorten

_COLUMNS = 5
_TIPS = {
    True: tr("{digit} always sets {type}.\nThe context menu gives this digit to another type."),
    False: tr("{digit} sets {type}, which is used much.\nThe context menu gives this digit to another type."),
}


class DigitLegend(QWidget):
    """Two rows of five.

    Signals:
        fixed: a digit, and the type that it is to have from now on; None lets it be learned.
    """

    fixed = Signal(str, object)

    def __init__(self, *, use_type: Callable[[ElementType], None]) -> None:
        """Make the buttons; ``use_type`` is called with the type of a digit that was clicked."""
        super().__init__()
        self._use_type = use_type
        self._current: ElementType | None = None
        self.setAccessibleName(tr("Types by digit"))
        self._digits = TypeDigits()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(SPACE.xs)
        self._buttons: dict[str, QToolButton] = {}
        for place, digit in enumerate(DIGITS):
            button = QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setProperty("role", "flat")
            button.setText(digit)
            button.setIconSize(QSize(22, 16))
            button.setCheckable(True)
            button.setMinimumHeight(HIT.tool)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            button.clicked.connect(partial(self._use, digit))
            button.customContextMenuRequested.connect(partial(self._open_menu, digit))
            grid.addWidget(button, place // _COLUMNS, place % _COLUMNS)
            self._buttons[digit] = button
        self.show_digits(self._digits)

    def show_digits(self, digits: TypeDigits) -> None:
        """Show another map."""
        self._digits = digits
        for digit, button in self._buttons.items():
            kind = digits.type_of(digit)
            button.setEnabled(kind is not None)
            words = tr("no type yet") if kind is None else type_word(kind)
            tip = _TIPS[digit in digits.fixed].format(digit=digit, type=words)
            button.setIcon(QIcon() if kind is None else QIcon(type_badge(kind, ratio=self.devicePixelRatioF())))
            button.setAccessibleName(tr("Digit {digit}: {type}").format(digit=digit, type=words))
            button.setToolTip(tip)
        self.show_current(self._current)

    def show_current(self, kind: ElementType | None) -> None:
        """Mark the digit of the type that is selected, or that the next box has."""
        self._current = kind
        for digit, button in self._buttons.items():
            button.setChecked(kind is not None and self._digits.type_of(digit) == kind)

    def _use(self, digit: str, *_: object) -> None:
        kind = self._digits.type_of(digit)
        if kind is not None:
            self._use_type(kind)

    def menu_of(self, digit: str) -> QMenu:
        """The menu that gives a digit to another type."""
        menu = QMenu(self)
        menu.setAccessibleName(tr("Digit {digit}").format(digit=digit))
        for kind in ELEMENT_TYPES:
            entry = menu.addAction(QIcon(type_badge(kind)), type_word(kind))
            entry.setData(kind)
            entry.setCheckable(True)
            entry.setChecked(self._digits.fixed.get(digit) == kind)
        menu.addSeparator()
        learn = menu.addAction(tr("Let it be learned"))
        learn.setEnabled(digit in self._digits.fixed)
        menu.triggered.connect(partial(self._on_entry, digit))
        return menu

    def _on_entry(self, digit: str, entry: QAction) -> None:
        self.fixed.emit(digit, entry.data())

    def _open_menu(self, digit: str, at: QPoint) -> None:
        menu = self.menu_of(digit)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._buttons[digit].mapToGlobal(at))


_SOURCES = {
    "ocr": tr("read by OCR"),
    "detector": tr("found by detector"),
    "describer": tr("found by describer"),
    "accessibility": tr("from accessibility"),
    "human": tr("drawn by you"),
    "rule": tr("found by a rule"),
    "propagated": tr("carried over"),
}


_REVIEWS: Final = ("unreviewed", "doubtful", "approved")
_REVIEW_WORDS: Final = (tr("To review"), tr("Doubtful"), tr("Approved"))
_REVIEW_TIPS: Final = (
    tr("Nobody has looked at it yet"), tr("Somebody should look again"), tr("A person says that it is right"),
)  # fmt: skip


class ElementSection(PanelSection):
    """Shows and edits the selected elements; with none, the type of the next box. What cannot be said is hidden.

    Attributes:
        crop: the element, enlarged.
        legend: the digits of the types.
    """

    def __init__(self, view: ViewState, do: Do, theme: Theme, canvas: Canvas) -> None:
        super().__init__(tr("Element"), view, do, theme, first=True)
        self._canvas = canvas
        self._gesture = UndoGroup()
        self._habits = TypeDefaults()
        self._usual: dict[str, Mapping[State, bool]] = {}
        self._uids: dict[AttributeName, tuple[str, ...]] = {}
        self._read = ""
        self._guesses: tuple[str, ...] = ()
        self._usual_words: Sequence[str] = ()
        self._hint = label("", role="muted", wraps=True)
        self._type = self._type_box()
        self._copy = flat_button("copy", tr("Duplicate"), theme, action="duplicate")
        self._remove = flat_button("trash", tr("Delete"), theme, action="delete")
        self.legend = DigitLegend(use_type=self.use_type)
        self._form = self._make_form()
        self._use = push_button(
            tr("Use as target"),
            tr("Make this the element that the step was done to"),
            theme,
            name="target",
            action="use_target",
        )
        self._also = push_button(
            tr("Also right"), tr("It would have been as right as the target"), theme, action="mark_alternative"
        )
        self._also.setCheckable(True)
        self._body.addWidget(self._hint)
        self._body.addLayout(row((self._type, 1), self._copy, self._remove, spacing=SPACE.xs))
        self._body.addWidget(self.legend)
        self._body.addWidget(self._form)
        self._body.addLayout(row(self._use, self._also, None, spacing=SPACE.xs))
        # Esc that no field needed for itself ends the writing.
        on_escape(self, canvas.setFocus)
        view.leaving.connect(self._flush)
        view.selection_changed.connect(self._on_selection)
        view.step_changed.connect(self._show)
        view.document.elements_changed.connect(lambda _: self._show())
        self._show()

    # Parts ----------------------------------------------------------------------------------------------------

    def _type_box(self) -> QComboBox:
        kinds = [(type_word(kind), kind) for kind in ELEMENT_TYPES]
        box = combo_box(tr("Type of the element"), tr("What it is; digits choose the most used types"), kinds)
        box.setMaxVisibleItems(24)
        box.setPlaceholderText(tr("Different types"))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(8)
        for place, kind in enumerate(ELEMENT_TYPES):
            box.setItemIcon(place, QIcon(type_badge(kind, ratio=self.devicePixelRatioF())))
        box.setIconSize(type_badge("button").size())
        box.activated.connect(lambda: self.use_type(ELEMENT_TYPES[box.currentIndex()]))
        return box

    def _make_form(self) -> QWidget:
        """What is said about the elements: text or subtype, states, review, box."""
        made, theme = QWidget(), self._theme
        self.crop = CropView(theme)
        self._text = LineField(tr("Text of the element"), placeholder=tr("Text on it"))
        self._text.committed.connect(partial(self._set, "text"))
        read = tr("Write what was read on the picture")
        self._offer = push_button("", read, theme, role="link", call=lambda: self._set("text", self._read))
        self._offer.setAccessibleName(tr("Write what was read"))
        self._offer.hide()
        self._placeholder = LineField(tr("Placeholder of the element"), placeholder=tr("What it shows while empty"))
        self._placeholder.committed.connect(partial(self._set, "placeholder"))
        self._subtype = WordField(tr("Subtype of the element"), placeholder=tr("Which one, for instance search"))
        self._subtype.setToolTip(
            tr("Which icon or shape it is; known words complete themselves, any other can be written")
        )
        self._subtype.committed.connect(partial(self._set, "subtype"))
        for field in (self._text, self._placeholder, self._subtype):
            field.returnPressed.connect(self._canvas.setFocus)
        self._box = NumberFields(BOX_WORDS, change=self._set_number, leave=self._gesture.end)
        self._states: dict[State, TriState] = {state: TriState(attribute_words(state), theme) for state in STATES}
        for state, box in self._states.items():
            box.chosen.connect(partial(self._set, state))
        self._review = Segments(tr("Review of the element"), _REVIEW_WORDS, tips=_REVIEW_TIPS)
        self._review.chosen.connect(lambda: self._set("review", _REVIEWS[self._review.current]))
        states = column(*self._states.values(), spacing=0)
        texts = (self.crop, self._text, self._offer, self._placeholder, self._subtype)
        column(*texts, states, row(self._review, None), self._box, of=made)
        return made

    # For others -----------------------------------------------------------------------------------------------

    def use_type(self, kind: ElementType) -> None:
        """Give the selection this type; with nothing selected, the next box."""
        uids = self._view.selection
        if uids:
            self._flush()
            self._do(SetAttribute(uids=uids, name="type", value=kind))
        else:
            self._canvas.tools.new_type = kind
        self._show()

    def set_habits(self, defaults: TypeDefaults) -> None:
        """Go by other habits."""
        self._habits = defaults
        self._show()

    def note_defaults(self, uid: str, states: Mapping[State, bool]) -> None:
        """Remember that these states were filled in by habit: they are shown as such until somebody changes them."""
        self._usual[uid] = dict(states)
        self._show()

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

    def edit_text(self) -> None:
        """Put the cursor into the text, all of it selected; an empty one begins with what was read."""
        field = self._text if not self._text.isHidden() else self._subtype
        if field.isHidden():
            return
        if field is self._text and self._read and not field.text():
            field.setText(self._read)
        self._give_keyboard(field)
        field.selectAll()

    def take_focus(self) -> None:
        """Let the keyboard begin here."""
        self._give_keyboard(self._type)

    # Following ------------------------------------------------------------------------------------------------

    def _on_selection(self) -> None:
        self._gesture.end()
        self.offer_text("")
        self._show()

    def _show(self) -> None:
        elements = self._view.selected
        one = elements[0] if len(elements) == 1 else None
        self._form.setVisible(bool(elements))
        for button in (self._use, self._also, self._copy, self._remove):
            button.setVisible(bool(elements))
        self._hint.setVisible(one is None)
        sure = "" if one is None or one.confidence is None else f"{one.confidence:.2f}"
        source = "" if one is None else _SOURCES[one.source]
        self._caption.setText(tr("{source}, {confidence}").format(source=source, confidence=sure) if sure else source)
        if not elements:
            self._hint.setText(tr("Click a box to select it, or drag to draw one. A new box is a"))
            self._show_type(self._canvas.tools.new_type)
            return
        self._hint.setText(
            tr("{count} elements selected. What is set here is set for all of them.").format(count=len(elements))
        )
        first = elements[0].type
        self._show_type(first if all(element.type == first for element in elements) else None)
        self._show_form(elements)
        self._show_target(elements)

    def _show_form(self, elements: Sequence[Element]) -> None:
        attributes: dict[AttributeName, Attribute] = {one.name: one for one in attributes_of(elements)}
        self._uids = {name: attribute.uids for name, attribute in attributes.items()}
        one = elements[0] if len(elements) == 1 else None
        self._text.setVisible("text" in attributes)
        self._text.show_text("" if one is None else one.text or "")
        self._placeholder.setVisible("placeholder" in attributes)
        self._placeholder.show_text("" if one is None else one.placeholder or "")
        self._show_subtype(attributes.get("subtype"), elements)
        for state, box in self._states.items():
            shown = attributes.get(state)
            box.setVisible(shown is not None)
            if shown is not None:
                self._show_state(box, state, shown, elements)
        review = attributes["review"].value
        if review in _REVIEWS:
            self._review.set_current(_REVIEWS.index(str(review)))
        else:
            self._review.set_none()
        self._box.setVisible(one is not None)
        if one is not None:
            self._box.show_numbers({name: number_of(one.box, name) for name in BOX_WORDS})
        self.offer_text(self._read if one is not None else "")

    def _show_subtype(self, attribute: Attribute | None, elements: Sequence[Element]) -> None:
        self._subtype.setVisible(attribute is not None)
        if attribute is None:
            return
        self._subtype.show_text(str(attribute.value or "") if attribute.value is not MIXED else "")
        able = next(element for element in elements if ATTRIBUTES[element.type].subtype)
        self._usual_words = self._habits.subtypes(able.type)
        self.offer_words(self._guesses)

    def _show_state(self, box: TriState, state: State, attribute: Attribute, elements: Sequence[Element]) -> None:
        able = len(attribute.uids)
        words = attribute_words(state)
        box.setText(words if able == len(elements) else tr("{state} ({count})").format(state=words, count=able))
        value = attribute.value if attribute.value is MIXED or isinstance(attribute.value, bool) else None
        by_habit = isinstance(value, bool) and all(
            self._usual.get(uid, {}).get(state) == value for uid in attribute.uids
        )
        box.show_value(value, usual=by_habit)

    def _show_type(self, kind: ElementType | None) -> None:
        self._type.setCurrentIndex(self._type.findData(kind))
        self.legend.show_current(kind)

    def _show_target(self, elements: list[Element]) -> None:
        step, frame = self._view.step, self._view.frame
        on_before = step is not None and step.before is not None and frame is not None and frame.id == step.before.id
        targets = [element for element in elements if step is not None and step.target_uid == element.uid]
        others = [element for element in elements if step is not None and element.uid in step.alternatives]
        self._use.setVisible(len(elements) == 1)
        self._use.setEnabled(on_before and not targets)
        self._use.setText(tr("Is the target") if targets and len(elements) == 1 else tr("Use as target"))
        self._also.setEnabled(on_before and len(targets) < len(elements))
        self._also.setChecked(bool(others) and len(others) + len(targets) == len(elements))

    # Editing --------------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        self._text.flush()
        self._placeholder.flush()
        self._subtype.flush()

    def _set(self, name: AttributeName, value: object) -> None:
        uids = self._uids.get(name, ())
        if not uids:
            return
        for uid in uids:
            # Whoever touches a state has said it, even where it stays as it was.
            self._usual.pop(uid, None)
        key = self._gesture.key(name, uids) if is_state(name) else None
        told = cast("str | bool | None", value if is_state(name) else str(value))
        self._do(SetAttribute(uids=uids, name=name, value=told, merge_key=key))
        self._show()

    def _set_number(self, field: BoxField, value: int) -> None:
        element, frame = self._view.element, self._view.frame
        if element is not None and frame is not None:
            box = box_with(element.box, field, value, frame.size)
            self._do(SetBoxes(boxes={element.uid: box}, merge_key=self._gesture.key("box", element.uid)))
        # What was typed may have been clamped.
        self._show()
