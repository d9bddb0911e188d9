"""Makes a model folder of a training: 16-bit weights, graphs that run without torch, the words, and the card."""

from __future__ import annotations

import importlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from demopack.atomic import disk_errors
from demopack.errors import BadInputError
from demopack.regular_files import check_regular
from demopack.replacing import made_beside
from models.registry import Lineage, ModelCard, write_model
from models.training.describer.checkpoints import BEST, BEST_CARD
from models.training.describer.graph import Shape, write_graphs
from models.training.describer.network import load_torch, new_model
from models.training.describer.options import DescriberTraining
from models.vision.describer_words import FILE, Vocabulary

__all__ = ["CONFIG", "WEIGHTS", "export_describer"]

WEIGHTS = "model.safetensors"
CONFIG = "config.json"


def export_describer(
    run: Path,
    *,
    name: str = "describer",
    reads_text: bool = False,
    metrics: Mapping[str, float] | None = None,
    notes: str = "",
) -> Path:
    """The best model of a training as ``run/model``.

    Args:
        run: the folder of the training.
        name: the model's id.
        reads_text: whether its texts count. OCR reads better than a model of this size until a measurement on held-out
            screens says otherwise.
        metrics: such measurements, for the card, beside those on the validation screens.
        notes: for the card.

    Raises:
        BadInputError: nothing was learned yet, or what was kept is damaged.
        ModelError: a library is missing.
        DiskFullError: no model was made.
    """
    best, about = _best(run)
    options = DescriberTraining.model_validate(about["options"])
    words = Vocabulary.load(run / FILE)
    with disk_errors(run), made_beside(run / "export") as aside:
        files = _write(aside, best, options, words)
        shutil.copyfile(run / FILE, aside / FILE)
        card = ModelCard(
            id=name,
            kind="describer",
            created="",
            files={},
            options={**_options(options), "reads_text": reads_text},
            lineage=tuple(Lineage.model_validate(entry) for entry in about["lineage"]),
            training=_flat(about),
            metrics={**cast("dict[str, float]", about["metrics"]), **(metrics or {})},
            based_on=str(about["based_on"]),
            notes=notes,
        )
        return write_model(run / "model", card, [*files, aside / FILE]).folder


def _best(run: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    check_regular(run)
    torch = load_torch()
    try:
        weights: Any = torch.load(run / BEST, map_location="cpu", weights_only=True)
        about: Any = json.loads((run / BEST_CARD).read_text(encoding="utf-8"))
    except Exception as error:  # a damaged file fails in as many ways as there are
        raise BadInputError(
            f"The training in {run} has no whole model yet.",
            details=f"{type(error).__name__}: {error}",
            hint="Let it run until it has looked at the validation screens once.",
        ) from error
    return weights, about


def _write(folder: Path, weights: dict[str, Any], options: DescriberTraining, words: Vocabulary) -> list[Path]:
    torch = load_torch()
    safetensors: Any = importlib.import_module("safetensors.torch")
    model = new_model(options.size, len(words.words))
    model.load_state_dict(weights)
    half = {name: tensor.to(torch.float16).contiguous() for name, tensor in model.state_dict().items()}
    safetensors.save_file(half, folder / WEIGHTS, metadata={"format": "pt"})
    (folder / CONFIG).write_text(model.config.to_json_string(use_diff=False), encoding="utf-8")
    size = options.size
    shape = Shape(
        patches=size.patches,
        width=size.width,
        hidden=size.hidden,
        heads=size.heads,
        encoder_layers=size.encoder_layers,
        decoder_layers=size.decoder_layers,
        epsilon=float(model.config.vision_config.layer_norm_eps),
    )
    return [folder / WEIGHTS, folder / CONFIG, *write_graphs(folder, WEIGHTS, shape)]


def _options(options: DescriberTraining) -> dict[str, str | int | float | bool]:
    size = options.size
    return {
        "patches": size.patches,
        "heads": size.heads,
        "width": size.width,
        "decoder_layers": size.decoder_layers,
        "text_length": options.text_length if options.text_weight > 0 else 0,
    }


def _flat(about: dict[str, Any]) -> dict[str, str | int | float | bool]:
    options = dict(about["options"])
    size = options.pop("size")
    options.pop("start_from")
    return {**options, **{f"size_{name}": value for name, value in size.items()}, "step": about["step"],
            "seconds": about["seconds"]}  # fmt: skip
