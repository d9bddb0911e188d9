from __future__ import annotations

import numpy as np
import pytest

from demopack.domain.geometry import Rect, iou
from demopack.pixels.colours import Gray
from models.vision.detection import Detection
from models.vision.scrollbars import split_scrollbar

TRACK, THUMB, SIGN = 250, 140, 90


def upright(*, thumb: tuple[int, int] | None, buttons: bool, dark: bool = False, narrow: int = 3) -> Gray:
    """A bar of 16 x 200 pixels in the middle of a picture; the thumb is narrower than its track."""
    gray = np.full((220, 60), 255, dtype=np.int16)
    gray[10:210, 20:36] = TRACK
    if thumb is not None:
        gray[10 + thumb[0] : 10 + thumb[1], 20 + narrow : 36 - narrow] = THUMB
    if buttons:
        for row in range(5):
            gray[16 + row, 27 - row : 29 + row] = SIGN
            gray[203 - row, 27 - row : 29 + row] = SIGN
    return 255 - gray if dark else gray


def parts(gray: Gray, box: Rect) -> dict[str, Rect]:
    bar = Detection(type="scrollbar", box=box, source="detector", confidence=0.8)
    return {one.type: one.box for one in split_scrollbar(gray, bar)}


BAR = Rect(20, 10, 36, 210)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("thumb", [(16, 60), (70, 120), (130, 184)])
def test_buttons_and_thumb_of_an_upright_bar(dark: bool, thumb: tuple[int, int]) -> None:
    found = parts(upright(thumb=thumb, buttons=True, dark=dark), BAR)
    assert found["scrollbar_up_button"] == Rect(20, 10, 36, 26)
    assert found["scrollbar_down_button"] == Rect(20, 194, 36, 210)
    assert iou(found["scrollbar_thumb"], Rect(23, 10 + thumb[0], 33, 10 + thumb[1])) > 0.9
    assert len(found) == 3


def test_a_lying_bar_has_left_and_right_buttons() -> None:
    gray = np.ascontiguousarray(upright(thumb=(70, 120), buttons=True).T)
    found = parts(gray, Rect(10, 20, 210, 36))
    assert found["scrollbar_left_button"] == Rect(10, 20, 26, 36)
    assert found["scrollbar_right_button"] == Rect(194, 20, 210, 36)
    assert iou(found["scrollbar_thumb"], Rect(80, 23, 130, 33)) > 0.9


@pytest.mark.parametrize("narrow", [0, 4])
def test_a_bar_without_buttons_has_only_a_thumb(narrow: int) -> None:
    found = parts(upright(thumb=(40, 100), buttons=False, narrow=narrow), BAR)
    assert list(found) == ["scrollbar_thumb"]
    assert iou(found["scrollbar_thumb"], Rect(20 + narrow, 50, 36 - narrow, 110)) > 0.9


def test_nothing_to_scroll_and_bars_too_small() -> None:
    assert list(parts(upright(thumb=None, buttons=True), BAR)) == ["scrollbar_up_button", "scrollbar_down_button"]
    assert parts(upright(thumb=None, buttons=False), BAR) == {}
    assert parts(upright(thumb=(40, 100), buttons=True), Rect(20, 10, 23, 210)) == {}
    assert parts(upright(thumb=(40, 100), buttons=True), Rect(20, 10, 36, 30)) == {}


def test_a_box_that_is_a_pixel_off_gives_the_same_parts() -> None:
    gray = upright(thumb=(70, 120), buttons=True)
    for dx, dy in ((-1, 0), (1, 0), (0, -2), (0, 2)):
        assert len(parts(gray, BAR.moved(dx, dy))) == 3, (dx, dy)
