"""The one place of the describer's training that touches torch and transformers: network, loss, optimiser."""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.errors import ModelError
from models.training.describer.batches import Batch
from models.training.describer.options import DescriberTraining, ModelSize
from models.vision.masking import CENTRE

__all__ = ["Network", "load_torch", "new_model"]

Untyped: TypeAlias = Any
"""Something of torch or transformers, which are untyped here."""
_COLUMNS = 2 * CENTRE
"""Row and column numbers that the network knows."""
_STEPS_OF_TIME = 1000
_FURTHEST = 40.0
"""Patches in the longest wave, over 6.28."""


def load_torch() -> Untyped:
    """torch, or a sentence about what is missing.

    Raises:
        ModelError: torch or transformers is not installed.
    """
    try:
        importlib.import_module("transformers")
        return importlib.import_module("torch")
    except ImportError as error:
        raise ModelError(
            "Training a describer needs torch and transformers, which are not installed.",
            details=str(error),
            hint="In the checkout: uv sync --extra train, or pip install '.[train]'.",
        ) from error


def new_model(size: ModelSize, words: int, *, dropout: float = 0.0) -> Untyped:
    """A ``Pix2StructForConditionalGeneration`` with fresh weights."""
    transformers: Any = importlib.import_module("transformers")
    shared = {"hidden_size": size.width, "d_ff": size.hidden, "d_kv": size.width // size.heads, "dropout_rate": dropout,
              # The tanh form in one operation; the default writes it out in eight.
              "dense_act_fn": "gelu_pytorch_tanh"}  # fmt: skip
    text = {
        **shared,
        "vocab_size": words,
        "num_layers": size.decoder_layers,
        "num_heads": size.heads,
        "pad_token_id": 0,
        "eos_token_id": 1,
        "decoder_start_token_id": 0,
    }
    vision = {
        **shared,
        "num_hidden_layers": size.encoder_layers,
        "num_attention_heads": size.heads,
        "seq_len": _COLUMNS,
        # The library's default of 1e-10 is meant for weights that are loaded; from it nothing is learned.
        "initializer_range": 0.02,
    }
    config = transformers.Pix2StructConfig(
        text_config=text, vision_config=vision, initializer_range=0.02, tie_word_embeddings=False
    )
    model = transformers.Pix2StructForConditionalGeneration(config)
    _place(model.encoder.embeddings, size.width)
    return model


