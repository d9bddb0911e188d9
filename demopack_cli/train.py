"""``demopack train``: trains the models further, on a library's approved annotations or on labelled screens."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from demopack.domain.words import counted
from demopack.jobs import JobControl
from demopack_cli.main import moved_command
from demopack_cli.options import PATH, job_control, json_option, on_signals, print_result

if TYPE_CHECKING:
    from demopack.domain.elements import ElementType
    from models.registry import ModelKind
    from models.training.progress import TrainingProgress

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
            type=PATH,
            help="A library (its approved and reported screens), labelled screens, or a data.yaml; may be repeated.",
        ),
        click.option(
            "--approved-only", is_flag=True, help="Of a library only what a person approved, nothing reported."
        ),
        click.option("--dry-run", is_flag=True, help="Say what a library would teach, and train nothing."),
        click.option("--run", type=PATH, help="Folder for checkpoints and curves."),
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
@click.option("--model", metavar="YAML", help="Another network of ultralytics, such as yolo11m.yaml, from scratch.")
@click.option("--boxes-only", is_flag=True, help="One class for everything; types are left to the describer.")
@click.option(
    "--gain",
    "gains",
    multiple=True,
    type=(click.Choice(["box", "cls", "dfl"]), click.FloatRange(min=0)),
    help="Weight of a part of the loss, as --gain box 0.9 --gain cls 0.05; repeatable.",
)
def detector(**given: Any) -> None:  # noqa: ANN401 - click's own keywords
    """Train the model that finds elements. Stopped with Ctrl-C, the same command goes on where it was.

    Example: demopack train detector --from last-library --minutes 60
    """
    _train("detector", given)


@command.command(name="describer")
@_common
@click.option("--copies", type=click.IntRange(1, 50), default=None, help="Changed copies of each element a round.")
def describer(**given: Any) -> None:  # noqa: ANN401 - click's own keywords
    """Train the model that tells type, states and subtype. Stopped with Ctrl-C, the same command goes on.

    Example: demopack train describer --from last-library --minutes 60
    """
    _train("describer", given)


# Its recipe wants the drawings of icon sets that the laboratory has.
command.add_command(moved_command("icons", "python -m lab train icons"))


def _train(kind: ModelKind, given: dict[str, Any]) -> None:
    from demopack_cli.models import choose
    from models.registry import add_model, models_dir, open_model
    from models.training.library.collect import training_sets

    if given.pop("dry_run"):
        _survey(given["origins"], approved_only=given["approved_only"])
        return
    name = _free_name(kind, given["name"])
    run: Path = given["run"] or models_dir() / "runs" / name
    control = job_control()
    sets = training_sets(
        given["origins"],
        folder=run / "sets",
        seed=given["seed"],
        control=control,
        with_reported=not given.pop("approved_only"),
    )
    model = open_model(_run(kind, sets, run, given), kind=kind)
    added = add_model(model, name=name)
    if given["use"]:
        choose(kind, name)
    lines = [f"The model {name} ({kind}) is in {added.folder}; its checkpoints are in {run}."]
    lines += [f"  {figure:24} {value:.3f}" for figure, value in added.card.metrics.items()]
    if added.card.training.get("step") == 0:
        lines.append("It is the model that the training began with: on the held-out screens nothing was better.")
    lines += [] if given["use"] else [f"Use it with: demopack models use {name}"]
    print_result(added.card.model_dump(mode="json"), lines)


def _survey(origins: tuple[Path, ...], *, approved_only: bool) -> None:
    """Say what libraries would teach."""
    from demopack.store import Library
    from models.training.library.survey import survey

    told: dict[str, Any] = {}
    lines: list[str] = []
    for origin in origins:
        with Library.open(origin, create=False) as library:
            found = survey(library, with_reported=not approved_only, control=job_control())
        told[str(origin)] = dataclasses.asdict(found)
        lines.append(
            f"{origin}: {counted(found.screens, 'screen')} to learn from, {found.approved} approved, "
            f"{found.reported} reported by their programs"
        )
        lines.append(f"  {counted(found.used, 'element')} on them that a person could use; of these")
        lines += [
            f"  missed by the models     {_by_type(found.missed)}",
            f"  taken for something else {_by_type(found.mistaken)}",
        ]
        lines += [f"  left out: {number} {why}" for why, number in found.left_out.items()]
    print_result(told, lines)


def _by_type(counts: Mapping[ElementType, int]) -> str:
    parts = ", ".join(f"{kind} {number}" for kind, number in counts.items())
    return f"{sum(counts.values()):5}" + (f"  ({parts})" if parts else "")


def _run(kind: ModelKind, sets: list[Path], run: Path, given: dict[str, Any]) -> Path:
    """Train and return the model folder."""
    from demopack.errors import BadInputError, CancelledError
    from models.training.describer.training import train_describer
    from models.training.detector.training import train_detector
    from models.training.options import FURTHER, DescriberTraining, DetectorTraining

    recipe = {name: given[name] for name in ("minutes", "seed", "model", "copies") if given.get(name) is not None}
    start = recipe["start_from"] = _start(kind, given)
    if start is not None and start.suffix != ".pt":  # whose classes are others
        recipe |= FURTHER[kind]
    if kind == "detector":
        recipe |= {"typed": not given["boxes_only"], "gains": dict(given["gains"])}
    with stoppable() as control:
        try:
            if kind == "detector":
                detecting = DetectorTraining.model_validate(recipe)
                return train_detector(sets, run, options=detecting, control=control, on_progress=show_progress)
            describing = DescriberTraining.model_validate(recipe)
            return train_describer(sets, run, options=describing, control=control, on_progress=show_progress)
        except CancelledError as error:
            raise CancelledError(f"Stopped; the same command goes on from the last checkpoint in {run}.") from error
        except ValueError as error:
            raise BadInputError("The recipe cannot be used.", details=str(error)) from error


def _start(kind: ModelKind, given: dict[str, Any]) -> Path | None:
    """Where training begins; None for from scratch, and where nothing was shipped."""
    from models.registry import resolve

    name: str = given["start_from"]
    chosen = click.get_current_context().get_parameter_source("start_from") is not ParameterSource.DEFAULT
    if name == "scratch" or (given.get("model") and not chosen):
        return None
    if name.endswith(".pt"):
        return Path(name)
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


def show_progress(progress: TrainingProgress) -> None:
    """One line a report; a figure on held-out screens is what matters, so it comes last."""
    values = {**progress.losses, **progress.metrics}
    words = "  ".join(f"{name} {value:.4g}" for name, value in values.items())
    click.echo(f"{progress.seconds / 60:6.1f} min  step {progress.step}/{progress.steps}  {words}", err=True)


@contextmanager
def stoppable() -> Generator[JobControl]:
    """Ctrl-C ends the training at its next step, with a checkpoint; a second one ends it at once."""
    control = JobControl()

    def stop(_number: int) -> None:
        if control.token.cancelled:
            raise KeyboardInterrupt
        control.token.cancel()

    with on_signals(stop, "SIGINT"):
        yield control
