"""Turns boxes around letters into lines of text, and what only looks like text into icons.

OCR reads icons as Chinese characters, and joins the close cross of a tab to its title. Measured on windows of Qt and
GTK and on web pages.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import reduce

import numpy as np

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size, join_close
from demopack.pixels.colours import Gray
from demopack.pixels.masks import crop, size_of, tile_boxes, tiles_of
from demopack.settings import VisionSettings
from models.vision.detection import Detection
from models.vision.reading.large_digits import with_zeros
from models.vision.reading.ocr import OcrReader
from models.vision.reading.script_reader import ScriptReader, ScriptReading, open_script_reader
from models.vision.reading.text_lines import (
    EDGE_STEP,
    SEPARATORS,
    TEXT_MARGIN_PX,
    LinkLook,
    split_line,
    split_links,
    text_colour,
    word_columns,
)
from models.vision.rules import Switches, found_by_rule

_ICONS = {
    "\u2261": "menu", "\u2630": "menu", "\u4e09": "menu", "\u00d7": "close", "\u2715": "close", "\u2716": "close",
    "\u2605": "star", "\u2606": "star", "\u2665": "like", "\u2661": "like", "\u25b2": "up", "\u25b3": "up",
    "\u25bc": "down", "\u25bd": "down", "\u25b6": "play", "\u25c0": "back", "\u2190": "back", "\u2192": "forward",
    "\u2191": "up", "\u2193": "down",
}  # fmt: skip
"""What some signs stand for; the others are icons without a name."""


def _is_sign(letter: str) -> bool:
    """Whether a character is one that icons are read as: an ideograph, a figure, an arrow."""
    if letter in _ICONS or unicodedata.category(letter) == "So":
        return True
    return "\u2190" <= letter <= "\u21ff" or _is_chinese(letter)


def _is_chinese(letter: str) -> bool:
    return "\u2e80" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af" or "\uf900" <= letter <= "\ufaff"


def writes_chinese(readings: Iterable[tuple[str, float]]) -> bool:
    """Whether a screen is written in Chinese, Japanese or Korean, so that ideographs are what they seem.

    Args:
        readings: texts and how sure they are.
    """
    long = [text for text, sure in readings if sure >= 0.8 and sum(map(_is_chinese, text)) >= 3]
    return len(long) >= 3


def is_sign(text: str) -> bool:
    """Whether nothing of a reading is a word: all of it are characters that icons are read as."""
    return bool(text) and all(_is_sign(letter) or letter.isspace() for letter in text)


def sign_ends(text: str) -> tuple[int, int]:
    """How many characters at the beginning and at the end of a reading are icons beside the words."""
    plain = text.replace(" ", "")
    first = next((i for i, letter in enumerate(plain) if not _is_sign(letter)), len(plain))
    last = next((i for i, letter in enumerate(reversed(plain)) if not _is_sign(letter)), len(plain))
    return first, last if first < len(plain) else 0


_PARTS_GAP = 0.25
_BAR = 2
"""Ink this narrow is a rule or a cursor, whatever it is read as."""


@dataclass(frozen=True, slots=True)
class TextReader:
    """Lines with their text.

    Attributes:
        ocr: sees where lines are, and reads them.
        scripts: reads the lines in scripts that ``ocr`` does not know; None for as if there were none.
        min_confidence: what is read with less is left out.
        without: rules that are switched off.
    """

    ocr: OcrReader
    _: KW_ONLY
    min_confidence: float
    scripts: ScriptReader | None = None
    without: Switches = frozenset()

    def lines(self, image: RgbImage, gray: Gray, boxes: Sequence[Rect]) -> list[Detection]:
        """What is written in the boxes, and the icons among them.

        Args:
            image: shape (height, width, 3), uint8.
            gray: its brightness.
            boxes: tight boxes around ink.
        """
        plainly = "coloured_links" in self.without
        parts = [part for box in boxes for part in ([(box, None)] if plainly else split_links(image, box))]
        looks: dict[Rect, LinkLook] = {box: look for box, look in parts if look is not None}
        read = self._read(image, [box for box, _ in parts])
        if "lone_sign" not in self.without and not writes_chinese((one.text or "", one.confidence) for one in read):
            read = [part for one in read for part in self._words(image, gray, one)]
        sure = [one for one in read if one.confidence >= self.min_confidence or one.type == "icon"]
        if not plainly:
            sure = [part for one in sure for part in at_separators(image, one)]
        return sure if plainly else _with_links(image, sure, looks)

    def _read(self, image: RgbImage, boxes: Sequence[Rect]) -> list[Detection]:
        wide = [box for box in dict.fromkeys(boxes) if box.width > _BAR + 4 or box.height < 3 * box.width]
        usual = self.ocr.read(image, wide)
        readings = (
            [ScriptReading(*one) for one in usual] if self.scripts is None else self.scripts.read(image, wide, usual)
        )
        return [
            # What is written there cannot be read, but that there is a line is seen.
            Detection(
                type="text",
                box=box,
                source="ocr",
                confidence=one.confidence,
                text=with_zeros(one.text, box) or None,
                was_read=True,
            )
            for box, one in zip(wide, readings, strict=True)
            if one.text or one.script
        ]

    def _words(self, image: RgbImage, gray: Gray, one: Detection) -> list[Detection]:
        """A reading on a screen that is not written in ideographs."""
        box, text = one.box, one.text or ""
        letters = "".join(text.split())
        if is_sign(text):
            parts = split_line(gray, box, gap=_PARTS_GAP) or [box]
            names = list(letters) if len(parts) == len(letters) else [""] * len(parts)
            named = zip(parts, names, strict=True)
            return [_icon(place, name) for place, name in named if place.width <= 2.2 * place.height]
        first, last = sign_ends(text)
        parts = split_line(gray, box, gap=_PARTS_GAP) if first or last else []
        if len(parts) <= first + last:
            return [one]
        words = reduce(Rect.union, parts[first : len(parts) - last])
        signs = [(parts[i], letters[i]) for i in range(first)]
        signs += [(parts[-1 - i], letters[-1 - i]) for i in range(last)]
        again = self._read(image, [words])
        return [line for line in again if not is_sign(line.text or "")] + [_icon(place, sign) for place, sign in signs]


_BARS = frozenset("|\N{BROKEN BAR}")
_CLOSE_BARS = re.compile("([|\N{BROKEN BAR}])")
"""Bars that were read without the blanks beside them."""
_SEPARATOR_HEIGHTS, _BAR_HEIGHTS = 0.9, 0.25
"""Width of a separator, and of one that is a bar, in heights of its line, at most."""
_OFF_HEIGHTS, _OFF_SHARE = 1.5, 0.04
"""How far a separator is from where its letters say that it stands: heights of the line, and a share of its width."""


def at_separators(image: RgbImage, line: Detection) -> list[Detection]:
    """What stands between the separators of a line, and these; the line itself where it has none that can be found.

    Args:
        image: shape (height, width, 3), uint8.
        line: with its text.
    """
    spaced = (line.text or "").split()
    tokens = [part for token in spaced for part in _CLOSE_BARS.split(token) if part]
    signs = [i for i, token in enumerate(tokens) if token in SEPARATORS]
    if not signs or line.type not in {"text", "hyperlink"} or len(signs) == len(tokens):
        return [line]
    columns = word_columns(image, line.box)
    places = signs if len(columns) == len(tokens) else None
    if places is None and len(spaced) == len(tokens):
        places = _separators_among(columns, tokens, signs, line.box)
    if places is None or not all(
        _could_be(tokens[sign], columns[place], line.box) for sign, place in zip(signs, places, strict=True)
    ):
        return [line]
    found: list[Detection] = []
    texts = [" ".join(tokens[a + 1 : b]) for a, b in itertools.pairwise([-1, *signs, len(tokens)])]
    for number, text in enumerate(texts):
        first = places[number - 1] + 1 if number else 0
        last = places[number] if number < len(places) else len(columns)
        if text and first < last:
            found.append(_part(line, text, columns[first][0], columns[last - 1][1]))
        if number < len(places) and columns[last][1] - columns[last][0] > _BAR + 2:
            found.append(_part(line, tokens[signs[number]], *columns[last]))
    return found


def _separators_among(
    columns: Sequence[tuple[int, int]], tokens: Sequence[str], signs: Sequence[int], box: Rect
) -> list[int] | None:
    """Which columns the separators are, by how many letters stand before each; None where they cannot be told."""
    length = len(" ".join(tokens))
    places: list[int] = []
    for sign in signs:
        before = len(" ".join(tokens[:sign])) + (sign > 0) + 0.5
        at = box.x1 + before / length * box.width
        near = [
            (abs((a + b) / 2 - at), i)
            for i, (a, b) in enumerate(columns)
            if b - a <= _SEPARATOR_HEIGHTS * box.height and i > (places[-1] if places else -1)
        ]
        off, place = min(near, default=(float("inf"), 0))
        if off > _OFF_HEIGHTS * box.height + _OFF_SHARE * box.width:
            return None
        places.append(place)
    return places


def _could_be(sign: str, column: tuple[int, int], box: Rect) -> bool:
    widest = max(_BAR + 2, _BAR_HEIGHTS * box.height) if sign in _BARS else _SEPARATOR_HEIGHTS * box.height
    return column[1] - column[0] <= widest


def _part(line: Detection, text: str, left: int, right: int) -> Detection:
    box = Rect(left - TEXT_MARGIN_PX, line.box.y1, right + TEXT_MARGIN_PX, line.box.y2)
    return dataclasses.replace(line, text=text, box=box.intersection(line.box) or line.box)


_MIN_ALIKE_LINKS = 3
"""Coloured words within lines that make their colour the one of the picture's links."""
_SAME_COLOUR, _OTHER_COLOUR = 45, 90
"""Steps of red, green and blue together by which letters of one colour differ at most, and of two colours at least."""


