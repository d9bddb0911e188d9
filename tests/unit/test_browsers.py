"""How browsers are started so that they tell: their switches, and a profile of their own; programs are scripts here."""

from __future__ import annotations

from pathlib import Path

import pytest

from recorder.browsers import launch, title_of

_TELLS = """#!/bin/sh
{
  for word in "$@"; do echo "$word"; done
  echo "flags $QTWEBENGINE_CHROMIUM_FLAGS"
  echo "config $XDG_CONFIG_HOME"
} > "$TOLD"
"""


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder of programs."""
    for name in ("chromium", "firefox", "falkon", "qutebrowser", "Demo Chat"):
        program = tmp_path / name
        program.write_text(_TELLS, encoding="utf-8")
        program.chmod(0o755)
    return tmp_path


def started(machine: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> list[str]:
    """What a program was given."""
    monkeypatch.setenv("PATH", str(machine), prepend=":")
    told = machine / "told.txt"
    environment = {"TOLD": str(told), "PATH": f"{machine}:/usr/bin:/bin", "XDG_CONFIG_HOME": "/mine"}
    process = launch(program, ["page.html"], profiles=machine / "profiles", environment=environment)
    assert process.wait(20) == 0
    return told.read_text(encoding="utf-8").splitlines()


def test_each_kind_has_its_switches_and_a_profile_of_its_own(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profiles = machine / "profiles"
    chromium = started(machine, monkeypatch, "chromium")
    assert {f"--user-data-dir={profiles / 'chromium'}", "--force-renderer-accessibility", "page.html"} <= {*chromium}
    firefox = started(machine, monkeypatch, "firefox")
    assert firefox[:4] == ["--no-remote", "--profile", str(profiles / "firefox"), "page.html"]
    assert "config /mine" in firefox
    falkon = started(machine, monkeypatch, "falkon")
    assert falkon[:2] == ["--no-remote", "page.html"]
    assert falkon[2].startswith("flags --force-renderer-accessibility")
    assert falkon[3] == f"config {profiles / 'falkon'}"
    qutebrowser = started(machine, monkeypatch, "qutebrowser")
    assert qutebrowser[:3] == ["--basedir", str(profiles / "qutebrowser"), "page.html"]
    other = started(machine, monkeypatch, str(machine / "Demo Chat"))
    assert {f"--user-data-dir={profiles / 'Demo Chat'}", "--force-renderer-accessibility"} <= {*other}
    assert all((profiles / name).is_dir() for name in ("chromium", "falkon", "Demo Chat"))


def test_what_is_known_by_name_has_a_title() -> None:
    assert [title_of(name) for name in ("chrome", "/opt/Demo Chat")] == ["Chrome", "Demo Chat"]
