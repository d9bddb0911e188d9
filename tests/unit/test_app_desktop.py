"""In which sessions the app can record nothing but a desktop of its own."""

from __future__ import annotations

import sys

import pytest

from annotator.app_desktop import needs_desktop


@pytest.mark.parametrize(
    ("platform", "environ", "needed"),
    [
        ("linux", {"DISPLAY": ":0"}, False),
        ("linux", {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"}, True),
        ("linux", {"DISPLAY": ":0", "XDG_SESSION_TYPE": "x11"}, False),
        ("win32", {}, False),
        ("darwin", {"XDG_SESSION_TYPE": "wayland"}, False),
    ],
)
def test_a_desktop_is_needed_on_wayland_alone(
    monkeypatch: pytest.MonkeyPatch, platform: str, environ: dict[str, str], needed: bool
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert needs_desktop(environ) is needed
