"""Pictures that lie inside a text or an archive, not as files of their own."""

from __future__ import annotations

import base64
import binascii
import io
import re
from collections.abc import Iterator
from typing import Final

from PIL import Image

from demopack.pack.findings import Finding
from demopack.pack.picture import PNG_MAGIC, only_pixels
from demopack.pack.rules import RULES

MAGIC: Final = {
    "image/png": PNG_MAGIC, "image/jpeg": b"\xff\xd8\xff", "image/webp": b"RIFF",
}  # fmt: skip
_URL: Final = re.compile(r"data:(?P<kind>image/[a-z+.-]+);base64,")
_ENCODED: Final = re.compile(r"(?:iVBORw0KGgo|/9j/|UklGR)[A-Za-z0-9+/]{60,}={0,2}")
"""How PNG, JPEG and WebP begin in base64."""


def is_encoded_picture(text: str) -> bool:
    """Whether a text is a picture in base64, with or without ``data:`` before it: its letters mean nothing."""
    match = _URL.match(text)
    return _ENCODED.fullmatch(text, match.end() if match else 0) is not None


def from_url(url: object) -> tuple[str, str] | None:
    """Media type and base64 of a ``data:`` address; None for anything else."""
    match = _URL.match(url) if isinstance(url, str) else None
    return (match["kind"], str(url)[match.end() :]) if match else None


def unpacked(text: object) -> bytes | None:
    """The bytes of base64; None where it is none."""
    try:
        return base64.b64decode(text, validate=True) if isinstance(text, str) else None
    except (binascii.Error, ValueError):
        return None


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height; None where it cannot be decoded."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            return picture.size
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning):
        return None


def check_bytes(data: bytes | None, kind: str, file: str, line: int | None, what: str) -> Iterator[Finding]:
    """I01, I04 and P04 for one picture.

    Args:
        data: its bytes; None where they cannot be had.
        kind: what it is said to be, for instance ``image/png``.
        file: that it is in.
        line: of that file.
        what: which picture, for people: ``The picture of step 3``.
    """
    if data is None:
        yield RULES["I01"].broken(file, line, f"{what} cannot be decoded.")
    elif not data.startswith(MAGIC.get(kind, b"")):
        yield RULES["I04"].broken(file, line, f"{what} is no {kind.removeprefix('image/').upper()}.")
    elif size_of(data) is None:
        yield RULES["I01"].broken(file, line, f"{what} cannot be decoded.")
    elif (kind == "image/png" and not only_pixels(data)) or b"Exif\0\0" in data[:4096]:
        yield RULES["P04"].broken(file, line, f"{what} carries more than pixels.")
