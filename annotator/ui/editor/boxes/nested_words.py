"""What the status line says about a box that was put around something."""

from __future__ import annotations

from typing import Final

from annotator.seen.nested import Kind
from annotator.words import tr

__all__ = ["drawn_words", "fitted_words"]

_DRAWN: Final[dict[Kind, str]] = {
    "icon": tr("Drew a box around the icon. Click again for the next larger one."),
    "word": tr("Drew a box around the word. Click again for the next larger one."),
    "line": tr("Drew a box around the line of text. Click again for the next larger one."),
    "block": tr("Drew a box around the lines of text. Click again for the next larger one."),
    "row": tr("Drew a box around the row. Click again for the next larger one."),
    "shape": tr("Drew a box along the outline. Click again for the next larger one."),
    "panel": tr("Drew a box around the panel. Click again for the next larger one."),
}
_FITTED: Final[dict[Kind, str]] = {
    "icon": tr("Fitted to the icon."),
    "word": tr("Fitted to the word."),
    "line": tr("Fitted to the line of text."),
    "block": tr("Fitted to the lines of text."),
    "row": tr("Fitted to the row."),
    "shape": tr("Fitted to the outline around."),
    "panel": tr("Fitted to the panel around."),
}


def drawn_words(kind: Kind) -> str:
    """A click made it."""
    return _DRAWN[kind]


def fitted_words(kind: Kind) -> str:
    """A key fitted it."""
    return _FITTED[kind]
