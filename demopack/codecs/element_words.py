"""Elements in words: as lists that models are given, as descriptions of targets, and the labels beside them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from demopack.codecs.coordinates import CoordinateGrid
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.text_likeness import plain_text, ratio


def fractions(element: NumberedElement, size: Size) -> str:
    """Where an element is: ``[x, y, width, height]`` as fractions of the picture."""
    return f"[{', '.join(f'{value:.3f}' for value in element.fractions(size))}]"


def element_lines(
    elements: Sequence[NumberedElement],
    size: Size | None,
    place: Callable[[NumberedElement, Size], str] = fractions,
) -> list[str]:
    """The elements of a picture, one to a line: ``[3] button "Save" at [0.460, 0.180, 0.080, 0.040], disabled``.

    Args:
        elements: what is on it.
        size: of the picture; without it nobody knows where they are, and there are no lines.
        place: writes where an element is.
    """
    return [] if size is None else [_element_line(element, place(element, size)) for element in elements]


def _element_line(element: NumberedElement, place: str) -> str:
    kind = element.type if element.subtype is None else f"{element.subtype} {element.type}"
    said = "" if element.text is None else f' "{" ".join(element.text.split())}"'
    states = [name if value else f"not {name}" for name, value in sorted(element.states.items())]
    return ", ".join([f"[{element.number}] {kind}{said} at {place}", *states])


def element_list(
    elements: Sequence[NumberedElement], size: Size | None, coordinates: CoordinateGrid | None = None
) -> str:
    """:func:`element_lines` below a line that says what they are; empty without any.

    Args:
        elements: what is on the picture.
        size: of the picture.
        coordinates: the numbers of a vocabulary, for ``[left, top, right, bottom]`` in these; None for the contract's
            ``[x, y, width, height]`` in fractions.
    """
    if size is None or not elements:
        return ""
    if coordinates is None:
        return "\n".join(["Elements:", *element_lines(elements, size)])
    lines = element_lines(elements, size, lambda element, _: str(coordinates.corners(element.box, size)))
    return "\n".join([f"Elements, each at [left, top, right, bottom] in {coordinates.told_of(size)}:", *lines])


class Label(NamedTuple):
    """A text that an element is called by, as it stands beside it or right above it."""

    element: NumberedElement
    """The text's own."""
    text: str
    """On one line."""
    side: Literal["beside", "below"]
    """Where the element is that it belongs to."""
    gap: int
    """Pixels between the two."""

    @property
    def words(self) -> str:
        """For instance ``below "Full name"``."""
        return f'{self.side} "{self.text}"'


def element_words(element: NumberedElement | None, text: str, at: Point | None, *, label: Label | None = None) -> str:
    """An element in words, for vocabularies that name targets by description: ``the button "Save"``.

    Args:
        element: None where none is known.
        text: what the target says, where no element is known.
        at: where the pointer was.
        label: of an element that has no words of its own, or only what it holds.
    """
    if element is not None:
        if element.text and not (label and element.type in FIELDS):
            return f'{_kind(element)} "{_line(element.text)}"'
        return f"{_kind(element)} {label.words}" if label else _kind(element)
    if text:
        return f'the element "{_line(text)}"'
    return "the focused element" if at is None else f"the place at x={at.x}, y={at.y}"


FIELDS: Final = frozenset({"input_field", "text_area", "dropdown", "spinner", "slider"})
"""Types whose text is what they hold, which is another one on the next screen: their label names them."""
_MIN_OCR_CONFIDENCE: Final = 0.5
_MIN_SLIP_RATIO: Final = 0.7
"""Share of equal letters from which on a text that was read is taken for what accessibility reports."""
_MAX_CONTAINER_SHARE: Final = 0.6
"""Of the picture: what is larger is the screen as a whole."""
_MAX_NEIGHBOUR_SHARE: Final = 0.15
"""Of the picture's diagonal: so far from a place an element may be and still tell where it is."""


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
            return f'the element "{_line(text)}"'
        return "the focused element" if at is None else place_words(at, elements, size)
    labels = labels_in(elements)
    label, name = nearest_label(element, labels, elements), trusted_text(element, reported=reported)
    # As the kind is said: one without a subtype means all of its type.
    subtype = None if element.text else element.subtype
    alike = [one for one in elements if one.uid != element.uid and one.type == element.type]
    alike = [one for one in alike if subtype in {None, one.subtype}]
    words = _kind(element)
    if label and (element.type in FIELDS or not name):
        words = f"{words} {label.words}"
        theirs = ((one, nearest_label(one, labels, elements)) for one in alike)
        alike = [one for one, its in theirs if its is not None and its.words == label.words]
    elif name:
        words = f'{words} "{name}"'
        alike = [one for one in alike if _line(one.text) == name]
    return f"{words} in {_part(element.box.center, Rect(0, 0, *size))} of the screen" if alike and size else words


