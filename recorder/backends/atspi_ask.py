"""Questions about elements, in AT-SPI's interfaces, and their answers in our words. Each has a deadline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement
from recorder.backends.atspi_bus import Question, Ref
from recorder.backends.atspi_names import (
    ACTIVE,
    CLIPPING,
    EDITABLE,
    PASSWORD_TEXT,
    POPPING_UP,
    SHOWING,
    bits,
    has_state,
    role_name,
    state_names,
)
from recorder.backends.atspi_scale import Scales

__all__ = ["NOTHING", "REGISTRY", "ROOT_PATH", "Asker", "SeenField", "Telling"]

ROOT_PATH = "/org/a11y/atspi/accessible/root"
REGISTRY = Ref("org.a11y.atspi.Registry", ROOT_PATH)
NOTHING = Ref("", "/org/a11y/atspi/null")
MAX_TEXT = 10_000
"""Longer texts are not read: they are documents, not fields."""

_APPLICATION = "org.a11y.atspi.Application"
_ACCESSIBLE = "org.a11y.atspi.Accessible"
_COMPONENT = "org.a11y.atspi.Component"
_COLLECTION = "org.a11y.atspi.Collection"
_TEXT = "org.a11y.atspi.Text"
_VALUE = "org.a11y.atspi.Value"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_ON_SCREEN = 0
_DEEPEST, _EDGE_PX = 60, 4
_SCALED_TOOLKITS = frozenset({"gtk", "qt"})
_ALL, _ANY, _NONE = 1, 2, 3
_MATCH_RULE = "(aiia{ss}iaiiasib)uib"


class Telling(Protocol):
    """The part of the bus that answers; see :class:`~recorder.backends.atspi_bus.AccessBus`."""

    def ask_all(self, questions: Sequence[Question], *, timeout_s: float = 1.0) -> list[tuple[Any, ...] | None]:
        """Answers to several questions; None for each that got none."""
        ...

    def is_silent(self, bus: str) -> bool:
        """Whether a program owes an answer."""
        ...


class SeenField(NamedTuple):
    """A field that was looked at: its box, or None when it cannot be seen."""

    ref: Ref
    box: Rect | None


class Asker:
    """Asks programs about their elements; from any thread but the one that reads the bus."""

    def __init__(self, bus: Telling, scales: Scales | None = None) -> None:
        """Take the bus, and what turns programs' units into pixels (None: they are pixels)."""
        self._bus = bus
        self._scales = scales or Scales(None)
        self._apps: dict[str, str] = {}
        self._pids: dict[str, int] = {}

    def ask(self, questions: Sequence[Question], timeout_s: float) -> list[tuple[Any, ...] | None]:
        """The answers; None for each that did not come."""
        return self._bus.ask_all(questions, timeout_s=timeout_s)

    def programs(self, *, timeout_s: float) -> list[Ref]:
        """The roots of all programs that tell about themselves."""
        return self.children(REGISTRY, timeout_s=timeout_s)

    def children(self, ref: Ref, *, timeout_s: float) -> list[Ref]:
        """The children of an element; empty when it does not answer."""
        return _refs(self.ask([Question(ref, _ACCESSIBLE, "GetChildren")], timeout_s)[0])

    def describe(self, ref: Ref, *, timeout_s: float, secure: bool = False) -> AccessibleElement | None:
        """All about one element; None when it does not answer.

        Args:
            ref: which one.
            timeout_s: for each of at most three turns.
            secure: it is already known to be a secure field, whatever it says now.
        """
        self.measure(ref.bus, timeout_s=timeout_s)
        app = [] if ref.bus in self._apps else [_property(Ref(ref.bus, ROOT_PATH), _ACCESSIBLE, "Name")]
        role, name, states, interfaces, *rest = self.ask(
            [
                Question(ref, _ACCESSIBLE, "GetRole"),
                _property(ref, _ACCESSIBLE, "Name"),
                Question(ref, _ACCESSIBLE, "GetState"),
                Question(ref, _ACCESSIBLE, "GetInterfaces"),
                *app,
            ],
            timeout_s,
        )
        if role is None or states is None or interfaces is None:
            return None
        if rest:
            self._apps[ref.bus] = _text(rest[0])
        hidden = secure or role[0] == PASSWORD_TEXT
        box, value = self._content(ref, set(interfaces[0]), states[0], timeout_s, hidden=hidden)
        return AccessibleElement(
            role=role_name(PASSWORD_TEXT if hidden else role[0]),
            name=_text(name),
            value=value,
            box=box,
            states=state_names(states[0]),
            app=self._apps.get(ref.bus, ""),
            secure=hidden,
        )

    def _content(
        self, ref: Ref, interfaces: set[str], states: Sequence[int], timeout_s: float, *, hidden: bool
    ) -> tuple[Rect | None, str]:
        asked = {"box": _extents(ref)} if _COMPONENT in interfaces else {}
        if not hidden and _TEXT in interfaces and has_state(states, EDITABLE):
            asked["count"] = _property(ref, _TEXT, "CharacterCount")
        elif not hidden and _VALUE in interfaces:
            asked["number"] = _property(ref, _VALUE, "CurrentValue")
        answers = dict(zip(asked, self.ask(list(asked.values()), timeout_s), strict=True)) if asked else {}
        value = ""
        if answers.get("number"):
            value = f"{_variant(answers['number'], 0.0):g}"
        elif answers.get("count"):
            value = self.text(ref, count=_variant(answers["count"], 0), timeout_s=timeout_s) or ""
        return self._pixels(ref.bus, _rect(answers.get("box"))), value

    def text(self, ref: Ref, *, count: int, timeout_s: float) -> str | None:
        """The text of a field with so many characters; None when it does not answer or is too long."""
        if not 0 < count <= MAX_TEXT:
            return "" if count == 0 else None
        answer = self.ask([Question(ref, _TEXT, "GetText", "ii", (0, count))], timeout_s)[0]
        return None if answer is None else str(answer[0])

    def secure_fields(self, root: Ref, *, timeout_s: float) -> list[Ref] | None:
        """All secure fields of a program; None when it does not answer or cannot search."""
        return self._matches(root, roles=bits(PASSWORD_TEXT, words=4), timeout_s=timeout_s)

    def with_state(self, root: Ref, state: int, *, timeout_s: float) -> list[Ref]:
        """The first few elements below this one that are in a state."""
        return self._matches(root, states=bits(state, words=2), limit=8, timeout_s=timeout_s) or []

    def _matches(
        self,
        root: Ref,
        *,
        timeout_s: float,
        states: list[int] | None = None,
        roles: list[int] | None = None,
        limit: int = 0,
    ) -> list[Ref] | None:
        rule: tuple[Any, ...] = (
            states or [0, 0],
            _ALL,
            {},
            _ALL,
            roles or [0] * 4,
            _ANY if roles else _ALL,
            [],
            _ALL,
            False,
        )
        canonical, whole_tree = 1, True
        question = Question(root, _COLLECTION, "GetMatches", _MATCH_RULE, (rule, canonical, limit, whole_tree))
        answer = self.ask([question], timeout_s)[0]
        return None if answer is None else _refs(answer)

    def look_at(self, refs: Sequence[Ref], *, timeout_s: float) -> list[SeenField | None]:
        """Where secure fields are now; None for one whose program does not answer in time."""
        questions = [q for ref in refs for q in (_extents(ref), Question(ref, _ACCESSIBLE, "GetState"))]
        answers = self.ask(questions, timeout_s)
        seen: list[SeenField | None] = []
        for number, ref in enumerate(refs):
            extents, states = answers[2 * number], answers[2 * number + 1]
            shown = _rect(extents) if states is not None and has_state(states[0], SHOWING) else None
            seen.append(None if states is None else SeenField(ref, self._pixels(ref.bus, shown)))
        return seen

    def boxes(self, refs: Sequence[Ref], *, timeout_s: float) -> list[Rect | None]:
        """The boxes of several elements; None where nobody tells."""
        answers = self.ask([_extents(ref) for ref in refs], timeout_s)
        return [self._pixels(ref.bus, _rect(answer)) for ref, answer in zip(refs, answers, strict=True)]

    def clips(self, ref: Ref, *, timeout_s: float) -> list[Ref]:
        """The ancestors that cut off what of an element lies outside them, innermost first."""
        above: list[Ref] = []
        current = ref
        while len(above) < _DEEPEST:
            answer = self.ask([_property(current, _ACCESSIBLE, "Parent")], timeout_s)[0]
            found = _refs(([answer[0][1]],)) if answer else []
            if not found or found[0].path == ROOT_PATH or found[0].bus != ref.bus:
                break
            above.append(current := found[0])
        toolkit = _property(Ref(ref.bus, ROOT_PATH), _APPLICATION, "ToolkitName")
        told, *roles = self.ask([toolkit, *(Question(each, _ACCESSIBLE, "GetRole") for each in above)], timeout_s)
        # A widget never shows outside its parent; what stands on a web page may.
        every = _text(told) == "Qt"
        return [each for each, role in zip(above, roles, strict=True) if every or (role and role[0] in CLIPPING)]

    def child_at(self, ref: Ref, at: Point, *, timeout_s: float) -> Ref | None:
        """A descendant that lies under a position of the screen; None when there is none."""
        at = self._scales.from_pixels(ref.bus, at)
        question = Question(ref, _COMPONENT, "GetAccessibleAtPoint", "iiu", (at.x, at.y, _ON_SCREEN))
        answer = self.ask([question], timeout_s)[0]
        found = _refs(([answer[0]],)) if answer else []
        return found[0] if found else None

    def windows_at(self, program: Ref, at: Point, *, popup: Rect | None, timeout_s: float) -> list[Ref]:
        """A program's windows that can be seen under a position, the one that has the input first.

        Args:
            program: its root.
            at: pixels of the screen.
            popup: where a menu or list has popped up there; then only what lies in it counts, the largest first. Some
                toolkits count such a window among the children of what it belongs to.
            timeout_s: for each of at most three turns.
        """
        windows = self.children(program, timeout_s=timeout_s)
        if popup is not None:
            windows += self._matches(program, roles=_set(POPPING_UP), timeout_s=timeout_s) or []
        questions = [q for ref in windows for q in (_extents(ref), Question(ref, _ACCESSIBLE, "GetState"))]
        answers = self.ask(questions, timeout_s)
        found: list[tuple[bool, int, Ref]] = []
        for number, ref in enumerate(windows):
            box, states = self._pixels(ref.bus, _rect(answers[2 * number])), answers[2 * number + 1]
            if box is None or states is None or not box.contains(at) or not has_state(states[0], SHOWING):
                continue
            if popup is None:
                found.append((not has_state(states[0], ACTIVE), box.area, ref))
            elif _grown(popup).encloses(box):
                found.append((False, -box.area, ref))
        return [ref for _, _, ref in sorted(found)]

    def is_silent(self, bus: str) -> bool:
        """Whether a program owes an answer."""
        return self._bus.is_silent(bus)

    def process(self, bus: str, *, timeout_s: float) -> int:
        """The number of a program's process; 0 when unknown."""
        if not self._pids.get(bus):
            daemon = Ref("org.freedesktop.DBus", "/org/freedesktop/DBus")
            question = Question(daemon, daemon.bus, "GetConnectionUnixProcessID", "s", (bus,))
            answer = self.ask([question], timeout_s)[0]
            self._pids[bus] = int(answer[0]) if answer else 0
        return self._pids[bus]

    def measure(self, bus: str, *, timeout_s: float) -> None:
        """Find out whether a program is scaled, if that is not known."""
        if not self._scales.is_due(bus):
            return
        root = Ref(bus, ROOT_PATH)
        toolkit = _text(self.ask([_property(root, _APPLICATION, "ToolkitName")], timeout_s)[0])
        if toolkit.lower() not in _SCALED_TOOLKITS:
            self._scales.measure(bus, 0, ())
            return
        windows = self.children(root, timeout_s=timeout_s)
        told = [_rect(answer) for answer in self.ask([_extents(ref) for ref in windows], timeout_s)]
        self._scales.measure(bus, self.process(bus, timeout_s=timeout_s), [box for box in told if box is not None])

    def _pixels(self, bus: str, box: Rect | None) -> Rect | None:
        return None if box is None else self._scales.to_pixels(bus, box)


