"""Accessibility trees: what programs report about their windows at a moment, for every window on its own.

Where the window manager tells the buttons of a title bar, these are a tree of their own, before that of the window.

A tree is stored once for its content (:func:`tree_id`), as pictures are for their pixels; a step says when which one
was read (:class:`TreeReading`). Boxes are pixels of the virtual desktop, as in ``AccessibleElement``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import Field, model_validator

from demopack.domain.elements import Box
from demopack.domain.geometry import Rect
from demopack.domain.records import Nanoseconds, Record

BoxTrust = Literal["pixels", "window", "none"]
"""How far the boxes of a tree can be believed. ``pixels``: they were reported in pixels, or turned into them and held
against the X server's window; ``window``: only the window's own box is sure; ``none``: no usable places at all."""


TITLE_BAR = "title bar"
"""Role of the first node of a tree that the window manager told of: the bar above a window, with its buttons."""


class TextLine(Record):
    """One line of a text as the program breaks it; ``box`` in pixels of the virtual desktop, None where unknown."""

    text: str
    box: Box | None = None


class ValueRange(Record):
    """The numeric value of a slider, scroll bar, spin button or progress bar, with its bounds."""

    minimum: float
    value: float
    maximum: float


class TreeNode(Record):
    """One node of an accessibility tree.

    Attributes:
        parent: index of its parent in ``WindowTree.nodes``, always smaller than its own; None for the window itself.
        role: in the interface's words, lower case, for instance ``push button``.
        name: its label; empty when it has none.
        description: what the program says beside the name; empty when it has none.
        value: its text or number; always empty for a secure field.
        placeholder: what an empty field shows instead of a value.
        keys: the short-cut of its action, as reported.
        states: in the interface's words, sorted; ``clickable`` of a part of a page that is none by its role.
        box: pixels of the virtual desktop; None when unknown.
        range: minimum, value and maximum where it has a numeric value.
        lines: the lines of a text of several lines, as far as they were asked for.
        secure: whether what is typed into it is a secret.
        unread: how many of its children were not read: sampled, hidden, or out of time.
    """

    parent: int | None = Field(default=None, ge=0)
    role: str
    name: str = ""
    description: str = ""
    value: str = ""
    placeholder: str = ""
    keys: str = ""
    states: tuple[str, ...] = ()
    box: Box | None = None
    range: ValueRange | None = None
    lines: tuple[TextLine, ...] = ()
    secure: bool = False
    unread: int = Field(default=0, ge=0)


class WindowTree(Record):
    """What a program reported about one of its windows: content alone, without when it was read.

    Attributes:
        schema_version: of this record.
        app: the program's name.
        toolkit: name and version, for instance ``gtk 3.24.38``; empty where it does not tell.
        title: of the window.
        box: the window with its frame in pixels of the virtual desktop, as the display server says; of a tree that is a
            title bar, that bar. None when no window of the server belongs to it.
        boxes: how far the boxes of the nodes can be believed.
        complete: whether everything that is shown was read.
        nodes: depth first, the window itself first.
    """

    schema_version: Literal[1] = 1
    app: str = ""
    toolkit: str = ""
    title: str = ""
    box: Box | None = None
    boxes: BoxTrust = "pixels"
    complete: bool = True
    nodes: tuple[TreeNode, ...] = ()

    @model_validator(mode="after")
    def _parents_first(self) -> WindowTree:
        for index, node in enumerate(self.nodes):
            if node.parent is not None and node.parent >= index:
                raise ValueError(f"the node {index} stands before its parent {node.parent}")
        return self

    @property
    def is_title_bar(self) -> bool:
        """Whether it is what the window manager put above a window, and nothing of the program itself."""
        return bool(self.nodes) and self.nodes[0].role == TITLE_BAR

    def children(self) -> list[list[int]]:
        """The indices of the children of each node, in order; one list for each node."""
        below: list[list[int]] = [[] for _ in self.nodes]
        for index, node in enumerate(self.nodes):
            if node.parent is not None:
                below[node.parent].append(index)
        return below

    def ancestors(self, index: int) -> Iterator[int]:
        """The indices from a node's parent up to the window."""
        above = self.nodes[index].parent
        while above is not None:
            yield above
            above = self.nodes[above].parent


class TreeReading(Record):
    """When a window's tree was read, and whether it is proved to belong to the picture it stands with.

    Attributes:
        tree: id of the :class:`WindowTree`.
        started_ns: monotonic clock when its reading began.
        ended_ns: as ``started_ns``, when the last answer had come.
        proved: no pixel of the window changed between the picture and the reading, whichever came first, but for
            ``changed``. Otherwise the tree is stale: its nodes count only where pixels agree.
        changed: where pixels of the window changed meanwhile, boxes of the virtual desktop: a caret that blinked, a
            button that lit up. Nodes that reach into them are as stale as those of a tree that is not proved.
    """

    tree: str
    started_ns: Nanoseconds
    ended_ns: Nanoseconds
    proved: bool = False
    changed: tuple[Box, ...] = ()


def without_covered(tree: WindowTree, covered: Sequence[Rect]) -> WindowTree:
    """A tree whose nodes say nothing but their role where a picture of them is painted over.

    So do nodes whose place nobody knows, where anything of their window is painted over. A node of which only a part
    is, as a page with one line that must not be read, has no content; one without nodes in it has no words either.

    Args:
        tree: any.
        covered: boxes of the virtual desktop.
    """
    near = [box for box in covered if tree.box is None or box.intersection(tree.box) is not None]
    if not near:
        return tree
    filled = {node.parent for node in tree.nodes}
    return tree.but(nodes=tuple(_left_of(node, near, has_nodes=at in filled) for at, node in enumerate(tree.nodes)))


def _left_of(node: TreeNode, covered: Sequence[Rect], *, has_nodes: bool) -> TreeNode:
    if _is_under(node.box, covered):
        return _silenced(node)
    parts = [part for box in covered if node.box is not None and (part := node.box.intersection(box)) is not None]
    if not any(min(part.width, part.height) >= _LINE_PX for part in parts):
        return node
    return node.but(value="", lines=(), range=None) if has_nodes else _silenced(node)


def _silenced(node: TreeNode) -> TreeNode:
    return TreeNode(parent=node.parent, role=node.role, box=node.box, secure=node.secure, unread=node.unread)


def _is_under(box: Rect | None, covered: Sequence[Rect]) -> bool:
    return box is None or any(box.share_in(cover) >= _MIN_COVERED for cover in covered)


_MIN_COVERED = 0.5
"""Share of a node's box that is painted over, from which on it says nothing."""
_LINE_PX = 10
"""What is painted over and lower or narrower than this, hides no line of text: it is the edge of what lies beside."""


def tree_bytes(tree: WindowTree) -> bytes:
    """The canonical JSON of a tree, UTF-8: equal trees are equal bytes. Fields at their default are left out."""
    plain = tree.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(
        {"schema_version": tree.schema_version, **plain}, ensure_ascii=False, separators=(",", ":"), sort_keys=True
    ).encode()


def tree_id(data: bytes) -> str:
    """The content address of a tree: SHA-256 over ``b"tree:"`` and its canonical JSON (:func:`tree_bytes`), hex."""
    return hashlib.sha256(b"tree:" + data).hexdigest()
