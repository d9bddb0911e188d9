"""Questions in AT-SPI's interfaces, and what their answers mean."""

from __future__ import annotations

from typing import Any, TypeVar

from demopack.domain.geometry import Point, Rect
from recorder.backends.atspi.bus import BusQuery, Ref

ROOT_PATH = "/org/a11y/atspi/accessible/root"
REGISTRY = Ref("org.a11y.atspi.Registry", ROOT_PATH)
NOTHING = Ref("", "/org/a11y/atspi/null")

_SPI = "org.a11y.atspi."
_DAEMON = Ref("org.freedesktop.DBus", "/org/freedesktop/DBus")
ON_SCREEN, IN_WINDOW = 0, 1
"""What positions are counted from."""
_ABOUT = {"GetRole": "u", "GetState": "au", "GetInterfaces": "as"}
_V = TypeVar("_V", str, int, float, tuple[Any, ...])


def about(ref: Ref, member: str) -> BusQuery:
    """Role (``GetRole``), states (``GetState``) or interfaces (``GetInterfaces``) of an element."""
    return BusQuery(ref, f"{_SPI}Accessible", member, reply=_ABOUT[member])


def prop(ref: Ref, interface: str, name: str) -> BusQuery:
    """A property, for instance ``Name`` of the interface ``Accessible``."""
    return BusQuery(ref, "org.freedesktop.DBus.Properties", "Get", "ss", (_SPI + interface, name), "v")


def children_of(ref: Ref) -> BusQuery:
    """All children."""
    return BusQuery(ref, f"{_SPI}Accessible", "GetChildren", reply="a(so)")


def child_count(ref: Ref) -> BusQuery:
    """How many children there are; to be asked before they are."""
    return prop(ref, "Accessible", "ChildCount")


def extents(ref: Ref, of: int = ON_SCREEN) -> BusQuery:
    """The box, on the screen or in its window."""
    return BusQuery(ref, f"{_SPI}Component", "GetExtents", "u", (of,), "(iiii)")


def child_at(ref: Ref, at: Point, of: int = ON_SCREEN) -> BusQuery:
    """What lies under a position of the screen, or of its window."""
    return BusQuery(ref, f"{_SPI}Component", "GetAccessibleAtPoint", "iiu", (at.x, at.y, of), "(so)")


def text_between(ref: Ref, start: int, end: int) -> BusQuery:
    """A part of a text."""
    return BusQuery(ref, f"{_SPI}Text", "GetText", "ii", (start, end), "s")


def process_of(bus: str) -> BusQuery:
    """The process of a program."""
    return BusQuery(_DAEMON, _DAEMON.bus, "GetConnectionUnixProcessID", "s", (bus,), "u")


def number(answer: tuple[Any, ...] | None) -> int:
    """A number; 0 where there is none."""
    return int(answer[0]) if answer else 0


def variant(answer: tuple[Any, ...] | None, otherwise: _V) -> _V:
    """A property's value, if it is of the right type."""
    value = answer[0][1] if answer else otherwise
    return value if isinstance(value, type(otherwise)) else otherwise


def text_of(answer: tuple[Any, ...] | None) -> str:
    """A property that is a text."""
    return variant(answer, "")


def refs_of(answer: tuple[Any, ...] | None) -> list[Ref]:
    """Elements, without those that are none."""
    found = [Ref(str(bus), str(path)) for bus, path in answer[0]] if answer else []
    return [ref for ref in found if ref.bus and ref.path != NOTHING.path]


_FARTHEST_PX = 1_000_000


def rect_of(answer: tuple[Any, ...] | None) -> Rect | None:
    """A box; None for one without area, and for one that is nowhere: GTK says so with the smallest number there is."""
    if not answer:
        return None
    x, y, width, height = (int(value) for value in answer[0])
    somewhere = width > 0 and height > 0 and max(abs(x), abs(y), width, height) <= _FARTHEST_PX
    return Rect(x, y, x + width, y + height) if somewhere else None
