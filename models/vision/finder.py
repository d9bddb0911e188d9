"""Finds elements by asking a worker process, so that no model ever sits in the app's own memory."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.errors import ModelError
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from models.vision.found import to_element
from models.vision.process import WorkerDiedError, WorkerProcess, worker_threads

__all__ = ["PIPELINE", "WorkerFinder", "open_finder"]

PIPELINE = "models.vision.pipeline:build"
_RULES = "shapes-2"
"""Names our own part of the result; raised whenever it changes, so that cached results are not mixed."""
_LIMIT_S = 300.0


class WorkerFinder:
    """Satisfies the ``ElementFinder`` port. Safe between threads: requests queue up.

    The worker starts with the first request, is started again once per request when it dies, and is ended when a
    request is cancelled, by :meth:`close`, and by the end of the app, however that ends.
    """

    def __init__(self, name: str, *, builder: str, options: dict[str, Any], limit_s: float = _LIMIT_S) -> None:
        self._name = name
        self._builder = builder
        self._options = options
        self._limit_s = limit_s
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None

    @property
    def name(self) -> str:
        """Models and versions; equal names give equal results."""
        return self._name

    @property
    def worker_pid(self) -> int | None:
        """The worker's process id; None while none runs."""
        worker = self._worker
        return worker.pid if worker is not None and worker.alive else None

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl) -> list[Element]:
        """See ``ElementFinder``."""
        height, width = image.shape[:2]
        pixels = np.ascontiguousarray(image).data.cast("B")
        with self._lock:
            control.token.check()
            reply = self._ask({"op": "find", "height": height, "width": width}, pixels, control)
        if "error" in reply:
            error = reply["error"]
            raise ModelError(error["message"], details=error["details"], hint=error["hint"])
        return [to_element(data, frame_id=frame.id) for data in reply["found"]]

    def _ask(self, header: dict[str, Any], pixels: memoryview, control: JobControl) -> dict[str, Any]:
        try:
            return self._running().ask(header, pixels, control=control, limit_s=self._limit_s)
        except WorkerDiedError:
            # Once more with a new one: it may have been killed for memory that is free by now.
            control.token.check()
        try:
            return self._running().ask(header, pixels, control=control, limit_s=self._limit_s)
        except WorkerDiedError as error:
            raise ModelError(
                "The process that finds elements died twice on this picture; what was found before is kept.",
                details=error.details or error.user_message,
                hint="Is there enough free memory? `demopack doctor` checks the models.",
            ) from error

    def _running(self) -> WorkerProcess:
        if self._worker is None or not self._worker.alive:
            self._end_worker()
            self._worker = WorkerProcess(builder=self._builder, options=self._options)
        return self._worker

    def _end_worker(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def close(self) -> None:
        """End the worker; the next request would start a new one. Calling it twice is harmless."""
        with self._lock:
            self._end_worker()

    def __enter__(self) -> WorkerFinder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_finder(settings: VisionSettings) -> WorkerFinder:
    """The finder that the settings ask for; nothing is loaded before the first picture.

    Raises:
        ModelError: a library or the weights file is missing, or the settings leave nothing to find elements with.
    """
    parts: list[str] = []
    if settings.ocr:
        parts.append(f"rapidocr-{_version('rapidocr', extra='ocr')}")
    if settings.detector_weights is not None:
        _version("ultralytics-opencv-headless", extra="vision", module="ultralytics")
        parts.append(f"yolo:{settings.detector_weights.stem}-{_digest(settings.detector_weights)}")
    if not parts:
        raise ModelError(
            "The settings switch off both text and detector, so nothing can be found.",
            hint='Set "ocr" to true or name "detector_weights" in the "vision" section of the settings.',
        )
    name = "+".join([*parts, _RULES]) + _deviation(settings)
    options = {**settings.model_dump(mode="json"), "threads": worker_threads()}
    return WorkerFinder(name, builder=PIPELINE, options=options)


def _version(distribution: str, *, extra: str, module: str | None = None) -> str:
    if importlib.util.find_spec(module or distribution) is None:
        raise ModelError(
            f"Finding elements needs {module or distribution}, which is not installed.",
            hint=f"In the checkout: uv sync --extra {extra}, or pip install '.[{extra}]'.",
        )
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def _digest(weights: Path) -> str:
    try:
        with weights.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:8]
    except OSError as error:
        raise ModelError(
            f"The detector weights {weights} cannot be read.",
            details=str(error),
            hint='Correct "vision.detector_weights" in the settings, or clear it to read text only.',
        ) from error


def _deviation(settings: VisionSettings) -> str:
    """A mark for thresholds that are not the defaults; they change what is found."""
    changed = settings.model_dump(mode="json", exclude_defaults=True, exclude={"ocr", "detector_weights"})
    if not changed:
        return ""
    return "#" + hashlib.sha256(repr(sorted(changed.items())).encode()).hexdigest()[:6]