def _set(numbers: Sequence[int]) -> list[int]:
    return [sum(words) for words in zip(*(bits(number, words=4) for number in numbers), strict=True)]


def _grown(box: Rect) -> Rect:
    return Rect(box.x1 - _EDGE_PX, box.y1 - _EDGE_PX, box.x2 + _EDGE_PX, box.y2 + _EDGE_PX)


def _extents(ref: Ref) -> Question:
    return Question(ref, _COMPONENT, "GetExtents", "u", (_ON_SCREEN,))


def _property(ref: Ref, interface: str, name: str) -> Question:
    return Question(ref, _PROPERTIES, "Get", "ss", (interface, name))


def _variant(answer: tuple[Any, ...] | None, otherwise: Any) -> Any:  # noqa: ANN401 - a variant holds anything
    return answer[0][1] if answer else otherwise


def _text(answer: tuple[Any, ...] | None) -> str:
    return str(_variant(answer, ""))


def _refs(answer: tuple[Any, ...] | None) -> list[Ref]:
    found = [Ref(str(bus), str(path)) for bus, path in answer[0]] if answer else []
    return [ref for ref in found if ref.bus and ref.path != NOTHING.path]


def _rect(answer: tuple[Any, ...] | None) -> Rect | None:
    if not answer:
        return None
    x, y, width, height = (int(value) for value in answer[0])
    return Rect(x, y, x + width, y + height) if width > 0 and height > 0 else None
