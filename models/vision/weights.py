"""The one place where a detector's trained weights are loaded from a file, and where onnxruntime is opened.

A YOLO weights file (``.pt``) is a pickle. It is read with torch's restricted unpickler and ultralytics' list of its
own classes (``ULTRALYTICS_SAFE_LOAD``), so that a file from elsewhere cannot run code. An ONNX file is data: it is read
into memory first, so that it cannot point at other files. Whatever does not fit is refused by name.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import os
import zipfile
from collections.abc import Callable, Generator
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


@contextlib.contextmanager
def library_needed(name: str, *, task: str, extra: str, otherwise: str = "") -> Generator[None]:
    """Imports of a library that may be missing.

    Args:
        name: of the library, or two of them joined by “and”.
        task: what it is needed for; begins the message.
        extra: of demopack, that brings it along.
        otherwise: another way out, for the hint.

    Raises:
        ModelError: it is not installed.
    """
    try:
        yield
    except ImportError as error:
        are = "are" if " and " in name else "is"
        raise ModelError(
            f"{task} needs {name}, which {are} not installed.",
            details=str(error),
            hint=f"In the checkout: uv sync --extra {extra}, or pip install '.[{extra}]'.{otherwise}",
        ) from error


@contextlib.contextmanager
def unusable(message: str, *, hint: str, failures: tuple[type[Exception], ...] = (Exception,)) -> Generator[None]:
    """Work with a file that may be damaged or foreign, which fails in as many ways as there are.

    Raises:
        ModelError: it did; with this message and hint, and the failure as details. One of our own stays as it is.
    """
    try:
        yield
    except ModelError:
        raise
    except failures as error:
        raise ModelError(message, details=f"{type(error).__name__}: {error}", hint=hint) from error


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
    otherwise = ' Or clear "vision.detector" in the settings.'
    with library_needed("ultralytics", task="Using detector weights", extra="vision", otherwise=otherwise):
        torch: Any = importlib.import_module("torch")
        ultralytics: Any = import_ultralytics()
    torch.set_num_threads(threads)
    with unusable(f"{path} cannot be used as YOLO weights: it holds something else, or is damaged.", hint=_SETTING):
        model = ultralytics.YOLO(str(path))
        task, names = str(model.task), model.names
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


def without_telemetry() -> None:
    """Keep onnxruntime from writing down and sending how it is used; to be called before anything imports it."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def open_session(task: str, graph: bytes | str, *, threads: int, spinning: bool = False) -> Any:  # noqa: ANN401 - untyped
    """A session of onnxruntime on the CPU; fails in as many ways as a graph can be damaged or foreign.

    Args:
        task: what it is needed for.
        graph: its bytes, or its path where its weights lie beside it.
        threads: for computing.
        spinning: whether threads that wait keep the processor from the recorder and the window.

    Raises:
        ModelError: onnxruntime is not installed.
    """
    without_telemetry()
    with library_needed("onnxruntime", task=task, extra="ocr"):
        runtime: Any = importlib.import_module("onnxruntime")
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
        run: the raw output, see ``detector.decode``, for one picture of shape (1, 3, height, width), 0..1, RGB.
    """

    names: tuple[str, ...]
    stride: int
    run: Callable[[npt.NDArray[np.float32]], npt.NDArray[np.float32]]


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
    message = f"{path} cannot be used as a detector: it holds something else, or is damaged."
    with unusable(message, hint=_SETTING):
        session = open_session("Finding elements", data, threads=threads, spinning=True)
        told: dict[str, str] = dict(session.get_modelmeta().custom_metadata_map)
        given: Any = session.get_inputs()
    shapes: list[Any] = [part.shape for part in given]
    if told.get("task") != "detect" or len(shapes) != 1 or len(shapes[0]) != 4:
        raise ModelError(message, details=f"task {told.get('task', 'unknown')!r}, inputs {shapes}", hint=_SETTING)
    if any(isinstance(side, int) for side in shapes[0][2:]):
        raise ModelError(
            f"{path} takes pictures of {shapes[0][3]} x {shapes[0][2]} pixels only; screens have any size.",
            hint="Export it with dynamic=True.",
        )
    names, stride = _names(told.get("names", "")), int(told.get("stride", "32"))

    def run(pixels: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        raw: npt.NDArray[np.float32] = session.run(None, {str(given[0].name): pixels})[0][0]
        return raw

    # A model whose output is not what its classes say is refused before the first screen is parsed.
    with unusable(message, hint=_SETTING):
        raw = run(np.zeros((1, 3, 2 * stride, 2 * stride), dtype=np.float32))
    if not names or raw.ndim != 2 or (raw.shape[0] != 4 + len(names) and raw.shape[1] != 6):
        raise ModelError(message, details=f"{len(names)} classes, output {raw.shape}", hint=_SETTING)
    return OnnxModel(names, stride, run)


def _names(text: str) -> tuple[str, ...]:
    try:
        value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return ()
    if not isinstance(value, dict):
        return ()
    names = cast("dict[int, object]", value)
    return tuple(str(names[number]) for number in sorted(names)) if sorted(names) == list(range(len(names))) else ()
