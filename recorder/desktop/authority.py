"""Who may use an X server that we start: programs of this user, and nobody else on the machine."""

from __future__ import annotations

import os
import secrets
import socket
import struct
import sys
from pathlib import Path
from typing import Final

_SECRET_NAME: Final = b"MIT-MAGIC-COOKIE-1"
_CHANGE_HOSTS: Final = 109
_SERVER_INTERPRETED: Final = 5
_GET_INPUT_FOCUS: Final = 43
_TIMEOUT_S: Final = 10


def write_authority(path: Path) -> bytes:
    """Write a file with a new secret for an X server that starts with ``-auth``; returns the secret."""
    secret = secrets.token_bytes(16)
    parts = b"".join(struct.pack(">H", len(part)) + part for part in (b"", b"", _SECRET_NAME, secret))
    path.write_bytes(struct.pack(">H", 0xFFFF) + parts)
    path.chmod(0o600)
    return secret


def admit_user(number: int, secret: bytes) -> None:
    """Let programs of this user, and of nobody else, into an X server that was started with a secret.

    python-xlib and the programs of the desktop then need no secret, and so none has to be put where they look for it.

    Raises:
        OSError: the server does not answer, or refuses.
    """
    if sys.platform != "win32":
        with socket.socket(socket.AF_UNIX) as door:
            door.settimeout(_TIMEOUT_S)
            door.connect(f"/tmp/.X11-unix/X{number}")  # noqa: S108 - where X servers listen
            door.sendall(
                struct.pack("<cxHHHHxx", b"l", 11, 0, len(_SECRET_NAME), len(secret)) + _padded(_SECRET_NAME) + secret
            )
            head = _read(door, 8)
            rest = _read(door, 4 * int.from_bytes(head[6:8], "little"))
            if head[0] != 1:
                raise ConnectionRefusedError(rest[: head[1]].decode(errors="replace"))
            who = f"localuser\0#{os.getuid()}".encode()
            request = struct.pack(
                "<BBHBxH", _CHANGE_HOSTS, 0, 2 + len(_padded(who)) // 4, _SERVER_INTERPRETED, len(who)
            )
            door.sendall(request + _padded(who) + struct.pack("<BxH", _GET_INPUT_FOCUS, 1))
            if _read(door, 32)[0] != 1:
                raise PermissionError("The X server does not let its own user in.")


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def _read(door: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = door.recv(count - len(data))
        if not part:
            raise ConnectionResetError("The X server has ended the connection.")
        data += part
    return data
