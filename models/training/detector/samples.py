"""Which crops a step of training sees: decided by seed and step alone, so that a resumed run is the same run."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from demopack.domain.frames import RgbImage
from demopack.errors import BadInputError
from models.training.detector.augment import recolour, roughen, scale_of
from models.training.detector.crops import Boxes, choose_window, clip_boxes
from models.training.screens.screen import Screen, ScreenSet, Side, SourceName
from models.vision.classes import CLASS_OF

__all__ = ["Crop", "Picture", "Pictures", "Pool", "read_pictures"]

_GROUND = 114
_LEAST = 64
"""Free strips of a crop that are narrower stay empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One screen as the detector learns it.

    Attributes:
        home: the set it lies in.
        screen: name, size and so on, without its elements.
        boxes: shape (n, 4), pixels.
        classes: shape (n,).
    """

    home: ScreenSet
    screen: Screen
    boxes: Boxes
    classes: NDArray[np.intp]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.screen.width, self.screen.height


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """What the detector is shown: a square picture, its boxes in pixels and their classes."""

    image: RgbImage
    boxes: Boxes
    classes: NDArray[np.intp]


def read_pictures(sets: Sequence[Path], *, side: Side, typed: bool) -> list[Picture]:
    """Every screen of one side in some sets, in a fixed order.

    Raises:
        BadInputError: a folder is missing or a truth is damaged; the error names the file.
    """
    pictures: list[Picture] = []
    for folder in sets:
        if not folder.is_dir():
            raise BadInputError(f"There is no folder of screens {folder}.", hint="Draw some: demopack screens make.")
        home = ScreenSet(folder)
        pictures += [_picture(home, screen, typed=typed) for screen in home.screens(sides=[side])]
    return pictures


def _picture(home: ScreenSet, screen: Screen, *, typed: bool) -> Picture:
    known = [e for e in screen.elements if e.type in CLASS_OF or (e.type == "other" and not typed)]
    boxes = np.array([[e.box.x1, e.box.y1, e.box.x2, e.box.y2] for e in known], dtype=np.float32).reshape(-1, 4)
    classes = np.array([CLASS_OF[e.type] if typed else 0 for e in known], dtype=np.intp)
    return Picture(home, screen.model_copy(update={"elements": ()}), boxes, classes)


class Pictures:
    """Reads pixels, and remembers as many as fit into some megabytes."""

    def __init__(self, *, megabytes: int) -> None:
        self._left = megabytes * 1_000_000
        self._known: OrderedDict[Path, RgbImage] = OrderedDict()

    def __call__(self, picture: Picture) -> RgbImage:
        """The pixels of a screen.

        Raises:
            BadInputError: the file is missing or damaged.
        """
        path = picture.home.picture_path(picture.screen)
        known = self._known.get(path)
        if known is not None:
            self._known.move_to_end(path)
            return known
        image = picture.home.image(picture.screen)
        self._known[path] = image
        self._left -= image.nbytes
        while self._left < 0 and self._known:
            self._left += self._known.popitem(last=False)[1].nbytes
        return image


class Pool:
    """The screens to learn from, each as likely as its source's weight and its group's size say."""

    def __init__(self, pictures: Sequence[Picture], *, weights: Mapping[SourceName, float], small: int) -> None:
        """Weigh the screens.

        Args:
            pictures: at least one.
            weights: by source; within a source, a group counts by the root of its size.
            small: screens of at most this many pixels may fill what is left free in a crop.
        """
        self._pictures = list(pictures)
        chances = np.array([weights.get(p.screen.source, 1.0) for p in pictures], dtype=np.float64)
        keys = [(p.screen.source, p.screen.group) for p in pictures]
        in_group = _counts(keys)
        roots: dict[str, float] = {}
        for (source, _), count in in_group.items():
            roots[source] = roots.get(source, 0.0) + count**0.5
        chances *= np.array([in_group[key] ** -0.5 / roots[key[0]] for key in keys])
        self._ladder = chances.cumsum() / chances.sum()
        sizes = np.array([p.size[0] * p.size[1] for p in pictures])
        self._small = np.flatnonzero(sizes <= small)
        seen = np.bincount(np.concatenate([p.classes for p in pictures]), minlength=len(CLASS_OF))
        self._rarity = np.maximum(seen, 1) ** -0.5

    def draw(self, random: np.random.Generator) -> Picture:
        """Any screen."""
        return self._pictures[min(int(np.searchsorted(self._ladder, random.random())), len(self._pictures) - 1)]

    def draw_small(self, random: np.random.Generator) -> Picture | None:
        """A small screen; None when there is none."""
        return self._pictures[int(random.choice(self._small))] if self._small.size else None

    def crop(
        self, first: Picture, side: int, random: np.random.Generator, *, read: Callable[[Picture], RgbImage], vary: bool
    ) -> Crop:
        """A square crop of a screen at its own scale; what a small screen leaves free is filled with others.

        Args:
            first: the screen.
            side: pixels.
            random: draws places and variations.
            read: gives the pixels of a screen.
            vary: whether colours, scale and so on are varied.
        """
        canvas = np.full((side, side, 3), _GROUND, dtype=np.uint8)
        free: list[tuple[Picture | None, int, int, int, int]] = [(first, 0, 0, side, side)]
        boxes: list[Boxes] = []
        classes: list[NDArray[np.intp]] = []
        while free:
            picture, x, y, width, height = free.pop()
            picture = picture or (self.draw_small(random) if random.random() < 0.85 else None)
            if picture is None:
                continue
            piece = self._piece(picture, (width, height), random, read=read, vary=vary)
            tall, wide = piece.image.shape[:2]
            canvas[y : y + tall, x : x + wide] = piece.image
            boxes.append(piece.boxes + np.array([x, y, x, y], dtype=np.float32))
            classes.append(piece.classes)
            if width - wide >= _LEAST and height >= _LEAST:
                free.append((None, x + wide, y, width - wide, height))
            if height - tall >= _LEAST and wide >= _LEAST:
                free.append((None, x, y + tall, wide, height - tall))
        image = roughen(canvas, random) if vary else canvas
        return Crop(image, np.concatenate(boxes), np.concatenate(classes))

    def _piece(
        self,
        picture: Picture,
        room: tuple[int, int],
        random: np.random.Generator,
        *,
        read: Callable[[Picture], RgbImage],
        vary: bool,
    ) -> Crop:
        scale = scale_of(random) if vary else 1.0
        want = (max(1, round(room[0] / scale)), max(1, round(room[1] / scale)))
        window = choose_window(picture.size, picture.boxes, want, random, around=self._target(picture, random))
        image = read(picture)[window.y : window.y + window.height, window.x : window.x + window.width]
        boxes, kept = clip_boxes(picture.boxes, window)
        if scale != 1.0:
            wide, tall = min(room[0], round(window.width * scale)), min(room[1], round(window.height * scale))
            resized = Image.fromarray(np.ascontiguousarray(image)).resize((wide, tall), Image.Resampling.LANCZOS)
            image = np.asarray(resized, dtype=np.uint8)
            boxes = boxes * np.array([wide / window.width, tall / window.height] * 2, dtype=np.float32)
        return Crop(recolour(image, random) if vary else image, boxes, picture.classes[kept])

    def _target(self, picture: Picture, random: np.random.Generator) -> int | None:
        """An element to look at, rare kinds more often; None for any place."""
        if not len(picture.classes) or random.random() < 0.35:
            return None
        chances = self._rarity[picture.classes]
        return int(random.choice(len(chances), p=chances / chances.sum()))


def _counts(keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], int]:
    counts: dict[tuple[str, str], int] = {}
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
    return counts
