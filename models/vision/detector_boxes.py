"""From a detector's raw output to boxes, in numpy alone: decoding, confidence, suppression of doubles.

The same arithmetic as ultralytics' own prediction with class-agnostic suppression (``tests/vision`` proves it), so that
a shipped model needs neither torch nor ultralytics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.domain.overlap import areas, common_areas

Floats: TypeAlias = npt.NDArray[np.float32]

PAD = 114
"""The grey that models of this family have seen around pictures while they were trained."""
_MAX_CANDIDATES = 30_000


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Boxes on one picture.

    Attributes:
        boxes: shape (n, 4): left, top, right, bottom edge in pixels of the picture, with fractions.
        scores: shape (n,), 0..1, falling.
        classes: shape (n,), numbers of classes.
    """

    boxes: Floats
    scores: Floats
    classes: npt.NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.scores)

    def only(self, which: npt.NDArray[Any]) -> Detections:
        """Some of them, by index or mask."""
        return Detections(self.boxes[which], self.scores[which], self.classes[which])


def network_input(image: RgbImage, *, stride: int, size: tuple[int, int] | None = None) -> Floats:
    """A picture as a network takes it: shape (1, 3, height, width), 0..1, padded at the right and the bottom.

    Args:
        image: shape (height, width, 3), uint8.
        stride: the sides are padded to a multiple of this.
        size: height and width to pad to instead, for models of a fixed size.
    """
    height, width = image.shape[:2]
    tall, wide = size or (-(-height // stride) * stride, -(-width // stride) * stride)
    padded = np.full((1, 3, tall, wide), np.float32(PAD / 255), dtype=np.float32)
    np.divide(image.transpose(2, 0, 1), np.float32(255), out=padded[0, :, :height, :width], casting="unsafe")
    return padded


def decode(raw: Floats, *, confidence: float) -> Detections:
    """Candidates above a confidence, surest first.

    Args:
        raw: shape (4 + classes, n): centre, width, height and a score for each class; or shape (n, 6) of models
            without suppression: left, top, right, bottom, score, class. Pixels.
        confidence: what is not surer is left out.
    """
    if raw.shape[1] == 6:
        sure = raw[raw[:, 4] > confidence]
        boxes, scores, classes = sure[:, :4], sure[:, 4], sure[:, 5].astype(np.intp)
    else:
        best = raw[4:].max(axis=0)
        kept = np.flatnonzero(best > confidence)
        scores, classes = best[kept], raw[4:, kept].argmax(axis=0)
        centre, half = raw[:2, kept].T, raw[2:4, kept].T / 2
        boxes = np.concatenate([centre - half, centre + half], axis=1)
    order = np.argsort(-scores, kind="stable")[:_MAX_CANDIDATES]
    return Detections(boxes[order].astype(np.float32), scores[order].astype(np.float32), classes[order])


def suppress(found: Detections, *, iou: float, most: int) -> Detections:
    """Without the boxes that overlap a surer one by more than ``iou``, whatever their classes; at most ``most``.

    Args:
        found: surest first.
        iou: intersection over union, 0..1.
        most: how many are kept at most.
    """
    boxes = found.boxes
    sizes = areas(boxes)
    rest = np.arange(len(boxes))
    kept: list[int] = []
    while rest.size and len(kept) < most:
        first, rest = int(rest[0]), rest[1:]
        kept.append(first)
        common = common_areas(boxes[first : first + 1], boxes[rest])[0]
        rest = rest[common <= iou * (sizes[first] + sizes[rest] - common)]
    return found.only(np.array(kept, dtype=np.intp))
