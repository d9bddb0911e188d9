"""Settings of a session in the form of the XSETTINGS protocol, and their scale."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from recorder.desktop.appearance import (
    Settings,
    dconf_profile,
    decode_settings,
    encode_settings,
    scale_of,
    scaled_resources,
    scaled_settings,
)

SETTINGS: Settings = {
    "Net/ThemeName": "Adwaita-dark",
    "Xft/DPI": 98304,
    "Gtk/Colour": (1, 2, 3, 65535),
    "Gtk/Font": "ä",
}


def test_they_are_read_as_they_are_written() -> None:
    assert decode_settings(encode_settings(SETTINGS, serial=3)) == SETTINGS
    assert decode_settings(encode_settings({}, serial=1)) == {}


def test_those_of_a_manager_with_the_other_order_of_bytes() -> None:
    # One integer, as the protocol's text has it: type, unused, length, name, padding, serial, value.
    data = struct.pack(">BxxxII", 1, 7, 1) + struct.pack(">BxH", 0, 5) + b"A/One" + bytes(3) + struct.pack(">Ii", 7, -2)
    assert decode_settings(data) == {"A/One": -2}


@pytest.mark.parametrize(
    "data", [b"", b"\0\0\0\0", encode_settings(SETTINGS, serial=1)[:-6], b"\0" * 8 + b"\1\0\0\0\7"]
)
def test_what_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="XSETTINGS"):
        decode_settings(data)


@pytest.mark.parametrize(
    ("scale", "dpi", "factor", "unscaled"), [(1.0, 98304, 1, 98304), (1.5, 147456, 1, 147456), (2.0, 196608, 2, 98304)]
)
def test_another_scale(scale: float, dpi: int, factor: int, unscaled: int) -> None:
    settings = scaled_settings(SETTINGS, scale)
    resources = scaled_resources(b"Xcursor.theme: Ice\nXft.dpi:\t96\nXft.antialias: 1", scale)
    assert settings["Net/ThemeName"] == "Adwaita-dark"
    assert (settings["Xft/DPI"], settings["Gdk/WindowScalingFactor"], settings["Gdk/UnscaledDPI"]) == (
        dpi, factor, unscaled,
    )  # fmt: skip
    assert resources.splitlines() == [b"Xcursor.theme: Ice", b"Xft.antialias: 1", b"Xft.dpi:\t%d" % (96 * scale)]
    assert scale_of(settings, b"") == scale_of({}, resources) == scale
    assert scale_of({}, b"") == 1.0


def test_the_persons_settings_are_read_and_never_written(tmp_path: Path) -> None:
    system = tmp_path / "user"
    system.write_text("user-db:user\nsystem-db:site\n", encoding="utf-8")
    profile = dconf_profile(tmp_path, config=Path("/home/ana/.config"), system=system)
    assert profile.read_text(encoding="utf-8").splitlines() == [
        "user-db:demopack-desktop",
        "file-db:/home/ana/.config/dconf/user",
        "system-db:site",
    ]