def _place(embeddings: Untyped, width: int) -> None:
    """Begin with rows and columns as waves: near places are alike, and attention to the middle is found early.

    The library's own beginning is noise, far weaker than the pixels; most of a short training would go into it.
    """
    half = width // 2
    rates = _FURTHEST ** -np.linspace(0, 1, half // 2)
    angles = np.arange(_COLUMNS)[:, None] * rates
    waves = (0.5 * np.concatenate([np.sin(angles), np.cos(angles)], axis=1)).astype(np.float32)
    for table, first in ((embeddings.row_embedder, 0), (embeddings.column_embedder, half)):
        weight = table.weight.data
        weight.zero_()
        weight[:, first : first + waves.shape[1]] = weight.new_tensor(waves)


def _load(model: Untyped, weights: Path) -> None:
    try:
        model.load_state_dict(importlib.import_module("safetensors.torch").load_file(weights))
    except Exception as error:  # a damaged file fails in as many ways as there are
        raise ModelError(
            f"{weights} are no weights to begin with: damaged, or of another network.",
            details=f"{type(error).__name__}: {error}",
            hint="Train a fresh model, or name another one.",
        ) from error


@dataclass
class Network:
    """A model in training, its averaged copy, and the optimiser.

    Attributes:
        torch: the library.
        device: ``cpu`` or ``cuda``.
        model: what learns.
        smooth: its average over the last steps, which is what is measured and kept.
        optimiser: AdamW.
        options: as given.
    """

    torch: Any
    device: str
    model: Any
    smooth: Any
    optimiser: Any
    options: DescriberTraining

    @classmethod
    def start(cls, options: DescriberTraining, words: int, weights: Path | None = None) -> Network:
        """A fresh one, or one with the weights of a safetensors file.

        Raises:
            ModelError: a library is missing, the weights are of another network, or a graphics card is asked for and
                there is none.
        """
        torch = load_torch()
        there = bool(torch.cuda.is_available())
        if options.device == "cuda" and not there:
            raise ModelError("There is no graphics card that torch can use.", hint='Train with device "auto" or "cpu".')
        device = "cuda" if there and options.device != "cpu" else "cpu"
        torch.set_num_threads(options.threads)
        torch.manual_seed(options.seed)
        model = new_model(options.size, words, dropout=options.dropout).to(device).train()
        if weights is not None:
            _load(model, weights)
        smooth = new_model(options.size, words).to(device).eval()
        smooth.load_state_dict(model.state_dict())
        # Gains of the norms and the places' vectors are few and must stay free.
        plain = [p for name, p in model.named_parameters() if p.ndim < 2 or "embed" in name]
        heavy = [p for name, p in model.named_parameters() if not (p.ndim < 2 or "embed" in name)]
        groups = [{"params": heavy, "weight_decay": options.weight_decay}, {"params": plain, "weight_decay": 0.0}]
        optimiser = torch.optim.AdamW(groups, lr=options.learning_rate, betas=(0.9, 0.98))
        return cls(torch, device, model, smooth, optimiser, options)

    def rate(self, step: int, seconds: float) -> float:
        """The learning rate: up during the warm-up, then down along a cosine to zero where the budget ends."""
        # In whole thousandths, so that a run that was interrupted takes the same steps as one that was not.
        time = math.floor(seconds / (60 * self.options.minutes) * _STEPS_OF_TIME) / _STEPS_OF_TIME
        done = min(1.0, max(step / self.options.steps, time))
        warm = min(1.0, (step + 1) / max(1, self.options.warmup))
        return self.options.learning_rate * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))

    def step(self, batch: Batch, number: int, seconds: float) -> dict[str, float]:
        """Learn from one batch; returns the losses."""
        torch = self.torch
        # What is left out is decided by the step alone, so that a resumed training is the same training.
        torch.manual_seed(1_000_003 * self.options.seed + number)
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate(number, seconds)
        heads, text = self._losses(self.model, batch)
        loss = heads + self.options.text_weight * text
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        weight = 1 - min(self.options.smoothing, (1 + number) / (10 + number))
        with torch.no_grad():
            pairs = zip(self.smooth.parameters(), self.model.parameters(), strict=True)
            for slow, fast in pairs:
                slow.lerp_(fast, weight)
        return {"loss": float(heads.detach()), "text_loss": float(text.detach())}

    def _losses(self, model: Untyped, batch: Batch) -> tuple[Untyped, Untyped]:
        torch = self.torch
        logits, labels, text = self._logits(model, batch)
        each = torch.nn.functional.cross_entropy(
            logits.float().flatten(0, 1), labels.flatten(), ignore_index=-100, reduction="none"
        ).view_as(labels)
        counted = labels != -100
        head = (each * (counted & ~text)).sum() / (counted & ~text).sum().clamp(min=1)
        return head, (each * (counted & text)).sum() / (counted & text).sum().clamp(min=1)

    def _logits(self, model: Untyped, batch: Batch) -> tuple[Untyped, Untyped, Untyped]:
        torch = self.torch
        patches, inputs, labels, text = (
            torch.from_numpy(array).to(self.device, non_blocking=True)
            for array in (batch.patches, batch.inputs, batch.labels, batch.text)
        )
        with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda"):
            # Neither needs a mask: a view has no padding, and an answer is padded at its end, where nothing looks.
            out = model(flattened_patches=patches, decoder_input_ids=inputs, use_cache=False)
        return out.logits, labels, text

    def measure(self, batch: Batch) -> tuple[float, npt.NDArray[np.intp]]:
        """Summed loss of the heads, and the averaged model's best guess at each place, shape (n, length)."""
        torch = self.torch
        with torch.inference_mode():
            logits, labels, text = self._logits(self.smooth, batch)
            each = torch.nn.functional.cross_entropy(
                logits.float().flatten(0, 1), labels.flatten(), ignore_index=-100, reduction="none"
            ).view_as(labels)
            counted = (labels != -100) & ~text
            return float((each * counted).sum()), logits.argmax(-1).cpu().numpy()

    def state(self) -> dict[str, Any]:
        """Everything that going on needs."""
        return {
            "model": self.model.state_dict(),
            "smooth": self.smooth.state_dict(),
            "optimiser": self.optimiser.state_dict(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from what ``state`` gave."""
        self.model.load_state_dict(state["model"])
        self.smooth.load_state_dict(state["smooth"])
        self.optimiser.load_state_dict(state["optimiser"])
