"""Training of a describer within a budget, and the model folder made of it: weights, graphs without torch, words."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from demopack.atomic import disk_errors, write_text_atomic
from demopack.jobs import JobControl
from demopack.replacing import made_beside
from models.registry import ModelCard, ModelFolder, is_model, open_model, write_model
from models.training.describer.network import DescriberLearner, new_model
from models.training.describer.onnx_export import write_graphs
from models.training.describer.samples import Samples, open_samples
from models.training.options import DescriberTraining, ModelSize
from models.training.run_folder import RunFolder, draft_card
from models.training.torch_support import import_torch, load_safetensors
from models.training.training_loop import OnProgress, TrainingLoop
from models.vision.describer_words import FILE, SUBTYPES, DescriberTokenizer
from models.vision.weights import unusable

_WEIGHTS = "model.safetensors"
_CONFIG = "config.json"
_MIN_SUBTYPE_COUNT = 20
"""A subtype gets a word of its own when it is seen this often."""
_SIZE = "size_"
"""Prefix of the network's size in a card."""


def train_describer(
    sets: Sequence[Path],
    run: Path,
    *,
    options: DescriberTraining | None = None,
    control: JobControl | None = None,
    on_progress: OnProgress | None = None,
) -> Path:
    """Train until the budget is spent, the validation screens tell no improvement any more, or the user stops.

    Called again with the same folder it goes on where it was, also after the process was killed.

    Args:
        sets: folders of screens.
        run: checkpoints, progress and the result.
        options: the recipe.
        control: asked between two steps; stopping keeps everything and still makes the model.
        on_progress: told every twenty steps, and after every validation.

    Returns:
        ``run/model``, which ``models.registry.open_model`` opens.

    Raises:
        BadInputError: there is nothing to learn from, the run has another recipe, or holds a FIFO.
        ModelError: a library is missing, a model cannot be used, or the training went astray.
        CancelledError: stopped before anything was learned.
        DiskFullError: the last checkpoint is whole.
    """
    control, options, base = control or JobControl(), options or DescriberTraining(), None
    if options.start_from is not None:
        inner = options.start_from / "model"
        base = open_model(inner if is_model(inner) else options.start_from, kind="describer")
        options = options.model_copy(update={"size": _size_of(base.card)})
    with RunFolder.opened(run, options) as folder:
        samples = open_samples(sets, run / "samples", options, control)
        words = _vocabulary(run / FILE, samples, base)
        weights = None if base is None else base.file(_WEIGHTS).read_bytes()
        learner = DescriberLearner(options, words, samples, weights=weights)
        size = options.size
        card = draft_card(
            "describer",
            options,
            settings={
                "patches": size.patches,
                "heads": size.heads,
                "width": size.width,
                "decoder_layers": size.decoder_layers,
                "text_length": options.text_length if options.text_weight > 0 else 0,
                # OCR reads better than a model of this size until a measurement on held-out screens says otherwise.
                "reads_text": False,
            },
            lineage=samples.lineage,
            based_on="" if base is None else f"{base.card.id}-{base.card.digest}",
        )
        loop = TrainingLoop(folder, options, learner, card=card, judged_on=_digest(samples), on_progress=on_progress)
        loop.run(control, use_stopped=True)
        return export_describer(run)


def _size_of(card: ModelCard) -> ModelSize:
    told = {name.removeprefix(_SIZE): value for name, value in card.training.items() if name.startswith(_SIZE)}
    message = f"The card of {card.id} does not tell the size of its network."
    with unusable(message, hint="Train a fresh model, or name another one.", failures=(ValidationError,)):
        return ModelSize.model_validate(told)


def _vocabulary(path: Path, samples: Samples, base: ModelFolder | None) -> DescriberTokenizer:
    """The words of this run: decided at its beginning, because the network's last layer has one output for each."""
    if path.exists():
        return DescriberTokenizer.load(path)
    if base is not None:
        words = DescriberTokenizer.load(base.file(FILE))
    else:
        found = [answer.partition("subtype=")[2].partition(" ")[0] for answer in samples.answers]
        more = sorted({word for word in set(found) - {"", *SUBTYPES} if found.count(word) >= _MIN_SUBTYPE_COUNT})
        words = DescriberTokenizer.standard(more)
    write_text_atomic(path, words.to_json())
    return words


def _digest(samples: Samples) -> str:
    told = [
        f"{answer} {box.tolist()}"
        for answer, box, own in zip(samples.answers, samples.boxes, samples.validation, strict=True)
        if own
    ]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def export_describer(run: Path) -> Path:
    """The best model of a training as ``run/model``: 16-bit weights, graphs that run without torch, words and card.

    Raises:
        BadInputError: a FIFO or a device lies in the run.
        ModelError: nothing was learned yet, a library is missing, or what was kept is damaged.
        DiskFullError: no model was made.
    """
    card, weights = RunFolder(run).read_best()
    import_torch("transformers")
    size, words = _size_of(card), DescriberTokenizer.load(run / FILE)
    model = new_model(size, len(words.words))
    load_safetensors(model, weights, name=card.id)
    with disk_errors(run), made_beside(run / "export") as aside:
        tensors, config = aside / _WEIGHTS, aside / _CONFIG
        tensors.write_bytes(weights)
        config.write_text(model.config.to_json_string(use_diff=False), encoding="utf-8")
        shutil.copyfile(run / FILE, aside / FILE)
        files = [tensors, config, *write_graphs(aside, model, tensors, patches=size.patches), aside / FILE]
        return write_model(run / "model", card, files).folder
