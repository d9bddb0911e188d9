from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from demopack.atomic import write_bytes_atomic, write_text_atomic
from demopack.errors import DiskFullError


def test_a_file_is_written_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "new" / "file.txt"
    write_text_atomic(target, "é\n")
    write_text_atomic(target, "中\n")
    assert target.read_bytes() == "中\n".encode()
    assert [p.name for p in target.parent.iterdir()] == ["file.txt"]
    ordinary = tmp_path / "ordinary"
    ordinary.touch()
    assert target.stat().st_mode == ordinary.stat().st_mode


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    target = tmp_path / "file.bin"
    target.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFullError) as caught:
        write_bytes_atomic(target, b"new")
    assert str(tmp_path) in caught.value.user_message
    assert [p.name for p in tmp_path.iterdir()] == ["file.bin"]
    assert target.read_bytes() == b"old"


def test_other_errors_are_not_dressed_up(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(OSError, match="file"):
        write_text_atomic(tmp_path / "file" / "below", "y")
