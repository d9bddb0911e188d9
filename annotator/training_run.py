"""A training as it stands on the disk: what was wished, who fulfils it, how it goes."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from demopack.atomic import write_text_atomic
from demopack.domain.records import Record
from models.registry import SHIPPED, ModelKind
from models.training.progress import TrainingProgress

__all__ = ["JOB_FILE", "RunState", "TrainingJob", "TrainingRun", "TrainingWish", "read_job", "write_job"]

RunState = Literal["running", "stopped", "failed", "broken", "finished", "elsewhere"]
JOB_FILE = "training.json"


class TrainingWish(Record):
    """What is wished of a training.

    Attributes:
        kind: detector, describer or icons.
        name: of the model to be; empty for kind and date.
        library: whether to learn from the approved annotations of the open library.
        folders: sets of screens, other libraries or ``data.yaml`` files to learn from as well.
        minutes: budget of time, over all starts.
        start_from: a model's name, or ``scratch``.
        seed: for everything that is drawn by chance.
    """

    kind: ModelKind
    name: str = ""
    library: bool = True
    folders: tuple[str, ...] = ()
    minutes: float = Field(default=30.0, gt=0)
    start_from: str = SHIPPED
    seed: int = 0


class TrainingJob(Record):
    """A wish, and the process that fulfils it."""

    schema_version: Literal[1] = 1
    wish: TrainingWish
    origins: tuple[str, ...]
    begun: dt.datetime
    pid: int = 0
    born: str = ""
    stopped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRun:
    """A training as it stands.

    Attributes:
        name: of its folder.
        folder: checkpoints, curves and log.
        state: ``broken`` was cut off, for instance by a power cut; ``elsewhere`` was started in a terminal.
        wish: what was wished; None when it was started in a terminal.
        begun: when it was first started; None when it was started in a terminal.
        reports: how it goes, oldest first.
        words: of a failed one, what went wrong.
    """

    name: str
    folder: Path
    state: RunState
    wish: TrainingWish | None
    begun: dt.datetime | None
    reports: tuple[TrainingProgress, ...]
    words: str = ""

    @property
    def seconds(self) -> float:
        """Spent so far, over all starts."""
        return self.reports[-1].seconds if self.reports else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Of the budget; None when that is unknown."""
        return None if self.wish is None else max(0.0, 60 * self.wish.minutes - self.seconds)

    @property
    def can_go_on(self) -> bool:
        """Whether it can be gone on with."""
        return self.state in {"stopped", "failed", "broken"}


def read_job(folder: Path) -> TrainingJob | None:
    """What is written down in a run's folder; None for a training that was started in a terminal."""
    try:
        return TrainingJob.model_validate_json((folder / JOB_FILE).read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None


def write_job(folder: Path, job: TrainingJob) -> None:
    """Write it down.

    Raises:
        DiskFullError: what was written before still stands.
    """
    write_text_atomic(folder / JOB_FILE, job.model_dump_json(indent=1) + "\n")
