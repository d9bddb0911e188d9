"""Names of files in packs and exports: what may be written, and what may be read."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

from demopack.domain.words import EMAIL
from demopack.errors import PackError

_PORTABLE = re.compile(r"[A-Za-z0-9_.-]+")
_DRIVE = re.compile(r"[A-Za-z]:")
# Windows keeps the names of its devices to itself, whatever ending they have, and drops a dot at the end; loaders pass
# over names that begin with a dot.
_DEVICE = r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])"
_SAFE = re.compile(rf"(?!{_DEVICE}(?:\.|$))[a-z0-9](?:[a-z0-9_.-]{{0,98}}[a-z0-9_-])?")


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
    """A file name for an id, without an ending: no two ids have the same one, not even where case makes no difference.

    It is the id itself where every system takes that, else its portable part and a short sum; small letters.
    """
    if _SAFE.fullmatch(name):
        return name
    kept = re.sub(r"[^a-z0-9_-]+", "_", name.lower())[:40].strip("_-")
    return f"{kept or 'demo'}-{hashlib.sha256(name.encode()).hexdigest()[:10]}"


_LETTERS: Final = str.maketrans({
    "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "oe", "å": "aa", "ł": "l", "đ": "d",
    "ð": "d", "þ": "th", "\u0131": "i",
})  # fmt: skip
"""Letters that lose no accent but have a spelling of their own in ASCII."""


def slug(text: str) -> str:
    """A text as a name: lower-case ASCII letters, digits and single hyphens, 64 at most, without e-mail addresses.

    Empty where most letters would be lost.
    """
    text = unicodedata.normalize("NFC", EMAIL.sub(" ", text).casefold()).translate(_LETTERS)
    plain = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    letters = [one for one in plain if one.isalpha()]
    if sum(one.isascii() for one in letters) * 2 < len(letters):
        return ""
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:64].strip("-")
