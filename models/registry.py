"""Registry of trained models: each a folder with its weights and a card that says their origin and their figures.

Models of one's own lie in ``$DEMOPACK_MODELS``, or in ``models`` of the platform's data folder; those that come with
demopack lie in ``assets/weights``. Whether weights may be trusted is checked where they are loaded, not here: a card
only proves that the files are the ones it was written for. The names of the models that the settings mean go into the
provenance of what they find.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

import platformdirs
from pydantic import Field, ValidationError

from demopack.atomic import disk_errors, write_text_atomic
from demopack.domain.records import Record, new_id
from demopack.errors import BadInputError, ModelError, NewerVersionError
from demopack.json_lines import first_problem
from demopack.regular_files import SpecialFileError, open_regular, read_regular
from demopack.resources import assets_root
from demopack.settings import VisionSettings
from models.vision.reading.tesseract import find_tesseract

ModelKind = Literal["detector", "describer", "icons", "scripts"]
Options: TypeAlias = Mapping[str, str | int | float | bool]
"""What using a model needs, as its card says it."""
SHIPPED: Final = "shipped"
PIPELINE: Final = "pipeline.json"
_CARD = "model.json"
_CHANGED = "is missing or was changed"
_LARGEST_CARD: Final = 16 << 20
"""Bytes; a card takes some thousands."""


class Lineage(Record):
    """What a model has seen of one source.

    Attributes:
        source: as in ``Screen.source``, or a library's name.
        side: train or val.
        groups: number of tasks, templates, styles or applications.
        screens: number of pictures.
        elements: number of elements on them.
        digest: SHA-256 over the names of the screens, so that the set can be recognised.
    """

    source: str
    side: str
    groups: int
    screens: int
    elements: int
    digest: str = ""


class ModelCard(Record):
    """What is known about a model.

    Attributes:
        schema_version: of this form.
        id: its name in the registry and in the provenance of every element it found.
        kind: detector, describer or icons.
        created: ISO date.
        licence: SPDX name.
        files: SHA-256 of each weights file, by name inside the folder.
        classes: what the model's outputs mean, in order; empty where the files say it.
        options: what using it needs: input size, stride, thresholds, who reads text.
        lineage: what it was trained on and stopped by.
        training: hyper-parameters as they were.
        command: what was typed to train it, where that is known and made these very weights; else empty.
        metrics: figures of this model alone, by name. Those of all models together: :class:`PipelineFigures`.
        based_on: id of the model that training began with; empty for none.
        notes: for people.
    """

    schema_version: Literal[1] = 1
    id: str = Field(pattern=r"^[A-Za-z0-9_.-]+$")
    kind: ModelKind
    created: str
    licence: str = "AGPL-3.0-or-later"
    files: dict[str, str]
    classes: tuple[str, ...] = ()
    options: dict[str, str | int | float | bool] = Field(default_factory=dict[str, "str | int | float | bool"])
    lineage: tuple[Lineage, ...] = ()
    training: dict[str, str | int | float | bool] = Field(default_factory=dict[str, "str | int | float | bool"])
    command: str = ""
    metrics: dict[str, float] = Field(default_factory=dict[str, float])
    based_on: str = ""
    notes: str = ""

    @property
    def digest(self) -> str:
        """Eight hex digits over the files: equal weights have equal digests."""
        lines = "".join(f"{name}={value}\n" for name, value in sorted(self.files.items()))
        return hashlib.sha256(lines.encode()).hexdigest()[:8]


class PipelineMeasurement(Record):
    """One measurement of the whole parse: detector, describer, icons, OCR and rules together.

    Attributes:
        models: digest of each model that took part, by kind.
        notes: on which screens, and what flatters the figures.
        metrics: figures by name, for instance ``test/qt/f1``.
    """

    models: dict[str, str]
    notes: str
    metrics: dict[str, float]


class PipelineFigures(Record):
    """What was measured of the models that come with demopack together; no figure of it is that of one model.

    Attributes:
        schema_version: of this form.
        measurements: oldest first.
    """

    schema_version: Literal[1] = 1
    measurements: tuple[PipelineMeasurement, ...]


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model on disk, its files checked against its card."""

    folder: Path
    card: ModelCard

    def file(self, name: str) -> Path:
        """The path of one of the card's files.

        Raises:
            ModelError: the card names no such file.
        """
        if name not in self.card.files:
            raise ModelError(
                f"The model {self.card.id} has no file {name}.",
                details=f"{self.folder / _CARD} names {', '.join(self.card.files) or 'none'}.",
                hint="It was made by another version; train or export it again.",
            )
        return self.folder / name


