"""Turns an action whose targets have been found into gestures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from demopack.domain.actions import AgentAction
from demopack.domain.events import Button
from demopack.domain.geometry import Point
from demopack.domain.keys import parse_key_info
from demopack.domain.parameters import (
    ClickParameters,
    DragParameters,
    HoverParameters,
    PressKeyParameters,
    ScrollParameters,
    TypeParameters,
)
from player.hands import Guard, Hands, nothing_to_guard
from player.motion import through

__all__ = ["perform"]

_CLICKS: Final[dict[str, tuple[Button, int]]] = {
    "single": ("left", 1),
    "double": ("left", 2),
    "triple": ("left", 3),
    "right": ("right", 1),
    "middle": ("middle", 1),
}
_WHEEL: Final = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
_DWELL_S: Final = 0.8  # longer than tool-tips and hover menus wait


def perform(
    action: AgentAction,
    hands: Hands,
    *,
    start: Point | None = None,
    end: Point | None = None,
    way: Sequence[Point] = (),
    guard: Guard = nothing_to_guard,
) -> None:
    """Perform one action; ``wait``, ``launch``, ``extract_data`` and ``finish_goal`` have no gesture.

    Args:
        action: what to do.
        hands: performs the gestures.
        start: where, on the desktop; None leaves the pointer and the focus where they are.
        end: where a drag ends, on the desktop.
        way: a drag's recorded way on the desktop, its first and last point included.
        guard: called before each key that is sent.

    Raises:
        CancelledError: the replay was stopped.
        ReplayError: an input is not possible.
    """
    match action.typed:
        case ClickParameters() as click if start is not None:
            button, count = _CLICKS[click.click_type]
            hands.click(start, button=button, count=count, modifiers=click.modifiers, hold_s=click.hold_s)
        case DragParameters() as drag if start is not None and end is not None:
            hands.drag(through(way, start, end), button=drag.button, modifiers=drag.modifiers)
        case HoverParameters() as hover if start is not None:
            hands.go(start)
            hands.rest(hover.duration_s or _DWELL_S)
        case ScrollParameters() as scroll:
            if start is not None:
                hands.go(start)
            dx, dy = _WHEEL[scroll.scroll_direction]
            hands.scroll(dx=dx * scroll.scroll_steps, dy=dy * scroll.scroll_steps, modifiers=scroll.modifiers)
        case TypeParameters() | PressKeyParameters() as keys:
            if start is not None:
                hands.click(start)
            _send(keys, hands, guard)
        case _:
            return


def _send(keys: TypeParameters | PressKeyParameters, hands: Hands, guard: Guard) -> None:
    if isinstance(keys, TypeParameters):
        hands.type_text(keys.text_to_type + ("\n" if keys.submit else ""), guard=guard)
    else:
        hands.chord(parse_key_info(keys.key_info), times=keys.presses, guard=guard)