def _with_links(image: RgbImage, lines: Sequence[Detection], looks: Mapping[Rect, LinkLook]) -> list[Detection]:
    """The lines, those that are links as such: what is underlined, and what has the colour of the picture's links.

    Where links are underlined, other coloured words are code or marked; where they are not, links have one colour.
    """
    texts = [one for one in lines if one.type == "text" and one.text]
    look = {id(one): next((how for box, how in looks.items() if box.contains(one.box.center)), None) for one in texts}
    colours = {id(one): text_colour(image, one.box) for one in texts}
    links = [colours[id(one)] for one in texts if look[id(one)] == "underline"]
    underlined = bool(links)
    if not underlined:
        links = [colours[id(one)] for one in texts if look[id(one)] == "colour"]
        usual = np.median(links, axis=0) if links else None
        alike = sum(bool(np.abs(one - usual).sum() <= _SAME_COLOUR) for one in links) if usual is not None else 0
        one_colour = len(links) >= _MIN_ALIKE_LINKS and alike >= 0.8 * len(links)
        links = [usual] if one_colour and usual is not None else []
    plain = [one for one in texts if look[id(one)] is None]
    wide = np.repeat([colours[id(one)] for one in plain], [one.box.width for one in plain], axis=0) if plain else None
    body = None if wide is None else np.median(wide, axis=0)
    links = [one for one in links if body is not None and np.abs(one - body).sum() >= _OTHER_COLOUR]
    found: list[Detection] = []
    for one in lines:
        how = look.get(id(one))
        alike = id(one) in colours and any(np.abs(colours[id(one)] - link).sum() <= _SAME_COLOUR for link in links)
        if how == "underline" or alike or (how == "colour" and not underlined):
            one = dataclasses.replace(one, type="hyperlink")
        found.append(one)
    return found


