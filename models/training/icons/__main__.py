"""``python -m models.training.icons MODEL SETS... --keep DIR``: how good an icon network is on what it never saw."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from demopack.errors import DemopackError
from demopack.jobs import JobControl
from models.registry import open_model
from models.training.icons.batches import Measured, central, painted
from models.training.icons.measure import measure
from models.training.icons.pool import open_crops
from models.training.icons.sets import TEST_SETS
from models.vision.icons.network import GRAPH, IconNetwork

__all__ = ["main"]

_LOOKS = 2


def main() -> int:
    """Write the figures of the test side as JSON; 0 when they could be told."""
    parser = argparse.ArgumentParser(prog="python -m models.training.icons", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("sets", nargs="+", type=Path, help="folders of screens, whose side test is measured")
    parser.add_argument("--keep", type=Path, required=True, help="where icons are kept between calls")
    given = parser.parse_args()
    try:
        figures = _figures(given.model, given.sets, given.keep)
    except DemopackError as error:
        sys.stderr.write(f"{error.user_message} {error.hint}\n{error.details}\n")
        return 1
    sys.stdout.write(json.dumps({f"test_{name}": value for name, value in figures.items()}, indent=1) + "\n")
    return 0


def _figures(folder: Path, sets: list[Path], keep: Path) -> dict[str, float]:
    model = open_model(folder, kind="icons")
    network = IconNetwork(model.file(GRAPH), classes=len(model.card.classes), threads=1)
    control = JobControl()
    crops = open_crops(sets, keep / "crops", control, sides=("test",))
    parts = [
        Measured(central(crops.pixels[crops.kinds == kind]), crops.meanings[crops.kinds == kind], name)
        for kind, name in enumerate(crops.names)
    ]
    drawn = painted(TEST_SETS.values(), keep / "drawn", looks=_LOOKS, seed=0, control=control, local=False)
    parts.append(Measured(central(drawn.pixels[:]), drawn.meanings, "sets"))
    return measure(network.likely, parts, sure_at=float(model.card.options["sure_at"]))


if __name__ == "__main__":
    sys.exit(main())
