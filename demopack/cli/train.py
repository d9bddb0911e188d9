"""``demopack train``: trains the models further, on a library's approved annotations or on drawn screens."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from demopack.cli.options import emit, job_control, json_option
from demopack.jobs import JobControl

if TYPE_CHECKING:
    from models.registry import ModelKind
    from models.training.progress import TrainingProgress

__all__ = ["command"]

_F = TypeVar("_F", bound=Callable[..., Any])


@click.group(name="train")
def command() -> None:
    """Train the models that find and describe elements.

    Example: demopack train detector --from last-library --minutes 30
    """


def _common(function: _F) -> _F:
    options = (
        click.option(
            "--from",
            "origins",
            multiple=True,
            required=True,
            type=click.Path(path_type=Path),
            help="A library (its approved annotations), a set of drawn screens, or a data.yaml; may be repeated.",
        ),
        click.option("--run", type=click.Path(path_type=Path), default=None, help="Folder for checkpoints and curves."),
        click.option("--minutes", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Time budget."),
        click.option("--start-from", default="shipped", show_default=True, help="A model, or scratch."),
        click.option("--name", default="", help="Name in the registry; default: kind and date."),
        click.option("--use", is_flag=True, help="Use the result from now on."),
        click.option("--seed", type=int, default=0, show_default=True, help="For everything drawn by chance."),
        json_option,
    )
    for option in reversed(options):
        function = option(function)
    return function


@command.command(name="detector")
@_common
def detector(**given: Any) -> None:  # noqa: ANN401 - click's own keywords
    """Train the model that finds elements. Stopped with Ctrl-C, the same command goes on where it was.

    Example: demopack train detector --from out/screens/qt --minutes 60
    """
    _train("detector", given)


@command.command(name="describer")
@_common
@click.option("--copies", type=click.IntRange(1, 50), default=None, help="Changed copies of each element a round.")
def describer(**given: Any) -> None:  # noqa: ANN401 - click's own keywords
    """Train the model that tells type, states and subtype. Stopped with Ctrl-C, the same command goes on.

    Example: demopack train describer --from out/screens/qt --minutes 60
    """
    _train("describer", given)


@command.command(name="icons")
@_common
def icons(**given: Any) -> None:  # noqa: ANN401 - click's own keywords
    """Train the network that tells what icons mean. Stopped with Ctrl-C, the same command goes on.

    From scratch it also learns from icon sets, which are fetched with npm; further, from those that are there already.

    Example: demopack train icons --from out/screens/qt --minutes 40
    """
    _train("icons", given)


def _train(kind: ModelKind, given: dict[str, Any]) -> None:
    from demopack.cli.models import choose
    from models.registry import add_model, models_dir, open_model
    from models.training.origins import training_sets

    name = _free_name(kind, given["name"])
    run: Path = given["run"] or models_dir() / "runs" / name
    control = job_control()
    sets = training_sets(given["origins"], folder=run / "sets", seed=given["seed"], control=control)
    model = open_model(_run(kind, sets, run, given), kind=kind)
    added = add_model(model, name=name)
    if given["use"]:
        choose(kind, name)
    if given["as_json"]:
        emit(added.card.model_dump(mode="json"))
        return
    click.echo(f"The model {name} ({kind}) is in {added.folder}; its checkpoints are in {run}.")
    for figure, value in added.card.metrics.items():
        click.echo(f"  {figure:24} {value:.3f}")
    if not given["use"]:
        click.echo(f"Use it with: demopack models use {name}")


def _run(kind: ModelKind, sets: list[Path], run: Path, given: dict[str, Any]) -> Path:
    """Train and return the model folder."""
    from demopack.errors import BadInputError, CancelledError

    begin = {} if given["start_from"] == "scratch" else {"start_from": _start(kind, given["start_from"])}
    recipe = {"minutes": given["minutes"], "seed": given["seed"], **begin}
    with _stoppable() as control:
        try:
            if kind == "detector":
                from models.training.detector.options import DetectorTraining
                from models.training.detector.train import train_detector

                options = DetectorTraining.model_validate(recipe)
                return train_detector(sets, run, options=options, control=control, on_progress=_tell)
            if kind == "icons":
                from models.training.icons.options import IconTraining
                from models.training.icons.training import train_icons

                # Further, in small steps: what it knows of other icons is worth keeping.
                further = {"fetch": False, "learning_rate": 5e-4} if begin.get("start_from") else {}
                recipe_of_icons = IconTraining.model_validate({**recipe, **further})
                return train_icons(sets, run, options=recipe_of_icons, control=control, on_progress=_tell)
            from models.training.describer.options import DescriberTraining
            from models.training.describer.training import train_describer

            copies = {} if given["copies"] is None else {"copies": given["copies"]}
            recipe_of_describer = DescriberTraining.model_validate({**recipe, **copies})
            return train_describer(sets, run, options=recipe_of_describer, control=control, on_progress=_tell)
        except CancelledError as error:
            raise CancelledError(f"Stopped; the same command goes on from the last checkpoint in {run}.") from error
        except ValueError as error:
            raise BadInputError("The recipe cannot be used.", details=str(error)) from error


def _start(kind: ModelKind, name: str) -> Path | None:
    """Where training begins; None, which is from scratch, where nothing was shipped."""
    from models.registry import resolve

    model = resolve(kind, name)
    return None if model is None else model.folder


def _free_name(kind: ModelKind, wanted: str) -> str:
    """The wanted name if it can be taken, asked before hours of training; else kind and date, with a number."""
    from demopack.clock import utc_now
    from demopack.errors import BadInputError
    from models.registry import known_models

    taken = {model.folder.name for model in known_models(kind)}
    if wanted:
        if wanted in taken:
            raise BadInputError(f"There is a {kind} called {wanted} already.", hint="Choose another --name.")
        return wanted
    names = (f"{kind}-{utc_now():%Y-%m-%d}{mark}" for mark in ("", *(f"-{n}" for n in range(2, 10_000))))
    return next(name for name in names if name not in taken)


def _tell(progress: TrainingProgress) -> None:
    """One line a report; a figure on held-out screens is what matters, so it comes last."""
    values = {**progress.losses, **progress.metrics}
    words = "  ".join(f"{name} {value:.4g}" for name, value in values.items())
    click.echo(f"{progress.seconds / 60:6.1f} min  step {progress.step}/{progress.steps}  {words}", err=True)


@contextmanager
def _stoppable() -> Generator[JobControl]:
    """Ctrl-C ends the training at its next step, with a checkpoint; a second one ends it at once."""
    control = JobControl()

    def stop(_number: int, _frame: object) -> None:
        control.token.cancel()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield control
    finally:
        signal.signal(signal.SIGINT, before)
