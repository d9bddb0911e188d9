"""Elements in words: as lists that models are given, and as descriptions of targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from demopack.codecs.coordinates import CoordinateGrid
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Point, Size
from demopack.domain.labels import FIELDS, Label, one_line


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
            return f'{kind_words(element)} "{one_line(element.text)}"'
        return f"{kind_words(element)} {label.words}" if label else kind_words(element)
    if text:
        return f'the element "{one_line(text)}"'
    return "the focused element" if at is None else f"the place at x={at.x}, y={at.y}"


def kind_words(element: NumberedElement) -> str:
    """What kind of thing an element is: ``the close icon``; the subtype is for one that says nothing."""
    kind = "element" if element.type == "other" else element.type.replace("_", " ")
    return f"the {element.subtype} {kind}" if element.subtype and not element.text else f"the {kind}"
