"""Names of files in packs and exports: what may be written, and what may be read."""

from __future__ import annotations

import hashlib
import re

from demopack.errors import PackError

_PORTABLE = re.compile(r"[A-Za-z0-9_.-]+")
_DRIVE = re.compile(r"[A-Za-z]:")


class UnsafePathError(PackError):
    """A path in a pack that points outside it; nothing was read from there."""


def is_safe(path: str) -> bool:
    """Whether a path stays inside the pack: relative, forward slashes, no ``..``, no drive, no control characters."""
    if not path or path.startswith("/") or "\\" in path or _DRIVE.match(path):
        return False
    return path.isprintable() and all(part not in {"", ".", ".."} for part in path.split("/"))


def is_portable(path: str) -> bool:
    """Whether every part of a path is made of ``A-Z a-z 0-9 _ . -``, so that every file system and loader takes it."""
    return all(_PORTABLE.fullmatch(part) for part in path.split("/"))


def check_path(path: str) -> str:
    """The path itself.

    Raises:
        UnsafePathError: it leaves the pack.
    """
    if not is_safe(path):
        raise UnsafePathError(
            f"The pack names the path {path!r}, which points outside the pack; nothing was read from there.",
            hint="Do not use this pack, or ask its author for a clean one.",
        )
    return path


def safe_name(name: str) -> str:
    """A file name for an id: the id itself where it is portable, else its portable part and a short sum."""
    if _PORTABLE.fullmatch(name) and name.strip(".") and len(name) <= 100:
        return name
    kept = re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:40].strip("_")
    return f"{kept or 'demo'}-{hashlib.sha256(name.encode()).hexdigest()[:10]}"
