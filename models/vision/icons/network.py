"""Runs the icon network with onnxruntime."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Final

import numpy as np

from demopack.errors import ModelError
from models.vision.icons.cutting import SIDE, Floats

__all__ = ["GRAPH", "IconNetwork"]

GRAPH: Final = "icons.onnx"
_HINT = 'Copy the model again, or choose another one in "vision.icons".'


class IconNetwork:
    """A graph that says how likely each meaning is."""

    def __init__(self, path: Path, *, classes: int, threads: int) -> None:
        """Load it.

        Args:
            path: a ``.onnx`` file.
            classes: outputs it must have.
            threads: for computing.

        Raises:
            ModelError: onnxruntime is missing, the file is missing or damaged, or it is no graph of ours.
        """
        try:
            runtime: Any = importlib.import_module("onnxruntime")
        except ImportError as error:
            raise ModelError(
                "Naming icons needs onnxruntime, which is not installed.",
                details=str(error),
                hint="In the checkout: uv sync --extra ocr, or pip install '.[ocr]'.",
            ) from error
        options = runtime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.log_severity_level = 4  # what goes wrong is in the error
        # Threads that wait leave the processor to the recorder and the window.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            # Read into memory first, so that the graph cannot point at other files.
            self._session: Any = runtime.InferenceSession(
                path.read_bytes(), options, providers=["CPUExecutionProvider"]
            )
            self._input = str(self._session.get_inputs()[0].name)
            told = self.likely(np.zeros((1, 3, SIDE, SIDE), dtype=np.float32)).shape
            if told != (1, classes):
                raise ValueError(f"output {told} instead of {(1, classes)}")
        except Exception as error:  # a damaged or foreign graph fails in as many ways as there are
            raise ModelError(
                f"{path} cannot be used to name icons: it is missing, damaged, or of another program.",
                details=f"{type(error).__name__}: {error}",
                hint=_HINT,
            ) from error

    def likely(self, icons: Floats) -> Floats:
        """How likely each meaning is.

        Args:
            icons: shape (n, 3, 40, 40), see ``cutting.to_input``.

        Returns:
            Shape (n, classes); each row's sum is 1.
        """
        seen: Floats = self._session.run(None, {self._input: icons})[0]
        return seen
