"""T04: coordinates must be those of what they are said of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect, Size, from_norm_xywh
from models.language.check.base import Case, Hit, Said
from models.language.check.names import is_spoken
from models.language.check.text import Span, overlapping

__all__ = ["coordinates_are_right"]

_N = r"(-?\d+(?:\.\d+)?)"
_SEP = r"\s*(?:,|/|;|x|×|and)\s*"  # noqa: RUF001 - the sign
_CAAP: Final = re.compile(rf"X:\s*{_N}\s*\[{_N}\s*-\s*{_N}\],?\s*Y:\s*{_N}\s*\[{_N}\s*-\s*{_N}\]", re.IGNORECASE)
_BOX: Final = re.compile(rf"[\[(]\s*{_N}\s*,\s*{_N}\s*,\s*{_N}\s*,\s*{_N}\s*[\])]")
_POINTS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"[\[(]\s*x?\s*[=:]?\s*{_N}\s*(?:px)?\s*[,;]\s*y?\s*[=:]?\s*{_N}\s*(?:px)?\s*[\])]",
        rf"\bx\s*(?:=|:|of|is)?\s*{_N}\s*(?:px)?\s*(?:,|;|and)?\s*(?:and\s+)?y\s*(?:=|:|of|is)?\s*{_N}",
        rf"\b(?:coordinates?|position|point|pixels?|location|spot)\s*(?:of|is|are|at|:)?\s*(?:about|around|roughly)?\s*{_N}{_SEP}{_N}",
        rf"\b(?:at|near|around|to)\s+(?:about\s+|around\s+|roughly\s+)?{_N}\s*[,/]\s*{_N}(?!\s*[\d%])",
    )
)
_SLACK: Final = 4
"""Pixels by which a coordinate may lie beside its box: models round."""


def coordinates_are_right(case: Case) -> Iterator[Hit]:
    """T04: a point lies in what it is said of; a box is its box."""
    size = case.context.size
    if size is None:
        return
    for said in case.parts:
        taken: list[Span] = []
        for span, box, is_box in _told(said, size):
            if any(overlapping(span, other) for other in taken) or is_spoken(case, said.of(span)):
                continue
            taken.append(span)
            boxes = _meant(case, said, span)
            fine = any(_is_box(box, one, size) if is_box else _holds(one, box) for one in boxes)
            if not fine:
                yield Hit(said=said, span=span, message=f"Nothing that is spoken of lies at {said.of(span)}.")


def _told(said: Said, size: Size) -> Iterator[tuple[Span, tuple[float, float, float, float], bool]]:
    """Boxes and points that are told, in pixels; a point has its middle twice."""
    for match in _CAAP.finditer(said.text):
        x, x1, x2, y, y1, y2 = (float(value) for value in match.groups())
        fits = abs(x * 2 - x1 - x2) <= 2 and abs(y * 2 - y1 - y2) <= 2
        # A middle that is not in the middle is no box at all.
        yield Span(*match.span()), (x1, y1, x2, y2) if fits else (-1.0, -1.0, -1.0, -1.0), True
    for match in _BOX.finditer(said.text):
        a, b, c, d = _pixels(match, size)
        yield Span(*match.span()), (a, b, c, d), True
    for pattern in _POINTS:
        for match in pattern.finditer(said.text):
            x, y, *_ = _pixels(match, size)
            yield Span(*match.span()), (x, y, x, y), False


def _pixels(match: re.Match[str], size: Size) -> tuple[float, float, float, float]:
    values = [float(value) for value in match.groups()]
    small = all(0 <= value <= 1 for value in values) and any("." in value for value in match.groups())
    scale = (size.width, size.height) * 2 if small else (1, 1, 1, 1)
    scaled = [value * factor for value, factor in zip(values, scale, strict=False)]
    return (scaled[0], scaled[1], scaled[-2], scaled[-1])


def _meant(case: Case, said: Said, span: Span) -> list[Rect]:
    """The boxes that coordinates in this place may be of: what its sentence names, and where the action went."""
    sentence = next((one for one in said.sentences if one.start <= span.start < one.end), span)
    named: list[Element] = []
    for one in said.references:
        if sentence.start <= one.span.start < sentence.end:
            named += [e for screen in said.screens for e in screen.called(one.name)]
    boxes = [e.box for e in named if one_of_few(named, e)]
    boxes += [e.box for e in (case.context.target, case.context.end_target) if e is not None]
    size, action = case.context.size, case.context.action
    for target in (action.target, action.end_target):
        if target is not None and target.bbox is not None and size is not None:
            boxes.append(from_norm_xywh(target.bbox, size))
    if said.part in {"actual_effect", "hindsight"}:
        boxes += list(case.context.changed or ())
    return boxes


def one_of_few(named: list[Element], element: Element) -> bool:
    """Whether a name means so few elements that their places say something."""
    return sum(e.text == element.text for e in named) <= 8


def _holds(box: Rect, point: tuple[float, float, float, float]) -> bool:
    x, y = point[:2]
    return box.x1 - _SLACK <= x <= box.x2 + _SLACK and box.y1 - _SLACK <= y <= box.y2 + _SLACK


def _is_box(told: tuple[float, float, float, float], box: Rect, size: Size) -> bool:
    """Corner and corner, or corner and size; in pixels."""
    corners = (box.x1, box.y1, box.x2, box.y2)
    sizes = (box.x1, box.y1, box.width, box.height)
    del size
    return any(all(abs(a - b) <= _SLACK for a, b in zip(told, real, strict=True)) for real in (corners, sizes))
