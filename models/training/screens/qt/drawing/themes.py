"""Icons of the desktop's themes, where some are installed: what real programs show."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

__all__ = ["THEMED", "themed_icon", "use_theme"]

THEMED: Final = ("theme", "theme", "theme", "symbolic", "symbolic")
"""Manners of icons that come from a theme: in its colours, or in the text's."""
_FOLDER: Final = Path("/usr/share/icons")
_LIGHT: Final = ("Adwaita", "breeze", "Papirus", "elementary-xfce", "Tango")
_DARK: Final = ("Adwaita", "breeze-dark", "Papirus-Dark", "elementary-xfce-dark")
_SIZES: Final = (16, 22, 24, 32, 48, 64)
_NAMES: Final[dict[str, str]] = {
    "back": "go-previous",
    "forward": "go-next",
    "delete": "edit-delete user-trash",
    "important": "emblem-important mail-mark-important",
    "reply": "mail-reply-sender",
    "like": "emblem-favorite",
    "share": "emblem-shared document-share",
    "menu": "open-menu application-menu",
    "search": "edit-find system-search",
    "send": "document-send mail-send",
    "add": "list-add",
    "remove": "list-remove",
    "close": "window-close",
    "edit": "document-edit accessories-text-editor",
    "save": "document-save",
    "open": "document-open",
    "new": "document-new",
    "home": "go-home user-home",
    "settings": "preferences-system emblem-system configure",
    "help": "help-browser help-contents",
    "info": "dialog-information help-about",
    "warning": "dialog-warning",
    "error": "dialog-error",
    "user": "avatar-default system-users user-identity",
    "mail": "mail-unread internet-mail",
    "calendar": "x-office-calendar office-calendar",
    "clock": "preferences-system-time clock",
    "star": "starred rating",
    "bookmark": "bookmark-new user-bookmarks",
    "download": "folder-download",
    "print": "document-print printer",
    "copy": "edit-copy",
    "paste": "edit-paste",
    "cut": "edit-cut",
    "undo": "edit-undo",
    "redo": "edit-redo",
    "refresh": "view-refresh",
    "play": "media-playback-start",
    "pause": "media-playback-pause",
    "stop": "media-playback-stop process-stop",
    "next": "media-skip-forward",
    "previous": "media-skip-backward",
    "up": "go-up",
    "down": "go-down",
    "more": "view-more",
    "filter": "view-filter",
    "sort": "view-sort-ascending",
    "lock": "object-locked changes-prevent system-lock-screen",
    "unlock": "changes-allow object-unlocked",
    "eye": "view-visible",
    "link": "insert-link",
    "attach": "mail-attachment",
    "image": "image-x-generic insert-image",
    "video": "video-x-generic",
    "music": "audio-x-generic",
    "folder": "folder",
    "file": "text-x-generic",
    "chart": "office-chart-bar",
    "list": "view-list view-list-details",
    "grid": "view-grid view-list-icons",
    "location": "mark-location find-location",
    "phone": "call-start phone",
    "chat": "internet-chat",
    "bell": "notifications",
    "flag": "flag",
    "zoom_in": "zoom-in",
    "zoom_out": "zoom-out",
    "minimize": "window-minimize",
    "maximize": "window-maximize",
}
"""What an icon stands for, and its names in the themes."""


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
    names = _NAMES.get(subtype, "").split()
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
