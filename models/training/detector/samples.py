"""Crops that each step of training sees: decided by seed and step alone, so that a resumed run is the same run."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from demopack.domain.frames import RgbImage
from demopack.domain.overlap import box_array
from demopack.errors import BadInputError
from models.training.augmentation import recolour, roughen, scale_of
from models.training.detector.crops import Boxes, choose_window, clip_boxes
from models.training.labelled_screens import LabelledScreen, LabelledScreenSet, SourceName, Split
from models.training.options import DetectorTraining
from models.vision.detector import CLASS_OF

_GROUND = 114
_Read: TypeAlias = "Callable[[TrainingScreen], RgbImage]"
_MIN_CROP_PX = 64
"""Free strips of a crop that are narrower stay empty."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingScreen:
    """One screen as the detector learns it.

    Attributes:
        home: the set it lies in.
        screen: name, size and so on, without its elements.
        boxes: shape (n, 4), pixels.
        classes: shape (n,).
    """

    home: LabelledScreenSet
    screen: LabelledScreen
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


def read_pictures(sets: Sequence[Path], *, side: Split, typed: bool) -> list[TrainingScreen]:
    """Every screen of one side in some sets, in a fixed order.

    Raises:
        BadInputError: a folder is missing or a truth is damaged; the error names the file.
    """
    pictures: list[TrainingScreen] = []
    for folder in sets:
        if not folder.is_dir():
            raise BadInputError(f"There is no folder of screens {folder}.", hint="Name a folder of labelled screens.")
        home = LabelledScreenSet(folder)
        pictures += [_picture(home, screen, typed=typed) for screen in home.screens(sides=[side])]
    return pictures


def _picture(home: LabelledScreenSet, screen: LabelledScreen, *, typed: bool) -> TrainingScreen:
    known = [e for e in screen.elements if e.type in CLASS_OF or (e.type == "other" and not typed)]
    boxes = box_array(e.box for e in known).astype(np.float32)
    classes = np.array([CLASS_OF[e.type] if typed else 0 for e in known], dtype=np.intp)
    return TrainingScreen(home, screen.model_copy(update={"elements": ()}), boxes, classes)


class PixelCache:
    """Reads pixels, and remembers as many as fit into some megabytes."""

    def __init__(self, *, megabytes: int) -> None:
        self._left = megabytes * 1_000_000
        self._known: OrderedDict[Path, RgbImage] = OrderedDict()

    def __call__(self, picture: TrainingScreen) -> RgbImage:
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


class ScreenPool:
    """The screens to learn from, each as likely as its source's weight and its group's size say."""

    def __init__(self, pictures: Sequence[TrainingScreen], *, weights: Mapping[SourceName, float], small: int) -> None:
        """Weigh the screens.

        Args:
            pictures: at least one.
            weights: by source; within a source, a group counts by the root of its size.
            small: screens of at most this many pixels may fill what is left free in a crop.
        """
        self._pictures = list(pictures)
        chances = np.array([weights.get(p.screen.source, 1.0) for p in pictures], dtype=np.float64)
        keys = [(p.screen.source, p.screen.group) for p in pictures]
        in_group = Counter(keys)
        roots: defaultdict[str, float] = defaultdict(float)
        for (source, _), count in in_group.items():
            roots[source] += count**0.5
        chances *= np.array([in_group[key] ** -0.5 / roots[key[0]] for key in keys])
        self._ladder = chances.cumsum() / chances.sum()
        sizes = np.array([p.size[0] * p.size[1] for p in pictures])
        self._small = np.flatnonzero(sizes <= small)
        seen = np.bincount(np.concatenate([p.classes for p in pictures]), minlength=len(CLASS_OF))
        self._rarity = np.maximum(seen, 1) ** -0.5

    def draw(self, random: np.random.Generator) -> TrainingScreen:
        """Any screen."""
        return self._pictures[min(int(np.searchsorted(self._ladder, random.random())), len(self._pictures) - 1)]

    def draw_small(self, random: np.random.Generator) -> TrainingScreen | None:
        """A small screen; None when there is none."""
        return self._pictures[int(random.choice(self._small))] if self._small.size else None

    def crop(self, first: TrainingScreen, side: int, random: np.random.Generator, *, read: _Read, vary: bool) -> Crop:
        """A square crop of a screen at its own scale; what a small screen leaves free is filled with others.

        Args:
            first: the screen.
            side: pixels.
            random: draws places and variations.
            read: gives the pixels of a screen.
            vary: whether colours, scale and so on are varied.
        """
        canvas = np.full((side, side, 3), _GROUND, dtype=np.uint8)
        free: list[tuple[TrainingScreen | None, int, int, int, int]] = [(first, 0, 0, side, side)]
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
            if width - wide >= _MIN_CROP_PX and height >= _MIN_CROP_PX:
                free.append((None, x + wide, y, width - wide, height))
            if height - tall >= _MIN_CROP_PX and wide >= _MIN_CROP_PX:
                free.append((None, x, y + tall, wide, height - tall))
        image = roughen(canvas, random) if vary else canvas
        return Crop(image, np.concatenate(boxes), np.concatenate(classes))

    def _piece(
        self, picture: TrainingScreen, room: tuple[int, int], random: np.random.Generator, *, read: _Read, vary: bool
    ) -> Crop:
        scale = scale_of(random) if vary else 1.0
        want = (max(1, round(room[0] / scale)), max(1, round(room[1] / scale)))
        window = choose_window(picture.size, picture.boxes, want, random, around=self._target(picture, random))
        image = read(picture)[window.y1 : window.y2, window.x1 : window.x2]
        boxes, kept = clip_boxes(picture.boxes, window)
        if scale != 1.0:
            wide, tall = min(room[0], round(window.width * scale)), min(room[1], round(window.height * scale))
            resized = Image.fromarray(np.ascontiguousarray(image)).resize((wide, tall), Image.Resampling.LANCZOS)
            image = np.asarray(resized, dtype=np.uint8)
            boxes = boxes * np.array([wide / window.width, tall / window.height] * 2, dtype=np.float32)
        return Crop(recolour(image, random) if vary else image, boxes, picture.classes[kept])

    def _target(self, picture: TrainingScreen, random: np.random.Generator) -> int | None:
        """An element to look at, rare kinds more often; None for any place."""
        if not len(picture.classes) or random.random() < 0.35:
            return None
        chances = self._rarity[picture.classes]
        return int(random.choice(len(chances), p=chances / chances.sum()))


