"""Training of a detector within a budget, and the model folder made of it: ONNX for use, safetensors to go on from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from demopack.atomic import disk_errors
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.replacing import made_beside
from models.registry import write_model
from models.training.detector.network import (
    ARCHITECTURE,
    STRIDE,
    WEIGHTS_FILE,
    DetectorLearner,
    choose_screens,
    export_onnx,
    read_weights,
    rebuilt,
    structure_of,
)
from models.training.detector.samples import read_pictures
from models.training.labelled_screens import lineage_of
from models.training.options import DetectorTraining
from models.training.run_folder import RunFolder, draft_card
from models.training.training_loop import OnProgress, TrainingLoop
from models.vision.detector import AGNOSTIC, CLASSES

_ONNX_FILE = "detector.onnx"


def train_detector(
    sets: Sequence[Path],
    run: Path,
    *,
    options: DetectorTraining,
    control: JobControl | None = None,
    on_progress: OnProgress | None = None,
) -> Path:
    """Train a detector on the train side of some sets of screens; stopped by their val side.

    Called again with the same folder it goes on from the last checkpoint, also after a crash; with a larger budget it
    trains longer.

    Args:
        sets: folders as in ``docs/formats/screens.md``.
        run: checkpoints, ``progress.jsonl`` and in the end ``model/``; made where it is missing.
        options: the recipe.
        control: cancels at the next step; what was learned is kept.
        on_progress: told every twenty steps, and after every validation.

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
                hint="Labelled screens of the side train are needed.",
            )
        val = choose_screens(read_pictures(sets, side="val", typed=options.typed), most=options.val_screens)
        based_on, start = "", None
        if options.start_from is not None:
            based_on, start = read_weights(options.start_from, threads=options.threads or 2)
        classes = CLASSES if options.typed else AGNOSTIC
        learner = DetectorLearner(options, classes, train=train, val=val, start=start)
        card = draft_card(
            "detector",
            options,
            settings={"stride": STRIDE, ARCHITECTURE: json.dumps(structure_of(learner.model))},
            lineage=lineage_of((picture.screen, len(picture.boxes)) for picture in (*train, *val)),
            classes=classes,
            based_on=based_on,
        )
        told = sorted(one.screen.model_dump_json().encode() + one.boxes.tobytes() for one in val)
        judged_on = hashlib.sha256(b"\n".join(told)).hexdigest()
        loop = TrainingLoop(folder, options, learner, card=card, judged_on=judged_on, on_progress=on_progress)
        loop.run(control)
        control.token.check()
        return export_detector(run)


def export_detector(run: Path) -> Path:
    """The best model of a training, also of an unfinished one, as ``run/model``: ONNX, weights to train further, card.

    Raises:
        BadInputError: a FIFO or a device lies in the run.
        ModelError: there is nothing to export yet, a package is missing or the export failed; the run is untouched.
        DiskFullError: no model was made.
    """
    card, weights = RunFolder(run).read_best()
    module = rebuilt(card, weights)
    with disk_errors(run), made_beside(run / "export") as aside:
        tensors = aside / WEIGHTS_FILE
        tensors.write_bytes(weights)
        return write_model(run / "model", card, [export_onnx(module, aside / _ONNX_FILE), tensors]).folder
