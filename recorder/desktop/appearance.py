"""Theme, fonts and scale of a session, given to the programs of another X server.

X programs read them in two places: the settings of the XSETTINGS protocol, and the resources of the root window.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from recorder.backends.x11.xlib import property_of, xlib

Settings = dict[str, int | str | tuple[int, int, int, int]]
"""XSETTINGS: integers, texts, and colours as red, green, blue, alpha in 0..65535."""

_INTEGER, _TEXT, _COLOUR = 0, 1, 2
SELECTION: Final = "_XSETTINGS_S0"
PROPERTY: Final = "_XSETTINGS_SETTINGS"
_PLAIN_DPI: Final = 96
_TIMEOUT_S: Final = 5.0
_GSETTINGS: Final = {
    "gtk-theme": "Net/ThemeName",
    "icon-theme": "Net/IconThemeName",
    "font-name": "Gtk/FontName",
    "cursor-theme": "Gtk/CursorThemeName",
    "cursor-size": "Gtk/CursorThemeSize",
}


def decode_settings(data: bytes) -> Settings:
    """Read the property that an XSETTINGS manager sets.

    Raises:
        ValueError: it is not of that form.
    """
    try:
        return _decode(data)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise ValueError(f"not the settings of an XSETTINGS manager: {error}") from error


def _decode(data: bytes) -> Settings:
    order = "<" if data[0] == 0 else ">"
    (count,) = struct.unpack_from(f"{order}I", data, 8)
    at, settings = 12, Settings()
    for _ in range(count):
        kind, length = struct.unpack_from(f"{order}BxH", data, at)
        at += 4
        name = data[at : at + length].decode()
        at += length + -length % 4 + 4  # behind the name stands when it was changed last
        if kind == _INTEGER:
            (settings[name],) = struct.unpack_from(f"{order}i", data, at)
            at += 4
        elif kind == _TEXT:
            (length,) = struct.unpack_from(f"{order}I", data, at)
            settings[name] = data[at + 4 : at + 4 + length].decode()
            at += 4 + length + -length % 4
        elif kind == _COLOUR:
            red, blue, green, alpha = struct.unpack_from(f"{order}4H", data, at)
            settings[name] = (red, green, blue, alpha)
            at += 8
        else:
            raise ValueError(f"{name} is of the unknown type {kind}")
    return settings


def encode_settings(settings: Settings, *, serial: int) -> bytes:
    """Write the property of an XSETTINGS manager.

    Args:
        settings: by name.
        serial: of this state; each differs from the one before.
    """
    parts = [struct.pack("<BxxxII", 0, serial, len(settings))]
    for name, value in settings.items():
        kind = _INTEGER if isinstance(value, int) else _TEXT if isinstance(value, str) else _COLOUR
        written = name.encode()
        parts.append(struct.pack("<BxH", kind, len(written)) + _padded(written) + struct.pack("<I", serial))
        if isinstance(value, int):
            parts.append(struct.pack("<i", value))
        elif isinstance(value, str):
            text = value.encode()
            parts.append(struct.pack("<I", len(text)) + _padded(text))
        else:
            red, green, blue, alpha = value
            parts.append(struct.pack("<4H", red, blue, green, alpha))
    return b"".join(parts)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def scaled_settings(settings: Settings, scale: float) -> Settings:
    """The same for programs that are to be drawn larger.

    Args:
        settings: of the session.
        scale: 1 for 96 dots per inch.
    """
    whole = max(1, int(scale))
    dpi = round(_PLAIN_DPI * scale * 1024)
    return settings | {"Xft/DPI": dpi, "Gdk/WindowScalingFactor": whole, "Gdk/UnscaledDPI": dpi // whole}


def scaled_resources(resources: bytes, scale: float) -> bytes:
    """The resources of a root window, with another resolution for text."""
    kept = [line for line in resources.splitlines() if not line.startswith(b"Xft.dpi:")]
    return b"\n".join([*kept, b"Xft.dpi:\t%d" % round(_PLAIN_DPI * scale), b""])


def scale_of(settings: Settings, resources: bytes) -> float:
    """How much larger than at 96 dots per inch programs are drawn."""
    dpi = settings.get("Xft/DPI")
    if isinstance(dpi, int) and dpi > 0:
        return dpi / 1024 / _PLAIN_DPI
    found = re.search(rb"^Xft\.dpi:\s*([\d.]+)", resources, re.MULTILINE)
    return float(found[1]) / _PLAIN_DPI if found else 1.0


def read_settings(display: Any) -> tuple[Settings, Any]:  # noqa: ANN401 - an untyped library
    """What the XSETTINGS manager of a server says, and its window; empty and None where there is none."""
    window = display.get_selection_owner(display.intern_atom(SELECTION))
    data = property_of(display, window, PROPERTY) if window else None
    try:
        return (decode_settings(bytes(data)), window) if data is not None else ({}, None)
    except ValueError:
        return {}, None


def read_resources(display: Any) -> bytes:  # noqa: ANN401 - an untyped library
    """The resources of a server's root window; empty where it has none."""
    data = property_of(display, display.screen().root, "RESOURCE_MANAGER")
    return data if isinstance(data, bytes) else b""