_SMALL_SHARE = 0.6
"""Screens of at most this share of the smallest crop's area may fill what is left free in a crop."""


@dataclass(frozen=True, slots=True, eq=False)
class CropBatch:
    """Crops of one size.

    Attributes:
        images: shape (n, side, side, 3), uint8.
        boxes: shape (m, 4): centre, width, height as fractions of the side.
        classes: shape (m,).
        owners: shape (m,), the crop each box lies in.
    """

    images: RgbImage
    boxes: NDArray[np.float32]
    classes: NDArray[np.intp]
    owners: NDArray[np.intp]


class CropBatches:
    """Indexed by step, without end; equal screens, options and step give equal batches, in any process."""

    def __init__(self, pictures: list[TrainingScreen], options: DetectorTraining) -> None:
        self._sides = sorted(options.crops)
        shares = np.array([options.crops[side] for side in self._sides])
        self._ladder = shares.cumsum() / max(shares.sum(), 1e-9)
        self._pool = ScreenPool(pictures, weights=options.weights, small=round(self._sides[0] ** 2 * _SMALL_SHARE))
        self._options = options
        self._read = PixelCache(megabytes=options.cache_mb)

    def __len__(self) -> int:
        return 2**31

    def __getitem__(self, step: int) -> CropBatch:
        options = self._options
        random = np.random.default_rng((options.seed, step))
        side = self._sides[min(int(np.searchsorted(self._ladder, random.random())), len(self._sides) - 1)]
        count = max(1, round(options.batch * (self._sides[0] / side) ** 2))
        return _joined([self._crop(step, slot, side) for slot in range(count)])

    def _crop(self, step: int, slot: int, side: int) -> Crop:
        seed = self._options.seed
        # Two neighbours look at one screen: decoding a picture costs as much as learning from a crop of it.
        first = self._pool.draw(np.random.default_rng((seed, step, slot // 2)))
        random = np.random.default_rng((seed, step, slot, 1))
        if slot % 2 and first.size[0] * first.size[1] <= 2 * side * side:
            first = self._pool.draw(random)
        return self._pool.crop(first, side, random, read=self._read, vary=self._options.augment)


def _joined(crops: list[Crop]) -> CropBatch:
    images: Any = np.stack([crop.image for crop in crops])
    side = images.shape[1]
    edges = np.concatenate([crop.boxes for crop in crops]) / np.float32(side)
    centres, sides = (edges[:, :2] + edges[:, 2:]) / 2, edges[:, 2:] - edges[:, :2]
    owners = np.repeat(np.arange(len(crops)), [len(crop.boxes) for crop in crops])
    classes = np.concatenate([crop.classes for crop in crops])
    return CropBatch(images, np.concatenate([centres, sides], axis=1).astype(np.float32), classes, owners)
