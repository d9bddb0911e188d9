"""Names icons: cuts them out, asks a small network, and leaves open what that is unsure of."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.errors import ModelError
from demopack.settings import VisionSettings
from models.registry import resolve
from models.vision.description import IconGuesses, icon_square
from models.vision.detection import Detection
from models.vision.weights import open_session, unusable

Bytes: TypeAlias = "npt.NDArray[np.uint8]"
Floats: TypeAlias = "npt.NDArray[np.float32]"

SIDE: Final = 40
"""Pixels of the square that the network sees."""
_MIN_CONTRAST = 12.0
"""Differences of grey levels that are not stretched further: below, there is noise only."""


def cut_icons(image: RgbImage, boxes: Sequence[Rect], *, wider: float = 1.0) -> Bytes:
    """The surroundings of some boxes, each in a square at the same number of pixels.

    Args:
        image: shape (height, width, 3), uint8. What would lie outside it repeats its edge.
        boxes: in pixels of the picture; they may reach beyond it.
        wider: how many times wider the squares are than what the network sees; their pixels grow with it.

    Returns:
        Shape (n, side, side, 3), uint8, with ``side`` = ``wider`` times :data:`SIDE`.
    """
    side = round(SIDE * wider)
    squares = np.empty((len(boxes), side, side, 3), dtype=np.uint8)
    height, width = image.shape[:2]
    for number, box in enumerate(boxes):
        x1, y1, reach = icon_square(box, wider=wider)
        left, top = int(np.floor(x1)), int(np.floor(y1))
        right, bottom = int(np.ceil(x1 + reach)), int(np.ceil(y1 + reach))
        rows = np.clip(np.arange(top, bottom), 0, height - 1)
        columns = np.clip(np.arange(left, right), 0, width - 1)
        part = Image.fromarray(np.ascontiguousarray(image[rows[:, None], columns]))
        within = (x1 - left, y1 - top, x1 - left + reach, y1 - top + reach)
        squares[number] = np.asarray(part.resize((side, side), Image.Resampling.BILINEAR, box=within))
    return squares


def to_input(squares: Bytes) -> Floats:
    """What the network is given: how each pixel differs from the icon's background, as strongly as on any other icon.

    Pale, greyed and dark drawings look alike then; what the background is does not matter.

    Args:
        squares: shape (n, side, side, 3), uint8.

    Returns:
        Shape (n, 3, side, side), about -1..1.
    """
    pixels = squares.astype(np.float32)
    edge = np.concatenate((pixels[:, 0], pixels[:, -1], pixels[:, 1:-1, 0], pixels[:, 1:-1, -1]), axis=1)
    differences = pixels - np.median(edge, axis=1)[:, None, None, :]
    strongest = np.abs(differences).reshape(len(squares), -1).max(axis=1, initial=_MIN_CONTRAST)
    scaled = differences / strongest[:, None, None, None]
    return np.ascontiguousarray(scaled.transpose(0, 3, 1, 2), dtype=np.float32)


GRAPH: Final = "icons.onnx"
Network: TypeAlias = Callable[[Floats], Floats]
"""From icons of shape (n, 3, 40, 40), see :func:`to_input`, how likely each meaning is, shape (n, classes); each row's
sum is 1."""


def open_network(path: Path, *, classes: int, threads: int) -> Network:
    """The network in a graph.

    Args:
        path: a ``.onnx`` file.
        classes: outputs it must have.
        threads: for computing.

    Raises:
        ModelError: onnxruntime is missing, the file is missing or damaged, or it is no graph of ours.
    """
    message = f"{path} cannot be used to name icons: it is missing, damaged, or of another program."
    with unusable(message, hint='Copy the model again, or choose another one in "vision.icons".'):
        # Read into memory first, so that the graph cannot point at other files.
        session = open_session("Naming icons", path.read_bytes(), threads=threads)
        given = str(session.get_inputs()[0].name)

        def network(icons: Floats) -> Floats:
            likely: Floats = session.run(None, {given: icons})[0]
            return likely

        told = network(np.zeros((1, 3, SIDE, SIDE), dtype=np.float32)).shape
        if told != (1, classes):
            raise ValueError(f"output {told} instead of {(1, classes)}")
    return network


Flags: TypeAlias = "npt.NDArray[np.bool_]"

_ALIKE: Final = (("minimize", "remove"), ("maximize", "stop"))
"""What a drawing means on a title bar, and what the same one means elsewhere."""
_CLOSE: Final = "close"
_ON_BARS, _ELSEWHERE = 0.8, 0.4
"""How likely the first of two such meanings is there, where the drawing tells nothing."""
_MIN_CLOSE_SHARE, _MIN_ALIKE_SHARE = 0.3, 0.5
_MAX_BAR_BUTTONS: Final = 4
"""Buttons of a title bar, with the one that closes."""
_MAX_GAP_HEIGHTS: Final = 2.5
"""Widest gap between two of them, in heights of the larger one."""


def settle(likely: Floats, boxes: Sequence[Rect], classes: Sequence[str]) -> Floats:
    """The same chances, but those of meanings that look alike shared out anew, by what stands beside an icon.

    Args:
        likely: shape (n, classes).
        boxes: of the icons, n of them.
        classes: what the columns mean.
    """
    known = {name: number for number, name in enumerate(classes)}
    pairs = [(known[bar], known[other]) for bar, other in _ALIKE if bar in known and other in known]
    if _CLOSE not in known or not pairs or not len(likely):
        return likely
    settled = likely.copy()
    on_bars = _on_bars(likely, boxes, known[_CLOSE], pairs)
    for bar, other in pairs:
        share = np.where(on_bars, _ON_BARS, _ELSEWHERE).astype(np.float32)
        # The drawing still speaks: only what it leaves open is decided by the place.
        here, elsewhere = likely[:, bar] * share, likely[:, other] * (1 - share)
        scale = (likely[:, bar] + likely[:, other]) / np.maximum(here + elsewhere, 1e-9)
        settled[:, bar], settled[:, other] = here * scale, elsewhere * scale
    return settled


def _on_bars(likely: Floats, boxes: Sequence[Rect], close: int, pairs: Sequence[tuple[int, int]]) -> Flags:
    """Which icons stand in a short row with one that closes, and nothing else."""
    fits: Flags = likely[:, close] >= _MIN_CLOSE_SHARE
    for bar, other in pairs:
        fits = fits | (likely[:, bar] + likely[:, other] >= _MIN_ALIKE_SHARE)
    on_bars = np.zeros(len(boxes), dtype=np.bool_)
    for row in _rows(boxes):
        closes = any(likely[number, close] >= _MIN_CLOSE_SHARE for number in row)
        if closes and 2 <= len(row) <= _MAX_BAR_BUTTONS and all(fits[number] for number in row):
            on_bars[row] = True
    return on_bars


def _rows(boxes: Sequence[Rect]) -> list[list[int]]:
    """Icons that follow each other at one height, without wide gaps."""
    rows: list[list[int]] = []
    for number in sorted(range(len(boxes)), key=lambda n: boxes[n].x1):
        box = boxes[number]
        for row in rows:
            last = boxes[row[-1]]
            tall = max(last.height, box.height, last.width, box.width)
            level = abs((last.y1 + last.y2) - (box.y1 + box.y2)) <= tall
            if level and 0 <= box.x1 - last.x2 + 2 <= _MAX_GAP_HEIGHTS * tall:
                row.append(number)
                break
        else:
            rows.append([number])
    return rows


NOTHING: Final = "none"
"""The class of what is an icon, but means nothing that has a name."""
_BATCH_SIZE: Final = 64
"""Icons that are asked about at once; a screen seldom has more."""


class IconNamer:
    """Names icons by their looks; only of the buttons of a window it matters that they stand together."""

    def __init__(self, network: Network, classes: Sequence[str], *, sure_at: float) -> None:
        """Use this network.

        Args:
            network: says how likely each meaning is.
            classes: what its outputs mean; :data:`NOTHING` among them stands for no name.
            sure_at: least confidence of a name.
        """
        self._network = network
        self._classes = tuple(classes)
        self._sure_at = sure_at

    def meanings(self, image: RgbImage, boxes: Sequence[Rect]) -> list[str | None]:
        """What the icons in some boxes mean; None where the network is unsure, or knows no name.

        Args:
            image: shape (height, width, 3), uint8.
            boxes: in pixels of the picture.
        """
        return [self._meaning(row) for row in self._likely(image, boxes)]

    def _meaning(self, row: Floats) -> str | None:
        best = int(row.argmax())
        return self._classes[best] if self._classes[best] != NOTHING and float(row[best]) >= self._sure_at else None

    def guesses(self, image: RgbImage, box: Rect, *, count: int, least: float) -> IconGuesses:
        """What the icon in a box means, and what it may mean.

        Args:
            image: shape (height, width, 3), uint8.
            box: in pixels of the picture.
            count: meanings at most.
            least: what is less likely is left out, 0..1.
        """
        (row,) = self._likely(image, [box])
        order = (int(number) for number in np.argsort(-row, kind="stable"))
        likely = ((self._classes[n], float(row[n])) for n in order if self._classes[n] != NOTHING and row[n] >= least)
        return IconGuesses(name=self._meaning(row), likely=tuple(itertools.islice(likely, count)))

    def name(self, image: RgbImage, found: Sequence[Detection]) -> list[Detection]:
        """The elements, the icons among them with their meaning; where it is unsure they keep what they had."""
        icons = [number for number, one in enumerate(found) if one.type == "icon" and one.box.area > 0]
        named = list(found)
        meanings = self.meanings(image, [found[number].box for number in icons])
        for number, meaning in zip(icons, meanings, strict=True):
            if meaning is not None:
                named[number] = dataclasses.replace(found[number], subtype=meaning)
        return named

    def _likely(self, image: RgbImage, boxes: Sequence[Rect]) -> Floats:
        """How likely each meaning is for some boxes; shape (n, classes)."""
        if not boxes:
            return np.empty((0, len(self._classes)), dtype=np.float32)
        size = Size(image.shape[1], image.shape[0])
        clamped = [box.clamped(size) for box in boxes]
        parts = [clamped[start : start + _BATCH_SIZE] for start in range(0, len(boxes), _BATCH_SIZE)]
        likely = np.concatenate([self._network(to_input(cut_icons(image, some))) for some in parts])
        return settle(likely, clamped, self._classes)


def open_icon_namer(settings: VisionSettings, *, threads: int) -> IconNamer:
    """The network that the settings name.

    Raises:
        ModelError: none is set, or it cannot be used.
    """
    model = resolve("icons", settings.icons)
    if model is None:
        raise ModelError("There is no icon network.", hint='Set "vision.icons", or clear it to do without.')
    options, classes = model.card.options, model.card.classes
    if options.get("side") != SIDE or "sure_at" not in options or not classes:
        raise ModelError(
            f"The icon network {model.card.id} was made by another version.",
            details=f"{model.folder}: options {dict(options)}, {len(classes)} classes",
            hint="Train or export it again.",
        )
    network = open_network(model.file(GRAPH), classes=len(classes), threads=threads)
    return IconNamer(network, classes, sure_at=float(options["sure_at"]))
