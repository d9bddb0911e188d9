"""Files of folders that somebody else made: a FIFO or a device among them is never opened, as it may never end."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from fnmatch import fnmatch
from io import BufferedReader
from pathlib import Path

from demopack.errors import BadInputError


class SpecialFileError(OSError):
    """A FIFO, a socket or a device where a file should be; it was not read."""


def open_regular(path: Path) -> BufferedReader:
    """Open a file to be read.

    Raises:
        SpecialFileError: it is a FIFO, a socket or a device.
        OSError: it cannot be opened.
    """
    # Without O_NONBLOCK the opening of a FIFO waits for somebody who writes.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    handle = os.open(path, flags)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise SpecialFileError(errno.EINVAL, "It is a FIFO, a socket or a device, not a file", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: Path, *, limit: int) -> bytes:
    """The content of a file.

    Raises:
        SpecialFileError: it is a FIFO, a socket or a device.
        OSError: it cannot be read, or has more than ``limit`` bytes (``EFBIG``).
    """
    with open_regular(path) as stream:
        # Of no more than there is: whoever asks for a number of bytes gets room for all of them first.
        data = stream.read(min(limit, os.fstat(stream.fileno()).st_size) + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"It has more than {limit} bytes", str(path))
    return data


def check_regular(folder: Path) -> None:
    """Refuse a folder that is to be worked in, or handed to others who open what lies there.

    Raises:
        BadInputError: a FIFO, a socket or a device is below it, or a link to one; it is named.
    """
    for path in special_files(folder):
        if path.exists():  # a link to nothing is waited for by nobody
            raise BadInputError(
                f"{path} is a FIFO, a socket or a device, not a file; nothing was read.",
                hint="Remove it, or name another folder.",
            )


def regular_files(folder: Path, *patterns: str) -> list[Path]:
    """Every file below a folder, sorted; where patterns are given, those whose name fits one (as ``*.json``).

    A link to a file counts as that file; a link to a folder is not followed, and no FIFO, socket or device is listed.
    """
    found = (Path(path) for path, special in _entries(folder) if not special)
    return sorted(path for path in found if not patterns or any(fnmatch(path.name, one) for one in patterns))


def file_names(folder: Path) -> list[str]:
    """The paths of :func:`regular_files` inside their folder, sorted as texts, with forward slashes.

    For large folders: a path object takes ten times the memory of its name.
    """
    start = len(os.fspath(folder)) + 1
    return sorted(path[start:].replace(os.sep, "/") for path, special in _entries(folder) if not special)


def special_files(folder: Path) -> list[Path]:
    """Every FIFO, socket and device below a folder, and every link to one or to nothing; sorted."""
    return sorted(Path(path) for path, special in _entries(folder) if special)


def _entries(folder: Path) -> Iterator[tuple[str, bool]]:
    """What lies below a folder and is none itself, and whether it is something else than a file."""
    # By hand, as Path.rglob calls itself for each level: folders can be nested deeper than Python can.
    waiting = [os.fspath(folder)]
    while waiting:
        try:
            entries = os.scandir(waiting.pop())
        except OSError:
            continue  # gone meanwhile, not to be read, or its path is longer than any path may be
        with entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                    continue
                try:
                    if not entry.is_dir():
                        yield entry.path, not entry.is_file()
                except OSError:  # a link that leads round to itself
                    yield entry.path, True
