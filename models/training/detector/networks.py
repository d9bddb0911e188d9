"""Networks as torch and ultralytics hold them: loaded, rebuilt from plain weights, written as ONNX.

With ``engine.py`` the only file of the detector's training that knows these libraries.
"""

from __future__ import annotations

import importlib
import os
import warnings
from pathlib import Path
from typing import Any

from demopack.atomic import write_bytes_atomic
from demopack.errors import ModelError
from models.training.detector.start import Start
from models.vision.weights import import_ultralytics

__all__ = ["export_onnx", "half_weights", "import_torch", "rebuilt"]

_EXPORT_SIDE = 640
_MOST = 1000
_EXPORT: dict[str, object] = {
    "mode": "export", "format": "onnx", "dynamic": True, "simplify": False, "imgsz": _EXPORT_SIDE, "device": "cpu",
    "batch": 1, "max_det": _MOST,
}  # fmt: skip
_METADATA = {"names", "stride", "task", "head", "end2end", "channels"}


def import_torch() -> Any:  # noqa: ANN401 - torch is untyped
    """The torch package, with ultralytics importable, offline and quiet.

    Raises:
        ModelError: one of them is not installed.
    """
    os.environ["YOLO_AUTOINSTALL"] = "False"
    os.environ["YOLO_OFFLINE"] = "true"
    os.environ.setdefault("YOLO_VERBOSE", "False")
    # Threads that wait for work let others have the core; costs nothing on a quiet machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        torch: Any = importlib.import_module("torch")
        import_ultralytics()
    except ImportError as error:
        raise ModelError(
            "Training the detector needs torch and ultralytics, which are not installed.",
            details=str(error),
            hint="In the checkout: uv sync --extra train, or pip install '.[train]'.",
        ) from error
    return torch


def rebuilt(start: Start) -> Any:  # noqa: ANN401 - ultralytics is untyped
    """A trained model as ultralytics' ``DetectionModel``.

    Raises:
        ModelError: torch or ultralytics is missing, or its weights do not fit its structure.
    """
    if start.module is not None:
        return start.module
    import_torch()
    tasks: Any = importlib.import_module("ultralytics.nn.tasks")
    loader: Any = importlib.import_module("safetensors.torch")
    module = tasks.DetectionModel(dict(start.config), nc=len(start.names), verbose=False)
    module.names = dict(enumerate(start.names))
    try:
        module.load_state_dict({name: value.float() for name, value in loader.load(start.weights).items()})
    except Exception as error:  # the reader of safetensors has an error of its own that is no subclass of ours
        raise ModelError(
            f"The weights of the detector {start.name} do not fit its structure.",
            details=f"{type(error).__name__}: {error}",
            hint="Choose another model, or copy it again.",
        ) from error
    return module


def half_weights(module: Any) -> bytes:  # noqa: ANN401 - ultralytics is untyped
    """A model's weights in half precision, as safetensors."""
    saver: Any = importlib.import_module("safetensors.torch")
    state = {
        name: (value.half() if value.is_floating_point() else value).contiguous().cpu()
        for name, value in module.state_dict().items()
    }
    data: bytes = saver.save(state)
    return data


def export_onnx(module: Any, path: Path) -> Path:  # noqa: ANN401 - ultralytics is untyped
    """Write a detection model as ONNX, by ultralytics' own export, for pictures of any size.

    Args:
        module: an ultralytics ``DetectionModel``.
        path: the file to write; ends with ``.onnx``.

    Raises:
        ModelError: onnx is missing, or the export failed.
    """
    try:
        onnx: Any = importlib.import_module("onnx")
        exporter: Any = importlib.import_module("ultralytics.engine.exporter")
        module = module.float().cpu()
        module.model[-1].end2end = False  # overlaps are ours to judge
        # What ultralytics asks a model that it has loaded itself.
        module.pt_path, module.task, module.args = (
            str(path.with_suffix(".pt")),
            "detect",
            {"imgsz": _EXPORT_SIDE, "data": ""},
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # how ultralytics asks torch for ONNX is between these two
            exporter.Exporter(overrides=_EXPORT)(model=module)
        proto = onnx.load(str(path))
        # Without date and versions, equal weights give equal files.
        kept = {p.key: p.value for p in proto.metadata_props if p.key in _METADATA}
        del proto.metadata_props[:]
        onnx.helper.set_model_props(proto, kept)
        write_bytes_atomic(path, proto.SerializeToString(deterministic=True))
    except (ImportError, OSError, RuntimeError, ValueError, AttributeError, TypeError, AssertionError) as error:
        raise ModelError(
            "The trained detector could not be written as ONNX; the training is kept.",
            details=f"{type(error).__name__}: {error}",
            hint="Is onnx installed? pip install '.[train]'. Then call the training again.",
        ) from error
    return path
