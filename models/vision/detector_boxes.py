"""From a detector's raw output to boxes, in numpy alone: decoding, confidence, suppression of doubles, joined tiles.

The same arithmetic as ultralytics' own prediction with class-agnostic suppression (``tests/vision`` proves it), so that
a shipped model needs neither torch nor ultralytics.

A frame too large for one look is seen in overlapping tiles. What a border of a tile cuts is seen whole by a neighbour,
or in pieces by several: a piece that a neighbour saw whole is dropped; pieces that agree where tiles overlap are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.domain.overlap import areas, box_array, common_areas, iou_matrix

Floats: TypeAlias = npt.NDArray[np.float32]
_Flags: TypeAlias = npt.NDArray[np.bool_]

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


def network_input(image: RgbImage, *, stride: int) -> Floats:
    """A picture as a network takes it: shape (1, 3, height, width), 0..1, padded at the right and the bottom.

    Args:
        image: shape (height, width, 3), uint8.
        stride: the sides are padded to a multiple of this.
    """
    height, width = image.shape[:2]
    tall, wide = -(-height // stride) * stride, -(-width // stride) * stride
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


_MAX_SIDE_PX: Final = 1600
_MAX_AREA_PX: Final = 2_500_000
_TILE_SIDE_PX: Final = 1280
_TILE_OVERLAP_PX: Final = 160
_BORDER_DISTANCE_PX: Final = 4.0
"""A box that ends this close to a tile's border, in pixels, is taken for cut by it."""
_MIN_SAME_SHARE: Final = 0.5


def tiles_of(size: Size) -> list[Rect]:
    """Parts that cover a frame: itself, or overlapping tiles of about equal size where it is large."""
    if max(size) <= _MAX_SIDE_PX and size.width * size.height <= _MAX_AREA_PX:
        return [Rect(0, 0, size.width, size.height)]
    return [Rect(x1, y1, x2, y2) for y1, y2 in _spans(size.height) for x1, x2 in _spans(size.width)]


def _spans(length: int) -> list[tuple[int, int]]:
    if length <= _TILE_SIDE_PX:
        return [(0, length)]
    count = -(-(length - _TILE_OVERLAP_PX) // (_TILE_SIDE_PX - _TILE_OVERLAP_PX))
    side = -(-(length + (count - 1) * _TILE_OVERLAP_PX) // count)
    starts = [round(i * (length - side) / (count - 1)) for i in range(count)]
    return [(start, start + side) for start in starts]


def join(found: Sequence[Detections], tiles: Sequence[Rect], size: Size, *, iou: float, most: int) -> Detections:
    """One list for the frame.

    Args:
        found: what each tile saw, in the frame's pixels.
        tiles: the tiles.
        size: the frame.
        iou: overlap above which the weaker of two boxes is dropped.
        most: how many are kept at most.
    """
    everything = Detections(
        np.concatenate([part.boxes for part in found]),
        np.concatenate([part.scores for part in found]),
        np.concatenate([part.classes for part in found]),
    )
    homes = np.repeat(np.arange(len(tiles)), [len(part) for part in found])
    borders = box_array(tiles).astype(np.float32)
    cut = _cut(everything.boxes, borders[homes], size)
    pieces = [int(i) for i in np.flatnonzero(cut) if not _seen_whole(int(i), everything, cut, borders[homes[i]])]
    joined = [_union(everything, group) for group in _groups(pieces, everything, homes, borders)]
    whole = everything.only(~cut)
    merged = Detections(
        np.concatenate([whole.boxes, *(part.boxes for part in joined)]),
        np.concatenate([whole.scores, *(part.scores for part in joined)]),
        np.concatenate([whole.classes, *(part.classes for part in joined)]),
    )
    return suppress(merged.only(np.argsort(-merged.scores, kind="stable")), iou=iou, most=most)


def _cut(boxes: Floats, borders: Floats, size: Size) -> _Flags:
    """Which boxes end at a border of their tile that is no edge of the frame."""
    low = (boxes[:, :2] - borders[:, :2] < _BORDER_DISTANCE_PX) & (borders[:, :2] > 0)
    high = (borders[:, 2:] - boxes[:, 2:] < _BORDER_DISTANCE_PX) & (borders[:, 2:] < np.array(size))
    either: _Flags = low | high
    return either[:, 0] | either[:, 1]


def _seen_whole(piece: int, found: Detections, cut: _Flags, border: Floats) -> bool:
    """Whether an uncut box of the same class, as this tile would have seen it, is this piece."""
    others = np.flatnonzero(~cut & (found.classes == found.classes[piece]))
    return bool(
        (iou_matrix(_within(found.boxes[others], border), found.boxes[piece : piece + 1]) >= _MIN_SAME_SHARE).any()
    )


def _groups(pieces: Sequence[int], found: Detections, homes: npt.NDArray[np.intp], borders: Floats) -> list[list[int]]:
    """Pieces of one thing together: of one class, and alike where their tiles overlap."""
    groups: list[list[int]] = []
    for piece in pieces:
        mine = [group for group in groups if any(_agree(piece, other, found, homes, borders) for other in group)]
        groups = [group for group in groups if group not in mine]
        groups.append([piece, *(other for group in mine for other in group)])
    return groups


def _agree(a: int, b: int, found: Detections, homes: npt.NDArray[np.intp], borders: Floats) -> bool:
    if homes[a] == homes[b] or found.classes[a] != found.classes[b]:
        return False
    tiles = borders[[homes[a], homes[b]]]
    shared = np.concatenate([tiles[:, :2].max(axis=0), tiles[:, 2:].min(axis=0)])
    if (shared[2:] <= shared[:2]).any():
        return False
    seen = _within(found.boxes[[a, b]], shared)
    return bool(iou_matrix(seen[:1], seen[1:])[0, 0] >= _MIN_SAME_SHARE)


def _union(found: Detections, group: Sequence[int]) -> Detections:
    best = max(group, key=lambda i: float(found.scores[i]))
    boxes = found.boxes[list(group)]
    around = np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])
    return Detections(around[None], found.scores[[best]], found.classes[[best]])


def _within(boxes: Floats, border: Floats) -> Floats:
    return np.concatenate(
        [boxes[:, :2].clip(border[:2], border[2:]), boxes[:, 2:].clip(border[:2], border[2:])], axis=1
    )
