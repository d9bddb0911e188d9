"""Icons by what they stand for: drawn glyphs in one manner for each window, Qt's own, and the project's."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QStyle

from demopack.resources import asset
from lab.screens.qt.drawing.sets import set_keys, set_svg
from lab.screens.qt.drawing.themes import THEMED, themed_icon, use_theme
from lab.screens.qt.glyphs import GLYPHS, glyph_svg
from lab.screens.qt.looks import Scheme, contrast, mixed

_SP = QStyle.StandardPixmap
_OWN: Final[dict[str, tuple[QStyle.StandardPixmap, ...]]] = {
    "open": (_SP.SP_DialogOpenButton, _SP.SP_DirOpenIcon),
    "save": (_SP.SP_DialogSaveButton, _SP.SP_DriveFDIcon),
    "delete": (_SP.SP_TrashIcon, _SP.SP_DialogDiscardButton),
    "folder": (_SP.SP_DirIcon, _SP.SP_DirClosedIcon),
    "new": (_SP.SP_FileDialogNewFolder,),
    "file": (_SP.SP_FileIcon,),
    "home": (_SP.SP_DirHomeIcon,),
    "info": (_SP.SP_MessageBoxInformation, _SP.SP_FileDialogInfoView),
    "warning": (_SP.SP_MessageBoxWarning,),
    "error": (_SP.SP_MessageBoxCritical,),
    "help": (_SP.SP_MessageBoxQuestion, _SP.SP_DialogHelpButton),
    "refresh": (_SP.SP_BrowserReload,),
    "stop": (_SP.SP_MediaStop,),
    "play": (_SP.SP_MediaPlay,),
    "pause": (_SP.SP_MediaPause,),
    "next": (_SP.SP_MediaSkipForward,),
    "previous": (_SP.SP_MediaSkipBackward,),
    "back": (_SP.SP_ArrowBack,),
    "forward": (_SP.SP_ArrowForward,),
    "up": (_SP.SP_ArrowUp, _SP.SP_FileDialogToParent),
    "down": (_SP.SP_ArrowDown,),
    "left": (_SP.SP_ArrowLeft,),
    "right": (_SP.SP_ArrowRight,),
    "close": (_SP.SP_DialogCloseButton,),
    "list": (_SP.SP_FileDialogListView, _SP.SP_FileDialogDetailedView),
}
"""What the style draws itself."""
_DARK: Final = frozenset(
    {"next", "previous", "play", "pause", "stop", "back", "forward", "up", "down", "left", "right", "close"}
)
"""Of these, what is black and cannot be seen on dark windows."""
_ASSETS: Final = {
    "back": "back",
    "copy": "copy",
    "close": "close",
    "down": "chevron_down",
    "right": "chevron_right",
    "up": "chevron_up",
    "folder": "folder",
    "info": "info",
    "remove": "minus",
    "more": "more",
    "pause": "pause",
    "play": "play",
    "add": "plus",
    "redo": "redo",
    "undo": "undo",
    "search": "search",
    "settings": "settings",
    "stop": "stop",
    "delete": "trash",
    "warning": "warning",
    "edit": "write",
    "zoom_in": "zoom_in",
    "zoom_out": "zoom_out",
    "upload": "export",
    "lock": "shield",
}
"""The project's own drawings."""


_MANNERS: Final = ("line", "line", "solid", "colour", "badge", "own", "mixed", "set", "set", "set", "set", "set")
"""Manners of icons that need no theme; ``set`` is drawn as lines where no set is in the cache."""


