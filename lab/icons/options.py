"""Options of the icon network's training. The defaults suit one CPU core."""

from __future__ import annotations

from pydantic import Field

from models.training.options import TrainingOptions


class IconTraining(TrainingOptions):
    """Recipe of an icon network.

    Attributes:
        batch: icons in a step.
        width: channels of the second stage, the others follow; that of ``start_from`` where there is one.
        smoothing: how slowly the averaged weights, which are the result, follow.
        dropout: share of the last stage's signals that is left out at random in each step.
        drawn: share of the icons that are drawings, not cut out of screens; 0 draws nothing. They keep a network that
            is trained further from forgetting.
        fetch: whether icon sets that are not on this machine are fetched; otherwise those that are, its themes and our
            own drawings are enough.
        looks: of each drawing; sizes, colours and grounds that it is kept in.
        validate_samples: icons of the validation screens; the same number is drawn of sets that are never learned.
    """

    minutes: float = Field(default=40.0, gt=0)
    batch: int = Field(default=128, ge=2)
    width: int = Field(default=48, ge=8, multiple_of=2)
    learning_rate: float = Field(default=3e-3, gt=0)
    warmup_steps: int = Field(default=200, ge=0)
    smoothing: float = Field(default=0.998, ge=0, lt=1)
    dropout: float = Field(default=0.2, ge=0, lt=1)
    drawn: float = Field(default=0.5, ge=0, lt=1)
    fetch: bool = True
    looks: int = Field(default=10, ge=1)
    validate_samples: int = Field(default=2000, ge=1)
    patience: int = Field(default=0, ge=0)
    threads: int = Field(default=1, ge=0)
    name: str = Field(default="icons", pattern=r"^[a-z0-9][a-z0-9._-]*$")
