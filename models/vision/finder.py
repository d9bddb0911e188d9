"""Finds elements by asking a worker process, so that no model ever sits in the app's own memory."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Final

import numpy as np

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point
from demopack.errors import ModelError
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from models.registry import ModelFolder, model_names
from models.vision.detection import to_element
from models.vision.worker import WorkerDiedError, WorkerProcess, WorkerStoppedError, most_memory, worker_threads

PIPELINE = "models.vision.pipeline:build"
_RULES = "parse-21"
"""Names our own part of the result; raised whenever it changes, so that cached results are not mixed."""
_START_S, _MEGAPIXEL_S = 60.0, 30.0
"""A worker that takes longer hangs: seconds to load the models, and for each million pixels; ten times what a slow
machine needs."""
_MAX_PIXELS = 64_000_000
"""A wall of screens has fewer; more would need more memory than most machines have."""


class WorkerFinder:
    """Satisfies the ``ElementFinder`` port. Safe between threads: requests queue up.

    The worker starts with the first request, is started again once per request when it dies, and is ended when a
    request is cancelled or takes too long or too much memory, by :meth:`close`, and by the end of the app, however that
    ends.

    Attributes:
        name: models and versions; equal names give equal results.
    """

    def __init__(
        self,
        name: str,
        *,
        builder: str,
        options: dict[str, Any],
        limit_s: float | None = None,
        most_bytes: int | None = None,
    ) -> None:
        """Ask a worker that is started when it is needed.

        Args:
            name: models and versions.
            builder: ``module:function`` that makes the pipeline inside the worker.
            options: what that function is called with; plain JSON.
            limit_s: seconds after which a worker hangs; depends on the size of the picture unless given.
            most_bytes: memory that a worker may hold; most of the machine's unless given.
        """
        self.name = name
        self._builder = builder
        self._options = options
        self._limit_s = limit_s
        self._most_bytes = most_memory() if most_bytes is None else most_bytes
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None

    @property
    def worker_pid(self) -> int | None:
        """The worker's process id; None while none runs."""
        worker = self._worker
        return worker.pid if worker is not None and worker.alive else None

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Sequence[Point] = ()) -> list[Element]:
        """See ``ElementFinder``."""
        found = self.ask("find", image, control=control, near=[(point.x, point.y) for point in near])
        return [to_element(data, frame_id=frame.id) for data in found]

    def ask(self, method: str, image: RgbImage, *, control: JobControl, **arguments: Any) -> Any:  # noqa: ANN401
        """What a method of the pipeline gives for a picture, as plain JSON.

        Args:
            method: its name.
            image: shape (height, width, 3), uint8.
            control: cancelling.
            arguments: its other arguments; plain JSON.

        Raises:
            ModelError: a model could not be loaded or died, took too long or too much memory, or the picture is too
                large.
            CancelledError: the user stopped it.
        """
        height, width = image.shape[:2]
        if height * width > _MAX_PIXELS:
            raise ModelError(
                f"The picture of {width} x {height} pixels is too large to find elements on.",
                hint="Record one monitor, or a region of the screen.",
            )
        pixels = np.ascontiguousarray(image).data.cast("B")
        request = {"method": method, "arguments": arguments, "height": height, "width": width}
        with self._lock:
            reply = self._ask({**request, "builder": self._builder, "options": self._options}, pixels, control)
        if "error" in reply:
            error = reply["error"]
            raise ModelError(error["message"], details=error["details"], hint=error["hint"])
        return reply["answer"]

    def _ask(
        self, request: dict[str, Any], pixels: memoryview, control: JobControl, *, again: bool = False
    ) -> dict[str, Any]:
        control.token.check()
        if self._worker is None or not self._worker.alive:
            if self._worker is not None:
                self._worker.close()
            self._worker = WorkerProcess()
        limit_s = self.limit_s(width=request["width"], height=request["height"])
        try:
            return self._worker.ask(request, pixels, control=control, limit_s=limit_s, most_bytes=self._most_bytes)
        except WorkerDiedError as error:
            if not again:
                # Once more with a new one: it may have been killed for memory that is free by now.
                return self._ask(request, pixels, control, again=True)
            raise ModelError(
                "The process that finds elements died twice on this picture; what was found before is kept.",
                details=error.details or error.user_message,
                hint="Is there enough free memory? `demopack doctor` checks the models.",
            ) from error

    def limit_s(self, *, width: int, height: int) -> float:
        """Seconds after which a worker that looks at a picture of this size is taken to hang."""
        if self._limit_s is not None:
            return self._limit_s
        # What the person allows for describing is not hanging.
        return _START_S + float(self._options.get("describe_s", 0.0)) + _MEGAPIXEL_S * width * height / 1e6

    def close(self) -> None:
        """End the worker; the next request would start a new one. Calling it twice is harmless."""
        with self._lock:
            if self._worker is not None:
                self._worker.close()
                self._worker = None

    def __enter__(self) -> WorkerFinder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_finder(settings: VisionSettings) -> WorkerFinder:
    """The finder that the settings ask for; nothing is loaded before the first picture.

    Raises:
        ModelError: a library or a model is missing, or the settings leave nothing to find elements with.
    """
    parts = model_names(settings)
    if not parts:
        raise ModelError(
            "The settings switch off both text and detector, so nothing can be found.",
            hint='Set "ocr" to true or name a "detector" in the "vision" section of the settings.',
        )
    name = "+".join([*parts, _RULES])
    # A mark for settings that are not the defaults and change what is found.
    changed = settings.model_dump(mode="json", exclude_defaults=True, exclude={"ocr", "detector", "describer", "icons"})
    if changed:
        name += "#" + hashlib.sha256(repr(sorted(changed.items())).encode()).hexdigest()[:6]
    options = {**settings.model_dump(mode="json"), "threads": worker_threads()}
    return WorkerFinder(name, builder=PIPELINE, options=options)


_LIMIT_S: Final = 60.0
"""Loading the largest model that we know takes a sixth of it on a slow machine."""


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
    # A button with a few strokes on it, on light grey.
    image = np.full((96, 128, 3), 235, dtype=np.uint8)
    image[30:58, 20:100] = 120
    image[31:57, 21:99] = 250
    image[38:50, 36:84:6] = 20
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
