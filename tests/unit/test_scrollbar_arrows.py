"""Scroll bars between two arrows, by their pixels."""

from __future__ import annotations

import numpy as np
import pytest

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, iou
from models.vision.scrollbar_arrows import find_scrollbars

BAR = Rect(285, 0, 300, 200)


def _page(
    *, thumb: tuple[int, int] | None = (40, 120), track: int = 252, ground: int = 255, ink: int = 139
) -> RgbImage:
    """A page with a bar as faint as Chromium's at its right edge: 15 pixels, arrows 9 wide, a thumb inset by 3."""
    image = np.full((200, 300, 3), ground, dtype=np.uint8)
    image[30:40, 20:200:2] = 0  # words
    image[BAR.y1 : BAR.y2, BAR.x1 : BAR.x2] = track
    for row in range(5):
        image[5 + row, 292 - row : 293 + row] = ink
        image[194 - row, 292 - row : 293 + row] = ink
    if thumb is not None:
        image[thumb[0] : thumb[1], 288:297] = ink
        image[[thumb[0], thumb[1] - 1], 288:297:8] = track  # round corners
    return image


@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("thumb", [(16, 60), (40, 120), (150, 184), (20, 180)])
def test_a_bar_is_found_wherever_its_thumb_lies(
    thumb: tuple[int, int], scale: int, upright: bool, is_dark: bool
) -> None:
    image = _page(thumb=thumb, track=43, ground=47, ink=120) if is_dark else _page(thumb=thumb)
    image = image.repeat(scale, axis=0).repeat(scale, axis=1)
    bar = Rect(BAR.x1 * scale, BAR.y1 * scale, BAR.x2 * scale, BAR.y2 * scale)
    if not upright:
        image, bar = np.ascontiguousarray(image.transpose(1, 0, 2)), Rect(bar.y1, bar.x1, bar.y2, bar.x2)
    (found,) = find_scrollbars(image)
    assert found.type == "scrollbar"
    assert found.evidence[0].rule == "scrollbar_arrows"
    assert iou(found.box, bar) >= 0.85


def test_two_arrows_without_a_thumb_are_a_bar_only_where_a_track_is_drawn() -> None:
    assert find_scrollbars(_page(thumb=None)) == [], "as the arrows by which two rows of a list are sorted"
    (bar,) = find_scrollbars(_page(thumb=None, track=240))
    assert iou(bar.box, BAR) >= 0.85


def test_what_stands_between_two_arrows_and_is_no_track_makes_no_bar() -> None:
    image = _page(thumb=None)
    image[20:180:12, 287:298] = 0  # lines of text
    image[26:186:12, 287:298] = 90
    assert find_scrollbars(image) == []
    upside_down = np.ascontiguousarray(_page()[::-1])
    upside_down[0:15], upside_down[-15:] = _page()[-15:], _page()[:15]
    assert find_scrollbars(upside_down) == [], "arrows that look at each other"
