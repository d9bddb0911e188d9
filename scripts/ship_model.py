"""Makes a trained model the one that comes with demopack: its folder and its card.

What made the weights stands on the card as the training wrote it; nothing is added that was not typed. The
figures of the whole parse (``demopack eval-vision SETS -o MEASURED``, run with what is shipped then) are those of all
models, rules and OCR together: they go into ``assets/weights/pipeline.json``, not onto the card.

Run: python scripts/ship_model.py MODEL --notes TEXT [--report MEASURED/report.json] [--option NAME=NUMBER ...]
Figures of its own that a kind has (``python -m models.training.icons``) come with --figures FILE.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from demopack.atomic import write_text_atomic
from demopack.resources import assets_root
from models.registry import (
    PIPELINE,
    ModelCard,
    PipelineFigures,
    PipelineMeasurement,
    open_model,
    resolve,
    shipped_pipeline,
    write_model,
)

HELD_OUT: Final = ("miniwob", "web", "qt", "apps")


def figures(report: dict[str, Any]) -> dict[str, float]:
    """The figures of a report, for instance ``test/qt/f1``: shares of 1, on screens that were held out."""
    told: dict[str, float] = {}
    for source in HELD_OUT:
        if source in report["by_source"]:
            told |= _of(f"test/{source}", report["by_source"][source])
    for source, part in report.get("unseen", {}).items():
        told |= _of(f"test/{source}/unseen", part)
    return told


def _of(name: str, part: dict[str, Any]) -> dict[str, float]:
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


def card_of(card: ModelCard, arguments: argparse.Namespace) -> ModelCard:
    """The card of the shipped model: that of its training, with the figures and thresholds that were found for it."""
    options = {**card.options, **{name: float(value) for name, value in (o.split("=", 1) for o in arguments.option)}}
    return card.model_copy(
        update={
            "id": arguments.id or f"demopack-{card.kind}",
            "metrics": {**card.metrics, **arguments.figures},
            "options": options,
            "notes": arguments.notes,
        }
    )


def measured(report: dict[str, Any], notes: str) -> PipelineFigures:
    """What is known of the models together, with one measurement more, of those that are shipped now."""
    shipped = {kind: resolve(kind, "shipped") for kind in ("detector", "describer", "icons")}
    digests = {kind: model.card.digest for kind, model in shipped.items() if model is not None}
    new = PipelineMeasurement(models=digests, notes=notes, metrics=figures(report))
    known = shipped_pipeline()
    return PipelineFigures(measurements=(*(known.measurements if known is not None else ()), new))


def _read(path: str) -> dict[str, float]:
    told: dict[str, float] = json.loads(Path(path).read_text(encoding="utf-8"))
    return told


def main() -> int:
    """Write ``assets/weights/KIND``, and the figures of all models together where they were measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--notes", required=True, help="how the weights came about, truly, and what they cannot do")
    parser.add_argument("--report", type=Path, help="of the whole parse with what is shipped then")
    parser.add_argument("--report-notes", default="", help="on which screens, and what flatters the figures")
    parser.add_argument("--figures", type=_read, default={}, help="a JSON file with figures of the model alone")
    parser.add_argument("--option", action="append", default=[], help="a threshold of the card, NAME=NUMBER")
    parser.add_argument("--id", default="")
    arguments = parser.parse_args()
    model = open_model(arguments.model)
    target = assets_root() / "weights" / model.card.kind
    files = [model.folder / name for name in model.card.files]
    shipped = write_model(target, card_of(model.card, arguments), files)
    if arguments.report is not None:
        report = json.loads(arguments.report.read_text(encoding="utf-8"))
        together = measured(report, arguments.report_notes)
        write_text_atomic(target.with_name(PIPELINE), together.model_dump_json(indent=2) + "\n")
    size = sum((target / name).stat().st_size for name in shipped.card.files)
    sys.stdout.write(f"{target}: {shipped.card.id}, {size / 1e6:.1f} MB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
