"""Weights of an earlier model, from which a training may begin: one of ours, a run, or any ultralytics ``.pt``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from demopack.errors import ModelError
from models.registry import is_model, open_model, resolve
from models.vision.weights import load_yolo

__all__ = ["ARCHITECTURE", "WEIGHTS_FILE", "Start", "read_start"]

WEIGHTS_FILE = "detector.safetensors"
"""In a model folder: weights to train further; using the model needs the other file alone."""
ARCHITECTURE = "architecture"
"""In a card's options: the model's structure, ultralytics' YAML as JSON."""


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """A trained model.

    Attributes:
        name: for the card of what comes of it.
        config: its structure, as in ultralytics' YAML.
        names: its classes.
        weights: as safetensors; empty where ``module`` has them.
        module: ultralytics' own model, where it came from a ``.pt``.
    """

    name: str
    config: Mapping[str, Any]
    names: tuple[str, ...]
    weights: bytes = b""
    module: Any = None


def read_start(path: Path, *, threads: int) -> Start:
    """The model at a path: a model folder, a run folder, a name in the registry, or a ``.pt``.

    Raises:
        ModelError: there is none, or it has no weights to train further; the message names it.
    """
    if path.suffix == ".pt":
        yolo: Any = load_yolo(path, threads=threads)
        config = {key: value for key, value in yolo.model.yaml.items() if key != "yaml_file"}
        names = tuple(str(name) for _, name in sorted(yolo.names.items()))
        return Start(path.stem, config, names, module=yolo.model.float())
    inner = path / "model"
    model = open_model(inner, kind="detector") if is_model(inner) else resolve("detector", str(path))
    if model is None:
        raise ModelError("No detector is shipped with this installation.", hint="Name a model folder to start from.")
    text = str(model.card.options.get(ARCHITECTURE, ""))
    if WEIGHTS_FILE not in model.card.files or not text:
        raise ModelError(
            f"The model {model.card.id} cannot be trained further: it has no {WEIGHTS_FILE}.",
            hint="Start from another model, or from nothing.",
        )
    config = cast("dict[str, Any]", json.loads(text))
    return Start(model.card.id, config, model.card.classes, weights=model.file(WEIGHTS_FILE).read_bytes())
