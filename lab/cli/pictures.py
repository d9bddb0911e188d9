"""``python -m lab pictures``: the README's pictures of parsed screens, what the models find drawn over the pixels."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from PIL import Image

from demopack.domain.elements import Element, State
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from lab.screens.view import draw_truth
from models.training.labelled_screens import GroundTruth
from models.vision.finder import WorkerFinder, open_finder

ROOT = Path(__file__).parents[2]
SCREENS = ROOT / "tests" / "data" / "screens"
PICTURES = {
    "parsed-miniwob": (SCREENS / "miniwob" / "email-inbox" / "email-inbox-test-3-0.png", 4),
    "parsed-transmission": (SCREENS / "apps" / "transmission-gtk" / "transmission-gtk-test-100001-4.png", 1),
    "parsed-keepassxc": (SCREENS / "apps" / "keepassxc" / "keepassxc-test-100005-3.png", 1),
}


def _read(path: Path) -> RgbImage:
    """The pixels of a picture."""
    return np.ascontiguousarray(np.asarray(Image.open(path).convert("RGB"), dtype=np.uint8))


def _draw(finder: WorkerFinder, image: RgbImage, zoom: int) -> Image.Image:
    """The picture with what was found on it."""
    frame = Frame(id=frame_id(image), width=image.shape[1], height=image.shape[0])
    found = finder.find(image, frame, control=JobControl())
    around = {one.parent for one in found}
    return draw_truth(image, [_as_truth(one, leaf=one.uid not in around) for one in found], zoom=zoom)


def _as_truth(one: Element, *, leaf: bool) -> GroundTruth:
    states: dict[State, bool] = {state: value for state, value in one.states.items() if value}
    return GroundTruth(type=one.type, box=one.box, text=one.text, subtype=one.subtype, states=states, leaf=leaf)


@click.command(name="pictures")
@click.argument("pack", type=click.Path(path_type=Path), default=ROOT / "out" / "quickstart" / "pack")
def command(pack: Path) -> None:
    """Draw docs/pictures/parsed-*.png anew.

    The practice app comes from a PACK that ``make demo`` made, the others from tests/data/screens; both applications
    were never trained on.

    Example: python -m lab pictures out/quickstart/pack
    """
    first = next(iter(sorted(pack.glob("frames/*/*.png"))), None)
    if first is None:
        raise BadInputError(f"{pack} holds no pictures.", hint="Make them: make demo")
    with open_finder(VisionSettings()) as finder:
        for name, (path, zoom) in {"parsed-practice": (first, 1), **PICTURES}.items():
            _draw(finder, _read(path), zoom).save(ROOT / "docs" / "pictures" / f"{name}.png", optimize=True)
            click.echo(name)
