"""The control of a setting: one kind of widget for each kind of value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QSpinBox, QWidget

from annotator.ui.controls import LineField, TextField, row
from annotator.ui.settings.key_field import KeyField
from annotator.ui.settings.setting_fields import SettingField, choice_words
from annotator.words import tr

_NUMBER_WIDTH = 110
_TEXT_WIDTH = 320
_MIN_TEXT_WIDTH = 200
"""What a text gives way to where the window is narrow."""
_EXAMPLES = {
    "blocked_apps": tr("KeePassXC\nbitwarden*"),
    "blocked_titles": tr("*bank*\n*Private Browsing*"),
    "blocked_regions": "0, 0, 300, 200",
}
_Control: TypeAlias = tuple[QWidget, Callable[[Any], object]]
"""A widget, and what shows a value in it without telling anybody."""


class Editor(QWidget):
    """The control of one setting, whatever its kind.

    Signals:
        changed: the new value, as the settings model wants it.
        wrong: why what was written is no value; empty when it is one again.
        waiting: whether keys are taken from the keyboard just now.
    """

    changed = Signal(object)
    wrong = Signal(str)
    waiting = Signal(bool)

    def __init__(self, field: SettingField) -> None:
        super().__init__()
        self._shown: Any = None
        makers: dict[str, Callable[[SettingField], _Control]] = {
            "switch": self._switch,
            "whole": self._number,
            "fraction": self._number,
            "text": self._text,
            "file": self._text,
            "choice": self._choice,
            "lines": self._lines,
            "regions": self._lines,
            "key": self._key,
        }
        inner, self._show = makers[field.kind](field)
        if not inner.accessibleName():
            inner.setAccessibleName(field.title)
        # A text takes what room there is, up to its largest width.
        row((inner, 100 if isinstance(inner, LineField | TextField) else 0), None, of=self, spacing=-1)
        self.setFocusProxy(inner)

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - whatever the setting holds
        """Show what is set, without telling anybody."""
        self._shown = value
        self._show(value)

    def _commit(self, value: object) -> None:
        self.changed.emit(value)

    def _switch(self, _field: SettingField) -> _Control:
        box = QCheckBox()
        box.clicked.connect(self._commit)
        return box, box.setChecked

    def _number(self, field: SettingField) -> _Control:
        least, most = field.least if field.least is not None else 0, field.most if field.most is not None else 1_000_000
        box: QSpinBox | QDoubleSpinBox
        if field.kind == "whole":
            box = QSpinBox()
            box.setRange(round(least), round(most))
        else:
            box = QDoubleSpinBox()
            box.setDecimals(2)
            box.setRange(least, most)
        box.setFixedWidth(_NUMBER_WIDTH)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

        def commit() -> None:
            if box.value() != self._shown:
                self._shown = box.value()
                self.changed.emit(self._shown)

        box.editingFinished.connect(commit)
        return box, box.setValue

    def _text(self, field: SettingField) -> _Control:
        nothing = None if field.kind == "file" else ""
        line = LineField(field.title)
        line.setMinimumWidth(_MIN_TEXT_WIDTH)
        line.setMaximumWidth(_TEXT_WIDTH)

        def commit(text: str) -> None:
            self.changed.emit(text.strip() or nothing)

        line.committed.connect(commit)
        return line, lambda value: line.show_text("" if value is None else str(value))

    def _choice(self, field: SettingField) -> _Control:
        box = QComboBox()
        for choice in field.choices:
            box.addItem(choice_words(choice), choice)
        box.activated.connect(lambda: self.changed.emit(box.currentData()))
        return box, lambda value: box.setCurrentIndex(box.findData(str(value)))

    def _lines(self, field: SettingField) -> _Control:
        """One entry a line."""
        text = TextField(field.title, placeholder=_EXAMPLES.get(field.path[-1], ""))
        text.setFixedHeight(72)
        text.setMinimumWidth(_MIN_TEXT_WIDTH)
        text.setMaximumWidth(_TEXT_WIDTH)
        text.committed.connect(self._commit_regions if field.kind == "regions" else self._commit_lines)
        return text, lambda value: text.show_text(
            "\n".join(one if isinstance(one, str) else ", ".join(map(str, one)) for one in value)
        )

    def _commit_lines(self, text: str) -> None:
        self.wrong.emit("")
        self.changed.emit(tuple(_entries(text)))

    def _commit_regions(self, text: str) -> None:
        try:
            self.changed.emit(tuple(map(_region, _entries(text))))
            self.wrong.emit("")
        except ValueError:
            self.wrong.emit(
                tr("Write four whole numbers a line: left, top, right, bottom; right and bottom are larger.")
            )

    def _key(self, field: SettingField) -> _Control:
        key = KeyField(field.title)
        key.committed.connect(self._commit)
        key.refused.connect(self.wrong)
        key.waiting_changed.connect(self.waiting)
        return key, key.show_keys


def _entries(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _region(line: str) -> tuple[int, int, int, int]:
    """Four numbers.

    Raises:
        ValueError: they are not four, or not in order.
    """
    left, top, right, bottom = (int(part) for part in line.replace(",", " ").split())
    if right <= left or bottom <= top:
        raise ValueError(line)
    return left, top, right, bottom
