"""What is written onto an older folder replaces what it wrote itself, wholly or not at all, and nothing else."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

from demopack import replacing
from demopack.codecs.sets.base import ExportOptions
from demopack.codecs.sets.catalogue import exporter
from demopack.errors import BadInputError
from demopack.pack import check_pack, export_pack
from demopack.pack.check.fix import fix_pack
from demopack.pack.export import export_formats
from demopack.store import Library
from tests.support.many_demos import small_demo

ROOT = Path(__file__).parents[2]


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, links as what they say, folders with nothing in them as such."""
    found: dict[str, bytes] = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = os.fsencode(path.readlink())
        elif path.is_file():
            found[name] = path.read_bytes()
        elif not path.is_dir():
            found[name] = b"special"
        elif not any(path.iterdir()):
            found[f"{name}/"] = b""
    return found


def own_things(folder: Path) -> dict[str, bytes]:
    """What a person may keep beside a pack."""
    before = tree(folder)
    (folder / ".git" / "objects" / "ab").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "objects" / "ab" / "cd").write_bytes(b"\x00blob")
    (folder / ".git" / "objects" / "ab" / "cd").chmod(0o444)
    (folder / ".git" / "empty").mkdir()
    (folder / "my-notes é.txt").write_text("do not lose me")
    (folder / "frames" / "seen.txt").write_text("these I have looked at")
    (folder / "frames" / "mine.png").write_bytes(b"a picture of my own")
    (folder / "latest").symlink_to("frames")
    os.mkfifo(folder / "pipe")
    return {name: data for name, data in tree(folder).items() if name not in before}


@pytest.fixture
def library(tmp_path: Path) -> Library:
    with Library.open(tmp_path / "library") as opened:
        small_demo(opened, 1)
        small_demo(opened, 2)
        yield opened


FIRST, SECOND = "demo_0000000001", "demo_0000000002"


