"""Keyboard actions: a row of the table, the rows of the pages, and the keys that the user chose. Knows no Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from annotator.words import key_words, tr

KeyGroup: TypeAlias = Literal[
    "Steps", "Change steps", "Recording", "Boxes", "Suggestions", "Attributes", "From step to step", "Find and review",
    "View", "Everything", "Library", "Settings", "Models", "Tasks", "Window",
]  # fmt: skip
KeyPage: TypeAlias = Literal["library", "settings", "models", "tasks"]
KeyScope: TypeAlias = Literal["page", "picture", "canvas", "list", "shown", "window", "pages", KeyPage]

GROUP_WORDS: Final[Mapping[KeyGroup, str]] = {
    "Steps": tr("Steps"),
    "Change steps": tr("Change steps"),
    "Recording": tr("Recording"),
    "Boxes": tr("Boxes"),
    "Suggestions": tr("Suggestions"),
    "Attributes": tr("Attributes"),
    "From step to step": tr("From step to step"),
    "Find and review": tr("Find and review"),
    "View": tr("View"),
    "Everything": tr("Everything"),
    "Library": tr("Library"),
    "Settings": tr("Settings"),
    "Models": tr("Models"),
    "Tasks": tr("Tasks"),
    "Window": tr("Whole window"),
}
"""The groups as headings."""

_EDITOR: Final = frozenset({"canvas", "list", "panel"})
_PAGES: Final = frozenset({"library", "settings", "models", "tasks"})
_PLACES: Final[Mapping[KeyScope, frozenset[str]]] = {
    "page": _EDITOR,
    "picture": frozenset({"canvas", "list"}),
    "canvas": frozenset({"canvas"}),
    "list": frozenset({"list"}),
    "shown": frozenset({"canvas", "list"}),
    "window": _EDITOR | _PAGES,
    "pages": _PAGES,
    "library": frozenset({"library"}),
    "settings": frozenset({"settings"}),
    "models": frozenset({"models"}),
    "tasks": frozenset({"tasks"}),
}
_SHOWN_ON: Final[Mapping[KeyGroup, frozenset[str]]] = {
    "Library": _PLACES["library"],
    "Settings": _PLACES["settings"],
    "Models": _PLACES["models"],
    "Tasks": _PLACES["tasks"],
}


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that can be done by keyboard.

    Attributes:
        name: of the action.
        words: for the overlay.
        keys: its shortcuts; the first is shown in tooltips.
        group: heading in the overlay.
        scope: ``page`` works wherever the focus is, but in a text field; ``picture`` only on the canvas and the step
            list, ``canvas`` and ``list`` on one of them, because controls need these keys themselves; ``shown`` is only
            shown: the widgets handle it. ``library``, ``settings``, ``models`` and ``tasks`` are the pages of these
            names, ``pages`` all four of them, ``window`` these and the editor.
        call: does it, given the feature, page or window whose row it is; None where widgets handle the key.
    """

    name: str
    words: str
    keys: tuple[str, ...]
    group: KeyGroup
    scope: KeyScope = "page"
    call: Callable[[Any], object] | None = None

    @property
    def places(self) -> frozenset[str]:
        """Where it holds: two keys that are equal may mean two things in two places."""
        shown = _SHOWN_ON.get(self.group) if self.scope == "shown" else None
        return _PLACES[self.scope] if shown is None else shown

    @property
    def in_editor(self) -> bool:
        """Whether it holds somewhere in the editor."""
        return bool(self.places & _EDITOR)


