"""Draws truth over pixels, so that a person can see whether it is true."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from models.training.labelled_screens import GroundTruth, LabelledScreen, LabelledScreenSet

HUES: Final[dict[ElementType, tuple[int, int, int]]] = {
    "text": (0, 114, 178),
    "hyperlink": (86, 180, 233),
    "tabled_text": (0, 158, 115),
    "draggable_text": (0, 100, 60),
    "button": (213, 94, 0),
    "icon": (204, 51, 153),
    "input_field": (190, 140, 0),
    "text_area": (140, 110, 0),
    "dropdown": (120, 60, 200),
    "checkbox": (200, 0, 0),
    "radio": (160, 0, 80),
    "toggle": (230, 60, 60),
    "tab": (90, 90, 220),
    "menu": (60, 160, 60),
    "menu_item": (90, 190, 40),
    "list_item": (150, 150, 60),
    "tree_item": (110, 150, 90),
    "scrollbar": (120, 120, 120),
}
_REST = (90, 90, 90)
_CAPTION_PX = 10


def draw_truth(
    image: RgbImage, elements: Iterable[GroundTruth], *, zoom: int = 1, captions: bool = True
) -> Image.Image:
    """The picture, enlarged without blur, each element outlined in its type's hue.

    Args:
        image: shape (height, width, 3), uint8.
        elements: the truth.
        zoom: whole factor.
        captions: type, subtype, states and the beginning of the text beside each box.
    """
    picture = Image.fromarray(np.ascontiguousarray(image))
    if zoom != 1:
        picture = picture.resize((picture.width * zoom, picture.height * zoom), Image.Resampling.NEAREST)
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(_CAPTION_PX)
    for element in sorted(elements, key=lambda e: -e.box.area):
        box, hue = element.box, HUES.get(element.type, _REST)
        corners = (box.x1 * zoom, box.y1 * zoom, box.x2 * zoom - 1, box.y2 * zoom - 1)
        draw.rectangle(corners, outline=hue, width=1 if element.leaf else 2)
        if captions:
            words = caption(element)
            at = (corners[0], max(0, corners[1] - _CAPTION_PX - 1))
            draw.rectangle(draw.textbbox(at, words, font=font), fill=(255, 255, 255))
            draw.text(at, words, fill=hue, font=font)
    return picture


def caption(element: GroundTruth) -> str:
    """A few signs for an element: ``checkbox +checked -focused "Send copies"``."""
    marks = [f"{'+' if value else '-'}{state[:3]}" for state, value in sorted(element.states.items())]
    text = "" if element.text is None else f'"{element.text[:16]}"'
    return " ".join(part for part in (element.type, element.subtype or "", *marks, text) if part)


def contact_sheets(
    screens: LabelledScreenSet,
    chosen: Sequence[LabelledScreen],
    *,
    folder: Path,
    zoom: int = 1,
    captions: bool = True,
    width: int = 1600,
) -> list[Path]:
    """Sheets of screens with their truth drawn, in rows; returns the PNG files.

    Args:
        screens: where the pictures are.
        chosen: which ones, in order.
        folder: for the sheets; created where it is missing.
        zoom: as for ``draw_truth``.
        captions: as for ``draw_truth``.
        width: of a sheet in pixels; a wider screen gets a sheet of its own.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pictures = [draw_truth(screens.image(s), s.elements, zoom=zoom, captions=captions) for s in chosen]
    paths: list[Path] = []
    for number, rows in enumerate(_pages(pictures, width=width)):
        height = sum(max(p.height for p in row) + 8 for row in rows)
        sheet = Image.new("RGB", (max(width, max(p.width for row in rows for p in row)), height), (128, 128, 128))
        top = 0
        for row in rows:
            left = 0
            for picture in row:
                sheet.paste(picture, (left, top))
                left += picture.width + 8
            top += max(p.height for p in row) + 8
        paths.append(folder / f"sheet-{number:03d}.png")
        sheet.save(paths[-1])
    return paths


def _pages(pictures: Sequence[Image.Image], *, width: int) -> list[list[list[Image.Image]]]:
    """Pictures in rows of at most ``width``, rows in pages of about the same height."""
    rows: list[list[Image.Image]] = [[]]
    for picture in pictures:
        used = sum(p.width + 8 for p in rows[-1])
        if rows[-1] and used + picture.width > width:
            rows.append([])
        rows[-1].append(picture)
    pages: list[list[list[Image.Image]]] = [[]]
    for row in (row for row in rows if row):
        used = sum(max(p.height for p in r) + 8 for r in pages[-1])
        if pages[-1] and used + max(p.height for p in row) > width:
            pages.append([])
        pages[-1].append(row)
    return [page for page in pages if page]