def models_dir() -> Path:
    """Where models of one's own are kept: ``$DEMOPACK_MODELS``, or ``models`` in the platform's data folder."""
    given = os.environ.get("DEMOPACK_MODELS")
    return Path(given) if given else platformdirs.user_data_path("demopack") / "models"


def is_model(folder: Path) -> bool:
    """Whether a folder holds a model's card."""
    return (folder / _CARD).is_file()


def open_model(folder: Path, *, kind: ModelKind | None = None) -> ModelFolder:
    """The model in a folder.

    Raises:
        ModelError: no card, a damaged one, one without files, a missing or changed file, a FIFO or device in the place
            of one, or a model of the other kind.
        NewerVersionError: a newer demopack wrote it.
    """
    path = folder / _CARD
    try:
        data = read_regular(path, limit=_LARGEST_CARD)
    except OSError as error:
        raise ModelError(f"{folder} holds no model: {_CARD} cannot be read ({error.strerror}).") from error
    card = _card(path, data)
    if kind is not None and card.kind != kind:
        raise ModelError(f"{folder} holds a {card.kind}, not a {kind}.", hint=f'Choose a {kind} in "vision.{kind}".')
    if not card.files:
        raise ModelError(
            f"The model {card.id} in {folder} has no weights: its card names no files.",
            details=str(path),
            hint="Copy the whole folder again, or choose another one.",
        )
    for name, digest in card.files.items():
        fault = _fault(folder / name, digest) if Path(name).name == name else _CHANGED
        if fault:
            raise ModelError(
                f"The file {name} of the model {card.id} {fault}.",
                details=str(folder / name),
                hint="Copy the model again, or choose another one.",
            )
    return ModelFolder(folder, card)


def _card(path: Path, data: bytes) -> ModelCard:
    try:
        return ModelCard.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if first["loc"] == ("schema_version",) and isinstance(first["input"], int) and first["input"] > 1:
            raise NewerVersionError(
                f"The model in {path.parent} was made by a newer demopack.", hint="Update demopack."
            ) from error
        raise ModelError(
            f"{path} is no model card: {first_problem(error)}.",
            hint="Copy the model again, or choose another one.",
        ) from error


def resolve(kind: ModelKind, name: str) -> ModelFolder | None:
    """The model that a setting means: ``shipped``, a name in the registry, or a folder.

    None for an empty setting, and for ``shipped`` in an installation that was made without weights.

    Raises:
        ModelError: there is no such model, or it is damaged.
    """
    if not name:
        return None
    if name == SHIPPED:
        shipped = assets_root() / "weights" / kind
        return open_model(shipped, kind=kind) if shipped.is_dir() else None
    own = models_dir() / kind / name
    if Path(name).name == name and is_model(own):
        return open_model(own, kind=kind)
    if is_model(Path(name)):
        return open_model(Path(name), kind=kind)
    names = ", ".join([SHIPPED, *(found.card.id for found in known_models(kind))])
    raise ModelError(
        f"There is no {kind} called {name}.",
        hint=f'Known are: {names}. Correct "vision.{kind}" in the settings, or run: demopack models list.',
    )


