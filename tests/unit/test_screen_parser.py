from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from models.vision.description import Description
from models.vision.detection import Detection
from models.vision.fusion import Rules, describe_all
from models.vision.reading.text_reader import TextReader
from models.vision.screen_parser import ScreenParser

FONT = ImageFont.load_default(13)


class Sees:
    """A detector that saw these."""

    def __init__(self, *found: Detection) -> None:
        self.found = found

    def detect(self, image: RgbImage) -> list[Detection]:
        assert image.ndim == 3
        return list(self.found)


class ReadsBoxes:
    """A recogniser that reads every box as where it lies, and a text detector that finds nothing more."""

    def boxes(self, _image: RgbImage, _gray: object, _areas: object, _screen: Size) -> list[Rect]:
        return []

    def read(self, _image: RgbImage, boxes: Sequence[Rect]) -> list[tuple[str, float]]:
        return [(f"at {box.y1}-{box.y2}", 0.9) for box in boxes]


def looker(*found: Detection, with_shapes: bool = False) -> ScreenParser:
    reader = TextReader(ReadsBoxes(), min_confidence=0.5)  # type: ignore[arg-type]
    return ScreenParser(
        detector=Sees(*found).detect,
        reader=reader,
        describer=None,
        rules=Rules(),
        describe_s=1.0,
        with_shapes=with_shapes,
    )


def saw(kind: ElementType, box: Rect) -> Detection:
    return Detection(type=kind, box=box, source="detector", confidence=0.8)


def test_two_lines_that_touch_in_a_row_of_a_list_are_read_one_by_one() -> None:
    picture = Image.new("RGB", (200, 80), (255, 255, 255))
    draw = ImageDraw.Draw(picture)
    draw.text((10, 10), "Gabrielle gyp", font=FONT, fill=(0, 0, 0))
    draw.text((10, 22), "Justo lib lb.", font=FONT, fill=(0, 0, 0))
    image = np.asarray(picture, dtype=np.uint8)
    first, second = Rect(9, 13, 89, 26), Rect(8, 24, 82, 37)
    found = looker(saw("list_item", Rect(2, 4, 198, 76)), saw("text", first), saw("text", second)).see(
        image, screen=Size(1280, 800)
    )
    texts = [one for one in found if one.type == "text"]
    assert len(texts) == 2
    assert all(one.text and one.box.height < 20 for one in texts)


def test_a_coloured_word_in_a_line_of_text_is_a_link() -> None:
    picture = Image.new("RGB", (200, 40), (255, 255, 255))
    draw = ImageDraw.Draw(picture)
    draw.text((10, 10), "Read the", font=FONT, fill=(0, 0, 0))
    draw.text((68, 10), "manual", font=FONT, fill=(0, 40, 230))
    line = Rect(8, 10, 120, 28)
    found = looker(saw("text", line)).see(np.asarray(picture, dtype=np.uint8), screen=Size(1280, 800))
    assert [one.type for one in sorted(found, key=lambda one: one.box.x1)] == ["text", "hyperlink"]


def test_a_line_that_was_detected_too_short_is_read_whole_but_not_into_its_neighbour() -> None:
    picture = Image.new("RGB", (300, 40), (255, 255, 255))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((10, 12, 22, 24), outline=(0, 0, 0))
    draw.text((27, 10), "Remember the password", font=FONT, fill=(0, 0, 0))
    short = saw("text", Rect(60, 10, 140, 28))
    found = looker(saw("checkbox", Rect(10, 12, 23, 25)), short).see(
        np.asarray(picture, dtype=np.uint8), screen=Size(1280, 800)
    )
    (line,) = [one for one in found if one.type == "text"]
    assert 24 <= line.box.x1 <= 28
    assert line.box.x2 > 160


def marks() -> RgbImage:
    picture = Image.new("RGB", (300, 100), (255, 255, 255))
    draw = ImageDraw.Draw(picture)
    draw.ellipse((10, 12, 24, 26), outline=(60, 60, 60))
    draw.rectangle((10, 52, 24, 66), outline=(60, 60, 60))
    draw.text((32, 12), "Standard", font=FONT, fill=(0, 0, 0))
    draw.text((32, 52), "Newsletter", font=FONT, fill=(0, 0, 0))
    return np.asarray(picture, dtype=np.uint8)


