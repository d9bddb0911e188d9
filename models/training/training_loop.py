"""Loop of every training: a budget, validation, the best weights, progress, and checkpoints that lose nothing."""

from __future__ import annotations

import importlib
import io
import math
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from demopack.atomic import write_bytes_atomic
from demopack.errors import ModelError
from demopack.jobs import JobControl, Progress
from models.registry import ModelCard
from models.training.options import TrainingOptions
from models.training.progress import PROGRESS_FILE, TrainingProgress, append_progress, forget_progress_after
from models.training.run_folder import RunFolder
from models.training.torch_support import Untyped, encode_half
from models.vision.weights import unusable

OnProgress: TypeAlias = Callable[[TrainingProgress], None]
_B = TypeVar("_B")
_REPORT_STEPS = 20
_LAST_RATE = 0.02
_PARTS_OF_BUDGET = 1000


class Learner(Protocol[_B]):
    """A network in training.

    Attributes:
        model: of torch.
        average: of the model over its last steps: the result.
        optimizer: of the model; the loop sets its rate.
    """

    model: Untyped
    average: Untyped
    optimizer: Untyped

    def batches(self, first: int) -> Generator[_B]:
        """The batches from a step on, without end; a batch depends on the number of its step alone."""
        ...

    def step(self, batch: _B, number: int, *, done: float) -> dict[str, float]:
        """Learn from one batch; torch's chance was begun anew for this step.

        Args:
            batch: of this step.
            number: finished steps.
            done: share of the budget that is spent, 0..1.

        Returns:
            The losses.
        """
        ...

    def validate(self) -> tuple[dict[str, float], float | None]:
        """Figures on the validation screens, and the one to be as high as possible; None where the last is the best."""
        ...


@dataclass(slots=True)
class _Place:
    """Where a training is; with the learner's state all that a checkpoint holds."""

    step: int = 0
    seconds: float = 0.0
    validations: int = 0
    validated_step: int = 0
    validated_s: float = 0.0
    best: float = -math.inf
    best_step: int = -1
    stale: int = 0
    sums: dict[str, float] = field(default_factory=dict[str, float])
    summed: int = 0
    judged_on: str = ""