def _icon(box: Rect, sign: str) -> Detection:
    return found_by_rule("lone_sign", type="icon", box=box, subtype=_ICONS.get(sign), was_read=True)


_TILE_PX = 16
_MIN_EDGES = 10
"""Edges in a tile that are worth a look; the border of a pane has fewer."""
_AIR_PX = 2
_MARGIN_PX = 24
"""Pixels around the foreground that the text detector needs to see."""
_ALL_SHARE = 0.5
"""Share of a picture from which on one look at all of it is cheaper than many at parts."""
_HOLDS_TEXT: frozenset[ElementType] = frozenset(
    {"window", "dialog", "toolbar", "image", "list_item", "tree_item", "other"}
)
"""Types around other elements: foreground inside them is not explained by them."""


def unexplained_areas(gray: Gray, detections: Sequence[Detection], *, within: Rect | None = None) -> list[Rect]:
    """Areas that hold edges like those of letters outside every detection; empty when everything is explained.

    Args:
        gray: the whole picture.
        detections: what was detected on it.
        within: where to look; None for everywhere.
    """
    size = size_of(gray)
    # Letters change brightness along a row; long vertical borders do, too, but not along a column.
    across = np.zeros(gray.shape, dtype=np.bool_)
    across[:, :-1] = np.abs(np.diff(gray, axis=1)) > EDGE_STEP
    down = np.zeros(gray.shape, dtype=np.bool_)
    down[:-1] = np.abs(np.diff(gray, axis=0)) > EDGE_STEP
    for one in detections:
        if one.type not in _HOLDS_TEXT:
            box = one.box.grown(_AIR_PX).clamped(size)
            crop(across, box)[:] = False
    asked = Rect(0, 0, size.width, size.height) if within is None else within
    across[: asked.y1], across[asked.y2 :] = False, False
    across[:, : asked.x1], across[:, asked.x2 :] = False, False
    tiles = tiles_of(across, _TILE_PX, min_pixels=_MIN_EDGES) & tiles_of(down, _TILE_PX, min_pixels=4)
    areas = [_widened(box, size) for box in tile_boxes(tiles, _TILE_PX, size)]
    areas = join_close(areas)
    if sum(area.area for area in areas) >= _ALL_SHARE * asked.area:
        return [asked if within is None else _widened(asked, size)]
    return areas


def _widened(box: Rect, size: Size) -> Rect:
    """The box with a margin, its sides multiples of 32, which the text detector's net needs to see pixels unscaled."""
    x1, x2 = _span(box.x1 - _MARGIN_PX, box.x2 + _MARGIN_PX, size.width)
    y1, y2 = _span(box.y1 - _MARGIN_PX, box.y2 + _MARGIN_PX, size.height)
    return Rect(x1, y1, x2, y2)


def _span(low: int, high: int, end: int) -> tuple[int, int]:
    wanted = -(-(high - low) // 32) * 32
    low = max(0, min(low, end - wanted))
    return low, min(end, low + wanted)


def open_text_reader(settings: VisionSettings, *, threads: int, without: Switches = frozenset()) -> TextReader:
    """The reader that the settings ask for.

    Raises:
        ModelError: rapidocr, one of its models or the network that tells scripts apart cannot be used.
    """
    return TextReader(
        OcrReader(threads=threads),
        min_confidence=settings.ocr_confidence,
        scripts=open_script_reader(settings.tesseract, threads=threads),
        without=without,
    )
