"""Clashes of hot-keys: ways out of them, and the dialog that asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from annotator.ui.controls import column, label, push_button
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.settings import HotkeySettings
from recorder.hotkeys import Conflict, find_conflicts


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
            title=tr("{key} cannot be a hot-key").format(key=key), words=_REASONS.get(unfit.kind, unfit.message)
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
            ways.insert(0, (tr("Swap: {theirs} gets {old}").format(theirs=theirs, old=old), swapped))
    return KeyProblem(
        title=tr("{key} is taken").format(key=key),
        words=tr("It already belongs to {theirs}. One key can mean one thing.").format(theirs=theirs),
        ways=tuple(ways),
    )


def problem_of_taken(before: HotkeySettings, field: str, key: str) -> KeyProblem:
    """Another program has this key."""
    way = (tr("Use {key} all the same").format(key=key), before.model_copy(update={field: key}))
    words = tr("While you record, that program would react to it as well, and its answer would be in your recording.")
    return KeyProblem(title=tr("{key} belongs to another program").format(key=key), words=words, ways=(way,))


def spoken_problems(hotkeys: HotkeySettings) -> dict[str, str]:
    """What is wrong with hot-keys as they are, by setting."""
    found: dict[str, str] = {}
    for conflict in find_conflicts(hotkeys):
        for field in conflict.fields:
            found.setdefault(field, _message(conflict, field))
    return found


def _message(conflict: Conflict, field: str) -> str:
    if conflict.kind != "same":
        return _REASONS.get(conflict.kind, conflict.message)
    other = next((name for name in conflict.fields if name != field), field)
    return tr("{key} belongs to {title} as well.").format(key=conflict.key, title=_title(other))


_REASONS = {
    "types": tr("This key types a character, which could not be typed any more. Hold Ctrl, Alt or Meta with it."),
    "needed": tr("Every program needs this key. Hold Ctrl, Alt or Meta with it."),
    "modifier": tr("A hot-key is one key, alone or with Ctrl, Alt, Shift or Meta held."),
    "unknown": tr("There is no such key."),
}


def _title(field: str) -> str:
    return f"“{HotkeySettings.model_fields[field].title or field}”"


_WIDTH = 420


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
        """Put the question together.

        Args:
            problem: what is wrong, and what can be done.
            keep: the key that stays otherwise; empty for none.
            theme: colours.
            parent: the window it belongs to.
            chosen: gets the hot-keys of the way that is taken.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(problem.title)
        self.setAccessibleDescription(problem.words)
        self.problem = problem
        words = label(problem.words, wraps=True)
        words.setFixedWidth(_WIDTH)
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
