"""A program on an accessibility bus that the test plays: it answers what it is asked, and counts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from recorder.backends.atspi.bus import DAEMON, BusQuery, Ref
from recorder.backends.atspi.element_queries import REGISTRY, ROOT_PATH, ElementQueries
from recorder.backends.atspi.scale import ProgramScales

APP = ":1.7"
PROCESS = 4711
FRAME, PANEL, TABLE, LAYERED, PASSWORD, TEXT, MENU, BUTTON, CELL, UNKNOWN = 23, 39, 55, 30, 40, 61, 33, 43, 56, 67
SECTION = 85
SHOWING, MANAGES, FOCUSED, ACTIVE, EDITABLE = 1 << 25, 1 << 31, 1 << 12, 1 << 1, 1 << 7
EXPANDABLE, EXPANDED = 1 << 9, 1 << 10


@dataclass
class Part:
    """One element.

    Attributes:
        role: number of its role.
        children: their paths.
        states: the first word of its states.
        count: what it tells of its children, where that is not their number.
        box: left, top, width, height.
        under: the element that it tells for any place in it.
        covered: height of the headers that cover what is at its top; below, the child there is told.
        name: its path where it has none.
        text: what it holds; None for no text.
        placeholder: what an empty field shows.
        rows: how many it tells; None where it has no rows and columns.
        columns: of a table or tree that tells its headers as its first children, as one of Qt does.
        parent: what it says that it is in; empty where that counts it among its children.
        action: what it does when it is clicked; empty for none.
    """

    role: int
    children: tuple[str, ...] = ()
    states: int = SHOWING
    count: int | None = None
    box: tuple[int, int, int, int] = (0, 0, 100, 20)
    under: str = ""
    covered: int = 0
    name: str = ""
    text: str | None = None
    placeholder: str = ""
    rows: int | None = None
    columns: int = 0
    parent: str = ""
    action: str = ""


@dataclass
class TellingProgram:
    """Put where the bus belongs.

    Attributes:
        parts: by path; the windows are the children of ``ROOT_PATH``.
        asked: how often each element was asked each thing.
        silent: whether it leaves everything unanswered now.
        late: how often it was late.
        unanswered: how many questions it has left unanswered.
        stuck: elements that never tell their children; from then on it is silent.
        toolkit: its name.
    """

    parts: dict[str, Part]
    asked: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    silent: bool = False
    late: int = 0
    unanswered: int = 0
    stuck: frozenset[str] = frozenset()
    toolkit: str = ""
    on_ask: Callable[[], None] = lambda: None

    def calls(self) -> int:
        """How many questions were put to it."""
        return self.asked.total()

    def members(self) -> set[str]:
        """What kinds of questions."""
        return {member for _, member in self.asked}

    def ask_all(self, questions: Sequence[BusQuery], *, timeout_s: float = 1.0) -> list[tuple[Any, ...] | None]:
        assert timeout_s > 0
        return [self._answer(question) for question in questions]

    def is_silent(self, bus: str) -> bool:
        return self.silent and bus == APP

    def is_late(self, bus: str) -> bool:
        return self.is_silent(bus)

    def times_late(self, bus: str) -> int:
        return self.late if bus == APP else 0

    def times_unanswered(self, bus: str) -> int:
        return self.unanswered if bus == APP else 0

    def _answer(self, question: BusQuery) -> tuple[Any, ...] | None:
        ref = question.ref
        member = question.arguments[1] if question.member == "Get" else question.member
        if ref == REGISTRY:
            return {"GetChildren": ([(APP, ROOT_PATH)],), "ChildCount": (("i", 1),)}.get(member)
        if ref == DAEMON:
            return (PROCESS,)
        self.asked[ref.path, member] += 1
        self.on_ask()
        if member == "GetChildren" and ref.path in self.stuck:
            self.silent = True
        part = self.parts.get(ref.path)
        self.unanswered += self.silent
        if part is None or self.silent:
            return None
        count = len(part.children) if part.count is None else part.count
        holders = (path for path, one in self.parts.items() if ref.path in one.children)
        assert member != "GetMatches", "it would go through all that it has"
        assert member != "GetChildren" or count < 1000, f"{ref.path} has {count} children"
        answers: dict[str, tuple[Any, ...]] = {
            "GetRole": (part.role,),
            "GetState": ([part.states, 0],),
            "ChildCount": (("i", count),),
            "GetChildren": ([(APP, path) for path in part.children],),
            "GetInterfaces": (
                ["org.a11y.atspi.Component", *(["org.a11y.atspi.Text"] if part.text is not None else [])],
            ),
            "GetExtents": (part.box,),
            "GetAccessibleAtPoint": ((APP, self._at(part, question) or "/org/a11y/atspi/null"),),
            "Name": (("s", part.name or ref.path),),
            "Parent": (("(so)", (APP, part.parent or next(holders, "/org/a11y/atspi/null"))),),
            "ToolkitName": (("s", self.toolkit),),
            "GetAttributes": ({"placeholder-text": part.placeholder},),
        }
        if part.action:
            answers["GetName"] = (part.action,)
        if part.rows is not None:
            answers["NRows"] = (("i", part.rows),)
        if part.columns:
            place = question.arguments[0] if member == "GetChildAtIndex" else 0
            answers |= {"NColumns": (("i", part.columns),), "GetColumnHeader": (("", "/org/a11y/atspi/null"),)}
            answers |= {"GetChildAtIndex": ((APP, part.children[place]),)}
        if part.text is not None:
            answers |= {"CharacterCount": (("i", len(part.text)),), "GetText": (part.text,)}
        return answers.get(member)

    def _at(self, part: Part, question: BusQuery) -> str:
        """What it tells for a place in a part."""
        if question.member != "GetAccessibleAtPoint" or not part.covered:
            return part.under
        x, y, *_ = question.arguments
        for path in part.children if y >= part.covered else ():
            left, top, width, height = self.parts[path].box
            if left <= x < left + width and top <= y < top + height:
                return path
        return ""


def ref(path: str) -> Ref:
    """An element of that program."""
    return Ref(APP, path)


class _Pixels(ProgramScales):
    """No program is scaled."""

    def __init__(self) -> None:
        super().__init__(cast("Any", None))

    def is_due(self, bus: str) -> bool:  # noqa: ARG002 - as it is asked
        return False


def queries(program: TellingProgram) -> ElementQueries:
    """Questions to the program, whose units are pixels."""
    return ElementQueries(cast("Any", program), _Pixels())
