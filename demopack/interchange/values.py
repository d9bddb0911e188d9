"""What goes out and what comes in, whatever the format: pictures with boxes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect, Size

__all__ = ["BoxIn", "PictureIn", "PictureOut", "rounded"]

Four = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureOut:
    """One picture as it is exported.

    Attributes:
        name: its file name, unique in the export, with ``.png``.
        frame: its id.
        size: pixels.
        demo: id of its demo.
        elements: as far as the format carries them, in reading order.
    """

    name: str
    frame: str
    size: Size
    demo: str
    elements: tuple[Element, ...]

    @property
    def checked(self) -> bool:
        """Whether a person approved or rejected every element, and there is one."""
        return bool(self.elements) and all(element.review in {"approved", "rejected"} for element in self.elements)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxIn:
    """One box as a file gives it.

    Attributes:
        fields: what the file says of an element, by the names of its fields; never ``box`` or ``frame``.
        edges: left, top, right, bottom; in pixels, or in fractions of the picture.
        fractions: whether ``edges`` are fractions.
        whole: whether it is an element that went out from here, with everything that the format carries.
        where: the file and the entry, for messages.
    """

    fields: Mapping[str, Any]
    edges: Four
    fractions: bool = False
    whole: bool = False
    where: str = ""

    def box(self, size: Size) -> Rect:
        """The pixels on a picture of this size, cut at its edge; without area where it lies beside it."""
        return rounded(self.edges, size if self.fractions else Size(1, 1)).clamped(size)

    def leaves(self, size: Size) -> bool:
        """Whether a part of it lies beside the picture."""
        return not rounded(self.edges, size if self.fractions else Size(1, 1)).inside(size)


@dataclass(slots=True, kw_only=True)
class PictureIn:
    """One picture as files tell of it.

    Attributes:
        name: its file name, without folders.
        size: as the file says; None where it does not.
        frame: id of the frame, where we wrote it ourselves; empty otherwise.
        demo: likewise, the demo's id.
        number: its place in a video, from 0; None where it has a name.
        file: the picture itself; None where it is not there.
        embedded_in: a labelme file that holds the picture's bytes.
        boxes: what is on it.
        where: the file that tells of it, for messages.
    """

    name: str
    size: Size | None = None
    frame: str = ""
    demo: str = ""
    number: int | None = None
    file: Path | None = None
    embedded_in: Path | None = None
    boxes: Sequence[BoxIn] = field(default_factory=list[BoxIn])
    where: str = ""


def rounded(edges: Four, unit: Size) -> Rect:
    """Edges in any order to the nearest pixel.

    Raises:
        ValueError: an edge is not finite.
    """
    x1, y1, x2, y2 = edges
    if not all(math.isfinite(edge) and abs(edge) < 1e9 for edge in edges):
        raise ValueError("an edge is no number")
    left, right = sorted((round(x1 * unit.width), round(x2 * unit.width)))
    top, bottom = sorted((round(y1 * unit.height), round(y2 * unit.height)))
    return Rect(left, top, right, bottom)
