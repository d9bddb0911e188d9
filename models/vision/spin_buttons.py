"""The two signs at the end of a number field that count it up and down, where a step hit one of them.

No toolkit that was looked at reports them, and nobody corrects two more boxes on every field; so they are elements
only where a step acted on one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from demopack.domain.actions import DragAction, ScrollAction
from demopack.domain.elements import Element, element_at
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.domain.steps import Step
from demopack.pixels.drawn import differs, ground_of, part_of, pieces, stands_out_of_rows
from demopack.pixels.masks import Mask
from models.vision.detection import to_element
from models.vision.rules import found_by_rule

_EDGE_PX: Final = 3
"""Of a field's frame, and of the ring around it while it has the input."""
_INK: Final = 28
"""Steps of a channel by which a sign stands out that cannot be used."""
_MOST_HIGH: Final = 0.7
"""Of a sign, in heights of what is in the frame: lines between the parts of a field are higher."""
_MOST_WIDE: Final = 1.2
"""Width of a sign with its own frame, in the same; the frame of a field told too large lies in it."""
_LEAST_PX: Final = 4
_FLAT: Final = 0.4
"""Height of a minus, in its widths, at most."""
_LARGE: Final = 0.35
"""Width of a sign, in heights of the field, from which on it is no letter."""
_UPRIGHT: Final = 1.5
"""Height of an upright field, in its widths, at least."""
_REACH: Final = {"stacked": 1.2, "beside": 2.4}
"""How far from its end the signs of a field begin, in its heights."""
_SAME_PX: Final = 3
"""By how much two signs of a pair differ in width and in place."""


class SpinButton(NamedTuple):
    """One of the two.

    Attributes:
        does: what a press on it does to the number.
        box: where it can be pressed, pixels.
    """

    does: Literal["increase", "decrease"]
    box: Rect


def spin_buttons(image: RgbImage, field: Rect) -> tuple[SpinButton, ...]:
    """The two signs of a number field, at its right end or both ends of an upright one; empty where none can be told.

    Args:
        image: shape (height, width, 3), uint8.
        field: with its frame, pixels.
    """
    size = Size(image.shape[1], image.shape[0])
    if min(field.width, field.height) <= 2 * _EDGE_PX or field.clamped(size) != field:
        return ()
    inner = Rect(field.x1 + _EDGE_PX, field.y1 + _EDGE_PX, field.x2 - _EDGE_PX, field.y2 - _EDGE_PX)
    part = part_of(image, inner)
    if field.height >= _UPRIGHT * field.width:
        drawn = stands_out_of_rows(part, least=_INK)
        return () if drawn is None else _at_ends(_signs(drawn, inner), field)
    signs = _signs(differs(part, ground_of(part), least=_INK), inner)
    return _stacked(signs, field) or _beside(signs, field)


def _signs(drawn: Mask, inner: Rect) -> list[Rect]:
    """The pieces of what is drawn in a frame that are no corners of it, and no lines between the parts of a field."""
    found = [one.moved(inner.x1, inner.y1) for one in pieces(drawn, reach=0)]
    height = drawn.shape[0]
    small = [one for one in found if one.height <= _MOST_HIGH * height and one.width <= _MOST_WIDE * height]
    return [one for one in small if max(one.width, one.height) >= _LEAST_PX]


def with_acted_spin_buttons(
    elements: Sequence[Element], image: RgbImage, frame: Frame, steps: Sequence[Step]
) -> list[Element]:
    """The elements of a frame, and the signs of number fields that steps hit on it.

    Args:
        elements: what is known of the frame.
        image: the frame's pixels, shape (height, width, 3), uint8.
        frame: which.
        steps: of the demo; those that began on another frame are ignored.
    """
    made = list(elements)
    for step in steps:
        if step.before is None or step.before.id != frame.id or step.pointer is None:
            continue
        at = step.pointer.at
        hit = None if isinstance(step.action, (DragAction, ScrollAction)) else element_at(made, at)
        if hit is not None and hit.type == "spinner":
            found = next((one for one in spin_buttons(image, hit.box) if one.box.contains(at)), None)
            if found is not None:
                known = found_by_rule("spin_button", type="icon", subtype=found.does, box=found.box)
                made.append(to_element(known.to_json(), frame_id=frame.id))
    return made


def _at_ends(signs: Sequence[Rect], field: Rect) -> tuple[SpinButton, ...]:
    """Of an upright field: a plus above the number, and a minus below it."""
    ordered = sorted((one for one in signs if one.width >= _LEAST_PX), key=lambda one: one.center.y)
    if len(ordered) < 2:
        return ()
    first, last = ordered[0], ordered[-1]
    flat = [one.height <= _FLAT * one.width for one in (first, last)]
    if flat != [False, True] or abs(first.width - last.width) > _SAME_PX:
        return ()
    return (
        SpinButton("increase", Rect(field.x1, field.y1, field.x2, 2 * first.center.y - field.y1)),
        SpinButton("decrease", Rect(field.x1, 2 * last.center.y - field.y2, field.x2, field.y2)),
    )


def _stacked(signs: Sequence[Rect], field: Rect) -> tuple[SpinButton, ...]:
    """An arrow that points up above one that points down."""
    middle = (field.y1 + field.y2) / 2
    near = [one for one in signs if one.x1 >= field.x2 - _REACH["stacked"] * field.height]
    last = max(near, key=lambda one: one.x2, default=None)
    at_end = [one for one in near if last is not None and one.x1 < last.x2 and last.x1 < one.x2]  # no digit
    above, below = ([one for one in at_end if (one.center.y < middle) is upper] for upper in (True, False))
    if not above or not below:
        return ()
    up, down = _around(above), _around(below)
    alike = abs(up.x1 - down.x1) <= _SAME_PX and abs(up.x2 - down.x2) <= _SAME_PX
    if not alike or up.y2 > middle + 1 or down.y1 < middle - 1 or up.width < _LEAST_PX:
        return ()
    x1 = max(field.x1, min(up.x1, down.x1) - (field.x2 - max(up.x2, down.x2)))
    y = round(middle)
    return (
        SpinButton("increase", Rect(x1, field.y1, field.x2, y)),
        SpinButton("decrease", Rect(x1, y, field.x2, field.y2)),
    )


def _beside(signs: Sequence[Rect], field: Rect) -> tuple[SpinButton, ...]:
    """A minus and a plus beside each other, in either order."""
    least = field.x2 - _REACH["beside"] * field.height
    at_end = sorted((one for one in signs if one.x1 >= least and one.width >= _LEAST_PX), key=lambda one: one.x1)
    if len(at_end) < 2:
        return ()
    first, last = at_end[-2:]
    flat = [one.height <= _FLAT * one.width for one in (first, last)]
    level = abs(first.y1 + first.y2 - last.y1 - last.y2) <= 2 * _SAME_PX
    # Unlike the letters of “-5”.
    apart = last.x1 - first.x2 >= first.width / 2 or first.width >= _LARGE * field.height
    if flat[0] is flat[1] or not level or not apart or abs(first.width - last.width) > _SAME_PX:
        return ()
    between = round((first.x2 + last.x1) / 2)
    left = Rect(max(field.x1, 2 * first.center.x - between), field.y1, between, field.y2)
    right = Rect(between, field.y1, field.x2, field.y2)
    minus, plus = (left, right) if flat[0] else (right, left)
    return SpinButton("increase", plus), SpinButton("decrease", minus)


def _around(boxes: Sequence[Rect]) -> Rect:
    around = boxes[0]
    for one in boxes[1:]:
        around = around.union(one)
    return around
