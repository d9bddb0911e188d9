"""The whole tree of a window over the accessibility bus: in few turns, within limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from recorder.backends.atspi.bus import BusQuery, Ref
from recorder.backends.atspi.tree import ProgramNode, TreeLimits, TreeReader

SHOWING = 1 << 25


@dataclass
class _Told:
    """What an element answers."""

    role: int
    name: str = ""
    shown: bool = True
    box: tuple[int, int, int, int] = (0, 0, 100, 20)
    children: list[str] = field(default_factory=list[str])
    text: str | None = None


class _Program:
    """Answers like a program; counts how often it is asked."""

    def __init__(self, tree: dict[str, _Told], *, at_point: str = "") -> None:
        self._tree = tree
        self._at_point = at_point
        self.turns = 0
        self.members: list[str] = []

    def is_silent(self, bus: str) -> bool:
        return bus == ":1.8"

    def is_late(self, bus: str) -> bool:
        return self.is_silent(bus)

    def times_late(self, bus: str) -> int:
        return int(self.is_silent(bus))

    def ask_all(self, questions: Sequence[BusQuery], *, timeout_s: float = 1.0) -> list[tuple[Any, ...] | None]:
        assert timeout_s > 0
        self.turns += bool(questions)
        self.members += [question.member for question in questions]
        return [self._answer(question) for question in questions]

    def _answer(self, question: BusQuery) -> tuple[Any, ...] | None:
        told = self._tree.get(question.ref.path)
        if told is None:
            return None
        interfaces = [f"org.a11y.atspi.{name}" for name in (["Text"] if told.text is not None else [])]
        properties = {"Name": ("s", told.name), "ChildCount": ("i", len(told.children))}
        answers: dict[str, tuple[Any, ...] | None] = {
            "GetRole": (told.role,),
            "GetState": ([SHOWING if told.shown else 0, 0],),
            "GetInterfaces": (interfaces,),
            "GetChildren": ([(question.ref.bus, path) for path in told.children],),
            "GetExtents": (told.box,),
            "GetAccessibleAtPoint": ((question.ref.bus, self._at_point),),
            "GetText": (told.text,),
        }
        if question.member == "Get":
            name = question.arguments[1]
            if name == "CharacterCount":
                return (("i", len(told.text or "")),)
            return (properties[name],) if name in properties else None
        return answers.get(question.member)


def _read(program: _Program, limits: TreeLimits | None = None) -> ProgramNode:
    return TreeReader(program, limits).read(Ref(":1.7", "/top"))


def test_a_tree_is_read_level_by_level_and_what_is_hidden_stays_closed() -> None:
    program = _Program(
        {
            "/top": _Told(23, "Window", children=["/a", "/b"]),
            "/a": _Told(43, "OK"),
            "/b": _Told(39, shown=False, children=["/c"]),
            "/c": _Told(43, "Never asked"),
        }
    )

    top = _read(program)

    assert [(node.role, node.name) for node in top.children] == [("push button", "OK"), ("panel", "")]
    assert top.children[1].children == []
    assert top.complete
    assert program.turns <= 4


def test_a_closed_drop_down_list_tells_what_it_offers() -> None:
    program = _Program(
        {
            "/top": _Told(11, children=["/menu"]),
            "/menu": _Told(33, shown=False, children=["/one", "/two"]),
            "/one": _Told(35, "One", shown=False),
            "/two": _Told(35, "Two", shown=False),
        }
    )

    (menu,) = _read(program).children

    assert [item.name for item in menu.children] == ["One", "Two"]


def test_a_label_has_its_text() -> None:
    top = _read(_Program({"/top": _Told(29, "Name", text="Name:")}))

    assert top.text == "Name:"


def test_of_a_table_with_a_million_rows_only_those_in_view_are_asked() -> None:
    rows = [f"/row{i}" for i in range(900)]
    tree = {"/top": _Told(55, box=(0, 0, 100, 60), children=rows), "/row7": _Told(56, "Seven")}
    program = _Program(tree, at_point="/row7")

    top = _read(program)

    assert [node.name for node in top.children] == ["Seven"]
    assert "GetChildren" not in program.members


def test_more_elements_than_are_wanted_are_left_out_and_that_is_said() -> None:
    tree = {"/top": _Told(39, children=[f"/{i}" for i in range(20)])}
    tree |= {f"/{i}": _Told(43, str(i)) for i in range(20)}

    top = _read(_Program(tree), TreeLimits(nodes=6))

    assert len(top.children) == 5
    assert not top.complete


def test_an_element_that_answers_nothing_is_known_to_be_unknown() -> None:
    top = _read(_Program({}))

    assert (top.role, top.box, top.children) == ("unknown", None, [])
