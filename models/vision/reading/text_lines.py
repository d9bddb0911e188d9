"""Cuts a roughly detected line of text into tight boxes, one for each label.

A text detector gives loose boxes, and joins labels that stand in one row: the words of a menu bar, the cells of a
table. Pixels tell them apart: a gap wider than a space, or a rule, ends a label.
"""

from __future__ import annotations

import itertools
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.pixels.colours import Gray, border_background
from demopack.pixels.masks import Mask, runs, size_of

_MIN_CARET_CONTRAST = 60
"""Steps of brightness between a cursor and its background; cursors are drawn in the colour of the text."""
_REACH_ROWS = 8
"""Rows above and below a line in which its cursor ends; a longer bar is a border or a rule."""
_MAX_CARET_PX = 2


def caret_columns(gray: Gray, line: Rect) -> npt.NDArray[np.bool_]:
    """Which columns of a line hold nothing but its text cursor.

    A cursor is a straight bar of one or two pixels that is higher than every letter of its line: it runs from the
    highest possible letter to the lowest, and a little farther.

    Args:
        gray: the whole picture.
        line: the rows of the letters, over the width that is asked for; inside the picture.

    Returns:
        Shape (line.width,).
    """
    caret = np.zeros(line.width, dtype=np.bool_)
    if line.height < 6 or line.width < 1:
        return caret
    top, bottom = max(0, line.y1 - _REACH_ROWS), min(gray.shape[0], line.y2 + _REACH_ROWS)
    part = gray[top:bottom, line.x1 : line.x2]
    background = np.median(part[line.y1 - top : line.y2 - top])
    foreground: npt.NDArray[np.bool_] = np.abs(part - background) > _MIN_CARET_CONTRAST
    above, below = line.y1 - top, line.y2 - top
    full: npt.NDArray[np.bool_] = np.asarray(foreground[above:below].all(axis=0))
    for start, end in runs(full):
        if end - start > _MAX_CARET_PX:
            continue
        bar: npt.NDArray[np.bool_] = np.asarray(foreground[:, start:end].all(axis=1))
        first, last = above, below
        while first > 0 and bar[first - 1]:
            first -= 1
        while last < len(bar) and bar[last]:
            last += 1
        longer = (last - first) - (below - above)
        ends = (first > 0 or top == 0) and (last < len(bar) or bottom == gray.shape[0])
        # It stands alone at its ends: a letter with a long stem has company there.
        alone = not _beside(foreground, first, start, end) and not _beside(foreground, last - 1, start, end)
        if longer >= 2 and ends and alone:
            caret[start:end] = True
    return caret


def _beside(foreground: npt.NDArray[np.bool_], row: int, start: int, end: int) -> bool:
    left = bool(foreground[row, start - 1]) if start > 0 else False
    right = bool(foreground[row, end]) if end < foreground.shape[1] else False
    return left or right


EDGE_STEP = 32
"""Steps of brightness that make an edge; gradients of buttons stay below it."""
_LABEL_GAP = 0.85
"""A gap wider than this share of the foreground's height ends a label; a space is about half of it."""
_MIN_HEIGHT_PX = 8
_RULE_STEP = 24
"""A blank gap whose brightness varies by more than this holds a vertical rule."""
TEXT_MARGIN_PX = 2
"""Around the letters of a line, as ``docs/formats/screens.md`` lays down; the recogniser reads such crops best."""
_MAX_STROKE_PX = 4
_MAX_RING_PX = 6
_MAX_LINE_PX = 72
_BRIDGED = 1.6
"""Heights of the other lines in a control that two lines have at least."""
"""Higher things inside a control are no line of text."""
_CONTENT_MARGIN_PX = 32
_BORDER_PX = 3
"""Pixels on each side of a control that belong to its frame."""


