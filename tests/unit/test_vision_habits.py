from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.pixels.colours import to_gray
from models.vision.detection import Detection
from models.vision.reading.text_lines import caret_columns, lines_inside, split_line
from models.vision.reading.text_reader import (
    TextReader,
    is_sign,
    sign_ends,
    unexplained_areas,
    writes_chinese,
)

FONT = ImageFont.load_default(14)


class Canvas:
    """Black on white, with what a line of OCR is cut from."""

    def __init__(self, width: int = 320, height: int = 60) -> None:
        self.picture = Image.new("RGB", (width, height), (255, 255, 255))
        self.draw = ImageDraw.Draw(self.picture)

    def text(self, x: int, y: int, words: str) -> Rect:
        self.draw.text((x, y), words, font=FONT, fill=(0, 0, 0), anchor="lm")
        left, top, right, bottom = self.draw.textbbox((x, y), words, font=FONT, anchor="lm")
        return Rect(int(left), int(top), int(right), int(bottom))

    def cross(self, x: int, y: int, side: int = 8) -> None:
        self.draw.line((x, y, x + side, y + side), fill=(60, 60, 60), width=1)
        self.draw.line((x, y + side, x + side, y), fill=(60, 60, 60), width=1)

    @property
    def image(self) -> RgbImage:
        return np.asarray(self.picture, dtype=np.uint8)


class SaysSo:
    """A reader that says what the test wants, box by box."""

    def __init__(self, *texts: tuple[str, float]) -> None:
        self.texts = list(texts)

    def read(self, image: RgbImage, boxes: list[Rect]) -> list[tuple[str, float]]:
        assert image.ndim == 3
        return [self.texts.pop(0) for _ in boxes]


def lines(canvas: Canvas, boxes: list[Rect], *texts: tuple[str, float], **more: list[Rect]) -> list[Detection]:
    reader = TextReader(SaysSo(*texts), min_confidence=0.5)  # type: ignore[arg-type]
    return reader.lines(canvas.image, to_gray(canvas.image), boxes, **more)


def test_icons_that_were_read_as_characters_are_icons() -> None:
    canvas = Canvas()
    boxes = [Rect(10, 10, 28, 28), Rect(50, 10, 68, 28), Rect(90, 10, 130, 28), Rect(150, 10, 168, 28)]
    found = lines(canvas, boxes, ("三", 0.9), ("口", 0.8), ("Save", 0.9), ("\u00d7", 0.7))
    assert [(f.type, f.text, f.subtype) for f in found] == [
        ("icon", None, "menu"),
        ("icon", None, None),
        ("text", "Save", None),
        ("icon", None, "close"),
    ]


def test_a_screen_in_chinese_keeps_its_text() -> None:
    canvas = Canvas()
    boxes = [Rect(10 + 60 * i, 10, 60 + 60 * i, 28) for i in range(4)]
    found = lines(canvas, boxes, ("文件管理", 0.95), ("编辑内容", 0.95), ("查看帮助", 0.95), ("三", 0.9))
    assert [f.text for f in found] == ["文件管理", "编辑内容", "查看帮助", "三"]
    assert writes_chinese([("文件管理", 0.9)]) is False


def test_an_icon_beside_words_is_cut_off_and_the_words_are_read_again() -> None:
    canvas = Canvas()
    canvas.draw.rectangle((10, 22, 21, 33), fill=(0, 0, 0))
    words = canvas.text(34, 28, "Truman")
    found = lines(canvas, [Rect(8, 20, words.x2 + 2, 36)], ("田Truman", 0.8), ("Truman", 0.97))
    assert [(f.type, f.text) for f in found] == [("text", "Truman"), ("icon", None)]
    assert found[0].box.x1 >= 30
    assert found[1].box.x2 <= 26


def test_signs_and_words() -> None:
    assert is_sign("三")
    assert not any(map(is_sign, ("", "+", "A", "1", "€", "é", "ж")))
    assert sign_ends("☆高 Inbox") == (2, 0)
    assert sign_ends("Sort ▼") == (0, 1)


def field_with_caret(*, inside: bool = False) -> tuple[Canvas, Rect]:
    canvas = Canvas()
    words = canvas.text(20, 30, "Anna")
    x = (words.x1 + words.x2) // 2 if inside else words.x2 + 2
    if inside:
        canvas.draw.rectangle((x - 1, 18, x + 2, 42), fill=(255, 255, 255))
    canvas.draw.line((x, 20, x, 40), fill=(0, 0, 0), width=1)
    return canvas, words


def test_a_text_cursor_is_no_letter() -> None:
    canvas, words = field_with_caret()
    gray = to_gray(canvas.image)
    columns = np.flatnonzero(caret_columns(gray, Rect(10, words.y1, 120, words.y2)))
    assert [int(c) + 10 for c in columns] == [words.x2 + 2]
    (line,) = split_line(gray, Rect(14, 18, 120, 43))
    assert line.x2 <= words.x2 + 3


@pytest.mark.parametrize("letters", ["Hillfl", "I", "Ill", "jpg|", "1lI"])
def test_letters_are_no_text_cursor(letters: str) -> None:
    canvas = Canvas()
    words = canvas.text(20, 30, letters)
    assert not caret_columns(to_gray(canvas.image), Rect(10, words.y1, 120, words.y2)).any()


def test_the_lines_inside_a_control_are_found_by_their_ink() -> None:
    canvas = Canvas(320, 100)
    canvas.draw.rectangle((4, 4, 310, 90), outline=(0, 0, 0))
    words = [canvas.text(14, 22, "The quick brown fox"), canvas.text(14, 42, "jumps over it.")]
    found = lines_inside(to_gray(canvas.image), Rect(4, 4, 311, 91))
    assert len(found) == 2
    for line, word in zip(found, words, strict=True):
        assert max(abs(line.x1 - word.x1), abs(line.x2 - word.x2), abs(line.y1 - word.y1)) <= 4
    assert lines_inside(to_gray(canvas.image), Rect(0, 0, 6, 6)) == []


def test_only_ink_that_no_detection_explains_is_looked_at() -> None:
    canvas = Canvas(640, 480)
    known, unknown = canvas.text(20, 30, "Known words"), canvas.text(400, 400, "Unknown words")
    line = Detection(
        type="text", box=Rect(known.x1 - 2, known.y1 - 2, known.x2 + 2, known.y2 + 2), source="detector", confidence=0.9
    )
    (area,) = unexplained_areas(to_gray(canvas.image), [line])
    assert area.encloses(unknown)
    assert area.intersection(known) is None
    assert (area.width % 32, area.height % 32) == (0, 0)
    window = Detection(type="window", box=Rect(0, 0, 640, 480), source="detector", confidence=0.9)
    assert len(unexplained_areas(to_gray(canvas.image), [window])) == 2, "a window explains nothing inside it"
    everything = Detection(type="button", box=Rect(0, 0, 640, 480), source="detector", confidence=0.9)
    assert unexplained_areas(to_gray(canvas.image), [everything]) == []
