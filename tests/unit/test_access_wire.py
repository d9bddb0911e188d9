"""Messages of D-Bus, against jeepney, which reads what we write and writes what we read."""

from __future__ import annotations

from typing import Any

import jeepney
import pytest
from jeepney.low_level import Endianness, HeaderFields, MessageType, Parser

from recorder.backends.atspi.wire import ERROR, MAX_READ_BYTES, METHOD_RETURN, SIGNAL, MessageReader, encode_call

_REF = (":1.7", "/org/a11y/atspi/accessible/17", "org.a11y.atspi.Text")
_ANSWERS: list[tuple[str, tuple[Any, ...]]] = [
    ("", ()),
    ("v", (("s", "Grüße, 日本"),)),
    ("v", (("i", -3),)),
    ("v", (("d", 0.25),)),
    ("v", (("(so)", (":1.7", "/a/b")),)),
    ("u", (43,)),
    ("au", ([1 << 31, 7],)),
    ("as", (["Text", "", "Component"],)),
    ("a(so)", ([(":1.7", "/a"), (":1.12", "/b/c")],)),
    ("a(so)", ([],)),
    ("(iiii)", ((-4, 5, 600, 700),)),
    ("sii", ("a line\n", 3, 9)),
    ("a{ss}", ({"placeholder-text": "Name", "tag": "input"},)),
    ("siiv(so)", ("focused", 1, 0, ("i", 0), (":1.7", "/a"))),
    ("a{sv}", ({"Name": ("s", "x"), "ChildCount": ("i", 2)},)),
    ("yxatb", (1, -(1 << 40), [1 << 40], True)),
]


@pytest.mark.parametrize(
    ("signature", "arguments"),
    [
        ("", ()),
        ("ss", ("org.a11y.atspi.Accessible", "Name")),
        ("u", (1,)),
        ("iiu", (-5, 7, 0)),
        ("sass", ("object:text-changed", [], "")),
        ("sass", ("object:text-changed", ["a", "bcd"], "ü")),
        ("ssv", ("org.a11y.Status", "IsEnabled", ("b", True))),
    ],
)
def test_a_call_is_read_by_others_as_it_was_meant(signature: str, arguments: tuple[Any, ...]) -> None:
    (message,) = Parser().feed(encode_call(77, *_REF, "GetText", signature, arguments))
    fields = message.header.fields
    assert (message.header.message_type, message.header.serial) == (MessageType.method_call, 77)
    assert (fields[HeaderFields.destination], fields[HeaderFields.path], fields[HeaderFields.interface]) == _REF
    assert fields[HeaderFields.member] == "GetText"
    assert fields.get(HeaderFields.signature, "") == signature
    assert message.body == arguments


def _answer(signature: str, body: tuple[Any, ...], order: Endianness) -> bytes:
    asked = jeepney.new_method_call(jeepney.DBusAddress("/x", ":1.1", "a.b"), "Get")
    asked.header.serial = 41
    asked.header.fields[HeaderFields.sender] = ":1.2"
    answer = jeepney.new_method_return(asked, signature or None, body)
    answer.header.endianness = order
    answer.header.fields[HeaderFields.sender] = ":1.7"
    return bytes(answer.serialise(serial=5))


@pytest.mark.parametrize("order", list(Endianness))
@pytest.mark.parametrize(("signature", "body"), _ANSWERS)
def test_an_answer_of_others_is_read_as_it_was_meant(signature: str, body: tuple[Any, ...], order: Endianness) -> None:
    (message,) = MessageReader().read(_answer(signature, body, order))
    assert (message.kind, message.reply_serial, message.sender) == (METHOD_RETURN, 41, ":1.7")
    assert (message.signature, message.body) == (signature, body)


def test_signals_and_errors_and_messages_that_come_in_pieces() -> None:
    emitter = jeepney.DBusAddress("/org/a11y/window", ":1.7", "org.a11y.atspi.Event.Window")
    signal = jeepney.new_signal(emitter, "Activate", "siiv", ("", 0, 0, ("s", "title")))
    asked = jeepney.new_method_call(emitter, "Get")
    asked.header.serial = 9
    asked.header.fields[HeaderFields.sender] = ":1.2"
    error = jeepney.new_error(asked, "org.freedesktop.DBus.Error.UnknownMethod", "s", ("no such thing",))
    stream = signal.serialise(serial=1) + error.serialise(serial=2) + _answer("s", ("x" * 300,), Endianness.little)
    reader = MessageReader()
    found = [message for at in range(0, len(stream), 7) for message in reader.read(stream[at : at + 7])]
    assert [message.kind for message in found] == [SIGNAL, ERROR, METHOD_RETURN]
    assert found[0][3:6] == ("/org/a11y/window", "org.a11y.atspi.Event.Window", "Activate")
    assert found[1].reply_serial == 9
    assert found[2].body == ("x" * 300,)


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 400 Bad Request",
        b"l\x02\x00\x01" + b"\xff" * 20,
        _answer("u", (1,), Endianness.little)[:12] + b"\xf0\x00\x00\x00" + bytes(300),
        _answer("s", ("name",), Endianness.little)[:-9] + b"\xff\x00\x00\x00name\x00",
    ],
)
def test_what_is_no_message_is_told_as_such(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - it is all that the owner of the connection needs
        list(MessageReader().read(data))


@pytest.mark.parametrize("size", [7, 4096, 1 << 22])
def test_of_what_is_too_long_the_beginning_is_read_and_nothing_is_kept(size: int) -> None:
    emitter = jeepney.DBusAddress("/field", ":1.7", "org.a11y.atspi.Event.Object")
    pasted = jeepney.new_signal(emitter, "TextChanged", "siiv", ("insert", 3, 0, ("s", "x" * 300_000)))
    stream = _answer("a(so)", ([(":1.7", "/a")] * 20_000,), Endianness.little)
    stream += pasted.serialise(serial=1) + _answer("u", (43,), Endianness.little)
    reader, kept = MessageReader(), 0
    found = []
    for at in range(0, len(stream), size):
        found += reader.read(stream[at : at + size])
        kept = max(kept, len(reader._data))
    assert [(message.kind, message.signature, message.body) for message in found] == [
        (METHOD_RETURN, "", ()), (SIGNAL, "siiv", ("insert", 3, 0)), (METHOD_RETURN, "u", (43,)),
    ]  # fmt: skip
    assert found[0].reply_serial == 41, "whoever waits for it is told that there is no answer"
    assert kept < 2 * MAX_READ_BYTES


@pytest.mark.parametrize("size", [MAX_READ_BYTES - 100, MAX_READ_BYTES + 1])
def test_what_ends_with_the_length_that_is_read_is_followed_by_the_next_message(size: int) -> None:
    longest = _answer("s", ("x" * size,), Endianness.little)
    found = list(MessageReader().read(longest + _answer("u", (43,), Endianness.little)))
    assert [message.body for message in found] == [("x" * size,) if len(longest) <= MAX_READ_BYTES else (), (43,)]
