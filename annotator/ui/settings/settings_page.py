"""The settings page: every setting by group, a search on top, saved at once; what to do where hot-keys clash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from annotator.ui.controls import column, label, line, native, page_bar, push_button, row, scroll_area
from annotator.ui.icons import icon
from annotator.ui.operations import Operations
from annotator.ui.settings.setting_row import SettingGroup, SettingRow, fits, groups, value_of, with_value
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.errors import BadInputError
from demopack.settings import HotkeySettings, Settings, load_settings, save_settings, settings_path
from recorder.hotkeys import find_conflicts


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyProblem:
    """Why a key cannot be taken just like that.

    Attributes:
        title: in a few words.
        words: what would happen.
        ways: what can be done, in words and as hot-keys; none when only another key helps.
    """

    title: str
    words: str
    ways: tuple[tuple[str, HotkeySettings], ...] = ()


def look_at_key(before: HotkeySettings, field: str, key: str) -> KeyProblem | None:
    """What is wrong with giving ``key`` to ``field``; None when nothing is."""
    wanted = before.model_copy(update={field: key})
    found = [one for one in find_conflicts(wanted) if field in one.fields]
    unfit = next((one for one in found if one.kind != "same"), None)
    if unfit is not None:
        return KeyProblem(
            title=tr("{key} cannot be a hot-key").format(key=native(key)), words=_REASONS.get(unfit.kind, unfit.message)
        )
    same = next(iter(found), None)
    if same is None:
        return None
    other = next(name for name in same.fields if name != field)
    mine, theirs, old = _title(field), _title(other), str(getattr(before, field))
    ways = [
        (
            tr("Use it for {mine}; {theirs} has no key then").format(mine=mine, theirs=theirs),
            wanted.model_copy(update={other: ""}),
        )
    ]
    if old:
        swapped = wanted.model_copy(update={other: old})
        if not [one for one in find_conflicts(swapped) if {field, other} & set(one.fields)]:
            ways.insert(0, (tr("Swap: {theirs} gets {old}").format(theirs=theirs, old=native(old)), swapped))
    return KeyProblem(
        title=tr("{key} is taken").format(key=native(key)),
        words=tr("It already belongs to {theirs}. One key can mean one thing.").format(theirs=theirs),
        ways=tuple(ways),
    )


def problem_of_taken(before: HotkeySettings, field: str, key: str) -> KeyProblem:
    """Another program has this key."""
    way = (tr("Use {key} all the same").format(key=native(key)), before.model_copy(update={field: key}))
    words = tr("While you record, that program would react to it as well, and its answer would be in your recording.")
    return KeyProblem(title=tr("{key} belongs to another program").format(key=native(key)), words=words, ways=(way,))


def spoken_problems(hotkeys: HotkeySettings) -> dict[str, str]:
    """What is wrong with hot-keys as they are, by setting."""
    found: dict[str, str] = {}
    for conflict in find_conflicts(hotkeys):
        for field in conflict.fields:
            words = _REASONS.get(conflict.kind, conflict.message)
            if conflict.kind == "same":
                other = next((name for name in conflict.fields if name != field), field)
                words = tr("{key} belongs to {title} as well.").format(key=native(conflict.key), title=_title(other))
            found.setdefault(field, words)
    return found


_REASONS = {
    "types": tr("This key types a character, which could not be typed any more. Hold Ctrl, Alt or Meta with it."),
    "needed": tr("Every program needs this key. Hold Ctrl, Alt or Meta with it."),
    "modifier": tr("A hot-key is one key, alone or with Ctrl, Alt, Shift or Meta held."),
    "unknown": tr("There is no such key."),
}


def _title(field: str) -> str:
    return f"“{HotkeySettings.model_fields[field].title or field}”"


_DIALOG_WIDTH = 420


class KeyDialog(QDialog):
    """The problem, the ways out, and leaving everything as it was."""

    def __init__(
        self,
        problem: KeyProblem,
        *,
        keep: str,
        theme: Theme,
        parent: QWidget,
        chosen: Callable[[HotkeySettings], object],
    ) -> None:
        """Put the question together; ``keep`` is the key that stays otherwise, ``chosen`` gets those of a way."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(problem.title)
        self.setAccessibleDescription(problem.words)
        self.problem = problem
        words = label(problem.words, wraps=True)
        words.setFixedWidth(_DIALOG_WIDTH)
        stay = push_button(
            tr("Keep {keep}").format(keep=keep) if keep else tr("Keep it without a key"),
            tr("Change nothing"),
            theme,
            role="main",
            call=self.reject,
        )
        ways = [push_button(said, said, theme, call=partial(chosen, keys)) for said, keys in problem.ways]
        for way in ways:
            way.clicked.connect(self.accept)
        layout = column(label(problem.title, role="title"), words, SPACE.s, *ways, stay, of=self, margins=SPACE.xl)
        stay.setDefault(True)
        stay.setFocus()
        self.setFixedSize(layout.sizeHint())


_SAVED_MS = 2500
_WIDTH = 760
_KEYS = ("recorder", "hotkeys")
_NEXT_START = {("ui", "language"), ("ui", "scale")}
"""What is read once, when the app starts."""


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

        ``taken`` says off the GUI thread whether another program holds a key; ``mute`` is told while a key is being
        taken from the keyboard: hot-keys must not act then.
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
        place = label(
            tr("What you change here is kept in {path}").format(path=settings_path()), role="muted", wraps=True
        )
        place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(place)
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

        self._operations.start(write, on_result=partial(self._on_saved, path), lane="library")

    def _on_saved(self, path: tuple[str, ...], settings: Settings) -> None:
        self._show(settings)
        recorded = tr("Saved; it counts from the next recording on") if path[0] == "recorder" else tr("Saved")
        self._told.setText(tr("Saved; it counts from the next start on") if path in _NEXT_START else recorded)
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
