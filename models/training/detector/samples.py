"""Crops that each step of training sees: decided by seed and step alone, so that a resumed run is the same run.

A crop is a window of a screen at its own scale, with the boxes that can still be seen in it.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.overlap import areas, box_array
from demopack.errors import BadInputError
from models.training.augmentation import recolour, roughen, scale_of
from models.training.labelled_screens import LabelledScreen, LabelledScreenSet, Split
from models.training.options import DetectorTraining
from models.vision.detector import CLASS_OF

Boxes = NDArray[np.float32]
"""Shape (n, 4): left, top, right, bottom edge in pixels."""

_MIN_SHARE = 0.4
"""A box of which less than this share is in the crop is not marked: nobody could say what it is."""
_CROP_TRIES = 8
_WHOLE_SHARE = 0.98
_MIN_SIDE_PX = 3.0


def clip_boxes(boxes: Boxes, window: Rect) -> tuple[Boxes, NDArray[np.intp]]:
    """The boxes seen in a window, in the window's own pixels, and which of the given ones they are.

    Boxes of which less than two fifths of the area are seen are left out, and so is what is thinner than 3 pixels.
    """
    clipped, shares = _clipped(boxes, window)
    sides = clipped[:, 2:] - clipped[:, :2]
    kept = np.flatnonzero((shares >= _MIN_SHARE) & (sides.min(axis=1) >= _MIN_SIDE_PX))
    return clipped[kept], kept


def choose_window(
    size: tuple[int, int],
    boxes: Boxes,
    want: tuple[int, int],
    random: np.random.Generator,
    *,
    around: int | None = None,
) -> Rect:
    """A place for a crop, of a few tried the one that cuts fewest boxes that would have fitted into it.

    Args:
        size: width and height of the screen.
        boxes: everything on it.
        want: width and height of the crop; where the screen is smaller, the whole of it is taken.
        random: draws the places to try.
        around: a box that shall be in the crop, its index; anywhere when None.
    """
    width, height = min(want[0], size[0]), min(want[1], size[1])
    spare = (size[0] - width, size[1] - height)
    if spare == (0, 0):
        return Rect(0, 0, width, height)
    best, fewest = Rect(0, 0, width, height), np.inf
    fits = (boxes[:, 2] - boxes[:, 0] <= width) & (boxes[:, 3] - boxes[:, 1] <= height)
    for _ in range(_CROP_TRIES):
        x, y = _place(boxes, (width, height), spare, random, around)
        tried = Rect(x, y, x + width, y + height)
        _, shares = _clipped(boxes, tried)
        cut = float(np.count_nonzero(fits & (shares > 0) & (shares < _WHOLE_SHARE)))
        if cut < fewest:
            best, fewest = tried, cut
        if not cut:
            break
    return best


def _place(
    boxes: Boxes, side: tuple[int, int], spare: tuple[int, int], random: np.random.Generator, around: int | None
) -> tuple[int, int]:
    if around is None:
        return int(random.integers(0, spare[0] + 1)), int(random.integers(0, spare[1] + 1))
    place: list[int] = []
    for axis in (0, 1):
        start, end = float(boxes[around, axis]), float(boxes[around, axis + 2])
        # Anywhere from "its end is just inside" to "its start is just inside"; a box larger than the crop is cut.
        low, high = sorted((end - side[axis], start))
        at = random.uniform(low, high) if high > low else low
        place.append(min(max(round(at), 0), spare[axis]))
    return place[0], place[1]


def _clipped(boxes: Boxes, window: Rect) -> tuple[Boxes, Boxes]:
    """What is seen of boxes in a window, in its pixels, and which share of each that is."""
    clipped = boxes - np.array([window.x1, window.y1] * 2, dtype=np.float32)
    clipped[:, 0::2] = clipped[:, 0::2].clip(0, window.width)
    clipped[:, 1::2] = clipped[:, 1::2].clip(0, window.height)
    return clipped, (areas(clipped) / np.maximum(areas(boxes), 1e-6)).astype(np.float32)


_GROUND = 114
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
        for screen in home.screens(sides=[side], labels_apart=True):
            known = [e for e in screen.elements if e.type in CLASS_OF or (e.type == "other" and not typed)]
            boxes = box_array(e.box for e in known).astype(np.float32)
            classes = np.array([CLASS_OF[e.type] if typed else 0 for e in known], dtype=np.intp)
            pictures.append(TrainingScreen(home, screen.model_copy(update={"elements": ()}), boxes, classes))
    return pictures


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
    """Batches by their step, without end; equal screens, options and step give equal batches, in any process.

    A screen is as likely as its source's weight and its group's size say.
    """

    def __init__(self, pictures: Sequence[TrainingScreen], options: DetectorTraining) -> None:
        """Weigh the screens.

        Args:
            pictures: at least one.
            options: the recipe; within a source, a group counts by the root of its size.
        """
        self._pictures, self._options = pictures, options
        self._sides = sorted(options.crops)
        shares = np.array([options.crops[side] for side in self._sides])
        self._side_ladder = shares.cumsum() / max(shares.sum(), 1e-9)
        chances = np.array([options.weights.get(p.screen.source, 1.0) for p in pictures], dtype=np.float64)
        keys = [(p.screen.source, p.screen.group) for p in pictures]
        in_group = Counter(keys)
        roots: defaultdict[str, float] = defaultdict(float)
        for (source, _), count in in_group.items():
            roots[source] += count**0.5
        chances *= np.array([in_group[key] ** -0.5 / roots[key[0]] for key in keys])
        self._ladder = chances.cumsum() / chances.sum()
        sizes = np.array([p.screen.width * p.screen.height for p in pictures])
        self._small = np.flatnonzero(sizes <= round(self._sides[0] ** 2 * _SMALL_SHARE))
        seen = np.bincount(np.concatenate([p.classes for p in pictures]), minlength=len(CLASS_OF))
        self._rarity = np.maximum(seen, 1) ** -0.5
        self._read = PixelCache(megabytes=options.cache_mb)

    def __len__(self) -> int:
        return 2**31

    def __getitem__(self, step: int) -> CropBatch:
        options = self._options
        random = np.random.default_rng((options.seed, step))
        side = self._sides[_drawn(self._side_ladder, random)]
        count = max(1, round(options.batch * (self._sides[0] / side) ** 2))
        crops: list[Crop] = []
        for slot in range(count):
            # Two neighbours look at one screen: decoding a picture costs as much as learning from a crop of it.
            random = np.random.default_rng((options.seed, step, slot // 2))
            first = self._pictures[_drawn(self._ladder, random)]
            random = np.random.default_rng((options.seed, step, slot, 1))
            if slot % 2 and first.screen.width * first.screen.height <= 2 * side * side:
                first = self._pictures[_drawn(self._ladder, random)]
            crops.append(self.crop(first, side, random))
        return _joined(crops)

    def crop(self, first: TrainingScreen, side: int, random: np.random.Generator) -> Crop:
        """A square crop of a screen at its own scale; what a small screen leaves free is filled with others.

        Args:
            first: the screen.
            side: pixels.
            random: draws places and, where the options say so, variations.
        """
        canvas = np.full((side, side, 3), _GROUND, dtype=np.uint8)
        free: list[tuple[TrainingScreen | None, int, int, int, int]] = [(first, 0, 0, side, side)]
        boxes: list[Boxes] = []
        classes: list[NDArray[np.intp]] = []
        while free:
            picture, x, y, width, height = free.pop()
            if picture is None:
                if random.random() >= 0.85 or not self._small.size:
                    continue
                picture = self._pictures[int(random.choice(self._small))]
            piece = self._piece(picture, (width, height), random)
            tall, wide = piece.image.shape[:2]
            canvas[y : y + tall, x : x + wide] = piece.image
            boxes.append(piece.boxes + np.array([x, y, x, y], dtype=np.float32))
            classes.append(piece.classes)
            if width - wide >= _MIN_CROP_PX and height >= _MIN_CROP_PX:
                free.append((None, x + wide, y, width - wide, height))
            if height - tall >= _MIN_CROP_PX and wide >= _MIN_CROP_PX:
                free.append((None, x, y + tall, wide, height - tall))
        image = roughen(canvas, random) if self._options.augment else canvas
        return Crop(image, np.concatenate(boxes), np.concatenate(classes))

    def _piece(self, picture: TrainingScreen, room: tuple[int, int], random: np.random.Generator) -> Crop:
        scale = scale_of(random) if self._options.augment else 1.0
        want = (max(1, round(room[0] / scale)), max(1, round(room[1] / scale)))
        window = choose_window(picture.screen.size, picture.boxes, want, random, around=self._target(picture, random))
        image = self._read(picture)[window.y1 : window.y2, window.x1 : window.x2]
        boxes, kept = clip_boxes(picture.boxes, window)
        if scale != 1.0:
            wide, tall = min(room[0], round(window.width * scale)), min(room[1], round(window.height * scale))
            resized = Image.fromarray(np.ascontiguousarray(image)).resize((wide, tall), Image.Resampling.LANCZOS)
            image = np.asarray(resized, dtype=np.uint8)
            boxes = boxes * np.array([wide / window.width, tall / window.height] * 2, dtype=np.float32)
        return Crop(recolour(image, random) if self._options.augment else image, boxes, picture.classes[kept])

    def _target(self, picture: TrainingScreen, random: np.random.Generator) -> int | None:
        """An element to look at, rare kinds more often; None for any place."""
        if not len(picture.classes) or random.random() < 0.35:
            return None
        chances = self._rarity[picture.classes]
        return int(random.choice(len(chances), p=chances / chances.sum()))


def _drawn(ladder: NDArray[np.float64], random: np.random.Generator) -> int:
    """A place on a ladder of chances that were summed up."""
    return min(int(np.searchsorted(ladder, random.random())), len(ladder) - 1)


def _joined(crops: list[Crop]) -> CropBatch:
    images: Any = np.stack([crop.image for crop in crops])
    side = images.shape[1]
    edges = np.concatenate([crop.boxes for crop in crops]) / np.float32(side)
    centres, sides = (edges[:, :2] + edges[:, 2:]) / 2, edges[:, 2:] - edges[:, :2]
    owners = np.repeat(np.arange(len(crops)), [len(crop.boxes) for crop in crops])
    classes = np.concatenate([crop.classes for crop in crops])
    return CropBatch(images, np.concatenate([centres, sides], axis=1).astype(np.float32), classes, owners)
