"""Places in a text, found again by their words on pictures of it in other sizes, widths and colours."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect
from player.text_places import ReadWord, find_place, place_at, read_words

TEXT = ("the ship came late to the harbour", "and the crew went home again", "while the harbour slept")


def drawn(lines: tuple[str, ...], *, size: int = 16, dark: bool = False) -> tuple[RgbImage, list[Element]]:
    """A picture of a text, and its lines as a reader tells them."""
    font = ImageFont.load_default(size)
    paper, ink = ("#222", "#eee") if dark else ("#fff", "#000")
    image = Image.new("RGB", (int(size * 28), 20 + int(size * 1.5) * len(lines)), paper)
    draw, read = ImageDraw.Draw(image), []
    for number, line in enumerate(lines):
        at = (10, 10 + int(size * 1.5) * number)
        draw.text(at, line, font=font, fill=ink)
        left, top, right, bottom = (round(side) for side in draw.textbbox(at, line, font=font))
        read.append(
            Element(
                uid=f"l{number}", frame="f", type="text", box=Rect(left, top, right, bottom), text=line, source="ocr"
            )
        )
    return np.asarray(image, dtype=np.uint8), read


def letter(lines: tuple[str, ...], line: int, at: int, *, size: int = 16) -> Point:
    """Where the gap before a letter is, by the font's own measure."""
    font = ImageFont.load_default(size)
    return Point(round(10 + font.getlength(lines[line][:at])), 10 + int(size * 1.5) * line + size // 2)


@pytest.mark.parametrize("size", [16, 20, 32])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("line", "at"), [(0, 0), (0, 6), (0, 31), (1, 10), (1, 28), (2, 13)])
def test_a_place_leads_to_the_same_letter(size: int, line: int, at: int, *, dark: bool) -> None:
    image, read = drawn(TEXT)
    place = place_at(letter(TEXT, line, at), read_words(read, image))
    other, there = drawn(TEXT, size=size, dark=dark)
    assert place is not None
    found = find_place(place, read_words(there, other))
    wanted = letter(TEXT, line, at, size=size)
    assert found is not None
    assert abs(found.x - wanted.x) <= size * 0.2  # less than half a letter
    assert abs(found.y - wanted.y) <= size


def test_lines_that_break_elsewhere_and_come_in_another_order_do_not_matter() -> None:
    image, read = drawn(TEXT)
    place = place_at(letter(TEXT, 2, 13), read_words(read, image))
    broken = ("while the", "harbour slept", "the ship came late to", "the harbour")
    other, there = drawn(broken)
    assert place is not None
    found = find_place(place, read_words(there, other))
    assert found is not None
    assert abs(found.x - letter(broken, 1, 3).x) <= 4
    assert abs(found.y - letter(broken, 1, 3).y) <= 16


@pytest.mark.parametrize(
    "live",
    [
        pytest.param(("the ship came late", "and the crew went home"), id="the word is gone"),
        pytest.param(("a harbour", "no harbour"), id="the word stands twice, among others"),
        pytest.param(("my harbour here",), id="the word stands once, among others"),
    ],
)
def test_a_word_that_is_not_plainly_the_one_is_not_taken(live: tuple[str, ...]) -> None:
    image, read = drawn(TEXT)
    place = place_at(letter(TEXT, 2, 13), read_words(read, image))
    other, there = drawn(live)
    assert place is not None
    assert find_place(place, read_words(there, other)) is None


def test_where_nothing_is_written_there_is_no_place() -> None:
    word = ReadWord(text="word", box=Rect(10, 10, 50, 26), line=0)
    assert place_at(Point(20, 60), [word]) is None
    assert place_at(Point(400, 15), [word]) is not None  # behind the end of a line is its end


@pytest.mark.parametrize("line", ["price of late ships", "ship"])
def test_the_line_in_a_field_is_found_without_the_frame_of_the_field(line: str) -> None:
    font = ImageFont.load_default(16)
    image = Image.new("RGB", (400, 120), "#fff")
    draw = ImageDraw.Draw(image)
    draw.rectangle((20, 10, 380, 110), outline="#000", width=3)
    draw.text((30, 20), line, font=font, fill="#000")
    draw.line((370, 106, 376, 100), fill="#555")  # the handle that makes it larger
    field = Element(uid="f", frame="f", type="text_area", box=Rect(20, 10, 381, 111), text=line, source="ocr")
    words = read_words([field], np.asarray(image, dtype=np.uint8))
    assert [word.text for word in words] == line.split()
    assert all(20 <= word.box.y1 < word.box.y2 <= 42 for word in words)
    assert abs(words[0].box.x1 - 30) <= 2
    assert abs(words[-1].box.x2 - 30 - font.getlength(line)) <= 2


def test_a_word_that_was_read_by_itself_keeps_the_others_of_its_line_in_their_places() -> None:
    """A word in the middle was taken for a menu, so the line around it was read without it."""
    lines = ("call back on monday about the price",)
    image, (line,) = drawn(lines, size=32)
    x1, x2 = (letter(lines, 0, at, size=32).x for at in (13, 19))
    middle = line.but(uid="m", type="menu", text="monday", box=Rect(x1 - 4, line.box.y1 - 4, x2 + 4, line.box.y2 + 4))
    words = read_words([line.but(text="call back on about the price"), middle], image)
    assert [word.text for word in words] == lines[0].split()
    assert {word.line for word in words} == {0}
    for word in words:
        assert abs(word.box.x1 - letter(lines, 0, lines[0].index(word.text), size=32).x) <= 5


def test_the_edge_of_a_field_above_a_line_does_not_count_as_its_letters() -> None:
    lines = ("call back on monday",)
    image, (line,) = drawn(lines)
    edged = image.copy()
    edged[4:6] = 0
    wide = line.but(box=Rect(0, 2, image.shape[1], line.box.y2 + 4))
    found, wanted = (read_words([one], picture) for one, picture in ((wide, edged), (line, image)))
    assert [word.box.x1 for word in found] == [word.box.x1 for word in wanted]
    assert [word.box.x2 for word in found] == [word.box.x2 for word in wanted]


def test_a_field_of_several_lines_that_were_read_as_one_tells_nothing() -> None:
    image, _ = drawn(TEXT)
    field = Element(
        uid="f", frame="f", type="text_area", box=Rect(0, 0, image.shape[1], image.shape[0]), text=" ".join(TEXT),
        source="ocr",
    )  # fmt: skip
    assert read_words([field], image) == []