def shipped_pipeline() -> PipelineFigures | None:
    """What was measured of the shipped models together; None where nothing is known."""
    try:
        return PipelineFigures.model_validate_json((assets_root() / "weights" / PIPELINE).read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None


def known_models(kind: ModelKind) -> list[ModelFolder]:
    """Every readable model of one's own, by name; a damaged one is left out, ``resolve`` says what is wrong with it."""
    found: list[ModelFolder] = []
    folder = models_dir() / kind
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        with contextlib.suppress(ModelError, NewerVersionError):
            found.append(open_model(path, kind=kind))
    return found


def write_model(folder: Path, card: ModelCard, files: Sequence[Path]) -> ModelFolder:
    """Make a model folder: copies of the files, then the card, which makes it a model.

    Args:
        folder: created where it is missing; an earlier model in it is replaced.
        card: its ``files`` and, where empty, ``created`` are filled in.
        files: weights, each copied under its own name.

    Raises:
        DiskFullError: the folder is no model then.
    """
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _CARD).unlink(missing_ok=True)
        for file in files:
            if file.parent.resolve() != folder.resolve():
                shutil.copyfile(file, folder / file.name)
        digests = {file.name: _digest(folder / file.name) for file in files}
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    full = card.model_copy(update={"files": digests, "created": card.created or today})
    write_text_atomic(folder / _CARD, full.model_dump_json(indent=2) + "\n")
    return ModelFolder(folder, full)


def add_model(model: ModelFolder, *, name: str = "") -> ModelFolder:
    """Copy a model into the registry, under its id or another name.

    Raises:
        BadInputError: the name is taken, or is no plain word.
        DiskFullError: it was not added.
    """
    chosen = name or model.card.id
    if Path(chosen).name != chosen or chosen in {"", SHIPPED, ".", ".."}:
        raise BadInputError(f"{chosen!r} cannot be a model's name.", hint="Use letters, digits, - and _.")
    target = models_dir() / model.card.kind / chosen
    if is_model(target):
        raise BadInputError(f"There is a {model.card.kind} called {chosen} already.", hint="Choose another name.")
    aside = target.with_name(f".{new_id('model')}")
    files = [model.folder / file for file in model.card.files]
    written = write_model(aside, model.card.model_copy(update={"id": chosen}), files)
    with disk_errors(target):
        aside.replace(target)
    return ModelFolder(target, written.card)


def remove_model(kind: ModelKind, name: str) -> None:
    """Delete a model of one's own.

    Raises:
        ModelError: there is none of that name.
    """
    folder = models_dir() / kind / name
    if Path(name).name != name or not is_model(folder):
        raise ModelError(f"There is no {kind} of your own called {name}.", hint="See: demopack models list.")
    shutil.rmtree(folder)


def _fault(path: Path, digest: str) -> str:
    """Why a file is not the one that a card means; nothing where it is."""
    try:
        if _digest(path) == digest:
            return ""
    except SpecialFileError as error:
        return f"cannot be read: {error.strerror}"
    except (OSError, ValueError):  # gone, or a name that no file can have
        pass
    return _CHANGED


def _digest(path: Path) -> str:
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
    names = [f"rapidocr-{_version('rapidocr', extra='ocr')}", *_other_scripts(settings)] if settings.ocr else []
    chosen: tuple[tuple[ModelKind, str], ...] = (
        ("detector", settings.detector), ("describer", settings.describer), ("icons", settings.icons),
    )  # fmt: skip
    for kind, setting in chosen:
        if (names or kind == "detector") and not is_off(kind, setting):
            names.append(_model_name(kind, setting))
    return names


def _other_scripts(settings: VisionSettings) -> list[str]:
    """What tells other scripts apart, and the program that reads them with a mark for its models."""
    folder = assets_root() / "weights" / "scripts"
    if not is_model(folder):
        return []
    card = open_model(folder, kind="scripts").card
    names = [f"{card.id}-{card.digest}"]
    try:
        install = find_tesseract(settings.tesseract)
    except ModelError:
        return names  # demopack doctor tells; what is found without it has another name than what is found with it
    if install is not None:
        used = ",".join(install.readable.values())
        names.append(f"tesseract-{install.version}-{hashlib.sha256(used.encode()).hexdigest()[:6]}")
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
    if model is not None:
        return f"{model.card.id}-{model.card.digest}"
    try:
        return f"yolo:{weights.stem}-{_digest(weights)[:8]}"
    except OSError as error:
        raise ModelError(
            f"The detector weights {weights} cannot be read: {error.strerror}.",
            hint='Correct "vision.detector" in the settings, or clear it to read text only.',
        ) from error


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
