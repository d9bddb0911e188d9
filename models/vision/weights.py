"""The one place where a detector's trained weights are loaded from a file, and where onnxruntime is opened.

A YOLO weights file (``.pt``) is a pickle. It is read with torch's restricted unpickler and ultralytics' list of its
own classes (``ULTRALYTICS_SAFE_LOAD``), so that a file from elsewhere cannot run code. An ONNX file is data: it is read
into memory first, so that it cannot point at other files. Whatever does not fit is refused by name.
"""

from __future__ import annotations

import ast
import importlib
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import platformdirs
from PIL import Image

from demopack.errors import ModelError
from demopack.regular_files import SpecialFileError, open_regular

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
    try:
        torch: Any = importlib.import_module("torch")
        ultralytics: Any = import_ultralytics()
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


def import_ultralytics() -> Any:  # noqa: ANN401 - ultralytics is untyped
    """The package, offline, with Pillow left as it is.

    It replaces ``PIL.Image.open`` by a function that looks for a further package where a picture is damaged; our own
    errors would no longer name the picture.

    Raises:
        ImportError: it is not installed.
    """
    os.environ["ULTRALYTICS_SAFE_LOAD"] = "1"
    os.environ["YOLO_AUTOINSTALL"] = "False"
    os.environ["YOLO_OFFLINE"] = "true"
    # It writes settings wherever it is imported: with us, among what may be deleted.
    os.environ.setdefault("YOLO_CONFIG_DIR", str(platformdirs.user_cache_path("demopack")))
    opened = Image.open
    try:
        return importlib.import_module("ultralytics")
    finally:
        Image.open = opened


def import_onnxruntime(task: str) -> Any:  # noqa: ANN401 - onnxruntime is untyped here
    """The package.

    Raises:
        ModelError: it is not installed; the message begins with the task.
    """
    try:
        return importlib.import_module("onnxruntime")
    except ImportError as error:
        raise ModelError(
            f"{task} needs onnxruntime, which is not installed.",
            details=str(error),
            hint="In the checkout: uv sync --extra ocr, or pip install '.[ocr]'.",
        ) from error


def open_session(runtime: Any, graph: bytes | str, *, threads: int, spinning: bool = False) -> Any:  # noqa: ANN401
    """A session of onnxruntime on the CPU; fails in as many ways as a graph can be damaged or foreign.

    Args:
        runtime: what :func:`import_onnxruntime` gave.
        graph: its bytes, or its path where its weights lie beside it.
        threads: for computing.
        spinning: whether threads that wait keep the processor from the recorder and the window.
    """
    options: Any = runtime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 4  # what goes wrong is in the error
    if not spinning:
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


@dataclass(frozen=True, slots=True, eq=False)
class OnnxModel:
    """A detection model in onnxruntime.

    Attributes:
        names: its classes.
        stride: the sides of what it is given are multiples of this, pixels.
    """

    names: tuple[str, ...]
    stride: int
    _session: Any
    _input: str

    def run(self, pixels: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The raw output for one picture, see ``detector_boxes.decode``.

        Args:
            pixels: shape (1, 3, height, width), 0..1, RGB; height and width are multiples of the stride.
        """
        raw: npt.NDArray[np.float32] = self._session.run(None, {self._input: pixels})[0][0]
        return raw


def load_onnx(path: Path, *, threads: int) -> OnnxModel:
    """A detection model of ultralytics' ONNX export with free picture size, on the CPU.

    Args:
        path: a ``.onnx`` file.
        threads: for inference.

    Raises:
        ModelError: no such file, damaged, no detection model, or onnxruntime is missing; the message names the file.
    """
    try:
        with open_regular(path) as file:
            data = file.read()
    except SpecialFileError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}.", hint=_SETTING) from error
    except OSError as error:
        raise ModelError(f"The detector weights {path} do not exist.", details=str(error), hint=_SETTING) from error
    runtime = import_onnxruntime("Finding elements")
    try:
        session = open_session(runtime, data, threads=threads, spinning=True)
        told: dict[str, str] = dict(session.get_modelmeta().custom_metadata_map)
        given: Any = session.get_inputs()
    except Exception as error:  # a damaged or foreign file fails in as many ways as there are
        raise _not_usable(path, f"{type(error).__name__}: {error}") from error
    shapes: list[Any] = [part.shape for part in given]
    if told.get("task") != "detect" or len(shapes) != 1 or len(shapes[0]) != 4:
        raise _not_usable(path, f"task {told.get('task', 'unknown')!r}, inputs {shapes}")
    if any(isinstance(side, int) for side in shapes[0][2:]):
        raise ModelError(
            f"{path} takes pictures of {shapes[0][3]} x {shapes[0][2]} pixels only; screens have any size.",
            hint="Export it with dynamic=True.",
        )
    model = OnnxModel(_names(told.get("names", "")), int(told.get("stride", "32")), session, str(given[0].name))
    _try(model, path)
    return model


def _names(text: str) -> tuple[str, ...]:
    try:
        value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return ()
    if not isinstance(value, dict):
        return ()
    names = cast("dict[int, object]", value)
    return tuple(str(names[number]) for number in sorted(names)) if sorted(names) == list(range(len(names))) else ()


def _try(model: OnnxModel, path: Path) -> None:
    """Refuse a model whose output is not what its classes say, before the first screen is parsed."""
    side = 2 * model.stride
    try:
        raw = model.run(np.zeros((1, 3, side, side), dtype=np.float32))
    except Exception as error:  # whatever a foreign graph does with a picture
        raise _not_usable(path, f"{type(error).__name__}: {error}") from error
    if not model.names or raw.ndim != 2 or (raw.shape[0] != 4 + len(model.names) and raw.shape[1] != 6):
        raise _not_usable(path, f"{len(model.names)} classes, output {raw.shape}")


def _not_usable(path: Path, details: str) -> ModelError:
    return ModelError(
        f"{path} cannot be used as a detector: it holds something else, or is damaged.", details=details, hint=_SETTING
    )
