"""Labels: which text an element without one of its own is called by, as it stands beside it or right above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from demopack.domain.elements import Element, NumberedElement, numbered, reading_order
from demopack.domain.geometry import Rect, iou
from demopack.domain.text_likeness import plain_text, ratio


class Label(NamedTuple):
    """A text that an element is called by, as it stands beside it or right above it."""

    element: NumberedElement
    """The text's own."""
    text: str
    """On one line."""
    side: Literal["beside", "below", "with"]
    """Where the element is that it belongs to: ``with`` has the text in itself."""
    gap: int
    """Pixels between the two."""

    @property
    def words(self) -> str:
        """For instance ``below "Full name"``."""
        return f'{self.side} "{self.text}"'


FIELDS: Final = frozenset({"input_field", "text_area", "dropdown", "spinner", "slider"})
"""Types whose text is what they hold, which is another one on the next screen: their label names them."""
_MIN_OCR_CONFIDENCE: Final = 0.5
_MIN_SLIP_RATIO: Final = 0.7
"""Share of equal letters from which on a text that was read is taken for what accessibility reports."""


def trusted_text(element: NumberedElement, *, reported: str = "") -> str:
    """The text of an element on one line; empty where it has none, or where it may have been misread.

    A person's word counts, then that of accessibility. Text that OCR is not sure of, or that nearly is what
    accessibility reports, is not repeated.
    """
    if not element.text:
        return ""
    text = one_line(element.text)
    if not text or element.review == "approved" or element.source in {"human", "accessibility"}:
        return text
    for one in element.evidence:
        if one.source == "accessibility" and one.text:
            return one_line(one.text)
    if reported and ratio(plain_text(text), plain_text(reported)) >= _MIN_SLIP_RATIO:
        return one_line(reported)
    if element.review == "doubtful" or (element.source == "ocr" and _is_unsure(element.confidence)):
        return ""
    read = (one for one in element.evidence if one.source == "ocr" and _is_unsure(one.confidence))
    return "" if any(one_line(one.text) == text for one in read) else text


def _is_unsure(confidence: float | None) -> bool:
    return confidence is not None and confidence < _MIN_OCR_CONFIDENCE


def told_name(element: NumberedElement, elements: Sequence[NumberedElement], *, reported: str = "") -> str:
    """What an element is called where a step is told: fields and marks by their label, else by their trusted text.

    Args:
        element: the element.
        elements: on its screen.
        reported: what the system's accessibility interface calls it.
    """
    label = label_of(element, elements) if element.type in FIELDS | _MARKS else None
    return label.text if label else trusted_text(element, reported=reported)


def one_line(text: str | None) -> str:
    """A text without line breaks; empty for none."""
    return " ".join((text or "").split())


_WORDS = frozenset({"text", "tabled_text", "hyperlink", "draggable_text"})
_LEFT, _ABOVE = 12, 2
"""How far a label may be, in heights of the element or of its own line, whichever is less."""
_ITEMS = frozenset({"list_item", "tree_item", "menu_item", "tab"})
"""Types that are called by the one text in them."""
_MARKS = frozenset({"radio", "checkbox", "toggle"})
_SAME_FIELD: Final = 0.5
"""Overlap from which on two boxes are of one field."""
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


def field_label(box: Rect, elements: Iterable[Element]) -> str:
    """What a field is called whose place is known, by the elements on its picture; empty where nothing tells.

    Args:
        box: of the field, pixels of the picture.
        elements: on it; what was found of the field itself does not count.
    """
    others = [e for e in elements if e.review != "rejected" and (e.type not in FIELDS or iou(e.box, box) < _SAME_FIELD)]
    *around, field = numbered([*reading_order(others), Element(uid="", frame="", type="input_field", box=box)])
    label = label_of(field, around)
    return "" if label is None else label.text


def labels_in(elements: Sequence[NumberedElement]) -> list[tuple[NumberedElement, str]]:
    """The elements that can be labels of others, each with its text."""
    return [(one, text) for one in elements if one.type in _WORDS and (text := trusted_text(one))]


def nearest_label(
    element: NumberedElement, labels: Sequence[tuple[NumberedElement, str]], elements: Sequence[NumberedElement]
) -> Label | None:
    """The label that belongs to an element by its place; None where none does, or something stands between."""
    if element.text and element.type not in FIELDS:
        return None
    held = [(one, text) for one, text in labels if element.type in _ITEMS and holds(element.box, one.box)]
    if held:
        return Label(*held[0], "with", 0) if len(held) == 1 else None
    near: list[tuple[float, Label]] = []
    for one, text in labels:
        found = None if one.uid == element.uid else stands_by(element.box, one.box)
        if found is None:
            continue
        side, gap = found
        behind = side == "beside" and one.box.center.x > element.box.center.x
        if not behind or (element.type in _MARKS and gap <= _BESIDE * one.box.height):
            # Of its reach: a heading is often nearer to the first field than what stands before that.
            share = gap / _reach(element.box, one.box, side)
            # What stands a little nearer before a mark is the label of the mark before.
            near.append((share / 2 if behind else share, Label(one, text, side, gap)))
    ranked = (label for _, label in sorted(near, key=itemgetter(0)))
    return next((one for one in ranked if _is_its(one, element, labels, elements)), None)


def _is_its(
    label: Label,
    element: NumberedElement,
    labels: Sequence[tuple[NumberedElement, str]],
    elements: Sequence[NumberedElement],
) -> bool:
    """Whether a text near an element is said of it alone: no part of another thing, and no head of a column."""
    text, own = label.element.box, element.box
    if is_between(own, text, elements):
        return False
    at, its = text.center, own.center
    for one in elements:
        box = one.box
        if box.contains(at):
            # A part of another thing; a text in a text is no part.
            if one.type not in _WORDS and not box.contains(its):
                return False
        elif label.side == "below" and one.type == element.type and text.x1 < box.x2 and box.x1 < text.x2:
            down = box.y1 - own.y2
            if 0 <= down <= _LEFT * text.height and not _is_headed(box, label, labels):
                return False
    return True


def _is_headed(box: Rect, label: Label, labels: Sequence[tuple[NumberedElement, str]]) -> bool:
    """Whether another text than the label stands right above a box."""
    stands = (stands_by(box, one.box) for one, _ in labels if one.uid != label.element.uid)
    return any(found is not None and found[0] == "below" for found in stands)


def holds(box: Rect, text: Rect) -> bool:
    """Whether a text is in a box that is more than it."""
    return box.contains(text.center) and text.area < box.area


def stands_by(box: Rect, text: Rect) -> tuple[Literal["beside", "below"], int] | None:
    """How a box stands to a text: beside it on one row, or right below it, and the pixels between; None for neither."""
    if box.contains(text.center):
        return None
    if box.y1 <= text.center.y < box.y2 or text.y1 <= box.center.y < text.y2:
        gap = max(box.x1 - text.x2, text.x1 - box.x2)
        return ("beside", max(0, gap)) if -_line(box, text) <= gap <= _reach(box, text, "beside") else None
    if text.x1 < box.x2 and box.x1 < text.x2 and text.y2 <= box.y1 + _line(box, text) // 2:
        gap = max(0, box.y1 - text.y2)
        return ("below", gap) if gap <= _reach(box, text, "below") else None
    return None


def _line(box: Rect, text: Rect) -> int:
    return max(1, min(box.height, text.height))


def _reach(box: Rect, text: Rect, side: Literal["beside", "below"]) -> int:
    """How far from a text a box may be that the text is the label of."""
    return (_LEFT if side == "beside" else _ABOVE) * _line(box, text)


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
