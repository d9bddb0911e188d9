"""Nodes of an OpenAdapt state as elements on its picture."""

from __future__ import annotations

from typing import Any, Final

from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, STATES, Element, ElementType, State
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, Size
from demopack.importing.building import Builder
from demopack.importing.values import Row, list_in, object_in

__all__ = ["Nodes"]

_TYPES: Final[dict[str, ElementType]] = {
    "text_static": "text", "label": "text", "heading": "text", "paragraph": "text", "link": "hyperlink",
    "text_input": "input_field", "combobox": "dropdown", "table_cell": "tabled_text", "button": "button",
    "checkbox": "checkbox", "radio": "radio", "list_item": "list_item", "menu": "menu", "menu_item": "menu_item",
    "tab": "tab", "tree_item": "tree_item", "image": "image", "icon": "icon", "toolbar": "toolbar",
    "scrollbar": "scrollbar", "slider": "slider", "window": "window", "dialog": "dialog",
}  # fmt: skip
_SHAPE_SLACK: Final = 0.02


class Nodes:
    """The elements of one state.

    Attributes:
        frame: the picture; None without one.
        found: all of them, in the order of the file.
        scale: pixels of the picture for one unit of the state, across and down.
        size: of what places are meant for; None where nobody knows.
    """

    def __init__(self, state: Row, frame: Frame | None, builder: Builder) -> None:
        self._builder = builder
        self.frame = frame
        self.size = self._size_of(state, frame)
        self.scale = (1.0, 1.0)
        if frame is not None and self.size is not None:
            self.scale = (frame.width / self.size.width, frame.height / self.size.height)
        self._by_node: dict[str, Element] = {}
        for node in state.rows("nodes"):
            element = self._element(node)
            if element is not None:
                self._by_node[node.text("node_id")] = element
        self.found = tuple(self._by_node.values())

    def element(self, node_id: str) -> Element | None:
        """The element of a node."""
        return self._by_node.get(node_id)

    def point(self, x: float, y: float) -> Point | None:
        """A place as a pixel of the picture; None without one, or beside it."""
        frame = self.frame
        if frame is None:
            return None
        px, py = round(x * self.scale[0]), round(y * self.scale[1])
        if not (0 <= px <= frame.width and 0 <= py <= frame.height):
            return None
        return Point(min(px, frame.width - 1), min(py, frame.height - 1))

    def _size_of(self, state: Row, frame: Frame | None) -> Size | None:
        options, ledger = self._builder.options, self._builder.ledger
        numbers = list_in(state.get("viewport"))
        given = options.screen
        if given is None and len(numbers) == 2 and all(isinstance(v, int) and v > 0 for v in numbers):
            given = Size(*numbers)
        if given is None:
            if frame is not None:
                ledger.assume(
                    "viewport", "the viewport is not said; places are read as pixels of the picture", state.place
                )
            return None if frame is None else frame.size
        if frame is not None and given != frame.size:
            if abs(given.width * frame.height / (given.height * frame.width) - 1) > _SHAPE_SLACK:
                why = (
                    f"it is {given.width} x {given.height}, but the picture is {frame.width} x {frame.height}, "
                    "which is another shape"
                )
                raise state.wrong("viewport", why, code="viewport", hint="Say the right size with --screen.")
            ledger.assume(
                "coordinates_scaled", "places in the viewport were drawn to the size of the picture", state.place
            )
        return given

    def _element(self, node: Row) -> Element | None:
        ledger, frame = self._builder.ledger, self.frame
        box = node.row("bbox")
        if frame is None or box is None or node.flag("is_visible") is False:
            ledger.lose("nodes", "nodes that have no box, no picture or are not visible", node.place)
            return None
        x, y, w, h = (box.number(name) or 0.0 for name in ("x", "y", "width", "height"))
        sx, sy = self.scale
        edges = (round(x * sx), round(y * sy), round((x + max(w, 0)) * sx), round((y + max(h, 0)) * sy))
        whole = Rect(*edges)
        rect = whole.clamped(frame.size)
        if not rect.area:
            ledger.lose("nodes_outside", "nodes without area, or wholly beside the picture", node.place)
            return None
        if rect != whole:
            ledger.assume("clipped", "boxes of nodes were cut at the edge of the picture", node.place)
        if node.get("parent_id"):
            ledger.lose("parents", "parents of nodes: ours are worked out from the boxes", node.place)
        return self._made(node, rect, frame)

    def _made(self, node: Row, rect: Rect, frame: Frame) -> Element:
        extra = object_in(node.get("attributes"))
        kind, subtype = self._type(node, extra)
        confidence = node.number("confidence")
        self._builder.ledger.assume(
            "finder", "who found the nodes is not said; they are taken from accessibility", node.place
        )
        own = extra.get("track_id")
        return Element(
            uid=f"{self._builder.demo}_{frame.id[:8]}_{node.text('node_id', default=None)}",
            frame=frame.id,
            type=kind,
            box=rect,
            text=node.text("text") or node.text("name") or node.text("value") or None,
            subtype=subtype,
            states=_states(node, extra, kind),
            source="accessibility",
            confidence=None if confidence is None else min(max(confidence, 0.0), 1.0),
            track_id=own if isinstance(own, str) else None,
        ).cleaned()

    def _type(self, node: Row, extra: dict[str, Any]) -> tuple[ElementType, str | None]:
        own, subtype = extra.get("type"), extra.get("subtype")
        if own in ELEMENT_TYPES:
            return own, subtype if isinstance(subtype, str) else None
        role = node.text("role", default="unknown").lower()
        found = _TYPES.get(role)
        if found is not None:
            return found, None
        self._builder.ledger.assume("roles", "roles that are no type of ours became “other”", f"{node.place}: {role}")
        return "other", role


def _states(node: Row, extra: dict[str, Any], kind: ElementType) -> dict[State, bool]:
    """What can be seen: OpenAdapt's flags are false also where nobody looked, so only what is set counts."""
    own = extra.get("states")
    if isinstance(own, dict):
        return _only_states(object_in(own))
    may = ATTRIBUTES[kind].states
    selected = node.flag("is_selected") is True
    flags: dict[str, Any] = {
        "disabled": node.flag("is_enabled") is False,
        "focused": node.flag("is_focused") is True,
        "checked": selected and "checked" in may,
        "highlighted": selected and "checked" not in may,
    }
    return _only_states({name: True for name, value in flags.items() if value and name in may})


def _only_states(values: dict[str, Any]) -> dict[State, bool]:
    return {state: bool(values[state]) for state in STATES if state in values}
