"""Which X server a recording desktop gets, by what is installed and what kind of session it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from demopack.errors import CaptureError
from recorder.desktop.servers import choose_server

WAYLAND = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}


def installed(folder: Path, **versions: str) -> dict[str, str]:
    """A ``PATH`` with these programs, each of which tells its version as the real one does."""
    folder.mkdir(exist_ok=True)
    for name, version in versions.items():
        program = folder / name
        program.write_text(
            f"#!/bin/sh\necho 'The X.Org Foundation {name} Version {version} (1)' >&2\n", encoding="utf-8"
        )
        program.chmod(0o755)
    return {"PATH": str(folder)}


@pytest.mark.parametrize(
    ("session", "versions", "chosen"),
    [
        (WAYLAND, {"Xwayland": "24.1.6", "Xephyr": "21.1.7"}, "xwayland"),
        (WAYLAND, {"Xwayland": "23.1.0", "Xephyr": "21.1.7"}, "xwayland"),
        (WAYLAND, {"Xwayland": "22.1.9", "Xephyr": "21.1.7"}, "xephyr"),
        (WAYLAND, {"Xephyr": "21.1.7"}, "xephyr"),
        ({"DISPLAY": ":0"}, {"Xwayland": "24.1.6", "Xephyr": "21.1.7"}, "xephyr"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, {"Xwayland": "24.1.6"}, "xwayland"),
    ],
)
def test_the_best_one_is_chosen(tmp_path: Path, session: dict[str, str], versions: dict[str, str], chosen: str) -> None:
    server = choose_server(environ={**session, **installed(tmp_path, **versions)})
    assert server.name == chosen
    assert server.has_keyboard is (chosen == "xwayland")


@pytest.mark.parametrize(
    ("session", "versions", "why"),
    [
        ({}, {"Xephyr": "21.1.7"}, "There is no screen"),
        (WAYLAND, {}, "Xwayland is not installed; Xephyr is not installed"),
        (
            {"WAYLAND_DISPLAY": "wayland-0"},
            {"Xwayland": "22.1.9", "Xephyr": "21.1.7"},
            "22.1 is older than 23.1; Xephyr",
        ),
        ({"DISPLAY": ":0"}, {"Xwayland": "24.1.6"}, "Xwayland needs a Wayland session; Xephyr is not installed"),
    ],
)
def test_where_there_is_none_it_is_said_why(
    tmp_path: Path, session: dict[str, str], versions: dict[str, str], why: str
) -> None:
    with pytest.raises(CaptureError, match=why) as caught:
        choose_server(environ={**session, **installed(tmp_path, **versions)})
    assert caught.value.hint


def test_only_the_one_that_is_wanted(tmp_path: Path) -> None:
    both = {**WAYLAND, **installed(tmp_path, Xwayland="24.1.6", Xephyr="21.1.7")}
    assert choose_server(wanted="xephyr", environ=both).name == "xephyr"
    with pytest.raises(CaptureError, match="Xwayland is not installed"):
        choose_server(wanted="xwayland", environ={**WAYLAND, **installed(tmp_path / "other", Xephyr="21.1.7")})
