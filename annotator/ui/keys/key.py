"""What can be done by keyboard: one value for each, with the place where it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from annotator.words import tr

__all__ = ["GROUP_WORDS", "Key", "KeyGroup", "KeyPage", "KeyScope"]

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


@dataclass(frozen=True, slots=True, kw_only=True)
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
    """

    name: str
    words: str
    keys: tuple[str, ...]
    group: KeyGroup
    scope: KeyScope = "page"

    @property
    def places(self) -> frozenset[str]:
        """Where it holds: two keys that are equal may mean two things in two places."""
        shown = _SHOWN_ON.get(self.group) if self.scope == "shown" else None
        return _PLACES[self.scope] if shown is None else shown

    @property
    def in_editor(self) -> bool:
        """Whether it holds somewhere in the editor."""
        return bool(self.places & _EDITOR)