class TrainingLoop(Generic[_B]):
    """Trains a learner until its budget is spent or nothing gets better; stopped anywhere, it goes on where it was."""

    def __init__(
        self,
        folder: RunFolder,
        options: TrainingOptions,
        learner: Learner[_B],
        *,
        card: ModelCard,
        judged_on: str,
        on_progress: OnProgress | None,
    ) -> None:
        """Begin, or take up the checkpoint in the folder.

        Args:
            folder: of the run.
            options: the recipe.
            learner: fresh; put where it was when there is a checkpoint.
            card: what is known about the model before it is trained.
            judged_on: digest of the validation screens; figures on others cannot be compared, and the search for the
                best weights begins anew.
            on_progress: told every twenty steps, and after every validation.

        Raises:
            ModelError: the checkpoint is damaged, or of another model.
        """
        self._folder, self._options, self._learner, self._tell = folder, options, learner, on_progress
        self._card = card
        self._parts = {"model": learner.model, "average": learner.average, "optimizer": learner.optimizer}
        self._place = _Place(judged_on=judged_on)
        self._torch: Any = importlib.import_module("torch")
        self._start = _copied(learner.average) if options.start_from is not None and options.kept_of_start else None
        if folder.checkpoint.exists():
            self._restore()
        if self._place.judged_on != judged_on:
            self._place = replace(self._place, judged_on=judged_on, best=-math.inf, best_step=-1, stale=0)
        forget_progress_after(folder.path / PROGRESS_FILE, self._place.step)
        self._saved = time.monotonic()
        self._begun = self._saved - self._place.seconds

    def run(self, control: JobControl, *, use_stopped: bool = False) -> None:
        """Train until the budget is spent, nothing gets better, or it is cancelled; then there is a checkpoint.

        Args:
            control: progress and cancelling.
            use_stopped: whether there are best weights as well after it was cancelled before the first validation.

        Raises:
            CancelledError: with ``use_stopped``, before anything was learned.
            ModelError: the loss is no number any more; the checkpoint before is whole.
            DiskFullError: a checkpoint was not written; the one before is whole.
        """
        place, options = self._place, self._options
        if options.start_from is not None and place.best_step < 0 and not place.step:
            self._validate(control)  # what it begins with stays the best until something is better
        batches = self._learner.batches(place.step)
        try:
            while self._done() < 1 and not 0 < options.patience <= place.stale and not control.token.cancelled:
                self._learn(next(batches))
                due = place.seconds - place.validated_s >= options.validate_s
                if options.epoch_steps is not None:
                    due = place.step % options.epoch_steps == 0
                if due:
                    self._validate(control)
                elif place.step % _REPORT_STEPS == 0:
                    self._report(control)
                if due or time.monotonic() - self._saved >= options.save_s:
                    self._save()
        finally:
            batches.close()
        unused = use_stopped and place.best_step <= 0
        if unused and place.step:
            self._save()  # what is measured now takes its time, and may fail
        if (unused and place.step) or (place.validated_step != place.step and not control.token.cancelled):
            self._validate(control)
        self._save()
        if unused and not place.step:
            control.token.check()

    def _validate(self, control: JobControl) -> None:
        """Measure on the validation screens, and keep the weights when they are the best so far."""
        place = self._place
        with self._part_of_the_way_back():
            figures, score = self._learner.validate()
            weights = encode_half(self._learner.average.state_dict())
        place.validations += 1
        place.validated_step, place.validated_s = place.step, place.seconds
        if score is None or score > place.best:
            place.best, place.best_step, place.stale = place.best if score is None else score, place.step, 0
            self._folder.write_best(weights, self._card, figures, step=place.step, seconds=place.seconds)
        else:
            place.stale += 1
        self._report(control, figures)

    @contextmanager
    def _part_of_the_way_back(self) -> Generator[None]:
        """The averaged weights, mixed with those that they began with, until they are measured and encoded."""
        if self._start is None:
            yield
            return
        average, kept = self._learner.average, self._options.kept_of_start
        reached = _copied(average)
        mixed = {
            name: value.lerp(self._start[name].to(value), kept) if value.is_floating_point() else value
            for name, value in reached.items()
        }
        average.load_state_dict(mixed)
        try:
            yield
        finally:
            average.load_state_dict(reached)

    def _save(self) -> None:
        """Write a checkpoint."""
        parts = {name: part.state_dict() for name, part in self._parts.items()}
        data = io.BytesIO()
        self._torch.save({"place": asdict(self._place), **parts}, data)
        write_bytes_atomic(self._folder.checkpoint, data.getvalue())
        self._saved = time.monotonic()

    def _restore(self) -> None:
        file = self._folder.checkpoint
        hint = "Remove the folder and train again, or train in another one."
        with unusable(f"The checkpoint {file} is damaged.", hint=hint):
            # Nothing in the file is executed.
            content: dict[str, Any] = self._torch.load(file, map_location="cpu", weights_only=True)
        failures = (RuntimeError, KeyError, ValueError, TypeError)
        message = f"The checkpoint {file} belongs to another model."
        with unusable(message, hint="Train in a new folder.", failures=failures):
            self._place = _Place(**content["place"])
            for name, part in self._parts.items():
                part.load_state_dict(content[name])

    def _learn(self, batch: _B) -> None:
        place = self._place
        # In whole thousandths, so that a run that was interrupted takes the same steps as one that was not.
        done = math.floor(self._done() * _PARTS_OF_BUDGET) / _PARTS_OF_BUDGET
        # A short rise, then half a cosine.
        rise = min(1.0, (place.step + 1) / (self._options.warmup_steps + 1))
        fall = (1 + math.cos(math.pi * min(1.0, done))) / 2
        rate = rise * (_LAST_RATE + (1 - _LAST_RATE) * fall)
        for group in self._learner.optimizer.param_groups:
            group["lr"] = self._options.learning_rate * rate
        self._torch.manual_seed(1_000_003 * self._options.seed + place.step)
        losses = self._learner.step(batch, place.step, done=done)
        if not all(map(math.isfinite, losses.values())):
            raise ModelError(
                "The training went astray: its loss is no number any more. The last checkpoint is whole.",
                hint="Train again in a new folder with a lower learning rate.",
            )
        place.step += 1
        place.summed += 1
        for name, value in losses.items():
            place.sums[name] = place.sums.get(name, 0.0) + value
        place.seconds = time.monotonic() - self._begun

    def _done(self) -> float:
        """The share of the budget that is spent."""
        if self._options.steps is not None:
            return self._place.step / self._options.steps
        return self._place.seconds / (self._options.minutes * 60)

    def _report(self, control: JobControl, figures: dict[str, float] | None = None) -> None:
        """Tell how far it is; with figures where the validation screens were just looked at."""
        place, options = self._place, self._options
        steps = options.steps or max(place.step, round(place.step / max(self._done(), 1e-9)))
        expected = steps / options.epoch_steps if options.epoch_steps else 60 * options.minutes / options.validate_s
        epoch = place.validations + (figures is None)
        report = TrainingProgress(
            epoch=epoch,
            epochs=max(1, epoch, math.ceil(expected)),
            step=place.step,
            steps=steps,
            losses={name: round(total / max(1, place.summed), 5) for name, total in sorted(place.sums.items())},
            metrics=figures or {},
            seconds=round(place.seconds, 2),
        )
        place.sums, place.summed = {}, 0
        append_progress(self._folder.path / PROGRESS_FILE, report)
        if self._tell is not None:
            self._tell(report)
        control.report(Progress(done=place.step, total=steps, text=f"Training the {self._card.kind}"))


def _copied(module: Untyped) -> dict[str, Untyped]:
    """The weights of a module, as they are now."""
    return {name: value.detach().clone() for name, value in module.state_dict().items()}
