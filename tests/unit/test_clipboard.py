"""The prompt on the clipboard: by whichever program there is, and a sentence where there is none."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from demopack_cli.clipboard import ClipboardError, copy_programs, copy_text

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")
_TEXT = "Say “hello”\n世界\n"


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder for stand-ins, with ``cat`` beside them."""
    cat = shutil.which("cat")
    assert cat is not None
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "cat").symlink_to(cat)
    return tmp_path / "bin"


def stand_in(programs: Path, name: str, *, fails: bool = False) -> None:
    file = programs / name
    file.write_text(f'#!/bin/sh\ncat > "{programs}/{name}.took"\nexit {3 if fails else 0}\n')
    file.chmod(0o755)


def session(programs: Path, **more: str) -> dict[str, str]:
    return {"PATH": os.fspath(programs), **more}


@pytest.mark.parametrize(
    ("platform", "variables", "first"),
    [
        ("linux", {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "wl-copy"),
        ("linux", {"DISPLAY": ":0"}, "xclip"),
        ("darwin", {}, "pbcopy"),
        ("win32", {}, "clip"),
    ],
)
def test_the_program_of_the_session_is_taken(
    programs: Path, platform: str, variables: dict[str, str], first: str
) -> None:
    for name in ("wl-copy", "xclip", "xsel", "pbcopy", "clip"):
        stand_in(programs, name)
    assert copy_text(_TEXT, environment=session(programs, **variables), platform=platform) == first
    took = (programs / f"{first}.took").read_bytes()
    assert took.decode("utf-16" if platform == "win32" else "utf-8") == _TEXT
    assert [file.name for file in programs.glob("*.took")] == [f"{first}.took"]


def test_the_next_program_is_tried_where_one_fails_or_is_missing(programs: Path) -> None:
    stand_in(programs, "wl-copy", fails=True)
    stand_in(programs, "xsel")
    environment = session(programs, WAYLAND_DISPLAY="wayland-0", DISPLAY=":0")
    assert copy_text(_TEXT, environment=environment, platform="linux") == "xsel"


def test_without_a_screen_or_a_program_it_says_so_and_names_the_way_out(programs: Path) -> None:
    with pytest.raises(ClipboardError, match="has no screen") as caught:
        copy_text(_TEXT, environment=session(programs), platform="linux")
    assert "> prompt.txt" in caught.value.hint
    with pytest.raises(ClipboardError, match=r"no program .* is installed \(xclip or xsel\)"):
        copy_text(_TEXT, environment=session(programs, DISPLAY=":0"), platform="linux")
    stand_in(programs, "xclip", fails=True)
    with pytest.raises(ClipboardError, match="xclip: it ended with 3"):
        copy_text(_TEXT, environment=session(programs, DISPLAY=":0"), platform="linux")


def test_there_is_nothing_to_try_without_a_screen() -> None:
    assert copy_programs({}, "linux") == []
