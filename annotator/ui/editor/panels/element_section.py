"""The selected elements: what they are, what is written on them, their states, their box."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon, QImage, QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout

from annotator.attributes.element_attributes import AttributeName, BoxField, SetAttribute, box_with, is_state
from annotator.attributes.keyboard_choice import TypeDigits
from annotator.attributes.type_defaults import TypeDefaults
from annotator.box_commands import SetBoxes
from annotator.step_words import type_word
from annotator.ui.controls import flat_button, label, push_button, row
from annotator.ui.editor.attributes.digit_legend import DigitLegend
from annotator.ui.editor.attributes.element_form import ElementForm
from annotator.ui.editor.panels.panel_section import Do, PanelSection, UndoGroup
from annotator.ui.painting import type_badge
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.elements import ELEMENT_TYPES, Element, ElementType, State

_SOURCES = {
    "ocr": tr("read by OCR"),
    "detector": tr("found by detector"),
    "describer": tr("found by describer"),
    "accessibility": tr("from accessibility"),
    "human": tr("drawn by you"),
    "rule": tr("found by a rule"),
    "propagated": tr("carried over"),
}


class ElementSection(PanelSection):
    """Shows and edits the selected elements; with none, the type of the next box.

    Attributes:
        new_type: which type the next box has.

    Signals:
        new_type_chosen: type of the next box that is drawn.
        digit_fixed: a digit, and the type that it is to have from now on; None lets it be learned.
        left: Return or Esc ended the writing; the keyboard goes back to the picture.
    """

    new_type_chosen = Signal(str)
    digit_fixed = Signal(str, object)
    left = Signal()

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__(tr("Element"), view, do, theme)
        self._gesture = UndoGroup()
        self.new_type: ElementType = "button"
        self._habits = TypeDefaults()
        self._usual: dict[str, Mapping[State, bool]] = {}
        self._hint = label("", role="muted", wraps=True)
        self._body.addWidget(self._hint)
        self._type = self._type_box()
        self._body.addLayout(self._first_row())
        self._legend = DigitLegend()
        self._legend.chosen.connect(self.use_type)
        self._legend.fixed.connect(self.digit_fixed)
        self._body.addWidget(self._legend)
        self.form = ElementForm(theme)
        self.form.attribute_set.connect(self._set)
        self.form.box_set.connect(self._set_number)
        self.form.box_left.connect(self._gesture.end)
        self.form.written.connect(self.left)
        self._body.addWidget(self.form)
        self._body.addLayout(self._buttons())
        view.leaving.connect(self.form.flush)
        view.selection_changed.connect(self._on_selection)
        view.step_changed.connect(self._show)
        view.document.elements_changed.connect(lambda _: self._show())
        self._show()

    # Parts ----------------------------------------------------------------------------------------------------

    def _type_box(self) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(tr("Type of the element"))
        box.setToolTip(tr("What it is; digits choose the most used types"))
        box.setMaxVisibleItems(24)
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        box.setPlaceholderText(tr("Different types"))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(8)
        ratio = self.devicePixelRatioF()
        for kind in ELEMENT_TYPES:
            box.addItem(QIcon(type_badge(kind, ratio=ratio)), type_word(kind), kind)
        box.setIconSize(type_badge("button").size())
        box.activated.connect(self._choose_type)
        return box

    def _first_row(self) -> QHBoxLayout:
        self._copy = flat_button("copy", tr("Duplicate"), self._theme, action="duplicate")
        self._remove = flat_button("trash", tr("Delete"), self._theme, action="delete")
        return row((self._type, 1), self._copy, self._remove, spacing=SPACE.xs)

    def _buttons(self) -> QHBoxLayout:
        self._use = push_button(
            tr("Use as target"),
            tr("Make this the element that the step was done to"),
            self._theme,
            name="target",
            action="use_target",
        )
        self._also = push_button(
            tr("Also right"), tr("It would have been as right as the target"), self._theme, action="mark_alternative"
        )
        self._also.setCheckable(True)
        return row(self._use, self._also, None, spacing=SPACE.xs)

    # For others -----------------------------------------------------------------------------------------------

    def use_type(self, kind: ElementType) -> None:
        """Give the selection this type; with nothing selected, the next box."""
        uids = self._view.selection
        if uids:
            self.form.flush()
            self._do(SetAttribute(uids=uids, name="type", value=kind))
            self._show()
        else:
            self.new_type = kind
            self.new_type_chosen.emit(kind)
            self._show()

    def set_digits(self, digits: TypeDigits) -> None:
        """Show which digit sets which type."""
        self._legend.show_digits(digits)
        self._show()

    def set_habits(self, defaults: TypeDefaults) -> None:
        """Go by other habits."""
        self._habits = defaults
        self._show()

    def note_defaults(self, uid: str, states: Mapping[State, bool]) -> None:
        """Remember that these states were filled in by habit: they are shown as such until somebody changes them."""
        self._usual[uid] = dict(states)
        self._show()

    def show_crop(self, image: QImage | None, element: Element | None) -> None:
        """Show the element enlarged above its text; None takes it away."""
        self.form.crop.show_part(image, None if element is None else element.box)

    def take_focus(self) -> None:
        """Let the keyboard begin here."""
        self._type.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc that no field needed for itself ends the writing."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    # Following ------------------------------------------------------------------------------------------------

    def _on_selection(self) -> None:
        self._gesture.end()
        self.form.offer_text("")
        self._show()

    def _show(self) -> None:
        elements = self._view.selected
        one = elements[0] if len(elements) == 1 else None
        self.form.setVisible(bool(elements))
        for button in (self._use, self._also, self._copy, self._remove):
            button.setVisible(bool(elements))
        self._hint.setVisible(one is None)
        self._caption.setText("" if one is None else _origin(one))
        if not elements:
            self._hint.setText(tr("Click a box to select it, or drag to draw one. A new box is a"))
            self._show_type(self.new_type)
            return
        self._hint.setText(
            tr("{count} elements selected. What is set here is set for all of them.").format(count=len(elements))
        )
        first = elements[0].type
        self._show_type(first if all(element.type == first for element in elements) else None)
        self.form.show_elements(elements, defaults=self._habits, usual=self._usual)
        self._show_target(elements)

    def _show_type(self, kind: ElementType | None) -> None:
        self._type.setCurrentIndex(-1 if kind is None else ELEMENT_TYPES.index(kind))
        self._legend.show_current(kind)

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

    def _choose_type(self, place: int) -> None:
        self.use_type(ELEMENT_TYPES[place])

    def _set(self, uids: tuple[str, ...], name: str, value: object) -> None:
        attribute = cast("AttributeName", name)
        for uid in uids:
            # Whoever touches a state has said it, even where it stays as it was.
            self._usual.pop(uid, None)
        key = self._gesture.key(name, uids) if is_state(attribute) else None
        self._do(SetAttribute(uids=uids, name=attribute, value=cast("str | bool | None", value), merge_key=key))
        self._show()

    def _set_number(self, field: BoxField, value: int) -> None:
        element, frame = self._view.element, self._view.frame
        if element is not None and frame is not None:
            box = box_with(element.box, field, value, frame.size)
            self._do(SetBoxes(boxes={element.uid: box}, merge_key=self._gesture.key("box", element.uid)))
        # What was typed may have been clamped.
        self._show()


def _origin(element: Element) -> str:
    source = _SOURCES[element.source]
    if element.confidence is None:
        return source
    return tr("{source}, {confidence}").format(source=source, confidence=f"{element.confidence:.2f}")
