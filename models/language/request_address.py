"""A request as log and budget see it: its address by content, its size, and what the log keeps of its pictures."""

from __future__ import annotations

import hashlib
import json
import math
import struct
from typing import Any, Final

from demopack.errors import BadInputError
from models.language.port import TEMPERATURE, LanguageRequest, PromptImage
from models.language.servers import Server

_RULES: Final = 1
"""Raised when the same request would be sent in other words; older answers are then not taken any more."""
_OVERHEAD: Final = 400
"""Tokens that a service may add of its own: roles, names, the frame around a schema."""


def address_of(request: LanguageRequest[Any], server: Server) -> str:
    """SHA-256 over everything that decides the answer, hexadecimal."""
    parts = [part if isinstance(part, str) else {"png": hashlib.sha256(part.png).hexdigest()} for part in request.parts]
    content = {
        "rules": _RULES, "model": server.name, "at": server.base_url, "prompt": request.prompt,
        "system": request.system, "parts": parts, "schema": request.schema, "max_tokens": request.max_tokens,
        "temperature": TEMPERATURE,
    }  # fmt: skip
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def most_input(request: LanguageRequest[Any], server: Server) -> int:
    """Tokens that the question takes at most; no tokenizer makes more tokens than there are bytes.

    Raises:
        BadInputError: a picture is not a PNG file.
    """
    said = sum(len(text.encode()) for text in [*request.texts, json.dumps(request.schema)])
    return said + sum(most_tokens(image, model=server.model) for image in request.images) + _OVERHEAD


_HEAD = b"\x89PNG\r\n\x1a\n"
_PATCH = 28
"""Pixels; no service that bills by area uses smaller patches."""
_DEAREST = 2.5
"""The largest factor by which a service multiplies its patches."""
_LEAST = 1500
"""Tokens that some services take for any picture."""
_TILED = ("4o-mini", 2833, 5667, 512)
"""A family that bills tiles: name, tokens for any picture, tokens for a tile, its edge in pixels."""


def described(picture: PromptImage) -> dict[str, str | int]:
    """What the log keeps of a picture: what it shows, its size, and the beginning of its fingerprint."""
    width, height = _pixel_size(picture)
    return {
        "what": picture.what,
        "width": width,
        "height": height,
        "sha256": hashlib.sha256(picture.png).hexdigest()[:16],
    }


def most_tokens(picture: PromptImage, *, model: str) -> int:
    """How many tokens a picture takes at most, by the rules that services publish."""
    width, height = _pixel_size(picture)
    name, base, tile, edge = _TILED
    if name in model:
        shrink = min(1.0, 2048 / max(width, height))
        shrink = min(shrink, 768 / min(width, height)) if min(width, height) * shrink > 768 else shrink
        return base + tile * math.ceil(width * shrink / edge) * math.ceil(height * shrink / edge)
    return max(_LEAST, math.ceil(_DEAREST * math.ceil(width / _PATCH) * math.ceil(height / _PATCH)))


def _pixel_size(picture: PromptImage) -> tuple[int, int]:
    head = picture.png[:24]
    if len(head) < 24 or not head.startswith(_HEAD):
        raise BadInputError(f"The picture “{picture.what}” for the language model is not a PNG file.")
    width, height = struct.unpack(">II", head[16:24])
    if not width or not height:
        raise BadInputError(f"The picture “{picture.what}” for the language model is empty.")
    return int(width), int(height)
