"""Which models the settings mean, by names that go into the provenance of what they find. Loads none of them."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import re
from pathlib import Path

from demopack.errors import ModelError
from demopack.regular_files import open_regular
from demopack.resources import assets_root
from demopack.settings import VisionSettings
from models.registry import SHIPPED, ModelKind, is_model, models_dir, resolve

_HUB = re.compile(r"[\w.-]+/[\w.-]+")


def is_off(kind: ModelKind, setting: str) -> bool:
    """Whether a setting means no model: it is empty, or asks for the shipped one where none came with demopack."""
    return not setting or (setting == SHIPPED and not is_model(assets_root() / "weights" / kind))


def is_foreign(kind: ModelKind, setting: str) -> bool:
    """Whether a setting means a checkpoint from elsewhere: a folder without our card, or a name on the hub."""
    path = Path(setting)
    if not setting or setting == SHIPPED or is_model(models_dir() / kind / setting) or is_model(path):
        return False
    return path.is_dir() or (_HUB.fullmatch(setting) is not None and not path.exists())


def model_names(settings: VisionSettings) -> list[str]:
    """Names and versions of everything that will look at a picture; empty when nothing will.

    Raises:
        ModelError: a library or a model is missing.
    """
    names = [f"rapidocr-{_version('rapidocr', extra='ocr')}"] if settings.ocr else []
    chosen: tuple[tuple[ModelKind, str], ...] = (
        ("detector", settings.detector), ("describer", settings.describer), ("icons", settings.icons),
    )  # fmt: skip
    for kind, setting in chosen:
        if (names or kind == "detector") and not is_off(kind, setting):
            names.append(_model_name(kind, setting))
    return names


def _model_name(kind: ModelKind, setting: str) -> str:
    weights = Path(setting)
    if kind == "describer" and is_foreign(kind, setting):
        _version("transformers", extra="vision")
        return f"pix2struct:{setting}"
    is_file = kind == "detector" and weights.suffix in {".pt", ".onnx"}
    model = None if is_file else resolve(kind, setting)
    if any(file.endswith(".pt") for file in ([setting] if model is None else model.card.files)):
        _version("ultralytics-opencv-headless", extra="vision", module="ultralytics")
    else:
        _version("onnxruntime", extra="ocr")
    return f"yolo:{weights.stem}-{_digest(weights)}" if model is None else f"{model.card.id}-{model.card.digest}"


def _version(distribution: str, *, extra: str, module: str | None = None) -> str:
    if importlib.util.find_spec(module or distribution) is None:
        raise ModelError(
            f"Finding elements needs {module or distribution}, which is not installed.",
            hint=f"In the checkout: uv sync --extra {extra}, or pip install '.[{extra}]'.",
        )
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def _digest(weights: Path) -> str:
    try:
        with open_regular(weights) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:8]
    except OSError as error:
        raise ModelError(
            f"The detector weights {weights} cannot be read: {error.strerror}.",
            hint='Correct "vision.detector" in the settings, or clear it to read text only.',
        ) from error
