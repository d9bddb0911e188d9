"""What can be set when a describer is trained."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from demopack.domain.records import Record

__all__ = ["DescriberTraining", "ModelSize"]


class ModelSize(Record):
    """How large the model is: the defaults describe 100 elements in a quarter of a second on 2 cores.

    Attributes:
        patches: of 16 x 16 pixels around an element.
        width: numbers that stand for a patch or a word.
        hidden: numbers inside a layer.
        heads: of attention; divides the width.
        encoder_layers: that look.
        decoder_layers: that answer.
    """

    patches: int = Field(default=64, ge=16, le=1024)
    width: int = Field(default=160, ge=16)
    hidden: int = Field(default=448, ge=16)
    heads: int = Field(default=5, ge=1)
    encoder_layers: int = Field(default=4, ge=1)
    decoder_layers: int = Field(default=2, ge=1)


class DescriberTraining(Record):
    """One training; the defaults suit 2 CPU cores.

    Attributes:
        size: of the model.
        minutes: the budget of time, over all starts; the learning rate falls to zero by its end.
        steps: the budget of steps; whichever budget is spent first ends the training.
        batch: elements in a step.
        learning_rate: at its highest, after the warm-up; with the root of the batch, larger ones want more.
        warmup: steps.
        weight_decay: of AdamW.
        smoothing: how slowly the averaged weights, which are the result, follow: 0.999 looks back about 1000 steps.
        samples: elements that are cut out and kept on disk, 49 kB each at 64 patches; rare ones are preferred.
        copies: of each element, with boxes drawn anew.
        rescaled: share of the training screens that are cut at another size, 0.7 to 1.4 times their own, as if fonts
            and controls were smaller or larger.
        dropout: share of the network's signals that is left out at random in each step, against learning by heart.
        nothing: share of samples whose box holds no element.
        text_weight: of the characters in the loss; 0 leaves them out, and the model never reads.
        text_length: characters of a text that are learned.
        validate_s: seconds between two looks at the validation screens.
        validate_samples: elements of the validation screens.
        patience: looks without a better result before the training ends early; 0 for never.
        checkpoint_s: seconds between checkpoints.
        seed: for everything that is drawn by chance.
        threads: for torch and for preparing the samples.
        device: auto takes the graphics card when there is one.
        start_from: a model folder or a run folder whose weights are trained further; its size is taken.
    """

    size: ModelSize = ModelSize()
    minutes: float = Field(default=60.0, gt=0)
    steps: int = Field(default=1_000_000, ge=1)
    batch: int = Field(default=32, ge=1)
    learning_rate: float = Field(default=4e-4, gt=0)
    warmup: int = Field(default=100, ge=0)
    weight_decay: float = Field(default=0.02, ge=0)
    smoothing: float = Field(default=0.998, ge=0, lt=1)
    samples: int = Field(default=60_000, ge=1)
    copies: int = Field(default=1, ge=1)
    rescaled: float = Field(default=0.3, ge=0, le=1)
    dropout: float = Field(default=0.05, ge=0, lt=1)
    nothing: float = Field(default=0.06, ge=0, lt=1)
    text_weight: float = Field(default=0.1, ge=0)
    text_length: int = Field(default=24, ge=1)
    validate_s: float = Field(default=240.0, gt=0)
    validate_samples: int = Field(default=1500, ge=1)
    patience: int = Field(default=8, ge=0)
    checkpoint_s: float = Field(default=60.0, gt=0)
    seed: int = 0
    threads: int = Field(default=2, ge=1)
    device: Literal["auto", "cpu", "cuda"] = "auto"
    start_from: Path | None = None
