"""The windows that a person could choose from, also those that others cover; as the window manager lists them."""

from __future__ import annotations

import os
from typing import Any

from recorder.backends.x11.xlib import open_display, xlib

__all__ = ["client_titles"]

_NO_CHOICE = ("_NET_WM_WINDOW_TYPE_DOCK", "_NET_WM_WINDOW_TYPE_DESKTOP")


def client_titles(display: str | None = None) -> list[str]:
    """Titles of the other programs' windows, topmost first, each once; without panels and the desktop itself.

    Raises:
        CaptureError: there is no X server.
    """
    connection = open_display(display)
    try:
        root = connection.screen().root
        found: list[str] = []
        for window_id in reversed(_values(connection, root, "_NET_CLIENT_LIST_STACKING")):
            window = connection.create_resource_object("window", window_id)
            try:
                title = _title(connection, window)
            except (xlib("error").BadWindow, xlib("error").BadDrawable):
                continue  # it has gone meanwhile
            if title and title not in found:
                found.append(title)
        return found
    finally:
        connection.close()


def _title(connection: Any, window: Any) -> str:  # noqa: ANN401 - an untyped library
    """Empty for what nobody would choose."""
    kinds = {connection.intern_atom(name) for name in _NO_CHOICE}
    if kinds & set(_values(connection, window, "_NET_WM_WINDOW_TYPE")):
        return ""
    if os.getpid() in _values(connection, window, "_NET_WM_PID"):
        return ""
    name = window.get_full_property(connection.intern_atom("_NET_WM_NAME"), xlib("X").AnyPropertyType)
    if name is not None:
        value = name.value
        return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)
    plain = window.get_wm_name()
    return plain if isinstance(plain, str) else ""


def _values(connection: Any, window: Any, name: str) -> list[int]:  # noqa: ANN401 - an untyped library
    found = window.get_full_property(connection.intern_atom(name), xlib("X").AnyPropertyType)
    return [] if found is None else [int(value) for value in found.value]
