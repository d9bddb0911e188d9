"""The pictures of a folder that is no pack: which are named, which are there, and what they carry."""

from __future__ import annotations

import io
import posixpath
from collections.abc import Iterator

from PIL import Image

from demopack.errors import PackError
from demopack.pack.check.files import LARGEST_FILE
from demopack.pack.findings import Finding
from demopack.pack.names import is_safe
from demopack.pack.picture import PNG_MAGIC, only_pixels
from demopack.pack.rules import RULES
from demopack.pack.source import FolderSource

__all__ = ["ENDINGS", "Used", "check_files"]

ENDINGS = (".png", ".jpg", ".jpeg", ".webp")
_MAGIC = {".png": PNG_MAGIC, ".jpg": b"\xff\xd8\xff", ".jpeg": b"\xff\xd8\xff", ".webp": b"RIFF"}


class Used:
    """The pictures that tables name.

    Attributes:
        names: paths inside the folder.
    """

    def __init__(self, source: FolderSource) -> None:
        self.names: set[str] = set()
        self._source = source
        self._there = set(source.names())
        self._sizes: dict[str, tuple[int, int] | None] = {}

    def name(self, path: str, table: str, line: int | None) -> Iterator[Finding]:
        """A picture that a table names, seen from the table's folder or from the top; P01 and I01."""
        if path.startswith("data:"):
            return  # the picture itself
        if "://" in path or not is_safe(path):
            yield RULES["P01"].broken(table, line, f"The path {path!r} leaves the folder.")
            return
        found = self.find(path, table)
        if found is None:
            yield RULES["I01"].broken(table, line, f"The picture {path} is missing.")
        else:
            self.names.add(found)

    def find(self, path: str, table: str) -> str | None:
        """Where a picture lies that a table names; None where it is nowhere."""
        folder = posixpath.dirname(table)
        places = (posixpath.join(folder, path), path, posixpath.join(folder, "images", path), f"images/{path}")
        return next((place for place in places if place in self._there), None)

    def size(self, name: str) -> tuple[int, int] | None:
        """Width and height of a picture that is there; None where it cannot be decoded."""
        if name not in self._sizes:
            self._sizes[name] = _size(self._source, name)
        return self._sizes[name]


def _size(source: FolderSource, name: str) -> tuple[int, int] | None:
    try:
        data = source.read(name, limit=min(source.size(name) or 0, LARGEST_FILE))
        with Image.open(io.BytesIO(data)) as picture:
            return picture.size
    except (PackError, OSError, SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning):
        return None


def check_files(source: FolderSource, used: Used, *, orphans: bool) -> Iterator[Finding]:
    """I01, I03, I04 and P04 for every picture of the folder."""
    for name in source.names():
        ending = posixpath.splitext(name)[1].lower()
        if ending not in _MAGIC:
            continue
        try:
            data = source.read(name, limit=min(source.size(name) or 0, LARGEST_FILE))
        except PackError as error:
            yield RULES["I01"].broken(name, None, f"It cannot be read: {error.user_message}")
            continue
        if not data.startswith(_MAGIC[ending]):
            yield RULES["I04"].broken(name, None, f"It is no {ending[1:].upper()}.")
        elif used.size(name) is None:
            yield RULES["I01"].broken(name, None, "It cannot be decoded.")
        elif (ending == ".png" and not only_pixels(data)) or b"Exif\0\0" in data[:4096]:
            yield RULES["P04"].broken(name, None, "It carries more than pixels.")
        if orphans and name not in used.names:
            yield RULES["I03"].broken(name, None, "No row names this picture.")
