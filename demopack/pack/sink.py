"""Writes the files of a pack into a folder or a zip, and remembers what was written."""

from __future__ import annotations

import contextlib
import hashlib
import os
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Collection, Generator, Iterable
from pathlib import Path
from typing import IO, Final

from demopack.atomic import disk_errors
from demopack.errors import BadInputError
from demopack.file_names import is_safe
from demopack.json_lines import parse_object
from demopack.json_text import as_rows
from demopack.pack.manifest import FORMAT, MANIFEST, FileEntry
from demopack.regular_files import open_regular
from demopack.replacing import made_beside, put_in_place, sync_folder

_MAX_MANIFEST_BYTES: Final = 64 << 20
_EPOCH = (1980, 1, 1, 0, 0, 0)


class PackSink(ABC):
    """Takes files one by one; each name once."""

    def __init__(self) -> None:
        self.entries: list[FileEntry] = []

    def write(self, name: str, data: bytes) -> None:
        """Add a file; everything but the manifest enters :attr:`entries`."""
        self.write_parts(name, [data], size=len(data))

    def write_parts(self, name: str, parts: Iterable[bytes], *, size: int) -> None:
        """Add a file of ``size`` bytes piece by piece; only one piece is in memory."""
        digest = hashlib.sha256()
        with self._opened(name, size) as stream:
            for part in parts:
                stream.write(part)
                digest.update(part)
        if name != MANIFEST:
            self.entries.append(FileEntry(path=name, size=size, sha256=digest.hexdigest()))

    @abstractmethod
    def _opened(self, name: str, size: int) -> IO[bytes]: ...

    @abstractmethod
    def close(self) -> None:
        """Finish: everything is on the disk when this returns; calling it twice is harmless."""


class _FolderSink(PackSink):
    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._unsynced: list[Path] = []
        folder.mkdir()

    def _opened(self, name: str, size: int) -> IO[bytes]:
        del size
        file = self._folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        self._unsynced.append(file)
        return file.open("xb")

    def close(self) -> None:
        # All at the end: the first sync of a file system takes most of the others' work along.
        for file in self._unsynced:
            with file.open("rb+") as stream:
                os.fsync(stream.fileno())
        self._unsynced.clear()


class _ZipSink(PackSink):
    """Equal files in equal order give equal bytes: no times, no owner, one system id."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self._zip = zipfile.ZipFile(file, "w")

    def _opened(self, name: str, size: int) -> IO[bytes]:
        info = zipfile.ZipInfo(name, date_time=_EPOCH)
        info.create_system = 3
        info.external_attr = 0o100644 << 16
        # A PNG is deflated already; packing it again costs time and gains nothing.
        info.compress_type = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED
        info.file_size = size  # so it makes room for a large one
        return self._zip.open(info, "w")

    def close(self) -> None:
        if self._zip.fp is None:
            return
        self._zip.close()
        with self._file.open("rb+") as stream:
            os.fsync(stream.fileno())


@contextlib.contextmanager
def replaced_when_done(out: Path, *, zipped: bool, dropped: Collection[str] = ()) -> Generator[tuple[PackSink, Path]]:
    """A sink beside the target, and its path; when the block ends well, it takes the target's place in one step.

    Of a pack that is there only the files of its manifest are replaced: what else lies in the folder is in the new one,
    too. When the block fails, the target is what it was before, and nothing else is left behind.

    Args:
        out: the folder or the zip.
        zipped: whether it is a zip.
        dropped: files of the folder that are in no manifest and go all the same.

    Raises:
        BadInputError: the target is something that is not a pack, or its folder cannot be written.
        DiskFullError: no space left.
    """
    out = out.resolve() if out.is_symlink() else out.absolute()
    listed = _check_target(out, zipped=zipped)
    with _explained(out), made_beside(out) as work:
        new = work / ("new.zip" if zipped else "new")
        sink: PackSink = _ZipSink(new) if zipped else _FolderSink(new)
        try:
            yield sink, new
        except BaseException:
            # The work is thrown away; a disk that is full may refuse even the zip's last bytes.
            with contextlib.suppress(OSError):
                sink.close()
            raise
        if zipped:
            new.replace(out)
            sync_folder(out.parent)
        else:
            put_in_place(new, out, work, is_own=lambda name: name in listed or name == MANIFEST or name in dropped)


@contextlib.contextmanager
def _explained(out: Path) -> Generator[None]:
    try:
        with disk_errors(out.parent):
            yield
    except OSError as error:
        raise BadInputError(
            f"The pack cannot be written to {out}; nothing was changed.",
            details=str(error),
            hint="Check the folder's permissions, or name another place with -o.",
        ) from error


def _check_target(out: Path, *, zipped: bool) -> frozenset[str]:
    """The files that the manifest of an older pack lists; empty where there is none."""
    if not os.path.lexists(out):
        return frozenset()
    listed: frozenset[str] | None = None
    if zipped:
        if out.is_file() and zipfile.is_zipfile(out):
            with zipfile.ZipFile(out) as opened:
                if any(name == MANIFEST or name.endswith(f"/{MANIFEST}") for name in opened.namelist()):
                    return frozenset()
    elif out.is_dir():
        listed = _listed(out) if (out / MANIFEST).is_file() else frozenset() if not any(out.iterdir()) else None
    if listed is None:
        raise BadInputError(
            f"{out} exists and is not a demo pack; it was left as it is.",
            hint="Name a new place with -o, or remove it yourself.",
        )
    return listed


def _listed(folder: Path) -> frozenset[str] | None:
    """The files of an older pack, of whichever version; None where its manifest does not tell them."""
    file = folder / MANIFEST
    try:
        with open_regular(file) as stream:
            data = parse_object(stream.read(_MAX_MANIFEST_BYTES).decode("utf-8-sig"))
    except (OSError, ValueError):
        return None
    if data.get("format") != FORMAT or not isinstance(data.get("files"), list):
        return None
    paths = (row.get("path") for row in as_rows(data["files"]))
    return frozenset(path for path in paths if isinstance(path, str) and is_safe(path))
