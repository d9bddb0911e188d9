"""Measures what a Wayland session tells a recorder without a window of its own: pictures, their times, the pointer.

Starts a headless sway with 1280x800 pixels on a private bus and a private runtime folder, a client that changes 900x600
of them at known times, and reads the screen in each way that is offered there::

    python benchmarks/wayland_capture.py [--way screencopy|portal|grim|wf-recorder] [--seconds 6] [--json FILE]

Needs sway, dbus-run-session and numpy; for the single ways grim, wf-recorder, and for the portal pipewire, wireplumber,
xdg-desktop-portal and xdg-desktop-portal-wlr (Debian's package names). A way whose programs are not installed is named
with what is missing, and is not measured. Nothing of the running session is touched.

CPU is in percent of one core. All times are CLOCK_MONOTONIC. docs/adr/0045-wayland-without-a-window.md has the figures.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import mmap
import multiprocessing
import os
import random
import re
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

import numpy as np

SIZE = (1280, 800)
SHEET = (100, 100, 900, 600)
FPS = 30
SINGLE_CHANGES = 60
OUTPUT = "HEADLESS-1"
PORTAL = Path("/usr/libexec/xdg-desktop-portal")
PORTAL_WLR = Path("/usr/libexec/xdg-desktop-portal-wlr")
WAYS = ("screencopy", "portal", "grim", "wf-recorder")
NEEDS: dict[str, tuple[str, ...]] = {
    "screencopy": (),
    "portal": ("pipewire", "wireplumber", str(PORTAL), str(PORTAL_WLR), "libpipewire-0.3.so.0"),
    "grim": ("grim",),
    "wf-recorder": ("wf-recorder",),
}
_MS = 1e6
_TIMEOUT_S = 10.0
_NOBODY = 65534


# ---------------------------------------------------------------- the Wayland protocol, as far as it is needed here


def _string(text: str) -> bytes:
    raw = text.encode() + b"\0"
    return struct.pack("=I", len(raw)) + raw + b"\0" * (-len(raw) % 4)


class WaylandClient:
    """One connection to the compositor.

    Attributes:
        offers: name and version of each interface that the compositor offers.
    """

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        self._rest = b""
        self._last_id = 1
        self._handlers: dict[tuple[int, int], Callable[[bytes], None]] = {}
        self.offers: dict[str, tuple[int, int]] = {}
        self._handlers[1, 0] = self._failed
        registry = self.new()
        self._registry = registry
        self.on(registry, 0, self._offered)
        self.send(1, 1, struct.pack("=I", registry))
        self.wait_for_all()

    def new(self) -> int:
        """A number for a new object."""
        self._last_id += 1
        return self._last_id

    def on(self, target: int, opcode: int, handler: Callable[[bytes], None]) -> None:
        """Call ``handler`` with the arguments of an event."""
        self._handlers[target, opcode] = handler

    def send(self, target: int, opcode: int, arguments: bytes = b"", fd: int | None = None) -> None:
        """Send a request."""
        message = struct.pack("=II", target, (8 + len(arguments)) << 16 | opcode) + arguments
        try:
            socket.send_fds(self._socket, [message], [] if fd is None else [fd])
        except BrokenPipeError:
            self.read()  # what the compositor complained of
            raise

    def bind(self, interface: str, version: int) -> int:
        """An object of an interface that is offered.

        Raises:
            KeyError: it is not offered.
        """
        name, offered = self.offers[interface]
        number = self.new()
        arguments = struct.pack("=I", name) + _string(interface) + struct.pack("=II", min(version, offered), number)
        self.send(self._registry, 0, arguments)
        return number

    def read(self, timeout_s: float | None = None) -> bool:
        """Handle what has come; False if nothing came in time."""
        self._socket.settimeout(timeout_s)
        try:
            data, fds, _, _ = socket.recv_fds(self._socket, 65536, 8)
        except TimeoutError:
            return False
        finally:
            self._socket.settimeout(None)
        for fd in fds:  # keymaps
            os.close(fd)
        if not data:
            raise ConnectionError("the compositor has closed the connection")
        self._rest += data
        while len(self._rest) >= 8:
            target, word = struct.unpack_from("=II", self._rest)
            length = word >> 16
            if len(self._rest) < length:
                break
            body, self._rest = self._rest[8:length], self._rest[length:]
            handler = self._handlers.get((target, word & 0xFFFF))
            if handler is not None:
                handler(body)
        return True

    def wait_for_all(self) -> None:
        """Return when the compositor has carried out every request."""
        done: list[bytes] = []
        callback = self.new()
        self.on(callback, 0, done.append)
        self.send(1, 0, struct.pack("=I", callback))
        while not done:
            self.read()

    def buffer(self, shm: int, width: int, height: int, stride: int, pixel_format: int) -> tuple[int, mmap.mmap]:
        """A buffer that both sides see, and its memory."""
        size = height * stride
        fd = os.memfd_create("pixels")
        os.ftruncate(fd, size)
        memory = mmap.mmap(fd, size)
        pool, number = self.new(), self.new()
        self.send(shm, 0, struct.pack("=Ii", pool, size), fd)
        self.send(pool, 0, struct.pack("=IiiiiI", number, 0, width, height, stride, pixel_format))
        os.close(fd)
        return number, memory

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _offered(self, body: bytes) -> None:
        name, length = struct.unpack_from("=II", body)
        interface = body[8 : 8 + length - 1].decode()
        (version,) = struct.unpack_from("=I", body, 8 + length + -length % 4)
        self.offers[interface] = (name, version)

    def _failed(self, body: bytes) -> None:
        raise ConnectionError(f"the compositor refuses: {body[12:].decode(errors='replace')}")


# ---------------------------------------------------------------- the program that changes the screen


class Painter:
    """A window over the whole screen; paints its sheet in the colour of a number, which rises with each change."""

    def __init__(self, path: str) -> None:
        self.client = client = WaylandClient(path)
        compositor, shm = client.bind("wl_compositor", 4), client.bind("wl_shm", 1)
        self._base = client.bind("xdg_wm_base", 1)
        client.on(self._base, 0, lambda body: client.send(self._base, 3, body))
        self._surface, xdg, top = client.new(), client.new(), client.new()
        client.send(compositor, 0, struct.pack("=I", self._surface))
        client.send(self._base, 2, struct.pack("=II", xdg, self._surface))
        client.send(xdg, 1, struct.pack("=I", top))
        configured: list[bytes] = []

        def configure(body: bytes) -> None:
            client.send(xdg, 4, body)
            configured.append(body)

        client.on(xdg, 0, configure)
        client.send(self._surface, 6)
        while not configured:
            client.read()
        width, height = SIZE
        self._buffers = [client.buffer(shm, width, height, width * 4, 1) for _ in range(3)]
        self._pixels = [np.frombuffer(memory, np.uint32).reshape(height, width) for _, memory in self._buffers]
        for pixels in self._pixels:
            pixels[:] = 0x808080
        self.number = 0
        self.commits: list[tuple[int, int]] = []
        self.clicks: list[int] = []
        self._listen_to_pointer()
        self.paint()

    def _listen_to_pointer(self) -> None:
        seat, pointers = self.client.bind("wl_seat", 1), list[int]()

        def capable(body: bytes) -> None:
            if struct.unpack("=I", body)[0] & 1 and not pointers:
                pointers.append(self.client.new())
                self.client.send(seat, 0, struct.pack("=I", pointers[0]))
                self.client.on(pointers[0], 3, self._button)

        self.client.on(seat, 0, capable)

    def _button(self, body: bytes) -> None:
        _, milliseconds, _, pressed = struct.unpack("=IIII", body)
        if pressed:
            self.clicks.append(milliseconds)
            self.paint()

    def paint(self) -> None:
        """Change the sheet, and note when the change was committed."""
        self.number += 1
        left, top, width, height = SHEET
        place = self.number % len(self._buffers)
        self._pixels[place][top : top + height, left : left + width] = self.number
        client, surface = self.client, self._surface
        client.send(surface, 1, struct.pack("=Iii", self._buffers[place][0], 0, 0))
        client.send(surface, 2, struct.pack("=iiii", left, top, width, height))
        self.commits.append((self.number, time.monotonic_ns()))
        client.send(surface, 6)

    def work(self, orders: Connection) -> None:
        """Do what is asked for until told to stop."""
        while (order := orders.recv()) is not None:
            self.commits.clear()
            self.clicks.clear()
            what, amount = order
            if what == "singly":
                dice = random.Random(7)
                for _ in range(int(amount)):
                    self._pause(0.1 + dice.random() / 10)
                    self.paint()
            elif what == "steadily":
                end, n = time.monotonic() + amount, 0
                start = time.monotonic()
                while time.monotonic() < end:
                    self.paint()
                    n += 1
                    self._pause(start + n / FPS - time.monotonic())
            else:
                self._pause(amount)
            orders.send((list(self.commits), list(self.clicks)))

    def _pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.client.read(max(left, 0.0005))


def paint_for(path: str, orders: Connection) -> None:
    """The painter's process."""
    painter = Painter(path)
    orders.send("ready")
    painter.work(orders)


