"""The settings page: every setting by group, a search on top; what is changed is saved at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from annotator.ui.controls import flat_button, label, line, push_button
from annotator.ui.icons import icon
from annotator.ui.job_runner import JobRunner
from annotator.ui.messages import Messages
from annotator.ui.settings.fields import SettingGroup, fits, groups, value_of, with_value
from annotator.ui.settings.key_choice import KeyProblem, look_at_key, problem_of_taken, spoken_problems
from annotator.ui.settings.key_dialog import KeyDialog
from annotator.ui.settings.row import SettingRow
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.errors import BadInputError
from demopack.settings import HotkeySettings, Settings, load_settings, save_settings

__all__ = ["SettingsPage"]

_SAVED_MS = 2500
_WIDTH = 760
_KEYS = ("recorder", "hotkeys")


class SettingsPage(QWidget):
    """Reads the settings when it is shown.

    Signals:
        back_wanted: leave the page.
        saved: the new ``Settings``, when they are on the disk.
        waiting: a key is being taken from the keyboard: hot-keys must not act.
    """

    back_wanted = Signal()
    saved = Signal(object)
    waiting = Signal(bool)

    def __init__(self, theme: Theme, *, runner: JobRunner, messages: Messages, taken: Callable[[str], bool]) -> None:
        """Make every row.

        Args:
            theme: colours.
            runner: reads and writes.
            messages: where errors are shown.
            taken: whether another program holds a key; asked off the GUI thread.
        """
        super().__init__()
        self.setObjectName("page")
        self._theme = theme
        self._runner = runner
        self._messages = messages
        self._taken = taken
        self._settings = Settings()
        self._rows: dict[tuple[str, ...], SettingRow] = {}
        self._groups: list[tuple[SettingGroup, QWidget]] = []
        self._saved_end = QTimer(self, interval=_SAVED_MS, singleShot=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._make_bar())
        layout.addWidget(self._make_middle(), 1)
        QShortcut(QKeySequence("Escape"), self, self.back_wanted.emit, context=_INSIDE)

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """What the keys of this page do, by their names."""
        return {"search_settings": self._search.setFocus, "leave_settings": self.back_wanted.emit}

    # Parts ----------------------------------------------------------------------------------------------------

    def row(self, *path: str) -> SettingRow:
        """The row of a setting."""
        return self._rows[path]

    @property
    def search(self) -> QLineEdit:
        """Where settings are looked for."""
        return self._search

    @property
    def shown(self) -> list[str]:
        """Titles of the settings that the search leaves."""
        return [row.field.title for row in self._rows.values() if not row.isHidden()]

    def _make_bar(self) -> QWidget:
        bar = QWidget()
        bar.setObjectName("bar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        back = flat_button("back", tr("Back"), self._theme, keys="Esc")
        back.clicked.connect(self.back_wanted)
        self._search = QLineEdit()
        self._search.setPlaceholderText(tr("Search settings"))
        self._search.setAccessibleName(tr("Search settings"))
        self._search.setClearButtonEnabled(True)
        self._search.setMaximumWidth(420)
        self._search.addAction(icon("search", self._theme, tint="muted"), QLineEdit.ActionPosition.LeadingPosition)
        self._search.textChanged.connect(self._narrow)
        self._told = label("", role="good")
        self._saved_end.timeout.connect(lambda: self._told.setText(""))
        row = QHBoxLayout(bar)
        row.setContentsMargins(SPACE.m, SPACE.m, SPACE.xl, SPACE.m)
        row.setSpacing(SPACE.s)
        row.addWidget(back)
        row.addWidget(label(tr("Settings"), role="title"))
        row.addSpacing(SPACE.m)
        row.addWidget(self._search, 1)
        row.addStretch(1)
        row.addWidget(self._told)
        return bar

    def _make_middle(self) -> QWidget:
        middle = QWidget()
        self._jumps = QVBoxLayout()
        self._jumps.setSpacing(SPACE.xs)
        column = QVBoxLayout()
        column.setContentsMargins(0, SPACE.l, SPACE.l, SPACE.xl)
        column.setSpacing(SPACE.xl)
        inside = QWidget()
        inside.setMaximumWidth(_WIDTH)
        inside.setLayout(column)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setWidget(inside)
        self._area.setAccessibleName(tr("Settings"))
        for group in groups():
            card = self._make_group(group)
            column.addWidget(card)
            self._groups.append((group, card))
            jump = push_button(group.title, group.description, self._theme, role="link")
            jump.clicked.connect(partial(self._go_to, card))
            self._jumps.addWidget(jump)
        self._nothing = label(tr("No setting fits this search."), role="muted")
        self._nothing.hide()
        column.addWidget(self._nothing)
        column.addStretch(1)
        self._jumps.addStretch(1)
        row = QHBoxLayout(middle)
        row.setContentsMargins(SPACE.xl, 0, 0, 0)
        row.setSpacing(SPACE.xl)
        left = QVBoxLayout()
        left.setContentsMargins(0, SPACE.l, 0, SPACE.l)
        left.addLayout(self._jumps)
        row.addLayout(left)
        row.addWidget(self._area, 1)
        return middle

    def _make_group(self, group: SettingGroup) -> QWidget:
        card = QWidget()
        column = QVBoxLayout(card)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.xs)
        column.addWidget(label(group.title, role="title"))
        column.addWidget(label(group.description, role="muted", wraps=True))
        column.addWidget(line())
        for field in group.fields:
            row = SettingRow(field, self._theme)
            row.changed.connect(self._change)
            row.waiting.connect(self.waiting)
            self._rows[field.path] = row
            column.addWidget(row)
        return card

    def _go_to(self, card: QWidget, _checked: bool = False) -> None:  # noqa: FBT001, FBT002 - a button's click
        self._area.verticalScrollBar().setValue(card.y())

    def go_to(self, title: str) -> None:
        """Show a group, by its title."""
        self._search.clear()
        self._runner.post(lambda: self._go_to(next(card for group, card in self._groups if group.title == title)))

    # Values ---------------------------------------------------------------------------------------------------

    def read(self) -> None:
        """Show what is on the disk."""
        self._runner.submit(load_settings, on_result=self._show, on_error=self._messages.show_error)

    def _show(self, settings: Settings) -> None:
        self._settings = settings
        for path, row in self._rows.items():
            row.show_value(value_of(settings, path))
        wrong = spoken_problems(settings.recorder.hotkeys)
        for name in HotkeySettings.model_fields:
            self._rows[(*_KEYS, name)].show_wrong(wrong.get(name, ""))

    def _narrow(self, query: str) -> None:
        for group, card in self._groups:
            found = [field for field in group.fields if fits(field, group, query)]
            for field in group.fields:
                self._rows[field.path].setVisible(field in found)
            card.setVisible(bool(found))
        self._nothing.setVisible(not any(not card.isHidden() for _, card in self._groups))

    def _change(self, path: tuple[str, ...], value: Any) -> None:  # noqa: ANN401 - whatever the setting holds
        if path[:-1] == _KEYS and value:
            self._change_key(path, str(value))
            return
        self._save(path, value)

    def _save(self, path: tuple[str, ...], value: Any) -> None:  # noqa: ANN401 - as above
        try:
            with_value(self._settings, path, value)
        except BadInputError as error:
            self._rows[path].show_wrong(error.user_message)
            return

        def write() -> Settings:
            # Read again: other pages write other settings.
            changed = with_value(load_settings(), path, value)
            save_settings(changed)
            return changed

        self._runner.submit(write, on_result=self._on_saved, on_error=self._messages.show_error)

    def _on_saved(self, settings: Settings) -> None:
        self._show(settings)
        self._told.setText(tr("Saved; it counts from the next recording on"))
        self._saved_end.start()
        self.saved.emit(settings)

    # Hot-keys -------------------------------------------------------------------------------------------------

    def _change_key(self, path: tuple[str, ...], key: str) -> None:
        name = path[-1]
        hotkeys = self._settings.recorder.hotkeys
        problem = look_at_key(hotkeys, name, key)
        if problem is not None:
            self._ask(path, problem)
            return

        def judge(taken: bool) -> None:  # noqa: FBT001 - called by the runner
            if taken:
                self._ask(path, problem_of_taken(hotkeys, name, key))
            else:
                self._save(path, key)

        self._runner.background(lambda: self._taken(key), on_result=judge, on_error=lambda _: self._save(path, key))

    def _save_keys(self, hotkeys: HotkeySettings) -> None:
        self._save(_KEYS, hotkeys.model_dump())

    def _ask(self, path: tuple[str, ...], problem: KeyProblem) -> None:
        row, old = self._rows[path], str(value_of(self._settings, path))
        row.show_wrong(problem.title + ".")
        dialog = KeyDialog(problem, keep=old, theme=self._theme, parent=self.window())
        dialog.chosen.connect(self._save_keys)
        dialog.rejected.connect(lambda: self._show(self._settings))
        dialog.open()


_INSIDE = Qt.ShortcutContext.WidgetWithChildrenShortcut
