"""Folder of one training: its recipe, checkpoint, progress and best weights; used by one process at a time."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Self

import filelock
from pydantic import ValidationError

from demopack.atomic import disk_errors, write_bytes_atomic, write_text_atomic
from demopack.errors import BadInputError
from demopack.regular_files import check_regular
from models.registry import Lineage, ModelCard, ModelKind
from models.training.options import TrainingOptions
from models.vision.weights import unusable

_MAY_CHANGE = {
    "minutes", "steps", "patience", "save_s", "validate_s", "device", "threads", "workers", "cache_mb", "name",
    "command",
}  # fmt: skip
"""Options that a resumed run may have otherwise: they say how long and where, not what is learned."""
_NOT_TOLD = {"start_from", "threads", "workers", "cache_mb", "name", "save_s", "command"}
"""Options that a card does not repeat."""


def draft_card(
    kind: ModelKind,
    options: TrainingOptions,
    *,
    settings: Mapping[str, str | int | float | bool],
    lineage: tuple[Lineage, ...],
    classes: tuple[str, ...] = (),
    based_on: str = "",
) -> ModelCard:
    """What is known about a model before it is trained: structure, data, recipe.

    Args:
        kind: of the model.
        options: the recipe.
        settings: what using the model needs.
        lineage: the screens.
        classes: what its outputs mean.
        based_on: the model that training begins with.
    """
    training: dict[str, str | int | float | bool] = {}
    for name, value in options.model_dump(mode="json", exclude=_NOT_TOLD, exclude_none=True).items():
        if name == "size":
            training |= {f"size_{part}": number for part, number in value.items()}
        else:
            training[name] = json.dumps(value) if isinstance(value, dict) else value
    return ModelCard(
        id=options.name, kind=kind, created="", files={}, classes=classes, options=dict(settings), lineage=lineage,
        training=training, command=options.command, based_on=based_on,
    )  # fmt: skip


class RunFolder:
    """Where things lie in the folder of a run.

    Attributes:
        path: of the folder.
        checkpoint: the whole state after some step.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.checkpoint = path, path / "checkpoint.pt"
        self._best, self._card = path / "best.safetensors", path / "best.json"

    @classmethod
    @contextlib.contextmanager
    def opened(cls, path: Path, options: TrainingOptions) -> Generator[Self]:
        """The folder, locked against other processes, with these options.

        Raises:
            BadInputError: another process trains there, it was begun with another recipe, or a FIFO lies there.
            DiskFullError: it could not be made.
        """
        check_regular(path)
        with disk_errors(path):
            path.mkdir(parents=True, exist_ok=True)
        # Whatever ultralytics wants to remember stays with the run.
        os.environ.setdefault("YOLO_CONFIG_DIR", str(path))
        try:
            lock = filelock.FileLock(path / ".lock", timeout=0).acquire()
        except filelock.Timeout as error:
            raise BadInputError(
                f"Another process is training in {path}.", hint="Wait, or use another folder."
            ) from error
        with lock:
            folder = cls(path)
            folder._agree(options)
            yield folder

    def write_best(
        self, weights: bytes, card: ModelCard, figures: Mapping[str, float], *, step: int, seconds: float
    ) -> None:
        """Keep the best weights so far, as safetensors, and the card of a model that is made of them.

        Raises:
            DiskFullError: the best before are untouched, or not yet replaced as a whole.
        """
        # Two spellings, so that cards of models from before can be compared with those of new ones.
        prefix = "val/" if card.kind == "detector" else "val_"
        metrics = {f"{prefix}{name}": value for name, value in figures.items()}
        training = {**card.training, "step": step, "seconds": round(seconds, 1)}
        write_bytes_atomic(self._best, weights)
        full = card.model_copy(update={"metrics": metrics, "training": training})
        write_text_atomic(self._card, full.model_dump_json(indent=1) + "\n")

    def read_best(self) -> tuple[ModelCard, bytes]:
        """The best weights so far and their card, which lacks its files alone.

        Raises:
            BadInputError: a FIFO or a device lies in the folder.
            ModelError: there are none yet.
        """
        check_regular(self.path)
        message, hint = f"{self.path} holds no trained model yet.", "Train until the first validation."
        with unusable(message, hint=hint, failures=(OSError, ValueError)):
            return ModelCard.model_validate_json(self._card.read_bytes()), self._best.read_bytes()

    def _agree(self, options: TrainingOptions) -> None:
        file = self.path / "options.json"
        earlier = BadInputError(
            f"The training in {self.path} was begun by an earlier demopack, and cannot be continued.",
            hint="Train in a new folder; what that training has learned so far stays where it is.",
        )
        if (self.path / "last.pt").exists() and not self.checkpoint.exists():
            raise earlier  # a describer's run
        if file.exists():
            try:
                told: dict[str, object] = json.loads(file.read_text(encoding="utf-8"))
                if "optimizer" in told:
                    raise earlier  # a detector's run
                # What another version knew and this one does not, or the other way round, is no difference.
                known = {name: value for name, value in told.items() if name in type(options).model_fields}
                before = type(options).model_validate(known)
            except (ValidationError, OSError, ValueError, AttributeError) as error:
                raise BadInputError(
                    f"{file} is no recipe of a training.", details=str(error), hint="Train in a new folder."
                ) from error
            old, new = before.model_dump(mode="json"), options.model_dump(mode="json")
            other = [n for n in new if n not in _MAY_CHANGE and old[n] != new[n]]
            if other:
                words = ", ".join(f"{name} {old[name]} instead of {new[name]}" for name in other)
                raise BadInputError(f"The training in {self.path} was begun with {words}.", hint="Use a new folder.")
        write_text_atomic(file, options.model_dump_json(indent=1) + "\n")
