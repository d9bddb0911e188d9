"""Trains a detector within a time budget; stopped at any moment, it goes on where it was."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from demopack.atomic import write_bytes_atomic, write_text_atomic
from demopack.errors import BadInputError
from demopack.jobs import JobControl, Progress
from models.training.detector.batches import Batches
from models.training.detector.engine import Engine, pick_device
from models.training.detector.export import draft_card, export_detector
from models.training.detector.figures import FIGURE, choose_screens, figures
from models.training.detector.options import DetectorTraining
from models.training.detector.run import RunFolder
from models.training.detector.samples import Picture, Pictures, read_pictures
from models.training.detector.start import Start, read_start
from models.training.progress import TrainingProgress
from models.vision.classes import AGNOSTIC, CLASSES

__all__ = ["train_detector"]

_REPORT_STEPS = 20
_LAST_RATE = 0.02
_IOU = 0.4
_WORKERS = 12


def _ignore(_: TrainingProgress) -> None:
    return


@dataclass(slots=True)
class _Place:
    """Where a training is; with the engine's state all that a checkpoint holds."""

    step: int = 0
    seconds: float = 0.0
    best: float = -1.0
    stale: int = 0
    sums: dict[str, float] = field(default_factory=dict[str, float])
    summed: int = 0
    judged_on: str = ""


def train_detector(
    sets: Sequence[Path],
    run: Path,
    *,
    options: DetectorTraining,
    control: JobControl | None = None,
    on_progress: Callable[[TrainingProgress], None] = _ignore,
) -> Path:
    """Train a detector on the train side of some sets of screens; stopped by their val side.

    Called again with the same folder it goes on from the last checkpoint, also after a crash; with a larger budget it
    trains longer.

    Args:
        sets: folders as in ``docs/formats/screens.md``.
        run: checkpoints, ``progress.jsonl`` and in the end ``model/``; made where it is missing.
        options: the recipe.
        control: cancels at the next step; what was learned is kept.
        on_progress: told every twenty steps, and after every look at the val screens.

    Returns:
        The model folder ``run/model``.

    Raises:
        BadInputError: no screens to learn from, or the folder holds a run with another recipe.
        ModelError: torch or ultralytics is missing, a model cannot be used, or the training went astray.
        DiskFullError: a checkpoint was not written; the one before is whole.
        CancelledError: by ``control``, with a checkpoint of the last step.
    """
    control = control or JobControl()
    with RunFolder.opened(run, options) as folder:
        train = read_pictures(sets, side="train", typed=options.typed)
        if not any(len(picture.boxes) for picture in train):
            raise BadInputError(
                f"There are no screens to learn from in {', '.join(map(str, sets)) or 'no sets'}.",
                hint="Screens of the side train are needed: demopack screens make.",
            )
        val = choose_screens(read_pictures(sets, side="val", typed=options.typed), most=options.val_screens)
        start = None if options.start_from is None else read_start(options.start_from, threads=options.threads or 2)
        training = _Training(folder, options, train, val, start, on_progress)
        based_on = start.name if start else ""
        card = draft_card(options, training.engine.config, train=train, val=val, based_on=based_on)
        write_text_atomic(folder.draft, card.model_dump_json(indent=1) + "\n")
        training.go_on(control)
        return export_detector(run, folder.model)


