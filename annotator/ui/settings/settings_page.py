"""The settings page: every setting by group, a search on top; what is changed is saved at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QWidget

from annotator.ui.controls import column, label, line, page_bar, push_button, row, scroll_area
from annotator.ui.icons import icon
from annotator.ui.operations import Operations
from annotator.ui.settings.key_problems import KeyDialog, KeyProblem, look_at_key, problem_of_taken, spoken_problems
from annotator.ui.settings.setting_row import SettingGroup, SettingRow, fits, groups, value_of, with_value
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.errors import BadInputError
from demopack.settings import HotkeySettings, Settings, load_settings, save_settings

_SAVED_MS = 2500
_WIDTH = 760
_KEYS = ("recorder", "hotkeys")


class SettingsPage(QWidget):
    """Reads the settings when it is shown.

    Signals:
        back_wanted: leave the page.
        saved: the new ``Settings``, when they are on the disk.
    """

    back_wanted = Signal()
    saved = Signal(object)

    def __init__(
        self, theme: Theme, *, operations: Operations, taken: Callable[[str], bool], mute: Callable[[bool], object]
    ) -> None:
        """Make every row.

        Args:
            theme: colours.
            operations: reads and writes.
            taken: whether another program holds a key; asked off the GUI thread.
            mute: told while a key is being taken from the keyboard: hot-keys must not act.
        """
        super().__init__()
        self.setObjectName("page")
        self._theme = theme
        self._operations = operations
        self._taken, self._mute = taken, mute
        self._settings = Settings()
        self.rows: dict[tuple[str, ...], SettingRow] = {}
        self._groups: list[tuple[SettingGroup, QWidget]] = []
        self._saved_end = QTimer(self, interval=_SAVED_MS, singleShot=True)
        column(self._make_bar(), (self._make_middle(), 1), of=self, spacing=0)
        QShortcut(QKeySequence("Escape"), self, self.back_wanted.emit, context=_INSIDE)

    # Parts ----------------------------------------------------------------------------------------------------

    def _make_bar(self) -> QWidget:
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search settings"))
        self.search.setAccessibleName(tr("Search settings"))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(420)
        self.search.addAction(icon("search", self._theme, tint="muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.textChanged.connect(self._narrow)
        self._told = label("", role="good")
        self._saved_end.timeout.connect(lambda: self._told.setText(""))
        return page_bar(tr("Settings"), self.back_wanted, self._theme, (self.search, 1), None, self._told)

    def _make_middle(self) -> QWidget:
        middle = QWidget()
        jumps = column(spacing=SPACE.xs, margins=(0, SPACE.l, 0, SPACE.l))
        inside = QWidget()
        inside.setMaximumWidth(_WIDTH)
        layout = column(of=inside, spacing=SPACE.xl, margins=(0, SPACE.l, SPACE.l, SPACE.xl))
        self._area = scroll_area(inside, tr("Settings"))
        for group in groups():
            card = self._make_group(group)
            layout.addWidget(card)
            self._groups.append((group, card))
            go = partial(self._go_to, card)
            jumps.addWidget(push_button(group.title, group.description, self._theme, role="link", call=go))
        self._nothing = label(tr("No setting fits this search."), role="muted")
        self._nothing.hide()
        layout.addWidget(self._nothing)
        layout.addStretch(1)
        jumps.addStretch(1)
        row(jumps, (self._area, 1), of=middle, spacing=SPACE.xl, margins=(SPACE.xl, 0, 0, 0))
        return middle

    def _make_group(self, group: SettingGroup) -> QWidget:
        card = QWidget()
        layout = column(
            label(group.title, role="title"),
            label(group.description, role="muted", wraps=True),
            line(),
            of=card,
            spacing=SPACE.xs,
        )
        for path, info in group.fields.items():
            entry = self.rows[path] = SettingRow(path, info, self._theme, waiting=self._mute)
            entry.changed.connect(self._change)
            layout.addWidget(entry)
        return card

    def _go_to(self, card: QWidget) -> None:
        self._area.verticalScrollBar().setValue(card.y())

    # Values ---------------------------------------------------------------------------------------------------

    def read(self) -> None:
        """Show what is on the disk."""
        self._operations.start(load_settings, on_result=self._show, lane="library")

    def _show(self, settings: Settings) -> None:
        self._settings = settings
        for path, entry in self.rows.items():
            entry.show_value(value_of(settings, path))
        wrong = spoken_problems(settings.recorder.hotkeys)
        for name in HotkeySettings.model_fields:
            self.rows[(*_KEYS, name)].show_wrong(wrong.get(name, ""))

    def _narrow(self, query: str) -> None:
        for group, card in self._groups:
            found = {path for path, info in group.fields.items() if fits(info, group, query)}
            for path in group.fields:
                self.rows[path].setVisible(path in found)
            card.setVisible(bool(found))
        self._nothing.setVisible(not any(not card.isHidden() for _, card in self._groups))

    def _change(self, path: tuple[str, ...], value: Any) -> None:  # noqa: ANN401 - whatever the setting holds
        if path[:-1] == _KEYS and value:
            self._change_key(path, str(value))
        else:
            self._save(path, value)

    def _save(self, path: tuple[str, ...], value: Any) -> None:  # noqa: ANN401 - as above
        try:
            with_value(self._settings, path, value)
        except BadInputError as error:
            self.rows[path].show_wrong(error.user_message)
            return

        def write() -> Settings:
            # Read again: other pages write other settings.
            changed = with_value(load_settings(), path, value)
            save_settings(changed)
            return changed

        self._operations.start(write, on_result=self._on_saved, lane="library")

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

        def judge(taken: bool) -> None:  # noqa: FBT001 - called by the operation
            if taken:
                self._ask(path, problem_of_taken(hotkeys, name, key))
            else:
                self._save(path, key)

        self._operations.start(lambda: self._taken(key), on_result=judge, on_error=lambda _: self._save(path, key))

    def _ask(self, path: tuple[str, ...], problem: KeyProblem) -> None:
        entry, old = self.rows[path], str(value_of(self._settings, path))
        entry.show_wrong(problem.title + ".")
        dialog = KeyDialog(
            problem,
            keep=old,
            theme=self._theme,
            parent=self.window(),
            chosen=lambda hotkeys: self._save(_KEYS, hotkeys.model_dump()),
        )
        dialog.rejected.connect(lambda: self._show(self._settings))
        dialog.open()


_INSIDE = Qt.ShortcutContext.WidgetWithChildrenShortcut