def trusted_text(element: NumberedElement, *, reported: str = "") -> str:
    """The text of an element on one line; empty where it has none, or where it may have been misread.

    A person's word counts, then that of accessibility. Text that OCR is not sure of, or that nearly is what
    accessibility reports, is not repeated.
    """
    text = _line(element.text)
    if not text or element.review == "approved" or element.source in {"human", "accessibility"}:
        return text
    told = [_line(one.text) for one in element.evidence if one.source == "accessibility" and one.text]
    if reported and ratio(plain_text(text), plain_text(reported)) >= _MIN_SLIP_RATIO:
        told.append(_line(reported))
    if told:
        return told[0]
    read = [(one.text, one.confidence) for one in element.evidence if one.source == "ocr"]
    read += [(element.text, element.confidence)] if element.source == "ocr" else []
    unsure = any(_line(words) == text and sure is not None and sure < _MIN_OCR_CONFIDENCE for words, sure in read)
    return "" if unsure or element.review == "doubtful" else text


def told_name(element: NumberedElement, elements: Sequence[NumberedElement], *, reported: str = "") -> str:
    """What an element is called where a step is told: a field by its label, else what may be said of its text.

    Args:
        element: the element.
        elements: on its screen.
        reported: what the system's accessibility interface calls it.
    """
    label = label_of(element, elements) if element.type in FIELDS else None
    return label.text if label else trusted_text(element, reported=reported)


def place_words(at: Point, elements: Sequence[NumberedElement], size: Size | None) -> str:
    """A place without an element: a part of what lies around it, a spot beside a neighbour, or a part of the screen."""
    limit = None if size is None else _MAX_CONTAINER_SHARE * size.width * size.height
    around = [one for one in elements if one.box.contains(at) and (limit is None or one.box.area <= limit)]
    if around:
        inner = min(around, key=lambda one: one.box.area)
        return f"{_part(at, inner.box)} of {_named(inner)}"
    if size is None:
        return f"the place at x={at.x}, y={at.y}"
    reach = _MAX_NEIGHBOUR_SHARE * math.hypot(size.width, size.height)
    named = [(one, _named(one)) for one in elements if trusted_text(one)]
    once = Counter(words for _, words in named)
    near = sorted(
        (far, one.number, f"the spot {_side(gap)} {words}")
        for one, words in named
        if (far := _far(gap := _gap(at, one.box))) <= reach and once[words] == 1
    )
    if near:
        return near[0][2]
    return f"{_part(at, Rect(0, 0, *size))} of the screen"


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


