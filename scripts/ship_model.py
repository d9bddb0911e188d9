"""Makes a trained model the one that comes with demopack: its folder, its figures, how it was made.

The figures are those of ``demopack eval-vision SETS -o MEASURED``, run with this very model.

Run: python scripts/ship_model.py MODEL --report MEASURED/report.json [--option NAME=NUMBER ...] [--notes TEXT]
Figures of its own that a kind has (``python -m models.training.icons``) come with --figures FILE.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from demopack.resources import assets_root
from models.registry import ModelCard, open_model, write_model

HELD_OUT: Final = ("miniwob", "web", "qt", "apps")
RECIPE: Final = "demopack train {kind} {sets} --start-from scratch --minutes {minutes:g}"


def figures(report: dict[str, Any]) -> dict[str, float]:
    """The figures of a card, for instance ``test/qt/f1``: shares of 1, on screens that were held out."""
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


def card_of(card: ModelCard, report: dict[str, Any], arguments: argparse.Namespace) -> ModelCard:
    """The card of the shipped model."""
    sources = list(dict.fromkeys(one.source for one in card.lineage))
    sets = " ".join(f"--from screens/{source}" for source in sources)
    options = {**card.options, **{name: float(value) for name, value in (o.split("=", 1) for o in arguments.option)}}
    return card.model_copy(
        update={
            "id": arguments.id or f"demopack-{card.kind}",
            "command": RECIPE.format(kind=card.kind, sets=sets, minutes=float(card.training.get("minutes", 0))),
            "metrics": {**card.metrics, **arguments.figures, **figures(report)},
            "options": options,
            "notes": arguments.notes,
        }
    )


def _read(path: str) -> dict[str, float]:
    told: dict[str, float] = json.loads(Path(path).read_text(encoding="utf-8"))
    return told


def main() -> int:
    """Write ``assets/weights/KIND``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--report", type=Path, required=True)
    parser.add_argument("--figures", type=_read, default={}, help="a JSON file with more figures")
    parser.add_argument("--option", action="append", default=[], help="a threshold of the card, NAME=NUMBER")
    parser.add_argument("--id", default="")
    parser.add_argument("--notes", default="")
    arguments = parser.parse_args()
    model = open_model(arguments.model)
    report = json.loads(arguments.report.read_text(encoding="utf-8"))
    target = assets_root() / "weights" / model.card.kind
    files = [model.folder / name for name in model.card.files]
    shipped = write_model(target, card_of(model.card, report, arguments), files)
    size = sum((target / name).stat().st_size for name in shipped.card.files)
    sys.stdout.write(f"{target}: {shipped.card.id}, {size / 1e6:.1f} MB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
