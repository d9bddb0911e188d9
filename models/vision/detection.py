"""Detections: what a finder found, before it becomes an ``Element``, and the store that keeps them by picture."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from demopack.atomic import write_text_atomic
from demopack.domain.elements import Element, ElementSource, ElementType, Evidence, State
from demopack.domain.geometry import Rect
from demopack.domain.records import new_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """One proposal.

    Attributes:
        type: what it is taken for.
        box: integer pixels of the picture.
        source: who proposed it.
        confidence: 0..1.
        text: what is written on it; None when nothing was read.
        mark_box: of a box to tick whose box holds its label, too, the mark alone.
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
    mark_box: Rect | None = None
    subtype: str | None = None
    states: Mapping[State, bool] = field(default_factory=dict[State, bool])
    evidence: tuple[Evidence, ...] = ()
    was_read: bool = False

    def moved(self, dx: int, dy: int) -> Detection:
        """The same find elsewhere on a picture, or on one whose origin lies elsewhere; evidence included."""
        said = (e if e.box is None else e.model_copy(update={"box": e.box.moved(dx, dy)}) for e in self.evidence)
        return replace(self, box=self.box.moved(dx, dy), evidence=tuple(said))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, box as ``[x1, y1, x2, y2]``."""
        return {
            "type": self.type,
            "box": self.box.corners,
            "source": self.source,
            "confidence": round(self.confidence, 4),
            "text": self.text,
            "mark_box": None if self.mark_box is None else self.mark_box.corners,
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


_LOG = logging.getLogger(__name__)
_OWN = {"uid", "frame", "track_id", "review", "parent"}


class DetectionCache:
    """Small JSON files under the library's ``cache`` folder; losing them costs time, nothing else."""

    def __init__(self, folder: Path, finder: str) -> None:
        self._folder = folder / "elements" / hashlib.sha256(finder.encode()).hexdigest()[:12]
        self._finder = finder

    def path(self, frame_id: str) -> Path:
        """Where the result for a picture lies, whether it is there or not."""
        return self._folder / frame_id[:2] / f"{frame_id}.json"

    def get(self, frame_id: str) -> list[Element] | None:
        """Fresh elements, with new uids; None when the picture is new or the file is unusable."""
        path = self.path(frame_id)
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["finder"] != self._finder:
                return None
            return [to_element(found, frame_id=frame_id) for found in data["found"]]
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, ValidationError):
            _LOG.warning("The cached result %s is damaged and will be made again.", path)
            return None

    def put(self, frame_id: str, elements: Sequence[Element]) -> None:
        """Keep a result.

        Raises:
            DiskFullError: nothing was written.
        """
        found = [element.model_dump(mode="json", exclude=_OWN) for element in elements]
        text = json.dumps({"finder": self._finder, "found": found}, ensure_ascii=False)
        write_text_atomic(self.path(frame_id), text, private=True)
