"""What can be set when the icon network is trained."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from demopack.domain.records import Record

__all__ = ["IconTraining"]


class IconTraining(Record):
    """One training; the defaults suit one CPU core.

    Attributes:
        minutes: the budget of time, over all starts; the learning rate falls to zero by its end.
        steps: the budget of steps; whichever budget is spent first ends the training.
        batch: icons in a step.
        width: channels of the second stage; the others follow.
        learning_rate: at its highest, after the warm-up.
        warmup: steps.
        weight_decay: of AdamW.
        smoothing: how slowly the averaged weights, which are the result, follow.
        dropout: share of the last stage's signals that is left out at random in each step.
        drawn: share of the icons that are drawings, not cut out of screens; 0 draws nothing. They keep a network that
            is trained further from forgetting.
        fetch: whether icon sets that are not on this machine are fetched; otherwise those that are, its themes and our
            own drawings are enough.
        looks: of each drawing; sizes, colours and grounds that it is kept in.
        validate_s: seconds between two looks at the validation icons.
        validate_samples: icons of the validation screens; the same number is drawn of sets that are never learned.
        checkpoint_s: seconds between checkpoints.
        seed: for everything that is drawn by chance.
        threads: for torch.
        start_from: a model folder whose weights are trained further; its width is taken.
    """

    minutes: float = Field(default=40.0, gt=0)
    steps: int = Field(default=1_000_000, ge=1)
    batch: int = Field(default=128, ge=2)
    width: int = Field(default=48, ge=8, multiple_of=2)
    learning_rate: float = Field(default=3e-3, gt=0)
    warmup: int = Field(default=200, ge=0)
    weight_decay: float = Field(default=0.02, ge=0)
    smoothing: float = Field(default=0.998, ge=0, lt=1)
    dropout: float = Field(default=0.2, ge=0, lt=1)
    drawn: float = Field(default=0.5, ge=0, lt=1)
    fetch: bool = True
    looks: int = Field(default=10, ge=1)
    validate_s: float = Field(default=240.0, gt=0)
    validate_samples: int = Field(default=2000, ge=1)
    checkpoint_s: float = Field(default=60.0, gt=0)
    seed: int = 0
    threads: int = Field(default=1, ge=1)
    start_from: Path | None = None