def test_an_export_onto_a_pack_replaces_the_packs_own_files_and_no_others(library: Library, tmp_path: Path) -> None:
    out = tmp_path / "pack"
    export_pack(library, [FIRST], out, licence="MIT")
    mine = own_things(out)
    node = (out / ".git" / "HEAD").stat().st_ino
    export_pack(library, [SECOND], out, licence="MIT")
    export_pack(library, [SECOND], tmp_path / "alone", licence="MIT")
    alone = tree(tmp_path / "alone")
    found = tree(out)
    assert found.keys() == alone.keys() | mine.keys()
    assert {name: found[name] for name in mine} == mine
    assert (out / ".git" / "HEAD").stat().st_ino == node, "nothing was copied that can be linked"
    assert stat.S_IMODE((out / ".git" / "objects" / "ab" / "cd").stat().st_mode) == 0o444
    told = {(finding.rule, finding.file) for finding in check_pack(out)}
    assert told - {("I04", "frames/mine.png"), ("I03", "frames/mine.png")} == {
        ("I05", name) for name in (".git", "frames/seen.txt", "my-notes é.txt", "pipe")
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alone", "library", "pack"]


def test_mending_a_pack_leaves_the_rest_of_the_folder_alone(library: Library, tmp_path: Path) -> None:
    out = tmp_path / "pack"
    export_pack(library, [FIRST], out, licence="MIT")
    mine = own_things(out)
    (out / "frames" / FIRST / "0999.png").write_bytes((out / "frames" / FIRST / "0001.png").read_bytes())
    assert len(fix_pack(out)) == 2
    found = tree(out)
    del mine["frames/mine.png"]  # a picture among the pack's pictures that no demo uses
    assert {name: found[name] for name in mine} == mine
    assert "frames/mine.png" not in found
    assert f"frames/{FIRST}/0999.png" not in found, "a picture that was left out on purpose is not brought along"


def test_another_format_written_anew_leaves_the_rest_of_the_folder_alone(library: Library, tmp_path: Path) -> None:
    out = tmp_path / "set"
    for demo in (FIRST, SECOND):
        export_pack(library, [demo], tmp_path / demo)
        export_formats([tmp_path / demo], [exporter("coco")], out, options=ExportOptions())
        if demo == FIRST:
            (out / "frames").mkdir(exist_ok=True)
            (out / "frames" / "seen.txt").write_text("seen")
            (out / ".git").mkdir()
            (out / ".git" / "HEAD").write_text("ref")
    found = tree(out)
    assert (found["frames/seen.txt"], found[".git/HEAD"]) == (b"seen", b"ref")
    assert not [name for name in found if FIRST in name]


@pytest.mark.parametrize("manifest", [b"{}", b'{"format": "npm", "files": []}', b'{"format": "demopack"}', b"\xff"])
def test_a_folder_whose_manifest_does_not_tell_its_files_is_left_alone(
    library: Library, tmp_path: Path, manifest: bytes
) -> None:
    out = tmp_path / "pack"
    out.mkdir()
    (out / "pack.json").write_bytes(manifest)
    with pytest.raises(BadInputError, match="left as it is"):
        export_pack(library, [FIRST], out)
    assert tree(out) == {"pack.json": manifest}


def test_a_file_of_somebody_else_in_the_way_is_named_and_nothing_is_changed(library: Library, tmp_path: Path) -> None:
    out = tmp_path / "pack"
    export_pack(library, [FIRST], out)
    (out / "frames" / SECOND).mkdir()
    (out / "frames" / SECOND / "notes").mkdir()
    (out / "frames" / SECOND / "0001.txt").write_text("mine")
    (out / "media").rename(tmp_path / "media")
    (out / "media").write_text("mine, too")
    before = tree(out)
    with pytest.raises(BadInputError, match=r"media lies in .* nothing was changed"):
        export_pack(library, [SECOND], out)
    assert tree(out) == before


def test_a_pack_behind_a_link_is_replaced_where_it_lies(library: Library, tmp_path: Path) -> None:
    export_pack(library, [FIRST], tmp_path / "real")
    (tmp_path / "pack").symlink_to("real")
    export_pack(library, [SECOND], tmp_path / "pack")
    assert (tmp_path / "pack").is_symlink()
    assert (tmp_path / "real" / "frames" / SECOND).is_dir()


# Killed -------------------------------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from pathlib import Path
from demopack import replacing

def die(*_args, **_more):
    os.kill(os.getpid(), signal.SIGKILL)

moment, target = sys.argv[1], Path(sys.argv[2])
if moment == "linking":
    replacing._link = die
elif moment == "before":
    replacing._exchange = die
elif moment == "after":
    replacing.sync_folder = die
elif moment == "between":
    replacing._exchange = lambda *_: False
    rename = Path.rename
    def renamed(self, to):
        if self.name == "new":
            die()
        return rename(self, to)
    Path.rename = renamed
elif moment == "late":
    replacing._save_late = die
with replacing.made_beside(target) as work:
    new = work / "new"
    new.mkdir()
    (new / "own").write_text("new")
    if moment == "working":
        die()
    replacing.put_in_place(new, target, work, is_own=lambda name: name == "own")
"""


def write(target: Path, text: str) -> None:
    with replacing.made_beside(target) as work:
        (work / "new").mkdir()
        (work / "new" / "own").write_text(text)
        replacing.put_in_place(work / "new", target, work, is_own=lambda name: name == "own")


@pytest.mark.parametrize("moment", ["working", "linking", "before", "between", "after", "late"])
def test_a_killed_program_leaves_the_old_or_the_new_and_the_next_one_clears_up(tmp_path: Path, moment: str) -> None:
    target = tmp_path / "pack"
    write(target, "old")
    (target / ".git").mkdir()
    (target / ".git" / "HEAD").write_text("ref")
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED), moment, target], cwd=ROOT, check=False)
    assert run.returncode == -9
    if moment != "between":
        state = "new" if moment in {"after", "late"} else "old"
        assert tree(target) == {"own": state.encode(), ".git/HEAD": b"ref"}
    assert len(list(tmp_path.iterdir())) == (1 if moment == "between" else 2), "what was left is beside it"
    write(target, "newer")
    assert tree(target) == {"own": b"newer", ".git/HEAD": b"ref"}
    assert [path.name for path in tmp_path.iterdir()] == ["pack"]


def test_what_somebody_is_working_on_is_not_cleared_up(tmp_path: Path) -> None:
    with replacing.made_beside(tmp_path / "pack") as first, replacing.made_beside(tmp_path / "pack") as second:
        assert first != second
        assert first.is_dir()


SCRATCH = """
import os, signal
from demopack.replacing import scratch_folder

with scratch_folder() as folder:
    (folder / "home" / "ann").mkdir(parents=True)
    (folder / "home" / "ann" / "secret").write_text("x")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files, for this process and those that it starts."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_temporary_folders_of_killed_programs_are_cleared_up_and_those_of_living_ones_stay(temporary: Path) -> None:
    with replacing.scratch_folder() as living:
        for _ in range(2):
            assert subprocess.run([sys.executable, "-c", SCRATCH], cwd=ROOT, check=False).returncode == -9
        left = [path for path in temporary.iterdir() if path != living]
        assert len(left) == 1, "the second one cleared up after the first"
        assert (left[0] / "home" / "ann" / "secret").is_file()
        with replacing.scratch_folder() as mine:
            assert set(temporary.iterdir()) == {living, mine}
            assert stat.S_IMODE(mine.stat().st_mode) == 0o700
    assert list(temporary.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_what_only_looks_like_a_temporary_folder_of_ours_is_left(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(folder: Path) -> Path:
        folder.mkdir()
        (folder / "owner.lock").touch()
        return folder

    (temporary / ".demopack.0a.demopack").symlink_to(made(temporary / "mine"))
    made(temporary / ".demopacks.0b.demopack")
    (temporary / ".demopack.0c.demopack").mkdir()
    (temporary / ".demopack.0d.demopack").write_text("mine")
    (temporary / "demopack-mine").mkdir()
    there = tree(temporary)
    with replacing.scratch_folder():
        pass
    assert tree(temporary) == there
    made(temporary / ".demopack.0e.demopack")
    there = tree(temporary)
    monkeypatch.setattr(os, "getuid", lambda: temporary.stat().st_uid + 1)
    with replacing.scratch_folder():
        pass
    assert tree(temporary) == there, "it is another user's"


def test_what_others_left_with_such_a_name_stays(tmp_path: Path) -> None:
    (tmp_path / ".pack.mine.demopack").mkdir()
    (tmp_path / ".pack.old").mkdir()
    (tmp_path / ".pack.file.demopack").write_text("mine")
    write(tmp_path / "pack", "new")
    assert len(list(tmp_path.iterdir())) == 4


def test_what_is_put_there_at_the_last_moment_is_brought_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "pack"
    write(target, "old")
    exchange = replacing._exchange

    def late(one: Path, other: Path) -> bool:
        (other / "late.txt").write_text("just now")
        return exchange(one, other)

    monkeypatch.setattr(replacing, "_exchange", late)
    write(target, "new")
    assert tree(target) == {"own": b"new", "late.txt": b"just now"}


def test_where_names_cannot_be_exchanged_the_folder_is_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "pack"
    write(target, "old")
    (target / "mine").write_text("mine")
    monkeypatch.setattr(replacing, "_exchange", lambda *_: False)
    write(target, "new")
    assert tree(target) == {"own": b"new", "mine": b"mine"}
