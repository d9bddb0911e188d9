"""Reader of a whole accessibility tree: one batch of questions for each level, so a large tree takes little.

Positions are what the program tells, in its own units; whoever knows the windows turns them into pixels.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from demopack.domain.geometry import Point, Rect
from recorder.backends.atspi.bus import AccessBus, BusQuery, Ref
from recorder.backends.atspi.element_queries import (
    REGISTRY,
    ROOT_PATH,
    about,
    child_at,
    children_of,
    extents,
    process_of,
    prop,
    rect_of,
    refs_of,
    text_between,
    text_of,
    variant,
)
from recorder.backends.atspi.roles import SHOWING, has_state, role_name, state_names

_SPI = "org.a11y.atspi."
_SCREEN = 0
_LINE = 3
_EVERY_PX = 11
_ACROSS = 6
_SHORT = 2_000
"""Characters of a text whose lines are asked for one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeLimits:
    """How much is read.

    Attributes:
        nodes: no more elements than this; what lies deepest is left out.
        depth: levels.
        children: an element with more is asked only for those that lie at some points of it.
        offered: a closed drop-down list with more is not read.
        answer_s: how long a batch of questions may take.
        total_s: how long the whole may take.
    """

    nodes: int = 3_000
    depth: int = 60
    children: int = 400
    offered: int = 60
    answer_s: float = 3.0
    total_s: float = 12.0


@dataclass(frozen=True, slots=True)
class ProgramLine:
    """One line of a text as the program breaks it; the box in the program's units, None when it does not tell."""

    text: str
    box: Rect | None


@dataclass(slots=True, kw_only=True)
class ProgramNode:
    """One element and what is in it.

    Attributes:
        ref: for later questions.
        role: in AT-SPI's words.
        name: what the program calls it; not always what is drawn.
        states: in AT-SPI's words.
        box: in the program's units; None when it has none.
        text: what its text interface holds, for a long text the part that can be seen; None without one.
        lines: where a short text of several lines is broken.
        value: least, present and most, where it has a value.
        attributes: whatever else the toolkit tells, for instance ``placeholder-text``; ``keys``: of its action.
        children: those that are shown, and what a closed drop-down list offers.
        complete: whether everything below was read.
        offered: whether it belongs to a drop-down list.
    """

    ref: Ref
    role: str = "unknown"
    name: str = ""
    states: frozenset[str] = frozenset()
    box: Rect | None = None
    text: str | None = None
    lines: tuple[ProgramLine, ...] = ()
    value: tuple[float, float, float] | None = None
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    children: list[ProgramNode] = field(default_factory=lambda: list[ProgramNode]())
    complete: bool = True
    offered: bool = False


