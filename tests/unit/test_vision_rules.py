"""What a rule finds says so, with the rule's name; what a model or OCR found is not laid to a rule."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from demopack.domain.elements import ElementType, Evidence
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.pixels.colours import to_gray
from models.vision.description import Description
from models.vision.detection import Detection, to_element
from models.vision.editors import take_editors
from models.vision.fusion import Rules, describe_all, fuse
from models.vision.reading.line_joining import join_words
from models.vision.reading.text_reader import TextReader
from models.vision.rules import CONFIDENCE, RULES, RuleName, found_by_rule, is_outline
from models.vision.screen_parser import ScreenParser
from models.vision.scrollbars import split_scrollbar
from models.vision.shapes import Shape, widgets

BOX = Rect(10, 10, 60, 30)


def said_of(found: Detection) -> tuple[str, str | None, float | None]:
    """Source, rule and confidence, the same in the find and in its evidence."""
    assert {one.source for one in found.evidence} == {found.source}
    assert found.confidence == found.evidence[0].confidence
    return found.source, found.evidence[0].rule, found.evidence[0].confidence


def read(text: str, box: Rect, kind: ElementType = "text") -> Detection:
    return Detection(type=kind, box=box, source="ocr", confidence=0.9, text=text, was_read=True)


def paned(*, height: int = 300) -> RgbImage:
    image = np.full((height, 400, 3), 190, dtype=np.uint8)
    image[20 : height - 20, 60:380] = 250
    return image


def column(image: RgbImage, count: int, *, pitch: int, text: str = "return queue[38]") -> list[Detection]:
    lines: list[Detection] = []
    for i in range(count):
        top = 30 + pitch * i
        for j in range(len(text)):
            left = 70 + 9 * j
            image[top : top + 12, left : left + 2] = 0
        lines.append(read(text, Rect(68, top - 2, 72 + round((len(text) - 0.3) * 9), top + 14)))
    return lines


def test_an_editor_is_found_by_a_rule_of_lines() -> None:
    image = paned()
    (editor,) = take_editors(image, column(image, 8, pitch=18), []).found
    assert said_of(editor) == ("rule", "code_editor", 0.6)


@pytest.mark.parametrize(
    ("shape", "lines", "rule"),
    [
        (Shape(kind="frame", box=BOX, filled=False, outlined=True), [], "framed_control"),
        (Shape(kind="square", box=Rect(10, 10, 22, 22), filled=False, outlined=True), [], "closed_shape"),
        (
            Shape(kind="square", box=Rect(10, 10, 22, 22), filled=False, outlined=True),
            [read("Yes", Rect(26, 9, 60, 23))],
            "labelled_mark",
        ),
    ],
)
def test_closed_shapes_are_found_by_rules(shape: Shape, lines: list[Detection], rule: RuleName) -> None:
    gray = to_gray(np.full((60, 100, 3), 255, dtype=np.uint8))
    (found,) = widgets(gray, [shape], lines)
    assert said_of(found) == ("rule", rule, CONFIDENCE[rule])


def test_a_line_of_joined_words_is_as_sure_as_its_surest_word() -> None:
    gray = to_gray(np.full((60, 200, 3), 255, dtype=np.uint8))
    words = [read("Hello", Rect(8, 8, 52, 26)), read("there", Rect(54, 8, 98, 26))]
    seen = [
        Detection(type="text", box=one.box, source="detector", confidence=at)
        for one, at in zip(words, (0.5, 0.8), strict=True)
    ]
    lines, left = join_words(gray, words, seen)
    (joined,) = left
    assert said_of(joined) == ("rule", "joined_words", 0.8)
    (fused,) = fuse(lines, left)
    assert [(one.source, one.rule) for one in fused.evidence] == [("rule", "joined_words"), ("ocr", None)]


def test_parts_of_a_scroll_bar_are_as_sure_as_the_bar() -> None:
    image = np.full((200, 40, 3), 235, dtype=np.uint8)
    image[30:90, 12:28] = 150
    bar = Detection(type="scrollbar", box=Rect(12, 0, 28, 200), source="detector", confidence=0.71)
    parts = split_scrollbar(to_gray(image), bar)
    assert [(one.type, said_of(one)) for one in parts] == [("scrollbar_thumb", ("rule", "scrollbar_part", 0.71))]


class _Reads:
    """Reads the same in every box."""

    def __init__(self, text: str) -> None:
        self._text = text

    def boxes(self, _image: RgbImage, _gray: object, _areas: object, _screen: Size) -> list[Rect]:
        return []

    def read(self, _image: RgbImage, boxes: list[Rect]) -> list[tuple[str, float]]:
        return [(self._text, 0.95) for _ in boxes]


def test_a_sign_that_ocr_took_for_letters_is_found_by_a_rule_and_a_line_by_ocr() -> None:
    image = np.full((60, 120, 3), 255, dtype=np.uint8)
    image[12:24, 12:24] = 0
    for text, told in (("→", ("rule", "lone_sign", 0.4)), ("Save", ("ocr", None, None))):
        reader = TextReader(_Reads(text), min_confidence=0.5)  # type: ignore[arg-type]
        (found,) = reader.lines(image, to_gray(image), [Rect(10, 10, 26, 26)])
        assert found.was_read
        assert (found.source, *((one.rule, one.confidence) for one in found.evidence)) == (
            (told[0], told[1:]) if told[1] else ("ocr",)
        )


class _Sees:
    def __init__(self, *found: Detection) -> None:
        self.found = found

    def detect(self, _image: RgbImage) -> list[Detection]:
        return list(self.found)


def marked() -> Detection:
    """A check box that the detector took for a round button, told apart by its outline."""
    picture = Image.new("RGB", (160, 60), (255, 255, 255))
    ImageDraw.Draw(picture).rectangle((20, 20, 33, 33), outline=(40, 40, 40))
    image = np.asarray(picture, dtype=np.uint8)
    seen = Detection(type="radio", box=Rect(20, 20, 34, 34), source="detector", confidence=0.9)
    looker = ScreenParser(
        detector=_Sees(seen).detect,
        reader=TextReader(_Reads(""), min_confidence=0.5),  # type: ignore[arg-type]
        describer=None,
        rules=Rules(),
        describe_s=1.0,
        with_shapes=True,
    )
    (found,) = looker.see(image, screen=Size(1280, 800))
    return found


def test_the_outline_of_a_mark_is_a_rule_beside_the_detector_that_found_it() -> None:
    found = marked()
    assert (found.type, found.source) == ("checkbox", "detector")
    assert [(one.source, one.rule, one.type, one.confidence) for one in found.evidence] == [
        ("detector", None, "radio", 0.9),
        ("rule", "mark_outline", "checkbox", 0.98),
    ]
    assert is_outline(found.evidence[1])


def test_an_outline_still_wins_over_the_describer_between_round_and_square() -> None:
    said = Description(type="radio", type_confidence=0.99)
    (described,) = describe_all([marked()], [said], rules=Rules(), reads=False)
    assert described.type == "checkbox"


@pytest.mark.parametrize(("was_read", "kind"), [(True, "button"), (False, "icon")])
def test_of_what_was_only_read_the_describer_is_believed_sooner(was_read: bool, kind: ElementType) -> None:
    sign = found_by_rule("lone_sign", type="icon", box=BOX, was_read=was_read)
    said = Description(type="button", type_confidence=0.75)
    (described,) = describe_all([sign], [said], rules=Rules(type_at=0.85, read_at=0.7), reads=False)
    assert described.type == kind


@pytest.mark.parametrize(("width", "kind"), [(8, "text"), (14, "radio")])
def test_a_bullet_that_was_read_is_no_round_button(width: int, kind: ElementType) -> None:
    read = Detection(type="text", box=Rect(0, 0, width, 14), source="ocr", confidence=0.9, text="•", was_read=True)
    said = Description(type="radio", type_confidence=0.95)
    (described,) = describe_all([read], [said], rules=Rules(type_at=0.85, read_at=0.7), reads=False)
    assert described.type == kind


def test_every_rule_has_its_confidence_or_that_of_what_it_began_with() -> None:
    for rule in RULES:
        own = CONFIDENCE[rule]
        found = found_by_rule(rule, type="icon", box=BOX, begun_with=0.33)
        assert found.confidence == (0.33 if own is None else own)
        element = to_element(found.to_json(), frame_id="f")
        assert element.evidence == (
            Evidence(source="rule", rule=rule, type="icon", box=BOX, confidence=element.confidence),
        )
        if own is None:
            with pytest.raises(ValueError, match=rule):
                found_by_rule(rule, type="icon", box=BOX)


def test_a_flat_sign_has_the_box_of_its_ink_and_a_framed_one_that_of_its_frame() -> None:
    image = np.full((60, 120, 3), 255, dtype=np.uint8)
    image[29:31, 12:20] = 0  # minimise
    image[20:34, 60] = image[20:34, 73] = image[20, 60:74] = image[33, 60:74] = 120
    image[26:28, 64:70] = 0
    signs = [Rect(8, 20, 24, 36), Rect(60, 20, 74, 34)]
    looker = ScreenParser(
        detector=_Sees(*(Detection(type="icon", box=box, source="detector", confidence=0.9) for box in signs)).detect,
        reader=None,
        describer=None,
        rules=Rules(),
        describe_s=1.0,
    )
    assert [one.box for one in looker.see(image, screen=Size(1280, 800))] == [Rect(10, 27, 22, 33), signs[1]]
