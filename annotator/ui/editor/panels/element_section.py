"""The selected element: what it is, what is written on it, its states, its box."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QSizePolicy, QSpinBox, QVBoxLayout, QWidget

from annotator.commands import ResizeElement, SetState, SetSubtype, SetText, SetType
from annotator.ui.controls import LineField, Segments, flat_button, label, push_button
from annotator.ui.editor.panels.base import Do, Gesture, Section
from annotator.ui.painting import type_badge
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, STATES, Element, ElementType, State
from demopack.domain.geometry import Rect

__all__ = ["ElementSection"]

_SOURCES = {
    "ocr": "read by OCR",
    "detector": "found by detector",
    "accessibility": "from accessibility",
    "human": "drawn by you",
}
_VALUES: tuple[bool | None, ...] = (None, False, True)


class ElementSection(Section):
    """Shows and edits the one selected element; with none, the type of the next box.

    Signals:
        new_type_chosen: type of the next box that is drawn.
        target_wanted: make the selected element the step's target.
        duplicate_wanted: duplicate the selection.
        delete_wanted: delete the selection.
    """

    new_type_chosen = Signal(str)
    target_wanted = Signal()
    duplicate_wanted = Signal()
    delete_wanted = Signal()

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__("Element", view, do, theme)
        self._gesture = Gesture()
        self._filling = False
        self._new_type: ElementType = "button"
        self._hint = label("", role="muted", wraps=True)
        self._body.addWidget(self._hint)
        self._type = self._type_box()
        self._body.addWidget(self._type)
        self._fields = QWidget()
        inner = QVBoxLayout(self._fields)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(SPACE.s)
        self._text = LineField("Text of the element", placeholder="Text on it")
        self._text.committed.connect(self._set_text)
        self._subtype = LineField("Subtype of the element", placeholder="Which one, for instance search")
        self._subtype.committed.connect(self._set_subtype)
        inner.addWidget(self._text)
        inner.addWidget(self._subtype)
        inner.addLayout(self._state_rows())
        inner.addLayout(self._box_fields())
        inner.addLayout(self._buttons())
        self._body.addWidget(self._fields)
        self._ends = [
            view.leaving.connect(self.flush),
            view.selection_changed.connect(self._on_selection),
            view.step_changed.connect(self._show),
            view.document.elements_changed.connect(lambda _: self._show()),
        ]
        self._show()

    def edit_text(self) -> None:
        """Put the cursor into the text, all of it selected."""
        field = self._text if not self._text.isHidden() else self._subtype
        if not field.isHidden():
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()

    def take_focus(self) -> None:
        """Let the keyboard begin here."""
        self._type.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def flush(self) -> None:
        """Hand over what is being typed."""
        self._text.flush()
        self._subtype.flush()

    # Parts ----------------------------------------------------------------------------------------------------

    def _type_box(self) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName("Type of the element")
        box.setToolTip("What it is")
        box.setMaxVisibleItems(24)
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        ratio = self.devicePixelRatioF()
        for kind in ELEMENT_TYPES:
            box.addItem(QIcon(type_badge(kind, ratio=ratio)), kind.replace("_", " "), kind)
        box.setIconSize(type_badge("button").size())
        box.activated.connect(self._set_type)
        return box

    def _state_rows(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE.s)
        grid.setVerticalSpacing(SPACE.xs)
        grid.setColumnStretch(0, 1)
        self._states: dict[State, tuple[QWidget, Segments]] = {}
        for row, state in enumerate(STATES):
            name = label(state.capitalize())
            choice = Segments(
                state.capitalize(), ("?", "No", "Yes"), tips=("Cannot be seen", f"Not {state}", state.capitalize())
            )
            choice.chosen.connect(partial(self._choose_state, state))
            grid.addWidget(name, row, 0)
            grid.addWidget(choice, row, 1)
            self._states[state] = (name, choice)
        return grid

    def _box_fields(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE.s)
        grid.setVerticalSpacing(SPACE.s)
        self._numbers: dict[str, QSpinBox] = {}
        names = {"x": "Left edge", "y": "Top edge", "w": "Width", "h": "Height"}
        for place, (name, words) in enumerate(names.items()):
            field = QSpinBox()
            field.setRange(1 if name in "wh" else 0, 32767)
            field.setKeyboardTracking(False)
            field.setAccessibleName(f"{words} in pixels")
            field.setToolTip(f"{words}, pixels of the screenshot")
            field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            field.setMinimumWidth(56)
            field.valueChanged.connect(self._set_box)
            grid.addWidget(label(name, role="muted"), place // 2, place % 2 * 2)
            grid.addWidget(field, place // 2, place % 2 * 2 + 1)
            self._numbers[name] = field
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        return grid

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE.xs)
        self._use = push_button(
            "Use as target", "Make this the element that the step was done to", self._theme, name="target", keys="U"
        )
        self._use.clicked.connect(self.target_wanted)
        copy = flat_button("copy", "Duplicate", self._theme, keys="Ctrl+D")
        copy.clicked.connect(self.duplicate_wanted)
        remove = flat_button("trash", "Delete", self._theme, keys="Delete")
        remove.clicked.connect(self.delete_wanted)
        row.addWidget(self._use)
        row.addStretch(1)
        row.addWidget(copy)
        row.addWidget(remove)
        return row

    # Following ------------------------------------------------------------------------------------------------

    def _on_selection(self) -> None:
        self._gesture.end()
        self._show()

    def _show(self) -> None:
        self._filling = True
        element, count = self._view.element, len(self._view.selection)
        self._fields.setVisible(element is not None)
        self._type.setVisible(count <= 1)
        self._hint.setVisible(element is None)
        if element is not None:
            self._fill(element)
        else:
            self._caption.setText("")
            self._hint.setText(
                f"{count} elements selected."
                if count
                else "Click a box to select it, or drag to draw one. A new box is a"
            )
            self._type.setCurrentIndex(ELEMENT_TYPES.index(self._new_type))
        self._filling = False

    def _fill(self, element: Element) -> None:
        may = ATTRIBUTES[element.type]
        sure = "" if element.confidence is None else f", {element.confidence:.2f}"
        self._caption.setText(_SOURCES[element.source] + sure)
        self._type.setCurrentIndex(ELEMENT_TYPES.index(element.type))
        self._text.setVisible(may.text)
        self._text.show_text(element.text or "")
        self._subtype.setVisible(may.subtype)
        self._subtype.show_text(element.subtype or "")
        for state, (name, choice) in self._states.items():
            name.setVisible(state in may.states)
            choice.setVisible(state in may.states)
            choice.set_current(_VALUES.index(element.states.get(state)))
        box = element.box
        for field, value in zip(self._numbers.values(), (box.x1, box.y1, box.width, box.height), strict=True):
            field.setValue(value)
        step, frame = self._view.step, self._view.frame
        on_before = step is not None and step.before is not None and frame is not None and frame.id == step.before.id
        is_target = step is not None and step.target_uid == element.uid
        self._use.setEnabled(on_before and not is_target)
        self._use.setText("Is the target" if is_target else "Use as target")

    # Editing --------------------------------------------------------------------------------------------------

    def _set_type(self, place: int) -> None:
        kind, element = ELEMENT_TYPES[place], self._view.element
        if element is None:
            self._new_type = kind
            self.new_type_chosen.emit(kind)
        else:
            self._do(SetType(uid=element.uid, type=kind))

    def _set_text(self, text: str) -> None:
        element = self._view.element
        if element is not None:
            self._do(SetText(uid=element.uid, text=text))

    def _set_subtype(self, text: str) -> None:
        element = self._view.element
        if element is not None:
            self._do(SetSubtype(uid=element.uid, subtype=text))

    def _choose_state(self, state: State, place: int) -> None:
        element = self._view.element
        if element is not None:
            self._do(SetState(uid=element.uid, state=state, value=_VALUES[place]))

    def _set_box(self) -> None:
        element, frame = self._view.element, self._view.frame
        if self._filling or element is None or frame is None:
            return
        x, y, w, h = (field.value() for field in self._numbers.values())
        box = Rect(x, y, x + w, y + h).clamped(frame.size)
        if box.area:
            self._do(ResizeElement(uid=element.uid, box=box, merge_key=self._gesture.key("box", element.uid)))
        self._show()
