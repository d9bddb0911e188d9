"""Network of the detector as torch and ultralytics hold it: built, read, trained, measured, written as ONNX.

Model, loss, assignment, moving average and export are ultralytics' own. Its trainer's loop is not used, see ADR-0016.
The figures are for early stopping and curves; those of all models together come from ``python -m lab eval``.
"""

from __future__ import annotations

import importlib
import json
import warnings
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demopack.atomic import write_bytes_atomic
from demopack.domain.overlap import iou_matrix
from demopack.errors import ModelError
from models.registry import ModelCard, is_model, open_model, resolve
from models.training.detector.samples import Boxes, CropBatch, CropBatches, PixelCache, TrainingScreen
from models.training.options import DetectorTraining
from models.training.torch_support import (
    EXPORT_FAILURES,
    EXPORT_HINT,
    Untyped,
    begin_torch,
    import_torch,
    load_safetensors,
    make_optimizer,
)
from models.vision.detector import Floats, Rows, decode, network_input, suppress
from models.vision.weights import load_yolo, unusable

FIGURE = "figure"
"""The one that decides which weights are the best: the mean over the sources of AP50 without and with types."""
_MIN_CONFIDENCE = 0.05
_COUNTED_CONFIDENCE = 0.3
_HIT_IOU = 0.5
_MAX_IOU = 0.4
"""Overlap (IoU) above which the weaker of two boxes is dropped."""
_MAX_DETECTIONS = 1000


_Judged = tuple[Floats, NDArray[np.bool_], NDArray[np.bool_], int]
"""Of one screen: scores of the finds, which of them hit, which have the right class too, and how much is there."""


def choose_screens(pictures: Sequence[TrainingScreen], *, most: int) -> list[TrainingScreen]:
    """At most so many screens, as many of each source, spread evenly over its groups."""
    by_source: dict[str, list[TrainingScreen]] = {}
    for picture in pictures:
        by_source.setdefault(picture.screen.source, []).append(picture)
    chosen: list[TrainingScreen] = []
    for number, source in enumerate(sorted(by_source)):
        share = most // len(by_source) + (1 if number < most % len(by_source) else 0)
        have = by_source[source]
        picked = {int(i) for i in np.linspace(0, len(have) - 1, num=min(share, len(have)))}
        chosen += [have[i] for i in sorted(picked)]
    return chosen


def figures(finds: Iterable[tuple[TrainingScreen, Rows]]) -> dict[str, float]:
    """Precision, recall and so on, over all and by source, of what was found on some screens."""
    judged: dict[str, list[_Judged]] = {}
    for picture, found in finds:
        hit, typed = match(found, picture.boxes, picture.classes)
        judged.setdefault(picture.screen.source, []).append((found[:, 4], hit, typed, len(picture.boxes)))
    told = _metrics_of([one for many in judged.values() for one in many])
    each = {source: _metrics_of(many) for source, many in judged.items()}
    for source, values in each.items():
        told.update({f"{name}/{source}": value for name, value in values.items() if name in {"f1", "type", "ap50"}})
    told[FIGURE] = float(np.mean([(v["ap50"] + v["ap50_typed"]) / 2 for v in each.values()])) if each else 0.0
    return {name: round(value, 4) for name, value in told.items()}