def test_round_and_square_are_told_by_their_outline_whatever_the_models_say() -> None:
    seen = looker(saw("checkbox", Rect(10, 12, 25, 27)), saw("radio", Rect(9, 52, 25, 67)), with_shapes=True)
    found = seen.see(marks(), screen=Size(1280, 800))
    kinds = {one.box.y1 // 40: one.type for one in found if one.type in {"radio", "checkbox"}}
    assert kinds == {0: "radio", 1: "checkbox"}
    unsure = [Description(type="checkbox", type_confidence=0.99) for _ in found]
    again = describe_all(found, unsure, rules=Rules(), reads=False)
    assert "radio" in {one.type for one in again}


def test_one_end_of_a_field_is_no_element_beside_the_field() -> None:
    picture = Image.new("RGB", (500, 80), (240, 240, 240))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((20, 20, 420, 50), fill=(255, 255, 255), outline=(120, 120, 120))
    draw.text((30, 28), "Only if you have one", font=FONT, fill=(90, 90, 90))
    end = saw("button", Rect(19, 20, 60, 51))
    found = looker(end, with_shapes=True).see(np.asarray(picture, dtype=np.uint8), screen=Size(1280, 800))
    assert [one.type for one in found if one.type != "text"] == ["input_field"]
    assert all(one.box.width > 350 for one in found if one.type == "input_field")


def test_labels_of_a_menu_bar_that_were_seen_as_one_line_are_those_of_their_menus() -> None:
    picture = Image.new("RGB", (300, 90), (240, 240, 240))
    draw = ImageDraw.Draw(picture)
    menus: list[Rect] = []
    for x, word in ((10, "File"), (44, "View"), (84, "Settings")):
        draw.text((x, 12), word, font=FONT, fill=(0, 0, 0))
        menus.append(Rect(x - 5, 6, round(x + draw.textlength(word, font=FONT)) + 5, 34))

    draw.text((10, 60), "Ready", font=FONT, fill=(0, 0, 0))
    image = np.asarray(picture, dtype=np.uint8)

    class ReadsAcross(ReadsBoxes):
        def boxes(self, _image: RgbImage, _gray: object, _areas: object, _screen: Size) -> list[Rect]:
            return [Rect(42, 10, 136, 30), Rect(8, 58, 50, 78)]

    for across in ((), (saw("text", Rect(42, 10, 136, 30)),)):
        parser = looker(*(saw("menu", box) for box in menus), *across)
        reader = TextReader(ReadsAcross(), min_confidence=0.5)  # type: ignore[arg-type]
        found = dataclasses.replace(parser, reader=reader).see(image, screen=Size(1280, 800))
        assert [(one.type, one.box) for one in found[:3]] == [("menu", box) for box in menus]
        assert [one.text for one in found[3:]] == ["at 58-78"]
        assert all(one.text and one.text.count("at") == 1 for one in found)


def test_dashes_around_a_row_are_no_line_of_text() -> None:
    picture = Image.new("RGB", (400, 80), (255, 255, 255))
    draw = ImageDraw.Draw(picture)
    for x in range(10, 390, 6):
        draw.line((x, 14, x + 3, 14), fill=(120, 0, 120))
    draw.text((20, 40), "Order 1004, shipped", font=FONT, fill=(0, 0, 0))
    boxes = [Rect(8, 8, 392, 20), Rect(18, 42, 152, 56)]

    class ReadsBoth(ReadsBoxes):
        def boxes(self, _image: RgbImage, _gray: object, _areas: object, _screen: Size) -> list[Rect]:
            return boxes

    parser = dataclasses.replace(looker(), reader=TextReader(ReadsBoth(), min_confidence=0.5))  # type: ignore[arg-type]
    found = parser.see(np.asarray(picture, dtype=np.uint8), screen=Size(1280, 800))
    assert [one.box for one in found] == [boxes[1]]
