"""``python -m lab ship``: makes a trained model the one that comes with demopack, its folder and its card.

What made the weights stands on the card as the training wrote it; nothing is added that was not typed. The
figures of the whole parse (``python -m lab eval SET... -o MEASURED``, run with what is shipped then) are those of all
models, rules and OCR together: they go into ``assets/weights/pipeline.json``, not onto the card.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from demopack.atomic import write_text_atomic
from demopack.resources import assets_root
from models.registry import (
    PIPELINE,
    ModelFolder,
    ModelKind,
    PipelineFigures,
    PipelineMeasurement,
    open_model,
    resolve,
    shipped_pipeline,
    write_model,
)

HELD_OUT: Final = ("miniwob", "web", "qt", "apps")


def _figures(report: Mapping[str, Any]) -> dict[str, float]:
    """The figures of a report, for instance ``test/qt/f1``: shares of 1, on screens that were held out."""
    told: dict[str, float] = {}
    for source in HELD_OUT:
        if source in report["by_source"]:
            told |= _of(f"test/{source}", report["by_source"][source])
    for source, part in report.get("unseen", {}).items():
        told |= _of(f"test/{source}/unseen", part)
    return told


def _of(name: str, part: Mapping[str, Any]) -> dict[str, float]:
    told = {
        "screens": part["screens"],
        "f1": part["at50"]["f1"],
        "f1_close": part["at75"]["f1"],
        "leaves_f1": part["leaves"]["f1"],
        "ap50": part["agnostic"]["ap50"],
        "type": part["type"]["share"],
        "states": part["states"]["share"],
        "text": part["text"]["exact"]["share"],
        "cer": part["text"]["error_rate"],
        "icons": part["icon"]["share"],
        "shapes": part["shape"]["share"],
    }
    return {f"{name}/{key}": round(float(value), 4) for key, value in told.items() if value is not None}


@click.command(name="ship")
@click.argument("model", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--notes", required=True, help="How the weights came about, truly, and what they cannot do.")
@click.option(
    "--report", type=click.Path(path_type=Path, exists=True), help="Of the whole parse, shipped models and all."
)
@click.option("--report-notes", default="", help="On which screens, and what flatters the figures.")
@click.option("--figures", type=click.Path(path_type=Path, exists=True), help="JSON: figures of the model alone.")
@click.option("--option", "options", multiple=True, metavar="NAME=NUMBER", help="A threshold of the card; repeatable.")
@click.option("--id", "model_id", default="", help="On the card; demopack-KIND without.")
def command(
    model: Path,
    notes: str,
    report: Path | None,
    report_notes: str,
    figures: Path | None,
    options: tuple[str, ...],
    model_id: str,
) -> None:
    """Write the folder assets/weights/KIND, and the figures of all models together where they were measured.

    Example: python -m lab ship out/detector/model --notes "Trained from nothing by make weights."
    """
    thresholds = {name: float(value) for name, _, value in (option.partition("=") for option in options)}
    alone: dict[str, float] = {} if figures is None else json.loads(figures.read_text(encoding="utf-8"))
    root = assets_root() / "weights"
    shipped = ship(model, root=root, notes=notes, thresholds=thresholds, figures=alone, model_id=model_id)
    if report is not None:
        kinds: tuple[ModelKind, ...] = ("detector", "describer", "icons")
        found = [(kind, resolve(kind, "shipped")) for kind in kinds]
        digests: dict[str, str] = {kind: one.card.digest for kind, one in found if one is not None}
        known = shipped_pipeline()
        before = () if known is None else known.measurements
        told = json.loads(report.read_text(encoding="utf-8"))
        write_pipeline(root, told, notes=report_notes, models=digests, before=before)
    size = sum((shipped.folder / name).stat().st_size for name in shipped.card.files)
    click.echo(f"{shipped.folder}: {size / 1e6:.1f} MB")


def ship(
    folder: Path,
    *,
    root: Path,
    notes: str,
    command: str = "",
    thresholds: Mapping[str, float] = {},
    figures: Mapping[str, float] = {},
    model_id: str = "",
) -> ModelFolder:
    """Put a trained model where shipped ones lie; its card is that of its training, with what was found for it since.

    Args:
        folder: of the trained model.
        root: of the shipped models; it gets a folder of its kind there.
        notes: how its weights came about.
        command: what was typed to make them; what the training noted when empty.
        thresholds: options of the card that change.
        figures: of the model alone, that come onto the card.
        model_id: on the card; ``demopack-KIND`` when empty.
    """
    model = open_model(folder)
    kind = model.card.kind
    card = model.card.model_copy(
        update={
            "id": model_id or f"demopack-{kind}",
            "metrics": {**model.card.metrics, **figures},
            "options": {**model.card.options, **thresholds},
            "notes": notes,
            "command": command or model.card.command,
        }
    )
    return write_model(root / kind, card, [model.folder / name for name in model.card.files])


def write_pipeline(
    root: Path,
    report: Mapping[str, Any],
    *,
    notes: str,
    models: Mapping[str, str],
    before: Sequence[PipelineMeasurement],
) -> None:
    """Write what is known of all models, rules and OCR together.

    Args:
        root: of the shipped models.
        report: of an evaluation, as JSON.
        notes: on which screens, and what flatters the figures.
        models: digest of each model that took part, by kind.
        before: earlier measurements; those of other weights go.
    """
    before = [one for one in before if one.models.items() <= models.items()]
    new = PipelineMeasurement(models=dict(models), notes=notes, metrics=_figures(report))
    figures = PipelineFigures(measurements=(*before, new))
    write_text_atomic(root / PIPELINE, figures.model_dump_json(indent=2) + "\n")
