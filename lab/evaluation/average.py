"""Mean average precision by faster-coco-eval; the one place that knows it."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import ELEMENT_TYPES
from demopack.errors import ModelError
from lab.evaluation.figures import AverageFigures
from lab.evaluation.judge import Judged

_MOST = 1000
"""Boxes of a screen that count; COCO's own 100 would cut a dense screen."""
_AT_75 = 5
_NUMBER = {name: number for number, name in enumerate(ELEMENT_TYPES, start=1)}
_Rows = npt.NDArray[np.float64]


@dataclass(slots=True)
class Averages:
    """Collects boxes, six numbers each, and averages them at the end. Needs faster-coco-eval only then."""

    truth: list[_Rows] = field(default_factory=list[_Rows])
    found: list[_Rows] = field(default_factory=list[_Rows])

    def add(self, judged: Judged) -> None:
        """Take the boxes of one more screen. What is given without a confidence counts as certain."""
        true = [[*_box(one), _NUMBER[one.type], 1.0] for one in judged.screen.elements]
        found = [
            [*_box(one), _NUMBER[one.type], 1.0 if one.confidence is None else one.confidence] for one in judged.found
        ]
        self.truth.append(np.array(true, dtype=np.float64).reshape(-1, 6))
        self.found.append(np.array(found, dtype=np.float64).reshape(-1, 6))

    def agnostic(self) -> AverageFigures:
        """Whatever the type.

        Raises:
            ModelError: faster-coco-eval is not installed.
        """
        precision = self._precision(typed=False)
        return AverageFigures() if precision is None else _average(precision)

    def typed(self) -> tuple[AverageFigures, dict[str, float]]:
        """The mean over the types that occur, and the precision at 0.5 of each.

        Raises:
            ModelError: faster-coco-eval is not installed.
        """
        precision = self._precision(typed=True)
        if precision is None:
            return AverageFigures(), {}
        single = {
            name: _mean(precision[0, :, number - 1])
            for name, number in _NUMBER.items()
            if precision[0, 0, number - 1] >= 0
        }
        return _average(precision), {name: value for name, value in single.items() if value is not None}

    def _precision(self, *, typed: bool) -> npt.NDArray[np.float64] | None:
        """Shape (10 overlaps, 101 recalls, types); -1 for a type without truth. None without any truth."""
        if not any(len(rows) for rows in self.truth):
            return None
        library = _library()
        boxes = [
            {"id": n, **row, "area": row["bbox"][2] * row["bbox"][3], "iscrowd": 0}
            for n, row in enumerate(_annotations(self.truth, typed=typed), start=1)
        ]
        categories = [{"id": number, "name": name} for name, number in _NUMBER.items()] if typed else [{"id": 1}]
        pictures = [{"id": n} for n in range(1, len(self.truth) + 1)]
        truth = library.COCO({"images": pictures, "categories": categories, "annotations": boxes})
        found = truth.loadRes(
            [{**row, "score": score} for row, score in _scored(self.found, typed=typed)],
        )
        judge = library.COCOeval_faster(truth, found, "bbox", print_function=_silent)
        judge.params.maxDets = [_MOST]
        judge.params.areaRng, judge.params.areaRngLbl = [[0, 1e10]], ["all"]
        judge.evaluate()
        judge.accumulate()
        return np.asarray(judge.eval["precision"], dtype=np.float64)[:, :, :, 0, 0]


def _library() -> Any:  # noqa: ANN401 - untyped library
    try:
        return importlib.import_module("faster_coco_eval")
    except ImportError as error:
        raise ModelError(
            "Average precision needs faster-coco-eval, which is not installed.",
            hint="In the checkout: uv sync --extra train, or pip install '.[train]'.",
        ) from error


def _annotations(screens: Sequence[_Rows], *, typed: bool) -> list[dict[str, Any]]:
    return [row for row, _ in _scored(screens, typed=typed)]


def _scored(screens: Sequence[_Rows], *, typed: bool) -> list[tuple[dict[str, Any], float]]:
    return [
        (
            {
                "image_id": number,
                "category_id": int(row[4]) if typed else 1,
                "bbox": [float(value) for value in (row[0], row[1], row[2] - row[0], row[3] - row[1])],
            },
            float(row[5]),
        )
        for number, rows in enumerate(screens, start=1)
        for row in rows
    ]


def _average(precision: npt.NDArray[np.float64]) -> AverageFigures:
    return AverageFigures(ap=_mean(precision), ap50=_mean(precision[0]), ap75=_mean(precision[_AT_75]))


def _mean(values: npt.NDArray[np.float64]) -> float | None:
    known = values[values >= 0]
    return round(float(known.mean()), 4) if known.size else None


def _box(one: Any) -> tuple[int, int, int, int]:  # noqa: ANN401 - a truth or an element
    box = one.box
    return box.x1, box.y1, box.x2, box.y2


def _silent(*_: object) -> None:
    return
