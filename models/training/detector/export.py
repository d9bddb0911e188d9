"""From trained weights to a model folder: ONNX for use on any machine, safetensors for training further."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from demopack.atomic import disk_errors, write_bytes_atomic
from demopack.errors import ModelError
from demopack.regular_files import check_regular
from demopack.replacing import made_beside
from models.registry import Lineage, ModelCard, write_model
from models.training.detector.networks import export_onnx, half_weights, rebuilt
from models.training.detector.options import DetectorTraining
from models.training.detector.run import RunFolder
from models.training.detector.samples import Picture
from models.training.detector.start import ARCHITECTURE, WEIGHTS_FILE, Start, read_start
from models.vision.classes import AGNOSTIC, CLASSES

__all__ = ["ONNX_FILE", "draft_card", "export_detector", "lineage"]

ONNX_FILE = "detector.onnx"
_STRIDE = 32


def draft_card(
    options: DetectorTraining,
    config: dict[str, Any],
    *,
    train: Sequence[Picture],
    val: Sequence[Picture],
    based_on: str,
) -> ModelCard:
    """What is known about a model before it is trained: structure, data, recipe."""
    left_out = {"start_from", "threads", "workers", "cache_mb", "name", "save_s", "command"}
    recipe = options.model_dump(mode="json", exclude=left_out, exclude_none=True)
    return ModelCard(
        id=options.name, kind="detector", created="", files={}, classes=CLASSES if options.typed else AGNOSTIC,
        options={"stride": _STRIDE, ARCHITECTURE: json.dumps(config)},
        lineage=(*lineage(train, side="train"), *lineage(val, side="val")),
        training={name: json.dumps(value) if isinstance(value, dict) else value for name, value in recipe.items()},
        command=options.command, based_on=based_on,
    )  # fmt: skip


def export_detector(source: Path, folder: Path, *, name: str = "") -> Path:
    """Make a model folder that the registry opens.

    Args:
        source: a run, also an unfinished one, whose best weights are taken; or a ``.pt`` of ultralytics.
        folder: where the model is written; an earlier one is replaced.
        name: its id; the run's, or the file's, when empty.

    Returns:
        ``folder``.

    Raises:
        BadInputError: a FIFO or a device lies in the run.
        ModelError: there is nothing to export yet, a package is missing or the export failed; the source is untouched.
        DiskFullError: the folder is no model then.
    """
    card, module, weights = _pt(source) if source.suffix == ".pt" else _run(RunFolder(source))
    card = card.model_copy(update={"id": name or card.id})
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with made_beside(folder / "export") as aside:
            tensors = aside / WEIGHTS_FILE
            write_bytes_atomic(tensors, weights)
            write_model(folder, card, [export_onnx(module, aside / ONNX_FILE), tensors])
    return folder


def _run(run: RunFolder) -> tuple[ModelCard, Any, bytes]:
    check_regular(run.path)
    try:
        card = ModelCard.model_validate_json(run.draft.read_bytes())
        figures: dict[str, float] = json.loads(run.best_figures.read_text(encoding="utf-8"))
        weights = run.best.read_bytes()
    except (OSError, ValueError) as error:
        raise ModelError(
            f"{run.path} holds no trained detector yet.",
            details=str(error),
            hint="Train until the first look at the validation screens.",
        ) from error
    config: dict[str, Any] = json.loads(str(card.options[ARCHITECTURE]))
    module = rebuilt(Start(card.id, config, card.classes, weights=weights))
    metrics = {f"val/{name}": value for name, value in figures.items() if name != "step"}
    training = {**card.training, "best_step": figures["step"]}
    return card.model_copy(update={"metrics": metrics, "training": training}), module, weights


def _pt(path: Path) -> tuple[ModelCard, Any, bytes]:
    start = read_start(path, threads=2)
    word = "".join(c if c.isalnum() or c in "_.-" else "-" for c in start.name)
    options: dict[str, str | int | float | bool] = {"stride": _STRIDE, ARCHITECTURE: json.dumps(start.config)}
    card = ModelCard(id=word, kind="detector", created="", files={}, classes=start.names, options=options)
    return card, start.module, half_weights(start.module)


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