def match(found: Rows, boxes: Boxes, classes: NDArray[np.intp]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which finds hit a true box that no surer one has hit, and which of these have its class, too."""
    hit, typed = np.zeros(len(found), dtype=bool), np.zeros(len(found), dtype=bool)
    if not len(boxes) or not len(found):
        return hit, typed
    overlaps = iou_matrix(found[:, :4], boxes)
    for i in range(len(found)):
        best = int(overlaps[i].argmax())
        if overlaps[i, best] >= _HIT_IOU:
            hit[i], typed[i] = True, bool(found[i, 5] == classes[best])
            overlaps[:, best] = -1
    return hit, typed


def average_precision(scores: Floats, hit: NDArray[np.bool_], truths: int) -> float:
    """The area below the precision-recall curve, precision made falling first."""
    if not truths or not len(scores):
        return 0.0
    hits = np.cumsum(hit[np.argsort(-scores, kind="stable")])
    precision = hits / np.arange(1, len(hits) + 1)
    falling = np.maximum.accumulate(precision[::-1])[::-1]
    recall = np.concatenate([[0.0], hits / truths])
    return float(np.sum(np.diff(recall) * falling))


def _metrics_of(judged: Sequence[_Judged]) -> dict[str, float]:
    if not judged:
        return {}
    scores, hit, typed = (np.concatenate([one[part] for one in judged]) for part in range(3))
    truths = sum(one[3] for one in judged)
    sure = scores > _COUNTED_CONFIDENCE
    hits, finds = int(hit[sure].sum()), int(sure.sum())
    return {
        "precision": hits / max(1, finds),
        "recall": hits / max(1, truths),
        "f1": 2 * hits / max(1, finds + truths),
        "type": int(typed[sure].sum()) / max(1, hits),
        "ap50": average_precision(scores, hit, truths),
        "ap50_typed": average_precision(scores, typed, truths),
    }


WEIGHTS_FILE = "detector.safetensors"
"""In a model folder: weights to train further; using the model needs the other file alone."""
ARCHITECTURE = "architecture"
"""In a card's options: the model's structure, ultralytics' YAML as JSON."""
STRIDE = 32
_MAX_GRADIENT_NORM = 10.0
_FURTHER_DECAY = 0.997
"""Of the weights' moving average: it looks back three hundred steps, from the first one on."""
_WORKERS = 12
_EXPORT_SIDE = 640
_EXPORT: dict[str, object] = {
    "mode": "export", "format": "onnx", "dynamic": True, "simplify": False, "imgsz": _EXPORT_SIDE, "device": "cpu",
    "batch": 1, "max_det": 1000,
}  # fmt: skip
_METADATA = {"names", "stride", "task", "head", "end2end", "channels"}


def rebuilt(card: ModelCard, weights: bytes) -> Untyped:
    """A trained model as ultralytics' ``DetectionModel``, of the structure and classes that its card tells.

    Raises:
        ModelError: torch or ultralytics is missing, has no such structure, or its weights do not fit it.
    """
    import_torch("ultralytics")
    tasks: Any = importlib.import_module("ultralytics.nn.tasks")
    hint = "Install the version of ultralytics that it was trained with, or start from another model."
    with unusable(f"The detector {card.id} cannot be built here.", hint=hint):
        config = json.loads(str(card.options[ARCHITECTURE]))
        module = tasks.DetectionModel(config, nc=len(card.classes), verbose=False)
    module.names = dict(enumerate(card.classes))
    load_safetensors(module, weights, name=f"the detector {card.id}")
    return module


def read_weights(path: Path, *, threads: int) -> tuple[str, Untyped]:
    """Name and ``DetectionModel`` at a path: a model folder, a run folder, a name in the registry, or a ``.pt``.

    Raises:
        ModelError: there is none, or it has no weights to train further; the message names it.
    """
    if path.suffix == ".pt":
        return path.stem, load_yolo(path, threads=threads).model.float()
    inner = path / "model"
    model = open_model(inner, kind="detector") if is_model(inner) else resolve("detector", str(path))
    if model is None:
        raise ModelError("No detector is shipped with this installation.", hint="Name a model folder to start from.")
    if WEIGHTS_FILE not in model.card.files or not model.card.options.get(ARCHITECTURE):
        raise ModelError(
            f"The model {model.card.id} cannot be trained further: it has no {WEIGHTS_FILE}.",
            hint="Start from another model, or from nothing.",
        )
    return model.card.id, rebuilt(model.card, model.file(WEIGHTS_FILE).read_bytes())


def structure_of(module: Untyped) -> dict[str, Any]:
    """The structure of a ``DetectionModel``, as in ultralytics' YAML."""
    return {name: value for name, value in module.yaml.items() if name != "yaml_file"}


class DetectorLearner:
    """Detector in training: the network, its moving average, and the screens that it learns from."""

    def __init__(
        self,
        options: DetectorTraining,
        names: tuple[str, ...],
        *,
        train: list[TrainingScreen],
        val: list[TrainingScreen],
        start: Untyped,
    ) -> None:
        """Build a model.

        Args:
            options: the recipe.
            names: the classes.
            train: screens to learn from.
            val: screens to measure on; where there are none, the last weights are the best.
            start: a ``DetectionModel`` that gives its structure and, as far as they fit, its weights; fresh ones of
                ``options.model`` when None.

        Raises:
            ModelError: torch or ultralytics is missing, or there is no such model or device.
        """
        torch, self.device = begin_torch("ultralytics", options)
        self._torch = torch
        tasks: Any = importlib.import_module("ultralytics.nn.tasks")
        hint = "Name a detection model of ultralytics, such as yolo11n.yaml, and a device such as cpu or cuda."
        failures = (OSError, RuntimeError, ValueError, KeyError, AssertionError)
        with unusable(f"The model {options.model} cannot be built on {self.device}.", hint=hint, failures=failures):
            structure = options.model if start is None else structure_of(start)
            self.model = tasks.DetectionModel(structure, nc=len(names), verbose=False)
            self.model = self.model.to(self.device, memory_format=torch.channels_last)
        self.model.names = dict(enumerate(names))
        recipe: dict[str, Any] = {"task": "detect", **{str(name): gain for name, gain in options.gains.items()}}
        self.model.args = importlib.import_module("ultralytics.cfg").get_cfg(overrides=recipe)
        if hasattr(self.model.model[-1], "end2end"):
            self.model.model[-1].end2end = False  # overlaps are ours to judge, see the ADR
        for name, parameter in self.model.named_parameters():
            parameter.requires_grad = ".dfl" not in name
        self._val = val
        self._read = PixelCache(megabytes=options.cache_mb)
        self._crops = CropBatches(train, options)
        self._workers = options.workers if options.workers >= 0 else 0 if self.device == "cpu" else _WORKERS
        self.optimizer = make_optimizer(torch, self.model, options, betas=(0.9, 0.999))
        if start is not None:
            self.model.load(start, verbose=False)
        average: Any = importlib.import_module("ultralytics.utils.torch_utils").ModelEMA
        # The average of one that is trained further begins with what it began with, and leaves that slowly.
        self._ema = average(self.model) if start is None else average(self.model, decay=_FURTHER_DECAY, tau=1)
        self.average = self._ema.ema
        self._criterion = self.model.criterion = self.model.init_criterion()

    def batches(self, first: int) -> Generator[CropBatch]:
        """The batches from a step on, prepared by other processes where the options or a GPU ask for it."""
        if self._workers == 0:
            yield from (self._crops[step] for step in range(first, len(self._crops)))
        else:
            yield from self._torch.utils.data.DataLoader(
                self._crops, batch_size=None, sampler=range(first, len(self._crops)), num_workers=self._workers,
                prefetch_factor=4,
            )  # fmt: skip

    def step(self, batch: CropBatch, number: int, *, done: float) -> dict[str, float]:
        """Learn from one batch; models without suppression shift their loss along the training."""
        torch = self._torch
        if hasattr(self._criterion, "o2m"):
            self._criterion.o2m = 0.8 - 0.7 * done
            self._criterion.o2o = 1 - self._criterion.o2m
        self.model.train()
        images = torch.from_numpy(batch.images).to(self.device).permute(0, 3, 1, 2)
        truth = {
            "img": images.float().div_(255),  # channels last, as the pictures are
            "cls": torch.from_numpy(batch.classes).to(self.device).float().view(-1, 1),
            "bboxes": torch.from_numpy(batch.boxes).to(self.device),
            "batch_idx": torch.from_numpy(batch.owners).to(self.device).float(),
        }
        with torch.autocast(self.device.split(":")[0], dtype=torch.bfloat16, enabled=self.device != "cpu"):
            loss, parts = self.model(truth)
        loss.sum().backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=_MAX_GRADIENT_NORM)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self._ema.updates = number
        self._ema.update(self.model)
        return {str(name): float(value) for name, value in parts.items()}

    def validate(self) -> tuple[dict[str, float], float | None]:
        """Figures of the averaged model on the validation screens."""
        if not self._val:
            return {}, None
        self.average.eval()
        told = figures((picture, self._find(picture)) for picture in self._val)
        return told, told[FIGURE]

    def _find(self, picture: TrainingScreen) -> Rows:
        torch = self._torch
        with torch.no_grad():
            given = torch.from_numpy(network_input(self._read(picture), stride=STRIDE)).to(self.device)
            raw = self.average(given.contiguous(memory_format=torch.channels_last))[0][0].float().cpu().numpy()
        return suppress(decode(raw, confidence=_MIN_CONFIDENCE), iou=_MAX_IOU, most=_MAX_DETECTIONS)


