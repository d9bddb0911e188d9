"""From trained weights to a model folder: ONNX for use on any machine, safetensors for training further."""

from __future__ import annotations

import hashlib
import importlib
import json
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from demopack.atomic import write_bytes_atomic
from demopack.errors import ModelError
from models.registry import Lineage, ModelCard, write_model
from models.training.detector.engine import Engine
from models.training.detector.options import DetectorTraining
from models.training.detector.run import RunFolder
from models.training.detector.samples import Picture
from models.training.detector.start import ARCHITECTURE, WEIGHTS_FILE, Start
from models.vision.classes import AGNOSTIC, CLASSES

__all__ = ["BEST_FILE", "ONNX_FILE", "export_onnx", "lineage", "write_result"]

BEST_FILE = "best.safetensors"
ONNX_FILE = "detector.onnx"
_EXPORT_SIDE = 640
_MOST = 1000
_EXPORT: dict[str, object] = {
    "mode": "export", "format": "onnx", "dynamic": True, "simplify": False, "imgsz": _EXPORT_SIDE, "device": "cpu",
    "batch": 1, "max_det": _MOST,
}  # fmt: skip
_METADATA = {"names", "stride", "task", "head", "end2end", "channels"}


def write_result(
    folder: RunFolder,
    engine: Engine,
    options: DetectorTraining,
    train: Sequence[Picture],
    val: Sequence[Picture],
    *,
    based_on: str,
) -> Path:
    """The model folder of a finished run, from its best weights.

    Raises:
        ModelError: a package is missing or the export failed; the run is untouched.
        DiskFullError: the folder is no model then.
    """
    names = CLASSES if options.typed else AGNOSTIC
    weights = (folder.path / BEST_FILE).read_bytes()
    module = engine.rebuilt(Start(options.name, engine.config, names, weights=weights))
    figures: dict[str, float] = json.loads(folder.best_figures.read_text(encoding="utf-8"))
    left_out = {"start_from", "threads", "workers", "cache_mb", "name", "save_s"}
    recipe = options.model_dump(mode="json", exclude=left_out, exclude_none=True)
    training = {name: json.dumps(value) if isinstance(value, dict) else value for name, value in recipe.items()}
    card = ModelCard(
        id=options.name, kind="detector", created="", files={}, classes=names,
        options={"stride": 32, ARCHITECTURE: json.dumps(engine.config)},
        lineage=(*lineage(train, side="train"), *lineage(val, side="val")),
        training={**training, "best_step": figures["step"]},
        metrics={f"val/{name}": value for name, value in figures.items() if name != "step"},
        based_on=based_on,
    )  # fmt: skip
    with tempfile.TemporaryDirectory(dir=folder.path) as aside:
        onnx = export_onnx(module, Path(aside) / ONNX_FILE)
        tensors = Path(aside) / WEIGHTS_FILE
        write_bytes_atomic(tensors, weights)
        write_model(folder.model, card, [onnx, tensors])
    return folder.model


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


def lineage(pictures: Sequence[Picture], *, side: str) -> tuple[Lineage, ...]:
    """What was learned from, by source."""
    told: list[Lineage] = []
    for source in sorted({picture.screen.source for picture in pictures}):
        own = [picture for picture in pictures if picture.screen.source == source]
        names = "\n".join(sorted(f"{picture.screen.group}/{picture.screen.name}" for picture in own))
        told.append(
            Lineage(
                source=source,
                side=side,
                groups=len({picture.screen.group for picture in own}),
                screens=len(own),
                elements=sum(len(p.boxes) for p in own),
                digest=hashlib.sha256(names.encode()).hexdigest(),
            )
        )
    return tuple(told)
