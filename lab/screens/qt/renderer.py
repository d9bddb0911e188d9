"""The factory's end of the drawing process: start, order, receive, end. Knows nothing of Qt."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, cast

import numpy as np

from demopack.errors import DemopackError, ModelError
from demopack.processes import end_process
from demopack.replacing import scratch_folder
from lab.screens.sources import Rendered, Renderer, SampleSpec
from models.training.labelled_screens import GroundTruth
from models.vision.worker import read_message, write_message

_LIMIT_S = 60.0
"""The longest a spec may take; a window that hangs is given up."""
_SCREEN = {"name": "renderer", "x": 0, "y": 0, "width": 6000, "height": 6000, "dpr": 1}
"""Large, so that Qt never moves a window or a menu; the picture's own edges are kept by the stage."""


class QtRenderer:
    """A drawing process; entered as a context."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._ends = contextlib.ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        self._said: BinaryIO | None = None

    def __enter__(self) -> Renderer:
        self._folder = self._ends.enter_context(scratch_folder())
        self._said = tempfile.TemporaryFile()
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        if self._said is not None:
            self._said.close()
        self._ends.close()

    def render(self, spec: SampleSpec) -> Sequence[Rendered]:
        """The moments of one window.

        Raises:
            ModelError: the process died or hung; the next order starts a new one.
            DemopackError: this spec cannot be drawn.
        """
        if self._process is None:
            self._start()
        order = {"group": spec.group, "side": spec.side, "seed": spec.seed, "variant": spec.variant}
        reply = self._ask({"op": "draw", **order})
        if "error" in reply:
            raise DemopackError(f"The Qt screen {spec.group} {spec.seed} cannot be drawn.", details=reply["error"])
        return [self._received() for _ in range(int(reply["moments"]))]

    def _start(self) -> None:
        assert self._folder is not None
        assert self._said is not None
        settings = self._folder / "screen.json"
        settings.write_text(json.dumps({"screens": [_SCREEN]}), encoding="utf-8")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "lab.screens.qt.drawing.main", str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=_environment(settings),
            start_new_session=True,
        )
        self._ask({"op": "hello"})

    def _ask(self, header: dict[str, Any]) -> dict[str, Any]:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        # A process that hangs never answers: it is ended after a while, which ends the reading below.
        alarm = threading.Timer(_LIMIT_S, process.kill)
        alarm.start()
        try:
            with contextlib.suppress(OSError):
                write_message(cast("BinaryIO", process.stdin), header)
            return self._next()[0]
        finally:
            alarm.cancel()

    def _next(self) -> tuple[dict[str, Any], bytes]:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        message = read_message(cast("BinaryIO", process.stdout))
        if message is None:
            words = self._last_words()
            self._end()
            raise ModelError(
                "The process that draws Qt screens ended.",
                hint="PySide6 and the libraries it needs must be installed (make setup-test).",
                details=words,
            )
        return message

    def _received(self) -> Rendered:
        header, pixels = self._next()
        image = np.frombuffer(pixels, dtype=np.uint8).reshape(header["height"], header["width"], 3)
        elements = [GroundTruth.model_validate(element) for element in header["elements"]]
        return Rendered(image=image, elements=elements, variant=header["variant"])

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        end_process(process)

    def _last_words(self) -> str:
        assert self._said is not None
        size = self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, size - 4000))
        return self._said.read().decode("utf-8", "replace").strip()


def _environment(settings: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("QT_")}
    return {**kept, "QT_QPA_PLATFORM": f"offscreen:configfile={settings}", "QT_LOGGING_RULES": "qt.*=false"}
