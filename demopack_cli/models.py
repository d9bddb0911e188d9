"""``demopack models``: the registry of trained models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from demopack.domain.words import counted
from demopack_cli.options import emit, json_option, library_option, open_library, print_result, wants_json

if TYPE_CHECKING:
    from models.registry import ModelFolder

_KINDS = ("detector", "describer", "icons")


@click.group(name="models")
def command() -> None:
    """List, choose and compare the models that find and describe elements.

    Example: demopack models list
    """


@command.command(name="list")
@json_option
def list_models() -> None:
    """List what came with demopack and what you trained or added; * is in use.

    Example: demopack models list
    """
    rows = _known()
    lines: list[str] = []
    for name, used, model in rows:
        size = sum(model.file(file).stat().st_size for file in model.card.files) / 1e6
        figures = ", ".join(f"{key} {value:.2f}" for key, value in list(model.card.metrics.items())[:3])
        mark = "*" if used else " "
        lines.append(f"{mark} {model.card.kind:10} {name:24} {model.card.created}  {size:5.1f} MB  {figures}")
    lines = lines or ["No models: this installation came without weights. Train one: demopack train detector --help"]
    data = [{"name": name, "used": used, **model.card.model_dump(mode="json")} for name, used, model in rows]
    print_result(data, lines)


def _known() -> list[tuple[str, bool, ModelFolder]]:
    from demopack.settings import load_settings
    from models.registry import SHIPPED, known_models, resolve

    vision = load_settings().vision
    rows: list[tuple[str, bool, ModelFolder]] = []
    for kind in _KINDS:
        used = getattr(vision, kind)
        shipped = resolve(kind, SHIPPED)  # type: ignore[arg-type] # one of the kinds
        own = [(model.folder.name, model) for model in known_models(kind)]  # type: ignore[arg-type]
        named = [*([(SHIPPED, shipped)] if shipped is not None else []), *own]
        rows += [(name, name == used, model) for name, model in named]
    return rows


@command.command(name="show")
@click.argument("name")
@json_option
def show(name: str) -> None:
    """Show a model's card: what it was trained on, how, and its figures. NAME is a name of the list, or a folder.

    Example: demopack models show shipped
    """
    from models.registry import SHIPPED, shipped_pipeline

    for model in _named(name):
        card = model.card
        if wants_json():
            emit(card.model_dump(mode="json"))
            continue
        click.echo(f"{card.id} ({card.kind}), {card.created}, {card.licence}, {card.digest}, in {model.folder}")
        for line in card.lineage:
            told = f"{counted(line.screens, 'screen')}, {counted(line.elements, 'element')}"
            click.echo(f"  {line.side:5} {line.source:10} {told}")
        for key, value in card.metrics.items():
            click.echo(f"  {key:32} {value:.3f}")
        if card.command:
            click.echo(f"  {card.command}")
        if card.notes:
            click.echo(card.notes)
    together = shipped_pipeline()
    if name == SHIPPED and together is not None and not wants_json():
        for one in together.measurements:
            click.echo(f"All together ({', '.join(one.models)}, text by OCR, rules). {one.notes}")
            for key, value in one.metrics.items():
                click.echo(f"  {key:32} {value:.3f}")


def _named(name: str) -> list[ModelFolder]:
    """The models of that name, of any kind; a folder counts as a name."""
    from demopack.errors import ModelError
    from models.registry import is_model, open_model

    if is_model(Path(name)):
        return [open_model(Path(name))]
    found = [model for known, _, model in _known() if known == name]
    if not found:
        raise ModelError(f"There is no model called {name}.", hint="See: demopack models list.")
    return found


@command.command(name="use")
@click.argument("name")
@click.option("--kind", type=click.Choice(_KINDS), default=None, help="Where a name stands for several kinds.")
def use(name: str, kind: str | None) -> None:
    """Use a model from now on. NAME is "shipped", a name of the list, a model's folder, or "none".

    Example: demopack models use shipped
    """
    from models.registry import is_model
    from models.vision.finder import try_model

    models = [] if name == "none" else _named(name)
    if is_model(Path(name)):
        # Those of the list were tried when they were added.
        for model in models:
            try_model(model)
    kinds = [kind] if kind else list(_KINDS) if name == "none" else [model.card.kind for model in models]
    for one in kinds:
        choose(one, "" if name == "none" else name)
        click.echo(f"{one}: {name}")


def choose(kind: str, name: str) -> None:
    """Write the choice into the settings."""
    from demopack.settings import load_settings, save_settings

    settings = load_settings()
    save_settings(settings.model_copy(update={"vision": settings.vision.model_copy(update={kind: name})}))


@command.command(name="add")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--name", default="", help="Another name than the one on its card.")
def add(folder: Path, name: str) -> None:
    """Copy a model folder, from a training run or from someone else, into the registry, if it works on a small picture.

    Example: demopack models add out/run/model --name office
    """
    from models.registry import add_model, open_model
    from models.vision.finder import try_model

    model = open_model(folder)
    try_model(model)
    added = add_model(model, name=name)
    click.echo(f"{added.card.kind}: {added.folder.name}")


@command.command(name="remove")
@click.argument("name")
def remove(name: str) -> None:
    """Delete a model of your own. If it is in use, the one that came with demopack takes its place.

    Example: demopack models remove office
    """
    from demopack.errors import BadInputError
    from models.registry import SHIPPED, remove_model

    if name == SHIPPED:
        raise BadInputError("What came with demopack stays.", hint="Choose another one: demopack models use NAME.")
    found = [(used, model) for known, used, model in _known() if known == name]
    if not found:
        raise BadInputError(f"There is no model of your own called {name}.", hint="See: demopack models list.")
    for used, model in found:
        remove_model(model.card.kind, name)
        if used:
            choose(model.card.kind, SHIPPED)
        click.echo(f"Removed the {model.card.kind} {name}.")


@command.command(name="compare")
@click.argument("first")
@click.argument("second")
@json_option
def compare(first: str, second: str) -> None:
    """Put the figures of two models of one kind side by side.

    What they find differently on your own screens is shown by the app, in its window Models.

    Example: demopack models compare shipped office
    """
    from demopack.errors import BadInputError

    pairs = [(a.card, b.card) for a in _named(first) for b in _named(second) if a.card.kind == b.card.kind]
    if not pairs:
        raise BadInputError(f"{first} and {second} are models of different kinds.")
    lines: list[str] = []
    for a, b in pairs:
        lines.append(f"{a.kind:32} {a.id:>14} {b.id:>14}")
        for key in sorted(a.metrics.keys() | b.metrics.keys()):
            old, new = a.metrics.get(key), b.metrics.get(key)
            change = f"{new - old:+8.3f}" if old is not None and new is not None else ""
            figures = ("-" if value is None else f"{value:.3f}" for value in (old, new))
            lines.append(f"{key:32} {' '.join(f'{one:>14}' for one in figures)} {change}")
    data = [{"first": a.model_dump(mode="json"), "second": b.model_dump(mode="json")} for a, b in pairs]
    print_result(data, lines)


@command.command(name="review")
@click.argument("demos", nargs=-1, metavar="[DEMO...]")
@library_option
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Screens to name.")
@json_option
def review(demos: tuple[str, ...], limit: int) -> None:
    """Name the screens whose correction would teach the models most: correct these first.

    Example: demopack models review
    """
    import dataclasses

    from models.training.correction_order import correct_first, suspect_lines

    with open_library(create=False) as opened:
        chosen = [opened.find(demo) for demo in demos] or None
        found = correct_first(opened, chosen, limit=limit)
    print_result([dataclasses.asdict(one) for one in found], suspect_lines(found))
