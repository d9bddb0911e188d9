"""Turns boxes around ink into lines of text, and what only looks like text into icons."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from models.vision.found import Found
from models.vision.reading.colours import split_by_colour
from models.vision.reading.gray import Gray
from models.vision.reading.habits import (
    close_cross,
    cut_at_borders,
    icon_name,
    is_rule,
    is_sign,
    mended,
    sign_ends,
    writes_chinese,
)
from models.vision.reading.lines import split_line
from models.vision.reading.ocr import OcrReader
from models.vision.rules import found_by_rule

__all__ = ["TextReader"]

_TAB_GAP, _FREE_GAP = 0.3, 0.6
"""Blank before a close cross, as a share of the line's height: on a tab, and where nothing says that it is one."""
_PARTS_GAP = 0.25
_BAR = 2
"""Ink this narrow is a rule or a cursor, whatever it is read as."""

_Read = tuple[Rect, str, float]


class TextReader:
    """Lines with their text; what is read with less than the least confidence is left out."""

    def __init__(self, ocr: OcrReader, *, min_confidence: float) -> None:
        self._ocr = ocr
        self._min_confidence = min_confidence

    def boxes(self, image: RgbImage, gray: Gray, areas: Sequence[Rect] | None, screen: Size) -> list[Rect]:
        """Where the text detector sees lines; see :meth:`OcrReader.boxes`."""
        return self._ocr.boxes(image, gray, areas, screen)

    def lines(
        self,
        image: RgbImage,
        gray: Gray,
        boxes: Sequence[Rect],
        *,
        borders: Sequence[Rect] = (),
        tabs: Sequence[Rect] = (),
    ) -> list[Found]:
        """What is written in the boxes, and the icons among them.

        Args:
            image: shape (height, width, 3), uint8.
            gray: its brightness.
            boxes: tight boxes around ink.
            borders: boxes of elements whose edges end a line.
            tabs: those of them that are tabs; a cross at their end closes them.
        """
        coloured = [part for box in boxes for part in split_by_colour(image, box)]
        links = [part for part, colourful in coloured if colourful]
        cut = [part for box, _ in coloured for part in cut_at_borders(gray, box, borders)]
        plain, icons = self._without_crosses(gray, cut, tabs)
        read = self._read(image, plain)
        chinese = writes_chinese((text, sure) for _, text, sure in read)
        found: list[Found] = []
        for one in read:
            found += [_line(one)] if chinese else self._words(image, gray, one)
        sure = [f for f in found if f.confidence >= self._min_confidence or f.type == "icon"]
        return [_linked(f, links) for f in sure] + icons

    def _without_crosses(
        self, gray: Gray, boxes: Sequence[Rect], tabs: Sequence[Rect]
    ) -> tuple[list[Rect], list[Found]]:
        plain: list[Rect] = []
        icons: list[Found] = []
        for box in boxes:
            on_tab = any(tab.contains(box.center) for tab in tabs)
            parts = close_cross(gray, box, gap=_TAB_GAP if on_tab else _FREE_GAP)
            if parts is None:
                plain.append(box)
                continue
            plain.append(parts[0])
            icons.append(found_by_rule("close_cross", type="icon", box=parts[1], subtype="close", was_read=True))
        return plain, icons

    def _read(self, image: RgbImage, boxes: Sequence[Rect]) -> list[_Read]:
        wide = [box for box in dict.fromkeys(boxes) if box.width > _BAR + 4 or box.height < 3 * box.width]
        readings = self._ocr.read(image, wide)
        return [
            (box, text, sure) for box, (text, sure) in zip(wide, readings, strict=True) if text and not is_rule(text)
        ]

    def _words(self, image: RgbImage, gray: Gray, one: _Read) -> list[Found]:
        """A reading on a screen that is not written in ideographs."""
        box, text, _ = one
        if is_sign(text):
            parts = split_line(gray, box, gap=_PARTS_GAP) or [box]
            letters = "".join(text.split())
            names = list(letters) if len(parts) == len(letters) else [""] * len(parts)
            named = zip(parts, names, strict=True)
            return [_icon(place, name) for place, name in named if place.width <= 2.2 * place.height]
        first, last = sign_ends(text)
        if not first and not last:
            return [_line(one)]
        parts = split_line(gray, box, gap=_PARTS_GAP)
        if len(parts) <= first + last:
            return [_line(one)]
        words = parts[first]
        for part in parts[first + 1 : len(parts) - last]:
            words = words.union(part)
        letters = "".join(text.split())
        signs = [(parts[i], letters[i]) for i in range(first)]
        signs += [(parts[-1 - i], letters[-1 - i]) for i in range(last)]
        again = self._read(image, [words])
        return [_line(r) for r in again if not is_sign(r[1])] + [_icon(place, sign) for place, sign in signs]


def _line(one: _Read) -> Found:
    box, text, sure = one
    return Found(type="text", box=box, source="ocr", confidence=sure, text=mended(text), was_read=True)


def _linked(found: Found, links: Sequence[Rect]) -> Found:
    is_link = found.type == "text" and any(link.contains(found.box.center) for link in links)
    return dataclasses.replace(found, type="hyperlink") if is_link else found


def _icon(box: Rect, text: str) -> Found:
    return found_by_rule("lone_sign", type="icon", box=box, subtype=icon_name(text), was_read=True)
