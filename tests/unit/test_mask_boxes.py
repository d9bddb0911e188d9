"""Painting over what a picture must not show."""

from __future__ import annotations

import numpy as np

from demopack.domain.frames import MASK_COLOUR, RgbImage
from demopack.domain.geometry import Rect, ScreenSpace
from recorder.step_builder import mask_boxes


def picture() -> RgbImage:
    image = np.zeros((40, 60, 3), dtype=np.uint8)
    image[..., 0] = 200
    return image


def test_boxes_are_flat_and_the_rest_is_untouched() -> None:
    image = picture()
    painted, boxes = mask_boxes(image, [Rect(110, 205, 120, 215)], ScreenSpace(origin_x=100, origin_y=200))
    assert boxes == (Rect(10, 5, 20, 15),)
    assert (painted[5:15, 10:20] == MASK_COLOUR).all()
    painted[5:15, 10:20] = image[5:15, 10:20]
    assert (painted == image).all()
    assert (image == picture()).all(), "the picture that was given is not changed"


def test_boxes_are_clipped_and_enclosed_ones_left_out() -> None:
    _, boxes = mask_boxes(
        picture(),
        [Rect(-5, -5, 10, 10), Rect(0, 0, 3, 3), Rect(50, 30, 99, 99), Rect(70, 0, 80, 9)],
        ScreenSpace(),
    )
    assert boxes == (Rect(0, 0, 10, 10), Rect(50, 30, 60, 40))


def test_a_scaled_picture_is_covered_outwards() -> None:
    painted, boxes = mask_boxes(picture(), [Rect(1, 1, 3, 3)], ScreenSpace(pixels_per_unit=1.5))
    assert boxes == (Rect(1, 1, 5, 5),)
    assert (painted[1:5, 1:5] == MASK_COLOUR).all()


def test_nothing_to_cover_costs_nothing() -> None:
    image = picture()
    assert mask_boxes(image, [Rect(90, 90, 99, 99)], ScreenSpace()) == (image, ())
    assert mask_boxes(image, [], ScreenSpace())[0] is image


def test_a_backwards_view_of_the_system_s_pixels_can_be_covered() -> None:
    raw = np.zeros((40, 60, 4), dtype=np.uint8)
    painted, _ = mask_boxes(raw[:, :, 2::-1], [Rect(0, 0, 9, 9)], ScreenSpace())
    assert (painted[:9, :9] == MASK_COLOUR).all()
    assert not raw.any()
