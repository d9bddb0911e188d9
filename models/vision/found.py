"""What a finder found, before it becomes an ``Element``: small, plain, cheap to send between processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from demopack.domain.elements import Element, ElementSource, ElementType, Evidence, State
from demopack.domain.geometry import Rect
from demopack.domain.records import new_id

__all__ = ["Found", "to_element"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One proposal.

    Attributes:
        type: what it is taken for.
        box: integer pixels of the picture.
        source: who proposed it.
        confidence: 0..1.
        text: what is written on it; None when nothing was read.
        subtype: for icons and shapes.
        states: what could be seen.
        evidence: what each source said, where several were joined, or a rule found it.
        was_read: it was found as text, by OCR or by a rule about what OCR read: its type is a guess, and the
            describer's word counts from a lower confidence (``Rules.read_at``). Not stored.
    """

    type: ElementType
    box: Rect
    source: ElementSource
    confidence: float
    text: str | None = None
    subtype: str | None = None
    states: Mapping[State, bool] = field(default_factory=dict[State, bool])
    evidence: tuple[Evidence, ...] = ()
    was_read: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, box as ``[x1, y1, x2, y2]``."""
        box = self.box
        return {
            "type": self.type,
            "box": [box.x1, box.y1, box.x2, box.y2],
            "source": self.source,
            "confidence": round(self.confidence, 4),
            "text": self.text,
            "subtype": self.subtype,
            "states": dict(self.states),
            "evidence": [one.model_dump(mode="json", exclude_defaults=True) for one in self.evidence],
        }


def to_element(data: Mapping[str, Any], *, frame_id: str) -> Element:
    """An unreviewed element with a fresh uid from the JSON of a proposal.

    Raises:
        pydantic.ValidationError: the JSON is not of this form.
    """
    return Element.model_validate({**data, "uid": new_id("el"), "frame": frame_id}).cleaned()