# ---------------------------------------------------------------- the ways to read the screen


@dataclass(frozen=True, slots=True)
class CapturedFrame:
    """A picture: the number on its sheet, the time that came with it (-1: none), and when we had all of its pixels."""

    number: int
    stamp_ns: int
    received_ns: int
    damage_px: int


class ScreenReader(Protocol):
    """A way to read the screen all the time."""

    frames: list[CapturedFrame]
    facts: dict[str, Any]

    def stop(self) -> None:
        """End it."""


def _number_in(pixels: bytes, stride: int) -> int:
    left, top, width, height = SHEET
    place = (top + height // 2) * stride + (left + width // 2) * 4
    return int.from_bytes(pixels[place : place + 3], "little")


class ScreencopyReader:
    """zwlr_screencopy_manager_v1: asks for the next picture that differs, again and again, in a thread."""

    def __init__(self, path: str) -> None:
        self.frames: list[CapturedFrame] = []
        self.facts: dict[str, Any] = {}
        self._client = WaylandClient(path)
        self._manager = self._client.bind("zwlr_screencopy_manager_v1", 3)
        self.facts["interface"] = f"zwlr_screencopy_manager_v1 {self._client.offers['zwlr_screencopy_manager_v1'][1]}"
        self._shm, self._output = self._client.bind("wl_shm", 1), self._client.bind("wl_output", 1)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        client = self._client
        buffer, memory, stride = 0, None, 0
        while not self._ended.is_set():
            offered: list[bytes] = []
            ready: list[bytes] = []
            failed: list[bytes] = []
            damage: list[bytes] = []
            frame = client.new()
            client.on(frame, 0, offered.append)
            client.on(frame, 2, ready.append)
            client.on(frame, 3, failed.append)
            client.on(frame, 4, damage.append)
            client.send(self._manager, 0, struct.pack("=IiI", frame, 0, self._output))
            client.wait_for_all()
            if memory is None:
                pixel_format, width, height, stride = struct.unpack("=IIII", offered[0])
                buffer, memory = client.buffer(self._shm, width, height, stride, pixel_format)
            client.send(frame, 2, struct.pack("=I", buffer))
            while not ready and not failed and not self._ended.is_set():
                client.read(0.2)
            if ready:
                pixels = memory[:]
                high, low, nanoseconds = struct.unpack("=III", ready[0])
                stamp = (high << 32 | low) * 1_000_000_000 + nanoseconds
                self.frames.append(
                    CapturedFrame(_number_in(pixels, stride), stamp, time.monotonic_ns(), sum(map(_area, damage)))
                )
            client.send(frame, 1)

    def stop(self) -> None:
        """End it."""
        self._ended.set()
        self._thread.join()
        self._client.close()


def _area(body: bytes) -> int:
    size: tuple[int, ...] = struct.unpack_from("=II", body, 8)
    return size[0] * size[1]


class _SpaData(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("fd", ctypes.c_int64),
        ("mapoffset", ctypes.c_uint32),
        ("maxsize", ctypes.c_uint32),
        ("data", ctypes.c_void_p),
        ("chunk", ctypes.POINTER(ctypes.c_uint32)),
    ]


class _SpaMeta(ctypes.Structure):
    _fields_ = [("type", ctypes.c_uint32), ("size", ctypes.c_uint32), ("data", ctypes.c_void_p)]


class _SpaBuffer(ctypes.Structure):
    _fields_ = [
        ("n_metas", ctypes.c_uint32),
        ("n_datas", ctypes.c_uint32),
        ("metas", ctypes.POINTER(_SpaMeta)),
        ("datas", ctypes.POINTER(_SpaData)),
    ]


class _PwBuffer(ctypes.Structure):
    _fields_ = [("buffer", ctypes.POINTER(_SpaBuffer)), ("user_data", ctypes.c_void_p), ("size", ctypes.c_uint64)]


_STATE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_char_p)
_PARAM = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p)
_PROCESS = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _PwStreamEvents(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_uint32),
        ("destroy", ctypes.c_void_p),
        ("state_changed", _STATE),
        ("control_info", ctypes.c_void_p),
        ("io_changed", ctypes.c_void_p),
        ("param_changed", _PARAM),
        ("add_buffer", ctypes.c_void_p),
        ("remove_buffer", ctypes.c_void_p),
        ("process", _PROCESS),
        ("drained", ctypes.c_void_p),
        ("command", ctypes.c_void_p),
        ("trigger_done", ctypes.c_void_p),
    ]


