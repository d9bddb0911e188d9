"""A window whose accessibility tree is an attack; run as a program: ``<kind> <title>``. What it does is in ``KINDS``.

It prints ``shown`` once its window is mapped and known to the accessibility bus, and then the path of each element
whose children it was asked for.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
from types import TracebackType
from typing import Any, Final

from jeepney import DBusAddress, MessageType, new_error, new_method_call, new_method_return, new_signal
from jeepney.io.blocking import open_dbus_connection
from jeepney.low_level import HeaderFields, Message

from demopack.processes import end_process
from recorder.backends.atspi.bus import bus_address
from recorder.desktop.private_display import PrivateDesktop

KINDS: Final = {
    "million": "tells of three children, and sends a million",
    "table": "tells of a million children, and sends them",
    "cycle": "has itself as its child, and its parent",
    "long": "has names, descriptions and texts of ten million characters",
    "silent": "never answers once it is shown",
    "dying": "ends while it is being read",
    "changing": "has other children each time it is asked, and tells of changes all the time",
    "lying": "answers with other types, places that are none, numbers that are none",
}
_ROOT: Final = "/org/a11y/atspi/accessible/root"
_MANY, _LONG = 1_000_000, 10_000_000
_ASKED_BEFORE_DEATH = 40
_SHOWING, _EDITABLE = 1 << 25, 1 << 7
_FRAME, _PANEL, _SLIDER, _TEXT = 23, 39, 51, 61


class HostileProgram:
    """The program for the length of a ``with`` block, which begins when it is shown.

    Attributes:
        opened: the paths of the elements whose children were asked for so far.
    """

    def __init__(self, desktop: PrivateDesktop, kind: str) -> None:
        """Its title is its kind."""
        self._environment = desktop.environment()
        self._kind = kind
        self.opened: list[str] = []

    def __enter__(self) -> HostileProgram:
        command = [sys.executable, "-m", "tests.support.hostile_program", self._kind]
        self._process = subprocess.Popen(command, env=self._environment, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "shown\n"
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            self.opened.extend(line.strip() for line in lines)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        end_process(self._process)
        self._reader.join()


class _Answers:
    """What elements tell, as signature and body; None for an error."""

    def __init__(self, kind: str, bus: str) -> None:
        self._kind = kind
        self._bus = bus
        self._asked = 0

    def __call__(self, path: str, member: str) -> tuple[str, tuple[Any, ...]] | None:
        self._asked += 1
        if self._kind == "dying" and self._asked > _ASKED_BEFORE_DEATH:
            os._exit(0)
        if self._kind == "lying" and path != _ROOT and (lie := self._lie(path, member)) is not None:
            return lie
        children = self._children(path)
        answers: dict[str, tuple[str, tuple[Any, ...]]] = {
            "GetRole": ("u", (self._role(path),)),
            "GetState": ("au", ([_SHOWING | (_EDITABLE if path == "/text" else 0), 0],)),
            "GetChildren": ("a(so)", ([(self._bus, child) for child in children],)),
            "GetInterfaces": ("as", (["org.a11y.atspi.Accessible", "org.a11y.atspi.Component"],)),
            "GetExtents": ("(iiii)", ((10, 10, 200, 100),)),
            "GetAttributes": ("a{ss}", ({"placeholder-text": self._words("Hint")},)),
            "GetText": ("s", (self._words("content"),)),
            "Name": ("v", (("s", self._words(self._kind)),)),
            "Parent": ("v", (("(so)", (self._bus, "/window")),)),
            "ChildCount": ("v", (("i", _MANY if path == "/table" else min(3, len(children))),)),
            "CharacterCount": ("v", (("i", len(self._words("content"))),)),
            "ToolkitName": ("v", (("s", self._kind),)),
        }
        return answers.get(member)

    def _words(self, words: str) -> str:
        return "x" * _LONG if self._kind == "long" else words

    def _role(self, path: str) -> int:
        return {"/window": _FRAME, "/text": _TEXT, "/slider": _SLIDER}.get(path, _PANEL)

    def _children(self, path: str) -> list[str]:
        if path == _ROOT:
            return ["/window"]
        if self._kind == "cycle":
            return ["/window", "/loop"]
        if self._kind == "changing":
            return [f"/n{self._asked}x{number}" for number in range(3)]
        return {"/window": ["/text", "/slider", "/table"]}.get(path, [])

    def _lie(self, path: str, member: str) -> tuple[str, tuple[Any, ...]] | None:
        nowhere = [("", "/a"), ("no bus name", "/text"), ("x" * 300, "/text"), (self._bus, "/text"), (":1.99999", "/b")]
        nowhere.append((self._bus, "/slider"))
        lies: dict[str, tuple[str, tuple[Any, ...]]] = {
            "GetChildren": ("a(so)", (nowhere,)),
            "ChildCount": ("v", (("i", len(nowhere)) if path == "/window" else ("s", "many"),)),
            "Parent": ("v", (("(ss)", ("no bus name", "no path")),)),
            "GetExtents": ("(iiii)", ((-(2**31), 2**31 - 1, 2**31 - 1, -5),)),
            "GetState": ("au", ([_SHOWING, 0, *range(100)],)),
            "GetInterfaces": ("as", ([],)),
            "MinimumValue": ("v", (("d", float("nan")),)),
            "CurrentValue": ("v", (("d", float("inf")),)),
            "MaximumValue": ("v", (("d", float("-inf")),)),
            "CharacterCount": ("v", (("i", -5),)),
            "GetAttributes": ("as", (["placeholder-text"],)),
            "ToolkitName": ("v", (("u", 7),)),
        }
        if path == "/text" and member in {"Name", "GetRole"}:
            return {"Name": ("v", (("ai", [1, 2]),)), "GetRole": ("u", (4_000_000_000,))}[member]
        return lies.get(member)


def _many_children(asked: Message, serial: int, bus: str) -> bytes:
    """An answer of a million children, made of bytes: nothing else makes as many as fast."""
    head = new_method_return(asked, "a(so)", ([],)).serialise(serial)
    (fields,) = struct.unpack_from("<I", head, 12)
    item = struct.pack("<I", len(bus)) + bus.encode() + b"\0"
    item += b"\0" * (-len(item) % 4) + struct.pack("<I", 2) + b"/x\0"
    padded = item + b"\0" * (-len(item) % 8)
    items = padded * (_MANY - 1) + item
    body = struct.pack("<II", len(items), 0) + items
    return head[:4] + struct.pack("<I", len(body)) + head[8 : 16 + fields + -fields % 8] + body


def _window(title: str) -> Any:
    """A mapped window of this process; returns the connection that it lasts as long as."""
    from Xlib import X, Xutil, display

    connection = display.Display()
    screen = connection.screen()
    place = list(KINDS).index(title)
    at = (520, 20 + 70 * place)
    window = screen.root.create_window(*at, 250, 50, 0, screen.root_depth, background_pixel=0x406080 + 9 * place)
    window.set_wm_name(title)
    window.set_wm_class("hostile", "Hostile")
    window.set_wm_normal_hints(flags=Xutil.PPosition | Xutil.USPosition | Xutil.PSize)
    pid, cardinal = connection.intern_atom("_NET_WM_PID"), connection.intern_atom("CARDINAL")
    window.change_property(pid, cardinal, 32, [os.getpid()])
    window.change_attributes(event_mask=X.StructureNotifyMask)
    window.map()
    while connection.next_event().type != X.MapNotify:
        pass
    return connection


def _flood(connection: Any) -> None:
    """Tells of changes that are none, with bodies that are none."""
    for number in range(400):
        emitter = DBusAddress(f"/n{number}", interface="org.a11y.atspi.Event.Object")
        bodies: list[tuple[str, tuple[Any, ...]]] = [
            ("ssiv", ("focused", "not a number", 0, ("i", 0))),
            ("iiiv", (1, 1, 0, ("i", 0))),
            ("siiv", ("insert", 1, 0, ("s", "y" * 100_000))),
            ("", ()),
        ]
        signature, body = bodies[number % len(bodies)]
        connection.send(new_signal(emitter, "TextChanged", signature or None, body))


def main(kind: str) -> None:
    """Serve until it is ended."""
    address = bus_address(None)
    assert address is not None
    connection = open_dbus_connection(bus=address)
    bus = connection.unique_name
    registry = DBusAddress(_ROOT, "org.a11y.atspi.Registry", "org.a11y.atspi.Socket")
    connection.send_and_get_reply(new_method_call(registry, "Embed", "(so)", ((bus, _ROOT),)))
    shown = _window(kind)
    print("shown", flush=True)
    answers = _Answers(kind, bus)
    while shown is not None:
        asked = connection.receive()
        fields = asked.header.fields
        if asked.header.message_type is not MessageType.method_call:
            continue
        path, member = fields[HeaderFields.path], fields[HeaderFields.member]
        member = asked.body[1] if member == "Get" else member
        if member == "GetChildren":
            print(path, flush=True)
        if kind == "silent" and path != _ROOT:
            continue
        if kind == "changing":
            _flood(connection)
        if member == "GetChildren" and (kind, path) in {("million", "/window"), ("table", "/table")}:
            connection.sock.sendall(_many_children(asked, next(connection.outgoing_serial), bus))
            continue
        told = answers(path, member)
        if told is None:
            connection.send(new_error(asked, "org.freedesktop.DBus.Error.UnknownMethod"))
        else:
            connection.send(new_method_return(asked, *told))


if __name__ == "__main__":
    main(sys.argv[1])
