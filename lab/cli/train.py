"""``python -m lab train``: one training of one model, with any option of its recipe."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from pydantic import ValidationError

from demopack.errors import BadInputError, CancelledError
from demopack_cli.train import show_progress, stoppable
from models.training.options import FURTHER

if TYPE_CHECKING:
    from demopack.jobs import JobControl
    from models.registry import ModelKind

_R = TypeVar("_R")

_FURTHER_ICONS = {"fetch": False, **FURTHER["icons"]}
"""Of an icon network that is trained further."""


@click.command(name="train")
@click.argument("kind", type=click.Choice(["detector", "describer", "icons"]))
@click.argument("origins", nargs=-1, required=True, metavar="SET...", type=click.Path(path_type=Path, exists=True))
@click.option("--run", required=True, type=click.Path(path_type=Path, file_okay=False), help="Checkpoints and curves.")
@click.option("--minutes", type=click.FloatRange(min=0.01), help="Time budget over all starts.")
@click.option("--start-from", metavar="NAME|PATH", help="Train this model further; from scratch without.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Any option of the recipe; repeatable.")
def command(
    kind: ModelKind,
    origins: tuple[Path, ...],
    run: Path,
    minutes: float | None,
    start_from: str | None,
    settings: tuple[str, ...],
) -> None:
    """Train a model of KIND on each SET: labelled screens, a library, or a data.yaml of Ultralytics.

    Stopped with Ctrl-C, the same command goes on. Prints the folder of the model: ``demopack models add`` takes it.

    Example: python -m lab train detector screens/qt screens/web --run out/detector --minutes 120 --set batch=8
    """
    from models.training.library.collect import training_sets

    given = dict(_setting(one) for one in settings)
    if minutes is not None:
        given["minutes"] = minutes
    if start_from is not None:
        given["start_from"] = _start(kind, start_from)
        given = {**(_FURTHER_ICONS if kind == "icons" else {}), **given}
    # Threads that wait for each other sleep rather than spin: on a busy machine the same work costs a third less.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    with stoppable() as control:
        sets = training_sets(origins, folder=run / "sets", seed=int(given.get("seed", 0)), control=control)
        try:
            click.echo(str(train_model(kind, sets, run, given, control=control)))
        except CancelledError as error:
            raise CancelledError(f"Stopped; the same command goes on from the last checkpoint in {run}.") from error


def train_model(kind: ModelKind, sets: list[Path], run: Path, given: Mapping[str, Any], *, control: JobControl) -> Path:
    """Train, and return the folder of the model.

    Args:
        kind: of the model.
        sets: folders of labelled screens.
        run: folder for checkpoints and curves; a training in it goes on.
        given: options of the recipe, by name; the others have their defaults.
        control: progress and cancelling.

    Raises:
        BadInputError: an option is wrong, or the sets hold too little.
        CancelledError: it was stopped; the checkpoint is in ``run``.
    """
    if kind == "detector":
        from models.training.detector.training import train_detector
        from models.training.options import DetectorTraining

        # The card says how the weights came about, word by word.
        typed = {"command": shlex.join(["python", "-m", "lab", *sys.argv[1:]]), **given}
        options = _recipe(DetectorTraining.model_validate, typed)
        return train_detector(sets, run, options=options, control=control, on_progress=show_progress)
    if kind == "describer":
        from models.training.describer.training import train_describer
        from models.training.options import DescriberTraining

        described = _recipe(DescriberTraining.model_validate, given)
        return train_describer(sets, run, options=described, control=control, on_progress=show_progress)
    from lab.icons.options import IconTraining
    from lab.icons.training import train_icons

    drawn = _recipe(IconTraining.model_validate, given)
    return train_icons(sets, run, options=drawn, control=control, on_progress=show_progress)


def _recipe(validate: Callable[[Mapping[str, Any]], _R], given: Mapping[str, Any]) -> _R:
    """The recipe with the given options.

    Raises:
        BadInputError: one is unknown or wrong; it is named.
    """
    try:
        return validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadInputError(f"The option {field} is wrong: {first['msg']}.") from error


def _setting(written: str) -> tuple[str, Any]:
    name, separator, value = written.partition("=")
    if not separator:
        raise click.UsageError(f"--set wants NAME=VALUE, not {written!r}.")
    try:
        return name, json.loads(value) if value.startswith(("{", "[")) else value
    except ValueError as error:
        raise BadInputError(f"The option {name} is wrong: {error}.") from error


def _start(kind: ModelKind, given: str) -> Path:
    from models.registry import resolve

    if Path(given).exists():
        return Path(given)
    model = resolve(kind, given)
    if model is None:
        raise BadInputError(f"There is no {kind} called {given}.")
    return model.folder