def export_onnx(module: Untyped, path: Path) -> Path:
    """Write a detection model as ONNX, by ultralytics' own export, for pictures of any size.

    Args:
        module: an ultralytics ``DetectionModel``.
        path: the file to write; ends with ``.onnx``.

    Raises:
        ModelError: onnx is missing, or the export failed.
    """
    message = "The trained detector could not be written as ONNX; the training is kept."
    with unusable(message, hint=EXPORT_HINT, failures=EXPORT_FAILURES):
        onnx: Any = importlib.import_module("onnx")
        exporter: Any = importlib.import_module("ultralytics.engine.exporter")
        module = module.float().cpu()
        module.model[-1].end2end = False  # overlaps are ours to judge
        # What ultralytics asks a model that it has loaded itself.
        module.pt_path, module.task = str(path.with_suffix(".pt")), "detect"
        module.args = {"imgsz": _EXPORT_SIDE, "data": ""}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # how ultralytics asks torch for ONNX is between these two
            exporter.Exporter(overrides=_EXPORT)(model=module)
        proto = onnx.load(str(path))
        # Without date and versions, equal weights give equal files.
        kept = {p.key: p.value for p in proto.metadata_props if p.key in _METADATA}
        del proto.metadata_props[:]
        onnx.helper.set_model_props(proto, kept)
        write_bytes_atomic(path, proto.SerializeToString(deterministic=True))
    return path
