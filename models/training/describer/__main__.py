"""``python -m models.training.describer SETS... --run DIR``: the describer's training from a terminal."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from demopack.errors import DemopackError
from demopack.jobs import CancelToken, JobControl, Progress
from models.training.describer.options import DescriberTraining, ModelSize
from models.training.describer.training import train_describer
from models.training.progress import TrainingProgress


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.training.describer", description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path, help="folders of screens")
    parser.add_argument("--run", type=Path, required=True, help="checkpoints and the result; goes on where it was")
    defaults = DescriberTraining()
    for name, kind in (
        ("minutes", float), ("steps", int), ("batch", int), ("learning_rate", float), ("samples", int), ("copies", int),
        ("text_weight", float), ("validate_s", float), ("validate_samples", int), ("patience", int), ("threads", int),
        ("device", str), ("start_from", Path), ("seed", int), ("warmup", int), ("smoothing", float),
        ("rescaled", float), ("dropout", float), ("weight_decay", float),
    ):  # fmt: skip
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, default=getattr(defaults, name))
    for name in ModelSize.model_fields:
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=getattr(defaults.size, name))
    return parser


def _show(progress: TrainingProgress) -> None:
    figures = {**progress.losses, **progress.metrics}
    told = " ".join(f"{name}={value:.4g}" for name, value in figures.items())
    sys.stdout.write(f"{progress.seconds:7.0f} s  step {progress.step}/{progress.steps}  {told}\n")
    sys.stdout.flush()


def _tell(progress: Progress) -> None:
    if progress.done == progress.total or progress.done % 320 == 0:
        sys.stdout.write(f"{progress.text}: {progress.done} of {progress.total} screens\n")
        sys.stdout.flush()


def _stopping(token: CancelToken) -> Callable[[int, FrameType | None], None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        token.cancel()

    return stop


def main() -> int:
    """Train; 0 when a model was made."""
    # Threads that wait for each other sleep rather than spin: on a busy machine the same work costs a third less.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    given = vars(_arguments().parse_args())
    sets, run = given.pop("sets"), given.pop("run")
    size = ModelSize.model_validate({name: given.pop(name) for name in ModelSize.model_fields})
    token = CancelToken()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stopping(token))
    try:
        options = DescriberTraining.model_validate({"size": size, **given})
        model = train_describer(
            sets, run, options=options, control=JobControl(token=token, report=_tell), on_progress=_show
        )
    except DemopackError as error:
        sys.stderr.write(f"{error.user_message} {error.hint}\n{error.details}\n")
        return 1
    sys.stdout.write(f"{model}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
