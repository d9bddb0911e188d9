"""The vision worker: a process of its own that holds the models. Started by ``worker_process.py`` as a module.

It answers one request after the other on its standard output, and ends as soon as its standard input is closed, also
in the middle of a request: that is how it notices that the app is gone. See ``docs/adr/0003-vision-worker.md``.
"""

from __future__ import annotations

import importlib
import os
import queue
import threading
import traceback
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, Protocol, runtime_checkable

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.errors import DemopackError
from models.vision.description import IconGuesses
from models.vision.detection import Detection
from models.vision.worker_process import read_message, write_message

Pipeline = Callable[[RgbImage, Sequence[Point]], list[Detection]]
"""Finds what is on a picture of shape (height, width, 3), uint8; what lies near the points first."""


@runtime_checkable
class IconNamingPipeline(Protocol):
    """A pipeline that can also be asked what one icon means."""

    def meanings(self, image: RgbImage, box: Rect) -> IconGuesses:
        """What the icon in a box of the picture may mean."""
        ...


_Message = tuple[dict[str, Any], bytes]


def main() -> None:
    """Serve requests until the app closes the pipe."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not get between the messages.
    os.dup2(2, 1)
    _be_polite()
    inbox: queue.SimpleQueue[_Message] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests, inbox), daemon=True, name="receive").start()
    server = _Server()
    while True:
        header, payload = inbox.get()
        answer = server.answer(header, payload)
        try:
            write_message(replies, answer)
        except OSError:
            return


def _receive(requests: BinaryIO, inbox: queue.SimpleQueue[_Message]) -> None:
    while (message := read_message(requests)) is not None:
        inbox.put(message)
    # The app is gone or wants us gone. A model may be in the middle of its work in another thread; nothing of it is
    # worth keeping, and a tidy exit would wait for it.
    os._exit(0)


def _be_polite() -> None:
    """Let the window and the recorder go first."""
    if hasattr(os, "nice"):
        os.nice(5)


class _Server:
    def __init__(self) -> None:
        self._pipeline: Pipeline | None = None
        self._start: tuple[str, dict[str, Any]] = ("", {})

    def answer(self, header: dict[str, Any], payload: bytes) -> dict[str, Any]:
        """The reply to one message; an error is a reply, too."""
        try:
            if header["op"] == "start":
                self._start = (header["builder"], header["options"])
                self._pipeline = None
                return {"ok": True}
            if self._pipeline is None:
                self._pipeline = _build(*self._start)
            image = np.frombuffer(payload, dtype=np.uint8).reshape(header["height"], header["width"], 3)
            answer = _meanings if header["op"] == "meanings" else _find
            return answer(self._pipeline, image, header)
        except DemopackError as error:
            return {"error": {"message": error.user_message, "details": error.details, "hint": error.hint}}
        except Exception as error:  # noqa: BLE001 - the end of this process's world: the app reports it in its own words
            details = "".join(traceback.format_exception(error))
            return {"error": {"message": f"Finding elements failed: {error}", "details": details, "hint": ""}}


def _find(pipeline: Pipeline, image: RgbImage, header: dict[str, Any]) -> dict[str, Any]:
    near = [Point(int(x), int(y)) for x, y in header["near"]]
    return {"found": [found.to_json() for found in pipeline(image, near)]}


def _meanings(pipeline: object, image: RgbImage, header: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(pipeline, IconNamingPipeline):
        raise TypeError("this pipeline names no icons")
    guesses = pipeline.meanings(image, Rect(*header["box"]))
    return {"name": guesses.name, "likely": [list(one) for one in guesses.likely]}


def _build(builder: str, options: dict[str, Any]) -> Pipeline:
    """Call ``module:function`` with the options; heavy libraries are imported there and then."""
    module, _, function = builder.partition(":")
    pipeline: Pipeline = getattr(importlib.import_module(module), function)(options)
    return pipeline


if __name__ == "__main__":
    main()
