"""Makes the README's pictures of parsed screens: what the models of the settings find, drawn over the pixels.

The practice app comes from a pack that ``demopack quickstart`` made, the others from ``tests/data/screens``; both
applications were never trained on.

Run: python docs/make_parsed_pictures.py [PACK]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from models.training.screens.screen import Truth
from models.training.screens.view import draw_truth
from models.vision.finder import WorkerFinder, open_finder

HERE = Path(__file__).parent
SCREENS = HERE.parent / "tests" / "data" / "screens"
PICTURES = {
    "parsed-miniwob": (SCREENS / "miniwob" / "email-inbox" / "email-inbox-test-3-0.png", 4),
    "parsed-transmission": (SCREENS / "apps" / "transmission-gtk" / "transmission-gtk-test-100001-4.png", 1),
    "parsed-keepassxc": (SCREENS / "apps" / "keepassxc" / "keepassxc-test-100005-3.png", 1),
}


def read(path: Path) -> RgbImage:
    """The pixels of a picture."""
    return np.ascontiguousarray(np.asarray(Image.open(path).convert("RGB"), dtype=np.uint8))


def draw(finder: WorkerFinder, image: RgbImage, zoom: int) -> Image.Image:
    """The picture with what was found on it."""
    frame = Frame(id=frame_id(image), width=image.shape[1], height=image.shape[0])
    found = finder.find(image, frame, control=JobControl())
    around = {one.parent for one in found}
    return draw_truth(image, [_as_truth(one, leaf=one.uid not in around) for one in found], zoom=zoom)


def _as_truth(one: Element, *, leaf: bool) -> Truth:
    states = {state: value for state, value in one.states.items() if value}
    return Truth(type=one.type, box=one.box, text=one.text, subtype=one.subtype, states=states, leaf=leaf)


def main() -> int:
    """Draw every picture anew."""
    pack = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "out" / "quickstart" / "pack"
    first = next(iter(sorted(pack.glob("frames/*/*.png"))), None)
    if first is None:
        sys.stderr.write(f"{pack} holds no pictures; run: make demo\n")
        return 1
    with open_finder(VisionSettings()) as finder:
        for name, (path, zoom) in {"parsed-practice": (first, 1), **PICTURES}.items():
            draw(finder, read(path), zoom).save(HERE / "pictures" / f"{name}.png", optimize=True)
            sys.stdout.write(f"{name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
