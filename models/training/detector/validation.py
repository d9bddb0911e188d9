"""Figures of a detector on screens it does not learn from: for early stopping and for curves.

The figures of all models together come from ``python -m lab eval``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from demopack.domain.frames import RgbImage
from demopack.domain.overlap import iou_matrix
from models.training.detector.samples import Boxes, TrainingScreen
from models.vision.detector_boxes import Detections, Floats, decode, suppress

FIGURE = "figure"
"""The one that decides which weights are the best: the mean over the sources of AP50 without and with types."""
_MIN_CONFIDENCE = 0.05
_COUNTED_CONFIDENCE = 0.3
_HIT_IOU = 0.5
_MAX_IOU = 0.4
"""Overlap (IoU) above which the weaker of two boxes is dropped."""
_MAX_DETECTIONS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    scores: Floats
    hit: NDArray[np.bool_]
    typed: NDArray[np.bool_]
    truths: int


def choose_screens(pictures: Sequence[TrainingScreen], *, most: int) -> list[TrainingScreen]:
    """At most so many screens, as many of each source, spread evenly over its groups."""
    by_source: dict[str, list[TrainingScreen]] = {}
    for picture in pictures:
        by_source.setdefault(picture.screen.source, []).append(picture)
    chosen: list[TrainingScreen] = []
    for number, source in enumerate(sorted(by_source)):
        share = most // len(by_source) + (1 if number < most % len(by_source) else 0)
        have = by_source[source]
        picked = {int(i) for i in np.linspace(0, len(have) - 1, num=min(share, len(have)))}
        chosen += [have[i] for i in sorted(picked)]
    return chosen


def figures(
    predict: Callable[[RgbImage], Floats],
    pictures: Sequence[TrainingScreen],
    *,
    read: Callable[[TrainingScreen], RgbImage],
) -> dict[str, float]:
    """Precision, recall and so on, over all and by source.

    Args:
        predict: from a picture to the raw output of a model.
        pictures: the screens.
        read: gives their pixels.
    """
    judged: dict[str, list[_Judged]] = {}
    for picture in pictures:
        found = suppress(decode(predict(read(picture)), confidence=_MIN_CONFIDENCE), iou=_MAX_IOU, most=_MAX_DETECTIONS)
        hit, typed = match(found, picture.boxes, picture.classes)
        result = _Judged(found.scores, hit, typed, len(picture.boxes))
        judged.setdefault(picture.screen.source, []).append(result)
    told = _metrics_of([one for many in judged.values() for one in many])
    each = {source: _metrics_of(many) for source, many in judged.items()}
    for source, values in each.items():
        told.update({f"{name}/{source}": value for name, value in values.items() if name in {"f1", "type", "ap50"}})
    told[FIGURE] = float(np.mean([(v["ap50"] + v["ap50_typed"]) / 2 for v in each.values()])) if each else 0.0
    return {name: round(value, 4) for name, value in told.items()}


def match(found: Detections, boxes: Boxes, classes: NDArray[np.intp]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which finds hit a true box that no surer one has hit, and which of these have its class, too."""
    hit, typed = np.zeros(len(found), dtype=bool), np.zeros(len(found), dtype=bool)
    if not len(boxes) or not len(found):
        return hit, typed
    overlaps = iou_matrix(found.boxes, boxes)
    for i in range(len(found)):
        best = int(overlaps[i].argmax())
        if overlaps[i, best] >= _HIT_IOU:
            hit[i], typed[i] = True, bool(found.classes[i] == classes[best])
            overlaps[:, best] = -1
    return hit, typed


def average_precision(scores: Floats, hit: NDArray[np.bool_], truths: int) -> float:
    """The area below the precision-recall curve, precision made falling first."""
    if not truths or not len(scores):
        return 0.0
    hits = np.cumsum(hit[np.argsort(-scores, kind="stable")])
    precision = hits / np.arange(1, len(hits) + 1)
    falling = np.maximum.accumulate(precision[::-1])[::-1]
    recall = np.concatenate([[0.0], hits / truths])
    return float(np.sum(np.diff(recall) * falling))


def _metrics_of(judged: Sequence[_Judged]) -> dict[str, float]:
    if not judged:
        return {}
    scores = np.concatenate([one.scores for one in judged])
    hit, typed = np.concatenate([one.hit for one in judged]), np.concatenate([one.typed for one in judged])
    truths = sum(one.truths for one in judged)
    sure = scores > _COUNTED_CONFIDENCE
    hits, finds = int(hit[sure].sum()), int(sure.sum())
    return {
        "precision": hits / max(1, finds),
        "recall": hits / max(1, truths),
        "f1": 2 * hits / max(1, finds + truths),
        "type": int(typed[sure].sum()) / max(1, hits),
        "ap50": average_precision(scores, hit, truths),
        "ap50_typed": average_precision(scores, typed, truths),
    }
