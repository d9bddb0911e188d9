"""Trains the icon network: from screens with truth and from icon sets to a model folder, stopped and continued."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.jobs import JobControl
from lab.icons.batches import Batches, open_batches
from lab.icons.export import export_icons, read_weights
from lab.icons.measure import measure, sure_from
from lab.icons.network import Network
from lab.icons.options import IconTraining
from lab.icons.pool import CLASSES
from models.registry import open_model
from models.training.run_folder import RunFolder, draft_card
from models.training.training_loop import OnProgress, TrainingLoop
from models.vision.icons import SIDE, Bytes

_Batch: TypeAlias = "tuple[Bytes, npt.NDArray[np.int64]]"
_FEW = 200
"""Fewer icons than this do not tell from which confidence on to speak."""
_USUAL, _LEAST_SURE = 0.5, 0.3


def train_icons(
    sets: Sequence[Path],
    run: Path,
    *,
    options: IconTraining | None = None,
    control: JobControl | None = None,
    on_progress: OnProgress | None = None,
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
    with RunFolder.opened(run, options) as folder:
        batches = open_batches(sets, run, options, control)
        network = Network(options)
        if base is not None:
            network.start(read_weights(base, network.torch))
        card = draft_card(
            "icons",
            options,
            settings={"side": SIDE, "width": options.width},
            lineage=batches.lineage,
            classes=CLASSES,
            based_on="" if base is None else f"{base.card.id}-{base.card.digest}",
        )
        learner = _Learner(network, batches)
        loop = TrainingLoop(folder, options, learner, card=card, judged_on="", on_progress=on_progress)
        loop.run(control, use_stopped=True)
        sure_at, figures = _figures(network, batches, None if base is None else float(base.card.options["sure_at"]))
        return export_icons(run, network, options, sure_at=sure_at, figures=figures)


class _Learner:
    """The network as the loop trains it; its last weights are the best."""

    def __init__(self, network: Network, icons: Batches) -> None:
        self._network, self._icons = network, icons
        self.model, self.average, self.optimizer = network.model, network.smooth, network.optimizer

    def batches(self, first: int) -> Generator[_Batch]:
        step = first
        while True:
            yield self._icons.draw(step)
            step += 1

    def step(self, batch: _Batch, number: int, *, done: float) -> dict[str, float]:  # noqa: ARG002 - see Learner
        return {"loss": self._network.step(*batch, number)}

    def validate(self) -> tuple[dict[str, float], float | None]:
        return measure(self._network.probabilities, self._icons.measured), None


def _figures(network: Network, batches: Batches, before: float | None) -> tuple[float, dict[str, float]]:
    """The confidence from which on the network speaks, and what it then reaches.

    Args:
        network: trained.
        batches: with the icons that are measured.
        before: that confidence of the model that training began with; it stays where few icons are held out.
    """
    few = sum(len(part.meanings) for part in batches.measured) < _FEW
    asked = network.probabilities
    sure_at = (before or _USUAL) if few else max(_LEAST_SURE, sure_from(asked, batches.measured))
    return sure_at, measure(asked, batches.measured, sure_at=sure_at)
