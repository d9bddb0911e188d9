"""Scroll bars without arrows, by their pixels."""

from __future__ import annotations

import numpy as np
import pytest

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, iou
from demopack.pixels.colours import to_gray
from models.vision.scrollbar_thumbs import find_thumbs
from models.vision.scrollbars import split_scrollbar

BAR = Rect(285, 10, 299, 190)


def _pane(
    thumb: tuple[int, int] | None = (14, 90), *, ground: int = 255, track: int = 206, ink: int = 128, round_by: int = 2
) -> RgbImage:
    """A pane with a bar as GTK's at its right edge: 14 pixels, a thumb of 8 with round ends."""
    image = np.full((200, 310, 3), ground, dtype=np.uint8)
    image[30:40, 20:200:2] = 0  # words
    image[BAR.y1 : BAR.y2, BAR.x1 : BAR.x2] = track
    if thumb is not None:
        image[thumb[0] : thumb[1], 288:296] = ink
        for row in range(round_by):
            for edge in (288 + round_by - 1 - row, 295 - round_by + 1 + row):
                image[[thumb[0] + row, thumb[1] - 1 - row], edge] = (track + ink) // 2
    return image


@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("thumb", [(10, 60), (60, 120), (140, 190), (13, 187)])
def test_a_bar_is_found_wherever_its_thumb_lies(
    thumb: tuple[int, int], scale: int, upright: bool, is_dark: bool
) -> None:
    image = _pane(thumb, ground=40, track=60, ink=150) if is_dark else _pane(thumb)
    image = image.repeat(scale, axis=0).repeat(scale, axis=1)
    bar = Rect(BAR.x1 * scale, BAR.y1 * scale, BAR.x2 * scale, BAR.y2 * scale)
    if not upright:
        image, bar = np.ascontiguousarray(image.transpose(1, 0, 2)), Rect(bar.y1, bar.x1, bar.y2, bar.x2)
    (found,) = find_thumbs(image)
    assert found.type == "scrollbar"
    assert found.evidence[0].rule == "scrollbar_thumb"
    assert iou(found.box, bar) >= 0.85


def test_its_parts_are_a_thumb_and_no_buttons() -> None:
    image = _pane((14, 90))
    (bar,) = find_thumbs(image)
    (thumb,) = split_scrollbar(to_gray(image), bar)
    assert thumb.type == "scrollbar_thumb"
    assert iou(thumb.box, Rect(288, 14, 296, 90)) >= 0.8


def test_what_is_no_thumb_on_a_track_is_no_bar() -> None:
    assert find_thumbs(_pane(None)) == []
    assert find_thumbs(_pane(track=255)) == [], "a strip on the page itself, as a rule beside a quotation"
    assert find_thumbs(_pane((10, 190), round_by=0)) == [], "it fills its track: a progress bar that is full, a border"
    two = _pane((14, 60))
    two[100:140, 288:296] = 128
    assert find_thumbs(two) == [], "two on one track"
    words = _pane()
    words[120:130, 286:298] = 0
    assert all(box.box.y2 <= 121 for box in find_thumbs(words)), "a track ends where something else is drawn"
    column = _pane(None)
    column[20:180:6, 288:296] = 128
    assert find_thumbs(column) == [], "signs below each other"
    assert find_thumbs(np.zeros((3, 3, 3), dtype=np.uint8)) == []
