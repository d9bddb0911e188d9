"""Libraries on real disks that fill up, go away, or may not be written: everything up to there opens."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from demopack.clock import utc_now
from demopack.domain.demos import DemoHead
from demopack.domain.frames import RgbImage
from demopack.errors import DemopackError, DiskFullError, LibraryError
from demopack.store import Library, Recording
from tests.support.store_demos import bytes_of, frame, record_typing, typed

pytestmark = pytest.mark.e2e


def mount(folder: Path, *options: str) -> None:
    """Mount something on a new folder, or skip the test."""
    folder.mkdir()
    try:
        done = subprocess.run(["mount", *options, str(folder)], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command to make a disk with")
    if done.returncode:
        pytest.skip(f"only root may mount a disk: {done.stderr.strip()}")


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    folder = tmp_path / "small"
    mount(folder, "-t", "tmpfs", "-o", "size=4m", "demopack-test")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def stick(tmp_path: Path) -> Generator[tuple[Path, Path]]:
    """A drive: where it is mounted, and what is on it (which can still be looked at when it has been pulled)."""
    content, folder = tmp_path / "content", tmp_path / "stick"
    content.mkdir()
    mount(folder, "--bind", str(content))
    yield folder, content
    subprocess.run(["umount", str(folder)], capture_output=True, check=False)


def big(seed: int) -> RgbImage:
    return np.random.default_rng(seed).integers(0, 255, (160, 240, 3), dtype=np.uint8)


def fill(recording: Recording) -> int:
    """Record steps until an error comes; returns how many were saved."""
    for number in range(1, 1000):
        try:
            shown = frame(recording.stage_image(big(number)))
            recording.append_step(typed(number, "x", before=shown))
        except DemopackError as error:
            raised.append(error)
            return number - 1
    return 1000


raised: list[DemopackError] = []


@pytest.fixture(autouse=True)
def nothing_raised() -> None:
    raised.clear()


def test_a_disk_that_fills_up(small_disk: Path) -> None:
    """The disk is as small as a disk can be, and stays full: not even the reason can be written down."""
    library = Library.open(small_disk / "library")
    with suppress(DiskFullError), library.begin_recording(DemoHead(id="demo_d", created_at=utc_now())) as recording:
        saved = fill(recording)
        assert isinstance(raised[0], DiskFullError)
        assert "everything saved so far is safe" in raised[0].user_message
        recording.finish(missing=f"The disk is full; {recording.lost()}")
    library.close()
    assert saved >= 3
    with Library.open(small_disk / "library", create=False) as again:
        head = again.demo("demo_d").head
        assert head.status in {"partial", "recording"}
        assert len(again.demo("demo_d").steps) == saved
        for number, shown in enumerate(again.demo("demo_d").frames(), start=1):
            assert (again.get_image(shown.id) == big(number)).all()


def test_a_full_disk_can_be_read_and_is_whole_again_with_some_room(small_disk: Path) -> None:
    folder = small_disk / "library"
    with Library.open(folder) as library:
        record_typing(library, ["a", "b"])
    ballast = small_disk / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(65536))
    with Library.open(folder, create=False) as library:
        assert len(library.demo("demo_t").steps) == 2
        for shown in library.demo("demo_t").frames():
            library.get_image(shown.id)
        with pytest.raises(DiskFullError):
            library.forget_steps("demo_t", ["step_1"])
        assert len(library.demo("demo_t").steps) == 2
    ballast.unlink()
    with Library.open(folder, create=False) as library:
        library.forget_steps("demo_t", ["step_1"])
        assert len(library.demo("demo_t").steps) == 1


def test_a_drive_that_is_pulled_out(stick: tuple[Path, Path]) -> None:
    drive, content = stick
    library = Library.open(drive / "library")
    with suppress(LibraryError), library.begin_recording(DemoHead(id="demo_d", created_at=utc_now())) as recording:
        for number in (1, 2, 3):
            recording.append_step(typed(number, "x", before=frame(recording.stage_image(big(number)))))
        subprocess.run(["umount", "-l", str(drive)], check=True)
        with pytest.raises(LibraryError, match="deleted or moved while it was open"):
            recording.append_step(typed(4, "x", before=frame(recording.stage_image(big(4)))))
        with pytest.raises(LibraryError, match="deleted or moved"):
            recording.finish(missing=f"The drive was removed; {recording.lost()}")
    library.close()
    assert list(drive.iterdir()) == [], "nothing was written into the empty folder"
    with Library.open(content / "library", create=False) as again:
        head = again.demo("demo_d").head
        assert head.status == "partial"
        assert head.missing.endswith("what was done after step 3 is missing.")
        for number, shown in enumerate(again.demo("demo_d").frames(), start=1):
            assert (again.get_image(shown.id) == big(number)).all()


def test_a_drive_that_may_only_be_read(stick: tuple[Path, Path]) -> None:
    drive, content = stick
    with Library.open(content / "library") as library:
        record_typing(library, ["a"])
    before = bytes_of(content)
    subprocess.run(["mount", "-o", "remount,bind,ro", str(drive)], check=True)
    with Library.open(drive / "library", create=False) as library:
        (summary,) = library.demos()
        for shown in library.demo(summary.head.id).frames():
            library.get_image(shown.id)
        with pytest.raises(LibraryError, match="cannot be written"):
            library.delete_demo("demo_t")
        with pytest.raises(LibraryError, match=r"cannot be written|could not be used|may not"):
            library.begin_recording(DemoHead(id="demo_n", created_at=utc_now()))
    assert bytes_of(content) == before


def test_a_crash_on_a_drive_that_is_then_only_read(stick: tuple[Path, Path]) -> None:
    """The last steps are in the log beside the database; they are not passed over."""
    drive, content = stick
    library = Library.open(content / "library")
    record_typing(library, ["a", "b"])
    subprocess.run(["mount", "-o", "remount,bind,ro", str(drive)], check=True)
    with Library.open(drive / "library", create=False) as reader:
        assert len(reader.demo("demo_t").steps) == 2
    library.close()