_ID, _INT, _RECTANGLE, _FRACTION, _OBJECT, _CHOICE = 3, 4, 10, 11, 15, 19
_FORMAT_OBJECT, _BUFFERS_OBJECT, _META_OBJECT = 0x40003, 0x40004, 0x40005
_ENUM_FORMAT, _FORMAT, _BUFFERS, _META = 3, 4, 5, 6
_HEADER, _DAMAGE, _CURSOR = 1, 3, 5


def _pod(kind: int, body: bytes) -> bytes:
    return struct.pack("=II", len(body), kind) + body + b"\0" * (-len(body) % 8)


def _choice(how: int, kind: int, *values: bytes) -> bytes:
    return _pod(_CHOICE, struct.pack("=IIII", how, 0, len(values[0]), kind) + b"".join(values))


def _object(kind: int, what: int, *properties: tuple[int, bytes]) -> bytes:
    body = b"".join(struct.pack("=II", key, 0) + value for key, value in properties)
    return _pod(_OBJECT, struct.pack("=II", kind, what) + body)


def _number(kind: int, value: int) -> bytes:
    return _pod(kind, struct.pack("=I", value))


def _pair(first: int, second: int) -> bytes:
    return struct.pack("=II", first, second)


def _formats() -> bytes:
    """Raw video, four bytes a pixel, of any size and rate."""
    return _object(
        _FORMAT_OBJECT,
        _ENUM_FORMAT,
        (1, _number(_ID, 2)),
        (2, _number(_ID, 1)),
        (0x20001, _choice(3, _ID, *(struct.pack("=I", value) for value in (8, 8, 12, 7, 11)))),
        (0x20003, _choice(1, _RECTANGLE, _pair(*SIZE), _pair(1, 1), _pair(8192, 8192))),
        (0x20004, _choice(1, _FRACTION, _pair(60, 1), _pair(0, 1), _pair(240, 1))),
    )


