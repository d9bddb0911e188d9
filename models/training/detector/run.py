"""The folder of one training: its recipe, checkpoint, progress and result; used by one process at a time."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import filelock
from pydantic import ValidationError

from demopack.atomic import disk_errors, write_text_atomic
from demopack.errors import BadInputError
from demopack.regular_files import check_regular
from models.training.detector.options import DetectorTraining
from models.training.progress import PROGRESS_FILE, TrainingProgress, append_progress, forget_progress_after

__all__ = ["RunFolder"]

_MAY_CHANGE = {"minutes", "steps", "patience", "save_s", "device", "threads", "workers", "cache_mb", "name", "command"}
"""Options that a resumed run may have otherwise: they say how long and where, not what is learned."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where things lie in the folder of a run."""

    path: Path

    @classmethod
    @contextlib.contextmanager
    def opened(cls, path: Path, options: DetectorTraining) -> Generator[RunFolder]:
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
        lock = filelock.FileLock(path / ".lock", timeout=0)
        try:
            lock.acquire()
        except filelock.Timeout as error:
            raise BadInputError(
                f"Another process is training in {path}.", hint="Wait, or use another folder."
            ) from error
        try:
            folder = cls(path)
            folder._agree(options)
            yield folder
        finally:
            lock.release()

    @property
    def checkpoint(self) -> Path:
        """The whole state after some step."""
        return self.path / "checkpoint.pt"

    @property
    def best(self) -> Path:
        """The best weights so far, averaged over the steps before, as safetensors."""
        return self.path / "best.safetensors"

    @property
    def draft(self) -> Path:
        """The card of the model to be, without its figures."""
        return self.path / "draft.json"

    @property
    def best_figures(self) -> Path:
        """The figures of the best weights."""
        return self.path / "best.json"

    @property
    def model(self) -> Path:
        """The result."""
        return self.path / "model"

    def append(self, report: TrainingProgress) -> None:
        """Add a line of progress."""
        append_progress(self.path / PROGRESS_FILE, report)

    def forget_after(self, step: int) -> None:
        """Drop the progress of steps that will be done again."""
        forget_progress_after(self.path / PROGRESS_FILE, step)

    def _agree(self, options: DetectorTraining) -> None:
        file = self.path / "options.json"
        if file.exists():
            try:
                # What another version knew and this one does not, or the other way round, is no difference.
                told: dict[str, object] = json.loads(file.read_text(encoding="utf-8"))
                known = {name: value for name, value in told.items() if name in DetectorTraining.model_fields}
                before = DetectorTraining.model_validate(known)
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
