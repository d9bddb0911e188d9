"""A step's action ready to be said in any vocabulary: points in pixels of its picture, parameters typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from demopack.domain.actions import ActionType
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.keys import parse_key_info
from demopack.pack.formats.labels import label_of
from demopack.pack.rows import ElementRow, StepRow
from demopack.pack.stream import DemoRows

__all__ = ["Act", "act_of", "element_words"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One action.

    Attributes:
        kind: its type in the contract.
        parameters: in wire form, checked by the pack's reader.
        at: where the pointer acted, or would have to; None for the keyboard, or when nobody knows.
        to: where a drag ends.
        way: a drag's points from start to end.
        size: of the picture; None without one.
        target: the element it was done to.
        end: the element a drag ended on.
        target_text: what the target says, also where no element is known.
        label: words beside the target, where it has none of its own.
        end_label: the same of the element a drag ended on.
        window: the window that had the input, in pixels of the picture; None when unknown.
    """

    kind: ActionType
    parameters: Mapping[str, Any]
    at: Point | None = None
    to: Point | None = None
    way: tuple[Point, ...] = ()
    size: Size | None = None
    target: ElementRow | None = None
    end: ElementRow | None = None
    target_text: str = ""
    label: str = ""
    end_label: str = ""
    window: Rect | None = None

    @property
    def middle(self) -> Point | None:
        """The middle of the picture, for actions that mean the screen as a whole."""
        return None if self.size is None else Point(self.size.width // 2, self.size.height // 2)

    @property
    def modifiers(self) -> list[str]:
        """Keys held meanwhile, as the contract names them, lower case."""
        return list(cast("Sequence[str]", self.parameters.get("modifiers", ())))

    @property
    def click_type(self) -> str:
        """single, double, triple, right or middle."""
        return str(self.parameters.get("click_type", "single"))

    @property
    def button(self) -> str:
        """Of a drag."""
        return str(self.parameters.get("button", "left"))

    @property
    def text(self) -> str:
        """What was typed."""
        return str(self.parameters.get("text_to_type", ""))

    @property
    def submits(self) -> bool:
        """Whether Enter ended the typed text."""
        return bool(self.parameters.get("submit", False))

    @property
    def keys(self) -> tuple[str, ...]:
        """Canonical names of the keys that were pressed together."""
        return parse_key_info(str(self.parameters["key_info"])) if self.kind == "press_key" else ()

    @property
    def presses(self) -> int:
        """How often the keys were pressed."""
        return int(self.parameters.get("presses", 1))

    @property
    def direction(self) -> str:
        """The way the view moves."""
        return str(self.parameters.get("scroll_direction", ""))

    @property
    def notches(self) -> int:
        """Of the wheel."""
        return int(self.parameters.get("scroll_steps", 1))

    @property
    def seconds(self) -> float:
        """Of a wait."""
        return float(self.parameters.get("wait_duration_s", 0.0))

    @property
    def failed(self) -> bool:
        """Whether a finish says that the task could not be done."""
        return self.parameters.get("status") == "failure"


def act_of(row: StepRow, demo: DemoRows) -> Act:
    """The action of one step."""
    action = row.response["action"]
    size = None if row.image_size is None else Size(row.image_size[0], row.image_size[1])
    target, last = demo.element(row, row.target_uid), demo.element(row, row.end_uid)
    start, end = _place(row, size, row.target_box, last=False), _place(row, size, row.end_box, last=True)
    return Act(
        kind=action["action_type"],
        parameters=action["parameters"],
        at=start,
        to=end,
        way=_way(row, start, end, size),
        size=size,
        target=target,
        end=last,
        label=_label(target, demo.on(row)),
        end_label=_label(last, demo.on(row)),
        target_text="" if action["target"] is None else str(action["target"].get("text") or ""),
        window=_window(row),
    )


def _label(element: ElementRow | None, elements: Sequence[ElementRow]) -> str:
    return "" if element is None or element.text else label_of(element, elements)


def _place(row: StepRow, size: Size | None, box: Sequence[int] | None, *, last: bool) -> Point | None:
    """The exact pixel where the pointer was; else the middle of the target. Always a pixel of the picture."""
    pointer = row.pointer
    if pointer is not None and not last:
        return _onto(Point(pointer.x, pointer.y), size)
    if pointer is not None and pointer.end_x is not None and pointer.end_y is not None:
        return _onto(Point(pointer.end_x, pointer.end_y), size)
    return None if box is None else _onto(Rect(*box).center, size)


def _onto(point: Point, size: Size | None) -> Point:
    if size is None:
        return point
    return Point(min(max(point.x, 0), size.width - 1), min(max(point.y, 0), size.height - 1))


def _way(row: StepRow, start: Point | None, end: Point | None, size: Size | None) -> tuple[Point, ...]:
    if start is None or end is None:
        return ()
    between = () if row.pointer is None else tuple(_onto(Point(p.x, p.y), size) for p in row.pointer.path)
    return (start, *between, end)


def _window(row: StepRow) -> Rect | None:
    """The window's box on the picture: told in units of the virtual desktop."""
    frame = row.before
    if row.window is None or row.window.box is None or frame is None:
        return None
    found = frame.space.to_pixels(Rect(*row.window.box)).clamped(frame.size)
    return found if found.area else None


def element_words(element: ElementRow | None, text: str, at: Point | None, *, label: str = "") -> str:
    """An element in words, for vocabularies that name targets by description: ``the button "Save"``.

    Args:
        element: None where none is known.
        text: what the target says, where no element is known.
        at: where the pointer was.
        label: words beside an element that has none of its own.
    """
    if element is not None:
        kind = "element" if element.type == "other" else element.type.replace("_", " ")
        if element.text:
            return f'the {kind} "{" ".join(element.text.split())}"'
        named = f"the {element.subtype} {kind}" if element.subtype else f"the {kind}"
        return f'{named} beside "{label}"' if label else named
    if text:
        return f'the element "{" ".join(text.split())}"'
    return "the focused element" if at is None else f"the place at x={at.x}, y={at.y}"