def _wishes() -> list[bytes]:
    """Memory that we can map, and what is to be told with each picture."""
    metas = [
        (_HEADER, 32, 32, 32),
        (_DAMAGE, 256, 16, 1024),
        (_CURSOR, _cursor_size(64), _cursor_size(1), _cursor_size(512)),
    ]
    return [
        _object(_BUFFERS_OBJECT, _BUFFERS, (6, _choice(4, _INT, struct.pack("=I", 1 << 2 | 1 << 1)))),
        *(
            _object(
                _META_OBJECT,
                _META,
                (1, _number(_ID, kind)),
                (2, _choice(1, _INT, *(struct.pack("=I", size) for size in sizes))),
            )
            for kind, *sizes in metas
        ),
    ]


def _cursor_size(side: int) -> int:
    return 28 + 20 + side * side * 4


class PipewireReader:
    """A PipeWire stream of the screen.

    Attributes:
        cursors: position of the pointer and when we had it, for each buffer that told one.
    """

    def __init__(self, fd: int | None, node: int) -> None:
        self.frames: list[CapturedFrame] = []
        self.cursors: list[tuple[int, int, int]] = []
        self.facts: dict[str, Any] = {}
        self._pw = pw = ctypes.CDLL("libpipewire-0.3.so.0")
        for name in ("pw_thread_loop_new", "pw_thread_loop_get_loop", "pw_context_new", "pw_context_connect",
                     "pw_context_connect_fd", "pw_stream_new", "pw_stream_dequeue_buffer"):  # fmt: skip
            getattr(pw, name).restype = ctypes.c_void_p
        pw.pw_init(None, None)
        self._loop = ctypes.c_void_p(pw.pw_thread_loop_new(b"reader", None))
        context = ctypes.c_void_p(pw.pw_context_new(ctypes.c_void_p(pw.pw_thread_loop_get_loop(self._loop)), None, 0))
        core = pw.pw_context_connect(context, None, 0) if fd is None else pw.pw_context_connect_fd(context, fd, None, 0)
        if not core:
            raise ConnectionError("PipeWire does not answer")
        self._stream = ctypes.c_void_p(pw.pw_stream_new(ctypes.c_void_p(core), b"reader", None))
        self._hook = ctypes.create_string_buffer(256)
        self._events = _PwStreamEvents(
            version=2,
            state_changed=_STATE(self._state),
            param_changed=_PARAM(self._param),
            process=_PROCESS(self._process),
        )
        pw.pw_stream_add_listener(self._stream, self._hook, ctypes.byref(self._events), None)
        params, self._keep = _pods([_formats()])
        pw.pw_stream_connect(self._stream, 0, ctypes.c_uint32(node), 1 | 4, params, 1)
        pw.pw_thread_loop_start(self._loop)

    def _state(self, _: object, __: int, state: int, error: bytes | None) -> None:
        self.facts["stream state"] = state
        if error:
            self.facts["error"] = error.decode()

    def _param(self, _: object, what: int, param: int | None) -> None:
        if what == _FORMAT and param:
            params, self._keep = _pods(_wishes())
            self._pw.pw_stream_update_params(self._stream, params, len(self._keep))

    def _process(self, _: object) -> None:
        address = self._pw.pw_stream_dequeue_buffer(self._stream)
        if not address:
            return
        buffer = ctypes.cast(address, ctypes.POINTER(_PwBuffer)).contents.buffer.contents
        stamp, damage = -1, 0
        for i in range(buffer.n_metas):
            meta = buffer.metas[i]
            if meta.type == _HEADER:
                _, _, stamp, _, _ = struct.unpack("=IIqqQ", ctypes.string_at(meta.data, 32))
            elif meta.type == _DAMAGE:
                for place in range(0, meta.size - 15, 16):
                    _, _, width, height = struct.unpack("=iiII", ctypes.string_at(meta.data + place, 16))
                    if not width:
                        break
                    damage += width * height
            elif meta.type == _CURSOR:
                known, _, x, y = struct.unpack("=IIii", ctypes.string_at(meta.data, 16))
                if known:
                    self.cursors.append((x, y, time.monotonic_ns()))
        data = buffer.datas[0]
        _, size, stride, flags = (data.chunk[i] for i in range(4))
        if data.data and size and not flags & 1:
            pixels = ctypes.string_at(data.data, size)
            self.frames.append(CapturedFrame(_number_in(pixels, stride), stamp, time.monotonic_ns(), damage))
        self._pw.pw_stream_queue_buffer(self._stream, ctypes.c_void_p(address))

    def stop(self) -> None:
        """End it."""
        self._pw.pw_thread_loop_stop(self._loop)


