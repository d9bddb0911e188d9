"""What is read of a window: its nodes in the program's units, and the flat tree in pixels that is made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from demopack.domain.geometry import Point, Rect
from demopack.domain.trees import TreeNode, ValueRange
from recorder.backends.atspi.bus import Ref
from recorder.backends.atspi.roles import PASSWORD_TEXT, ROOT_PANE, role_name, state_names


@dataclass(slots=True)
class ReadNode:
    """A node that is being read; boxes in the program's units.

    Attributes:
        raw: the box as its program tells it.
        off: how far to the right and below that it is, once :func:`place_nodes` knows.
        pane: the root pane that is as far from where it is told, and what that fills; None where there is none.
    """

    ref: Ref
    role: int
    states: Sequence[int]
    name: str = ""
    description: str = ""
    value: str = ""
    placeholder: str = ""
    raw: Rect | None = None
    off: Point | None = None
    pane: tuple[Ref, Ref] | None = None
    range: ValueRange | None = None
    count: int = 0
    secure: bool = False
    clickable: bool = False  # though its role does not say so
    is_cut: bool = False  # the time was over before what is in it was asked
    children: list[ReadNode] = field(default_factory=lambda: list[ReadNode]())

    @property
    def box(self) -> Rect | None:
        """Where it is."""
        return self.raw if self.raw is None or self.off is None else self.raw.moved(self.off.x, self.off.y)


def walk_nodes(node: ReadNode) -> Iterator[ReadNode]:
    """A node and all that is in it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += one.children


def is_cut_off(top: ReadNode) -> bool:
    """Whether the time was over before all of a window was asked."""
    return any(node.is_cut for node in walk_nodes(top))


_NOWHERE_ELSE: Final = Point(0, 0)
_EMBEDDED_PX: Final = 2
"""What a widget may be larger or smaller than the frame that was made for it."""


def place_nodes(top: ReadNode) -> None:
    """Find out how far nodes that were read now are from where their program tells them.

    LibreOffice counts what it draws itself from where it last believed its window to be, which is often too high by the
    height of the menu bar: its root pane is told as large as the panel of GTK that it fills, and beside it. Widgets of
    GTK that are embedded in what it draws are told where they are, as far from their frames as all else from its place.
    """
    waiting = [top]
    while waiting:
        node = waiting.pop()
        for child in node.children:
            if child.off is None:
                child.off, child.pane = _place_within(node, child)
                waiting.append(child)


def _place_within(around: ReadNode, node: ReadNode) -> tuple[Point, tuple[Ref, Ref] | None]:
    """How far a node is from where it is told, and the root pane with which it is, with what that fills."""
    off, outer, box = around.off or _NOWHERE_ELSE, around.raw, node.raw
    if outer is None or box is None:
        return off, around.pane
    larger = max(abs(box.width - outer.width), abs(box.height - outer.height))
    beside = Point(box.x1 - outer.x1, box.y1 - outer.y1)
    if around.pane is None and node.role == ROOT_PANE and not larger:
        return Point(-beside.x, -beside.y), (node.ref, around.ref)
    if off != _NOWHERE_ELSE and beside == off and larger <= _EMBEDDED_PX:
        return _NOWHERE_ELSE, None
    return off, around.pane


def partly_hidden(top: ReadNode) -> frozenset[Ref]:
    """What does not lie wholly within all that is around it: it is cut off, or drawn elsewhere."""
    found: set[Ref] = set()
    waiting: list[tuple[ReadNode, Rect | None]] = [(top, None)]
    while waiting:
        node, seen = waiting.pop()
        box = node.box
        if box is not None and box.area:
            if seen is not None and not seen.encloses(box):
                found.add(node.ref)
            seen = box if seen is None else (seen.intersection(box) or Rect.at_point(Point(box.x1, box.y1)))
        waiting += [(child, seen) for child in node.children]
    return frozenset(found)


def flat_nodes(top: ReadNode, to_pixels: Callable[[Rect | None], Rect | None]) -> list[TreeNode]:
    """The nodes depth first, each with the index of its parent."""
    nodes: list[TreeNode] = []
    waiting: list[tuple[ReadNode, int | None]] = [(top, None)]
    while waiting:
        node, parent = waiting.pop()
        index = len(nodes)
        nodes.append(
            TreeNode(
                parent=parent,
                role=role_name(PASSWORD_TEXT if node.secure else node.role),
                name=node.name,
                description=node.description,
                value="" if node.secure else node.value,
                placeholder=node.placeholder,
                states=tuple(sorted((*state_names(node.states), *(["clickable"] if node.clickable else [])))),
                box=to_pixels(node.box),
                range=None if node.secure else node.range,
                secure=node.secure,
                unread=max(0, node.count - len(node.children)),
            )
        )
        waiting += [(child, index) for child in reversed(node.children)]
    return nodes


_PAGE: Final = "document web"
_LEAST_SCALE, _SCALE_STEP, _AROUND_PAGE_PX = 1.05, 0.05, 3


def scaled_around_pages(nodes: list[TreeNode]) -> list[TreeNode]:
    """The nodes of a browser on a scaled desktop, all in pixels: it tells its pages in pixels, but not what is around.

    What a page fills is told in the units of the desktop, so how large these are is known.

    Args:
        nodes: of a window, the window itself first.
    """
    pages = (index for index, node in enumerate(nodes) if node.role == _PAGE)
    factor = next((scale for page in pages if (scale := _scale_around(page, nodes)) is not None), 1.0)
    if factor < _LEAST_SCALE:
        return nodes
    in_page: list[bool] = []
    found: list[TreeNode] = []
    for node in nodes:
        in_page.append(node.role == _PAGE or (node.parent is not None and in_page[node.parent]))
        if node.box is not None and not in_page[-1]:
            node = node.but(box=node.box.scaled(factor))
        found.append(node)
    return found


def _scale_around(page: int, nodes: Sequence[TreeNode]) -> float | None:
    """How much larger a page is told than what it fills; None where it fills nothing that has a place."""
    box, parent = nodes[page].box, nodes[page].parent
    while parent is not None and ((held := nodes[parent].box) is None or not held.area):
        parent = nodes[parent].parent
    around = None if parent is None else nodes[parent].box
    if box is None or around is None or not box.area:
        return None
    factor = box.width / around.width
    step = round(factor / _SCALE_STEP) * _SCALE_STEP
    if abs(step - factor) * around.width <= _AROUND_PAGE_PX:
        factor = step  # what is lost is the rounding of both
    off = (abs(a - b) for a, b in zip(around.scaled(factor).corners, box.corners, strict=True))
    return factor if max(off) <= _AROUND_PAGE_PX else None
