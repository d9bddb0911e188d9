"""The one place where trained weights are loaded from a file.

A YOLO weights file is a pickle. It is read with torch's restricted unpickler and ultralytics' list of its own classes
(``ULTRALYTICS_SAFE_LOAD``), so that a file from elsewhere cannot run code; whatever does not fit is refused by name.
"""

from __future__ import annotations

import importlib
import os
import zipfile
from pathlib import Path
from typing import Any

from demopack.errors import ModelError

__all__ = ["load_yolo"]

_SETTING = 'Set "vision.detector" to a detection model trained with ultralytics, or clear it to read text only.'


def load_yolo(path: Path, *, threads: int) -> Any:  # noqa: ANN401 - ultralytics is untyped
    """An ``ultralytics.YOLO`` detection model, on the CPU or the first GPU that torch sees.

    Args:
        path: a ``.pt`` file.
        threads: for torch on the CPU.

    Raises:
        ModelError: no such file, not a YOLO detection model, or ultralytics is missing; the message names the file.
    """
    if not path.is_file():
        raise ModelError(f"The detector weights {path} do not exist.", hint=_SETTING)
    if path.suffix != ".pt" or not zipfile.is_zipfile(path):
        # ultralytics would take other suffixes for exported models or names of models to fetch.
        raise ModelError(f"{path} is not a YOLO weights file (.pt).", hint=_SETTING)
    os.environ["ULTRALYTICS_SAFE_LOAD"] = "1"
    os.environ["YOLO_AUTOINSTALL"] = "False"
    os.environ["YOLO_OFFLINE"] = "true"
    try:
        torch: Any = importlib.import_module("torch")
        ultralytics: Any = importlib.import_module("ultralytics")
    except ImportError as error:
        raise ModelError(
            "Using detector weights needs ultralytics, which is not installed.",
            details=str(error),
            hint="In the checkout: uv sync --extra vision, or pip install '.[vision]'. "
            'Or clear "vision.detector" in the settings.',
        ) from error
    torch.set_num_threads(threads)
    try:
        model = ultralytics.YOLO(str(path))
        task, names = str(model.task), model.names
    except Exception as error:  # a foreign pickle fails in as many ways as there are
        raise ModelError(
            f"{path} cannot be used as YOLO weights: it holds something else, or is damaged.",
            details=f"{type(error).__name__}: {error}",
            hint=_SETTING,
        ) from error
    if task != "detect" or not names:
        raise ModelError(f"{path} is a model for {task}, not for detection.", hint=_SETTING)
    return model
