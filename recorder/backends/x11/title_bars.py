"""The buttons of title bars: many window managers make windows of them, so the X server knows where they are."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Final

from demopack.domain.geometry import Rect
from demopack.domain.trees import TITLE_BAR, TreeNode, WindowTree
from demopack.errors import CaptureError
from recorder.backends.base import SeenWindow
from recorder.backends.x11.windows import box_of
from recorder.backends.x11.xlib import cut, open_display, property_of, server_errors, xlib

_LEAST_PX: Final = 8
"""Side of a button; what is smaller is an edge to take hold of."""
_TALLEST_PX: Final = 96
"""Height of a title bar, at twice the usual scale and then some."""
_MAX_PARTS: Final = 160
"""Windows of a frame that are looked at, and those of its title bar; openbox has ninety, mostly never shown."""
_MAX_KNOWN: Final = 64


class TitleBars:
    """Asks the server on a connection of its own, once for each window and size; for one thread."""

    def __init__(self, display: str | None = None) -> None:
        """Nothing is opened before something is asked."""
        self._name = display
        self._display: Any = None
        self._failed = False
        self._known: dict[tuple[int, int, int], tuple[Rect, tuple[Rect, ...]]] = {}

    def tree(self, window: SeenWindow) -> WindowTree | None:
        """The title bar of a window as a tree of its own; None where its window manager tells of no button.

        Args:
            window: with its frame.
        """
        box = window.box
        if box is None or not window.number or self._failed:
            return None
        key = (window.number, box.width, box.height)
        if key not in self._known:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            with contextlib.suppress(CaptureError, *server_errors()):
                self._known[key] = self._ask(window.number, Rect(0, 0, box.width, box.height))
        if key not in self._known:
            return None  # the window has gone, or the server
        bar, buttons = self._known[key]
        if not buttons:
            return None
        states = ("enabled", "sensitive", "showing", "visible")
        nodes = [TreeNode(role=TITLE_BAR, states=states, box=bar.moved(box.x1, box.y1))]
        nodes += [
            TreeNode(parent=0, role="push button", states=states, box=one.moved(box.x1, box.y1)) for one in buttons
        ]
        return WindowTree(app=window.app, toolkit="x11", title=window.title, box=nodes[0].box, nodes=tuple(nodes))

    def close(self) -> None:
        """Let go of the display; calling it twice is harmless."""
        display, self._display, self._failed = self._display, None, True
        if display is not None:
            cut(display)
            with contextlib.suppress(*server_errors()):
                display.close()

    def _ask(self, number: int, whole: Rect) -> tuple[Rect, tuple[Rect, ...]]:
        """The title bar of a frame and the buttons in it, pixels of the frame."""
        if self._display is None:
            self._display = open_display(self._name, quiet=True)
        frame = self._display.create_resource_object("window", number)
        border = frame.get_geometry().border_width
        parts = frame.query_tree().children[:_MAX_PARTS]
        client = next((part for part in reversed(parts) if self._is_client(part)), None)  # on top of all ornaments
        if client is None or self._is_client(frame):
            return whole, ()  # nothing frames it
        children = [(part, box_of(part.get_geometry()).moved(border, border)) for part in parts if part is not client]
        above = box_of(client.get_geometry()).y1 + border
        if not _LEAST_PX < above <= _TALLEST_PX:
            return whole, ()
        bar = Rect(whole.x1, whole.y1, whole.x2, min(above, whole.y2))
        found: list[Rect] = []
        for child, box in children:
            if box.y2 > bar.y2 + 1 or not self._is_shown(child):
                continue
            if box.width <= 2 * box.height:
                found += _buttons([box], whole)
            else:
                inside = child.query_tree().children[:_MAX_PARTS]
                found += _buttons(
                    [box_of(one.get_geometry()).moved(box.x1, box.y1) for one in inside if self._is_shown(one)], box
                )
        return bar, tuple(sorted(found, key=lambda one: one.x1))

    def _is_client(self, window: Any) -> bool:  # noqa: ANN401 - an untyped library
        """Whether it is a program's own window, which a window manager looks after."""
        return property_of(self._display, window, "WM_STATE") is not None

    def _is_shown(self, window: Any) -> bool:  # noqa: ANN401 - an untyped library
        look = window.get_attributes()
        return bool(look.map_state == xlib("X").IsViewable and look.win_class != xlib("X").InputOnly)


def _buttons(boxes: list[Rect], around: Rect) -> Iterator[Rect]:
    """Those about as high as wide that touch neither side: there are the corners by which a frame is taken."""
    for box in boxes:
        is_compact = max(box.width, box.height) < 2 * min(box.width, box.height)
        if is_compact and around.x1 < box.x1 and box.x2 < around.x2 and min(box.width, box.height) >= _LEAST_PX:
            yield box
