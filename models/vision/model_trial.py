"""Tries a model on a small picture, in a worker that is ended when it hangs: before anything relies on it."""

from __future__ import annotations

from typing import Final

import numpy as np

from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.errors import ModelError
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from models.registry import ModelFolder
from models.vision.finder import PIPELINE, WorkerFinder
from models.vision.worker_process import WorkerStoppedError, worker_threads

_LIMIT_S: Final = 60.0
"""Loading the largest model that we know takes a sixth of it on a slow machine."""
_BUTTON: Final = Rect(20, 30, 100, 58)


def try_model(model: ModelFolder, *, limit_s: float = _LIMIT_S) -> None:
    """Use a model once.

    Args:
        model: which one.
        limit_s: seconds that loading and one small picture may take.

    Raises:
        ModelError: it cannot be used: of another form, damaged, without end, or too large; the message says which.
    """
    # The model alone: a describer is asked about the button, which is found by its shape.
    alone = {"ocr": False, "detector": "", "describer": "", "icons": "", model.card.kind: str(model.folder)}
    options = {**VisionSettings.model_validate(alone).model_dump(mode="json"), "threads": worker_threads()}
    image = _picture()
    frame = Frame(id="trial", width=image.shape[1], height=image.shape[0])
    name = f"The {model.card.kind} {model.card.id}"
    with WorkerFinder("trial", builder=PIPELINE, options=options, limit_s=limit_s) as worker:
        try:
            worker.find(image, frame, control=JobControl())
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


def _picture() -> RgbImage:
    """A button with a few strokes on it, on light grey; shape (96, 128, 3)."""
    image = np.full((96, 128, 3), 235, dtype=np.uint8)
    image[_BUTTON.y1 : _BUTTON.y2, _BUTTON.x1 : _BUTTON.x2] = 120
    image[_BUTTON.y1 + 1 : _BUTTON.y2 - 1, _BUTTON.x1 + 1 : _BUTTON.x2 - 1] = 250
    image[38:50, 36:84:6] = 20
    return image
