"""Recipes of trainings: of any, of a detector, of a describer. The defaults suit two CPU cores."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import ConfigDict, Field

from demopack.domain.records import Record
from models.registry import ModelKind
from models.training.labelled_screens import SourceName


class TrainingOptions(Record):
    """Recipe of a training.

    Attributes:
        minutes: time budget over all starts; the learning rate falls along it.
        steps: a number of steps instead of the time budget; repeats exactly.
        batch: samples in a step.
        learning_rate: its highest value.
        warmup_steps: steps in which the rate rises.
        weight_decay: of weights, not of biases, norms and embeddings.
        epoch_steps: steps between two validations; by the clock when None.
        validate_s: seconds between two validations where they go by the clock.
        patience: validations without a better figure before it stops; 0 for never.
        save_s: seconds between checkpoints; there is also one at each validation and at the end.
        seed: for everything that is drawn by chance.
        threads: for torch and for preparing samples; 0 for one on each core.
        device: cpu, cuda and so on; auto takes a GPU where torch sees one.
        start_from: a model or run folder whose weights are trained further.
        kept_of_start: how much of those weights is in the ones that are measured and kept, 0..1: what a training on few
            screens learns of them and what was known of all others are both in their mean.
        name: id of the model.
        command: how the training was started, for the card.
    """

    model_config = ConfigDict(protected_namespaces=())

    minutes: float = Field(default=60.0, gt=0)
    steps: int | None = Field(default=None, gt=0)
    batch: int = Field(default=32, ge=1)
    learning_rate: float = Field(default=0.001, gt=0)
    warmup_steps: int = Field(default=100, ge=0)
    weight_decay: float = Field(default=0.02, ge=0)
    epoch_steps: int | None = Field(default=None, ge=1)
    validate_s: float = Field(default=240.0, gt=0)
    patience: int = Field(default=8, ge=0)
    save_s: float = Field(default=60.0, ge=0)
    seed: int = Field(default=0, ge=0)
    threads: int = Field(default=0, ge=0)
    device: str = "auto"
    start_from: Path | None = None
    kept_of_start: float = Field(default=0.0, ge=0, lt=1)
    name: str = Field(default="model", pattern=r"^[a-z0-9][a-z0-9._-]*$")
    command: str = ""


FURTHER: Final[Mapping[ModelKind, Mapping[str, float]]] = {
    "detector": {"learning_rate": 2e-4, "kept_of_start": 0.5},
    "describer": {"learning_rate": 1e-4},
    "icons": {"learning_rate": 5e-4},
}
"""Recipes for a model that is trained further on few screens: small steps, and half the way back, as what it knows of
all others is worth keeping (Wortsman et al., Robust fine-tuning of zero-shot models, 2022)."""


_Side = Annotated[int, Field(ge=64, multiple_of=32)]
_Gain: TypeAlias = Literal["box", "cls", "dfl"]
_Share = Annotated[float, Field(ge=0)]
_WEIGHTS: dict[SourceName, float] = {"miniwob": 1.0, "web": 1.5, "qt": 1.5, "apps": 1.5, "library": 2.0}


class DetectorTraining(TrainingOptions):
    """Recipe of a detector.

    Attributes:
        model: an ultralytics detection model by its YAML name; ignored where ``start_from`` brings its own.
        typed: one class for each element type; otherwise one class for everything.
        start_from: as with every training; also an ultralytics ``.pt``.
        batch: crops of the smallest side in a step; of larger ones fewer, so that every step costs the same.
        crops: share of the steps by the side of their crops, pixels, multiples of 32. Small crops vary most, large ones
            show dialogs, rows and windows whole, and let the model see as much at once as it will when it is used.
        gains: weights of the parts of ultralytics' loss: overlap of boxes, classes, distribution of edges; its own
            defaults (7.5, 0.5, 1.5) for those that are absent.
        weights: how often each source is drawn; those that are absent do not count.
        augment: whether crops are varied in colour, scale and noise.
        val_screens: at most so many validation screens are looked at, balanced over the sources.
        workers: processes that prepare crops; -1 for none on the CPU and 12 with a GPU.
        cache_mb: megabytes of decoded screens that each of them keeps.
    """

    model: str = Field(default="yolo11n.yaml", pattern=r"^[\w.-]+\.yaml$")
    typed: bool = True
    batch: int = Field(default=16, ge=1)
    crops: dict[_Side, _Share] = Field(default_factory=lambda: {320: 0.6, 640: 0.25, 1280: 0.15}, min_length=1)
    weight_decay: float = Field(default=0.0005, ge=0)
    gains: dict[_Gain, _Share] = Field(default_factory=dict["_Gain", float])
    weights: dict[SourceName, float] = Field(default_factory=lambda: dict(_WEIGHTS))
    augment: bool = True
    epoch_steps: int | None = Field(default=200, ge=1)
    val_screens: int = Field(default=60, ge=0)
    patience: int = Field(default=30, ge=0)
    workers: int = Field(default=-1, ge=-1)
    cache_mb: int = Field(default=1000, ge=0)
    name: str = Field(default="detector", pattern=r"^[a-z0-9][a-z0-9._-]*$")


class ModelSize(Record):
    """Size of the network: the defaults describe 100 elements in a quarter of a second on 2 cores.

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


class DescriberTraining(TrainingOptions):
    """Recipe of a describer.

    Attributes:
        size: of the model; that of ``start_from`` where there is one.
        learning_rate: its highest value; with the root of the batch, larger ones want more.
        smoothing: how slowly the averaged weights, which are the result, follow: 0.999 looks back about 1000 steps.
        samples: elements that are cut out and kept on disk, 49 kB each at 64 patches; rare ones are preferred.
        copies: of each element, with boxes drawn anew.
        rescaled: share of the training screens that are cut at another size, 0.7 to 1.4 times their own, as if fonts
            and controls were smaller or larger.
        dropout: share of the network's signals that is left out at random in each step, against learning by heart.
        nothing: share of samples whose box holds no element.
        text_weight: of the characters in the loss; 0 leaves them out, and the model never reads.
        text_length: characters of a text that are learned.
        validate_samples: elements of the validation screens.
    """

    size: ModelSize = ModelSize()
    learning_rate: float = Field(default=4e-4, gt=0)
    smoothing: float = Field(default=0.998, ge=0, lt=1)
    samples: int = Field(default=60_000, ge=1)
    copies: int = Field(default=1, ge=1)
    rescaled: float = Field(default=0.3, ge=0, le=1)
    dropout: float = Field(default=0.05, ge=0, lt=1)
    nothing: float = Field(default=0.06, ge=0, lt=1)
    text_weight: float = Field(default=0.1, ge=0)
    text_length: int = Field(default=24, ge=1)
    validate_samples: int = Field(default=1500, ge=1)
    threads: int = Field(default=2, ge=0)
    name: str = Field(default="describer", pattern=r"^[a-z0-9][a-z0-9._-]*$")
