"""Which models the settings mean, by names that go into the provenance of what they find. Loads none of them."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from collections.abc import Mapping
from pathlib import Path

from demopack.errors import ModelError
from demopack.regular_files import open_regular
from demopack.resources import assets_root
from demopack.settings import VisionSettings
from models.registry import SHIPPED, ModelFolder, ModelKind, is_model, models_dir, resolve


def is_off(kind: ModelKind, setting: str) -> bool:
    """Whether a setting means no model: it is empty, or asks for the shipped one where none came with demopack."""
    return not setting or (setting == SHIPPED and not is_model(assets_root() / "weights" / kind))


def sees_parts(setting: str) -> bool:
    """Whether a detector finds on a part of a screen what it finds there on the whole of it.

    Ours do, because they look at pixels at their own scale; a YOLO file of one's own sees every picture at its size.

    Raises:
        ModelError: there is no such model.
    """
    if is_off("detector", setting):
        return True
    if Path(setting).suffix in {".pt", ".onnx"}:
        return setting.endswith(".onnx")
    model = resolve("detector", setting)
    return model is not None and any(name.endswith(".onnx") for name in model.card.files)


def model_names(settings: VisionSettings) -> list[str]:
    """Names and versions of everything that will look at a picture; empty when nothing will.

    Raises:
        ModelError: a library or a model is missing.
    """
    names: list[str] = []
    if settings.ocr:
        names.append(f"rapidocr-{_version('rapidocr', extra='ocr')}")
    if not is_off("detector", settings.detector):
        names.append(_detector_name(settings.detector))
    if names and not is_off("describer", settings.describer):
        names.append(_describer_name(settings.describer))
    if names and not is_off("icons", settings.icons):
        names.append(_icons_name(settings.icons))
    return names


def _detector_name(setting: str) -> str:
    weights = Path(setting)
    if weights.suffix in {".pt", ".onnx"}:
        if weights.suffix == ".pt":
            _version("ultralytics-opencv-headless", extra="vision", module="ultralytics")
        else:
            _version("onnxruntime", extra="ocr")
        return f"yolo:{weights.stem}-{_digest(weights)}"
    model = resolve("detector", setting)
    assert model is not None  # an empty setting was ruled out
    if any(name.endswith(".pt") for name in model.card.files):
        _version("ultralytics-opencv-headless", extra="vision", module="ultralytics")
    else:
        _version("onnxruntime", extra="ocr")
    return f"{model.card.id}-{model.card.digest}"


def _describer_name(setting: str) -> str:
    model = _own("describer", setting)
    if model is None:
        _version("transformers", extra="vision")
        return f"pix2struct:{setting}"
    if importlib.util.find_spec("onnxruntime") is None:
        _version("torch", extra="vision")
    return f"{model.card.id}-{model.card.digest}"


def _icons_name(setting: str) -> str:
    model = resolve("icons", setting)
    assert model is not None  # an empty setting was ruled out
    _version("onnxruntime", extra="ocr")
    return f"{model.card.id}-{model.card.digest}"


def _own(kind: ModelKind, setting: str) -> ModelFolder | None:
    """A model of ours; None for a checkpoint from elsewhere: a folder without our card, or a name on the hub."""
    here = setting == SHIPPED or is_model(models_dir() / kind / setting) or is_model(Path(setting))
    foreign = not here and (Path(setting).is_dir() or setting.count("/") == 1)
    return None if foreign else resolve(kind, setting)


def card_options(kind: ModelKind, setting: str) -> Mapping[str, str | int | float | bool]:
    """What the card of a model says about its use; nothing for a model from elsewhere.

    Raises:
        ModelError: there is no such model.
    """
    if is_off(kind, setting) or Path(setting).suffix in {".pt", ".onnx"}:
        return {}
    model = _own(kind, setting)
    return {} if model is None else model.card.options


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
