"""``python -m models.training.detector SETS... --run DIR``: train a detector, with its progress as lines."""

from __future__ import annotations

import json
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from demopack.errors import BadInputError, CancelledError, DemopackError
from demopack.jobs import JobControl
from models.training.detector.options import DetectorTraining
from models.training.detector.train import train_detector
from models.training.progress import TrainingProgress

__all__ = ["main"]


def _tell(progress: TrainingProgress) -> None:
    values = {**progress.losses, **progress.metrics}
    words = " ".join(f"{name}={value:g}" for name, value in values.items())
    click.echo(f"{progress.step}/{progress.steps} {progress.seconds / 60:.1f} min {words}")


@click.command()
@click.argument("sets", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--run", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder of the run.")
@click.option("--minutes", type=float, help="Time budget over all starts.")
@click.option("--from", "start_from", type=click.Path(path_type=Path), help="Model to train further.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Any option of the recipe.")
def main(
    sets: tuple[Path, ...], run: Path, minutes: float | None, start_from: Path | None, settings: tuple[str, ...]
) -> None:
    """Train a detector on folders of screens; called again, it goes on. Ctrl-C stops at the next step."""
    try:
        options = _options(settings, minutes=minutes, start_from=start_from)
        control = JobControl()

        def stop(_number: int, _frame: object) -> None:
            control.token.cancel()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)
        click.echo(str(train_detector(sets, run, options=options, control=control, on_progress=_tell)))
    except CancelledError:
        click.echo("Stopped; call it again to go on.")
    except DemopackError as error:
        click.echo(str(error), err=True)
        sys.exit(1)


def _options(settings: tuple[str, ...], *, minutes: float | None, start_from: Path | None) -> DetectorTraining:
    given: dict[str, Any] = {"command": shlex.join(["python", "-m", "models.training.detector", *sys.argv[1:]])}
    for setting in settings:
        name, _, value = setting.partition("=")
        try:
            given[name] = json.loads(value) if value.startswith(("{", "[")) else value
        except ValueError as error:
            raise BadInputError(f"The option {name} is wrong: {error}.") from error
    given.update({k: v for k, v in {"minutes": minutes, "start_from": start_from}.items() if v is not None})
    try:
        return DetectorTraining.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadInputError(f"The option {field} is wrong: {first['msg']}.") from error


if __name__ == "__main__":
    main()
