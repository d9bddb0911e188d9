"""Address of the accessibility bus of an X11 session, and the switch that turns accessibility on while we listen."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from demopack.errors import CaptureError
from recorder.backends.atspi.bus import AccessBus, BusQuery, Ref, open_bus
from recorder.backends.x11.xlib import open_display, property_of, server_errors

_A11Y = Ref("org.a11y.Bus", "/org/a11y/bus")
_STATUS = "org.a11y.Status"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_ASK_S = 2.0


def bus_address(display: str | None) -> str | None:
    """The D-Bus address of the accessibility bus; None where there is none.

    Args:
        display: the X server whose session is meant; None for the one in ``DISPLAY``.
    """
    return os.environ.get("AT_SPI_BUS_ADDRESS") or _from_root(display) or _from_session(display)


def _from_root(display: str | None) -> str | None:
    try:
        connection = open_display(display)
    except CaptureError:
        return None
    told: Any = None
    with contextlib.suppress(*server_errors()):
        told = property_of(connection, connection.screen().root, "AT_SPI_BUS")
    with contextlib.suppress(*server_errors()):
        connection.close()
    return told.decode() if isinstance(told, bytes) else None if told is None else str(told)


def _from_session(display: str | None) -> str | None:
    bus = _session(display)
    if bus is None:
        return None
    try:
        answer = bus.ask(BusQuery(_A11Y, "org.a11y.Bus", "GetAddress", reply="s"), timeout_s=_ASK_S)
    finally:
        bus.close()
    return str(answer[0]) if answer and answer[0] else None


def _session(display: str | None) -> AccessBus | None:
    """The session bus, if it belongs to that display."""
    address = os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")
    if not address or (display is not None and display != os.environ.get("DISPLAY")):
        return None
    return open_bus(address, lambda _: None)  # nothing is listened to there


class SessionSwitch:
    """Tells the programs of a session that somebody listens, and takes it back."""

    def __init__(self, display: str | None) -> None:
        self._display = display
        self._was_off = False

    def turn_on(self) -> None:
        """Switch accessibility on, unless it is."""
        bus = _session(self._display)
        if bus is None:
            return
        try:
            answer = bus.ask(BusQuery(_A11Y, _PROPERTIES, "Get", "ss", (_STATUS, "IsEnabled"), "v"), timeout_s=_ASK_S)
            self._was_off = answer is not None and not answer[0][1]
            if self._was_off:
                self._set(bus, on=True)
        finally:
            bus.close()

    def restore(self) -> None:
        """Switch it off again if it was off; calling it twice is harmless."""
        if not self._was_off:
            return
        self._was_off = False
        bus = _session(self._display)
        if bus is None:
            return
        try:
            self._set(bus, on=False)
        finally:
            bus.close()

    def _set(self, bus: AccessBus, *, on: bool) -> None:
        bus.ask(BusQuery(_A11Y, _PROPERTIES, "Set", "ssv", (_STATUS, "IsEnabled", ("b", on))), timeout_s=_ASK_S)
