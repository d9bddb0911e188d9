"""Folders appear whole or not at all: made beside the target, then put in its place, other people's files kept.

What a killed program left beside a target, or among the temporary folders, is taken away by the next that works there.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from demopack.errors import BadInputError

_SUFFIX: Final = ".demopack"
_LOCK: Final = "owner.lock"
_OLD: Final = "old"
_AT_FDCWD: Final = -100
_EXCHANGE: Final = 2


@contextlib.contextmanager
def made_beside(target: Path) -> Generator[Path]:
    """A hidden folder beside a path, to work in; it is gone afterwards.

    Such folders of programs that were killed are removed first: the lock in each goes when its owner does. Where one
    was killed while it put a folder in its place, what stood there before is put back.

    Raises:
        OSError: it cannot be made.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    _sweep(target)
    while True:
        work = target.parent / f".{target.name[:40]}.{secrets.token_hex(4)}{_SUFFIX}"
        work.mkdir(mode=0o700)
        lock = FileLock(work / _LOCK, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except (Timeout, FileNotFoundError):
            continue  # taken for one that was left, in the moment before it was locked
        break
    try:
        yield work
    finally:
        lock.release(force=True)
        shutil.rmtree(work, ignore_errors=True)


def scratch_folder(where: Path | None = None) -> AbstractContextManager[Path]:
    """A temporary folder; it is gone afterwards, and every one that a killed program left is removed first.

    Args:
        where: instead of the folder of temporary files; one with a short path for what holds sockets, whose addresses
            have room for 107 bytes.

    Raises:
        OSError: it cannot be made.
    """
    return made_beside((where or Path(tempfile.gettempdir())) / "demopack")


def _sweep(target: Path) -> None:
    try:
        beside = list(target.parent.iterdir())
    except OSError:
        return  # a folder that may be written to and not be looked at
    for folder in beside:
        if not folder.name.startswith(f".{target.name[:40]}.") or not folder.name.endswith(_SUFFIX):
            continue
        if not _is_mine(folder) or not (folder / _LOCK).is_file():
            continue
        lock = FileLock(folder / _LOCK, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except (Timeout, OSError):
            continue  # its owner works
        if (folder / _OLD).exists() and not target.exists():
            (folder / _OLD).rename(target)
        lock.release(force=True)
        shutil.rmtree(folder, ignore_errors=True)


def _is_mine(folder: Path) -> bool:
    """Whether it is a folder of this user: in a folder that many share, others' are none of ours."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and (sys.platform == "win32" or found.st_uid == os.getuid())


def put_in_place(new: Path, target: Path, work: Path, *, is_own: Callable[[str], bool]) -> None:
    """Let a folder take the place of an older one, or of none, in one step.

    Files of the old folder that are not its own are brought along: they are in the new one before it takes its place.
    Where two names can be exchanged, as on Linux, the target is there at every moment, old or new.

    Args:
        new: the folder, inside ``work``.
        target: where to; an older folder, or nothing.
        work: from :func:`made_beside`.
        is_own: whether a file of the old folder, as a path with forward slashes, may go with it.

    Raises:
        BadInputError: a file that is to be kept is in the way of a new one, or lies on another disk. Nothing was
            changed.
        OSError: nothing was changed, or the folder is in its place and what was there before lies in ``work``.
    """
    if not target.exists():
        new.rename(target)
        sync_folder(target.parent)
        return
    _bring_along(target, new, is_own)
    shutil.copymode(target, new)
    old = work / _OLD
    if _exchange(new, target):
        new.rename(old)
    else:
        target.rename(old)
        try:
            new.rename(target)
        except BaseException:
            old.rename(target)
            raise
    sync_folder(target.parent)
    _save_late(old, target, is_own)


def _foreign(folder: Path, is_own: Callable[[str], bool]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """What is not the folder's own, and every folder, its name ending in a slash, before what is in it."""
    device = folder.stat().st_dev
    waiting = [(folder, "")]
    while waiting:
        here, before = waiting.pop()
        with os.scandir(here) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        for entry in found:
            name = f"{before}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if entry.stat(follow_symlinks=False).st_dev != device:
                    raise BadInputError(
                        f"{name} in {folder} is another disk; nothing was changed.",
                        hint="Name a new folder, or unmount it.",
                    )
                yield f"{name}/", entry
                waiting.append((Path(entry.path), f"{name}/"))
            elif not is_own(name):
                yield name, entry


def _bring_along(old: Path, new: Path, is_own: Callable[[str], bool]) -> None:
    folders: list[tuple[str, str]] = []
    for name, entry in _foreign(old, is_own):
        to = new / name.rstrip("/")
        if name.endswith("/"):
            folders.append((name, entry.path))
            continue
        if os.path.lexists(to) or any(part.exists() and not part.is_dir() for part in _between(to, new)):
            raise BadInputError(
                f"{name} lies in {old} and is no part of what was written there, but the new one has a file of this "
                "name; nothing was changed.",
                hint="Move it away, or name a new folder.",
            )
        to.parent.mkdir(parents=True, exist_ok=True)
        _link(entry, to)
    for name, path in folders:
        to = new / name
        if not to.exists() and not any(Path(path).iterdir()):
            to.mkdir(parents=True)
    for name, path in reversed(folders):
        if (new / name).is_dir():
            shutil.copystat(path, new / name)


def _between(path: Path, top: Path) -> Iterator[Path]:
    return (parent for parent in path.parents if parent.is_relative_to(top))


def _link(entry: os.DirEntry[str], to: Path) -> None:
    try:
        os.link(entry.path, to, follow_symlinks=False)
    except (OSError, NotImplementedError):
        if entry.is_symlink():
            to.symlink_to(Path(entry.path).readlink())
        elif entry.is_file():
            shutil.copy2(entry.path, to)
        elif sys.platform != "win32" and stat.S_ISFIFO(entry.stat().st_mode):
            os.mkfifo(to)
        else:
            raise


def _save_late(old: Path, target: Path, is_own: Callable[[str], bool]) -> None:
    """Bring along what somebody put into the old folder while the new one took its place."""
    for name, entry in _foreign(old, is_own):
        to = target / name.rstrip("/")
        if not name.endswith("/") and not os.path.lexists(to):
            to.parent.mkdir(parents=True, exist_ok=True)
            Path(entry.path).rename(to)


def _exchange(one: Path, other: Path) -> bool:
    """Let two names change places in one step; False where the system cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    return bool(rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _EXCHANGE) == 0)


def sync_folder(folder: Path) -> None:
    """Have the disk keep what was renamed in a folder."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