class IconMaker:
    """Draws icons in one manner; a window's icons belong together."""

    def __init__(self, rng: random.Random, colours: Scheme, folder: Path) -> None:
        self._rng = rng
        self._colours = colours
        self._folder = folder
        self._manner = rng.choice((*_MANNERS, *THEMED))
        self._set, self._weight = (rng.choice(set_keys()) if set_keys() else ""), rng.random()
        use_theme(rng if self._manner in THEMED else None, dark=colours.dark)
        self._width = rng.choice((1.3, 1.6, 2.0, 2.0, 2.5))
        self._hues = [
            mixed(colours.accent, other, 0.4) for other in ("#d03030", "#2f9e44", "#e8a200", "#3b6fd4", "#8c4bc0")
        ]
        self.subtypes = tuple(GLYPHS)

    def sibling(self) -> IconMaker:
        """Icons in another manner, of no theme: a program has one theme only."""
        other = IconMaker(self._rng, self._colours, self._folder)
        if other._manner in THEMED:
            other._manner = self._rng.choice(_MANNERS)
        use_theme(self._rng if self._manner in THEMED else None, dark=self._colours.dark)
        return other

    def some(self) -> str:
        """Something that an icon may stand for."""
        return self._rng.choice(self.subtypes)

    def icon(self, subtype: str, *, colour: str = "", size: int = 24) -> QIcon:
        """An icon for one meaning.

        Args:
            subtype: what it stands for.
            colour: of the lines; the text's when empty.
            size: the largest it will be drawn, in logical pixels.
        """
        manner = (
            self._rng.choice(("own", "line", "colour", "badge", "set")) if self._manner == "mixed" else self._manner
        )
        if manner in THEMED:
            found = themed_icon(self._rng, subtype, symbolic=manner == "symbolic", colour=colour or self._colours.text)
            if found is not None:
                return found
            manner = "line"
        if manner == "own":
            standard = None if self._colours.dark and subtype in _DARK else _OWN.get(subtype)
            if standard:
                return QApplication.style().standardIcon(self._rng.choice(standard))
            manner = "line"
        return _two_states(self._svg(subtype, manner, colour or self._colours.text), size)

    def pixmap(self, subtype: str, size: int, *, colour: str = "", dpr: float = 2.0) -> QPixmap:
        """A picture of an icon with a fixed size, for labels."""
        pixmap = self.icon(subtype, colour=colour, size=size).pixmap(QSize(size, size), dpr)
        pixmap.setDevicePixelRatio(max(pixmap.width(), pixmap.height()) / size)
        return pixmap

    def _svg(self, subtype: str, manner: str, colour: str) -> str:
        if manner == "set":
            found = set_svg(self._set, subtype, weight=self._weight, colour=colour) if self._set else None
            if found is not None:
                return found
            manner = "line"
        if manner == "line" and subtype in _ASSETS and self._rng.random() < 0.25:
            return asset_svg(_ASSETS[subtype], colour)
        paths = GLYPHS.get(subtype)
        path = self._rng.choice(paths) if paths else _blot(self._rng)
        if manner == "solid":
            return glyph_svg(path, colour=colour, width=1.2, fill=mixed(colour, self._colours.window, 0.45))
        if manner == "colour":
            hue = self._rng.choice(self._hues)
            return glyph_svg(path, colour=mixed(hue, colour, 0.45), width=self._width, fill=mixed(hue, "#ffffff", 0.35))
        if manner == "badge":
            ground = self._rng.choice(self._hues)
            ink = "#ffffff" if contrast(ground, "#ffffff") > 2.5 else "#101010"
            shape = self._rng.choice(("circle", "square"))
            return glyph_svg(path, colour=ink, width=self._width, badge=ground, shape=shape)
        return glyph_svg(path, colour=colour, width=self._width)


def asset_svg(name: str, colour: str) -> str:
    """One of the project's drawings, in a colour."""
    return asset(f"icons/{name}.svg").read_text(encoding="utf-8").replace("currentColor", colour)


def _blot(rng: random.Random) -> str:
    """A made-up sign that stands for nothing."""
    points = " ".join(f"{rng.randint(3, 21)} {rng.randint(3, 21)}" for _ in range(rng.randint(3, 6)))
    return f"M{points}"


def _two_states(svg: str, size: int) -> QIcon:
    """An icon that is also there for high resolutions and for disabled controls."""
    icon = QIcon()
    for factor in (1, 2):
        image = svg_image(svg, size * factor, size * factor)
        pixmap = QPixmap.fromImage(image)
        pixmap.setDevicePixelRatio(factor)
        icon.addPixmap(pixmap)
    return icon


def svg_image(svg: str, width: int, height: int) -> QImage:
    """An SVG picture in pixels, on nothing."""
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(Qt.GlobalColor.transparent))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, width, height))
    painter.end()
    return image


def picture_files(folder: Path) -> _PictureFiles:
    """Small pictures as files, for style sheets, which know no other."""
    return _PictureFiles(folder)


class _PictureFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, subtype: str, colour: str) -> str:
        path = PLAIN.get(subtype) or GLYPHS[subtype][0]
        svg = glyph_svg(path, colour=colour, width=3.0)
        file = self._folder / f"{hashlib.sha256(svg.encode()).hexdigest()[:16]}.svg"
        if not file.exists():
            file.write_text(svg, encoding="utf-8")
        return file.as_posix()


PLAIN: Final = {
    "up": "M5 15l7-7 7 7",
    "down": "M5 9l7 7 7-7",
    "left": "M15 5l-7 7 7 7",
    "right": "M9 5l7 7-7 7",
    "check": "M4 12l6 6L20 6",
    "close": "M5 5l14 14M19 5L5 19",
    "dot": "M12 7a5 5 0 1 0 .01 0zM12 10a2 2 0 1 0 .01 0z",
    "grip": "M20 10L10 20M20 15l-5 5",
}
"""Arrows and ticks for style sheets."""
