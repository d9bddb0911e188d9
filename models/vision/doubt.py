"""How unsure the models are about an element, so that a person corrects the worst first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from demopack.domain.elements import Element
from demopack.domain.geometry import iou
from demopack.domain.text_likeness import edit_distance, letters_in
from models.vision.rules import is_outline

Reason = Literal["unsure", "type", "text", "box", "unknown"]
"""Low confidence; the sources disagree about type, text or place; nothing could say what it is."""

_WEIGHT: Final[Mapping[Reason, float]] = {"unsure": 1.0, "type": 0.8, "text": 0.5, "box": 0.4, "unknown": 0.6}
_MIN_DOUBT = 0.05
"""Doubt below this is not worth a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementDoubt:
    """How much there is to doubt.

    Attributes:
        score: 0 for nothing, 1 for everything.
        reasons: why, the weightiest first.
    """

    score: float
    reasons: tuple[Reason, ...]


def element_doubt(element: Element) -> ElementDoubt:
    """The doubt about one element; none about what a person drew or has reviewed.

    Every reason is a number from 0 to 1, how strong it is times how much it matters. They are joined like independent
    causes of an error: one strong reason is enough, several weak ones add up.
    """
    if element.source == "human" or element.review != "unreviewed":
        return ElementDoubt(score=0.0, reasons=())
    said = element.evidence
    # How sure the surest source is that says another type.
    others = [_sure(e.confidence) for e in said if e.type is not None and e.type not in {element.type, "other"}]
    # By letters and digits only; a source that read nothing has no say.
    texts = [letters_in(e.text) for e in said if e.text]
    # The text inside a control is no box of the control.
    boxes = [e.box for e in said if e.box is not None and e.source != "ocr" and not is_outline(e)]
    strength: list[tuple[Reason, float]] = [
        ("unsure", 1 - _sure(element.confidence)),
        ("type", max(others, default=0.0)),
        ("text", max((1 - _likeness(texts[0], text) for text in texts[1:]), default=0.0)),
        ("box", max((1 - iou(element.box, box) for box in boxes), default=0.0)),
        ("unknown", 1.0 if element.type == "other" else 0.0),
    ]
    weighted: list[tuple[float, Reason]] = [(value * _WEIGHT[reason], reason) for reason, value in strength]
    weighted.sort(reverse=True)
    sure = 1.0
    for value, _ in weighted:
        sure *= 1 - value
    return ElementDoubt(score=1 - sure, reasons=tuple(reason for value, reason in weighted if value > _MIN_DOUBT))


def _sure(confidence: float | None) -> float:
    return 1.0 if confidence is None else confidence


def _likeness(a: str, b: str) -> float:
    """1 for equal texts, 0 for nothing in common."""
    return 1.0 if a == b else 1 - edit_distance(a, b) / max(len(a), len(b))
