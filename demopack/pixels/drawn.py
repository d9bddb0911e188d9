"""What can be seen of the drawing itself: edges, grounds, marks, pieces of ink."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.domain.overlap import as_rect
from demopack.pixels.foreground import foreground_box
from demopack.pixels.masks import components, crop, runs, tight_box

_STEP = 10
"""Steps of a channel that an eye sees as an edge between two flat grounds."""
_INK = 24
_SIGN = 16
"""Steps of a channel by which a sign stands out from a shaded ground."""
_MOST_MIXED = 0.3
"""Share of the rim around a drawing that may be of another colour than the rest of it."""
_MOST_UNLIKE = 0.1
"""Share of the rows of a shaded ground that may be another at its end."""


def part_of(image: RgbImage, box: Rect) -> RgbImage:
    """The pixels of a box, as far as it lies on the picture."""
    box = box.clamped(Size(image.shape[1], image.shape[0]))
    return image[box.y1 : box.y2, box.x1 : box.x2]


def ground_of(part: RgbImage) -> tuple[int, int, int]:
    """The commonest colour."""
    flat = part.reshape(-1, 3).astype(np.int32)
    values, counts = np.unique(flat[:, 0] << 16 | flat[:, 1] << 8 | flat[:, 2], return_counts=True)
    most = int(values[counts.argmax()])
    return most >> 16, most >> 8 & 255, most & 255


def differs(part: RgbImage, colour: tuple[int, int, int], *, least: int = _INK) -> Any:  # noqa: ANN401 - an array
    """Which pixels are not of a colour."""
    return np.abs(part.astype(np.int16) - np.array(colour, dtype=np.int16)).max(axis=2) > least


def has_ink(image: RgbImage, box: Rect, *, least: int = _INK) -> bool:
    """Whether anything stands out in a box."""
    part = part_of(image, box)
    return bool(part.size) and bool(differs(part, ground_of(part), least=least).any())


def faint_box(image: RgbImage, box: Rect) -> Rect | None:
    """The box of what hardly stands out, as an icon that cannot be used; None when nothing does."""
    part = part_of(image, box)
    if not part.size:
        return None
    found = pieces(differs(part, ground_of(part), least=8), reach=4)
    if not found:
        return None
    around = found[0]
    for piece in found[1:]:
        around = around.union(piece)
    return Rect(around.x1 - 2, around.y1 - 2, around.x2 + 2, around.y2 + 2).moved(box.x1, box.y1)


def sign_box(image: RgbImage, box: Rect) -> Rect | None:
    """A sign on a ground that is shaded from top to bottom, as those of title bars are, with two pixels of air.

    None where nothing stands out, or the ground is another on the left than on the right.

    Args:
        image: shape (height, width, 3), uint8.
        box: in which the sign is, with some ground on both sides.
    """
    part = part_of(image, box)
    seen = None if min(part.shape[:2]) < 3 else stands_out_of_rows(part, least=_SIGN)
    tight = None if seen is None else tight_box(seen)
    size = Size(image.shape[1], image.shape[0])
    return None if tight is None else tight.moved(box.x1, box.y1).grown(2).clamped(size)


def stands_out_of_rows(part: RgbImage, *, least: int) -> Any:  # noqa: ANN401 - an array
    """Which pixels are not as the ends of their rows are; None where the left ends are not as the right ones."""
    rows = part.astype(np.int16)
    left, right = rows[:, :1], rows[:, -1:]
    if (np.abs(left - right).max(axis=2) > _INK).mean() > _MOST_UNLIKE:
        return None
    return np.abs(rows - (left + right) // 2).max(axis=2) > least


def has_edge(image: RgbImage, box: Rect) -> bool:
    """Whether a box is set off from what is around it on at least two of its sides."""
    return edges_of(image, box) >= 2


def edges_of(image: RgbImage, box: Rect) -> int:
    """On how many of its sides a box is set off from what is around it."""
    seen = 0
    for inner, outer in (
        (Rect(box.x1, box.y1, box.x2, box.y1 + 1), (0, -1)),
        (Rect(box.x1, box.y2 - 1, box.x2, box.y2), (0, 1)),
        (Rect(box.x1, box.y1, box.x1 + 1, box.y2), (-1, 0)),
        (Rect(box.x2 - 1, box.y1, box.x2, box.y2), (1, 0)),
    ):
        for way in (0, 1):
            a = part_of(image, inner.moved(-outer[0] * way, -outer[1] * way))
            b = part_of(image, inner.moved(outer[0] * (1 - way), outer[1] * (1 - way)))
            if a.size and a.shape == b.shape:
                step = np.abs(a.astype(np.int16) - b.astype(np.int16)).max(axis=2) > _STEP
                if step.mean() > 0.6:
                    seen += 1
                    break
    return seen


def drawn_frame(image: RgbImage, box: Rect, *, least: int = 5) -> Rect:
    """The outer edge of what is drawn in a box: without the plain rim in the colour of what is around it."""
    part = part_of(image, box)
    if part.shape[0] < 3 or part.shape[1] < 3:
        return box
    around = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]]).reshape(-1, 1, 3)
    colour = ground_of(around)
    seen = differs(part, colour, least=least)
    if differs(around, colour, least=least).mean() > _MOST_MIXED:
        shaded = stands_out_of_rows(part, least=least)
        if shaded is None:
            return box
        seen = shaded
    rows, across = np.flatnonzero(seen.mean(axis=1) > 0.05), np.flatnonzero(seen.any(axis=0))
    if not rows.size or not across.size:
        return box
    rows = np.flatnonzero(seen.any(axis=1))
    return Rect(
        box.x1 + int(across[0]), box.y1 + int(rows[0]), box.x1 + int(across[-1]) + 1, box.y1 + int(rows[-1]) + 1
    )


def columns(image: RgbImage, box: Rect, *, gap: int, least: int = _INK) -> list[Rect]:
    """Groups of ink from left to right that are at least ``gap`` pixels apart."""
    part = part_of(image, box)
    if not part.size:
        return []
    seen = differs(part, ground_of(part), least=least)
    return [Rect(box.x1 + start, box.y1, box.x1 + end, box.y2) for start, end in runs(seen.any(axis=0), step=gap)]


def lines_of(image: RgbImage, box: Rect, *, gap: int = 1) -> list[Rect]:
    """Rows of ink from top to bottom."""
    part = part_of(image, box)
    if not part.size:
        return []
    seen = differs(part, ground_of(part))
    return [Rect(box.x1, box.y1 + start, box.x2, box.y1 + end) for start, end in runs(seen.any(axis=1), step=gap)]


def slider_parts(image: RgbImage, box: Rect, *, gap: int) -> list[Rect]:
    """What is drawn of a slider: its track with the handle first, then the number beside them.

    Args:
        image: shape (height, width, 3), uint8.
        box: in which it can be used, pixels.
        gap: pixels between the track and the number, at least.
    """
    across = box.width >= box.height
    groups = lines_of(image, box, gap=gap) if across else columns(image, box, gap=gap)
    inks = [ink for group in groups if (ink := foreground_box(image, group, margin=0)) is not None]
    return sorted(inks, key=lambda ink: ink.width if across else ink.height, reverse=True)


def pieces(seen: Any, *, reach: int) -> list[Rect]:  # noqa: ANN401 - an array
    """The boxes of what hangs together in a mask, where gaps of up to ``reach`` pixels are bridged."""
    cv2: Any = importlib.import_module("cv2")
    mask = seen.astype(np.uint8)
    size = 2 * reach + 1
    wide = cv2.dilate(mask, np.ones((size, size), dtype=np.uint8)) if reach else mask
    parts = components(wide != 0, corners=True)
    found: list[Rect] = []
    for place, row in enumerate(parts.boxes):
        box = as_rect(row)
        tight = tight_box((crop(mask, box) != 0) & (crop(parts.labels, box) == place + 1))
        found += [] if tight is None else [tight.moved(box.x1, box.y1)]
    return found


_LEAST_MARK_PX, _MOST_MARK_PX = 8, 30
_MARK_INK = 8
"""Marks that cannot be used are drawn faintly."""


def mark_in(image: RgbImage, region: Rect, *, scale: int = 1) -> Rect | None:
    """The only thing in a region, if it is about as wide as it is high and of the size of a box to tick."""
    part = part_of(image, region)
    if not part.size:
        return None
    ground = ground_of(part_of(image, Rect(region.x1 - 2, region.y1, region.x2 + 2, region.y1 + 2)))
    found = [box.moved(region.x1, region.y1) for box in pieces(differs(part, ground, least=_MARK_INK), reach=1)]
    found = [box for box in found if box.height >= _LEAST_MARK_PX]
    if len(found) != 1:
        return None
    box = found[0]
    square = abs(box.width - box.height) <= 3 * scale
    return box if square and _LEAST_MARK_PX <= box.width <= _MOST_MARK_PX * scale else None


def straight(seen: Any, length: int) -> Any:  # noqa: ANN401 - arrays
    """Which pixels of a mask belong to a straight line of at least this length, across or down."""
    cv2: Any = importlib.import_module("cv2")
    mask = seen.astype(np.uint8)
    across = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((1, length), dtype=np.uint8))
    down = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((length, 1), dtype=np.uint8))
    return (across | down).astype(bool)
