"""Bad input through the real command line: one clear sentence with the way out, the right exit code, nothing lost."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from demopack.store import Library
from tests.support.demos import sample_demo

# To root no file is locked; without its capabilities root is a user like any other.
_AS_USER = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []

pytestmark = pytest.mark.e2e

needs_rights = pytest.mark.skipif(
    os.name != "posix" or (bool(_AS_USER) and shutil.which("setpriv") is None),
    reason="locking a file from root needs setpriv",
)


def demopack(*arguments: str | Path, as_user: bool = False, **environment: str) -> tuple[int, str, str]:
    """Exit code, output and errors of the command, without a screen."""
    kept = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"}}
    done = subprocess.run(
        [*(_AS_USER if as_user else []), sys.executable, "-m", "demopack", *map(str, arguments)],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def said(outcome: tuple[int, str, str], *words: str, code: int = 1) -> None:
    """It ended with one line that holds these words, and with this code."""
    assert outcome[0] == code, outcome
    (line,) = outcome[2].splitlines()
    assert line.startswith("demopack: ")
    for word in words:
        assert re.search(word, line), line


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder; the lock and SQLite's own helpers are left out."""
    files = (path for path in folder.rglob("*") if path.is_file())
    own = ("recording.lock", "library.db-shm", "library.db-wal")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files if path.name not in own}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "library"
    with Library.open(folder) as library:
        sample_demo(library)
    return folder


@pytest.fixture
def folder(sample: Path, tmp_path: Path) -> Path:
    """A library of the test's own."""
    return Path(shutil.copytree(sample, tmp_path / "library"))


def _other_files(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "letter.txt").write_text("Dear Ada", encoding="utf-8")


def _a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("not a folder", encoding="utf-8")


def _not_a_database(folder: Path) -> None:
    (folder / "library.db").write_text("no database " * 200, encoding="utf-8")


def _cut_off(folder: Path) -> None:
    os.truncate(folder / "library.db", (folder / "library.db").stat().st_size // 2)


def _other_database(folder: Path) -> None:
    (folder / "library.db").unlink()
    other = sqlite3.connect(folder / "library.db")
    other.execute("CREATE TABLE songs (title)")
    other.commit()
    other.close()


def _from_the_future(folder: Path) -> None:
    newer = sqlite3.connect(folder / "library.db")
    newer.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
    newer.commit()
    newer.close()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_other_files, ["holds other files", "(Choose|Name) an(other| empty)"]),
        (_a_file, ["is a file, not a library", "--library"]),
        (_not_a_database, ["is damaged or is not a demopack library", "--library"]),
        (_cut_off, ["is damaged", "demopack repair"]),
        (_other_database, ["not a demopack library", "Choose another"]),
        (_from_the_future, ["newer demopack", "Update"]),
    ],
)
@pytest.mark.parametrize(
    "arguments",
    [["list"], ["export", "last", "-o", "pack"], ["record", "--task", "x"], ["annotate"]],
    ids=lambda a: a[0],
)
def test_a_library_that_is_not_one(
    folder: Path,
    spoil: Callable[[Path], None],
    words: list[str],
    arguments: Sequence[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder.parent)
    spoil(folder)
    before = content(folder.parent)
    said(demopack(*arguments, "--library", folder, QT_QPA_PLATFORM="offscreen"), *words)
    assert content(folder.parent) == before


def test_the_exit_code_of_a_command_reaches_the_shell(tmp_path: Path) -> None:
    code, out, err = demopack("doctor", "--library", tmp_path / "library")
    assert (code, err) == (1, "")
    assert "FAIL Screen" in out
    assert demopack("check", tmp_path)[0] == 1
    assert demopack("check")[0] == 2
    assert demopack("list", "--colour")[0] == 2
    assert demopack("--help")[0] == 0


@needs_rights
@pytest.mark.parametrize(
    ("mode", "arguments"),
    [
        (0o000, ["list"]), (0o000, ["export", "last", "-o", "pack"]),
        (0o000, ["rationale", "last", "--overwrite"]), (0o000, ["record", "--task", "x"]),
        (0o555, ["rationale", "last", "--overwrite"]),
    ],
    ids=str,
)  # fmt: skip
def test_a_library_without_the_rights(
    folder: Path, arguments: Sequence[str], mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    before = content(folder.parent)
    (folder / "library.db").chmod(0o444)
    folder.chmod(mode)
    try:
        outcome = demopack(*arguments, "--library", folder, as_user=True)
    finally:
        folder.chmod(0o755)
    said(outcome, str(folder), "cannot be written|may not be read or written", "permissions", "--library")
    assert content(folder.parent) == before


@needs_rights
def test_a_library_that_may_only_be_read_can_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    before = content(folder)
    (folder / "library.db").chmod(0o444)
    folder.chmod(0o555)
    try:
        for arguments in (["list"], ["show", "last"], ["export", "last", "-o", "pack"]):
            code, out, err = demopack(*arguments, "--library", folder, as_user=True)
            assert (code, err) == (0, ""), arguments
            assert out
    finally:
        folder.chmod(0o755)
    assert content(folder) == before
    assert demopack("check", "pack")[0] == 0


@needs_rights
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["record", "--task", "x", "--library", "locked/library"], "library folder locked/library cannot be made"),
        (["export", "last", "-o", "locked/pack", "--library", "library"], "nothing was changed"),
        (["export", "last", "-o", "locked/pack.zip", "--library", "library"], "nothing was changed"),
        (["quickstart", "--out", "locked/first"], "locked/first may not be .*name another place"),
    ],
)
def test_a_place_that_may_not_be_written(
    folder: Path, arguments: Sequence[str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    locked = folder.parent / "locked"
    locked.mkdir(mode=0o555)
    said(demopack(*arguments, as_user=True), words, "ermissions")
    assert not list(locked.iterdir())


@needs_rights
def test_the_doctor_sees_that_no_library_can_be_made(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    _, out, _ = demopack("doctor", "--library", locked / "library", as_user=True)
    assert re.search(r"FAIL Library: .* cannot be made: .*locked may not be written", out)
