"""What is said about pictures without storing them: size, fingerprint, and how many tokens they may take at most."""

from __future__ import annotations

import hashlib
import math
import struct

from demopack.errors import BadInputError
from models.language.port import Picture

__all__ = ["described", "fingerprint", "most_tokens"]

_HEAD = b"\x89PNG\r\n\x1a\n"
_PATCH = 28
"""Pixels; no service that bills by area uses smaller patches."""
_DEAREST = 2.5
"""The largest factor by which a service multiplies its patches."""
_LEAST = 1500
"""Tokens that some services take for any picture."""
_TILED = ("4o-mini", 2833, 5667, 512)
"""A family that bills tiles: name, tokens for any picture, tokens for a tile, its edge in pixels."""


def fingerprint(picture: Picture) -> str:
    """SHA-256 of the file, hexadecimal."""
    return hashlib.sha256(picture.png).hexdigest()


def described(picture: Picture) -> dict[str, str | int]:
    """What the log keeps of a picture: what it shows, its size, and the beginning of its fingerprint."""
    width, height = _size(picture)
    return {"what": picture.what, "width": width, "height": height, "sha256": fingerprint(picture)[:16]}


def most_tokens(picture: Picture, *, model: str) -> int:
    """How many tokens a picture takes at most, by the rules that services publish."""
    width, height = _size(picture)
    name, base, tile, edge = _TILED
    if name in model:
        shrink = min(1.0, 2048 / max(width, height))
        shrink = min(shrink, 768 / min(width, height)) if min(width, height) * shrink > 768 else shrink
        return base + tile * math.ceil(width * shrink / edge) * math.ceil(height * shrink / edge)
    return max(_LEAST, math.ceil(_DEAREST * math.ceil(width / _PATCH) * math.ceil(height / _PATCH)))


def _size(picture: Picture) -> tuple[int, int]:
    head = picture.png[:24]
    if len(head) < 24 or not head.startswith(_HEAD):
        raise BadInputError(f"The picture “{picture.what}” for the language model is not a PNG file.")
    width, height = struct.unpack(">II", head[16:24])
    if not width or not height:
        raise BadInputError(f"The picture “{picture.what}” for the language model is empty.")
    return int(width), int(height)
