from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from models.vision.detection import Detection
from models.vision.reading.ocr import HEIGHT, enlarged, without_neighbours
from models.vision.reading.text_lines import TEXT_MARGIN_PX, split_links
from models.vision.reading.text_reader import at_separators

FONT = ImageFont.load_default(14)
BLACK, BLUE, WHITE = (0, 0, 0), (10, 60, 220), (255, 255, 255)


def crop(*strokes: tuple[slice, slice]) -> RgbImage:
    image = np.full((16, 40, 3), 250, dtype=np.uint8)
    for stroke in strokes:
        image[stroke] = 10
    return image


LETTER = (slice(TEXT_MARGIN_PX, 16 - TEXT_MARGIN_PX), slice(10, 13))


def test_the_feet_of_the_line_above_are_wiped_away() -> None:
    foot = (slice(0, 1), slice(20, 24))
    assert np.array_equal(without_neighbours(crop(LETTER, foot)), crop(LETTER))


def test_the_tops_of_the_line_below_are_wiped_away() -> None:
    top = (slice(15, 16), slice(20, 24))
    assert np.array_equal(without_neighbours(crop(LETTER, top)), crop(LETTER))


def test_a_letter_that_reaches_into_the_air_keeps_its_end() -> None:
    tall = crop(LETTER, (slice(0, 16), slice(25, 28)))
    assert np.array_equal(without_neighbours(tall), tall)


def test_a_dot_over_a_letter_is_kept() -> None:
    dotted = crop(
        (slice(TEXT_MARGIN_PX + 4, 14), slice(10, 12)), (slice(TEXT_MARGIN_PX, TEXT_MARGIN_PX + 2), slice(10, 12))
    )
    assert np.array_equal(without_neighbours(dotted), dotted)


def test_small_crops_grow_to_the_height_the_recogniser_wants_and_large_ones_stay() -> None:
    assert enlarged(crop(LETTER)).shape == (HEIGHT, 120, 3)
    large = np.zeros((HEIGHT + 1, 10, 3), dtype=np.uint8)
    assert enlarged(large) is large
    assert enlarged(crop(LETTER)[:4, :1]).shape == (HEIGHT, 12, 3)


def line(
    *words: tuple[str, tuple[int, int, int]],
    ground: tuple[int, int, int] = WHITE,
    underlined: bool = False,
    gap: int = 5,
) -> tuple[RgbImage, Rect, list[Rect]]:
    """A line of words in their colours, its box, and the box of each word."""
    picture = Image.new("RGB", (400, 40), ground)
    draw = ImageDraw.Draw(picture)
    x, boxes = 20, []
    for word, colour in words:
        draw.text((x, 20), word, font=FONT, fill=colour, anchor="lm")
        left, top, right, bottom = (int(v) for v in draw.textbbox((x, 20), word, font=FONT, anchor="lm"))
        if underlined and colour != BLACK:
            draw.line((left, bottom + 1, right + 3, bottom + 1), fill=colour)
        boxes.append(Rect(left, top, right, bottom))
        x = right + gap
    whole = boxes[0]
    for box in boxes[1:]:
        whole = whole.union(box)
    return np.asarray(picture, dtype=np.uint8), Rect(whole.x1 - 2, whole.y1 - 2, whole.x2 + 2, whole.y2 + 3), boxes


def test_a_link_within_a_sentence_is_cut_out() -> None:
    image, box, words = line(("Read", BLACK), ("the rules", BLUE), ("first", BLACK))
    parts = split_links(image, box)
    assert [link for _, link in parts] == [None, "colour", None]
    for (part, _), word in zip(parts, words, strict=True):
        assert part.contains(word.center)
        assert abs(part.x1 - word.x1) <= TEXT_MARGIN_PX + 1


def test_a_line_under_a_link_does_not_tie_it_to_the_next_word() -> None:
    image, box, _ = line(("elit", BLUE), ("sed", BLACK), underlined=True)
    assert len(split_links(image, box)) == 2


