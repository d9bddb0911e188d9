"""The fields of each action, as data, and the controls that edit them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QGridLayout, QWidget

from annotator.step_words import type_word
from annotator.ui.controls import LineField, TextField, combo_box
from annotator.words import key_words, tr


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter of an action.

    Attributes:
        name: as on the wire.
        label: for the user.
        kind: which control edits it.
        choices: of a ``choice``: values; the first is the default, which the wire leaves out unless ``always``.
        always: the value is written even if it is the default; of ``seconds``: it must be known.
    """

    name: str
    label: str
    kind: Literal["choice", "line", "text", "count", "seconds", "flag", "modifiers"]
    choices: tuple[str, ...] = ()
    always: bool = False


_KEYS = Field("modifiers", tr("Held"), "modifiers")

FIELDS: dict[str, tuple[Field, ...]] = {
    "click": (Field("click_type", tr("Click"), "choice", ("single", "double", "triple", "right", "middle")), _KEYS),
    "type": (Field("text_to_type", tr("Text"), "text"), Field("submit", tr("Enter ends it"), "flag")),
    "scroll": (
        Field("scroll_direction", tr("Direction"), "choice", ("down", "up", "left", "right"), always=True),
        Field("scroll_steps", tr("Notches"), "count"),
        _KEYS,
    ),
    "press_key": (Field("key_info", tr("Keys"), "line"), Field("presses", tr("Times"), "count")),
    "wait": (Field("wait_duration_s", tr("Seconds"), "seconds", always=True),),
    "hover": (Field("duration_s", tr("Seconds"), "seconds"),),
    "drag": (Field("button", tr("Button"), "choice", ("left", "right", "middle")), _KEYS),
    "launch": (Field("app", tr("Program"), "line"),),
    "extract_data": (Field("description", tr("What is read"), "line"),),
    "finish_goal": (Field("status", tr("The task"), "choice", ("success", "failure")),),
}

_MODIFIERS = ("ctrl", "alt", "shift", "meta")
_OUTCOME_WORDS = {"success": tr("was done"), "failure": tr("could not be done")}
Put = Callable[[Any], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A widget for one field.

    Attributes:
        widget: to be laid out.
        show: shows a value; None is the default.
        flush: hands over what is being typed.
    """

    widget: QWidget
    show: Callable[[Any], None]
    flush: Callable[[], None] = lambda: None


def make_control(field: Field, put: Put) -> Control:
    """The control of a field; ``put`` gets each new value, None for the default."""
    return _MAKERS[field.kind](field, put)


def _choice(field: Field, put: Put) -> Control:
    box = combo_box(field.label, "", [(_OUTCOME_WORDS.get(name) or type_word(name), name) for name in field.choices])

    box.activated.connect(lambda: put(box.currentData() if box.currentIndex() or field.always else None))
    return Control(widget=box, show=lambda value: box.setCurrentIndex(max(box.findData(value), 0)))


def _written(field: Field, put: Put) -> Control:
    text = LineField(field.label) if field.kind == "line" else TextField(field.label)
    if isinstance(text, TextField):
        text.setFixedHeight(56)
    text.committed.connect(put)
    return Control(widget=text, show=lambda value: text.show_text(str(value or "")), flush=text.flush)


def _number(field: Field, put: Put) -> Control:
    """Whole numbers from 1, or tenths of seconds; 0 s is nothing."""
    spin, whole = QDoubleSpinBox(), field.kind == "count"
    spin.setRange(*((1, 999) if whole else (0, 3600)))
    spin.setDecimals(0 if whole else 1)
    if not whole and not field.always:
        spin.setSpecialValueText(tr("not measured"))
    spin.setAccessibleName(field.label)
    spin.setKeyboardTracking(False)

    def show(value: object) -> None:
        with QSignalBlocker(spin):
            spin.setValue(value if isinstance(value, (int, float)) else spin.minimum())

    unknown = 0.0 if field.always else None
    spin.valueChanged.connect(lambda: put(int(spin.value()) if whole else spin.value() or unknown))
    return Control(widget=spin, show=show)


def _flag(field: Field, put: Put) -> Control:
    box = QCheckBox(tr("Yes"))
    box.setAccessibleName(field.label)
    box.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    box.clicked.connect(lambda: put(box.isChecked() or None))
    return Control(widget=box, show=lambda value: box.setChecked(bool(value)))


def _modifiers(field: Field, put: Put) -> Control:
    del field
    row = QWidget()
    # Two in a line: in some languages the four are wider than the panel.
    layout = QGridLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    boxes: dict[str, QCheckBox] = {}

    def clicked() -> None:
        put([name for name, box in boxes.items() if box.isChecked()] or None)

    def show(value: Any) -> None:  # noqa: ANN401 - as the wire has it
        for name, box in boxes.items():
            box.setChecked(name in (value or ()))

    for number, name in enumerate(_MODIFIERS):
        box = boxes[name] = QCheckBox(key_words(name))
        box.setAccessibleName(tr("{key} held down").format(key=key_words(name)))
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        box.clicked.connect(clicked)
        layout.addWidget(box, *divmod(number, 2))
    layout.setColumnStretch(2, 1)
    return Control(widget=row, show=show)


_MAKERS: dict[str, Callable[[Field, Put], Control]] = {
    "choice": _choice,
    "line": _written,
    "text": _written,
    "count": _number,
    "seconds": _number,
    "flag": _flag,
    "modifiers": _modifiers,
}