class _Training:
    def __init__(
        self,
        folder: RunFolder,
        options: DetectorTraining,
        train: list[Picture],
        val: list[Picture],
        start: Start | None,
        on_progress: Callable[[TrainingProgress], None],
    ) -> None:
        self._folder, self._options, self._val, self._tell = folder, options, val, on_progress
        names = CLASSES if options.typed else AGNOSTIC
        self.engine = Engine(options, names, config=dict(start.config) if start else None)
        self._batches = Batches(train, options)
        self._read = Pictures(megabytes=options.cache_mb)
        self._place = _Place()
        self._begun = self._saved = time.monotonic()
        if folder.checkpoint.exists():
            self._restore(self.engine.load(folder.checkpoint))
        elif start is not None:
            self.engine.begin_with(start)
        self._judge_on(val)
        folder.forget_after(self._place.step)

    def _judge_on(self, val: Sequence[Picture]) -> None:
        """Figures on other screens cannot be compared: the search for the best weights begins anew."""
        told = sorted(one.screen.model_dump_json().encode() + one.boxes.tobytes() for one in val)
        digest = hashlib.sha256(b"\n".join(told)).hexdigest()
        if self._place.judged_on != digest:
            self._place.judged_on, self._place.best, self._place.stale = digest, -1.0, 0

    def go_on(self, control: JobControl) -> None:
        """Train until the budget is spent, nothing gets better, or it is cancelled."""
        place, options = self._place, self._options
        workers = options.workers
        if workers < 0:
            workers = 0 if pick_device(options.device) == "cpu" else _WORKERS
        batches = self.engine.batches(self._batches, start=place.step, workers=workers)
        self._begun = time.monotonic() - place.seconds
        while self._done() < 1 and place.stale < options.patience:
            if control.token.cancelled:
                self._save()
                control.token.check()
            losses = self.engine.step(next(batches), rate=self._rate(), done=self._done())
            place.step += 1
            place.summed += 1
            for name, value in losses.items():
                place.sums[name] = place.sums.get(name, 0.0) + value
            self._after_step(control)
        self._save()

    def _after_step(self, control: JobControl) -> None:
        place, options = self._place, self._options
        place.seconds = time.monotonic() - self._begun
        at_end = place.step % options.epoch_steps == 0 or self._done() >= 1
        if at_end or place.step % _REPORT_STEPS == 0:
            self._report(control, self._look() if at_end else {})
        if at_end or time.monotonic() - self._saved >= options.save_s:
            self._save()

    def _done(self) -> float:
        """The share of the budget that is spent."""
        if self._options.steps is not None:
            return self._place.step / self._options.steps
        return self._place.seconds / (self._options.minutes * 60)

    def _rate(self) -> float:
        """The share of the highest learning rate: a short rise, then half a cosine."""
        rise = min(1.0, (self._place.step + 1) / (self._options.warmup_steps + 1))
        fall = (1 + math.cos(math.pi * min(1.0, self._done()))) / 2
        return rise * (_LAST_RATE + (1 - _LAST_RATE) * fall)

    def _look(self) -> dict[str, float]:
        """Figures on the val screens; the best weights so far are kept."""
        place = self._place
        told = figures(self.engine.predictor(), self._val, read=self._read, iou=_IOU) if self._val else {}
        better = not told or told[FIGURE] > place.best  # without val screens the last weights are the best
        place.stale = 0 if better else place.stale + 1
        if better:
            place.best = told.get(FIGURE, place.best)
            write_bytes_atomic(self._folder.best, self.engine.weights())
            write_text_atomic(self._folder.best_figures, json.dumps({"step": place.step, **told}, indent=1) + "\n")
        return told

    def _report(self, control: JobControl, metrics: dict[str, float]) -> None:
        place, size = self._place, self._options.epoch_steps
        steps = self._options.steps or max(place.step, round(place.step / max(self._done(), 1e-9)))
        losses = {name: round(total / max(1, place.summed), 5) for name, total in sorted(place.sums.items())}
        place.sums, place.summed = {}, 0
        report = TrainingProgress(
            epoch=(place.step - 1) // size + 1, epochs=-(-steps // size), step=place.step, steps=steps,
            losses=losses, metrics=metrics, seconds=round(place.seconds, 2),
        )  # fmt: skip
        self._folder.append(report)
        self._tell(report)
        figure = f", {FIGURE} {place.best:.3f}" if place.best >= 0 else ""
        control.report(Progress(done=place.step, total=steps, text=f"Training the detector{figure}"))

    def _save(self) -> None:
        place: dict[str, Any] = {name: getattr(self._place, name) for name in _Place.__slots__}
        write_bytes_atomic(self._folder.checkpoint, self.engine.save({"place": place, **self.engine.state()}))
        self._saved = time.monotonic()

    def _restore(self, content: dict[str, Any]) -> None:
        self.engine.restore(content)
        self._place = _Place(**content["place"])
