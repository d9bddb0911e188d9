"""Dresses the application: style, palette, font, style sheet; the same order leaves the same look."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QLocale
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from lab.screens.qt.looks import Scheme, scheme
from lab.screens.qt.sheets import Picture, sheet

_BASES: Final = {"windows": "Windows", "classic95": "Windows", "wire": "Windows"}
_FAMILIES: Final = (
    "DejaVu Sans",
    "DejaVu Sans",
    "DejaVu Sans Condensed",
    "DejaVu Serif",
    "Nimbus Sans",
    "Nimbus Sans",
    "Nimbus Sans Narrow",
    "URW Gothic",
    "P052",
    "Liberation Sans",
    "Liberation Sans",
    "Noto Sans",
    "Noto Sans",
    "Roboto",
    "Open Sans",
    "Cantarell",
    "Lato",
    "Inter",
)
"""Those that are installed are used."""
_CYRILLIC: Final = frozenset({"ru"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowStyle:
    """How the application is drawn."""

    style: str
    colours: Scheme
    family: str
    points: int


def apply_style(
    app: QApplication, rng: random.Random, *, style: str, number: int, language: str, picture: Picture
) -> WindowStyle:
    """Give the application a look.

    Args:
        app: the one that runs.
        rng: chooses the font.
        style: from ``sides.STYLES``.
        number: of the colour scheme.
        language: decides which fonts can be used.
        picture: gives files for style sheets.
    """
    colours = scheme(number)
    app.setStyleSheet("")
    base = _BASES.get(style, "Fusion")
    if app.style().name() != base.lower():
        app.setStyle(base)
    app.setPalette(_palette(colours))
    look = WindowStyle(style=style, colours=colours, family=_family(rng, language), points=rng.choice(_POINTS))
    font = QFont(look.family, look.points)
    if rng.random() < 0.15:
        font.setHintingPreference(
            rng.choice((QFont.HintingPreference.PreferFullHinting, QFont.HintingPreference.PreferNoHinting))
        )
    if style == "classic95" and rng.random() < 0.4:
        font.setStyleStrategy(QFont.StyleStrategy.NoAntialias)
    app.setFont(font)
    QLocale.setDefault(QLocale(language))
    app.setStyleSheet(sheet(style, colours, picture, rng))
    return look


_POINTS: Final = (7, 8, 9, 9, 10, 10, 10, 11, 11, 12, 13, 14)


def _family(rng: random.Random, language: str) -> str:
    system = QFontDatabase.WritingSystem.Cyrillic if language in _CYRILLIC else QFontDatabase.WritingSystem.Latin
    installed = set(QFontDatabase.families(system))
    fitting = [family for family in _FAMILIES if family in installed]
    return rng.choice(fitting) if fitting else QApplication.font().family()


def _palette(c: Scheme) -> QPalette:
    palette = QPalette(QColor(c.button), QColor(c.window))
    role = QPalette.ColorRole
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive, QPalette.ColorGroup.Disabled):
        words = c.faint if group == QPalette.ColorGroup.Disabled else c.text
        colours = {
            role.Window: c.window,
            role.WindowText: words,
            role.Base: c.base,
            role.AlternateBase: c.alternate,
            role.Text: words,
            role.Button: c.button,
            role.ButtonText: words,
            role.Highlight: c.border if group == QPalette.ColorGroup.Disabled else c.accent,
            role.HighlightedText: c.on_accent,
            role.Link: c.link,
            role.LinkVisited: c.link,
            role.ToolTipBase: c.base,
            role.ToolTipText: c.text,
            role.PlaceholderText: c.faint,
            role.Accent: c.accent,
        }
        for one, colour in colours.items():
            palette.setColor(group, one, QColor(colour))
    return palette
