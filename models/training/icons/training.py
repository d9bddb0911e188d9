"""Trains the icon network: from screens with truth and from icon sets to a model folder, stopped and continued."""

from __future__ import annotations

import hashlib
import io
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from demopack.atomic import write_bytes_atomic, write_text_atomic
from demopack.errors import BadInputError, ModelError
from demopack.jobs import JobControl
from demopack.regular_files import check_regular
from models.registry import open_model
from models.training.icons.batches import Batches, open_batches
from models.training.icons.export import export_icons, read_weights
from models.training.icons.measure import measure, sure_from
from models.training.icons.network import Network
from models.training.icons.options import IconTraining
from models.training.icons.pool import CLASSES
from models.training.progress import PROGRESS_FILE, TrainingProgress, append_progress, forget_progress_after

__all__ = ["OnProgress", "train_icons"]

OnProgress = Callable[[TrainingProgress], None]
_LAST: Final = "last.pt"
_REPORT_S = 15.0
_FEW = 200
"""Fewer icons than this do not tell from which confidence on to speak."""
_USUAL, _LEAST_SURE = 0.5, 0.3


def _ignore(_: TrainingProgress) -> None:
    return


def train_icons(
    sets: Sequence[Path],
    run: Path,
    *,
    options: IconTraining | None = None,
    control: JobControl | None = None,
    on_progress: OnProgress = _ignore,
) -> Path:
    """Train until the budget is spent or the user stops; called again with the same folder it goes on.

    Args:
        sets: folders of screens.
        run: checkpoints, progress and the result.
        options: of the training; the width of a network that is under way cannot be changed.
        control: asked between two steps; stopping keeps everything and still makes the model.
        on_progress: called with each report.

    Returns:
        ``run/model``, which ``models.registry.open_model`` opens.

    Raises:
        BadInputError: there is nothing to learn from, a set cannot be fetched, the run is of another network, or holds
            a FIFO.
        ModelError: a library is missing, or the training came apart.
        CancelledError: stopped before anything was learned.
        DiskFullError: the last checkpoint is whole.
    """
    control, options = control or JobControl(), options or IconTraining()
    base = None
    if options.start_from is not None:
        base = open_model(options.start_from, kind="icons")
        options = options.model_copy(update={"width": int(base.card.options["width"])})
    check_regular(run)
    run.mkdir(parents=True, exist_ok=True)
    batches = open_batches(sets, run, options, control)
    network = Network(options)
    if base is not None:
        network.start(read_weights(base, network.torch))
    training = _Training(run, options, batches, network, control, on_progress)
    training.work()
    figures = training.figures(None if base is None else float(base.card.options["sure_at"]))
    based_on = "" if base is None else f"{base.card.id}-{base.card.digest}"
    return export_icons(run, network, options, figures=figures, lineage=batches.lineage, based_on=based_on)


@dataclass
class _Standing:
    identity: str
    step: int = 0
    seconds: float = 0.0
    looks: int = 0
    measured_s: float = 0.0


@dataclass
class _Training:
    run: Path
    options: IconTraining
    batches: Batches
    network: Network
    control: JobControl
    on_progress: OnProgress
    standing: _Standing = field(init=False)
    _began: float = field(init=False, default=0.0)
    _sum: float = field(init=False, default=0.0)
    _summed: int = field(init=False, default=0)

    def work(self) -> None:
        self.standing = self._restored()
        forget_progress_after(self.run / PROGRESS_FILE, self.standing.step)
        self._began = time.monotonic() - self.standing.seconds
        last_report = last_save = self._spent()
        while not self._over():
            squares, meanings = self.batches.draw(self.standing.step)
            loss = self.network.step(squares, meanings, self.standing.step, self._share())
            self.standing.step += 1
            self._add(loss)
            now = self._spent()
            if now - self.standing.measured_s >= self.options.validate_s:
                self._look()
            elif now - last_report >= _REPORT_S:
                self._report({})
                last_report = now
            if now - last_save >= self.options.checkpoint_s:
                self._save()
                last_save = self._spent()
        if self.standing.step == 0:
            self.control.token.check()
        self._save()

    def figures(self, before: float | None) -> dict[str, float]:
        """What the card says: the confidence from which on it speaks, and what it then reaches.

        Args:
            before: that confidence of the model that training began with; it stays where few icons are held out.
        """
        few = sum(len(part.meanings) for part in self.batches.measured) < _FEW
        asked = self.network.probabilities
        sure_at = (before or _USUAL) if few else max(_LEAST_SURE, sure_from(asked, self.batches.measured))
        found = measure(self.network.probabilities, self.batches.measured, sure_at=sure_at)
        self._report(found)
        return {**found, "sure_at": sure_at, "steps": float(self.standing.step), "seconds": round(self._spent(), 1)}

    def _restored(self) -> _Standing:
        identity = hashlib.sha256(json.dumps([self.options.width, *CLASSES]).encode()).hexdigest()
        path = self.run / _LAST
        if not path.exists():
            return _Standing(identity)
        try:
            # weights_only: a checkpoint holds tensors and numbers; whatever else is in the file is not run.
            data: Any = self.network.torch.load(path, map_location="cpu", weights_only=True)
            standing = _Standing(**data["standing"])
            if standing.identity == identity:
                self.network.restore(data)
        except Exception as error:  # a damaged file fails in as many ways as there are
            raise BadInputError(
                f"The checkpoint {path} is damaged.",
                details=f"{type(error).__name__}: {error}",
                hint="Train in another folder, or delete the file to begin again.",
            ) from error
        if standing.identity != identity:
            raise BadInputError(
                f"The training in {self.run} is of another network.",
                hint="Go on with the width it began with, or train in another folder.",
            )
        return standing

    def _spent(self) -> float:
        return time.monotonic() - self._began

    def _share(self) -> float:
        return max(self.standing.step / self.options.steps, self._spent() / (60 * self.options.minutes))

    def _over(self) -> bool:
        return self._share() >= 1 or self.control.token.cancelled

    def _add(self, loss: float) -> None:
        if math.isnan(loss):
            raise ModelError(
                "The training has come apart: its loss is no number any more.",
                hint="Delete the run and train with a lower learning rate.",
            )
        self._sum += loss
        self._summed += 1

    def _look(self) -> None:
        self.standing.looks += 1
        self.standing.measured_s = self._spent()
        self._report(measure(self.network.probabilities, self.batches.measured))

    def _report(self, figures: dict[str, float]) -> None:
        standing, seconds = self.standing, self._spent()
        steps = max(standing.step, round(standing.step / max(self._share(), 1e-9)))
        looks = max(1, round(60 * self.options.minutes / self.options.validate_s))
        progress = TrainingProgress(
            epoch=standing.looks + (not figures),
            epochs=max(looks, standing.looks),
            step=standing.step,
            steps=steps,
            losses={"loss": round(self._sum / max(1, self._summed), 5)},
            metrics=figures,
            seconds=round(seconds, 2),
        )
        self._sum, self._summed = 0.0, 0
        append_progress(self.run / PROGRESS_FILE, progress)
        self.on_progress(progress)

    def _save(self) -> None:
        self.standing.seconds = self._spent()
        data = io.BytesIO()
        self.network.torch.save({"standing": asdict(self.standing), **self.network.state()}, data)
        write_bytes_atomic(self.run / _LAST, data.getvalue())
        write_text_atomic(self.run / "options.json", self.options.model_dump_json(indent=1) + "\n")