class TreeReader:
    """Asks programs for everything they show; not from the thread that reads the bus."""

    def __init__(self, bus: AccessBus, limits: TreeLimits | None = None) -> None:
        self._bus = bus
        self._limits = limits or TreeLimits()

    def programs(self) -> list[tuple[Ref, int]]:
        """The roots of all programs that tell about themselves, each with the number of its process (0: unknown)."""
        roots = refs_of(self._ask([children_of(REGISTRY)])[0])
        told = self._ask([process_of(root.bus) for root in roots])
        return [(root, int(answer[0]) if answer else 0) for root, answer in zip(roots, told, strict=True)]

    def toolkit(self, root: Ref) -> str:
        """Name and version of the toolkit that drew a program, for instance ``gtk 3.24.38``."""
        name, version = self._ask([prop(root, "Application", "ToolkitName"), prop(root, "Application", "Version")])
        return f"{text_of(name)} {text_of(version)}".strip()

    def read(self, root: Ref) -> ProgramNode:
        """An element and everything in it that is shown. What does not answer in time is left out."""
        deadline = time.monotonic() + self._limits.total_s
        top = ProgramNode(ref=root)
        level, count = [top], 1
        for depth in range(self._limits.depth):
            below = self._fill(level)
            room = self._limits.nodes - count
            if len(below) > room or (below and time.monotonic() > deadline) or depth == self._limits.depth - 1:
                top.complete = not below
                below = below[: max(0, room)] if time.monotonic() <= deadline else []
            for parent, child in below:
                parent.children.append(child)
            count += len(below)
            level = [child for _, child in below]
            if not level:
                break
        return top

    def act(self, ref: Ref, number: int = 0) -> bool:
        """Have an element do its action, usually the one a click does; whether it did."""
        answer = self._ask([BusQuery(ref, f"{_SPI}Action", "DoAction", "i", (number,), "b")])[0]
        return bool(answer and answer[0])

    def _ask(self, questions: Sequence[BusQuery]) -> list[tuple[Any, ...] | None]:
        return self._bus.ask_all(questions, timeout_s=self._limits.answer_s)

    # One level ---------------------------------------------------------------------------------------------------

    def _fill(self, level: Sequence[ProgramNode]) -> list[tuple[ProgramNode, ProgramNode]]:
        """Ask everything about the elements of a level; returns what is below, each with its parent."""
        questions = [q for node in level for q in _basics(node.ref)]
        answers = self._ask(questions)
        each = len(questions) // max(1, len(level))
        texts: list[ProgramNode] = []
        values: list[ProgramNode] = []
        parents: list[tuple[ProgramNode, int]] = []
        for place, node in enumerate(level):
            role, name, states, interfaces, count, box, attributes, keys = answers[place * each : (place + 1) * each]
            if role is None or states is None:
                continue
            node.role, node.name, node.states = role_name(role[0]), text_of(name), frozenset(state_names(states[0]))
            node.box = rect_of(box)
            node.attributes = {str(k): str(v) for k, v in attributes[0].items()} if attributes else {}
            if keys and keys[0]:
                node.attributes["keys"] = str(keys[0])
            has = set(interfaces[0]) if interfaces else set[str]()
            shown = has_state(states[0], SHOWING) or node.ref.path == ROOT_PATH
            if not shown and not node.offered:
                continue
            if f"{_SPI}Text" in has and node.role != "password text":
                texts.append(node)
            if f"{_SPI}Value" in has:
                values.append(node)
            if variant(count, 0) != 0:
                parents.append((node, variant(count, 0)))
        self._read_texts(texts)
        names = ("MinimumValue", "CurrentValue", "MaximumValue")
        told = self._ask([prop(node.ref, "Value", name) for node in values for name in names])
        for place, node in enumerate(values):
            least, now, most = (variant(answer, 0.0) for answer in told[3 * place : 3 * place + 3])
            node.value = (least, now, most)
        return self._below(parents)

    def _below(self, parents: Sequence[tuple[ProgramNode, int]]) -> list[tuple[ProgramNode, ProgramNode]]:
        parents = [(node, count) for node, count in parents if not node.offered or count <= self._limits.offered]
        few = [node for node, count in parents if count <= self._limits.children]
        many = [node for node, count in parents if count > self._limits.children]
        found: list[tuple[ProgramNode, ProgramNode]] = []
        for node, answer in zip(few, self._ask([children_of(node.ref) for node in few]), strict=True):
            offered = node.offered or node.role == "combo box"
            found += [(node, ProgramNode(ref=ref, offered=offered)) for ref in refs_of(answer)]
        for node in many:
            found += [(node, ProgramNode(ref=ref)) for ref in self._at_points(node)]
        return found

    def _at_points(self, node: ProgramNode) -> list[Ref]:
        """The children that lie at some points: of a table with a million rows only those that can be seen."""
        if node.box is None:
            return []
        box = node.box
        points = [
            Point(x, y)
            for y in range(box.y1 + 3, min(box.y2, box.y1 + 2_000), _EVERY_PX)
            for x in range(box.x1 + 4, min(box.x2, box.x1 + 3_000), max(_EVERY_PX * 2, box.width // _ACROSS))
        ]
        seen: dict[Ref, None] = {}
        for answer in self._ask([child_at(node.ref, point) for point in points]):
            for ref in refs_of(([answer[0]],)) if answer else []:
                if ref != node.ref:
                    seen[ref] = None
        return list(seen)

    # Texts ------------------------------------------------------------------------------------------------------

    def _read_texts(self, nodes: Sequence[ProgramNode]) -> None:
        counts = self._ask([prop(node.ref, "Text", "CharacterCount") for node in nodes])
        found = [self._span(node, variant(count, 0)) for node, count in zip(nodes, counts, strict=True)]
        spans = [span for span in found if span is not None]
        answers = self._ask([text_between(node.ref, start, end) for node, start, end in spans])
        for node in nodes:
            node.text = ""
        for (node, _, _), answer in zip(spans, answers, strict=True):
            node.text = str(answer[0]) if answer else ""
        broken = [node for node, start, end in spans if end - start <= _SHORT and "editable" not in node.states]
        self._read_lines(broken)

    def _span(self, node: ProgramNode, count: int) -> tuple[ProgramNode, int, int] | None:
        if count <= 0 or node.box is None:
            return None
        if "editable" not in node.states and count <= _SHORT:
            return node, 0, count
        box = node.box
        corners = [(box.x1 + 3, box.y1 + 3), (box.x2 - 3, box.y2 - 3)]
        asked = [BusQuery(node.ref, f"{_SPI}Text", "GetOffsetAtPoint", "iiu", (*at, _SCREEN), "i") for at in corners]
        first, last = (int(answer[0]) if answer else -1 for answer in self._ask(asked))
        start = first if 0 <= first < count else 0
        end = last + 1 if start <= last < count else count
        return (node, start, min(end, start + 10_000))

    def _read_lines(self, nodes: Sequence[ProgramNode]) -> None:
        """Line after line of all texts at once."""
        at = {id(node): 0 for node in nodes}
        left = [node for node in nodes if node.text]
        found: dict[int, list[tuple[int, int, str]]] = {id(node): [] for node in nodes}
        for _ in range(200):
            if not left:
                break
            asked = [
                BusQuery(node.ref, f"{_SPI}Text", "GetStringAtOffset", "iu", (at[id(node)], _LINE), "sii")
                for node in left
            ]
            going: list[ProgramNode] = []
            for node, answer in zip(left, self._ask(asked), strict=True):
                if answer and int(answer[2]) > at[id(node)]:
                    found[id(node)].append((int(answer[1]), int(answer[2]), str(answer[0])))
                    at[id(node)] = int(answer[2])
                    if at[id(node)] < len(node.text or ""):
                        going.append(node)
            left = going
        spans = [(node, *span) for node in nodes for span in found[id(node)]]
        boxes = self._ask(
            [
                BusQuery(node.ref, f"{_SPI}Text", "GetRangeExtents", "iiu", (start, end, _SCREEN), "iiii")
                for node, start, end, _ in spans
            ]
        )
        lines: dict[int, list[ProgramLine]] = {}
        for (node, _, _, text), answer in zip(spans, boxes, strict=True):
            box = rect_of((answer,)) if answer else None
            lines.setdefault(id(node), []).append(ProgramLine(text.rstrip("\n"), box))
        for node in nodes:
            node.lines = tuple(lines.get(id(node), ()))


def _basics(ref: Ref) -> list[BusQuery]:
    return [
        about(ref, "GetRole"),
        prop(ref, "Accessible", "Name"),
        about(ref, "GetState"),
        about(ref, "GetInterfaces"),
        prop(ref, "Accessible", "ChildCount"),
        extents(ref),
        BusQuery(ref, f"{_SPI}Accessible", "GetAttributes", reply="a{ss}"),
        BusQuery(ref, f"{_SPI}Action", "GetKeyBinding", "i", (0,), "s"),
    ]