def test_many_underlined_words_of_a_line_are_links_each() -> None:
    teal = (0, 115, 199)
    image, box, words = line(
        *[
            (word, teal if i % 2 == 0 else BLACK)
            for i, word in enumerate(["Home", ">>>", "Server", ">>>", "Posts", ">>>", "Modules"])
        ],
        underlined=True,
        gap=12,
    )
    parts = split_links(image, box)
    assert [link for _, link in parts] == ["underline", None, "underline", None, "underline", None, "underline"]
    for (part, _), word in zip(parts, words, strict=True):
        assert part.contains(word.center)


def test_a_rule_below_a_line_is_no_underline() -> None:
    image, box, _ = line(("Read", BLACK), ("the rules", BLACK))
    ruled = image.copy()
    ruled[box.y2 - 2, :] = BLACK
    assert split_links(ruled, box) == [(box, None)]


def test_lines_of_one_colour_stay_whole() -> None:
    for colour in (BLACK, BLUE, (120, 120, 120)):
        image, box, _ = line(("Save", colour), ("all changes", colour))
        assert split_links(image, box) == [(box, None)]


def test_a_coloured_ground_tells_nothing() -> None:
    image, box, _ = line(("Read", BLACK), ("more", WHITE), ground=(40, 120, 230))
    assert split_links(image, box) == [(box, None)]


def test_a_dark_blue_link_is_told_by_the_black_words_beside_it() -> None:
    navy = (61, 87, 140)
    image, box, words = line(("load() :", BLACK), ("Image", navy))
    (plain, _), (link, look) = split_links(image, box)
    assert look == "colour"
    assert plain.contains(words[0].center)
    assert link.contains(words[1].center)
    alone, box, _ = line(("Image", navy), ("Memory", navy))
    assert split_links(alone, box) == [(box, None)]


def read(box: Rect, text: str, kind: ElementType = "text") -> Detection:
    return Detection(type=kind, box=box, source="ocr", confidence=0.9, text=text)


def test_a_bar_of_links_is_what_stands_between_its_separators() -> None:
    white = (255, 255, 255)
    spoken = ["previous", "|", "next chapter", "|", "index"]
    image, box, words = line(*((word, white) for word in spoken), ground=(17, 85, 124), gap=9)
    parts = at_separators(image, read(box, " ".join(spoken)))
    assert [one.text for one in parts] == ["previous", "next chapter", "index"]
    for part, word in zip(parts, words[::2], strict=True):
        assert abs(part.box.x1 - word.x1) <= TEXT_MARGIN_PX + 2
        assert abs(part.box.x2 - word.x2) <= TEXT_MARGIN_PX + 2


def test_bars_that_were_read_without_blanks_part_what_stands_apart() -> None:
    spoken = ["C", "|", "D", "|", "G"]
    image, box, words = line(*((word, BLACK) for word in spoken), gap=6)
    parts = at_separators(image, read(box, "C|D|G"))
    assert [one.text for one in parts] == ["C", "D", "G"]
    assert all(part.box.contains(word.center) for part, word in zip(parts, words[::2], strict=True))
    whole = read(box, "C|D|G|H")
    assert at_separators(image, whole) == [whole]


def test_the_steps_of_a_path_are_parted_and_their_signs_stay() -> None:
    spoken = ["Manual", "\u00bb", "Change log"]
    image, box, words = line(*((word, BLACK) for word in spoken), gap=9)
    parts = at_separators(image, read(box, " ".join(spoken)))
    assert [one.text for one in parts] == spoken
    assert parts[2].box.contains(words[2].center)


def test_where_its_separators_are_not_found_a_line_stays_whole() -> None:
    image, box, _ = line(("Save all", BLACK), ("changes of it", BLACK))
    for text in ("Save all changes of it", "S | ave all changes of it", "|", "Save all|changes of it"):
        whole = read(box, text)
        assert at_separators(image, whole) == [whole]
    icon = read(box, "a | b", "icon")
    assert at_separators(image, icon) == [icon]


def test_source_code_is_not_cut_into_its_words() -> None:
    image, box, _ = line(
        *[(word, BLUE if i % 2 else BLACK) for i, word in enumerate(["if", "not", "a", "or", "b", "in"])]
    )
    assert split_links(image, box) == [(box, None)]
