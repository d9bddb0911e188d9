"""Reads files out of a pack, folder or zip alike, and never anything beside it or larger than it may be."""

from __future__ import annotations

import io
import lzma
import os
import stat
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import IO, Final

from demopack.errors import PackError
from demopack.file_names import UnsafePathError, check_path, is_safe
from demopack.pack.manifest import MANIFEST
from demopack.regular_files import file_names, open_regular, special_files

BLOCK: Final = 1 << 20
MAX_LINE_BYTES: Final = 16 << 20
"""Bytes; a step with an hour of raw events has a few megabytes, and what is read out of a line takes many times as
much room as the line."""
_MAX_EMPTY = 100_000
"""Lines without a word; a file of nothing else has no end that is worth waiting for."""

_MANIFEST_LIMIT = 64 << 20
_BOMB_SIZE = 16 << 20
_BOMB_RATIO = 200
# What zipfile and its decompressors say when bytes are not what they should be.
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, NotImplementedError, ValueError)


class PackSource(ABC):
    """The files of one pack.

    Attributes:
        path: the folder or the zip.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @abstractmethod
    def names(self) -> list[str]:
        """Every file, as paths with forward slashes, sorted."""

    def special(self) -> list[str]:
        """What lies among the files and is none: a FIFO, a socket, a device; sorted. It is never opened."""
        return []

    @abstractmethod
    def size(self, name: str) -> int | None:
        """Bytes of a file as the file system or the zip's directory tells; None where there is no such file."""

    def read(self, name: str, *, limit: int) -> bytes:
        """The content of a file.

        Args:
            name: path inside the pack.
            limit: the most bytes it may have; for everything but the manifest, what the manifest says.

        Raises:
            PackError: there is no such file, it cannot be read, or it is larger than ``limit``.
            UnsafePathError: the path leaves the pack.
        """
        with self.open(name) as stream:
            try:
                # Of no more than there is: whoever asks for a number of bytes gets room for all of them first.
                data = stream.read(min(limit, self.size(name) or 0) + 1)
            except _DAMAGED as error:
                raise _unreadable(name, self.path, error) from error
        if len(data) > limit:
            raise _larger(name, self.path, limit)
        return data

    @abstractmethod
    def open(self, name: str) -> IO[bytes]:
        """A file to be read piece by piece; the caller closes it, and bounds how much it keeps.

        Raises:
            PackError: there is no such file, or it cannot be opened.
            UnsafePathError: the path leaves the pack.
        """

    def file(self, name: str) -> Path | None:
        """Where a file of the pack lies on the disk, so that it can be linked; None where it does not, as in a zip.

        Raises:
            UnsafePathError: the path leaves the pack.
        """
        check_path(name)
        return None

    def read_manifest(self) -> bytes:
        """The bytes of ``pack.json``.

        Raises:
            PackError: it is missing, so this is no pack, or absurdly large.
        """
        if self.size(MANIFEST) is None:
            raise _not_a_pack(self.path)
        return self.read(MANIFEST, limit=_MANIFEST_LIMIT)

    def close(self) -> None:
        """Let go of the files; calling it twice is harmless."""
        return

    def __enter__(self) -> PackSource:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_source(path: Path) -> PackSource:
    """A folder or a zip.

    Raises:
        PackError: it is neither, or it is not a pack.
        UnsafePathError: the zip holds a path that leaves the pack.
    """
    if path.is_dir():
        source: PackSource = FolderSource(path)
    elif path.is_file():
        source = ZipSource(path)
    else:
        raise PackError(f"There is no pack {path}.", hint="Check the path.")
    if source.size(MANIFEST) is None:
        source.close()
        raise _not_a_pack(path)
    return source


def _not_a_pack(path: Path) -> PackError:
    why = f"its {MANIFEST} is no file" if os.path.lexists(path / MANIFEST) else f"it has no {MANIFEST}"
    return PackError(
        f"{path} is not a demo pack: {why}.",
        hint=f"Name the folder or the zip that holds {MANIFEST}; `demopack export` makes one.",
    )


def unfolds_too_far(size: int, packed: int) -> bool:
    """Whether ``packed`` bytes that unfold to ``size`` were made to fill somebody's memory, or to keep him waiting."""
    return size > max(_BOMB_SIZE, _BOMB_RATIO * packed)


def chunks(source: PackSource, name: str) -> Iterator[bytes]:
    """The content of a file in pieces of a megabyte.

    Raises:
        PackError: it is missing or damaged.
    """
    with source.open(name) as stream:
        while True:
            try:
                block = stream.read(BLOCK)
            except _DAMAGED as error:
                raise PackError(f"{name} is damaged", details=str(error)) from error
            if not block:
                return
            yield block


def raw_lines(source: PackSource, name: str, *, limit: int | None = None) -> Generator[bytes]:
    """The lines of a file, each with its line end where it has one.

    Args:
        source: the pack.
        name: path inside it.
        limit: the most bytes it may have; None for any number.

    Raises:
        PackError: it is missing, damaged or larger than ``limit``, a line is longer than ``MAX_LINE_BYTES``, or hardly
            any has a word.
    """
    if limit is not None and (source.size(name) or 0) > limit:
        raise _larger(name, source.path, limit)
    empty = 0
    with source.open(name) as stream:
        try:
            while line := stream.readline(MAX_LINE_BYTES + 2):
                if line == b"\n":
                    empty += 1
                    if empty > _MAX_EMPTY:
                        raise PackError(f"it has more than {_MAX_EMPTY:,} empty lines")
                if len(line) > MAX_LINE_BYTES and len(line) - line.endswith(b"\n") > MAX_LINE_BYTES:
                    raise PackError(f"a line is longer than {MAX_LINE_BYTES >> 20} MB")
                yield line
        except _DAMAGED as error:
            raise PackError(f"{name} is damaged", details=str(error)) from error


