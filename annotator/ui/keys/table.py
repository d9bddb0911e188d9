"""Every key of the library, the settings and the models, and of the whole window, in the form of the editor's table."""

from __future__ import annotations

from typing import Final

from annotator.ui.keys.key import Key, KeyPage
from annotator.words import tr

__all__ = ["PAGE_KEYS", "keys_on"]

PAGE_KEYS: Final[tuple[Key, ...]] = (
    Key(name="record", words=tr("Record a new demo"), keys=("Ctrl+R",), group="Library", scope="library"),
    Key(name="search_demos", words=tr("Search the demos"), keys=("Ctrl+F", "Ctrl+K"), group="Library", scope="library"),
    Key(
        name="library_figures",
        words=tr("Show the statistics"),
        keys=("Ctrl+Shift+S",),
        group="Library",
        scope="library",
    ),
    Key(name="undelete", words=tr("Take the last deletion back"), keys=("Ctrl+Z",), group="Library", scope="library"),
    Key(name="open_demo", words=tr("Open this demo"), keys=("Return",), group="Library", scope="shown"),
    Key(name="delete_demo", words=tr("Take it off the list"), keys=("Delete",), group="Library", scope="shown"),
    Key(name="search_settings", words=tr("Search settings"), keys=("Ctrl+F",), group="Settings", scope="settings"),
    Key(name="leave_settings", words=tr("Back"), keys=("Alt+Left",), group="Settings", scope="settings"),
    Key(name="escape_settings", words=tr("Back"), keys=("Escape",), group="Settings", scope="shown"),
    Key(name="models_in_use", words=tr("In use"), keys=("Ctrl+1",), group="Models", scope="models"),
    Key(name="models_train", words=tr("Train"), keys=("Ctrl+2",), group="Models", scope="models"),
    Key(name="models_compare", words=tr("Compare"), keys=("Ctrl+3",), group="Models", scope="models"),
    Key(name="models_correct", words=tr("Correct first"), keys=("Ctrl+4",), group="Models", scope="models"),
    Key(name="leave_models", words=tr("Back"), keys=("Alt+Left",), group="Models", scope="models"),
    Key(name="escape_models", words=tr("Back"), keys=("Escape",), group="Models", scope="shown"),
    Key(name="open_settings", words=tr("Settings"), keys=("Ctrl+,",), group="Window", scope="window"),
    Key(name="open_models", words=tr("Models"), keys=("Ctrl+M",), group="Window", scope="window"),
    Key(name="help_here", words=tr("These keys"), keys=("F1",), group="Window", scope="pages"),
    Key(name="keys_here", words=tr("Change keys"), keys=("F2",), group="Window", scope="pages"),
)


def keys_on(page: KeyPage) -> tuple[Key, ...]:
    """What holds on a page: its own keys, and those of the whole window."""
    return tuple(key for key in PAGE_KEYS if page in key.places)
