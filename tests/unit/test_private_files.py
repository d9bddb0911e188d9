"""What holds a person's screens and texts is nobody else's to read; what is given away is."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from demopack.clock import utc_now
from demopack.domain.demos import DemoHead
from demopack.pack import export_pack
from demopack.settings import Settings, save_settings
from demopack.store import Library
from demopack_cli.checks import Check, _library
from models.language.usage_log import UsageLog
from models.vision.detection import DetectionCache
from tests.support.demos import tiny_demo

pytestmark = pytest.mark.skipif(os.name != "posix", reason="rights are another thing there")


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    old = os.umask(0o022)
    yield
    os.umask(old)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_library_is_private_with_everything_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "above" / "library"
    with Library.open(folder) as library:
        demo = library.demo(tiny_demo(library))
        with library.begin_recording(DemoHead(id="demo_r", created_at=utc_now())) as recording:
            UsageLog(folder).close()
            DetectionCache(folder / "cache", "finder").put(demo.frames()[0].id, [])
            found = {path.name: mode(path) for path in folder.rglob("*") if path.is_file()}
            recording.finish()
        assert {"library.db", "library.db-wal", "library.db-shm", "recording.lock", "language.db"} <= found.keys()
        assert set(found.values()) == {0o600}, found
        assert mode(folder) == 0o700
        assert mode(folder.parent) == 0o755, "others have their own things there"
        pack = tmp_path / "pack"
        export_pack(library, [demo.head.id], pack)
        assert mode(pack / "pack.json") == 0o644
    save_settings(Settings(), tmp_path / "settings.json")
    assert mode(tmp_path / "settings.json") == 0o600


def test_a_library_made_of_an_empty_file_is_private_too(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    file.touch()
    assert mode(file) == 0o644
    with Library.open(tmp_path) as library:
        tiny_demo(library)
        assert {mode(path) for path in tmp_path.iterdir()} == {0o600}
    file.chmod(0o640)
    with Library.open(tmp_path):
        assert mode(file) == 0o640, "what a person allowed later stays"


def private(folder: Path) -> Check:
    return next(check for check in _library(folder) if check.what == "Library is private")


def test_a_folder_that_is_there_keeps_its_rights_and_the_doctor_says_who_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    folder.mkdir(mode=0o755)
    with Library.open(folder):
        pass
    assert mode(folder) == 0o755
    assert mode(folder / "library.db") == 0o600
    assert private(folder).ok
    (folder / "library.db").chmod(0o644)
    told = private(folder)
    assert not told.ok
    assert told.optional
    assert "others" in told.found
    assert told.mend == f"chmod -R go-rwx {folder}"
    folder.chmod(0o700)
    assert private(folder).ok
