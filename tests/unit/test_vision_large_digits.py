from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from models.vision.description import Description
from models.vision.detection import Detection
from models.vision.fusion import Rules, describe_all, fuse
from models.vision.reading.large_digits import large_digits, with_zeros


class FixedReader:
    """Reads what it was told, in place of OCR; remembers where."""

    def __init__(self, *texts: str, sure: float = 0.97) -> None:
        self.texts, self.sure, self.asked = texts, sure, list[Rect]()

    def read(self, _image: RgbImage, boxes: Sequence[Rect]) -> list[tuple[str, float]]:
        self.asked += boxes
        return [(text, self.sure) for text in self.texts[: len(boxes)]]


def page(*inks: Rect) -> RgbImage:
    image = np.full((120, 300, 3), 255, dtype=np.uint8)
    for ink in inks:
        image[ink.y1 : ink.y2, ink.x1 : ink.x2] = 0
    return image


def icon(box: Rect, kind: ElementType = "icon") -> Detection:
    return Detection(type=kind, box=box, source="detector", confidence=0.7)


def digits(image: RgbImage, reader: FixedReader, *boxes: Rect) -> dict[int, Rect]:
    return large_digits(image, cast("Any", reader), [icon(box) for box in boxes])


@pytest.mark.parametrize(
    ("text", "width", "is_digit"),
    [
        ("7", 24, True),
        ("0", 24, True),
        ("O", 24, True),
        ("O", 34, False),
        ("X", 24, False),
        ("12", 44, True),
        ("-5", 44, True),
        ("1a", 44, False),
    ],
)
def test_a_large_icon_that_is_surely_read_as_a_digit_is_none(text: str, width: int, *, is_digit: bool) -> None:
    ink = Rect(40, 30, 40 + width, 70)
    found = digits(page(ink), FixedReader(text), ink.grown(3))
    assert found == ({0: ink.grown(2)} if is_digit else {})


def test_small_icons_wide_ones_and_doubtful_readings_stay_icons() -> None:
    small, wide = Rect(40, 30, 52, 46), Rect(80, 30, 180, 70)
    reader = FixedReader("7", "7")
    assert digits(page(small, wide), reader, small.grown(2), wide.grown(2)) == {}
    assert reader.asked == []
    ink = Rect(40, 30, 64, 70)
    assert digits(page(ink), FixedReader("7", sure=0.6), ink.grown(2)) == {}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("O + 7 = x", "0 + 7 = x"),
        ("x - o = 12", "x - 0 = 12"),
        ("O x 5 =", "0 x 5 ="),
        ("O Brother 7", "O Brother 7"),
        ("Type O negative", "Type O negative"),
        ("O + x", "O + x"),
        ("Oslo 12", "Oslo 12"),
    ],
)
def test_an_o_among_numbers_is_a_zero(text: str, told: str) -> None:
    assert with_zeros(text, Rect(0, 0, 200, 40)) == told


def test_a_round_letter_alone_is_a_zero_where_it_is_high_and_slim() -> None:
    assert with_zeros("O", Rect(0, 0, 28, 44)) == "0"
    assert with_zeros("O", Rect(0, 0, 42, 44)) == "O"
    assert with_zeros("O", Rect(0, 0, 11, 14)) == "O"
    assert with_zeros("O", Rect(0, 0, 3, 3)) == "O"


def test_a_short_word_that_was_surely_read_is_no_icon() -> None:
    box = Rect(10, 10, 30, 26)
    for text, sure, kind in (("is", 0.99, "text"), ("79", 0.95, "text"), ("is", 0.8, "icon"), ("X", 0.99, "icon")):
        read = Detection(type="text", box=box, source="ocr", confidence=sure, text=text, was_read=True)
        said = Description(type="icon", type_confidence=0.95)
        (one,) = describe_all([read], [said], rules=Rules(), reads=False)
        assert one.type == kind, text
        (joined,) = fuse([read], [icon(Rect(8, 8, 32, 28))])
        assert joined.type == kind, text


def test_the_value_of_a_table_row_over_two_lines_of_labels_stays_a_cell() -> None:
    row = Detection(type="list_item", box=Rect(0, 0, 300, 40), source="rule", confidence=0.7)
    labels = [icon(Rect(4, 2, 60, 18), "tabled_text"), icon(Rect(4, 22, 60, 38), "tabled_text")]
    lines = [
        Detection(type="text", box=box, source="ocr", confidence=0.99, text=text)
        for box, text in ((labels[0].box, "Year of"), (labels[1].box, "Birth"), (Rect(150, 12, 190, 28), "2007"))
    ]
    found = fuse(lines, [row, *labels])
    assert {(one.type, one.text) for one in found} == {
        ("list_item", None), ("tabled_text", "Year of"), ("tabled_text", "Birth"), ("text", "2007"),
    }  # fmt: skip
