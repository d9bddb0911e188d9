"""T04: coordinates must be those of what they are said of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect, Size
from models.language.check.names import is_spoken
from models.language.check.text_spans import TextSpan, compiled
from models.language.check.truth_rule import CheckedRationale, Claim, RationaleFinding
from models.language.phrases import box_of

_N = r"(-?\d+(?:\.\d+)?)"
_SEP = r"\s*(?:,|/|;|x|×|and)\s*"  # noqa: RUF001 - the sign
_CAAP: Final = re.compile(rf"X:\s*{_N}\s*\[{_N}\s*-\s*{_N}\],?\s*Y:\s*{_N}\s*\[{_N}\s*-\s*{_N}\]", re.IGNORECASE)
_BOX: Final = re.compile(rf"[\[(]\s*{_N}\s*,\s*{_N}\s*,\s*{_N}\s*,\s*{_N}\s*[\])]")
_POINTS: Final = compiled(
    rf"[\[(]\s*x?\s*[=:]?\s*{_N}\s*(?:px)?\s*[,;]\s*y?\s*[=:]?\s*{_N}\s*(?:px)?\s*[\])]",
    rf"\bx\s*(?:=|:|of|is)?\s*{_N}\s*(?:px)?\s*(?:,|;|and)?\s*(?:and\s+)?y\s*(?:=|:|of|is)?\s*{_N}",
    rf"\b(?:coordinates?|position|point|pixels?|location|spot)\s*(?:of|is|are|at|:)?\s*(?:about|around|roughly)?\s*{_N}{_SEP}{_N}",
    rf"\b(?:at|near|around|to)\s+(?:about\s+|around\s+|roughly\s+)?{_N}\s*[,/]\s*{_N}(?!\s*[\d%])",
)
_SLACK: Final = 4
"""Pixels by which a coordinate may lie beside its box: models round."""
_MAX_NAMESAKES: Final = 8
"""A name that more elements have says nothing of a place."""


def coordinates_are_right(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T04: a point lies in what it is said of; a box is its box."""
    size = case.context.size
    if size is None:
        return
    for said in case.parts:
        taken: list[TextSpan] = []
        for span, box, is_box in _told(said, size):
            if span.overlaps(taken) or is_spoken(case, said.of(span)):
                continue
            taken.append(span)
            if not any(_lies(one, box, is_box=is_box) for one in _meant(case, said, span)):
                yield said.wrong("T04", span, f"Nothing that is spoken of lies at {said.of(span)}.")


def _told(said: Claim, size: Size) -> Iterator[tuple[TextSpan, tuple[float, float, float, float], bool]]:
    """Boxes and points that are told, in pixels; a point has its place twice."""
    for match in _CAAP.finditer(said.text):
        x, x1, x2, y, y1, y2 = (float(value) for value in match.groups())
        fits = abs(x * 2 - x1 - x2) <= 2 and abs(y * 2 - y1 - y2) <= 2
        # A middle that is not in the middle is no box at all.
        yield TextSpan.of(match), (x1, y1, x2, y2) if fits else (-1.0, -1.0, -1.0, -1.0), True
    for match in _BOX.finditer(said.text):
        yield TextSpan.of(match), _pixels(match, size), True
    for pattern in _POINTS:
        for match in pattern.finditer(said.text):
            yield TextSpan.of(match), _pixels(match, size), False


def _pixels(match: re.Match[str], size: Size) -> tuple[float, float, float, float]:
    values = [float(value) for value in match.groups()]
    small = all(0 <= value <= 1 for value in values) and any("." in value for value in match.groups())
    scale = (size.width, size.height) * 2 if small else (1, 1, 1, 1)
    scaled = [value * factor for value, factor in zip(values, scale, strict=False)]
    return (scaled[0], scaled[1], scaled[-2], scaled[-1])


def _meant(case: CheckedRationale, said: Claim, span: TextSpan) -> list[Rect]:
    """The boxes that coordinates in this place may be of: what its sentence names, and where the action went."""
    named: list[Element] = []
    for one in said.named_in(said.sentence(span)):
        named += [e for screen in said.screens for e in screen.called(one.name)]
    texts = Counter(e.text for e in named)
    boxes = [e.box for e in named if texts[e.text] <= _MAX_NAMESAKES]
    boxes += [e.box for e in (case.context.target, case.context.end_target) if e is not None]
    aimed = (box_of(target, case.context.size) for target in (case.context.action.target, case.context.action.end))
    boxes += [box for box in aimed if box is not None]
    if said.part in {"actual_effect", "hindsight"}:
        boxes += list(case.context.changed or ())
    return boxes


def _lies(box: Rect, told: tuple[float, float, float, float], *, is_box: bool) -> bool:
    """Whether a told place lies in a box, or is the box: corner and corner, or corner and size; in pixels."""
    if not is_box:
        x, y = told[:2]
        return box.x1 - _SLACK <= x <= box.x2 + _SLACK and box.y1 - _SLACK <= y <= box.y2 + _SLACK
    corners, sizes = (box.x1, box.y1, box.x2, box.y2), (box.x1, box.y1, box.width, box.height)
    return any(all(abs(a - b) <= _SLACK for a, b in zip(told, real, strict=True)) for real in (corners, sizes))
