"""What each source said about an element, and where it says something else than the element does now."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from annotator.commands import as_suggested
from demopack.domain.elements import ATTRIBUTES, Element, Evidence
from demopack.domain.frames import Frame
from demopack.domain.geometry import iou
from demopack.domain.steps import AccessibleElement, Step
from models.vision.accessibility import box_on_frame
from models.vision.fusion import LINE_TYPES
from models.vision.rules import owns_box

__all__ = ["FIELDS", "Field", "Statement", "disputed", "statements", "told_about"]

Field = Literal["type", "text", "box"]
FIELDS: Final[tuple[Field, ...]] = ("type", "text", "box")

_SAME_BOX = 0.75
"""Boxes that overlap more (IoU) are the same to the eye."""
_HEARD = 0.6
"""A source that is less sure has no say against the others; what it said can still be taken."""
_SAME_PLACE = 0.5
"""Overlap (IoU) from which accessibility told about this element."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One source's word.

    Attributes:
        evidence: what it said.
        differs: the fields in which the element says something else.
    """

    evidence: Evidence
    differs: tuple[Field, ...] = ()


def statements(element: Element) -> tuple[Statement, ...]:
    """What each source said, in the order in which they were asked; empty for what a person drew."""
    if element.source == "human" and not element.evidence:
        return ()
    return tuple(Statement(evidence=one, differs=_differs(element, one)) for one in as_suggested(element))


def disputed(element: Element) -> tuple[Field, ...]:
    """The fields about which a source that is rather sure says something else than the element.

    Nothing is in dispute once a person has reviewed the element, and which kind of text a line is, is not worth a mark.
    """
    if element.review != "unreviewed" or not element.evidence:
        return ()
    found: set[Field] = set()
    for one in element.evidence:
        if one.confidence is None or one.confidence >= _HEARD:
            lines = {one.type, element.type} <= LINE_TYPES
            found.update(field for field in _differs(element, one) if field != "type" or not lines)
    return tuple(field for field in FIELDS if field in found)


def told_about(element: Element, frame: Frame, steps: Iterable[Step]) -> AccessibleElement | None:
    """What accessibility told about an element when a step began on its frame; the last word counts."""
    best: AccessibleElement | None = None
    for step in steps:
        if step.before is None or step.before.id != frame.id:
            continue
        for told in (step.focused, step.pointed):
            box = None if told is None else box_on_frame(told, frame)
            if box is not None and iou(box, element.box) >= _SAME_PLACE:
                best = told
    return best


def _differs(element: Element, said: Evidence) -> tuple[Field, ...]:
    found: list[Field] = []
    if said.type not in {None, "other", element.type}:
        found.append("type")
    if said.text and ATTRIBUTES[element.type].text and _letters(said.text) != _letters(element.text):
        found.append("text")
    if said.box is not None and owns_box(said, element.source) and iou(said.box, element.box) < _SAME_BOX:
        found.append("box")
    return tuple(found)


def _letters(text: str | None) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", (text or "").casefold()) if c.isalnum())
