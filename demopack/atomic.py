"""Files appear whole or not at all: temporary name beside the target, sync, rename."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Generator
from pathlib import Path

from demopack.errors import DiskFullError

_FULL = {errno.ENOSPC, errno.EDQUOT}


@contextlib.contextmanager
def disk_errors(where: Path) -> Generator[None]:
    """Turn the OS's "no space left" into a sentence.

    Raises:
        DiskFullError: the disk or the user's quota is full.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise DiskFullError(
                f"The disk that holds {where} is full; everything saved so far is safe.",
                details=str(error),
                hint="Make room and try again.",
            ) from error
        raise


def make_private_folder(folder: Path) -> None:
    """Make a folder that only the user may open; one that is there keeps its rights."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Make an empty file that only the user may read; one that is there keeps its rights and its content."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def write_bytes_atomic(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a whole file; a reader sees the old one or the new one, also after a power cut.

    Args:
        path: of the file; folders that are missing are made.
        data: what is to be in it.
        private: whether only the user may read it; else its rights are those that the umask gives.

    Raises:
        DiskFullError: nothing was written; a file that was there is untouched.
    """
    with disk_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = 0o600 if private else 0o666
        # Opened by hand rather than by mkstemp, so that the file gets the rights that the user's umask gives.
        temporary = path.parent / f".{path.name[:40]}.{secrets.token_hex(6)}"
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def write_text_atomic(path: Path, text: str, *, private: bool = False) -> None:
    """As :func:`write_bytes_atomic`, for UTF-8 text with LF line ends.

    Raises:
        DiskFullError: nothing was written.
    """
    write_bytes_atomic(path, text.encode("utf-8"), private=private)
