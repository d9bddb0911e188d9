"""Targets in words, as somebody says them who sees the screen: by what tells them from all else, without numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Final

from demopack.codecs.element_names import element_names
from demopack.codecs.element_words import kind_words
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.labels import FIELDS, is_between, labels_in, nearest_label, one_line, trusted_text

_MAX_CONTAINER_SHARE: Final = 0.6
"""Of the picture: what is larger is the screen as a whole."""
_MAX_NEIGHBOUR_SHARE: Final = 0.15
"""Of the picture's diagonal: so far from a place an element may be and still tell where it is."""
_MUCH_FARTHER: Final = 2
"""How many times as far as the nearest thing another may be and still tell where a place is."""
_LONG: Final = 4
"""So many times as long as wide is what has five parts along its length."""
_CLOSE: Final = 8
"""Pixels: what is nearer is as near."""


def target_words(
    element: NumberedElement | None,
    at: Point | None,
    elements: Sequence[NumberedElement],
    size: Size | None,
    *,
    text: str = "",
    reported: str = "",
) -> str:
    """A target as somebody would describe it who sees the screen: without coordinates, and no text that may be misread.

    Args:
        element: None where none is known.
        at: where the pointer was; None for the keyboard.
        elements: on the screen.
        size: of the picture; None without one.
        text: what the target says, where no element is known.
        reported: what the system's accessibility interface calls the target.
    """
    if element is None:
        if text:
            return f'the element "{one_line(text)}"'
        return "the focused element" if at is None else place_words(at, elements, size)
    labels = labels_in(elements)
    label, name = nearest_label(element, labels, elements), trusted_text(element, reported=reported)
    # As the kind is said: one without a subtype means all of its type.
    subtype = None if element.text else element.subtype
    # "The element" may be anything.
    alike = [one for one in elements if one.uid != element.uid and element.type in {one.type, "other"}]
    alike = [one for one in alike if subtype in {None, one.subtype}]
    words = kind_words(element)
    if label and (element.type in FIELDS or not name):
        words = f"{words} {label.words}"
        theirs = ((one, nearest_label(one, labels, elements)) for one in alike)
        alike = [one for one, its in theirs if its is not None and its.words == label.words]
    elif name:
        words = f'{words} "{name}"'
        alike = [one for one in alike if one_line(one.text) == name]
    if not alike or size is None:
        return words
    part = part_words(element.box.center, Rect(0, 0, *size))
    if any(part_words(one.box.center, Rect(0, 0, *size)) == part for one in alike):
        called = element if name == one_line(element.text) else element.but(text=name or None, review="approved")
        told = _told_apart(called, [called if one.uid == element.uid else one for one in elements])
        if told:
            return told
    return f"{words} in {part} of the screen"


def _told_apart(element: NumberedElement, elements: Sequence[NumberedElement]) -> str:
    """The name by which no other element can be meant; empty where there is none."""
    return next((one.words for one in element_names(elements, of=[element])), "")


def place_words(at: Point, elements: Sequence[NumberedElement], size: Size | None) -> str:
    """A place without an element: a part of what lies around it, a spot beside a neighbour, or a part of the screen."""
    limit = None if size is None else _MAX_CONTAINER_SHARE * size.width * size.height
    around = [one for one in elements if one.box.contains(at) and (limit is None or one.box.area <= limit)]
    if around:
        inner = min(around, key=lambda one: one.box.area)
        return f"{part_words(at, inner.box)} of {_alone(inner, elements) or _named(inner)}"
    if size is None:
        return f"the place at x={at.x}, y={at.y}"
    reach = _MAX_NEIGHBOUR_SHARE * math.hypot(size.width, size.height)
    near = sorted(
        (far, one.number, f"the spot {_side(gap)}", one)
        for one in elements
        if (far := _far(gap := _gap(at, one.box))) <= reach
    )
    nearest = min((max(map(abs, _gap(at, one.box))) for one in elements), default=0)
    limit = _MUCH_FARTHER * max(nearest, _CLOSE)
    clear = [
        (spot, one)
        for far, _, spot, one in near
        if far <= limit and not is_between(Rect(at.x, at.y, at.x + 1, at.y + 1), one.box, elements)
    ]
    said = Counter(map(_named, elements))
    told = (f"{spot} {_named(one)}" for spot, one in clear if _is_plain(one) and said[_named(one)] == 1)
    longer = (f"{spot} {name}" for spot, one in clear if (name := _told_apart(one, elements)))
    return next(chain(told, longer), f"{part_words(at, Rect(0, 0, *size))} of the screen")


def _is_plain(element: NumberedElement) -> bool:
    """Whether its text is a name for it, and not what it holds."""
    return element.type not in FIELDS and bool(trusted_text(element))


def _gap(at: Point, box: Rect) -> tuple[int, int]:
    """From the nearest pixel of a box to a place, across and down."""
    right, bottom = max(box.x1, box.x2 - 1), max(box.y1, box.y2 - 1)
    return at.x - min(max(at.x, box.x1), right), at.y - min(max(at.y, box.y1), bottom)


def _far(gap: tuple[int, int]) -> float:
    """How far off a place is, the less the straighter; infinite where it is as much above as beside."""
    less, more = sorted(map(abs, gap))
    return more + less if less * 2 <= more else math.inf


def _side(gap: tuple[int, int]) -> str:
    across, down = gap
    if abs(across) > abs(down):
        return "right of" if across > 0 else "left of"
    return "below" if down > 0 else "above"


def part_words(at: Point, box: Rect) -> str:
    """The part of a box in which a place lies, across and down."""
    ways = parts_of(Size(box.width, box.height))
    far = (at.y - box.y1) / max(1, box.height), (at.x - box.x1) / max(1, box.width)
    said = (names[min(len(names) - 1, max(0, int(share * len(names))))] for names, share in zip(ways, far, strict=True))
    words = " ".join(filter(None, said))
    return f"the {words} part" if words else "the middle"


def parts_of(size: Size) -> tuple[Sequence[str], Sequence[str]]:
    """What the equal parts of a thing are called, from the top down and from the left; a long one has more of them."""
    down, across = ("upper", "", "lower"), ("left", "", "right")
    if size.width >= _LONG * size.height:
        return down, ("far left", "left", "", "right", "far right")
    if size.height >= _LONG * size.width:
        return ("top", "upper", "", "lower", "bottom"), across
    return down, across


def way_within(box: Rect, start: Point, end: Point) -> str:
    """Where something is dragged that is a part of itself, as a slider: ``from its left part to its right part``."""
    parts = [f"its {part_words(at, box).removeprefix('the ')}" for at in (start, end)]
    return f"within {parts[0]}" if parts[0] == parts[1] else f"from {parts[0]} to {parts[1]}"


def _named(element: NumberedElement) -> str:
    text = trusted_text(element)
    return f'{kind_words(element)} "{text}"' if text else kind_words(element)


def _alone(element: NumberedElement, elements: Sequence[NumberedElement]) -> str:
    """What means an element alone on its screen; empty where nothing does."""
    named = _named(element)
    if _is_plain(element) and Counter(map(_named, elements))[named] == 1:
        return named
    return _told_apart(element, elements)
