"""Messages between the app and its vision worker: a JSON header and raw bytes, both with their length before them."""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

__all__ = ["read_message", "write_message"]

_LENGTHS = struct.Struct(">IQ")


def write_message(stream: BinaryIO, header: dict[str, Any], payload: bytes | memoryview = b"") -> None:
    """Send one message.

    Raises:
        OSError: the other side is gone.
    """
    text = json.dumps(header, ensure_ascii=False).encode("utf-8")
    stream.write(_LENGTHS.pack(len(text), len(payload)))
    stream.write(text)
    stream.write(payload)
    stream.flush()


def read_message(stream: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """The next message; None when the other side is gone, also in the middle of one."""
    head = _exactly(stream, _LENGTHS.size)
    if head is None:
        return None
    text_length, payload_length = _LENGTHS.unpack(head)
    text, payload = _exactly(stream, text_length), _exactly(stream, payload_length)
    if text is None or payload is None:
        return None
    header: dict[str, Any] = json.loads(text)
    return header, payload


def _exactly(stream: BinaryIO, length: int) -> bytes | None:
    data = stream.read(length)
    return data if len(data) == length else None
