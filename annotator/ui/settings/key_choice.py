"""What can be done about a hot-key that clashes with something; knows no Qt."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.words import tr
from demopack.settings import HotkeySettings
from recorder.hotkeys import Conflict, find_conflicts

__all__ = ["KeyProblem", "Way", "look_at_key", "problem_of_taken", "spoken_problems"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way out.

    Attributes:
        words: on the button.
        hotkeys: what is set then.
    """

    words: str
    hotkeys: HotkeySettings


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyProblem:
    """Why a key cannot be taken just like that.

    Attributes:
        title: in a few words.
        words: what would happen.
        ways: what can be done; none when only another key helps.
    """

    title: str
    words: str
    ways: tuple[Way, ...] = ()


def look_at_key(before: HotkeySettings, field: str, key: str) -> KeyProblem | None:
    """What is wrong with giving ``key`` to ``field``; None when nothing is."""
    wanted = before.model_copy(update={field: key})
    found = [one for one in find_conflicts(wanted) if field in one.fields]
    unfit = next((one for one in found if one.kind != "same"), None)
    if unfit is not None:
        return KeyProblem(
            title=tr("{key} cannot be a hot-key").format(key=key), words=_WHY.get(unfit.kind, unfit.message)
        )
    same = next(iter(found), None)
    if same is None:
        return None
    other = next(name for name in same.fields if name != field)
    mine, theirs, old = _title(field), _title(other), str(getattr(before, field))
    ways = [
        Way(
            words=tr("Use it for {mine}; {theirs} has no key then").format(mine=mine, theirs=theirs),
            hotkeys=wanted.model_copy(update={other: ""}),
        )
    ]
    if old:
        swapped = wanted.model_copy(update={other: old})
        if not [one for one in find_conflicts(swapped) if {field, other} & set(one.fields)]:
            ways.insert(0, Way(words=tr("Swap: {theirs} gets {old}").format(theirs=theirs, old=old), hotkeys=swapped))
    return KeyProblem(
        title=tr("{key} is taken").format(key=key),
        words=tr("It already belongs to {theirs}. One key can mean one thing.").format(theirs=theirs),
        ways=tuple(ways),
    )


def problem_of_taken(before: HotkeySettings, field: str, key: str) -> KeyProblem:
    """Another program has this key."""
    way = Way(words=tr("Use {key} all the same").format(key=key), hotkeys=before.model_copy(update={field: key}))
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
        return _WHY.get(conflict.kind, conflict.message)
    other = next((name for name in conflict.fields if name != field), field)
    return tr("{key} belongs to {title} as well.").format(key=conflict.key, title=_title(other))


_WHY = {
    "types": tr("This key types a character, which could not be typed any more. Hold Ctrl, Alt or Meta with it."),
    "needed": tr("Every program needs this key. Hold Ctrl, Alt or Meta with it."),
    "modifier": tr("A hot-key is one key, alone or with Ctrl, Alt, Shift or Meta held."),
    "unknown": tr("There is no such key."),
}


def _title(field: str) -> str:
    return f"“{HotkeySettings.model_fields[field].title or field}”"
