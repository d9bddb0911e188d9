"""Runs a small describer with onnxruntime alone, as the light installation has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from demopack.errors import ModelError
from models.vision.patches import Floats
from models.vision.weights import import_onnxruntime, open_session

_HINT = 'Copy the model again, or choose another one in "vision.describer".'


class OnnxReader:
    """The two graphs of a model folder; their weights lie in its safetensors file."""

    def __init__(self, folder: Path, *, threads: int) -> None:
        """Load both.

        Raises:
            ModelError: onnxruntime is missing, or a file is no graph of ours.
        """
        runtime = import_onnxruntime("Describing elements")
        try:
            self._encoder, self._decoder = (
                open_session(runtime, str(folder / name), threads=threads) for name in ("encoder.onnx", "decoder.onnx")
            )
            self._seen: list[str] = [output.name for output in self._encoder.get_outputs()]
            inputs = {value.name: value.shape for value in self._decoder.get_inputs()}
            self._past = {name: (int(shape[1]), int(shape[3])) for name, shape in inputs.items() if "past_" in name}
            expected = {"word", *self._seen, *self._past}
            if set(inputs) != expected or not self._past:
                raise ValueError(f"inputs {sorted(inputs)} instead of {sorted(expected)}")
        except Exception as error:  # a damaged graph fails in as many ways as there are
            raise ModelError(
                f"The describer in {folder} cannot be loaded: a file is damaged or of another program.",
                details=f"{type(error).__name__}: {error}",
                hint=_HINT,
            ) from error

    def look(self, patches: Floats) -> dict[str, Floats]:
        """See views; what the decoder needs of them, by the names of its inputs."""
        seen: list[Any] = self._encoder.run(self._seen, {"patches": patches})
        kept: dict[str, Floats] = dict(zip(self._seen, seen, strict=True))
        for name, (heads, depth) in self._past.items():
            kept[name] = np.zeros((len(patches), heads, 0, depth), dtype=np.float32)
        return kept

    def next(self, words: npt.NDArray[np.int64], kept: dict[str, Floats]) -> tuple[Floats, dict[str, Floats]]:
        """How likely each word comes next, and what to keep."""
        names = ["logits", *(f"new_{name}" for name in self._past)]
        logits, *fresh = self._decoder.run(names, {"word": words, **kept})
        return logits, {**kept, **dict(zip(self._past, fresh, strict=True))}
