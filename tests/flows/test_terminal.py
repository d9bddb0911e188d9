"""What somebody else wrote is shown on a terminal as text: it neither steers it nor reads as something else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from demopack.pack import export_pack
from demopack.store import Library
from demopack_cli import main as main_module
from demopack_cli.main import main
from demopack_cli.options import plain
from tests.support.many_demos import small_demo
from tests.support.packs import PackFolder

EVIL = "pay \u202etxt.exe\u202c \x1b[31mred\x1b]0;title\x07 \x9b2J \u2066x [/bold] [link=x]"
SHOWN = r"pay \u202etxt.exe\u202c \x1b[31mred\x1b]0;title\x07 \x9b2J \u2066x [/bold] [link=x]"
STEERING = ("\x1b", "\x07", "\x9b", "\u202e", "\u202c", "\u2066")


def run(*args: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)
    for sign in STEERING:
        assert sign not in result.output, f"{sign!r} after {args}"
    return result


@pytest.fixture
def library(tmp_path: Path) -> Path:
    with Library.open(tmp_path / "library") as opened:
        small_demo(opened, 1, task=EVIL, app=EVIL)
        export_pack(opened, ["demo_0000000001"], tmp_path / "pack", licence="MIT")
    return tmp_path / "library"


def test_signs_that_steer_are_shown_by_name_and_all_others_stay() -> None:
    assert plain(EVIL) == SHOWN
    assert plain("a\tb\nשל \u200f日本 é \U0001f600") == "a\tb\nשל \u200f日本 é \U0001f600"
    assert plain("half \ud83d") == r"half \ud83d"


def test_no_command_prints_them(library: Path, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    assert SHOWN in run("list", "--library", library).output
    assert SHOWN in run("show", "last", "--library", library).output
    run("export", "last", "-o", tmp_path / "again", "--library", library)
    run("import", pack, "--library", tmp_path / "other")
    run("pack", "stats", pack)
    run("replay", "last", "--dry-run", "--library", library)
    run("redact", "last", "--library", library)
    run("repair", "--library", library)
    listed = json.loads(run("list", "--json", "--library", library).output)
    assert listed[0]["head"]["task"] == EVIL, "a program reads the same"
    PackFolder(pack).edit_row("steps", 0, lambda row: row.update(image_size=EVIL))
    PackFolder(pack).edit_row("elements", 0, lambda row: row.update(source=EVIL))
    assert run("check", pack).exit_code == 1


def test_no_error_prints_them(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["demopack", "check", EVIL])
    with pytest.raises(SystemExit):
        main_module.run()
    said = capsys.readouterr().err
    assert SHOWN in said
    assert not any(sign in said for sign in STEERING)


def test_a_task_with_brackets_is_no_markup_of_the_table(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a terminal; there the list is a table of a library that knows markup."""
    monkeypatch.setattr("demopack_cli.list_demos._is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    assert "[/bold]" in run("list", "--library", library).output
