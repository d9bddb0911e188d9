"""Elements similar to one: first those that look the same, then its row, column or grid, then all of its type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from annotator.words import tr
from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.domain.overlap import Boxes, box_array

_Floats: TypeAlias = npt.NDArray[np.float32]

_MIN_CORRELATION: Final = 0.9
"""Least correlation, also of two that are each other's negative: a chosen row is often that of the others."""
_MIN_MIDDLE_CORRELATIONS: Final = ((0.15, 0.8), (0.3, 0.75))
"""Least correlation of the middle alone, by how much is left out on each side: frames around icons are the same."""
_SIZE_PX, _SIZE_SHARE = 2, 0.05
"""Pixels, or part of the side, by which sizes may differ."""
_MAX_POINTS, _MAX_ROWS = 400, 20
"""How many pixels of a box are looked at, in so many lines at most."""
_MAX_SHIFT_PX: Final = 2
"""Pixels by which one box may lie otherwise about the same thing."""
_MAX_SHIFTED: Final = 80
"""Of those that are not alike at first sight, so many are tried in all shifts, the most alike first."""
_MAX_FLAT_DEVIATION: Final = 2.5
"""Standard deviation of gray values, 0..255, below which nothing is to be seen."""
_WEIGHTS: Final = (0.299, 0.587, 0.114)
"""Of red, green and blue: as bright as the eye sees them."""
_MIN_POINTS: Final = 25
"""Points; a smaller middle says nothing by itself."""


