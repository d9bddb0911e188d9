"""The vision worker: a process of its own that holds the models. Started by ``worker_process.py`` as a module.

Each request names the function that makes its pipeline: a callable that finds what is on a picture of shape (height,
width, 3), uint8, what lies near some points first; ``meanings`` of a box reader's says what an icon may mean. Requests
are answered one after the other on standard output. The worker ends as soon as its standard input is closed, also in
the middle of a request: that is how it notices that the app is gone. See ``docs/adr/0003-vision-worker.md``.
"""

from __future__ import annotations

import importlib
import json
import os
import queue
import threading
import traceback
from functools import lru_cache
from typing import Any, BinaryIO

import numpy as np

from demopack.domain.geometry import Point, Rect
from demopack.errors import DemopackError
from models.vision.worker_process import read_message, write_message

_Message = tuple[dict[str, Any], bytes]


def main() -> None:
    """Serve requests until the app closes the pipe."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not get between the messages.
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        os.nice(5)  # the window and the recorder go first
    inbox: queue.SimpleQueue[_Message] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests, inbox), daemon=True, name="receive").start()
    while True:
        header, payload = inbox.get()
        try:
            write_message(replies, _answer(header, payload))
        except OSError:
            return


def _receive(requests: BinaryIO, inbox: queue.SimpleQueue[_Message]) -> None:
    while (message := read_message(requests)) is not None:
        inbox.put(message)
    # The app is gone or wants us gone. A model may be in the middle of its work in another thread; nothing of it is
    # worth keeping, and a tidy exit would wait for it.
    os._exit(0)


def _answer(header: dict[str, Any], payload: bytes) -> dict[str, Any]:
    """The reply to one message; an error is a reply, too."""
    try:
        pipeline = _pipeline(header["builder"], json.dumps(header["options"]))
        image = np.frombuffer(payload, dtype=np.uint8).reshape(header["height"], header["width"], 3)
        if header["op"] == "meanings":
            guesses = pipeline.meanings(image, Rect(*header["box"]))
            return {"name": guesses.name, "likely": [list(one) for one in guesses.likely]}
        near = [Point(int(x), int(y)) for x, y in header["near"]]
        return {"found": [found.to_json() for found in pipeline(image, near)]}
    except DemopackError as error:
        return {"error": {"message": error.user_message, "details": error.details, "hint": error.hint}}
    except Exception as error:  # noqa: BLE001 - the end of this process's world: the app reports it in its own words
        details = "".join(traceback.format_exception(error))
        return {"error": {"message": f"Finding elements failed: {error}", "details": details, "hint": ""}}


@lru_cache(maxsize=1)
def _pipeline(builder: str, options: str) -> Any:  # noqa: ANN401 - chosen by its name
    """What ``module:function`` makes of the options, JSON; heavy libraries are imported there and then."""
    module, _, function = builder.partition(":")
    return getattr(importlib.import_module(module), function)(json.loads(options))


if __name__ == "__main__":
    main()