class FolderSource(PackSource):
    """A pack that is a folder. Links are not followed out of it."""

    def names(self) -> list[str]:
        """Every file, sorted."""
        return self._names

    def special(self) -> list[str]:
        """FIFOs, sockets, devices and links to nothing, sorted."""
        return [path.relative_to(self.path).as_posix() for path in special_files(self.path)]

    @cached_property
    def _names(self) -> list[str]:
        return sorted(file_names(self.path), key=lambda name: name.split("/"))

    @cached_property
    def _root(self) -> Path:
        return self.path.resolve()

    def size(self, name: str) -> int | None:
        """Bytes of a file; None where there is no such file."""
        file = self.path / name
        try:
            return file.stat().st_size if is_safe(name) and file.is_file() else None
        except OSError:  # a name that is too long, for instance
            return None

    def open(self, name: str) -> IO[bytes]:
        """A file to be read piece by piece."""
        try:
            return open_regular(self.file(name))
        except FileNotFoundError as error:
            raise _missing(name, self.path) from error
        except OSError as error:
            raise _unreadable(name, self.path, error) from error

    def file(self, name: str) -> Path:
        """Where a file of the pack lies."""
        file = self.path / check_path(name)
        try:
            inside = file.resolve().is_relative_to(self._root)
        except (OSError, RuntimeError):  # a link to itself
            inside = False
        if not inside:
            raise UnsafePathError(
                f"{name} in {self.path} is a link to a place outside the pack; it was not read.",
                hint="Replace the link by the file itself.",
            )
        return file


class ZipSource(PackSource):
    """A pack in a zip: at its top, or in its only top folder.

    Raises:
        PackError: it is not a zip, or it is damaged.
        UnsafePathError: it holds an absolute path, ``..``, a drive, a link or a device.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
            raise PackError(
                f"{path} is not a demo pack: it is neither a folder nor a zip that can be read.",
                details=str(error),
                hint="Name the folder or the zip that `demopack export` wrote.",
            ) from error
        try:
            self._entries = self._safe_entries()
        except BaseException:
            self.close()
            raise

    def _safe_entries(self) -> dict[str, zipfile.ZipInfo]:
        entries: dict[str, zipfile.ZipInfo] = {}
        for info in self._zip.infolist():
            check_path(info.filename.rstrip("/") or "/")  # first of all: zipfile itself trips over a name of nothing
            if info.is_dir():
                continue
            # orig_filename: zipfile itself bends the name where it holds a zero byte or a backslash.
            check_path(info.orig_filename)
            mode = info.external_attr >> 16
            if stat.S_IFMT(mode) not in {0, stat.S_IFREG}:
                raise UnsafePathError(
                    f"{info.filename} in {self.path} is a link or a device, not a file; nothing was read.",
                    hint="Do not use this pack, or ask its author for a clean one.",
                )
            if info.filename in entries:
                raise PackError(f"{self.path} holds {info.filename} twice.", hint="Make the zip again.")
            entries[info.filename] = info
        return _without_top_folder(entries)

    def names(self) -> list[str]:
        """Every file, sorted."""
        return sorted(self._entries)

    def size(self, name: str) -> int | None:
        """Bytes of a file once unpacked; None where there is no such file."""
        info = self._entries.get(name)
        return None if info is None else info.file_size

    def open(self, name: str) -> IO[bytes]:
        """A file to be read piece by piece."""
        info = self._entries.get(check_path(name))
        if info is None:
            raise _missing(name, self.path)
        if unfolds_too_far(info.file_size, info.compress_size):
            raise _too_large(name, self.path, "unpacks to far more than any pack's file does")
        if info.flag_bits & 1:
            raise PackError(f"{self.path} is encrypted.", hint="Unpack it with its password first.")
        try:
            return io.BufferedReader(_Checked(self._zip.open(info), name, self.path))
        except _DAMAGED as error:
            raise _unreadable(name, self.path, error) from error

    def close(self) -> None:
        """Close the zip."""
        self._zip.close()


class _Checked(io.RawIOBase):
    """A file in a zip whose damage, which shows only while it is read, is told as everywhere else."""

    def __init__(self, stream: IO[bytes], name: str, path: Path) -> None:
        super().__init__()
        self._stream, self._name, self._path = stream, name, path

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._stream.read(len(buffer))
        except _DAMAGED as error:
            raise _unreadable(self._name, self._path, error) from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


def _without_top_folder(entries: dict[str, zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """A folder that was zipped by hand has one top folder; its files count as the top."""
    if MANIFEST in entries:
        return entries
    tops = {name.split("/", 1)[0] for name in entries}
    top = tops.pop() if len(tops) == 1 else ""
    if f"{top}/{MANIFEST}" not in entries:
        return entries
    return {name.removeprefix(f"{top}/"): info for name, info in entries.items()}


def _larger(name: str, path: Path, limit: int) -> PackError:
    return _too_large(name, path, f"is larger than the {limit} bytes that {MANIFEST} says")


def _too_large(name: str, path: Path, why: str) -> PackError:
    return PackError(f"{name} in {path} {why}; it was not read.", hint="Get the pack again from its author.")


def _missing(name: str, path: Path) -> PackError:
    return PackError(
        f"{name} is missing from the pack {path}.", hint="Get the pack again, or export it again from the library."
    )


def _unreadable(name: str, path: Path, error: Exception) -> PackError:
    return PackError(
        f"{name} in the pack {path} cannot be read.",
        details=str(error),
        hint="Get the pack again, or export it again from the library.",
    )
