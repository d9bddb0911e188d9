"""Programs that a person can open: the desktop entries of this machine, and one started anew in a desktop."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from demopack.atomic import make_private_folder
from demopack.errors import BadInputError
from demopack.settings import profiles_folder
from recorder.browsers import BROWSERS, launch

_DATA_FOLDERS: Final = "/usr/local/share:/usr/share"
_FIELD_CODE: Final = re.compile(r"%[a-zA-Z]")
_TERMINALS: Final = ("xdg-terminal-exec", "x-terminal-emulator", "gnome-terminal", "konsole", "xfce4-terminal", "xterm")
# Programs of one instance for each profile, and how they are given another profile; {profile} is a folder.
_OWN_PROFILE: Final = {
    "libreoffice": ("-env:UserInstallation=file://{profile}",),
    "soffice": ("-env:UserInstallation=file://{profile}",),
    "thunderbird": ("--no-remote", "--profile", "{profile}"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramEntry:
    """A program as its desktop file describes it.

    Attributes:
        id: the file's name without its ending, for instance ``org.gnome.TextEditor``.
        name: as a person calls it, in their language.
        command: with its arguments; without those that stand for files.
        comment: what it is for; may be empty.
        icon: name in the icon theme, or a path; may be empty.
        keywords: other words by which it is found.
        categories: of the menu.
        terminal: whether it runs in a terminal.
    """

    id: str
    name: str
    command: tuple[str, ...]
    comment: str = ""
    icon: str = ""
    keywords: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    terminal: bool = False

    @property
    def program(self) -> str:
        """The name of its executable."""
        return Path(self.command[0]).name


def installed_programs(environ: Mapping[str, str] = os.environ) -> list[ProgramEntry]:
    """What the menu of a desktop shows, by name; a person's own files win over the machine's."""
    found: dict[str, ProgramEntry | None] = {}
    for folder in _application_folders(environ):
        for path in sorted(folder.rglob("*.desktop")):
            name = str(path.relative_to(folder)).removesuffix(".desktop").replace(os.sep, "-")
            if name not in found:
                found[name] = read_entry(path, name, environ)
    return sorted((entry for entry in found.values() if entry is not None), key=lambda entry: entry.name.casefold())


def _application_folders(environ: Mapping[str, str]) -> Iterator[Path]:
    home = environ.get("XDG_DATA_HOME") or str(Path(environ.get("HOME", "/")) / ".local" / "share")
    for base in (home, *(environ.get("XDG_DATA_DIRS") or _DATA_FOLDERS).split(":")):
        folder = Path(base) / "applications"
        if base and folder.is_dir():
            yield folder


def read_entry(path: Path, name: str, environ: Mapping[str, str] = os.environ) -> ProgramEntry | None:
    """One desktop file; None where it is hidden, damaged, or its program is not there."""
    parser = configparser.RawConfigParser(strict=False, interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    setattr(parser, "optionxform", str)  # noqa: B010 - keys differ by case; the type of an attribute that is a method
    try:
        parser.read_string(path.read_text(encoding="utf-8"))
        entry = parser[parser.sections()[0]]  # the program itself; then come its further actions
        command = _command_of(entry.get("Exec", ""))
    except (OSError, UnicodeDecodeError, configparser.Error, IndexError, ValueError):
        return None
    if entry.get("Type") != "Application" or not command:
        return None
    if any(entry.get(key, "false").lower() == "true" for key in ("NoDisplay", "Hidden")):
        return None
    search = environ.get("PATH")
    if any(shutil.which(program, path=search) is None for program in (command[0], entry.get("TryExec") or command[0])):
        return None
    return ProgramEntry(
        id=name,
        name=_in_language(entry, "Name", environ) or name,
        command=tuple(command),
        comment=_in_language(entry, "Comment", environ),
        icon=entry.get("Icon", ""),
        keywords=_words(_in_language(entry, "Keywords", environ)),
        categories=_words(entry.get("Categories", "")),
        terminal=entry.get("Terminal", "false").lower() == "true",
    )


def _command_of(line: str) -> list[str]:
    """The words of an ``Exec`` line, without what stands for files, icons and the like."""
    # A backslash is written twice in the file: once for its own escapes, once for those within quotation marks.
    words = shlex.split(line.replace("\\\\", "\\"))
    return [_FIELD_CODE.sub("", word).replace("%%", "%") for word in words if not _FIELD_CODE.fullmatch(word)]


def _in_language(entry: configparser.SectionProxy, key: str, environ: Mapping[str, str]) -> str:
    language = next((found for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (found := environ.get(name))), "")
    full = language.partition(".")[0]
    for tag in (full, full.partition("_")[0]):
        if tag and f"{key}[{tag}]" in entry:
            return entry[f"{key}[{tag}]"]
    return entry.get(key, "")


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split(";") if word)


def find_program(name: str, environ: Mapping[str, str] = os.environ) -> ProgramEntry:
    """The program that a person means: by its executable, its desktop file, or its name in the menu.

    Raises:
        BadInputError: there is none.
    """
    wanted, entries = name.casefold(), installed_programs(environ)
    for known in (
        [entry for entry in entries if wanted in {entry.id.casefold(), entry.name.casefold()}],
        [entry for entry in entries if entry.program.casefold() == wanted],
    ):
        if known:
            return known[0]
    path = shutil.which(name, path=environ.get("PATH"))
    if path is None:
        raise BadInputError(
            f"There is no program {name}.", hint="Give the name of its command, or its name in the menu of programs."
        )
    return ProgramEntry(id=Path(path).name, name=Path(path).name, command=(path,))


def open_program(
    entry: ProgramEntry, arguments: Sequence[str] = (), *, environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """Start a program anew; it outlives us.

    One that would only raise its window in the session, because it runs there already, gets a profile of its own.

    Args:
        entry: the program.
        arguments: of its own, for instance a file.
        environment: of a recording desktop.

    Raises:
        BadInputError: it cannot be started.
    """
    browser = next((name for name, one in BROWSERS.items() if entry.program in one.programs), None)
    profiles = profiles_folder() / "desktop"
    if browser is not None:
        return launch(browser, arguments, profiles=profiles, environment=dict(environment))
    command = [*entry.command, *_profile_options(entry.program, profiles), *arguments]
    if entry.terminal:
        command = [*_terminal(environment), *command]
    try:
        return subprocess.Popen(
            command,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise BadInputError(f"{entry.name} cannot be started: {error.strerror}.") from error


def _profile_options(program: str, profiles: Path) -> list[str]:
    options = _OWN_PROFILE.get(program)
    if options is None:
        return []
    profile = profiles / program
    make_private_folder(profile)
    return [option.format(profile=profile) for option in options]


def _terminal(environment: Mapping[str, str]) -> list[str]:
    for name in _TERMINALS:
        path = shutil.which(name, path=environment.get("PATH"))
        if path is not None:
            return [path] if name == "xdg-terminal-exec" else [path, "--" if name == "gnome-terminal" else "-e"]
    raise BadInputError("No terminal is installed to run it in.", hint="Install xterm.")
