"""Trains a describer: from screens with truth to a model folder, stopped and continued at any time."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from demopack.atomic import write_text_atomic
from demopack.errors import BadInputError, ModelError
from demopack.jobs import JobControl
from demopack.regular_files import check_regular
from models.registry import ModelFolder
from models.training.describer.base import base_of
from models.training.describer.batches import Batches
from models.training.describer.checkpoints import Standing, load_checkpoint, save_best, save_checkpoint
from models.training.describer.export import WEIGHTS, export_describer
from models.training.describer.measure import measure
from models.training.describer.network import Network
from models.training.describer.options import DescriberTraining
from models.training.describer.samples import Samples, open_samples
from models.training.progress import PROGRESS_FILE, TrainingProgress, append_progress, forget_progress_after
from models.vision.describer_words import FILE, SUBTYPES, Vocabulary

__all__ = ["OnProgress", "train_describer"]

OnProgress = Callable[[TrainingProgress], None]
_REPORT_S = 15.0
_RARE = 20
"""A subtype gets a word of its own when it is seen this often."""


def _ignore(_: TrainingProgress) -> None:
    return


def train_describer(
    sets: Sequence[Path],
    run: Path,
    *,
    options: DescriberTraining | None = None,
    control: JobControl | None = None,
    on_progress: OnProgress = _ignore,
) -> Path:
    """Train until the budget is spent, the validation screens tell no improvement any more, or the user stops.

    Called again with the same folder it goes on where it was, also after the process was killed.

    Args:
        sets: folders of screens.
        run: checkpoints, progress and the result.
        options: of the training; the size of a network that is under way cannot be changed.
        control: asked between two steps; stopping keeps everything and still makes the model.
        on_progress: called with each report.

    Returns:
        ``run/model``, which ``models.registry.open_model`` opens.

    Raises:
        BadInputError: there is nothing to learn from, the run is of another network, or holds a FIFO.
        ModelError: a library is missing.
        CancelledError: stopped before anything was learned.
        DiskFullError: the last checkpoint is whole.
    """
    control = control or JobControl()
    options, base = base_of(options or DescriberTraining())
    check_regular(run)
    samples = open_samples(sets, run / "samples", options, control)
    words = _vocabulary(run / FILE, samples, base)
    training = _Training(run, options, samples, words, control, on_progress, base)
    training.work()
    return export_describer(run)


def _vocabulary(path: Path, samples: Samples, base: ModelFolder | None) -> Vocabulary:
    """The words of this run: decided at its beginning, because the network's last layer has one output for each."""
    if path.exists():
        return Vocabulary.load(path)
    if base is not None:
        words = Vocabulary.load(base.file(FILE))
        write_text_atomic(path, words.to_json())
        return words
    found = [answer.partition("subtype=")[2].partition(" ")[0] for answer in samples.answers]
    words = Vocabulary.standard(sorted({w for w in set(found) - {"", *SUBTYPES} if found.count(w) >= _RARE}))
    write_text_atomic(path, words.to_json())
    return words


