"""Desktop files as the menu of a recording desktop reads them, and programs that are opened anew."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from demopack.errors import BadInputError
from recorder.desktop.programs import ProgramEntry, find_program, installed_programs, open_program


def machine(folder: Path, *programs: str, **files: str) -> dict[str, str]:
    """An environment with these programs and these desktop files, underscores in a file's name standing for dots."""
    (folder / "bin").mkdir()
    (folder / "share" / "applications").mkdir(parents=True)
    for name in programs:
        (folder / "bin" / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (folder / "bin" / name).chmod(0o755)
    for name, lines in files.items():
        path = folder / "share" / "applications" / f"{name.replace('_', '.')}.desktop"
        path.write_text(f"[Desktop Entry]\nType=Application\n{lines}\n", encoding="utf-8")
    return {"PATH": str(folder / "bin"), "XDG_DATA_DIRS": str(folder / "share"), "HOME": str(folder)}


def test_what_the_menu_shows(tmp_path: Path) -> None:
    environ = machine(
        tmp_path, "editor", "calc", "top",
        org_Editor="Name=Text Editor\nName[de]=Texteditor\nName[de_AT]=Schreiberei\nExec=editor --new %U\nIcon=edit\n"
        "Keywords=write;note;\nCategories=Utility;\n[Desktop Action new]\nName=New Window\nExec=editor -w",
        calc="Name=Calculator\nExec=calc \"a b\" %f --name=%c\nComment=Count",
        top="Name=Processes\nExec=top\nTerminal=true",
        hidden="Name=Hidden\nExec=calc\nNoDisplay=true",
        gone="Name=Gone\nExec=nothing-of-this-name",
        tried="Name=Tried\nExec=calc\nTryExec=nothing-of-this-name",
        broken="Name=Broken\nExec=calc \"unclosed",
        link="Type=Link\nName=Page\nExec=calc",
    )  # fmt: skip
    (tmp_path / "share" / "applications" / "bytes.desktop").write_bytes(b"[Desktop Entry]\nName=\xff\n")
    calculator, processes, editor = installed_programs(environ)
    assert editor == ProgramEntry(
        id="org.Editor",
        name="Text Editor",
        command=("editor", "--new"),
        icon="edit",
        keywords=("write", "note"),
        categories=("Utility",),
    )
    assert calculator.command == ("calc", "a b", "--name=")
    assert calculator.comment == "Count"
    assert processes.terminal
    names = [installed_programs({**environ, "LANG": one})[-1].name for one in ("de_DE.UTF-8", "de_AT.UTF-8", "fr_FR")]
    assert names == ["Texteditor", "Schreiberei", "Text Editor"]


def test_a_persons_own_file_wins(tmp_path: Path) -> None:
    environ = machine(tmp_path, "calc", calc="Name=Calculator\nExec=calc")
    own = tmp_path / ".local" / "share" / "applications"
    own.mkdir(parents=True)
    (own / "calc.desktop").write_text("[Desktop Entry]\nType=Application\nHidden=true\n", encoding="utf-8")
    assert installed_programs(environ) == []


def test_a_program_is_found_as_a_person_names_it(tmp_path: Path) -> None:
    environ = machine(tmp_path, "gnome-editor", "bare", org_Editor="Name=Text Editor\nExec=gnome-editor")
    for name in ("text editor", "org.editor", "gnome-editor"):
        assert find_program(name, environ).id == "org.Editor"
    assert find_program("bare", environ).command == (str(tmp_path / "bin" / "bare"),)
    with pytest.raises(BadInputError, match="There is no program nothing"):
        find_program("nothing", environ)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    commands: list[list[str]] = []

    def start(command: list[str], **_: Any) -> object:
        commands.append(command)
        return object()

    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setenv("DEMOPACK_PROFILES", str(tmp_path / "profiles"))
    return commands


def test_one_that_insists_on_one_instance_gets_a_profile_of_its_own(
    tmp_path: Path, started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    environ = machine(tmp_path, "libreoffice", "firefox", "calc", "xterm")
    monkeypatch.setenv("PATH", environ["PATH"])
    entries = [
        ProgramEntry(id="writer", name="Writer", command=("libreoffice", "--writer")),
        ProgramEntry(id="firefox", name="Firefox", command=("firefox",)),
        ProgramEntry(id="calc", name="Calculator", command=("calc",)),
        ProgramEntry(id="shell", name="Shell", command=("calc",), terminal=True),
    ]
    for entry in entries:
        open_program(entry, ["file.odt"], environment=dict(os.environ))
    office, browser, plain, shell = started
    profiles = tmp_path / "profiles" / "desktop"
    assert office == ["libreoffice", "--writer", f"-env:UserInstallation=file://{profiles / 'libreoffice'}", "file.odt"]
    assert browser[1:] == ["--no-remote", "--profile", str(profiles / "firefox"), "file.odt"]
    assert plain == ["calc", "file.odt"]
    assert shell == [str(tmp_path / "bin" / "xterm"), "-e", "calc", "file.odt"]
    assert (profiles / "firefox").stat().st_mode & 0o777 == 0o700