def _part(at: Point, box: Rect) -> str:
    """The third of a box in which a place lies, across and down."""
    across = min(2, 3 * (at.x - box.x1) // max(1, box.width))
    down = min(2, 3 * (at.y - box.y1) // max(1, box.height))
    words = " ".join(filter(None, (DOWN[down], ACROSS[across])))
    return f"the {words} part" if words else "the middle"


DOWN: Final = ("upper", "", "lower")
ACROSS: Final = ("left", "", "right")


def _kind(element: NumberedElement) -> str:
    kind = "element" if element.type == "other" else element.type.replace("_", " ")
    return f"the {element.subtype} {kind}" if element.subtype and not element.text else f"the {kind}"


def _named(element: NumberedElement) -> str:
    text = trusted_text(element)
    return f'{_kind(element)} "{text}"' if text else _kind(element)


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


_WORDS = frozenset({"text", "tabled_text", "hyperlink", "draggable_text"})
_LEFT, _ABOVE = 12, 2
"""How far a label may be, in heights of the element or of its own line, whichever is less."""
_MARKS = frozenset({"radio", "checkbox", "toggle"})
_BESIDE = 2
"""How far the label of a mark may be that stands behind it, or where the mark itself says nothing, in heights of the
label's line."""


def label_of(element: NumberedElement | None, elements: Sequence[NumberedElement]) -> Label | None:
    """The nearest label: beside an element on its own row, or right above it.

    It stands before the element; that of a radio button, check box or switch rather behind it. None for an element that
    is named by its own text.
    """
    if element is None or (element.text and element.type not in FIELDS):
        return None
    return nearest_label(element, labels_in(elements), elements)


def labels_in(elements: Sequence[NumberedElement]) -> list[tuple[NumberedElement, str]]:
    """The elements that can be labels of others, each with its text."""
    return [(one, text) for one in elements if one.type in _WORDS and (text := trusted_text(one))]


def nearest_label(
    element: NumberedElement, labels: Sequence[tuple[NumberedElement, str]], elements: Sequence[NumberedElement]
) -> Label | None:
    """The label that belongs to an element by its place; None where none does, or something stands between."""
    if element.text and element.type not in FIELDS:
        return None
    near: list[tuple[float, Label]] = []
    for one, text in labels:
        found = None if one.uid == element.uid else stands_by(element.box, one.box)
        if found is None:
            continue
        side, gap = found
        behind = side == "beside" and one.box.center.x > element.box.center.x
        if not behind or (element.type in _MARKS and gap <= _BESIDE * one.box.height):
            # What stands a little nearer before a mark is the label of the mark before.
            near.append((gap / 2 if behind else gap, Label(one, text, side, gap)))
    ranked = (label for _, label in sorted(near, key=itemgetter(0)))
    return next((one for one in ranked if not is_between(element.box, one.element.box, elements)), None)


def stands_by(box: Rect, text: Rect) -> tuple[Literal["beside", "below"], int] | None:
    """How a box stands to a text: beside it on one row, or right below it, and the pixels between; None for neither."""
    if box.contains(text.center):
        return None
    line = max(1, min(box.height, text.height))
    if box.y1 <= text.center.y < box.y2 or text.y1 <= box.center.y < text.y2:
        gap = max(box.x1 - text.x2, text.x1 - box.x2)
        return ("beside", max(0, gap)) if -line <= gap <= _LEFT * line else None
    if text.x1 < box.x2 and box.x1 < text.x2 and text.y2 <= box.y1 + line // 2:
        gap = max(0, box.y1 - text.y2)
        return ("below", gap) if gap <= _ABOVE * line else None
    return None


def is_between(box: Rect, other: Rect, elements: Sequence[NumberedElement]) -> bool:
    """Whether an element stands on the straight way from one box to another; what lies around either does not count."""
    x1, x2 = sorted((max(box.x1, other.x1), min(box.x2, other.x2)))
    y1, y2 = sorted((max(box.y1, other.y1), min(box.y2, other.y2)))
    x, y = (x1 + x2) // 2, (y1 + y2) // 2
    is_below = box.x1 < other.x2 and other.x1 < box.x2
    way = Rect(x, y1, x + 1, y2) if is_below else Rect(x1, y, x2, y + 1)
    return any(
        one.box.intersection(way) is not None
        and not one.box.contains(box.center)
        and not one.box.contains(other.center)
        for one in elements
    )


def control_beside(label: NumberedElement, elements: Sequence[NumberedElement]) -> NumberedElement | None:
    """The radio button, check box or switch that a text is the label of; None where it is no such label.

    Both stand on one row, and the control says the same, or nothing and the text stands right beside it.
    """
    said = " ".join((label.text or "").split()).casefold()
    if label.type != "text" or not said:
        return None
    near: list[tuple[int, NumberedElement]] = []
    for other in elements:
        middle = other.box.y1 + other.box.height // 2
        if other.type not in _MARKS or not label.box.y1 <= middle < label.box.y2:
            continue
        gap = max(label.box.x1 - other.box.x2, other.box.x1 - label.box.x2, 0)
        own = " ".join((other.text or "").split()).casefold()
        if own in {"", said} and gap <= (_LEFT if own else _BESIDE) * label.box.height:
            near.append((gap, other))
    return min(near, key=itemgetter(0))[1] if near else None