def desktop_settings(environ: Mapping[str, str]) -> Settings:
    """Theme and fonts as GNOME's settings name them, for sessions without an XSETTINGS manager; may be empty."""
    program = shutil.which("gsettings", path=environ.get("PATH"))
    found = Settings()
    for key, name in _GSETTINGS.items() if program else ():
        try:
            command = [str(program), "get", "org.gnome.desktop.interface", key]
            told = subprocess.run(
                command, env=dict(environ), capture_output=True, text=True, timeout=_TIMEOUT_S, check=True
            ).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return found
        if told.startswith("'") and told.endswith("'"):
            found[name] = told[1:-1]
        elif re.fullmatch(r"-?\d+", told) and int(told) > 0:
            found[name] = int(told)
    return found


class SettingsManager:
    """The XSETTINGS manager of a server, and its resources; lasts as long as the connection."""

    def __init__(self, display: Any) -> None:  # noqa: ANN401 - an untyped library
        self._display = display
        self._serial = 0
        x = xlib("X")
        root = display.screen().root
        self._window = root.create_window(-1, -1, 1, 1, 0, x.CopyFromParent)
        selection = display.intern_atom(SELECTION)
        self._window.set_selection_owner(selection, x.CurrentTime)
        manager = xlib("protocol.event").ClientMessage(
            window=root, client_type=display.intern_atom("MANAGER"), data=(32, [0, selection, self._window.id, 0, 0])
        )
        root.send_event(manager, event_mask=x.StructureNotifyMask)

    def publish(self, settings: Settings, resources: bytes) -> None:
        """Tell all programs, those that run and those that come."""
        self._serial += 1
        atom = self._display.intern_atom(PROPERTY)
        self._window.change_property(atom, atom, 8, encode_settings(settings, serial=self._serial))
        atoms = xlib("Xatom")
        self._display.screen().root.change_property(atoms.RESOURCE_MANAGER, atoms.STRING, 8, resources)
        self._display.flush()


def dconf_profile(folder: Path, *, config: Path, system: Path = Path("/etc/dconf/profile/user")) -> Path:
    """Write a profile with which programs read the person's settings and never change them.

    What they change goes to a database of its own, which lasts.

    Args:
        folder: where the profile is written.
        config: the folder of the person's configuration, where their database lies.
        system: the profile of this machine, whose other databases count, too.
    """
    try:
        others = [line for line in system.read_text(encoding="utf-8").splitlines() if line.startswith("system-db:")]
    except OSError:
        others = []
    profile = folder / "dconf-profile"
    own = ["user-db:demopack-desktop", f"file-db:{config / 'dconf' / 'user'}"]
    profile.write_text("\n".join([*own, *others, ""]), encoding="utf-8")
    return profile
