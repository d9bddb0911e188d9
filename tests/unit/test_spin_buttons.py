"""The signs that count a number field up and down, in pictures of real toolkits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from demopack.domain.actions import ScrollAction
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import Step
from models.vision.spin_buttons import spin_buttons, with_acted_spin_buttons
from tests.support.small_demos import click_step

DATA = Path(__file__).parents[1] / "data" / "spin_buttons"
FRAME = Frame(id="a" * 64, width=400, height=300)
FIELDS = {
    "gtk3": [Rect(5, y, 141, y + 34) for y in (5, 45, 85)],
    "gtk3_dark": [Rect(10, 6, 84, 40)],
    "qt5_large": [Rect(10, 7, 67, 36)],
    "qt5_large_arrows": [Rect(10, 8, 66, 36)],
    "gtk3_upright": [Rect(10, 8, 44, 108)],
    "qt_fusion": [Rect(11, y, 77, y + 21) for y in (12, 41, 70)],
    "qt5_fusion": [Rect(15, 9, 69, 35)],
    "qt_windows": [Rect(11, y, 74, y + 21) for y in (10, 36, 62)],
}
PLUS = {
    "gtk3": (0.92, 0.5),
    "gtk3_upright": (0.5, 0.17),
    "qt5_large": (0.8, 0.25),
    "qt5_large_arrows": (0.84, 0.28),
    "gtk3_dark": (0.88, 0.5),
    "qt_fusion": (0.88, 0.25),
    "qt5_fusion": (0.86, 0.3),
    "qt_windows": (0.84, 0.25),
}
MINUS = {
    "gtk3": (0.6, 0.5),
    "gtk3_upright": (0.5, 0.8),
    "qt5_large": (0.8, 0.65),
    "qt5_large_arrows": (0.84, 0.7),
    "gtk3_dark": (0.64, 0.5),
    "qt_fusion": (0.88, 0.8),
    "qt5_fusion": (0.86, 0.7),
    "qt_windows": (0.84, 0.8),
}
"""Where a person would press, as shares of the field; the minus of the first one cannot be used."""


def picture(name: str) -> RgbImage:
    with Image.open(DATA / f"{name}.png") as image:
        return np.asarray(image.convert("RGB"))


def within(field: Rect, share: tuple[float, float]) -> Point:
    return Point(round(field.x1 + share[0] * field.width), round(field.y1 + share[1] * field.height))


@pytest.mark.parametrize("toolkit", FIELDS)
def test_both_signs_are_told_apart_from_the_number(toolkit: str) -> None:
    image = picture(toolkit)
    for field in FIELDS[toolkit]:
        boxes = {one.does: one.box for one in spin_buttons(image, field)}
        assert boxes["increase"].contains(within(field, PLUS[toolkit]))
        assert boxes["decrease"].contains(within(field, MINUS[toolkit]))
        assert all(field.encloses(box) for box in boxes.values())
        assert not any(box.contains(within(field, (0.25, 0.5))) for box in boxes.values())


def test_a_field_without_signs_has_none() -> None:
    image = picture("gtk3")
    plain = image.copy()
    plain[:, 70:136] = image[22, 60]
    assert [spin_buttons(plain, field) for field in FIELDS["gtk3"]] == [()] * 3
    below_nought = plain.copy()
    below_nought[21:23, 110:116] = below_nought[17:27, 118:119] = below_nought[17:18, 118:124] = 0
    assert spin_buttons(below_nought, FIELDS["gtk3"][0]) == (), "the letters of -F are no signs"
    assert spin_buttons(image, Rect(0, 0, 4, 4)) == ()
    assert spin_buttons(image, Rect(500, 500, 600, 520)) == ()


def test_what_a_step_hit_is_an_element_and_no_other() -> None:
    field = FIELDS["gtk3"][1]
    spinner = Element(uid="el_1", frame=FRAME.id, type="spinner", box=field, text="100", source="accessibility")

    def made(*steps: Step) -> list[str | None]:
        found = with_acted_spin_buttons([spinner], picture("gtk3"), FRAME, steps)
        assert found[0] == spinner
        return [one.subtype for one in found[1:]]

    up, down = (click_step(0, FRAME, FRAME, within(field, share)) for share in (PLUS["gtk3"], MINUS["gtk3"]))
    assert made(up) == ["increase"]
    assert made(up, up, down) == ["increase", "decrease"]
    assert made(click_step(0, FRAME, FRAME, within(field, (0.25, 0.5)))) == []
    assert made(up.but(action=ScrollAction(scroll_direction="down"))) == []
    other = Element(uid="el_2", frame=FRAME.id, type="input_field", box=field, text="100", source="accessibility")
    assert with_acted_spin_buttons([other], picture("gtk3"), FRAME, [up]) == [other]
