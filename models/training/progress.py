"""Reports of a training: one line of JSON each, so that a terminal, the app and a later look draw the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ConfigDict, Field, ValidationError

from demopack.atomic import disk_errors, write_text_atomic
from demopack.domain.records import Record

PROGRESS_FILE = "progress.jsonl"


class TrainingProgress(Record):
    """Where a training is.

    Attributes:
        epoch: the running one, from 1; an epoch is the steps between two looks at the validation screens.
        epochs: as many as are expected; with a time budget an estimate.
        step: finished steps of the optimiser.
        steps: as many as are expected; with a time budget an estimate.
        losses: means since the last report.
        metrics: figures on the validation screens; empty between two looks at them.
        seconds: spent so far, over all starts.
    """

    # A loss that has become no number is told, and does not end the training.
    model_config = ConfigDict(allow_inf_nan=True, ser_json_inf_nan="constants")

    epoch: int = Field(ge=0)
    epochs: int = Field(ge=0)
    step: int = Field(ge=0)
    steps: int = Field(ge=0)
    losses: dict[str, float] = Field(default_factory=dict[str, float])
    metrics: dict[str, float] = Field(default_factory=dict[str, float])
    seconds: float = Field(ge=0)


def append_progress(path: Path, progress: TrainingProgress) -> None:
    """Add one report.

    Raises:
        DiskFullError: it was not written.
    """
    with disk_errors(path.parent), path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(progress.model_dump_json() + "\n")


def read_progress(path: Path) -> Iterator[TrainingProgress]:
    """Every whole report; a line that a killed process left half written is passed over."""
    if not path.is_file():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                yield TrainingProgress.model_validate_json(line)
            except ValidationError:
                continue


def forget_progress_after(path: Path, step: int) -> None:
    """Remove the reports of steps that will be done again, because their checkpoint was never written.

    Raises:
        DiskFullError: nothing was changed.
    """
    if path.exists():
        kept = [report for report in read_progress(path) if report.step <= step]
        write_text_atomic(path, "".join(report.model_dump_json() + "\n" for report in kept))