def _pods(pods: list[bytes]) -> tuple[Any, list[Any]]:
    keep = [ctypes.create_string_buffer(pod, len(pod)) for pod in pods]
    return (ctypes.c_void_p * len(keep))(*(ctypes.addressof(pod) for pod in keep)), keep


class PortalReader(PipewireReader):
    """The portal's ScreenCast: what any program may ask for, with the person's consent."""

    def __init__(self) -> None:
        # Here, so that the rest can be measured without it.
        from jeepney import DBusAddress, HeaderFields, MatchRule, Properties, new_method_call
        from jeepney.io.blocking import open_dbus_connection

        self._bus = bus = open_dbus_connection(enable_fds=True)
        name = "org.freedesktop.portal.Desktop"
        cast = DBusAddress(
            "/org/freedesktop/portal/desktop", bus_name=name, interface="org.freedesktop.portal.ScreenCast"
        )
        facts: dict[str, Any] = {}
        for key in ("version", "AvailableCursorModes", "AvailableSourceTypes"):
            facts[f"ScreenCast {key}"] = bus.send_and_get_reply(Properties(cast).get(key), timeout=_TIMEOUT_S).body[0][
                1
            ]
        rule = MatchRule(type="signal", interface="org.freedesktop.portal.Request", member="Response")
        daemon = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        bus.send_and_get_reply(new_method_call(daemon, "AddMatch", "s", (rule.serialise(),)))

        def ask(method: str, signature: str, *arguments: object) -> dict[str, Any]:
            with bus.filter(rule) as answers:
                reply = bus.send_and_get_reply(new_method_call(cast, method, signature, arguments), timeout=_TIMEOUT_S)
                if reply.header.message_type.name == "error":
                    raise ConnectionError(f"{method}: {reply.body or reply.header.fields.get(HeaderFields.error_name)}")
                code, results = bus.recv_until_filtered(answers, timeout=_TIMEOUT_S).body
            if code:
                raise ConnectionError(f"{method}: the portal answers {code}")
            return dict(results)

        token = {"handle_token": ("s", "a"), "session_handle_token": ("s", "b")}
        session = ask("CreateSession", "a{sv}", token)["session_handle"][1]
        ask("SelectSources", "oa{sv}", session, {"types": ("u", 1), "cursor_mode": ("u", 1), "persist_mode": ("u", 2)})
        started = ask("Start", "osa{sv}", session, "", {})
        facts["restore token given"] = "restore_token" in started
        node, properties = started["streams"][1][0]
        facts["stream"] = {key: value[1] for key, value in properties.items()}
        remote = bus.send_and_get_reply(new_method_call(cast, "OpenPipeWireRemote", "oa{sv}", (session, {})))
        super().__init__(remote.body[0].to_raw_fd(), node)
        self.facts |= facts

    def stop(self) -> None:
        """End it, and the portal's session."""
        super().stop()
        self._bus.close()


