"""What can be set about training a detector. The defaults suit two CPU cores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from models.training.screens.screen import SourceName

__all__ = ["DetectorTraining"]

_Side = Annotated[int, Field(ge=64, multiple_of=32)]
_Share = Annotated[float, Field(ge=0)]
_WEIGHTS: dict[SourceName, float] = {"miniwob": 1.0, "web": 1.5, "qt": 1.5, "apps": 1.5, "library": 2.0}


class DetectorTraining(BaseModel):
    """The recipe.

    Attributes:
        model: an ultralytics detection model by its YAML name; ignored where ``start_from`` brings its own.
        typed: one class for each element type; otherwise one class for everything.
        start_from: a model folder, a run folder or an ultralytics ``.pt`` whose weights are trained further.
        minutes: time budget over all starts; the learning rate falls along it.
        steps: a number of steps instead of the time budget; repeats exactly.
        batch: crops of the smallest side in a step; of larger ones fewer, so that every step costs the same.
        crops: share of the steps by the side of their crops, pixels, multiples of 32. Small crops vary most, large ones
            show dialogs, rows and windows whole, and let the model see as much at once as it will when it is used.
        optimizer: which one.
        learning_rate: its highest value; 0 for what suits the optimiser.
        warmup_steps: steps in which the rate rises.
        weight_decay: of weights, not of biases and norms.
        weights: how often each source is drawn; those that are absent do not count.
        augment: whether crops are varied in colour, scale and noise.
        epoch_steps: steps between two looks at the validation screens.
        val_screens: at most so many validation screens are looked at, balanced over the sources.
        patience: epochs without a better figure before it stops.
        save_s: seconds between checkpoints.
        device: ``auto`` takes a GPU where torch sees one, else the CPU.
        threads: of torch on the CPU; 0 for all cores.
        workers: processes that prepare crops; 0 prepares them in between, which suits a CPU; -1 for what suits.
        cache_mb: memory for decoded pictures, for each process.
        seed: for everything that is drawn by chance.
        name: of the model that comes out.
        command: what was typed to train it, for its card.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    model: str = Field(default="yolo11n.yaml", pattern=r"^[\w.-]+\.yaml$")
    typed: bool = True
    start_from: Path | None = None
    minutes: float = Field(default=60.0, gt=0)
    steps: int | None = Field(default=None, gt=0)
    batch: int = Field(default=16, ge=1)
    crops: dict[_Side, _Share] = Field(default_factory=lambda: {320: 0.6, 640: 0.25, 1280: 0.15}, min_length=1)
    optimizer: Literal["adamw", "sgd", "musgd"] = "adamw"
    learning_rate: float = Field(default=0.0, ge=0)
    warmup_steps: int = Field(default=100, ge=0)
    weight_decay: float = Field(default=0.0005, ge=0)
    weights: dict[SourceName, float] = Field(default_factory=lambda: dict(_WEIGHTS))
    augment: bool = True
    epoch_steps: int = Field(default=200, ge=1)
    val_screens: int = Field(default=60, ge=0)
    patience: int = Field(default=30, ge=1)
    save_s: float = Field(default=60.0, ge=0)
    device: str = "auto"
    threads: int = Field(default=0, ge=0)
    workers: int = Field(default=-1, ge=-1)
    cache_mb: int = Field(default=1000, ge=0)
    seed: int = Field(default=0, ge=0)
    command: str = ""
    name: str = Field(default="detector", pattern=r"^[a-z0-9][a-z0-9._-]*$")
