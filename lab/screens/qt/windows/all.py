"""Every kind of window by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QWidget

from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.windows import (
    boards,
    chat,
    editor,
    files,
    form,
    lists,
    mail,
    media,
    mixer,
    panels,
    settings,
    sheet,
    small,
    switchboard,
    system,
    toolbox,
    work,
    writing,
)

BUILDERS: Final[dict[str, Callable[[WidgetBuilder], QWidget]]] = {
    "about": small.about,
    "browser": system.browser,
    "calculator": small.calculator,
    "calendar": boards.calendar,
    "chat": chat.chat,
    "contacts": work.contacts,
    "dashboard": boards.dashboard,
    "editor": editor.build,
    "files": files.build,
    "find": small.find,
    "form": form.build,
    "gallery": boards.gallery,
    "ide": work.ide,
    "inspector": panels.inspector,
    "launcher": boards.launcher,
    "login": small.login,
    "mail": mail.build,
    "message": small.message,
    "monitor": system.monitor,
    "painter": media.painter,
    "player": media.player,
    "preferences": boards.preferences,
    "printing": panels.printing,
    "progress": small.progress,
    "properties": work.properties,
    "records": work.records,
    "settings": settings.build,
    "sheet": sheet.build,
    "viewer": media.viewer,
    "wizard": small.wizard,
    "lists": lists.lists,
    "mixer": mixer.mixer,
    "switchboard": switchboard.switchboard,
    "toolbox": toolbox.toolbox,
    "writing": writing.writing,
}
