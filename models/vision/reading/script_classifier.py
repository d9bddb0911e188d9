"""Tells by its pixels which script a line is written in, with a small convolutional network."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.pixels.colours import border_background
from demopack.resources import assets_root
from models.registry import is_model, open_model
from models.vision.weights import open_session, unusable

Floats: TypeAlias = "npt.NDArray[np.float32]"

GRAPH: Final = "scripts.onnx"
HEIGHT: Final = 24
"""Rows that the network looks at."""
MIN_WIDTH, MAX_WIDTH, WIDTH_STEP = 48, 192, 16
"""Columns that the network looks at; a longer line is told by its middle."""
_MIN_CONTRAST: Final = 24.0
"""Differences of grey levels that are not stretched further."""


def to_input(crop: RgbImage) -> Floats:
    """What the network is given: how far each pixel is from the background, as strongly as on any other line.

    Args:
        crop: shape (height, width, 3), uint8.

    Returns:
        Shape (1, 1, 24, width), about 0..1; blank behind a short line.
    """
    cv2: Any = importlib.import_module("cv2")
    gray = crop.astype(np.float32).mean(axis=2)
    differences = np.abs(gray - border_background(gray)).astype(np.float32)
    width = max(1, round(gray.shape[1] * HEIGHT / gray.shape[0]))
    if width > MAX_WIDTH:
        # Nothing is enlarged that is not looked at.
        part = max(1, round(gray.shape[1] * MAX_WIDTH / width))
        start = (gray.shape[1] - part) // 2
        differences, width = np.ascontiguousarray(differences[:, start : start + part]), MAX_WIDTH
    scaled = cv2.resize(differences, (width, HEIGHT), interpolation=cv2.INTER_LINEAR)
    scaled /= max(_MIN_CONTRAST, float(np.percentile(scaled, 99)))
    columns = max(MIN_WIDTH, -(-width // WIDTH_STEP) * WIDTH_STEP)
    found = np.zeros((1, 1, HEIGHT, columns), dtype=np.float32)
    found[0, 0, :, :width] = np.minimum(scaled, 1.5)
    return found


OTHER: Final = "other"
"""The class of scripts that nothing reads."""
USUAL: Final = ("latin", "chinese", "sign")
"""The classes of what rapidocr reads, or takes for what it knows."""
Network: TypeAlias = Callable[[Floats], Floats]
"""From a line of shape (1, 1, 24, width), see :func:`to_input`, how likely each class is, shape (1, classes)."""


class ScriptClassifier:
    """How likely it is that a line is written in each script."""

    def __init__(self, network: Network, classes: Sequence[str]) -> None:
        """Use this network, whose outputs mean these classes."""
        self._network = network
        self.classes = tuple(classes)

    def likely(self, crops: Sequence[RgbImage]) -> Floats:
        """How likely each class is for each line, shape (n, classes); each row's sum is 1.

        Args:
            crops: a line each, shape (height, width, 3), uint8.
        """
        rows = [self._network(to_input(crop))[0] for crop in crops]
        return np.stack(rows) if rows else np.empty((0, len(self.classes)), dtype=np.float32)


def open_script_classifier(folder: Path | None = None) -> ScriptClassifier | None:
    """The network that comes with demopack, or one in a folder; None where none came with it.

    Raises:
        ModelError: it cannot be used.
    """
    shipped = assets_root() / "weights" / "scripts"
    if folder is None and not is_model(shipped):
        return None
    model = open_model(folder or shipped, kind="scripts")
    with unusable(f"{model.folder} cannot be used to tell scripts apart.", hint="Install demopack again."):
        # One line is little work: threads would cost more than they save.
        session = open_session("Telling scripts apart", model.file(GRAPH).read_bytes(), threads=1)

        def network(line: Floats) -> Floats:
            likely: Floats = session.run(None, {"lines": line})[0]
            return likely

        told = network(np.zeros((1, 1, HEIGHT, MIN_WIDTH), dtype=np.float32)).shape
        if told != (1, len(model.card.classes)):
            raise ValueError(f"output {told} instead of {(1, len(model.card.classes))}")
    return ScriptClassifier(network, model.card.classes)
