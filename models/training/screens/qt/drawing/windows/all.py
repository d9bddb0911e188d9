"""Every kind of window by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QWidget

from models.training.screens.qt.drawing.kit import Kit
from models.training.screens.qt.drawing.windows import editor, files, form, settings, sheet

__all__ = ["BUILDERS", "COMPANIONS"]

BUILDERS: Final[dict[str, Callable[[Kit], QWidget]]] = {
    "editor": editor.build,
    "files": files.build,
    "form": form.build,
    "settings": settings.build,
    "sheet": sheet.build,
}
COMPANIONS: Final = ("editor", "files", "form", "settings", "sheet")
"""What may stand beside another window."""
