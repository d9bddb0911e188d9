"""A network that learns, step by step.

Model, loss, assignment and moving average are ultralytics' own. Its trainer's loop is not used: that stores the average
and the optimiser in half precision, so that a resumed run is another one, counts its time budget in epochs, and writes
settings, plots and logs where nobody asked for them.
"""

from __future__ import annotations

import importlib
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.errors import ModelError
from models.training.detector.batches import Batch, Batches
from models.training.detector.networks import half_weights, import_torch, rebuilt
from models.training.detector.options import DetectorTraining
from models.training.detector.start import Start
from models.vision.detector_boxes import Floats, network_input

__all__ = ["Engine", "pick_device"]

_RATES = {"adamw": 0.001, "sgd": 0.01, "musgd": 0.01}
_LONGEST_GRADIENT = 10.0
_STRIDE = 32


def pick_device(wish: str) -> str:
    """``cuda`` for ``auto`` where torch sees a GPU, ``cpu`` otherwise; any other wish as it is.

    Raises:
        ModelError: torch is not installed.
    """
    if wish != "auto":
        return wish
    return "cuda" if import_torch().cuda.is_available() else "cpu"


class Engine:
    """A model that learns: one call for each step, its whole state as bytes."""

    def __init__(self, options: DetectorTraining, names: tuple[str, ...], *, config: dict[str, Any] | None) -> None:
        """Build a model with fresh weights.

        Args:
            options: the recipe.
            names: the classes.
            config: the model's architecture; None for ``options.model``.

        Raises:
            ModelError: torch or ultralytics is missing, or there is no such model or device.
        """
        torch = self._torch = import_torch()
        self.device = pick_device(options.device)
        torch.set_num_threads(options.threads or os.cpu_count() or 1)
        torch.manual_seed(options.seed)
        tasks: Any = importlib.import_module("ultralytics.nn.tasks")
        try:
            self.model = tasks.DetectionModel(config or options.model, nc=len(names), verbose=False)
            self.model = self.model.to(self.device, memory_format=torch.channels_last)
        except (OSError, RuntimeError, ValueError, KeyError, AssertionError) as error:
            raise ModelError(
                f"The model {options.model} cannot be built on {self.device}.",
                details=f"{type(error).__name__}: {error}",
                hint="Name a detection model of ultralytics, such as yolo11n.yaml, and a device such as cpu or cuda.",
            ) from error
        self.model.names = dict(enumerate(names))
        self.model.args = importlib.import_module("ultralytics.cfg").get_cfg(overrides={"task": "detect"})
        if hasattr(self.model.model[-1], "end2end"):
            self.model.model[-1].end2end = False  # overlaps are ours to judge, see the ADR
        self.config: dict[str, Any] = {k: v for k, v in self.model.yaml.items() if k != "yaml_file"}
        for name, parameter in self.model.named_parameters():
            parameter.requires_grad = ".dfl" not in name
        self._rate = options.learning_rate or _RATES[options.optimizer]
        self._optimizer = self._make_optimizer(options)
        self._ema = self._average()
        self._criterion = self.model.criterion = self.model.init_criterion()

    def _average(self) -> Any:  # noqa: ANN401 - ultralytics is untyped
        return importlib.import_module("ultralytics.utils.torch_utils").ModelEMA(self.model)

    def _make_optimizer(self, options: DetectorTraining) -> Any:  # noqa: ANN401 - torch is untyped here
        nn = self._torch.nn
        norms: tuple[Any, ...] = (nn.BatchNorm2d, nn.LayerNorm, nn.GroupNorm)
        groups: dict[str, list[Any]] = {"weights": [], "filters": [], "plain": []}
        for module in self.model.modules():
            for name, parameter in module.named_parameters(recurse=False):
                if not parameter.requires_grad:
                    continue
                if name == "bias" or isinstance(module, norms):
                    groups["plain"].append(parameter)
                else:
                    groups["filters" if parameter.ndim in {2, 4} else "weights"].append(parameter)
        decay = options.weight_decay
        parts = [
            {"params": groups["plain"], "weight_decay": 0.0},
            {"params": groups["weights"], "weight_decay": decay},
        ]
        filters = {"params": groups["filters"], "weight_decay": decay}
        if options.optimizer == "musgd":
            kind: Any = importlib.import_module("ultralytics.optim").MuSGD
            parts.append({**filters, "use_muon": True})
            return kind(parts, lr=self._rate, momentum=0.9, nesterov=True, muon=0.2, sgd=1.0)
        parts.append(filters)
        if options.optimizer == "sgd":
            return self._torch.optim.SGD(parts, lr=self._rate, momentum=0.9, nesterov=True)
        return self._torch.optim.AdamW(parts, lr=self._rate, betas=(0.9, 0.999))

    def batches(self, source: Batches, *, start: int, workers: int) -> Iterator[Batch]:
        """The batches from a step on, without end, prepared by other processes where ``workers`` is not 0."""
        if workers == 0:
            return (source[step] for step in range(start, len(source)))
        loader = self._torch.utils.data.DataLoader(
            source, batch_size=None, sampler=range(start, len(source)), num_workers=workers, prefetch_factor=4
        )
        return iter(loader)

    def step(self, batch: Batch, *, rate: float, done: float) -> dict[str, float]:
        """Learn from one batch.

        Args:
            batch: the crops.
            rate: share of the highest learning rate.
            done: share of the training that is done; models without suppression shift their loss along it.

        Returns:
            The losses.

        Raises:
            ModelError: the loss is no number any more.
        """
        torch = self._torch
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate * rate
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
        total = loss.sum()
        if not bool(torch.isfinite(total)):
            raise ModelError(
                "The training went astray: its loss is no number any more. The last checkpoint is whole.",
                hint="Train again in a new folder with a lower learning rate.",
            )
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=_LONGEST_GRADIENT)
        self._optimizer.step()
        self._optimizer.zero_grad()
        self._ema.update(self.model)
        return {str(name): float(value) for name, value in parts.items()}

    def predictor(self) -> Callable[[RgbImage], Floats]:
        """The averaged model as a function from a picture to its raw output, see ``detector_boxes.decode``."""
        torch, model = self._torch, self._ema.ema
        model.eval()

        def predict(image: RgbImage) -> Floats:
            with torch.no_grad():
                given = torch.from_numpy(network_input(image, stride=_STRIDE)).to(self.device)
                raw = model(given.contiguous(memory_format=torch.channels_last))
            found: Floats = np.asarray(raw[0][0].float().cpu().numpy(), dtype=np.float32)
            return found

        return predict

    def weights(self) -> bytes:
        """The averaged model's weights in half precision, as safetensors."""
        return half_weights(self._ema.ema)

    def begin_with(self, start: Start) -> None:
        """Take over the weights of another model, as far as they fit; classes are matched by name."""
        self.model.load(rebuilt(start), verbose=False)
        self._ema = self._average()

    def state(self) -> dict[str, Any]:
        """Everything that the next step depends on, in full precision."""
        return {
            "model": self.model.state_dict(),
            "average": self._ema.ema.state_dict(),
            "updates": self._ema.updates,
            "optimizer": self._optimizer.state_dict(),
            "random": self._torch.get_rng_state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state.

        Raises:
            ModelError: it belongs to another model.
        """
        try:
            self.model.load_state_dict(state["model"])
            self._ema = self._average()
            self._ema.ema.load_state_dict(state["average"])
            self._ema.updates = int(state["updates"])
            self._optimizer.load_state_dict(state["optimizer"])
            self._torch.set_rng_state(state["random"])
        except (RuntimeError, KeyError, ValueError, TypeError) as error:
            raise ModelError(
                "The checkpoint belongs to another model.",
                details=str(error),
                hint="Train in a new folder.",
            ) from error

    def save(self, content: dict[str, Any]) -> bytes:
        """A dictionary with tensors as bytes."""
        data = io.BytesIO()
        self._torch.save(content, data)
        return data.getvalue()

    def load(self, path: Path) -> dict[str, Any]:
        """What ``save`` made; nothing in the file is executed.

        Raises:
            ModelError: the file is damaged.
        """
        try:
            content: dict[str, Any] = self._torch.load(path, map_location="cpu", weights_only=True)
        except Exception as error:  # a damaged archive fails in as many ways as there are
            raise ModelError(
                f"The checkpoint {path} cannot be read.",
                details=f"{type(error).__name__}: {error}",
                hint="Remove the folder and train again.",
            ) from error
        return content