def similarity(image: RgbImage, boxes: Boxes, one: npt.NDArray[np.int64]) -> _Floats:
    """How alike boxes of about the same size look, from 0; 1 and more is the same look.

    Args:
        image: the frame's pixels, shape (height, width, 3), red first; or (height, width, 4), blue first, as the
            canvas has them.
        boxes: shape (count, 4).
        one: the four sides of the box that they are compared with.
    """
    width, height = int(one[2] - one[0]), int(one[3] - one[1])
    count = min(height, _MAX_ROWS)
    columns, rows = _spread(width, min(width, _MAX_POINTS // max(count, 1))), _spread(height, count)
    middles = [(_middle(len(columns), len(rows), margin), least) for margin, least in _MIN_MIDDLE_CORRELATIONS]
    wanted = _gray(image, one[:1], one[1:2], columns, rows)
    # Boxes of other sizes are laid on it by their middles.
    left = (boxes[:, 0] + boxes[:, 2] - (one[2] - one[0])) // 2
    top = (boxes[:, 1] + boxes[:, 3] - (one[3] - one[1])) // 2
    best = _scores(_gray(image, left, top, columns, rows), wanted, middles)
    open_ = np.flatnonzero(best < 1.0)
    if len(open_) > _MAX_SHIFTED:
        open_ = open_[np.argsort(-best[open_], kind="stable")[:_MAX_SHIFTED]]
    for dx, dy in product(range(-_MAX_SHIFT_PX, _MAX_SHIFT_PX + 1), repeat=2):
        open_ = open_[best[open_] < 1.0]
        if (dx, dy) == (0, 0) or not len(open_):
            continue
        found = _scores(_gray(image, left[open_] + dx, top[open_] + dy, columns, rows), wanted, middles)
        best[open_] = np.maximum(best[open_], found)
    return best


def _spread(length: int, count: int) -> Boxes:
    """So many places evenly spread over a length."""
    return ((np.arange(count) * 2 + 1) * length // max(2 * count, 1)).astype(np.int64)


def _middle(columns: int, rows: int, margin: float) -> _Flags:
    """Which of the points belong to the middle; flat, row by row."""
    across, down = (np.arange(columns) + 0.5) / max(columns, 1), (np.arange(rows) + 0.5) / max(rows, 1)
    inside = [(one >= margin) & (one <= 1 - margin) for one in (down, across)]
    return (inside[0][:, None] & inside[1][None, :]).ravel()


def _gray(image: RgbImage, left: Boxes, top: Boxes, columns: Boxes, rows: Boxes) -> _Floats:
    """Gray values, shape (boxes, points); what lies outside is the picture's edge."""
    height, width = image.shape[:2]
    x = np.clip(left[:, None] + columns, 0, width - 1)
    y = np.clip(top[:, None] + rows, 0, height - 1)
    flat = (y[:, :, None] * width + x[:, None, :]).reshape(len(left), -1)
    colours = np.take(image.reshape(-1, image.shape[2]), flat, axis=0)[..., :3]
    weights = _WEIGHTS if image.shape[2] == 3 else _WEIGHTS[::-1]
    gray: _Floats = colours @ np.array(weights, dtype=np.float32)
    return gray


def _scores(points: _Floats, wanted: _Floats, middles: list[tuple[_Flags, float]]) -> _Floats:
    """1 and more where both the whole and its middles are alike."""
    found: _Floats = _correlation(points, wanted) / _MIN_CORRELATION
    for middle, least in middles:
        if middle.sum() >= _MIN_POINTS:
            found = np.minimum(found, _correlation(points[:, middle], wanted[:, middle]) / least)
    return found


def _correlation(points: _Floats, wanted: _Floats) -> _Floats:
    """The size of the correlation of each row with the one wanted; of two that are flat it is 1, of one it is 0."""
    a, b = points - points.mean(axis=1, keepdims=True), wanted - wanted.mean(axis=1, keepdims=True)
    size_a, size_b = np.sqrt((a * a).mean(axis=1)), np.sqrt((b * b).mean(axis=1))
    flat_a, flat_b = size_a < _MAX_FLAT_DEVIATION, size_b < _MAX_FLAT_DEVIATION
    found = np.abs((a * b).mean(axis=1)) / np.maximum(size_a * size_b, 1e-6)
    both: _Floats = np.multiply(flat_a, flat_b, dtype=np.float32)
    values: _Floats = np.where(flat_a | flat_b, both, found)
    return values


_Places: TypeAlias = npt.NDArray[np.int64]
_Flags: TypeAlias = npt.NDArray[np.bool_]
_Colours: TypeAlias = npt.NDArray[np.int16]

_ALIGN_PX: Final = 3
"""Pixels by which edges may be off and still stand in one line; boxes that were found are not exact."""
_MAX_GAP_STEPS: Final = 3.2
"""A gap of so many usual distances ends a line; two rows of a table may be missing, or a heading stand between."""
_MAX_PAIR_HEIGHTS: Final = 8
"""So many heights two that stand alone may be apart."""
_BACKGROUND_TOLERANCE, _FOREGROUND_TOLERANCE = 24, 96
"""Steps of a colour channel, 0..255, by which backgrounds and foregrounds may differ: rows are often striped."""
_ACROSS, _DOWN = 16, 10
"""Points of a box that are looked at, in each of so many lines."""
_MAX_LINES: Final = 40
"""Of a line so many members are followed across, when a grid is looked for."""


def _line_of(boxes: Boxes, place: int, axis: int) -> _Places:
    """The boxes in one line with one, itself among them, in order: an edge or the middle of each is in line.

    Args:
        boxes: of the elements.
        place: index of the one.
        axis: 0 for its column, 1 for its row.
    """
    middle = boxes[:, axis] + boxes[:, axis + 2]
    along = boxes[:, 1 - axis] + boxes[:, 3 - axis]
    # Edges and places along the line count half pixels.
    edges = (boxes[:, axis] * 2, boxes[:, axis + 2] * 2, middle)
    lines = [np.flatnonzero(np.abs(edge - edge[place]) <= 2 * _ALIGN_PX) for edge in edges]
    return max((_chain(line, along, boxes, place) for line in lines), key=len)


def _grid_of(boxes: Boxes, row: _Places, column: _Places) -> _Places:
    """What stands in a row of one of the column, or in a column of one of the row; in order of their places."""
    found = {int(i) for i in row} | {int(i) for i in column}
    if len(row) < 2 or len(column) < 2:
        return np.array(sorted(found), dtype=np.int64)
    for line, axis in ((column, 1), (row, 0)):
        for member in line[:_MAX_LINES].tolist():
            found.update(_line_of(boxes, member, axis).tolist())
    return np.array(sorted(found), dtype=np.int64)


def _chain(line: _Places, along: npt.NDArray[np.int64], boxes: Boxes, place: int) -> _Places:
    """The members of a line that follow each other without a wide gap."""
    line = line[np.argsort(along[line], kind="stable")]
    steps = np.diff(along[line]) / 2
    apart = steps[steps > 0]
    usual = float(np.median(apart)) if len(apart) else 0.0
    height = int(boxes[place, 3] - boxes[place, 1])
    limit = _MAX_GAP_STEPS * usual if len(line) > 2 else _MAX_PAIR_HEIGHTS * height
    return next(run for run in np.split(line, np.flatnonzero(steps > limit) + 1) if place in run)


def _like_colours(image: RgbImage, boxes: Boxes, place: int, *, foreground: bool) -> _Flags:
    """Which boxes have the background of one of them, and what is written on it in a like colour.

    Args:
        image: the frame's pixels, shape (height, width, 3 or more).
        boxes: of the elements.
        place: index of the one.
        foreground: whether the colour of what is on the background counts.
    """
    points = _sampled(image, boxes)
    background = np.median(points, axis=1).astype(np.int16)
    alike: _Flags = np.abs(background - background[place]).max(axis=1) <= _BACKGROUND_TOLERANCE
    if not foreground:
        return alike
    off = np.abs(points - background[:, None, :]).sum(axis=2)
    foregrounds = np.take_along_axis(points, off.argmax(axis=1)[:, None, None], axis=1)[:, 0]
    alike &= np.abs(foregrounds - foregrounds[place]).max(axis=1) <= _FOREGROUND_TOLERANCE
    return alike


def _sampled(image: RgbImage, boxes: Boxes) -> _Colours:
    """Colours of some pixels of each box, shape (boxes, points, 3)."""
    height, width = image.shape[:2]
    # Each line begins a little further: strokes at equal distances would slip through a regular net.
    down = (np.arange(_DOWN) + 0.5) / _DOWN
    across = (np.arange(_ACROSS)[None, :] + (np.arange(_DOWN)[:, None] * 0.618) % 1) / _ACROSS
    wide, tall = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    x = (boxes[:, 0, None, None] + across * wide[:, None, None]).astype(np.int64).clip(0, width - 1)
    y = (boxes[:, 1, None] + down * tall[:, None]).astype(np.int64).clip(0, height - 1)
    flat = (y[:, :, None] * width + x).reshape(len(boxes), -1)
    points: _Colours = np.take(image.reshape(-1, image.shape[2]), flat, axis=0)[..., :3].astype(np.int16)
    return points


LevelName = Literal["look", "row", "column", "grid", "type"]

_HEIGHT_SHARE: Final = 0.15
"""Of its height by which one that stands in the same line may be higher or lower."""
_PICTURES: Final = frozenset({"icon", "image"})
"""Types whose colours differ from one to the next, although they belong together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Elements that have something in common.

    Attributes:
        name: what they have in common.
        uids: of the elements, the one that was asked about first, the others in the order given.
    """

    name: LevelName
    uids: tuple[str, ...]


def levels_of(image: RgbImage | None, elements: Sequence[Element], uid: str) -> tuple[Level, ...]:
    """What is like an element, from narrow to wide; a level that has nothing which an earlier one has not is left out.

    What looks the same may be of any type; the other levels are of its type.

    Args:
        image: the frame's pixels, shape (height, width, 3 or more); without them only places and types are
            compared.
        elements: of one frame; rejected ones are left out.
        uid: of one of them; of no other, the answer is empty.
    """
    kept = [element for element in elements if element.review != "rejected" and element.box.area]
    place = next((i for i, element in enumerate(kept) if element.uid == uid), None)
    if place is None:
        return ()
    boxes = box_array(e.box for e in kept)
    found: list[Level] = []
    seen: set[int] = {place}
    for name, members in _tried(image, kept, boxes, place):
        fresh = set(members)
        if not fresh <= seen:
            seen |= fresh
            others = sorted(fresh - {place})
            found.append(Level(name=name, uids=(uid, *(kept[i].uid for i in others))))
    return tuple(found)


def _tried(
    image: RgbImage | None, kept: Sequence[Element], boxes: Boxes, place: int
) -> Iterable[tuple[LevelName, list[int]]]:
    if image is not None:
        sides = boxes[:, 2:] - boxes[:, :2]
        apart = np.abs(sides - sides[place])
        near = np.flatnonzero((apart <= np.maximum(_SIZE_PX, _SIZE_SHARE * sides[place])).all(axis=1))
        alike: list[int] = near[similarity(image, boxes[near], boxes[place]) >= 1.0].tolist()
        words = (kept[place].text or "").split()
        # Rows may differ in a single letter: what is written elsewhere must be the same, as far as it was read.
        yield "look", [i for i in alike if not words or (kept[i].text or "").split() in ([], words)]
    same = [i for i, element in enumerate(kept) if element.type == kept[place].type]
    yield from _in_line(image, kept[place], boxes, same, place)
    yield "type", same


def _in_line(
    image: RgbImage | None, one: Element, boxes: Boxes, same: list[int], place: int
) -> Iterable[tuple[LevelName, list[int]]]:
    """Its row or its column, whichever has more, then the grid of both."""
    height = one.box.height
    tall = boxes[same, 3] - boxes[same, 1]
    places = np.array(same, dtype=np.int64)[np.abs(tall - height) <= max(_HEIGHT_SHARE * height, 1)]
    if image is not None:
        at = int(np.flatnonzero(places == place)[0])
        places = places[_like_colours(image, boxes[places], at, foreground=one.type not in _PICTURES)]
    at = int(np.flatnonzero(places == place)[0])
    here = boxes[places]
    row, column = _line_of(here, at, 1), _line_of(here, at, 0)
    if len(column) >= len(row):
        yield "column", places[column].tolist()
    else:
        yield "row", places[row].tolist()
    yield "grid", places[_grid_of(here, row, column)].tolist()


def level_words(level: Level | None, wider: Level | None) -> str:
    """What is selected now, and what comes with the next press.

    Args:
        level: what was selected; None for the one element alone.
        wider: what comes next; None where the next press goes back to the one.
    """
    now = tr("Only this one selected") if level is None else _WORDS[level.name][0].format(count=len(level.uids))
    if wider is not None:
        return _WORDS[wider.name][1].format(selected=now, count=len(wider.uids))
    return now if level is None else tr("{selected}; again: only the one").format(selected=now)


_WORDS: Final[Mapping[LevelName, tuple[str, str]]] = {
    "look": (tr("{count} of the same look selected"), tr("{selected}; again: {count} of the same look")),
    "row": (tr("{count} in the same row selected"), tr("{selected}; again: {count} in the same row")),
    "column": (tr("{count} in the same column selected"), tr("{selected}; again: {count} in the same column")),
    "grid": (tr("{count} in the same grid selected"), tr("{selected}; again: {count} in the same grid")),
    "type": (tr("{count} of the same type selected"), tr("{selected}; again: {count} of the same type")),
}
"""What is selected now, and what comes with the next press."""
