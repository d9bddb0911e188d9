"""Icons of the desktop's themes, where some are installed: what real programs show."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

from lab.screens.qt.theme_names import THEME_NAMES

THEMED: Final = ("theme", "theme", "theme", "symbolic", "symbolic")
"""Manners of icons that come from a theme: in its colours, or in the text's."""
_FOLDER: Final = Path("/usr/share/icons")
_LIGHT: Final = ("Adwaita", "breeze", "Papirus", "elementary-xfce", "Tango")
_DARK: Final = ("Adwaita", "breeze-dark", "Papirus-Dark", "elementary-xfce-dark")
_SIZES: Final = (16, 22, 24, 32, 48, 64)


def use_theme(rng: random.Random | None, *, dark: bool) -> None:
    """Take the icons of one of the themes that are installed; of none without chance."""
    QIcon.setThemeSearchPaths([str(_FOLDER)])
    if rng is None:
        QIcon.setThemeName("")
        return
    installed = [name for name in (_DARK if dark else _LIGHT) if (_FOLDER / name / "index.theme").exists()]
    QIcon.setThemeName(rng.choice(installed) if installed else "")


def themed_icon(rng: random.Random, subtype: str, *, symbolic: bool, colour: str) -> QIcon | None:
    """An icon of the theme in use; None when it has none of that meaning.

    Args:
        rng: chooses among several names.
        subtype: what it stands for.
        symbolic: as a mere shape in one colour.
        colour: of that shape.
    """
    names = THEME_NAMES.get(subtype, "").split()
    if not names or not QIcon.themeName():
        return None
    name = rng.choice(names)
    if symbolic and QIcon.hasThemeIcon(f"{name}-symbolic"):
        return _tinted(QIcon.fromTheme(f"{name}-symbolic"), colour)
    if not QIcon.hasThemeIcon(name):
        return None
    icon = QIcon.fromTheme(name)
    return None if icon.isNull() or icon.pixmap(QSize(24, 24)).isNull() else icon


def _tinted(icon: QIcon, colour: str) -> QIcon:
    tinted = QIcon()
    for size in _SIZES:
        pixmap = icon.pixmap(QSize(size, size))
        shape = QPixmap(pixmap.size())
        shape.fill(QColor(Qt.GlobalColor.transparent))
        painter = QPainter(shape)
        painter.drawPixmap(0, 0, pixmap)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        painter.fillRect(shape.rect(), QColor(colour))
        painter.end()
        tinted.addPixmap(shape)
    return tinted