def content_region(gray: Gray) -> Rect | None:
    """The part of a picture that is not blank, with a margin, at least 320 x 160 pixels; None when all of it is."""
    rows = np.flatnonzero((np.abs(np.diff(gray, axis=1)) > EDGE_STEP).any(axis=1))
    columns = np.flatnonzero((np.abs(np.diff(gray, axis=0)) > EDGE_STEP).any(axis=0))
    if not rows.size or not columns.size:
        return None
    height, width = gray.shape
    x1, x2 = _widened(int(columns[0]), int(columns[-1]), 320, width)
    y1, y2 = _widened(int(rows[0]), int(rows[-1]), 160, height)
    return Rect(x1, y1, x2, y2)


def _widened(low: int, high: int, least: int, end: int) -> tuple[int, int]:
    """The interval with a margin, grown to ``least`` around its middle and moved into 0..``end``."""
    low, high = low - _CONTENT_MARGIN_PX, high + _CONTENT_MARGIN_PX
    grow = max(0, least - (high - low))
    low, high = low - grow // 2, high + grow - grow // 2
    shift = max(0, -low) - max(0, high - end)
    return max(0, low + shift), min(end, high + shift)


def split_line(gray: Gray, box: Rect, *, gap: float = _LABEL_GAP) -> list[Rect]:
    """The labels inside one detected line, left to right; empty where there is no foreground.

    Args:
        gray: the whole picture.
        box: where the detector saw a line; inside the picture.
        gap: a blank wider than this share of the foreground's height ends a label.
    """
    crop = gray[box.y1 : box.y2, box.x1 : box.x2]
    if crop.shape[0] < 2 or crop.shape[1] < 2:
        return []
    top, bottom = _text_rows(crop)
    # One row more on each side: a rule beside the text runs through them, a letter does not.
    core = crop[max(0, top - 1) : min(crop.shape[0], bottom + 1)]
    blank = (core.max(axis=0) - core.min(axis=0)) <= EDGE_STEP
    blank |= caret_columns(gray, Rect(box.x1, box.y1 + top, box.x2, box.y1 + bottom))
    spans = _spans(core.mean(axis=0), ~blank, gap * max(_MIN_HEIGHT_PX, bottom - top))
    size = size_of(gray)
    return [
        Rect(
            box.x1 + start - TEXT_MARGIN_PX,
            box.y1 + top - TEXT_MARGIN_PX,
            box.x1 + end + TEXT_MARGIN_PX,
            box.y1 + bottom + TEXT_MARGIN_PX,
        ).clamped(size)
        for start, end in spans
    ]


def lines_inside(gray: Gray, box: Rect) -> list[Rect]:
    """The labels inside a control, line after line, by foreground alone; no text detector looks.

    Args:
        gray: the whole picture.
        box: the control's outer edge; inside the picture.
    """
    left, top = box.x1 + _BORDER_PX, box.y1 + _BORDER_PX
    inner = Rect(left, top, max(left, box.x2 - _BORDER_PX), max(top, box.y2 - _BORDER_PX))
    inner = _within_ring(gray, inner)
    part = gray[inner.y1 : inner.y2, inner.x1 : inner.x2]
    if part.shape[0] < 4 or part.shape[1] < 3:
        return []
    edges = np.abs(np.diff(part, axis=1)) > EDGE_STEP
    edges = edges[:, edges.mean(axis=0) < 0.8]
    count = edges.sum(axis=1)
    rows: list[tuple[int, int]] = []
    bands = _joined(runs(count >= 2))
    heights = [bottom - top for top, bottom in bands]
    usual = float(np.median(heights)) if len(bands) > 2 else 0.0
    for top, bottom in bands:
        parts = [(top, bottom)]
        if usual >= _MIN_HEIGHT_PX and bottom - top > _BRIDGED * usual:
            # A text cursor, which has two edges in each row, bridges the blank between two lines.
            parts = [(top + a, top + b) for a, b in _joined(runs(count[top:bottom] > 2))]
        rows += parts if min(b - a for a, b in parts) >= usual / 2 else [(top, bottom)]
    found: list[Rect] = []
    for top, bottom in rows:
        if 4 <= bottom - top <= _MAX_LINE_PX:
            low, high = max(inner.y1, inner.y1 + top - 1), min(inner.y2, inner.y1 + bottom + 1)
            found.extend(split_line(gray, Rect(inner.x1, low, inner.x2, high)))
    # A focus ring or a rounded corner leaves thin strokes beside the border, which would be read as 1, I or C.
    return [
        line
        for line in found
        if line.width > _MAX_STROKE_PX + 2 * TEXT_MARGIN_PX
        or (line.x1 > inner.x1 + _MAX_STROKE_PX and line.x2 < inner.x2 - _MAX_STROKE_PX)
    ]


