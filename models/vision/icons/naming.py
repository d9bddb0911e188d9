"""Gives icons their meaning, where the network is sure enough of one."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.errors import ModelError
from demopack.settings import VisionSettings
from models.registry import resolve
from models.vision.found import Found
from models.vision.icons.cutting import SIDE, Floats, cut_icons, to_input
from models.vision.icons.network import GRAPH, IconNetwork
from models.vision.icons.windows import settle

__all__ = ["NOTHING", "IconAsker", "IconNamer", "open_icon_namer"]

NOTHING: Final = "none"
"""The class of what is an icon, but means nothing that has a name."""
_BATCH: Final = 64
"""Icons that are asked about at once; a screen seldom has more."""


class IconAsker(Protocol):
    """A loaded network."""

    def likely(self, icons: Floats) -> Floats:
        """How likely each meaning is, shape (n, classes), for icons of shape (n, 3, 40, 40)."""
        ...


class IconNamer:
    """Names icons by their looks; only of the buttons of a window it matters that they stand together."""

    def __init__(self, network: IconAsker, classes: Sequence[str], *, sure_at: float) -> None:
        """Use this network.

        Args:
            network: whom to ask.
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
        if not boxes:
            return []
        said: list[str | None] = []
        for row in self._likely(image, boxes):
            best = int(row.argmax())
            sure = self._classes[best] != NOTHING and float(row[best]) >= self._sure_at
            said.append(self._classes[best] if sure else None)
        return said

    def guesses(
        self, image: RgbImage, boxes: Sequence[Rect], *, count: int, least: float
    ) -> list[tuple[tuple[str, float], ...]]:
        """What the icons in some boxes may mean, the likeliest first, each with how likely it is.

        Args:
            image: shape (height, width, 3), uint8.
            boxes: in pixels of the picture.
            count: meanings at most for each.
            least: what is less likely is left out, 0..1.
        """
        if not boxes:
            return []
        said: list[tuple[tuple[str, float], ...]] = []
        for row in self._likely(image, boxes):
            order = (int(number) for number in np.argsort(-row, kind="stable"))
            told = ((self._classes[n], float(row[n])) for n in order if self._classes[n] != NOTHING and row[n] >= least)
            said.append(tuple(itertools.islice(told, count)))
        return said

    def name(self, image: RgbImage, found: Sequence[Found]) -> list[Found]:
        """The elements, the icons among them with their meaning; where it is unsure they keep what they had."""
        icons = [number for number, one in enumerate(found) if one.type == "icon" and one.box.area > 0]
        named = list(found)
        meanings = self.meanings(image, [found[number].box for number in icons])
        for number, meaning in zip(icons, meanings, strict=True):
            if meaning is not None:
                named[number] = dataclasses.replace(found[number], subtype=meaning)
        return named

    def _likely(self, image: RgbImage, boxes: Sequence[Rect]) -> Floats:
        """How likely each meaning is for some boxes, at least one; shape (n, classes)."""
        size = Size(image.shape[1], image.shape[0])
        clamped = [box.clamped(size) for box in boxes]
        parts = [clamped[start : start + _BATCH] for start in range(0, len(boxes), _BATCH)]
        likely = np.concatenate([self._network.likely(to_input(cut_icons(image, some))) for some in parts])
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
    network = IconNetwork(model.file(GRAPH), classes=len(classes), threads=threads)
    return IconNamer(network, classes, sure_at=float(options["sure_at"]))
