"""Table row of a keyboard action: name, words, keys, group, place and call; and the rows of the pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from annotator.words import tr

KeyGroup: TypeAlias = Literal[
    "Steps", "Change steps", "Recording", "Boxes", "Suggestions", "Attributes", "From step to step", "Find and review",
    "View", "Everything", "Library", "Settings", "Models", "Window",
]  # fmt: skip
KeyPage: TypeAlias = Literal["library", "settings", "models"]
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
    "Window": tr("Whole window"),
}
"""The groups as headings."""

_EDITOR: Final = frozenset({"canvas", "list", "panel"})
_PAGES: Final = frozenset({"library", "settings", "models"})
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
}
_SHOWN_ON: Final[Mapping[KeyGroup, frozenset[str]]] = {
    "Library": _PLACES["library"],
    "Settings": _PLACES["settings"],
    "Models": _PLACES["models"],
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
            shown: the widgets handle it. ``library``, ``settings`` and ``models`` are the pages of these names,
            ``pages`` all three of them, ``window`` these and the editor.
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
    Key("open_settings", tr("Settings"), ("Ctrl+,",), "Window", "window", lambda window: window.open_settings()),
    Key("open_models", tr("Models"), ("Ctrl+M",), "Window", "window", lambda window: window.open_models()),
    Key("help_here", tr("These keys"), ("F1",), "Window", "pages", lambda keys: keys.show_keys()),
    Key("keys_here", tr("Change keys"), ("F2",), "Window", "pages", lambda keys: keys.change_keys()),
)  # fmt: skip


def keys_on(page: KeyPage) -> tuple[Key, ...]:
    """What holds on a page: its own keys, and those of the whole window."""
    return tuple(key for key in PAGE_KEYS if page in key.places)
