"""One control for each kind of setting; each shows a value and hands over another one."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QHBoxLayout, QSpinBox, QWidget

from annotator.ui.controls import LineField, TextField
from annotator.ui.settings.fields import SettingField, choice_words
from annotator.ui.settings.key_field import KeyField
from annotator.words import tr

__all__ = ["Editor", "make_editor"]

_NUMBER_WIDTH = 110
_TEXT_WIDTH = 320
_LEAST_WIDTH = 200
"""What a text gives way to where the window is narrow."""


class Editor(QWidget):
    """A control around which nothing else needs to know what kind it is.

    Signals:
        changed: the new value, as the settings model wants it.
        wrong: why what was written is no value; empty when it is one again.
        waiting: whether keys are taken from the keyboard just now.
    """

    changed = Signal(object)
    wrong = Signal(str)
    waiting = Signal(bool)

    def __init__(self, inner: QWidget, *, wide: bool = False) -> None:
        """Put the control at the left; a wide one takes what room there is, up to its largest width."""
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(inner, 100 if wide else 0)
        row.addStretch(1)
        self.setFocusProxy(inner)

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - whatever the setting holds
        """Show what is set, without telling anybody."""
        raise NotImplementedError


class _Switch(Editor):
    def __init__(self, field: SettingField) -> None:
        self._box = QCheckBox()
        super().__init__(self._box)
        self._box.setAccessibleName(field.title)
        self._box.clicked.connect(self._commit)

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - see Editor
        self._box.setChecked(bool(value))

    def _commit(self) -> None:
        self.changed.emit(self._box.isChecked())


class _Number(Editor):
    def __init__(self, field: SettingField) -> None:
        self._whole = field.kind == "whole"
        self._box: QSpinBox | QDoubleSpinBox = QSpinBox() if self._whole else QDoubleSpinBox()
        super().__init__(self._box)
        least, most = field.least if field.least is not None else 0, field.most if field.most is not None else 1_000_000
        if isinstance(self._box, QSpinBox):
            self._box.setRange(round(least), round(most))
        else:
            self._box.setDecimals(2)
            self._box.setRange(least, most)
        self._box.setAccessibleName(field.title)
        self._box.setFixedWidth(_NUMBER_WIDTH)
        self._box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._shown: float = 0
        self._box.editingFinished.connect(self._commit)

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - see Editor
        self._shown = value
        self._box.setValue(value)

    def _commit(self) -> None:
        if self._box.value() != self._shown:
            self._shown = self._box.value()
            self.changed.emit(self._shown)


class _Text(Editor):
    def __init__(self, field: SettingField) -> None:
        self._line = LineField(field.title)
        super().__init__(self._line, wide=True)
        self._optional = field.kind == "file"
        self._line.setMinimumWidth(_LEAST_WIDTH)
        self._line.setMaximumWidth(_TEXT_WIDTH)
        self._line.committed.connect(self._commit)

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - see Editor
        self._line.show_text("" if value is None else str(value))

    def _commit(self, text: str) -> None:
        self.changed.emit(text.strip() or (None if self._optional else ""))


class _Choice(Editor):
    def __init__(self, field: SettingField) -> None:
        self._box = QComboBox()
        super().__init__(self._box)
        for choice in field.choices:
            self._box.addItem(choice_words(choice), choice)
        self._box.setAccessibleName(field.title)
        self._box.activated.connect(self._commit)

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - see Editor
        self._box.setCurrentIndex(self._box.findData(str(value)))

    def _commit(self) -> None:
        self.changed.emit(self._box.currentData())


class _Lines(Editor):
    """One entry a line."""

    def __init__(self, field: SettingField) -> None:
        self._text = TextField(field.title, placeholder=_EXAMPLES.get(field.path[-1], ""))
        super().__init__(self._text, wide=True)
        self._regions = field.kind == "regions"
        self._text.setFixedHeight(72)
        self._text.setMinimumWidth(_LEAST_WIDTH)
        self._text.setMaximumWidth(_TEXT_WIDTH)
        self._text.committed.connect(self._commit)

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - see Editor
        lines = [", ".join(map(str, one)) for one in value] if self._regions else list(value)
        self._text.show_text("\n".join(lines))

    def _commit(self, text: str) -> None:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if not self._regions:
            self.wrong.emit("")
            self.changed.emit(tuple(lines))
            return
        try:
            self.changed.emit(tuple(_region(line) for line in lines))
            self.wrong.emit("")
        except ValueError:
            self.wrong.emit(
                tr("Write four whole numbers a line: left, top, right, bottom; right and bottom are larger.")
            )


_EXAMPLES = {
    "blocked_apps": tr("KeePassXC\nbitwarden*"),
    "blocked_titles": tr("*bank*\n*Private Browsing*"),
    "blocked_regions": "0, 0, 300, 200",
}


def _region(line: str) -> tuple[int, int, int, int]:
    """Four numbers.

    Raises:
        ValueError: they are not, or they are no box.
    """
    left, top, right, bottom = (int(part) for part in line.replace(",", " ").split())
    if right <= left or bottom <= top:
        raise ValueError(line)
    return left, top, right, bottom


class _Key(Editor):
    def __init__(self, field: SettingField) -> None:
        self._key = KeyField(field.title)
        super().__init__(self._key)
        self._key.committed.connect(self._commit)
        self._key.refused.connect(self.wrong)
        self._key.waiting_changed.connect(self.waiting)

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - see Editor
        self._key.show_keys(str(value))

    def _commit(self, keys: str) -> None:
        self.changed.emit(keys)


def make_editor(field: SettingField) -> Editor:
    """The control for a setting."""
    kinds: dict[str, type[Editor]] = {
        "switch": _Switch,
        "whole": _Number,
        "fraction": _Number,
        "text": _Text,
        "file": _Text,
        "choice": _Choice,
        "lines": _Lines,
        "regions": _Lines,
        "key": _Key,
    }
    make: Any = kinds[field.kind]
    made: Editor = make(field)
    return made
