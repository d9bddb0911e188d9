"""Questions about elements, in AT-SPI's interfaces, and their answers in our words. Each has a deadline."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement
from recorder.backends.atspi.bus import DAEMON, AccessBus, BusQuery, Ref
from recorder.backends.atspi.roles import (
    ACTIVE,
    CLIPPING,
    DOCUMENTS,
    EDITABLE,
    MANAGES_DESCENDANTS,
    PASSWORD_TEXT,
    SHOWING,
    VISIBLE,
    has_state,
    role_name,
    state_names,
)
from recorder.backends.atspi.scale import ProgramScales

ROOT_PATH = "/org/a11y/atspi/accessible/root"
REGISTRY = Ref("org.a11y.atspi.Registry", ROOT_PATH)
NOTHING = Ref("", "/org/a11y/atspi/null")

_SPI = "org.a11y.atspi."
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


def column_header(ref: Ref, column: int) -> BusQuery:
    """The header of a column of a table, from 0."""
    return BusQuery(ref, f"{_SPI}Table", "GetColumnHeader", "i", (column,), "(so)")


def child_of_number(ref: Ref, number: int) -> BusQuery:
    """One child, counted from 0."""
    return BusQuery(ref, f"{_SPI}Accessible", "GetChildAtIndex", "i", (number,), "(so)")


def text_between(ref: Ref, start: int, end: int) -> BusQuery:
    """A part of a text."""
    return BusQuery(ref, f"{_SPI}Text", "GetText", "ii", (start, end), "s")


def first_action(ref: Ref) -> BusQuery:
    """What a program does with an element that is clicked, in its words."""
    return BusQuery(ref, f"{_SPI}Action", "GetName", "i", (0,), "s")


def process_of(bus: str) -> BusQuery:
    """The process of a program."""
    return BusQuery(DAEMON, DAEMON.bus, "GetConnectionUnixProcessID", "s", (bus,), "u")


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
    told: Sequence[Any] = answer[0] if answer else ()
    pairs: list[tuple[Any, ...]] = [pair for pair in told if isinstance(pair, tuple)]
    found = [Ref(*pair) for pair in pairs if len(pair) == 2 and _is_place(*pair)]
    return [ref for ref in found if ref.path != NOTHING.path]


_BUS_NAME = re.compile(r":[\w-]+(\.[\w-]+)+|[A-Za-z_-][\w-]*(\.[A-Za-z_-][\w-]*)+", re.ASCII)
_OBJECT_PATH = re.compile(r"/|(/\w+)+", re.ASCII)
_MAX_NAME = 255


@lru_cache(maxsize=1024)
def _is_bus_name(name: object) -> bool:
    return isinstance(name, str) and len(name) <= _MAX_NAME and _BUS_NAME.fullmatch(name) is not None


def _is_place(bus: object, path: object) -> bool:
    """Whether something can be asked there: the bus would throw us out for a question to any other place."""
    return _is_bus_name(bus) and isinstance(path, str) and _OBJECT_PATH.fullmatch(path) is not None


_FARTHEST_PX = 1_000_000


def rect_of(answer: tuple[Any, ...] | None) -> Rect | None:
    """A box; None for one without area, and for one that is nowhere: GTK says so with the smallest number there is."""
    if not answer:
        return None
    x, y, width, height = (int(value) for value in answer[0])
    somewhere = width > 0 and height > 0 and max(abs(x), abs(y), width, height) <= _FARTHEST_PX
    return Rect(x, y, x + width, y + height) if somewhere else None


MOST_CHILDREN = 400
"""An element with more children is never asked for them."""

_COMPONENT, _TEXT, _VALUE = (f"org.a11y.atspi.{name}" for name in ("Component", "Text", "Value"))
_Answer = tuple[Any, ...] | None
_DEEPEST = 60
_MAX_TEXT = 10_000  # longer texts are documents, not fields
_SCALED_TOOLKITS = frozenset({"gtk", "qt"})
_EDGE_PX = 4  # what may be drawn around a menu
_MAX_PLACED = 16
"""Windows of a program of which it is remembered what in them is not where it is told."""
_GTK_4 = "GTK"
"""It knows no positions on the screen, and says of windows alone that they are shown."""


class ElementQueries:
    """Asks programs about their elements; from any thread but the one that reads the bus.

    Attributes:
        bus: puts the questions.
        scales: turns programs' units into pixels.
    """

    def __init__(self, bus: AccessBus, scales: ProgramScales) -> None:
        self.bus = bus
        self.scales = scales
        self._apps: dict[str, str] = {}
        self._pids: dict[str, int] = {}
        self._gtk_4: set[str] = set()
        self._panes: dict[str, dict[Ref, Mapping[Ref, tuple[Ref, Ref] | None]]] = {}

    def ask(self, questions: Sequence[BusQuery], timeout_s: float) -> list[tuple[Any, ...] | None]:
        """The answers; None for each that did not come."""
        return self.bus.ask_all(questions, timeout_s=timeout_s)

    def programs(self, *, timeout_s: float) -> list[Ref]:
        """The roots of all programs that tell about themselves; the registry knows but few."""
        return refs_of(self.ask([children_of(REGISTRY)], timeout_s)[0])[:MOST_CHILDREN]

    def children(self, ref: Ref, *, timeout_s: float) -> list[Ref]:
        """The children of an element; empty when it does not answer or has very many."""
        if not 0 < variant(self.ask([child_count(ref)], timeout_s)[0], 0) <= MOST_CHILDREN:
            return []
        return refs_of(self.ask([children_of(ref)], timeout_s)[0])

    def is_shown(self, bus: str, states: Sequence[int]) -> bool:
        """Whether an element of a program with these states is shown, if perhaps covered."""
        return has_state(states, VISIBLE if bus in self._gtk_4 else SHOWING)

    def describe(self, ref: Ref, *, timeout_s: float, secure: bool = False) -> AccessibleElement | None:
        """All about one element; None when it does not answer.

        Args:
            ref: which one.
            timeout_s: for each of at most three turns.
            secure: it is already known to be a secure field, whatever it says now.
        """
        self.measure(ref.bus, timeout_s=timeout_s)
        app = [] if ref.bus in self._apps else [prop(Ref(ref.bus, ROOT_PATH), "Accessible", "Name")]
        role, name, states, interfaces, *rest = self.ask(
            [
                about(ref, "GetRole"),
                prop(ref, "Accessible", "Name"),
                about(ref, "GetState"),
                about(ref, "GetInterfaces"),
                *app,
            ],
            timeout_s,
        )
        if role is None or states is None or interfaces is None:
            return None
        if rest:
            self._apps[ref.bus] = text_of(rest[0])
        hidden = secure or role[0] == PASSWORD_TEXT
        box, value = self._content(ref, set(interfaces[0]), states[0], timeout_s, hidden=hidden)
        return AccessibleElement(
            role=role_name(PASSWORD_TEXT if hidden else role[0]),
            name=text_of(name)[:_MAX_TEXT],
            value=value,
            box=box,
            states=state_names(states[0]),
            app=self._apps.get(ref.bus, ""),
            secure=hidden,
        )

    def _content(
        self, ref: Ref, interfaces: set[str], states: Sequence[int], timeout_s: float, *, hidden: bool
    ) -> tuple[Rect | None, str]:
        asked = {"box": self.extents_of(ref)} if _COMPONENT in interfaces else {}
        if not hidden and _TEXT in interfaces and has_state(states, EDITABLE):
            asked["count"] = prop(ref, "Text", "CharacterCount")
        elif not hidden and _VALUE in interfaces:
            asked["number"] = prop(ref, "Value", "CurrentValue")
        answers = dict(zip(asked, self.ask(list(asked.values()), timeout_s), strict=True)) if asked else {}
        value = ""
        if answers.get("number"):
            value = f"{variant(answers['number'], 0.0):g}"
        elif answers.get("count"):
            count = variant(answers["count"], 0)
            if 0 < count <= _MAX_TEXT and (text := self.ask([text_between(ref, 0, count)], timeout_s)[0]):
                value = str(text[0])[:_MAX_TEXT]
        box = self._placed_box(ref, rect_of(answers.get("box")), timeout_s=timeout_s)
        return self.scales.cover(ref.bus, box) if hidden else self.scales.to_pixels(ref.bus, box), value

    def look_at(self, refs: Sequence[Ref], *, timeout_s: float) -> dict[Ref, Rect | None]:
        """Where secure fields are now, None for one that cannot be seen; without those that do not answer in time."""
        return {
            ref: self.scales.cover(
                ref.bus,
                self._placed_box(ref, rect_of(box), timeout_s=timeout_s) if self.is_shown(ref.bus, states[0]) else None,
            )
            for ref, box, states in self._placed(refs, timeout_s)
            if states is not None
        }

    def _placed(self, refs: Sequence[Ref], timeout_s: float) -> Iterator[tuple[Ref, _Answer, _Answer]]:
        """Each element with its box and its states, as they were told."""
        answers = self.ask([q for ref in refs for q in (self.extents_of(ref), about(ref, "GetState"))], timeout_s)
        return zip(refs, answers[::2], answers[1::2], strict=True)

    def boxes(self, refs: Sequence[Ref], *, timeout_s: float) -> list[Rect | None]:
        """The boxes of several elements; None where nobody tells."""
        answers = self.ask([self.extents_of(ref) for ref in refs], timeout_s)
        told = zip(refs, map(rect_of, answers), strict=True)
        return [self.scales.to_pixels(ref.bus, self._placed_box(ref, box, timeout_s=timeout_s)) for ref, box in told]

    def note_panes(self, top: Ref, panes: Mapping[Ref, tuple[Ref, Ref] | None]) -> None:
        """Remember what is told too far from its place, by as much as a root pane is; see ``place_nodes``.

        Args:
            top: a window.
            panes: for each of its elements that root pane, and what that fills; None where it is where it is told.
        """
        windows = {one: known for one, known in self._panes.get(top.bus, {}).items() if one != top}
        if any(panes.values()):
            # While the pane is where it is told nobody can see which widgets were embedded in it.
            embedded = {ref for ref, pane in self._panes.get(top.bus, {}).get(top, {}).items() if pane is None}
            windows[top] = {ref: None if ref in embedded else pane for ref, pane in panes.items()}
        self._panes[top.bus] = dict(list(windows.items())[-_MAX_PLACED:])

    def _off(self, ref: Ref, *, timeout_s: float) -> Point:
        """How far an element is now from where it is told: as what it lies in, where it is new."""
        current: Ref | None = ref
        for _ in range(_DEEPEST if self._panes.get(ref.bus) else 0):
            if current is None or current.path == ROOT_PATH:
                break
            known = self._pane(current)
            if known is not None:
                boxes = [self.extents_of(one) for one in known]
                places = [rect_of(answer) for answer in self.ask(boxes, timeout_s)]
                if len(places) == len(known) == 2 and places[0] is not None and places[1] is not None:
                    return Point(places[1].x1 - places[0].x1, places[1].y1 - places[0].y1)
                break
            current = self.parent(current, timeout_s=timeout_s)
        return Point(0, 0)

    def _pane(self, ref: Ref) -> tuple[Ref, ...] | None:
        """The root pane that an element is told with and what that fills; empty for none, None where it is new."""
        for panes in self._panes.get(ref.bus, {}).values():
            if ref in panes:
                return panes[ref] or ()
        return None

    def _placed_box(self, ref: Ref, told: Rect | None, *, timeout_s: float) -> Rect | None:
        """The box of an element, in its program's units."""
        if told is None or not self._panes.get(ref.bus):
            return told
        off = self._off(ref, timeout_s=timeout_s)
        return told.moved(off.x, off.y)

    def parent(self, ref: Ref, *, timeout_s: float) -> Ref | None:
        """What an element is a part of; None when it does not answer."""
        answer = self.ask([prop(ref, "Accessible", "Parent")], timeout_s)[0]
        return next(iter(refs_of(([variant(answer, ("", ""))],))), None)

    def clips(self, ref: Ref, *, timeout_s: float) -> list[Ref]:
        """The ancestors that cut off what of an element lies outside them, innermost first."""
        above: list[Ref] = []
        current = ref
        while len(above) < _DEEPEST:
            found = self.parent(current, timeout_s=timeout_s)
            if found is None or found.path == ROOT_PATH or found.bus != ref.bus:
                break
            above.append(current := found)
        toolkit = prop(Ref(ref.bus, ROOT_PATH), "Application", "ToolkitName")
        told, *roles = self.ask([toolkit, *(about(each, "GetRole") for each in above)], timeout_s)
        # A widget never shows outside its parent; what stands on a web page may.
        every = text_of(told) == "Qt"
        # On a scaled desktop a browser tells its page in pixels, its window in larger units: what it says of
        # its window would cut off the field itself.
        cutting = CLIPPING if text_of(told).lower() in _SCALED_TOOLKITS else DOCUMENTS
        return [each for each, role in zip(above, roles, strict=True) if every or (role and role[0] in cutting)]

    def child_at(self, ref: Ref, at: Point, *, timeout_s: float) -> Ref | None:
        """A descendant that lies under a position of the screen; None when there is none.

        None, too, where a toolkit would have to go through very many children to find it.
        """
        count, states = self.ask([child_count(ref), about(ref, "GetState")], timeout_s)
        makes_them_up = states is not None and has_state(states[0], MANAGES_DESCENDANTS)
        if not 0 < variant(count, 0) <= MOST_CHILDREN and not makes_them_up:
            return None
        own, off = self.scales.from_pixels(ref.bus, at), self._off(ref, timeout_s=timeout_s)
        question = child_at(ref, Point(own.x - off.x, own.y - off.y), self.origin_of(ref.bus))
        answer = self.ask([question], timeout_s)[0]
        found = next(iter(refs_of(([answer[0]],))), None) if answer else None
        return self._displaced_at(ref, at, timeout_s=timeout_s) if found is None else found

    def _displaced_at(self, ref: Ref, at: Point, *, timeout_s: float) -> Ref | None:
        """A child that lies under a position of the screen where its program does not tell it."""
        if self._pane(ref) != ():
            return None
        children = self.children(ref, timeout_s=timeout_s)
        moved = [one for one in children if self._pane(one)]
        boxes = self.boxes(moved, timeout_s=timeout_s)
        return next((one for one, box in zip(moved, boxes, strict=True) if box is not None and box.contains(at)), None)

    def windows_at(self, windows: Sequence[Ref], at: Point, *, popup: Rect | None, timeout_s: float) -> list[Ref]:
        """Those of a program's windows that can be seen under a position, the one that has the input first.

        Args:
            windows: which ones; menus and lists that pop up may be among them.
            at: pixels of the screen.
            popup: where a menu or list has popped up there; then only what lies in it counts, the largest first.
            timeout_s: for the answers.
        """
        found: list[tuple[bool, int, Ref]] = []
        for ref, told, states in self._placed(windows, timeout_s):
            box = self.scales.to_pixels(ref.bus, rect_of(told))
            if box is None or states is None or not box.contains(at) or not self.is_shown(ref.bus, states[0]):
                continue
            if popup is None:
                found.append((not has_state(states[0], ACTIVE), box.area, ref))
            elif popup.grown(_EDGE_PX).encloses(box):
                found.append((False, -box.area, ref))
        return [ref for _, _, ref in sorted(found)]

    def active(self, windows: Sequence[Ref], *, timeout_s: float) -> list[Ref]:
        """Those windows that have the input."""
        answers = self.ask([about(ref, "GetState") for ref in windows], timeout_s)
        return [ref for ref, states in zip(windows, answers, strict=True) if states and has_state(states[0], ACTIVE)]

    def app(self, bus: str) -> str:
        """The name of a program, as far as it is known; empty where it is not."""
        return self._apps.get(bus, "")

    def process(self, bus: str, *, timeout_s: float) -> int:
        """The number of a program's process; 0 when unknown."""
        if not self._pids.get(bus):
            self._pids[bus] = number(self.ask([process_of(bus)], timeout_s)[0])
        return self._pids[bus]

    def measure(self, bus: str, *, timeout_s: float) -> None:
        """Find out whether a program is scaled, if that is not known."""
        if not self.scales.is_due(bus):
            return
        root = Ref(bus, ROOT_PATH)
        toolkit = text_of(self.ask([prop(root, "Application", "ToolkitName")], timeout_s)[0])
        if toolkit.lower() not in _SCALED_TOOLKITS:
            self.scales.measure(bus, 0, ())
            return
        if toolkit == _GTK_4:
            self._gtk_4.add(bus)
        windows = self.children(root, timeout_s=timeout_s)
        told = [rect_of(answer) for answer in self.ask([self.extents_of(ref) for ref in windows], timeout_s)]
        boxes = [box for box in told if box is not None]
        process = self.process(bus, timeout_s=timeout_s)
        self.scales.measure(bus, process, boxes, on_screen=bus not in self._gtk_4)

    def is_gtk_4(self, bus: str) -> bool:
        """Whether a program knows no positions on the screen."""
        return bus in self._gtk_4

    def origin_of(self, bus: str) -> int:
        """What a program's positions are counted from: the screen, or the window where it knows no other."""
        return IN_WINDOW if bus in self._gtk_4 else ON_SCREEN

    def extents_of(self, ref: Ref) -> BusQuery:
        """The box of an element in its program's units."""
        return extents(ref, self.origin_of(ref.bus))

    def raw_box(self, ref: Ref, *, timeout_s: float) -> Rect | None:
        """The box of an element in its program's units; None when it does not answer."""
        return rect_of(self.ask([self.extents_of(ref)], timeout_s)[0])
