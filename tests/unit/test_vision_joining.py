"""Lines that were found in pieces: halves of a long one, words of one that is widely set."""

from __future__ import annotations

import numpy as np

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect, Size
from demopack.pixels.colours import Gray
from models.vision.detection import Detection
from models.vision.reading.line_joining import join_words, whole_lines

_PITCH = 10


def _page(text: str, *, x: int = 10, y: int = 20, width: int = 400, pitch: int = _PITCH, letter: int = 7) -> Gray:
    """White, with a row of black letters of one width; blanks are blank."""
    gray = np.full((60, width), 255, dtype=np.int16)
    for i, sign in enumerate(text):
        if sign != " ":
            left = x + i * pitch
            # A letter like an H: edges along its rows, and some blank in it.
            gray[y : y + 12, left : left + 2] = 0
            gray[y : y + 12, left + letter - 2 : left + letter] = 0
            gray[y + 5 : y + 7, left : left + letter] = 0
    return gray


def _word(text: str, start: int, *, kind: ElementType = "text", pitch: int = _PITCH) -> Detection:
    """What was read at a letter's place on such a page."""
    x = 10 + start * pitch
    box = Rect(x - 2, 18, x + (len(text) - 1) * pitch + 7 + 2, 34)
    return Detection(type=kind, box=box, source="ocr", confidence=0.9, text=text)


def _texts(lines: list[Detection]) -> list[str | None]:
    return sorted((line.text for line in lines), key=str)


def test_words_of_a_typewriter_are_one_line_though_its_space_is_wide() -> None:
    lines, _ = join_words(_page("Nora Bell 9 items"), [_word("Nora", 0), _word("Bell", 5), _word("items", 12)], [])
    assert _texts(lines) == ["Nora Bell", "items"]


def test_a_blank_that_is_no_letter_wide_keeps_two_labels_apart() -> None:
    first, second = _word("Nora", 0), _word("Bell", 5)
    shifted = Detection(type="text", box=second.box.moved(5, 0), source="ocr", confidence=0.9, text="Bell")
    lines, _ = join_words(_page("Nora"), [first, shifted], [])
    assert _texts(lines) == ["Bell", "Nora"]


def test_figures_prove_no_typewriter() -> None:
    lines, _ = join_words(_page("8712 6200"), [_word("8712", 0), _word("6200", 5)], [])
    assert _texts(lines) == ["6200", "8712"]


def test_a_faint_line_between_two_words_parts_cells() -> None:
    gray = _page("Nora Bell")
    gray[10:50, 53] = 250
    lines, _ = join_words(gray, [_word("Nora", 0), _word("Bell", 5)], [])
    assert _texts(lines) == ["Bell", "Nora"]


def test_a_word_in_a_control_is_not_joined_to_one_beside_it() -> None:
    button = Detection(type="button", box=Rect(56, 10, 110, 40), source="detector", confidence=0.9)
    lines, _ = join_words(_page("Nora Bell"), [_word("Nora", 0), _word("Bell", 5)], [button])
    assert _texts(lines) == ["Bell", "Nora"]


def test_what_was_detected_word_by_word_is_one_detection_of_the_line() -> None:
    words = [_word("Nora", 0), _word("Bell", 5)]
    seen = [Detection(type="tabled_text", box=one.box, source="detector", confidence=0.5) for one in words]
    lines, detections = join_words(_page("Nora Bell"), words, seen)
    assert [(one.type, one.box) for one in detections] == [("tabled_text", lines[0].box)]


def _line(box: Rect) -> Detection:
    return Detection(type="text", box=box, source="detector", confidence=0.9)


def test_a_line_is_followed_to_its_end_however_far_the_detection_saw() -> None:
    gray = _page("a" * 70, width=700, pitch=9)
    seen = _line(Rect(200, 18, 260, 34))
    assert whole_lines(gray, seen, [seen], Size(700, 60)) == [Rect(8, 18, 640, 34)]


def test_the_stripes_of_a_title_bar_are_no_letters() -> None:
    gray = _page("a" * 6, x=300, width=700, pitch=9)
    gray[22:32:4, :297] = 0
    gray[22:32:4, 355:] = 0
    seen = _line(Rect(298, 18, 356, 34))
    assert whole_lines(gray, seen, [seen], Size(700, 60))[0].width < 300
