"""D-Bus's wire format for many small questions and answers.

Jeepney does the same for any message, a dozen times slower: a window's tree takes thousands of messages.
"""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

METHOD_CALL, METHOD_RETURN, ERROR, SIGNAL = 1, 2, 3, 4
_HEAD_BYTES: Final = 16
_MAX_BYTES: Final = 128 * 1024 * 1024
MAX_READ_BYTES: Final = 64 * 1024
"""Longer messages are cut: nothing that is asked for is as long, and a program may tell of a million children."""
_PATH, _INTERFACE, _MEMBER, _REPLY_SERIAL, _DESTINATION, _SENDER, _SIGNATURE = 1, 2, 3, 5, 6, 7, 8
_SERIAL: Final = bytes((_REPLY_SERIAL, 1, ord("u"), 0))
_FIXED: Final = {"y": "B", "b": "I", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d", "h": "I"}
_ORDERS: Final = {ord("l"): "<", ord("B"): ">"}

_Read = Callable[[bytes, int], tuple[Any, int]]


class WireMessage(NamedTuple):
    """A message as it came in; ``body`` are its arguments."""

    kind: int
    reply_serial: int
    sender: str
    path: str
    interface: str
    member: str
    signature: str
    body: tuple[Any, ...]


# Writing ----------------------------------------------------------------------------------------------------------


def encode_call(
    serial: int, bus: str, path: str, interface: str, member: str, signature: str, arguments: Sequence[Any]
) -> bytes:
    """A method call. Arguments may be numbers, texts, lists of texts, and variants of a number or text: a pair."""
    body = encode_body(signature, arguments)
    fields = _fixed_fields(bus, interface, member, signature) + _field(_PATH, "o", path)
    head = struct.pack("<BBBBIII", ord("l"), METHOD_CALL, 0, 1, len(body), serial, len(fields))
    return head + fields + b"\0" * (-len(fields) % 8) + body


def encode_body(signature: str, arguments: Sequence[Any]) -> bytes:
    """Arguments of a call."""
    out = bytearray()
    for kind, value in zip(_single_types(signature), arguments, strict=True):
        _write(out, kind, value)
    return bytes(out)


@lru_cache(maxsize=1024)
def _fixed_fields(bus: str, interface: str, member: str, signature: str) -> bytes:
    """The fields of a call but its path, each padded for the next one."""
    fields = [(_DESTINATION, "s", bus), (_INTERFACE, "s", interface), (_MEMBER, "s", member)]
    if signature:
        fields.append((_SIGNATURE, "g", signature))
    parts = [_field(*field) for field in fields]
    return b"".join(part + b"\0" * (-len(part) % 8) for part in parts)


def _field(code: int, kind: str, value: str) -> bytes:
    out = bytearray((code, 1, ord(kind), 0))
    _write(out, kind, value)
    return bytes(out)


def _write(out: bytearray, kind: str, value: Any) -> None:  # noqa: ANN401 - as the signature says
    if kind == "g":
        out += bytes((len(value),)) + value.encode() + b"\0"
    elif kind in "so":
        data = value.encode()
        out += b"\0" * (-len(out) % 4) + struct.pack("<I", len(data)) + data + b"\0"
    elif kind == "v":
        of, content = value
        _write(out, "g", of)
        _write(out, of, content)
    elif kind == "as":
        items = bytearray()
        for each in value:
            _write(items, "s", each)
        out += b"\0" * (-len(out) % 4) + struct.pack("<I", len(items)) + items
    else:
        code = struct.Struct("<" + _FIXED[kind])
        out += b"\0" * (-len(out) % code.size) + code.pack(value)


# Reading ----------------------------------------------------------------------------------------------------------


class MessageReader:
    """Cuts a stream into messages. Of one that is too long only the beginning is kept, and never the rest of it."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._skipped = 0

    def read(self, data: bytes) -> Iterator[WireMessage]:
        """The messages that are complete with what has come now.

        One of more than :data:`MAX_READ_BYTES` is told as soon as it is clear that it is too long: a signal with those
        arguments that could be read, anything else without any.

        Raises:
            ValueError: it is not D-Bus; nothing after it can be understood.
        """
        over = min(self._skipped, len(data))
        self._skipped -= over
        self._data += data[over:]
        at, whole = 0, bytes(self._data)
        try:
            while len(whole) - at >= _HEAD_BYTES:
                length = _length(whole, at)
                if length > MAX_READ_BYTES:
                    if len(whole) - at < MAX_READ_BYTES:
                        break
                    yield from _beginning(whole[at : at + MAX_READ_BYTES])
                elif at + length > len(whole):
                    break
                else:
                    # A message is aligned to its own beginning.
                    yield decode(whole[at : at + length])
                at += length
        except (IndexError, KeyError, struct.error) as error:
            raise ValueError(f"not a message: {error}") from error
        finally:
            self._skipped += max(0, at - len(whole))
            del self._data[:at]


def _length(data: bytes, at: int) -> int:
    order = _ORDERS[data[at]]
    body, _, fields = struct.unpack_from(order + "III", data, at + 4)
    length = _HEAD_BYTES + fields + -fields % 8 + body
    if length > _MAX_BYTES:
        raise ValueError(f"a message of {length} bytes")
    return int(length)


def decode(data: bytes) -> WireMessage:
    """One whole message.

    Raises:
        IndexError, KeyError, struct.error, ValueError: it is none.
    """
    order = _ORDERS[data[0]]
    head, at = _head(data, order)
    body: list[Any] = []
    for read in _body_readers(head.signature, order):
        value, at = read(data, at)
        body.append(value)
    if at > len(data):
        raise ValueError("a message that ends before its content")
    return head._replace(body=tuple(body))


def _beginning(data: bytes) -> Iterator[WireMessage]:
    """What can be told of a message by its beginning; nothing where its head is not whole."""
    order = _ORDERS[data[0]]
    try:
        head, at = _head(data, order)
    except (IndexError, struct.error, ValueError):
        return
    body: list[Any] = []
    if head.kind == SIGNAL:
        with contextlib.suppress(IndexError, struct.error, ValueError):
            for read in _body_readers(head.signature, order):
                value, at = read(data, at)
                if at > len(data):
                    break
                body.append(value)
    yield head._replace(signature=head.signature if body else "", body=tuple(body))


def _head(data: bytes, order: str) -> tuple[WireMessage, int]:
    """A message without its arguments, and where these begin."""
    number = struct.Struct(order + "I")
    (size,) = number.unpack_from(data, 12)
    end = _HEAD_BYTES + size
    if end > len(data):
        raise ValueError("a message that ends before its content")
    fields, reply = data[_HEAD_BYTES:end], 0
    at = fields.find(_SERIAL)  # no name has such bytes
    if at >= 0 and at % 8 == 0:
        (reply,) = number.unpack_from(fields, at + 4)
        fields = fields[:at] + fields[at + 8 :]
    other, sender, path, interface, member, signature = _fields(fields, order)
    return WireMessage(data[1], reply or other, sender, path, interface, member, signature, ()), end + -end % 8


@lru_cache(maxsize=1024)
def _fields(data: bytes, order: str) -> tuple[int, str, str, str, str, str]:
    """The fields of a head; those of all answers of a program are the same but for the serial."""
    number = struct.Struct(order + "I")
    reply, texts = 0, {_PATH: "", _INTERFACE: "", _MEMBER: "", _SENDER: "", _SIGNATURE: ""}
    at = 0
    while at < len(data):
        at += -at % 8
        code, kind = data[at], data[at + 2]
        if kind == ord("u"):
            (value,) = number.unpack_from(data, at + 4)
            reply = value if code == _REPLY_SERIAL else reply
            at += 8
        elif kind == ord("g"):
            size = data[at + 4]
            texts[code] = data[at + 5 : at + 5 + size].decode()
            at += 6 + size
        else:
            (size,) = number.unpack_from(data, at + 4)
            texts[code] = data[at + 8 : at + 8 + size].decode()
            at += 9 + size
    if at > len(data):
        raise ValueError("a field that ends after its head")
    return reply, texts[_SENDER], texts[_PATH], texts[_INTERFACE], texts[_MEMBER], texts[_SIGNATURE]


@lru_cache(maxsize=256)
def _body_readers(signature: str, order: str) -> tuple[_Read, ...]:
    return tuple(_reader(kind, order) for kind in _single_types(signature))


@lru_cache(maxsize=256)
def _single_types(signature: str) -> tuple[str, ...]:
    """A signature's complete types, for instance ``a{ss}`` and ``u`` of ``a{ss}u``."""
    found: list[str] = []
    start = at = 0
    while at < len(signature):
        if signature[at] == "a":
            at += 1
            continue
        depth = 0
        while True:
            depth += (signature[at] in "({") - (signature[at] in ")}")
            at += 1
            if not depth:
                break
        found.append(signature[start:at])
        start = at
    return tuple(found)


@lru_cache(maxsize=256)
def _reader(kind: str, order: str) -> _Read:
    """What reads one value of a complete type: the data and a place in it -> the value and the place after it."""
    if kind in _FIXED:
        return _fixed_reader(struct.Struct(order + _FIXED[kind]), is_bool=kind == "b")
    if kind in {"s", "o"}:
        return _text_reader(struct.Struct(order + "I"))
    if kind == "g":
        return _short_text
    if kind == "v":
        return _variant_reader(order)
    if kind[0] == "(":
        return _struct_reader(_body_readers(kind[1:-1], order))
    if kind[0] == "a":
        return _array_reader(kind[1:], order)
    raise ValueError(f"no such type: {kind}")


def _fixed_reader(code: struct.Struct, *, is_bool: bool) -> _Read:
    size = code.size

    def read(data: bytes, at: int) -> tuple[Any, int]:
        at += -at % size
        (value,) = code.unpack_from(data, at)
        return bool(value) if is_bool else value, at + size

    return read


def _text_reader(number: struct.Struct) -> _Read:
    def read(data: bytes, at: int) -> tuple[Any, int]:
        at += -at % 4
        (size,) = number.unpack_from(data, at)
        end = at + 4 + size
        return data[at + 4 : end].decode(), end + 1

    return read


def _short_text(data: bytes, at: int) -> tuple[Any, int]:
    end = at + 1 + data[at]
    return data[at + 1 : end].decode(), end + 1


def _variant_reader(order: str) -> _Read:
    def read(data: bytes, at: int) -> tuple[Any, int]:
        kind, at = _short_text(data, at)
        value, at = _reader(kind, order)(data, at)
        return (kind, value), at

    return read


def _struct_reader(parts: tuple[_Read, ...]) -> _Read:
    def read(data: bytes, at: int) -> tuple[Any, int]:
        at += -at % 8
        values: list[Any] = []
        for part in parts:
            value, at = part(data, at)
            values.append(value)
        return tuple(values), at

    return read


def _array_reader(kind: str, order: str) -> _Read:
    """Lists; a dictionary where its parts are pairs of key and value."""
    number, is_dict = struct.Struct(order + "I"), kind[0] == "{"
    read_item = _struct_reader(_body_readers(kind[1:-1], order)) if is_dict else _reader(kind, order)
    code = _FIXED.get(kind)
    alignment = struct.calcsize(code) if code else 8 if kind[0] in "({" else 1 if kind[0] in "gv" else 4

    def read(data: bytes, at: int) -> tuple[Any, int]:
        at += -at % 4
        (size,) = number.unpack_from(data, at)
        at += 4
        at += -at % alignment
        end = at + size
        if code == "I":
            return list(struct.unpack_from(f"{order}{size // 4}I", data, at)), end
        values: list[Any] = []
        while at < end:
            value, at = read_item(data, at)
            values.append(value)
        return dict(values) if is_dict else values, at

    return read
