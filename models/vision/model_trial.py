"""Tries a model on a small picture, in a worker that is ended when it hangs: before anything relies on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.errors import ModelError
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from models.registry import ModelFolder
from models.vision.describer import open_describer
from models.vision.detection import Detection
from models.vision.detector import open_detector
from models.vision.finder import WorkerFinder
from models.vision.icons import open_icon_namer
from models.vision.worker_process import WorkerStoppedError, worker_threads

_LIMIT_S: Final = 60.0
"""Loading the largest model that we know takes a sixth of it on a slow machine."""
_BUTTON: Final = Rect(20, 30, 100, 58)


def try_model(model: ModelFolder, *, limit_s: float = _LIMIT_S, control: JobControl | None = None) -> None:
    """Use a model once.

    Args:
        model: which one.
        limit_s: seconds that loading and one small picture may take.
        control: cancelling.

    Raises:
        ModelError: it cannot be used: of another form, damaged, without end, or too large; the message says which.
        CancelledError: it was cancelled.
    """
    options = {"kind": model.card.kind, "folder": str(model.folder), "threads": worker_threads()}
    image = _picture()
    frame = Frame(id="trial", width=image.shape[1], height=image.shape[0])
    name = f"The {model.card.kind} {model.card.id}"
    with WorkerFinder("trial", builder="models.vision.model_trial:build", options=options, limit_s=limit_s) as worker:
        try:
            worker.find(image, frame, control=control or JobControl())
        except WorkerStoppedError as error:
            raise ModelError(
                f"{name} cannot be used: on a small picture it took too long or too much memory and was stopped. "
                "Nothing was changed.",
                details=error.details,
                hint="Get it again from where it was made, or use another one.",
            ) from error
        except ModelError as error:
            raise ModelError(
                f"{name} cannot be used, and nothing was changed: {error.user_message}",
                details=error.details,
                hint=error.hint,
            ) from error


def build(options: Mapping[str, Any]) -> _Trial:
    """The worker's part: ``kind``, ``folder`` and ``threads``.

    Raises:
        ModelError: the model cannot be loaded.
    """
    return _Trial(str(options["kind"]), str(options["folder"]), int(options["threads"]))


class _Trial:
    """One model, loaded alone."""

    def __init__(self, kind: str, folder: str, threads: int) -> None:
        settings = VisionSettings.model_validate({"detector": "", "describer": "", "icons": "", kind: folder})
        self._detector = open_detector(settings, threads=threads) if kind == "detector" else None
        self._describer = open_describer(settings, threads=threads) if kind == "describer" else None
        self._icons = open_icon_namer(settings, threads=threads) if kind == "icons" else None

    def __call__(self, image: RgbImage, near: Sequence[Point] = ()) -> list[Detection]:
        """What a detector finds; of other kinds nothing, but they are asked as well."""
        if self._describer is not None:
            self._describer.describe(image, [_BUTTON], limit_s=_LIMIT_S, near=near)
        if self._icons is not None:
            self._icons.meanings(image, [_BUTTON])
        return [] if self._detector is None else self._detector.detect(image)


def _picture() -> RgbImage:
    """A button with a few strokes on it, on light grey; shape (96, 128, 3)."""
    image = np.full((96, 128, 3), 235, dtype=np.uint8)
    image[_BUTTON.y1 : _BUTTON.y2, _BUTTON.x1 : _BUTTON.x2] = 120
    image[_BUTTON.y1 + 1 : _BUTTON.y2 - 1, _BUTTON.x1 + 1 : _BUTTON.x2 - 1] = 250
    image[38:50, 36:84:6] = 20
    return image
