"""The door to python-xlib, which has no types: what comes through is ``Any``, and stays in this folder."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import socket
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from demopack.errors import CaptureError

_WAYLAND = "This is a Wayland session; other programs' windows and input cannot be recorded in it."
_connecting = threading.Lock()
_USE_DESKTOP = (
    "Record in a desktop in a window: `demopack record --desktop`. Or log out and choose a session named “Xorg” or "
    "“X11” at the login screen, where there is one."
)


def xlib(name: str) -> Any:  # noqa: ANN401 - an untyped library
    """The module ``Xlib.<name>``, imported when it is first needed."""
    return importlib.import_module(f"Xlib.{name}")


def open_display(name: str | None = None, *, quiet: bool = False, whole: bool = False) -> Any:  # noqa: ANN401
    """A connection to the X server ``name``, or the one that ``DISPLAY`` names.

    Args:
        name: of the server.
        quiet: windows come and go while we ask about them; python-xlib would print every such answer.
        whole: it must show the whole desktop; XWayland shows only the X11 programs of one, and black elsewhere.

    Raises:
        CaptureError: there is none, it refuses us, or it is XWayland and must not be.
    """
    target = name or os.environ.get("DISPLAY", "")
    if not target:
        if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
            raise CaptureError(_WAYLAND, details="DISPLAY is not set.", hint=_USE_DESKTOP)
        raise CaptureError(
            "There is no screen to record: DISPLAY is not set.",
            hint="Start demopack from a desktop session, or set DISPLAY to a running X server.",
        )
    try:
        _knock(target)
        display = _connect(target)
    except (xlib("error").DisplayError, *connection_lost()) as error:
        raise CaptureError(
            f"The X server {target} cannot be reached.",
            details=str(error),
            hint="Check that it runs, that DISPLAY is right and that you may use it (xhost, XAUTHORITY).",
        ) from error
    # Some extensions of python-xlib register their errors under the numbers of the core's, with classes that cannot be
    # raised; an ordinary "bad value" would then end the connection.
    display.display.error_classes.update(xlib("error").xerror_class)
    # has_extension() knows only what python-xlib itself implements.
    if whole and _is_xwayland(display) and not shows_desktop(display):
        display.close()
        raise CaptureError(_WAYLAND, details="The X server is XWayland.", hint=_USE_DESKTOP)
    if quiet:
        display.set_error_handler(_ignore_error)
    return display


DESKTOP_MARK = "_DEMOPACK_DESKTOP"
"""Property of a root window that we set: this server shows a whole desktop, even where it is XWayland."""


def _is_xwayland(display: Any) -> bool:  # noqa: ANN401 - an untyped library
    """Whether a server is XWayland: it says so since 23.1, and its monitors were always called so."""
    if display.query_extension("XWAYLAND") is not None:
        return True
    if not display.has_extension("RANDR"):
        return False
    root = display.screen().root
    outputs = root.xrandr_get_screen_resources().outputs
    names = (display.xrandr_get_output_info(output, 0).name for output in outputs)
    return any(str(name).startswith("XWAYLAND") for name in names)


def shows_desktop(display: Any) -> bool:  # noqa: ANN401 - an untyped library
    """Whether a server shows a recording desktop."""
    return property_of(display, display.screen().root, DESKTOP_MARK) is not None


def _connect(target: str) -> Any:  # noqa: ANN401 - an untyped library
    """A connection that knows the requests, events and errors of its own server's extensions.

    Their numbers are each server's own, and python-xlib keeps one table of them for all connections of a process.
    """
    base = xlib("protocol.display").Display
    with _connecting:
        base.event_classes = xlib("protocol.event").event_class.copy()
        base.error_classes = xlib("error").xerror_class.copy()
        opcodes: dict[str, int] = {}
        base.extension_major_opcodes = opcodes
        display = xlib("display").Display(target)
        own = display.display
        own.event_classes, own.error_classes = base.event_classes, base.error_classes
        own.extension_major_opcodes = opcodes
    return display


def _ignore_error(*_: object) -> None:
    return


def connection_lost() -> tuple[type[Exception], ...]:
    """What is raised on a connection that has ended."""
    return xlib("error").ConnectionClosedError, OSError


def server_errors() -> tuple[type[Exception], ...]:
    """As :func:`connection_lost`, and what is raised about a window that has gone meanwhile."""
    return xlib("error").XError, *connection_lost()


def windows_at(display: Any, x: int, y: int, *, most: int) -> Iterator[Any]:  # noqa: ANN401 - an untyped library
    """The windows inside each other under a position of the screen, outermost first, ``most`` of them at the most."""
    root = display.screen().root
    window = root.translate_coords(root, x, y).child
    for _ in range(most):
        if not window:
            return
        yield window
        window = window.translate_coords(root, x, y).child


def property_of(display: Any, window: Any, name: str) -> Any:  # noqa: ANN401 - an untyped library
    """The value of a window's property: numbers, or bytes; None where the window has none."""
    found = window.get_full_property(display.get_atom(name), xlib("X").AnyPropertyType)
    return None if found is None else found.value