def _within_ring(gray: Gray, box: Rect) -> Rect:
    """A box without the ring inside its border that shows where the input goes."""
    part = gray[box.y1 : box.y2, box.x1 : box.x2]
    if min(part.shape) <= 2 * _MAX_RING_PX:
        return box
    ground = np.median(part)
    rows: Mask = np.abs(np.median(part, axis=1) - ground) > EDGE_STEP
    columns: Mask = np.abs(np.median(part, axis=0) - ground) > EDGE_STEP
    left, right, top, bottom = (_first(side) for side in (columns, columns[::-1], rows, rows[::-1]))
    if min(left, right, top, bottom) == 0 or max(left, right, top, bottom) > _MAX_RING_PX:
        return box
    return Rect(box.x1 + left, box.y1 + top, box.x2 - right, box.y2 - bottom)


def _first(flags: Mask) -> int:
    """How many are set before the first that is not."""
    return len(flags) if flags.all() else int(flags.argmin())


def _joined(rows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Rows of foreground with the dots and accents over them."""
    joined: list[tuple[int, int]] = []
    for start, end in rows:
        if joined:
            above = joined[-1]
            small = min(above[1] - above[0], end - start) <= 3
            if start - above[1] <= (2 if small else 1):
                joined[-1] = (above[0], end)
                continue
        joined.append((start, end))
    return joined


def _text_rows(crop: Gray) -> tuple[int, int]:
    """The rows of the line in the middle of a loose crop, as a half-open interval.

    Counts edges along each row: text has many, a horizontal border none, and a vertical border has one in nearly
    every row, so its columns are left out.
    """
    height = crop.shape[0]
    edges = np.abs(np.diff(crop, axis=1)) > EDGE_STEP
    edges = edges[:, edges.mean(axis=0) < 0.8]
    count = edges.sum(axis=1)
    bands = runs(count >= 2)
    if not bands:
        return 0, height
    middle_low, middle_high = height * 0.35, height * 0.65

    def weight(band: tuple[int, int]) -> float:
        start, end = band
        central = start <= middle_high and end > middle_low
        return float(count[start:end].sum()) * (1.0 if central else 0.01)

    best = max(range(len(bands)), key=lambda i: weight(bands[i]))
    top, bottom = bands[best]
    if best > 0:
        above_top, above_bottom = bands[best - 1]
        # Dots and accents over letters; a thing that touches the crop's edge is the line above.
        near = top - above_bottom <= max(1, (bottom - top) // 5)
        small = above_bottom - above_top <= (bottom - top) * 0.4
        if near and small and above_top > 0:
            top = above_top
    return top, bottom


def _spans(brightness: npt.NDArray[np.float64], drawn: Mask, widest: float) -> list[tuple[int, int]]:
    """Columns that are drawn on joined over blanks of at most ``widest`` into labels, as half-open intervals."""
    spans: list[tuple[int, int]] = []
    for start, end in runs(drawn):
        if spans:
            gap = brightness[spans[-1][1] : start]
            rule = gap.size >= 3 and float(gap.max() - gap.min()) > _RULE_STEP
            if gap.size <= widest and not rule:
                spans[-1] = (spans[-1][0], end)
                continue
        spans.append((start, end))
    return spans


_MIN_CONTRAST: Final = 90
"""Steps of red, green and blue together between foreground and background."""
_WORD_GAP: Final = 0.2
"""Blank between two words, as a share of the line's height."""
_MIN_COLOURFUL, _MIN_DARK, _MAX_GREY = 90, 65, 45
"""Steps between the largest and the smallest of red, green and blue: of a link's letters, of dark ones, and of plain
ones."""
_OTHER_COLOUR: Final = 90
"""Steps of red, green and blue together by which letters of two colours differ at least."""
_MAX_SOLID_SHARE: Final = 0.6
"""Share of a word's box that is foreground where its background is coloured: marked text, a badge."""

_MAX_PARTS: Final = 5
"""A line with more changes is coloured by its words' roles, as source code is, and no line of links."""

_MIN_UNDERLINED_SHARE: Final = 0.7
"""Share of its columns on which an underline is drawn; it leaves out the tails of letters."""
_MAX_TOUCHING_SHARE: Final = 0.2
"""Share of its columns that an underline touches from above; the feet of letters stand on their stems."""
_UNDERLINE_AIR_PX: Final = 4
"""Pixels beside the letters of a line, in which an underline ends and a rule goes on."""

SEPARATORS: Final = frozenset(
    "|\N{BROKEN BAR}\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
)
"""Signs that part what stands beside each other: the links of a bar, the steps of a path."""
LinkLook = Literal["underline", "colour"]
"""What tells a link from the words around it."""
_Word = tuple[int, int, bool | None]


def split_links(image: RgbImage, box: Rect) -> list[tuple[Rect, LinkLook | None]]:
    """The parts of a line, plain and links by turns; the line itself, as plain, where it has no links.

    A link is underlined, or coloured beside plain words.

    Args:
        image: shape (height, width, 3), uint8.
        box: a line's letters with ``TEXT_MARGIN_PX`` around them; inside the picture.

    Returns:
        Boxes from the left to the right, and what makes each a link; None for plain words.
    """
    crop = image[box.y1 : box.y2, box.x1 : box.x2].astype(np.int16)
    strokes = underlines(image, box)
    if not strokes:
        return _coloured_parts(crop, box, image)
    # Of an underlined line what lies between two strokes is plain; a stroke goes on below the blanks of its own link.
    words = runs(_letters(crop).any(axis=0), step=max(2.0, _WORD_GAP * (crop.shape[0] - 2 * TEXT_MARGIN_PX)))
    parts: list[tuple[int, int, int]] = []
    for start, end in words:
        shares = [min(end, b) - max(start, a) for a, b in strokes]
        best = max(range(len(strokes)), key=lambda i: shares[i])
        link = best if shares[best] >= 0.5 * (end - start) else -1
        if parts and parts[-1][2] == link:
            parts[-1] = (parts[-1][0], end, link)
        else:
            parts.append((start, end, link))
    size = Size(image.shape[1], image.shape[0])
    found: list[tuple[Rect, LinkLook | None]] = [
        (
            Rect(box.x1 + a - TEXT_MARGIN_PX, box.y1, box.x1 + b + TEXT_MARGIN_PX, box.y2).clamped(size),
            "underline" if link >= 0 else None,
        )
        for a, b, link in parts
        if link >= 0 or b - a > _MAX_CARET_PX  # a bar between links is no text
    ]
    return found or [(box, None)]


def underlines(image: RgbImage, box: Rect) -> list[tuple[int, int]]:
    """Columns of a line, half-open, below which a straight stroke runs that ends with the letters above it.

    Args:
        image: shape (height, width, 3), uint8.
        box: a line's letters with ``TEXT_MARGIN_PX`` around them; inside the picture.
    """
    left, right = max(0, box.x1 - _UNDERLINE_AIR_PX), min(image.shape[1], box.x2 + _UNDERLINE_AIR_PX)
    bottom = min(image.shape[0], box.y2 + TEXT_MARGIN_PX)
    part = image[box.y1 : bottom, left:right].astype(np.int16)
    height = box.height - 2 * TEXT_MARGIN_PX
    if height < _MIN_HEIGHT_PX - 2 or part.shape[1] < 8:
        return []
    foreground = np.abs(part - border_background(part)).sum(axis=2) > _MIN_CONTRAST
    best: list[tuple[int, int]] = []
    for row in range(TEXT_MARGIN_PX + round(0.6 * height), part.shape[0]):
        # The tails of letters interrupt the stroke by a few pixels.
        found: list[tuple[int, int]] = []
        for start, end in _joined_strokes(foreground, row, reach=round(0.35 * height)):
            if start == 0 or end == part.shape[1]:
                return []  # a rule, or the edge of a box
            rows = foreground[row : row + 5, start:end].mean(axis=1) > _MIN_UNDERLINED_SHARE
            thick = int(rows.argmin()) if not rows.all() else len(rows)
            above = foreground[: max(1, row - 1), start:end].any(axis=0)
            apart = foreground[row - 2 : row, start:end].mean(axis=1).min() <= _MAX_TOUCHING_SHARE
            ends = above[: height // 2].any() and above[-height // 2 :].any() and above.mean() > 0.15
            upright = foreground[row - height // 2 : row, start:end].all(axis=0)
            if upright[:3].any() and upright[-3:].any():
                continue  # the lower edge of an icon or field
            stroke: Mask = np.asarray(foreground[row, start:end])
            solid = max(b - a for a, b in runs(stroke)) >= max(8.0, 1.1 * height)
            solid = solid and bool(stroke.mean() >= _MIN_UNDERLINED_SHARE)
            if ends and apart and solid and 1 <= thick <= max(2, round(0.15 * height)):
                found.append((start - (box.x1 - left), end - (box.x1 - left)))
        if sum(b - a for a, b in found) > sum(b - a for a, b in best):
            best = found
    return best


def _joined_strokes(foreground: Mask, row: int, *, reach: int) -> list[tuple[int, int]]:
    """Columns of the strokes in a row, over the tails of letters, which interrupt an underline."""
    below: Mask = np.asarray(foreground[row + 2 :].any(axis=0))
    joined: list[tuple[int, int]] = []
    for start, end in runs(foreground[row]):
        if joined:
            gap = start - joined[-1][1]
            tail = below[joined[-1][1] : start].any()
            if gap <= max(4, reach) or (tail and gap <= 2 * reach + 2):
                joined[-1] = (joined[-1][0], end)
                continue
        joined.append((start, end))
    return joined


def text_colour(image: RgbImage, box: Rect) -> npt.NDArray[np.float64]:
    """Red, green and blue of a line's letters, in the middle of their strokes, where no background is mixed in.

    Args:
        image: shape (height, width, 3), uint8.
        box: a line's letters with ``TEXT_MARGIN_PX`` around them; inside the picture.
    """
    crop = image[box.y1 : box.y2, box.x1 : box.x2].astype(np.int16)
    contrast = np.abs(crop - border_background(crop)).sum(axis=2)
    colour: npt.NDArray[np.float64] = crop[contrast >= 0.75 * contrast.max()].mean(axis=0)
    return colour


def _letters(crop: npt.NDArray[np.int16]) -> Mask:
    return _without_strokes(np.abs(crop - border_background(crop)).sum(axis=2) > _MIN_CONTRAST)


def _coloured_parts(crop: npt.NDArray[np.int16], box: Rect, image: RgbImage) -> list[tuple[Rect, LinkLook | None]]:
    """The parts of a line, plain and coloured by turns; the line itself, as plain, where it has one colour."""
    words = _words(crop)
    told = [colourful for _, _, colourful in words if colourful is not None]
    if len(words) < 2 or len(told) < len(words) or len(set(told)) < 2:
        return [(box, None)]
    size = Size(image.shape[1], image.shape[0])
    parts: list[tuple[Rect, LinkLook | None]] = []
    for colourful, group in itertools.groupby(words, key=lambda word: word[2]):
        run = list(group)
        x1, x2 = box.x1 + run[0][0] - TEXT_MARGIN_PX, box.x1 + run[-1][1] + TEXT_MARGIN_PX
        parts.append((Rect(x1, box.y1, x2, box.y2).clamped(size), "colour" if colourful else None))
    return parts if len(parts) <= _MAX_PARTS else [(box, None)]


def _words(crop: npt.NDArray[np.int16]) -> list[_Word]:
    """Columns of each word, half-open, and whether its letters have a colour; None where that cannot be told.

    A dark blue is told by the black words beside it.
    """
    background = border_background(crop)
    # On a coloured background everything has a colour.
    if background.max() - background.min() > _MAX_GREY:
        return []
    contrast = np.abs(crop - background).sum(axis=2)
    foreground = contrast > _MIN_CONTRAST
    widest = max(2.0, _WORD_GAP * (crop.shape[0] - 2 * TEXT_MARGIN_PX))
    places = runs(_without_strokes(foreground).any(axis=0), step=widest)
    colours = [_colour(crop[:, a:b], contrast[:, a:b], foreground[:, a:b]) for a, b in places]
    told = [None if one is None else _is_colourful(one) for one in colours]
    plain = [one for one, colourful in zip(colours, told, strict=True) if one is not None and colourful is False]
    if plain:
        usual = np.median(plain, axis=0)
        for i, (one, (a, b)) in enumerate(zip(colours, places, strict=True)):
            # What is not wider than it is high may be an icon.
            if one is not None and told[i] is None and one.max() - one.min() >= _MIN_DARK and b - a > crop.shape[0]:
                told[i] = bool(np.abs(one - usual).sum() >= _OTHER_COLOUR)
    return [(a, b, colourful) for (a, b), colourful in zip(places, told, strict=True)]


def _without_strokes(foreground: Mask) -> Mask:
    """The foreground without lines under words, which bridge the blank to the next one."""
    longest = max(10, foreground.shape[0])
    letters = foreground.copy()
    for row in letters:
        for start, end in runs(row):
            if end - start >= longest:
                row[start:end] = False
    return letters


def _colour(
    crop: npt.NDArray[np.int16], contrast: npt.NDArray[np.int16], foreground: Mask
) -> npt.NDArray[np.float64] | None:
    if foreground.mean() > _MAX_SOLID_SHARE:
        return None
    # The middle of a stroke: its rims are mixed with the background.
    strongest: npt.NDArray[np.float64] = crop[contrast >= 0.75 * contrast.max()].mean(axis=0)
    return strongest


def is_coloured(colour: npt.NDArray[np.float64]) -> bool:
    """Whether letters have a colour that is neither black nor grey."""
    return bool(colour.max() - colour.min() > _MAX_GREY)


def _is_colourful(colour: npt.NDArray[np.float64]) -> bool | None:
    spread = float(colour.max() - colour.min())
    return True if spread >= _MIN_COLOURFUL else False if spread <= _MAX_GREY else None


def word_columns(image: RgbImage, box: Rect) -> list[tuple[int, int]]:
    """Columns of the picture, half-open, of each word in a line; signs between blanks are words.

    Args:
        image: shape (height, width, 3), uint8.
        box: a line's letters with ``TEXT_MARGIN_PX`` around them; inside the picture.
    """
    crop = image[box.y1 : box.y2, box.x1 : box.x2].astype(np.int16)
    widest = max(2.0, _WORD_GAP * (crop.shape[0] - 2 * TEXT_MARGIN_PX))
    return [(box.x1 + a, box.x1 + b) for a, b in runs(_letters(crop).any(axis=0), step=widest)]
