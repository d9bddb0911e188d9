"""``demopack doctor --report``: what helps is in it, and nothing that is private."""

from __future__ import annotations

import getpass
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from demopack import __version__
from demopack.store import Library
from demopack_cli.checks import Check
from demopack_cli.doctor_report import doctor_report
from demopack_cli.main import main

PRIVATE = ("zelda", "quux", "atreides", "acme", "merger", "topsecret", "hunter2", "203.0.113")


@pytest.fixture
def private_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of somebody with names everywhere."""
    home = tmp_path / "zelda.quux"
    library = home / "Clients" / "Acme merger"
    library.mkdir(parents=True)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("USER", "LOGNAME", "USERNAME", "LNAME"):
        monkeypatch.setenv(name, "zquux")
    monkeypatch.setattr(getpass, "getuser", lambda: "zquux")
    monkeypatch.setattr(socket, "gethostname", lambda: "atreides-laptop.local")
    monkeypatch.setenv("DEMOPACK_SETTINGS", str(home / "topsecret" / "settings.json"))
    monkeypatch.setenv("API_TOKEN", "hunter2hunter2")
    monkeypatch.setenv("SSH_CONNECTION", "203.0.113.7 51234 203.0.113.9 22")
    Library.open(library, create=True).close()
    return library


def private_values_in(text: str) -> list[str]:
    return [value for value in PRIVATE if value in text.lower()]


def test_a_report_holds_what_helps_and_nothing_private(private_place: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    done = CliRunner().invoke(main, ["doctor", "--library", str(private_place), "--report", str(file)])
    assert done.exit_code == 0, done.output
    text = file.read_text(encoding="utf-8")
    assert private_values_in(text) == []
    for wanted in ("[System]", "[Screens]", "[Libraries]", f"version {__version__}", "clock monotonic", "pynput "):
        assert wanted in text
    assert "ok: Library: 0 demos in <library>" in text
    assert "SSH_CONNECTION is set" in text
    printed = CliRunner().invoke(main, ["doctor", "--library", str(private_place), "--report", "-"])
    assert printed.output.startswith("[demopack]\n")


@pytest.mark.parametrize(
    "words",
    [
        "{home}/Desktop/acme merger/library.db cannot be read",
        "'{home}/topsecret.json': no such file",
        "The socket of zquux on ATREIDES-LAPTOP is closed",
        "write to zelda@quux.example",
        "{home} and {home}/acme",
    ],
)
def test_what_a_check_says_is_shortened(private_place: Path, words: str) -> None:
    check = Check(what="Screen", ok=False, found=words.format(home=Path.home()), mend=words.format(home=Path.home()))
    text = doctor_report([check], private_place)
    assert private_values_in(text) == []
    assert "FAIL: Screen: " in text


def test_paths_of_windows_are_shortened(private_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "C:\\Users\\Zelda Quux")
    found = "C:\\Users\\Zelda Quux\\acme\\x and c:/users/zelda quux/acme and 'C:\\\\Users\\\\Zelda Quux\\\\topsecret'"
    text = doctor_report([Check(what="Screen", ok=True, found=found)], private_place)
    assert private_values_in(text.partition("[Checks]")[2]) == []


def test_the_doctor_says_where_the_settings_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine" / "settings.json"
    monkeypatch.setenv("DEMOPACK_SETTINGS", str(path))
    arguments = ["doctor", "--library", str(tmp_path / "library")]
    assert f"Settings: defaults; what you change will be kept in {path}" in CliRunner().invoke(main, arguments).stdout
    path.parent.mkdir()
    path.write_text("{}", encoding="utf-8")
    assert f"Settings: {path}" in CliRunner().invoke(main, arguments).stdout