def numbers_of(display: Any, window: Any, name: str) -> list[int]:  # noqa: ANN401 - an untyped library
    """The numbers of a window's property; empty where the window has none."""
    value = property_of(display, window, name)
    return [] if value is None or isinstance(value, (bytes, str)) else [int(number) for number in value]


def title_of(display: Any, window: Any) -> str:  # noqa: ANN401 - an untyped library
    """The title that a program gave its window; empty for none."""
    value = property_of(display, window, "_NET_WM_NAME")
    if value is None:
        value = window.get_wm_name()
        return value if isinstance(value, str) else ""
    return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)


def _knock(target: str) -> None:
    """Fail early when no local server answers: python-xlib would leave its sockets open then.

    Raises:
        OSError: there is no server of this number.
    """
    local = re.fullmatch(r":(\d+)(\.\d+)?", target)
    if local is None:
        return
    path = f"/tmp/.X11-unix/X{local[1]}"  # noqa: S108 - where X servers listen
    if sys.platform != "win32":
        for address in (f"\0{path}", path):
            with socket.socket(socket.AF_UNIX) as door:
                try:
                    door.connect(address)
                except OSError:
                    continue
                return
    raise FileNotFoundError(f"Nothing listens at {path}.")


def cut(display: Any) -> None:  # noqa: ANN401 - an untyped library
    """End a connection, whatever its server does; a thread that waits for an answer on it gets an error instead.

    Unlike python-xlib's own ``close`` this waits for nobody. Harmless on a connection that has ended.
    """
    with contextlib.suppress(OSError):
        display.display.socket.shutdown(socket.SHUT_RDWR)


def new_request(rq: Any, number: int, *fields: Any, reply: tuple[Any, ...] = ()) -> Any:  # noqa: ANN401 - an untyped library
    """A class of requests, as python-xlib's own modules define them."""
    body: dict[str, Any] = {"_request": rq.Struct(rq.Card8("opcode"), rq.Opcode(number), rq.RequestLength(), *fields)}
    if reply:
        body["_reply"] = rq.Struct(rq.ReplyCode(), *reply)
    return type(f"Request{number}", (rq.ReplyRequest if reply else rq.Request,), body)


def reply_head(rq: Any) -> tuple[Any, Any]:  # noqa: ANN401 - an untyped library
    """What stands in every answer after its first byte."""
    return (rq.Card16("sequence_number"), rq.ReplyLength())


class ServerClock:
    """Turns the X server's event times into this machine's monotonic clock.

    An event is stamped by the server when it happens. Our own stamp comes later, on a busy machine much later: long
    enough for the program to repaint and for us to take a picture of that. So the server's time decides what is
    *before* the event. A local server reads the same clock as we do; for any other the distance is measured.
    """

    def __init__(self, offset_ms: int = 0) -> None:
        self._offset_ms = offset_ms

    @classmethod
    def measured(cls, display: Any) -> ServerClock:  # noqa: ANN401 - an untyped library
        """Compare the two clocks over this connection; the best of three round trips counts."""
        x = xlib("X")
        screen = display.screen()
        window = screen.root.create_window(-1, -1, 1, 1, 0, x.CopyFromParent, event_mask=x.PropertyChangeMask)
        atom = display.intern_atom("_DEMOPACK_CLOCK")
        trips: list[tuple[int, int]] = []
        for _ in range(3):
            before = time.monotonic_ns() // 1_000_000
            window.change_property(atom, display.intern_atom("INTEGER"), 32, [0])
            event = display.next_event()
            while event.type != x.PropertyNotify:
                event = display.next_event()
            trip = time.monotonic_ns() // 1_000_000 - before
            # Positive: the server's clock is behind ours.
            trips.append((trip, _signed(before + trip // 2 - int(event.time))))
        window.destroy()
        display.sync()
        trip, offset = min(trips, key=lambda found: found[0])
        # Within the round trip the two are the same clock, and then its milliseconds are exact.
        return cls(0 if abs(offset) <= trip + 2 else offset)

    def to_ns(self, server_ms: int, now_ns: int) -> int:
        """Monotonic nanoseconds of a server time (32-bit milliseconds), never later than ``now_ns``.

        The server rounds down, so the result is early by up to a millisecond, on the safe side. A time that cannot be
        right (in the future, or older than ten seconds) is replaced by ``now_ns``.
        """
        age_ms = _signed(now_ns // 1_000_000 - server_ms - self._offset_ms)
        if not 0 <= age_ms <= 10_000:
            return now_ns
        return min(now_ns, (now_ns // 1_000_000 - age_ms) * 1_000_000)


def _signed(milliseconds: int) -> int:
    """The 32-bit difference of two clocks that wrap around every 49.7 days."""
    wrapped = milliseconds & 0xFFFFFFFF
    return wrapped - (1 << 32) if wrapped >= 1 << 31 else wrapped
