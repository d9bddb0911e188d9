"""``python -m lab eval-icons``: how good an icon network is on icons that it never saw."""

from __future__ import annotations

from pathlib import Path

import click

from demopack.jobs import JobControl
from demopack_cli.options import emit, job_control

_LOOKS = 2


@click.command(name="eval-icons")
@click.argument("model", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("sets", nargs=-1, required=True, metavar="SET...", type=click.Path(path_type=Path, exists=True))
@click.option("--keep", type=click.Path(path_type=Path), required=True, help="Where icons are kept between calls.")
def command(model: Path, sets: tuple[Path, ...], keep: Path) -> None:
    """Print the figures of an icon network as JSON, on the test side of each SET and on icon sets never learned.

    Example: python -m lab eval-icons out/icons/model screens/qt --keep out/icons/kept
    """
    emit(icon_figures(model, list(sets), keep, job_control()))


def icon_figures(folder: Path, sets: list[Path], keep: Path, control: JobControl) -> dict[str, float]:
    """The figures of an icon network, named as its card has them.

    Args:
        folder: of the model.
        sets: folders of labelled screens, whose test side is measured.
        keep: where icons are kept between calls.
        control: progress and cancelling.

    Raises:
        BadInputError: the sets have no icons, or an icon set cannot be fetched.
    """
    from lab.icons.batches import Measured, central, painted
    from lab.icons.measure import measure
    from lab.icons.pool import open_crops
    from lab.icons.sets import TEST_SETS
    from models.registry import open_model
    from models.vision.icons import GRAPH, open_network

    model = open_model(folder, kind="icons")
    network = open_network(model.file(GRAPH), classes=len(model.card.classes), threads=1)
    crops = open_crops(sets, keep / "crops", control, sides=("test",))
    parts = [
        Measured(central(crops.pixels[crops.kinds == kind]), crops.meanings[crops.kinds == kind], name)
        for kind, name in enumerate(crops.names)
    ]
    drawn = painted(TEST_SETS.values(), keep / "drawn", looks=_LOOKS, seed=0, control=control, local=False)
    parts.append(Measured(central(drawn.pixels[:]), drawn.meanings, "sets"))
    figures = measure(network, parts, sure_at=float(model.card.options["sure_at"]))
    return {f"test_{name}": value for name, value in figures.items()}
