"""Settings of the model as rows: what each is called and may be, a control for each kind of value, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QSpinBox, QWidget

from annotator.ui.controls import LineField, TextField, column, flat_button, label, row
from annotator.ui.settings.key_field import KeyField
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.errors import BadInputError
from demopack.settings import Settings

SettingPath = tuple[str, ...]

_GROUPS: Final[tuple[tuple[str, str, str], ...]] = (
    (
        tr("Hot-keys"),
        tr("Work in every window while something is recorded, and never become steps."),
        "recorder.hotkeys",
    ),
    (tr("Privacy"), tr("What a recording must never hold."), "recorder.privacy"),
    (tr("Recording"), tr("How actions are told apart, and how often the screen is looked at."), "recorder"),
    (tr("Finding elements"), tr("How elements are found on pictures."), "vision"),
    (tr("Language model"), tr("Which model writes and judges rationales, and what it may cost."), "language"),
    (tr("Replay"), tr("How a replay moves."), "player"),
    (tr("Appearance"), tr("How the windows look."), "ui"),
)


_CHOICES: Final = {
    "auto": tr("find out"),
    "yes": tr("yes"),
    "no": tr("no"),
    "schema": tr("by a schema"),
    "prompt": tr("by the prompt"),
    "system": tr("as on the desktop"),
    "light": tr("light"),
    "dark": tr("dark"),
    "contrast": tr("high contrast"),
    "en": "English",
    "de": "Deutsch",
}
"""Choices of settings as a person reads them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingGroup:
    """Settings that stand together.

    Attributes:
        title: of the group.
        description: what its settings are for.
        fields: by their path from the top of the settings, for instance ``("recorder", "hotkeys", "pause")``.
    """

    title: str
    description: str
    fields: Mapping[SettingPath, FieldInfo]


def groups() -> tuple[SettingGroup, ...]:
    """Every setting, in the order in which they are shown."""
    made: list[SettingGroup] = []
    for title, description, dotted in _GROUPS:
        path: SettingPath = tuple(dotted.split("."))
        section: BaseModel = value_of(Settings(), path)
        # Sections have no titles; the editor's keys, which have no default of their own, are changed where they hold.
        fields: dict[SettingPath, FieldInfo] = {
            (*path, name): info
            for name, info in type(section).model_fields.items()
            if info.title and info.default_factory is None
        }
        made.append(SettingGroup(title=title, description=description, fields=fields))
    return tuple(made)


def value_of(settings: Settings, path: SettingPath) -> Any:  # noqa: ANN401 - whatever the setting holds
    """What a setting is now."""
    found: Any = settings
    for part in path:
        found = getattr(found, part)
    return found


def with_value(settings: Settings, path: SettingPath, value: Any) -> Settings:  # noqa: ANN401 - as above
    """The settings with one of them changed.

    Raises:
        BadInputError: the value is not allowed; the message names the setting.
    """
    data = settings.model_dump(mode="python")
    inner: Any = data
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        why = error.errors(include_url=False)[0]["msg"]
        raise BadInputError(tr("This is not possible: {why}.").format(why=why), hint="") from error


def fits(info: FieldInfo, group: SettingGroup, query: str) -> bool:
    """Whether every word of a search is found in a setting's name, meaning or group."""
    text = f"{group.title} {tr(info.title or '')} {tr(info.description or '')}".casefold()
    return all(word in text for word in query.casefold().split())


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
    """

    changed = Signal(tuple, object)

    def __init__(self, path: SettingPath, info: FieldInfo, theme: Theme, *, waiting: Callable[[bool], object]) -> None:
        """Make its control; ``waiting`` is told whether keys are taken from the keyboard just now."""
        super().__init__()
        self._waiting = waiting
        self.path = path
        self._info = info
        self.title = tr(info.title or path[-1])
        self._shown: Any = None
        makers: dict[Any, Callable[[], _Control]] = {
            bool: self._switch,
            int: self._number,
            float: self._number,
            str: self._key if path[-2] == "hotkeys" else self._text,
            Literal: self._choice,
            tuple: self._lines,
        }
        control, self._show = makers[get_origin(info.annotation) or info.annotation]()
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
        shown = _CHOICES.get(default, default)
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
        whole = self._info.annotation is int
        metadata = self._info.metadata
        limits = {one: getattr(meta, one) for meta in metadata for one in ("ge", "gt", "le") if hasattr(meta, one)}
        above = limits["gt"] + (1 if whole else 0.1) if "gt" in limits else 0
        box = QSpinBox() if whole else QDoubleSpinBox(decimals=2)
        box.setRange(limits.get("ge", above), limits.get("le", 1_000_000))
        box.setFixedWidth(_NUMBER_WIDTH)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

        def commit() -> None:
            if box.value() != self._shown:
                self._shown = box.value()
                self._commit(self._shown)

        box.editingFinished.connect(commit)
        return box, box.setValue

    def _text(self) -> _Control:
        line = LineField(self.title)
        line.setMinimumWidth(_MIN_TEXT_WIDTH)
        line.setMaximumWidth(_TEXT_WIDTH)
        line.committed.connect(lambda: self._commit(line.text().strip()))
        return line, line.show_text

    def _choice(self) -> _Control:
        box = QComboBox()
        for choice in map(str, get_args(self._info.annotation)):
            box.addItem(_CHOICES.get(choice, choice), choice)
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
            value = tuple(entries if get_args(self._info.annotation)[0] is str else map(_region, entries))
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
        key.waiting_changed.connect(self._waiting)
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
