"""A pytest plug-in with Windows' rule for open files: ``pytest -p tests.support.open_files ...``.

A file that this process has open or mapped can be neither renamed nor deleted nor replaced, nor can a folder that holds
one be renamed. Asked in ``/proc``, so Linux only.
"""

# What is replaced here is what pathlib calls.
# ruff: noqa: PTH100, PTH115, PTH118, PTH208

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

EXEMPT = frozenset({"tempfile", "filelock"})
"""Modules that go another way on Windows: delete on close, close before deleting."""


def open_files() -> Iterator[str]:
    """The paths of all files that this process has open or mapped."""
    for number in os.listdir("/proc/self/fd"):
        try:
            found = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue
        if found.startswith("/") and Path(found).is_file():
            yield found
    for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines():
        _, slash, rest = line.partition("/")
        # SQLite maps its shared memory, which on Windows goes with its last connection.
        if slash and not rest.endswith(("-shm", ".so")):
            yield slash + rest


def _place(path: Any, folder: int | None) -> str:
    name = os.fsdecode(path)
    if folder is not None:
        name = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), name)
    parent, last = os.path.split(os.path.abspath(name))
    return os.path.join(os.path.realpath(parent), last)


def _refuse_open(path: Any, folder: int | None) -> None:
    place = _place(path, folder)
    if Path(place).is_symlink() or not os.path.lexists(place):
        return
    inside = f"{place}/"
    if any(found == place or found.startswith(inside) for found in open_files()):
        raise PermissionError(errno.EACCES, "The file is being used by another process (as on Windows)", place)


def _from_exempt_module() -> bool:
    name = sys._getframe(2).f_globals.get("__name__", "")
    return name.split(".")[0] in EXEMPT


def _deleting(real: Callable[..., None]) -> Callable[..., None]:
    def checked(path: Any, *, dir_fd: int | None = None) -> None:
        if not _from_exempt_module():
            _refuse_open(path, dir_fd)
        real(path, dir_fd=dir_fd)

    return checked


def _moving(real: Callable[..., None], *, onto: bool) -> Callable[..., None]:
    def checked(src: Any, dst: Any, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None) -> None:
        if not _from_exempt_module():
            _refuse_open(src, src_dir_fd)
            if not onto and Path(_place(dst, dst_dir_fd)).is_file():
                raise FileExistsError(errno.EEXIST, "Windows renames onto nothing", os.fsdecode(dst))
            _refuse_open(dst, dst_dir_fd)
        real(src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    return checked


os.unlink = _deleting(os.unlink)
os.remove = os.unlink
os.rename = _moving(os.rename, onto=False)
os.replace = _moving(os.replace, onto=True)
