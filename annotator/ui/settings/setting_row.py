"""Row of one setting: its name, its meaning, one kind of control for each kind of value, and the way back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, get_args

from pydantic.fields import FieldInfo
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QSpinBox, QWidget

from annotator.ui.controls import LineField, TextField, column, flat_button, label, row
from annotator.ui.settings.key_field import KeyField
from annotator.ui.settings.setting_fields import FieldKind, SettingPath, choice_words, kind_of, range_of
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

_NAME_WIDTH = 300
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


class SettingRow(QWidget):
    """Shows a value and hands over another one.

    Attributes:
        path: of the setting, from the top of the settings.
        title: its name.

    Signals:
        changed: path of the setting, and its new value, as the settings model wants it.
        waiting: whether keys are taken from the keyboard just now.
    """

    changed = Signal(tuple, object)
    waiting = Signal(bool)

    def __init__(self, path: SettingPath, info: FieldInfo, theme: Theme) -> None:
        super().__init__()
        self.path = path
        self._info = info
        self._kind = kind_of(path, info)
        self.title = tr(info.title or path[-1])
        self._shown: Any = None
        makers: dict[FieldKind | None, Callable[[], _Control]] = {
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
        control, self._show = makers[self._kind]()
        if not control.accessibleName():
            control.setAccessibleName(self.title)
        self._back = flat_button(
            "restore", tr("Set {title} back").format(title=self.title), theme, call=lambda: self._commit(info.default)
        )
        self.wrong = label("", role="error", wraps=True)
        self.wrong.hide()
        name = label(self.title)
        meaning = label(tr(info.description or ""), role="caption", wraps=True)
        for part in (name, meaning):
            part.setFixedWidth(_NAME_WIDTH)
        # A text takes what room there is, up to its largest width.
        value = row((control, 100 if isinstance(control, LineField | TextField) else 0), None)
        row(
            column(name, meaning, None, spacing=2),
            (column(value, self.wrong, None, spacing=2), 1),
            (self._back, 0, Qt.AlignmentFlag.AlignTop),
            of=self,
            spacing=SPACE.l,
            margins=(0, SPACE.xs, 0, SPACE.xs),
        )
        keep = self._back.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self._back.setSizePolicy(keep)

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - whatever the setting holds
        """Show what is set, without telling anybody."""
        self._shown = value
        self._show(value)
        default = self._info.default
        self._back.setVisible(value != default)
        shown = choice_words(str(default)) if self._kind == "choice" else default
        self._back.setToolTip(
            tr("Back to {shown}").format(shown=shown) if shown not in ((), None, "") else tr("Back to nothing")
        )

    def show_wrong(self, words: str) -> None:
        """Say what is wrong; nothing for nothing."""
        self.wrong.setText(words)
        self.wrong.setVisible(bool(words))

    # Controls -------------------------------------------------------------------------------------------------

    def _commit(self, value: object) -> None:
        self.changed.emit(self.path, value)

    def _switch(self) -> _Control:
        box = QCheckBox()
        box.clicked.connect(self._commit)
        return box, box.setChecked

    def _number(self) -> _Control:
        least, most = range_of(self._info)
        box: QSpinBox | QDoubleSpinBox
        if self._kind == "whole":
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
                self._commit(self._shown)

        box.editingFinished.connect(commit)
        return box, box.setValue

    def _text(self) -> _Control:
        nothing = None if self._kind == "file" else ""
        line = LineField(self.title)
        line.setMinimumWidth(_MIN_TEXT_WIDTH)
        line.setMaximumWidth(_TEXT_WIDTH)

        def commit(text: str) -> None:
            self._commit(text.strip() or nothing)

        line.committed.connect(commit)
        return line, lambda value: line.show_text("" if value is None else str(value))

    def _choice(self) -> _Control:
        box = QComboBox()
        for choice in map(str, get_args(self._info.annotation)):
            box.addItem(choice_words(choice), choice)
        box.activated.connect(lambda: self._commit(box.currentData()))
        return box, lambda value: box.setCurrentIndex(box.findData(str(value)))

    def _lines(self) -> _Control:
        """One entry a line."""
        text = TextField(self.title, placeholder=_EXAMPLES.get(self.path[-1], ""))
        text.setFixedHeight(72)
        text.setMinimumWidth(_MIN_TEXT_WIDTH)
        text.setMaximumWidth(_TEXT_WIDTH)
        text.committed.connect(self._commit_lines)
        return text, lambda value: text.show_text(
            "\n".join(one if isinstance(one, str) else ", ".join(map(str, one)) for one in value)
        )

    def _commit_lines(self, text: str) -> None:
        entries = [line.strip() for line in text.splitlines() if line.strip()]
        try:
            value = tuple(map(_region, entries)) if self._kind == "regions" else tuple(entries)
        except ValueError:
            self.show_wrong(
                tr("Write four whole numbers a line: left, top, right, bottom; right and bottom are larger.")
            )
        else:
            self.show_wrong("")
            self._commit(value)

    def _key(self) -> _Control:
        key = KeyField(self.title)
        key.committed.connect(self._commit)
        key.refused.connect(self.show_wrong)
        key.waiting_changed.connect(self.waiting)
        return key, key.show_keys


def _region(line: str) -> tuple[int, int, int, int]:
    """Four numbers.

    Raises:
        ValueError: they are not four, or not in order.
    """
    left, top, right, bottom = (int(part) for part in line.replace(",", " ").split())
    if right <= left or bottom <= top:
        raise ValueError(line)
    return left, top, right, bottom