PAGE_KEYS: Final[tuple[Key, ...]] = (
    Key("record", tr("Record a new demo"), ("Ctrl+R",), "Library", "library", lambda page: page.panel.ask()),
    Key("search_demos", tr("Search the demos"), ("Ctrl+F", "Ctrl+K"), "Library", "library",
        lambda page: page.search.field.setFocus()),
    Key("library_figures", tr("Show the statistics"), ("Ctrl+Shift+S",), "Library", "library",
        lambda page: page.open_statistics()),
    Key("undelete", tr("Take the last deletion back"), ("Ctrl+Z",), "Library", "library",
        lambda page: page.undo_wanted.emit()),
    Key("open_demo", tr("Open this demo"), ("Return",), "Library", "shown"),
    Key("replay_demo", tr("Do this demo again on the screen"), ("Ctrl+Shift+D",), "Library", "library",
        lambda page: page.replay()),
    Key("delete_demo", tr("Take it off the list"), ("Delete",), "Library", "shown"),
    Key("search_settings", tr("Search settings"), ("Ctrl+F",), "Settings", "settings",
        lambda page: page.search.setFocus()),
    Key("leave_settings", tr("Back"), ("Alt+Left",), "Settings", "settings", lambda page: page.back_wanted.emit()),
    Key("escape_settings", tr("Back"), ("Escape",), "Settings", "shown"),
    Key("models_in_use", tr("In use"), ("Ctrl+1",), "Models", "models", lambda page: page.show_view(0)),
    Key("models_train", tr("Train"), ("Ctrl+2",), "Models", "models", lambda page: page.show_view(1)),
    Key("models_compare", tr("Compare"), ("Ctrl+3",), "Models", "models", lambda page: page.show_view(2)),
    Key("models_correct", tr("Correct first"), ("Ctrl+4",), "Models", "models", lambda page: page.show_view(3)),
    Key("leave_models", tr("Back"), ("Alt+Left",), "Models", "models", lambda page: page.back_wanted.emit()),
    Key("escape_models", tr("Back"), ("Escape",), "Models", "shown"),
    Key("search_tasks", tr("Search tasks"), ("Ctrl+F", "Ctrl+K"), "Tasks", "tasks",
        lambda page: page.search.setFocus()),
    Key("record_task", tr("Record this task"), ("Ctrl+R",), "Tasks", "tasks", lambda page: page.record()),
    Key("next_task", tr("Next task"), ("Ctrl+N",), "Tasks", "tasks", lambda page: page.show_next()),
    Key("import_tasks", tr("Import tasks"), ("Ctrl+I",), "Tasks", "tasks", lambda page: page.import_files()),
    Key("task_figures", tr("Show the statistics"), ("Ctrl+Shift+S",), "Tasks", "tasks",
        lambda page: page.open_statistics()),
    Key("undo_tasks", tr("Undo"), ("Ctrl+Z",), "Tasks", "tasks", lambda page: page.undo()),
    Key("redo_tasks", tr("Redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), "Tasks", "tasks", lambda page: page.redo()),
    Key("edit_task", tr("Correct the task"), ("Return",), "Tasks", "shown"),
    Key("aside_task", tr("Set aside, or restore"), ("Delete",), "Tasks", "shown"),
    Key("leave_tasks", tr("Back"), ("Alt+Left",), "Tasks", "tasks", lambda page: page.back_wanted.emit()),
    Key("escape_tasks", tr("Back"), ("Escape",), "Tasks", "shown"),
    Key("open_tasks", tr("Tasks"), ("Ctrl+Shift+T",), "Window", "window", lambda window: window.open_tasks()),
    Key("open_settings", tr("Settings"), ("Ctrl+,",), "Window", "window", lambda window: window.open_settings()),
    Key("open_models", tr("Models"), ("Ctrl+M",), "Window", "window", lambda window: window.open_models()),
    Key("help_here", tr("These keys"), ("F1",), "Window", "pages", lambda keys: keys.show_keys()),
    Key("keys_here", tr("Change keys"), ("F2",), "Window", "pages", lambda keys: keys.change_keys()),
)  # fmt: skip


def keys_on(page: KeyPage) -> tuple[Key, ...]:
    """What holds on a page: its own keys, and those of the whole window."""
    return tuple(key for key in PAGE_KEYS if page in key.places)


_CONTROLS: Final = frozenset(
    {
        "left", "right", "up", "down", "home", "end", "pgup", "pgdown", "tab", "return", "enter", "space", "backspace",
        "delete", "del", "ins",
    }
)  # fmt: skip
"""What buttons, lists and fields live on."""
_WINDOW: Final = frozenset({"esc", "escape", "alt+f4"})
_FIXED: Final = frozenset({"help", "keys", "help_here", "keys_here"})
_WIDGET_SCOPES: Final = frozenset({"picture", "canvas", "list", "shown"})
"""Scopes in which no other control has the focus."""


class KeyMap:
    """The table with the user's choice laid over it; a value, never changed.

    What the user chose wins over what another action has by default, so that setting one back gives the other its key
    again. Of two choices for one key the first in the table wins.
    """

    def __init__(self, keys: Sequence[Key], chosen: Mapping[str, Sequence[str]] | None = None) -> None:
        """Lay a choice over the table.

        Args:
            keys: the table.
            chosen: keys by the names of actions, as the settings hold them; names that the table does not know (of a
                newer version, perhaps) are kept and do nothing.
        """
        self._keys = {key.name: key for key in keys}
        self._chosen = {name: tuple(texts) for name, texts in (chosen or {}).items()}
        self._now = self._settle()

    def _settle(self) -> dict[str, tuple[str, ...]]:
        taken: set[tuple[str, str]] = set()
        now: dict[str, tuple[str, ...]] = {}
        for name, key in self._keys.items():
            if not self.is_changed(name):
                continue
            free = [text for text in self._chosen[name] if not taken & _claims(key, text)]
            now[name] = tuple(free)
            for text in free:
                taken |= _claims(key, text)
        for name, key in self._keys.items():
            if name not in now:
                now[name] = tuple(text for text in key.keys if self.is_fixed(name) or not taken & _claims(key, text))
        return now

    # Asking ---------------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> dict[str, tuple[str, ...]]:
        """What differs from the table, for the settings."""
        return dict(self._chosen)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The table with the keys that hold."""
        return tuple(replace(key, keys=self._now[name]) for name, key in self._keys.items())

    def __getitem__(self, name: str) -> Key:
        """One line of the table with the keys that hold; raises KeyError for an action that there is not."""
        return replace(self._keys[name], keys=self._now[name])

    def keys_of(self, name: str) -> tuple[str, ...]:
        """The keys of an action; none for an action that there is not."""
        return self._now.get(name, ())

    def is_changed(self, name: str) -> bool:
        """Whether the user chose other keys for an action."""
        return name in self._chosen and name in self._keys and not self.is_fixed(name)

    def is_fixed(self, name: str) -> bool:
        """Whether an action keeps its keys: what controls handle themselves, the digits on the buttons, and help."""
        return name in _FIXED or name.startswith("digit_") or self._keys[name].scope == "shown"

    def refusal(self, name: str, text: str) -> str:
        """Why an action cannot have a key; empty when it can."""
        lower = text.casefold()
        if lower in _WINDOW:
            return tr("{key} belongs to the whole window. Choose another one.").format(key=key_words(text))
        bare = lower.removeprefix("shift+")
        if self._keys[name].scope not in _WIDGET_SCOPES and bare in _CONTROLS:
            return tr("Buttons, lists and fields need {key}. Add Ctrl or Alt to it.").format(key=key_words(text))
        fixed = next((key for key in self.others(name, text) if self.is_fixed(key.name)), None)
        if fixed is not None:
            words = tr("{key} always means “{words}”. Choose another one.")
            return words.format(key=key_words(text), words=fixed.words)
        return ""

    def others(self, name: str, text: str) -> tuple[Key, ...]:
        """What else a key means where this action works; not what shares the key by design."""
        mine = self._keys[name]
        claims = _claims(mine, text)
        by_design = {one.casefold() for one in mine.keys}
        return tuple(
            key
            for key in self.keys
            if key.name != name
            and any(claims & _claims(key, one) for one in key.keys)
            and not (text.casefold() in by_design and not self.is_changed(key.name))
        )

    def with_choice(self, chosen: Mapping[str, Sequence[str]]) -> KeyMap:
        """The same table with another choice laid over it."""
        return KeyMap(tuple(self._keys.values()), chosen)

    # Choosing -------------------------------------------------------------------------------------------------

    def given(self, name: str, text: str, *, beside: bool = False) -> KeyMap:
        """An action gets a key, and whatever else had it loses it.

        Args:
            name: the action.
            text: the key, as ``Ctrl+Shift+T``; empty for none.
            beside: besides those that it has, instead of in their place.

        Raises:
            ValueError: it cannot have this key; see ``refusal``.
        """
        if text and (why := self.refusal(name, text)):
            raise ValueError(why)
        chosen = dict(self._chosen)
        for other in self.others(name, text) if text else ():
            if self.is_changed(other.name):
                chosen[other.name] = tuple(one for one in other.keys if one.casefold() != text.casefold())
        had = self.keys_of(name) if beside else ()
        chosen[name] = (*(one for one in had if one.casefold() != text.casefold()), *([text] if text else []))
        if chosen[name] == self._keys[name].keys:
            del chosen[name]
        return KeyMap(tuple(self._keys.values()), chosen)

    def set_back(self, name: str | None = None) -> KeyMap:
        """One action gets its keys of the table again; without a name all do."""
        left = {} if name is None else {one: texts for one, texts in self._chosen.items() if one != name}
        return KeyMap(tuple(self._keys.values()), left)


def _claims(key: Key, text: str) -> set[tuple[str, str]]:
    return {(place, text.casefold()) for place in key.places}