class ProgramReader:
    """wf-recorder: a film. It tells no times, so only what it costs is measured."""

    def __init__(self, folder: Path) -> None:
        self.frames: list[CapturedFrame] = []
        self.facts: dict[str, Any] = {}
        command = ["wf-recorder", "-y", "-f", str(folder / "film.mkv"), "-c", "libx264", "-p", "preset=ultrafast"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(1)
        if self.process.poll() is not None:
            raise ConnectionError(f"wf-recorder ended with {self.process.returncode}")

    def stop(self) -> None:
        """End it."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(3)
        except subprocess.TimeoutExpired:  # it waits for the next change, which may never come
            self.process.kill()
            self.process.wait()


# ---------------------------------------------------------------- the session


class DmabufAnnouncer:
    """A socket before the compositor's, where each screencopy frame may come in the memory of a graphics card, too.

    Without such a card xdg-desktop-portal-wlr 0.7 refuses to start, though it goes on by shared memory once it has
    started (its issue 289). What is announced here it never uses.
    """

    _BUFFER = re.compile(rb"(.{4})\0\0\x18\0.{4}" + re.escape(struct.pack("=III", *SIZE, SIZE[0] * 4)), re.DOTALL)
    _DMABUF = struct.pack("=IIII", 20 << 16 | 5, 0x34325258, *SIZE)

    def __init__(self, display: str) -> None:
        self.path = f"{display}-dmabuf"
        self._display = display
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(self.path)
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            inner, _ = self._listener.accept()
            outer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            outer.connect(self._display)
            for source, target in ((inner, outer), (outer, inner)):
                threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                data, fds, _, _ = socket.recv_fds(source, 65536, 28)
                if not data:
                    break
                data = self._BUFFER.sub(lambda found: found[0] + found[1] + self._DMABUF, data)
                socket.send_fds(target, [data], fds)
                for fd in fds:
                    os.close(fd)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


@dataclass
class HeadlessSession:
    """Sway without a screen, and what runs beside it.

    Attributes:
        display: the path of its socket.
        processes: what was started, by name.
    """

    folder: Path
    display: str = ""
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict[str, "subprocess.Popen[bytes]"])

    def start(self, name: str, *command: str) -> None:
        """Start a program in it, its words in a file."""
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def end(self) -> None:
        """End all of it."""
        for process in reversed(self.processes.values()):
            process.terminate()
            try:
                process.wait(3)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextlib.contextmanager
def headless_session(folder: Path, *, portal: bool) -> Generator[HeadlessSession]:
    """Start it; the environment of this process is that session's from then on."""
    session = HeadlessSession(folder)
    os.environ |= {
        "XDG_RUNTIME_DIR": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_CURRENT_DESKTOP": "sway",
        "WLR_BACKENDS": "headless",
        "WLR_LIBINPUT_NO_DEVICES": "1",
        "WLR_RENDERER": "pixman",
    }
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK"):
        os.environ.pop(name, None)
    config = folder / "sway.conf"
    config.write_text(
        f"output {OUTPUT} resolution {SIZE[0]}x{SIZE[1]} position 0 0\ndefault_border none\nseat * hide_cursor 0\n",
        encoding="utf-8",
    )
    chooser = folder / "config" / "xdg-desktop-portal-wlr"
    chooser.mkdir(parents=True)
    (chooser / "config").write_text(
        f"[screencast]\noutput_name={OUTPUT}\nchooser_type=none\nmax_fps=60\n", encoding="utf-8"
    )
    try:
        session.start("sway", *_as_nobody(folder), "sway", "--config", str(config))
        _until(lambda: any(folder.glob("wayland-?")), "sway opens no socket")
        session.display = str(next(folder.glob("wayland-?")))
        os.environ["WAYLAND_DISPLAY"] = Path(session.display).name
        if portal:
            session.start("pipewire", "pipewire")
            _until((folder / "pipewire-0").exists, "PipeWire opens no socket")
            session.start("wireplumber", "wireplumber")
            announcer = DmabufAnnouncer(session.display)
            session.start("portal-wlr", "env", f"WAYLAND_DISPLAY={Path(announcer.path).name}", str(PORTAL_WLR))
            time.sleep(1)
            session.start("portal", str(PORTAL))
            time.sleep(2)
        yield session
    finally:
        session.end()


def _as_nobody(folder: Path) -> list[str]:
    """Sway refuses to run as root: where we are, how it is started as somebody else."""
    if os.geteuid():
        return []
    for path in (folder, *folder.rglob("*")):
        os.chown(path, _NOBODY, _NOBODY)
    return ["setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups", "--"]


def _until(ready: Callable[[], bool], complaint: str) -> None:
    end = time.monotonic() + _TIMEOUT_S
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(complaint)
        time.sleep(0.02)


def _cpu_s(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class CpuMeter:
    """CPU time of the session's processes and of this one."""

    session: HeadlessSession
    more: dict[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        self._before, self._start = self._now(), time.monotonic()

    def _now(self) -> dict[str, float]:
        now = {name: _cpu_s(process.pid) for name, process in self.session.processes.items()}
        now |= {name: _cpu_s(pid) for name, pid in self.more.items()}
        return now | {"reader": time.process_time()}

    def percent(self) -> dict[str, float]:
        """Percent of one core since it was made, of each."""
        seconds = time.monotonic() - self._start
        now = self._now()
        return {name: round(100 * (now[name] - self._before[name]) / seconds, 1) for name in now}


# ---------------------------------------------------------------- the figures


def _order(orders: Connection, what: str, amount: float) -> tuple[list[tuple[int, int]], list[int]]:
    orders.send((what, amount))
    commits, clicks = orders.recv()
    time.sleep(0.3)
    return commits, clicks


def delays(commits: list[tuple[int, int]], frames: list[CapturedFrame]) -> dict[str, Any]:
    """Compare when something was painted with the pictures that came.

    Keys: ``finished ms``: from a change to the first picture that shows it, with all of its pixels here (median, 95th
    part of a hundred, most). ``stamp ms``: the same to the time that came with that picture. ``stamp before its
    content``: pictures that show something painted after the time that came with them. ``stale ms``: how much older
    than its stamp what a picture shows may be.
    """
    painted = dict(commits)
    finished: list[float] = []
    stamped: list[float] = []
    early, stale = 0, 0.0
    shown: set[int] = set()
    for frame in frames:
        when = painted.get(frame.number)
        if when is None:
            continue
        if frame.stamp_ns > 0:
            early += frame.stamp_ns < when
            following = painted.get(frame.number + 1)
            if following is not None:
                stale = max(stale, (frame.stamp_ns - following) / _MS)
        if frame.number not in shown:
            shown.add(frame.number)
            finished.append((frame.received_ns - when) / _MS)
            if frame.stamp_ns > 0:
                stamped.append((frame.stamp_ns - when) / _MS)
    return {
        "changes": len(painted),
        "shown": len(shown),
        "finished ms": _spread(finished),
        "stamp ms": _spread(stamped),
        "stamp before its content": early,
        "stale ms": round(stale, 1),
        "damage px": round(statistics.median(frame.damage_px for frame in frames)) if frames else None,
    }


def _spread(values: list[float]) -> list[float] | None:
    if not values:
        return None
    ordered = sorted(values)
    return [round(value, 1) for value in (statistics.median(ordered), ordered[int(len(ordered) * 0.95)], ordered[-1])]


def measure_reader(
    reader: ScreenReader, session: HeadlessSession, orders: Connection, seconds: float
) -> dict[str, Any]:
    """At rest, single changes, changes all the time."""
    row: dict[str, Any] = {}
    more = {"wf-recorder": reader.process.pid} if isinstance(reader, ProgramReader) else {}
    time.sleep(1)
    for name, amount in (("quietly", seconds), ("singly", SINGLE_CHANGES), ("steadily", seconds)):
        reader.frames.clear()
        meter = CpuMeter(session, more)
        start = time.monotonic()
        commits, _ = _order(orders, name, amount)
        took = time.monotonic() - start
        row[name] = {"pictures a second": round(len(reader.frames) / took, 1), "cpu": meter.percent()}
        if commits:
            row[name] |= delays(commits, reader.frames)
    return row | {"facts": reader.facts}


def measure_grim() -> dict[str, Any]:
    """A program for each picture."""
    times: list[float] = []
    before = os.times()
    for _ in range(20):
        start = time.monotonic()
        subprocess.run(["grim", "-t", "ppm", "-o", OUTPUT, "-"], check=True, stdout=subprocess.DEVNULL)
        times.append((time.monotonic() - start) * 1000)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return {"ms a picture": _spread(times), "cpu ms a picture": round(used * 1000 / 20, 1)}


def measure_clicks(session: HeadlessSession, orders: Connection) -> dict[str, Any]:
    """Clicks by a virtual pointer on a window that answers each with a change, and what a second program learns."""
    clicker, watcher = WaylandClient(session.display), WaylandClient(session.display)
    reader = ScreencopyReader(session.display)
    manager, device = clicker.bind("zwlr_virtual_pointer_manager_v1", 1), clicker.new()
    clicker.send(manager, 0, struct.pack("=II", 0, device))
    clicker.wait_for_all()
    seen: list[bytes] = []
    seat, pointer = watcher.bind("wl_seat", 5), watcher.new()
    watcher.send(seat, 0, struct.pack("=I", pointer))
    for opcode in range(9):
        watcher.on(pointer, opcode, seen.append)
    watcher.wait_for_all()
    sent: list[int] = []

    def click() -> None:
        for _ in range(30):
            time.sleep(0.1)
            clicker.send(device, 1, struct.pack("=IIIII", _now_ms(), 400, 300, *SIZE))
            clicker.send(device, 4)
            sent.append(time.monotonic_ns())
            for pressed in (1, 0):
                clicker.send(device, 2, struct.pack("=III", _now_ms(), 0x110, pressed))
                clicker.send(device, 4)
                time.sleep(0.01)

    thread = threading.Thread(target=click)
    thread.start()
    commits, clicks = _order(orders, "quietly", 5)
    thread.join()
    watcher.wait_for_all()
    reader.stop()
    painted = dict(commits)
    right = 0
    for when, (number, _) in zip(sent, commits, strict=False):
        before = [frame for frame in reader.frames if frame.stamp_ns <= when]
        right += bool(before) and before[-1].number == number - 1
    for client in (clicker, watcher):
        client.close()
    return {
        "clicks": len(sent),
        "the window got": len(clicks),
        "events that a second program got": len(seen),
        "answer painted after ms": _spread([(p - s) / _MS for p, s in zip(painted.values(), sent, strict=False)]),
        "picture with a stamp before the click shows the state before it": right,
    }


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000 & 0xFFFFFFFF


def _missing(needs: tuple[str, ...]) -> list[str]:
    def there(name: str) -> bool:
        if name.startswith("lib"):
            with contextlib.suppress(OSError):
                ctypes.CDLL(name)
                return True
            return False
        return Path(name).exists() if name.startswith("/") else shutil.which(name) is not None

    return [name for name in needs if not there(name)]


def measure(ways: list[str], seconds: float) -> dict[str, Any]:
    """The figures of each way; a sentence where there are none."""
    lacks = {way: _missing(NEEDS[way]) for way in ways}
    rows: dict[str, Any] = {way: f"not measured; not installed: {', '.join(no)}" for way, no in lacks.items() if no}
    spawn = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory(prefix="wl-") as name,
        headless_session(Path(name), portal="portal" in ways and not lacks["portal"]) as session,
    ):
        orders, other = spawn.Pipe()
        painter = spawn.Process(target=paint_for, args=(session.display, other), daemon=True)
        painter.start()
        orders.recv()
        probe = WaylandClient(session.display)
        print("offered:", ", ".join(sorted(f"{key} {version}" for key, (_, version) in probe.offers.items())))
        probe.close()
        makers: dict[str, Callable[[], ScreenReader]] = {
            "screencopy": lambda: ScreencopyReader(session.display),
            "portal": PortalReader,
            "wf-recorder": lambda: ProgramReader(Path(name)),
        }
        meter = CpuMeter(session)
        _order(orders, "steadily", seconds)
        rows["nobody reads"] = {"steadily": {"cpu": meter.percent()}}
        for way in ways:
            if lacks[way]:
                continue
            try:
                if way == "grim":
                    rows[way] = measure_grim()
                    continue
                reader = makers[way]()
                try:
                    rows[way] = measure_reader(reader, session, orders, seconds)
                finally:
                    reader.stop()
            except (OSError, KeyError) as error:
                rows[way] = f"failed: {error!r}"
                for log in sorted(Path(name).glob("*.log")):
                    print(f"== {log.name}\n{log.read_text(errors='replace')[-2000:]}", file=sys.stderr)
        rows["clicks"] = measure_clicks(session, orders)
        orders.send(None)
        painter.join()
    return rows


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--way", choices=WAYS, action="append", help="measure only this way; may be repeated")
    parser.add_argument("--seconds", type=float, default=6.0, help="at rest and while all changes")
    parser.add_argument("--json", type=Path, help="write the figures there, too")
    parser.add_argument("--in-session", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if lacking := _missing(("sway", "dbus-run-session")):
        print(f"nothing can be measured; not installed: {', '.join(lacking)}")
        return 1
    if not options.in_session:
        return subprocess.call(["dbus-run-session", "--", sys.executable, __file__, "--in-session", *sys.argv[1:]])
    rows = measure(options.way or list(WAYS), options.seconds)
    for way, row in rows.items():
        print(f"\n{way}")
        for key, value in row.items() if isinstance(row, dict) else [("", row)]:
            print(f"  {key} {value}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
