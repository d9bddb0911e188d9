"""Describers so small that they are trained and loaded in seconds, and a token that does something at a given step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from demopack.jobs import CancelToken, JobControl
from models.training.describer.training import train_describer
from models.training.options import DescriberTraining, ModelSize

TINY = DescriberTraining(
    size=ModelSize(patches=16, width=32, hidden=48, heads=2, encoder_layers=2, decoder_layers=2),
    minutes=1e6, steps=6, batch=6, warmup_steps=2, samples=60, validate_samples=20, validate_s=1e6, save_s=1e-9,
    text_weight=0.2, text_length=8, threads=1, device="cpu", learning_rate=3e-3,
)  # fmt: skip


class After(CancelToken):
    """Calls something when it has been asked a number of times: once before each step."""

    def __init__(self, count: int, then: Callable[[], None] | None = None) -> None:
        super().__init__()
        self._left = count
        self._then = then or self.cancel

    @property
    def cancelled(self) -> bool:
        if self._left == 0:
            self._then()
        self._left -= 1
        return super().cancelled


def train_tiny(screens: Path, run: Path, *, token: CancelToken | None = None, **options: object) -> Path:
    """Train on one set; the model's folder."""
    chosen = TINY.model_copy(update=options)
    return train_describer([screens], run, options=chosen, control=JobControl(token=token or CancelToken()))