@dataclass
class _Training:
    run: Path
    options: DescriberTraining
    samples: Samples
    words: Vocabulary
    control: JobControl
    on_progress: OnProgress
    base: ModelFolder | None
    standing: Standing = field(init=False)
    network: Network = field(init=False)
    _began: float = field(init=False, default=0.0)
    _sums: dict[str, float] = field(init=False, default_factory=dict[str, float])
    _summed: int = field(init=False, default=0)

    def work(self) -> None:
        weights = self.base.file(WEIGHTS) if self.base is not None else None
        self.network = Network.start(self.options, len(self.words.words), weights)
        batches = Batches(self.samples, self.words, self.options)
        self.standing = self._restored()
        forget_progress_after(self.run / PROGRESS_FILE, self.standing.step)
        self._began = time.monotonic() - self.standing.seconds
        last_report = last_save = self._spent()
        stream = batches.ahead(self.standing.step)
        try:
            while not self._over():
                losses = self.network.step(next(stream), self.standing.step, self._spent())
                self.standing.step += 1
                self._add(losses)
                now = self._spent()
                if now - self.standing.measured_s >= self.options.validate_s:
                    self._measure(batches)
                elif now - last_report >= _REPORT_S:
                    self._report({})
                    last_report = now
                if now - last_save >= self.options.checkpoint_s:
                    self._save()
                    last_save = self._spent()
        finally:
            stream.close()
        self._finish(batches)

    def _finish(self, batches: Batches) -> None:
        # A user who stops waits only for the checkpoint, unless there is no measured model at all yet.
        if self.standing.measured_step != self.standing.step and (
            not self.control.token.cancelled or not self.standing.has_best
        ):
            if self.standing.step == 0:
                self.control.token.check()
            self._measure(batches)
        self._save()

    def _restored(self) -> Standing:
        found = load_checkpoint(self.run, self.network)
        validated_on = self._validated_on()
        if found is None:
            return Standing(identity=self._identity(), validated_on=validated_on)
        if found.identity != self._identity():
            raise BadInputError(
                f"The training in {self.run} is of another network.",
                hint="Go on with the size it began with, or train in another folder.",
            )
        if found.validated_on != validated_on:
            # Other screens, other losses: the search for the best weights begins anew.
            found.validated_on, found.best, found.has_best, found.waited = validated_on, float("inf"), False, 0
        return found

    def _validated_on(self) -> str:
        samples = self.samples
        told = [
            f"{answer} {box.tolist()}"
            for answer, box, own in zip(samples.answers, samples.boxes, samples.validation, strict=True)
            if own
        ]
        return hashlib.sha256("\n".join(told).encode()).hexdigest()

    def _identity(self) -> str:
        text = self.options.size.model_dump_json() + "\n".join(self.words.words)
        return hashlib.sha256(text.encode()).hexdigest()

    def _spent(self) -> float:
        return time.monotonic() - self._began

    def _over(self) -> bool:
        budget = self._spent() >= 60 * self.options.minutes or self.standing.step >= self.options.steps
        tired = 0 < self.options.patience <= self.standing.waited
        return budget or tired or self.control.token.cancelled

    def _add(self, losses: dict[str, float]) -> None:
        for name, value in losses.items():
            if math.isnan(value):
                raise ModelError(
                    "The training has come apart: its loss is no number any more.",
                    hint="Delete the run and train with a lower learning rate.",
                )
            self._sums[name] = self._sums.get(name, 0.0) + value
        self._summed += 1

    def _measure(self, batches: Batches) -> None:
        figures = measure(self.network, batches, self.words)
        standing = self.standing
        standing.looks += 1
        standing.measured_s, standing.measured_step = self._spent(), standing.step
        # Without validation screens the latest is the best.
        if not len(batches.validation) or figures["loss"] < standing.best:
            standing.best, standing.waited, standing.has_best = figures["loss"], 0, True
            based_on = "" if self.base is None else f"{self.base.card.id}-{self.base.card.digest}"
            save_best(self.run, self.network, standing, figures, self.options, self.samples, based_on)
        else:
            standing.waited += 1
        self._report(figures)

    def _report(self, figures: dict[str, float]) -> None:
        standing, seconds = self.standing, self._spent()
        share = max(standing.step / self.options.steps, seconds / (60 * self.options.minutes), 1e-9)
        steps = max(standing.step, round(standing.step / share))
        looks = max(1, round(60 * self.options.minutes / self.options.validate_s))
        progress = TrainingProgress(
            epoch=standing.looks + (not figures),
            epochs=max(looks, standing.looks),
            step=standing.step,
            steps=steps,
            losses={name: round(value / max(1, self._summed), 5) for name, value in self._sums.items()},
            metrics=figures,
            seconds=round(seconds, 2),
        )
        self._sums, self._summed = {}, 0
        append_progress(self.run / PROGRESS_FILE, progress)
        self.on_progress(progress)

    def _save(self) -> None:
        self.standing.seconds = self._spent()
        save_checkpoint(self.run, self.network, self.standing)
