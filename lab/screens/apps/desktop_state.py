"""A private desktop at one moment: its pixels, its windows, and what the programs on it tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect

WindowKind = Literal["normal", "dialog", "popup"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text as the program breaks it; box in pixels of the screen, None when it does not tell."""

    text: str
    box: Rect | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One element as a program tells it.

    Attributes:
        role: in the words of AT-SPI, for instance ``push button``.
        name: what the program calls it; not always what is drawn.
        states: in the words of AT-SPI, for instance ``showing`` and ``sensitive``.
        box: pixels of the screen; None when it has none. Programs are often wrong here.
        text: what its text interface holds; None without one.
        lines: where a short text of several lines is broken.
        value: least, present and most.
        attributes: whatever else the toolkit tells.
        children: in the program's order.
        handle: for :meth:`AppDesktop.act`.
    """

    role: str
    name: str = ""
    states: frozenset[str] = frozenset()
    box: Rect | None = None
    text: str | None = None
    lines: tuple[Line, ...] = ()
    value: tuple[float, float, float] | None = None
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])
    children: tuple[Node, ...] = ()
    handle: int = 0

    def walk(self) -> Iterator[Node]:
        """This element and all below it, parents first."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    @property
    def shown(self) -> bool:
        """Whether the program says that it can be seen."""
        return "showing" in self.states and self.box is not None


@dataclass(frozen=True, slots=True)
class TitlePart:
    """A part of a title bar: ``label``, ``icon``, ``minimize``, ``maximize``, ``close``, ``shade``..."""

    kind: str
    box: Rect


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A window as the X server knows it.

    Attributes:
        kind: a menu or list that popped up has no frame.
        box: what the program draws, without an invisible shadow.
        frame: with the window manager's frame; the same where there is none.
        title: as the window manager shows it.
        active: whether it has the input.
        parts: of the title bar.
    """

    kind: WindowKind
    box: Rect
    frame: Rect
    title: str = ""
    active: bool = False
    parts: tuple[TitlePart, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A screen that stands still.

    Attributes:
        image: shape (height, width, 3), uint8.
        windows: the topmost first.
        programs: what each program tells, by toolkit and in the order in which they started.
        toolkits: name and version for each of these.
    """

    image: RgbImage
    windows: tuple[Window, ...]
    programs: tuple[Node, ...]
    toolkits: tuple[str, ...] = ()
