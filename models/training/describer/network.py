"""Network of the describer: transformers' Pix2Struct, built, trained step by step, and measured."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Generator
from typing import Any

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import ELEMENT_TYPES
from models.training.describer.samples import PatchBatch, PatchBatches, Samples
from models.training.options import DescriberTraining, ModelSize
from models.training.torch_support import (
    Untyped,
    begin_torch,
    load_safetensors,
    make_optimizer,
)
from models.vision.describer_words import DescriberTokenizer
from models.vision.description import NOTHING, SUBTYPE
from models.vision.patches import CENTRE

_COLUMNS = 2 * CENTRE
"""Row and column numbers that the network knows."""
_MAX_WAVELENGTH = 40.0
"""Patches in the longest wave, over 6.28."""
_VALIDATION_BATCH = 64


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
    rates = _MAX_WAVELENGTH ** -np.linspace(0, 1, half // 2)
    angles = np.arange(_COLUMNS)[:, None] * rates
    waves = (0.5 * np.concatenate([np.sin(angles), np.cos(angles)], axis=1)).astype(np.float32)
    for table, first in ((embeddings.row_embedder, 0), (embeddings.column_embedder, half)):
        weight = table.weight.data
        weight.zero_()
        weight[:, first : first + waves.shape[1]] = weight.new_tensor(waves)


def _names(word: str, *, is_text: bool, is_first: bool) -> tuple[str, ...]:
    """The figures that a word counts for."""
    if is_text:
        return ("character",)
    if word == NOTHING:
        return ("nothing",)
    if is_first:
        return ("type", word)
    if word.startswith(SUBTYPE):
        return ("subtype",)
    if word.endswith("=yes"):
        return ("state", "state_yes")
    return ("state",) if word.endswith("=no") else ()


class DescriberLearner:
    """Describer in training: the network, its average over the last steps, and the samples that it learns from."""

    def __init__(
        self, options: DescriberTraining, words: DescriberTokenizer, samples: Samples, *, weights: bytes | None
    ) -> None:
        """Build a network.

        Args:
            options: the recipe.
            words: its vocabulary.
            samples: to learn from and to measure on.
            weights: to begin with, as safetensors; fresh ones when None.

        Raises:
            ModelError: a library is missing, the weights are of another network, or a graphics card is asked for and
                there is none.
        """
        torch, self._device = begin_torch("transformers", options)
        self._torch, self._options, self._words = torch, options, words
        self.model = new_model(options.size, len(words.words), dropout=options.dropout).to(self._device).train()
        if weights is not None:
            load_safetensors(self.model, weights, name="the describer")
        self.average = new_model(options.size, len(words.words)).to(self._device).eval()
        self.average.load_state_dict(self.model.state_dict())
        self.optimizer = make_optimizer(torch, self.model, options, betas=(0.9, 0.98))
        self._batches = PatchBatches(samples, words, options)

    def batches(self, first: int) -> Generator[PatchBatch]:
        """The batches from a step on, prepared in other threads."""
        return self._batches.ahead(first)

    def step(self, batch: PatchBatch, number: int, *, done: float) -> dict[str, float]:  # noqa: ARG002 - see Learner
        """Learn from one batch."""
        torch = self._torch
        _, each, heads, text = self._losses(self.model, batch)
        head_loss = (each * heads).sum() / heads.sum().clamp(min=1)
        text_loss = (each * text).sum() / text.sum().clamp(min=1)
        self.optimizer.zero_grad(set_to_none=True)
        (head_loss + self._options.text_weight * text_loss).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        weight = 1 - min(self._options.smoothing, (1 + number) / (10 + number))
        with torch.no_grad():
            for slow, fast in zip(self.average.parameters(), self.model.parameters(), strict=True):
                slow.lerp_(fast, weight)
        return {"loss": float(head_loss.detach()), "text_loss": float(text_loss.detach())}

    def _losses(self, model: Untyped, batch: PatchBatch) -> tuple[Untyped, Untyped, Untyped, Untyped]:
        """Logits, the loss at each place, and which places are of the words before the text and of the text."""
        torch = self._torch
        patches, inputs, labels, is_text = (
            torch.from_numpy(array).to(self._device, non_blocking=True)
            for array in (batch.patches, batch.inputs, batch.labels, batch.text)
        )
        with torch.autocast(self._device.split(":")[0], dtype=torch.bfloat16, enabled=self._device != "cpu"):
            # Neither needs a mask: a view has no padding, and an answer is padded at its end, where nothing looks.
            logits = model(flattened_patches=patches, decoder_input_ids=inputs, use_cache=False).logits
        each = torch.nn.functional.cross_entropy(
            logits.float().flatten(0, 1), labels.flatten(), ignore_index=-100, reduction="none"
        ).view_as(labels)
        counted = labels != -100
        return logits, each, counted & ~is_text, counted & is_text

    def validate(self) -> tuple[dict[str, float], float | None]:
        """Figures of the averaged model on the validation samples; the loss decides.

        Returns:
            ``loss``, the mean over the words before the text; and shares of right words, each asked for with the right
            words before it: ``type``; ``type_mean``, the mean over the types; ``nothing``; ``state`` and ``state_yes``,
            of those that are true; ``subtype``; ``character``. Names without samples are left out.
        """
        right, asked = Counter[str](), Counter[str]()
        loss, counted, index = 0.0, 0, self._batches.validation
        for start in range(0, len(index), _VALIDATION_BATCH):
            batch = self._batches.measuring(index[start : start + _VALIDATION_BATCH])
            with self._torch.inference_mode():
                logits, each, heads, _ = self._losses(self.average, batch)
                loss, counted = loss + float((each * heads).sum()), counted + int(heads.sum())
                hits: npt.NDArray[np.bool_] = logits.argmax(-1).cpu().numpy() == batch.labels
            for row, place in np.argwhere(batch.labels >= 0):
                word = self._words.words[batch.labels[row, place]]
                names = _names(word, is_text=bool(batch.text[row, place]), is_first=place == 0)
                asked.update(names)
                right.update(names if hits[row, place] else ())
        told = {"loss": loss / max(1, counted), **{name: right[name] / number for name, number in asked.items()}}
        if types := [told.pop(kind) for kind in ELEMENT_TYPES if kind in told]:
            told["type_mean"] = sum(types) / len(types)
        told = {name: round(value, 5) for name, value in told.items()}
        return told, -told["loss"] if len(index) else None
