"""Turns the accessibility trees of programs on a private desktop into plain nodes with boxes in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demopack.domain.geometry import Rect
from demopack.errors import CaptureError
from lab.screens.apps.desktop_state import Line, Node

if TYPE_CHECKING:
    from lab.screens.apps.window_frames import FramedWindow
    from recorder.backends.atspi.bus import AccessEvent, Ref
    from recorder.backends.atspi.tree import ProgramNode

_SCALED = ("gtk", "qt")
_TOPS = frozenset({"frame", "dialog", "window", "popup menu", "menu", "alert", "file chooser", "color chooser"})
_SLACK_PX = 3


class Placing:
    """Knows where on the screen the boxes of one program are: toolkits count in units of ``scale`` pixels.

    Scaled positions lose a pixel when the window stands at an odd one, so each window known by its size
    is put where the X server says it is.
    """

    def __init__(self, scale: int, windows: Sequence[FramedWindow]) -> None:
        self._scale = scale
        self._windows = windows

    def shift(self, told: Rect) -> tuple[int, int] | None:
        """How far a whole window is from where the program says it is; None when no window has its size."""
        box = self.scaled(told, (0, 0))
        best: tuple[int, tuple[int, int]] | None = None
        for real in (r for w in self._windows for r in (w.box, w.frame)):
            if abs(real.width - box.width) > _SLACK_PX or abs(real.height - box.height) > _SLACK_PX:
                continue
            way = (real.x1 - box.x1, real.y1 - box.y1)
            distance = abs(way[0]) + abs(way[1]) + abs(real.width - box.width) + abs(real.height - box.height)
            if best is None or distance < best[0]:
                best = (distance, way)
        return None if best is None or best[0] > 2 * self._scale + _SLACK_PX else best[1]

    def scaled(self, told: Rect, way: tuple[int, int]) -> Rect:
        """A box in pixels."""
        s = self._scale
        return Rect(told.x1 * s + way[0], told.y1 * s + way[1], told.x2 * s + way[0], told.y2 * s + way[1])


class NodeReader:
    """Reads all programs of a display."""

    def __init__(self, display: str, scale: int) -> None:
        """Connect.

        Raises:
            CaptureError: there is no accessibility bus.
        """
        from recorder.backends.atspi.bus import bus_address, open_bus
        from recorder.backends.atspi.tree import TreeReader

        address = bus_address(display)
        bus = open_bus(address, _ignore) if address else None
        if bus is None:
            raise CaptureError("The private desktop has no accessibility bus.")
        self._bus = bus
        self._reader = TreeReader(bus)
        self._scale = scale
        self._refs: list[Ref] = []

    def close(self) -> None:
        """Let go of the bus."""
        self._bus.close()

    def read(self, windows: Sequence[FramedWindow]) -> list[tuple[Node, str]]:
        """What each program with a window tells, and its toolkit."""
        self._refs.clear()
        processes = {window.process for window in windows}
        found: list[tuple[Node, str]] = []
        for root, process in self._reader.programs():
            if process not in processes:
                continue
            toolkit = self._reader.toolkit(root)
            scale = self._scale if toolkit.lower().startswith(_SCALED) else 1
            tree = self._reader.read(root)
            if tree.complete:
                own = [window for window in windows if window.process == process]
                found.append((self._node(tree, Placing(scale, own), (0, 0)), toolkit))
        return found

    def act(self, node: object) -> bool:
        """Have an element of the last reading do its action."""
        return isinstance(node, Node) and self._reader.act(self._refs[node.handle])

    def _node(self, tree: ProgramNode, placing: Placing, way: tuple[int, int]) -> Node:
        if tree.role in _TOPS and tree.box is not None:
            way = placing.shift(tree.box) or way
        handle = len(self._refs)
        self._refs.append(tree.ref)
        return Node(
            role=tree.role,
            name=tree.name,
            states=tree.states,
            box=None if tree.box is None else placing.scaled(tree.box, way),
            text=tree.text,
            lines=tuple(Line(x.text, None if x.box is None else placing.scaled(x.box, way)) for x in tree.lines),
            value=tree.value,
            attributes=tree.attributes,
            children=tuple(self._node(child, placing, way) for child in tree.children),
            handle=handle,
        )


def _ignore(_: AccessEvent) -> None:
    """Nothing is listened to."""
