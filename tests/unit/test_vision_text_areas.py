from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, iou
from demopack.pixels.colours import to_gray
from models.vision.description import Description
from models.vision.detection import Detection
from models.vision.fusion import Rules, describe_all
from models.vision.reading.text_lines import lines_inside
from models.vision.shapes import find_shapes, large_controls, widgets
from models.vision.text_areas import beside_handles, handle_in, lines_in_areas, with_text_areas, without_parts

PAGE = (300, 240)


def drawn(*, frame: Rect | None, handle: tuple[int, int] | None, strokes: bool = True, ring: int = 1) -> RgbImage:
    """A page with a text area's frame and a handle whose lower right corner is at a place."""
    picture = Image.new("RGB", PAGE, "white")
    draw = ImageDraw.Draw(picture)
    if frame is not None:
        draw.rectangle((frame.x1, frame.y1, frame.x2 - 1, frame.y2 - 1), outline=(90, 90, 90), width=ring)
    if handle is not None:
        x, y = handle
        if strokes:
            draw.line((x - 13, y, x, y - 13), fill=(60, 60, 60), width=2)
            draw.line((x - 6, y, x, y - 6), fill=(60, 60, 60), width=2)
        else:
            draw.polygon([(x - 13, y), (x, y), (x, y - 13)], fill=(120, 120, 120))
    return np.asarray(picture, dtype=np.uint8)


def seen(kind: ElementType, box: Rect) -> Detection:
    return Detection(type=kind, box=box, source="detector", confidence=0.6)


@pytest.mark.parametrize("strokes", [True, False])
def test_an_empty_frame_with_a_handle_in_its_corner_is_a_text_area(strokes: bool) -> None:
    frame = Rect(40, 30, 240, 180)
    image = drawn(frame=frame, handle=(233, 173), strokes=strokes)
    corners = [one.box for one in find_shapes(image)]
    found, _ = with_text_areas(to_gray(image), [], [], corners)
    area = next(one for one in found if one.type == "text_area")
    assert iou(area.box, frame) > 0.95
    assert next(one for one in found if one.type == "resize_handle").box.encloses(Rect(221, 161, 233, 173))


def test_without_a_handle_a_frame_is_no_text_area_by_this_rule() -> None:
    image = drawn(frame=Rect(40, 30, 240, 180), handle=None)
    assert with_text_areas(to_gray(image), [], [], [one.box for one in find_shapes(image)]) == ([], [])


def test_a_handle_that_was_read_as_a_stroke_tells_an_area_that_has_a_line_above_alone() -> None:
    image = drawn(frame=None, handle=(200, 200)).copy()
    image[60:62, 20:210] = 150
    read = Detection(type="text", box=Rect(185, 185, 203, 203), source="ocr", confidence=0.8, text="/", was_read=True)
    found, lines = with_text_areas(to_gray(image), [], [read], [])
    area = next(one for one in found if one.type == "text_area")
    assert (area.box.x1, area.box.x2) == (20, 210)
    assert abs(area.box.y1 - 61) <= 2
    assert lines == []


def test_a_slash_is_no_handle_and_a_grip_of_a_status_bar_no_text_area() -> None:
    slash = drawn(frame=None, handle=None).copy()
    for at in range(14):
        slash[100 - at, 100 + at : 102 + at] = 40
    assert handle_in(to_gray(slash), Rect(94, 82, 122, 106)) is None
    bar = drawn(frame=None, handle=(290, 235)).copy()
    bar[216, 0:300] = 150
    grip = seen("resize_handle", Rect(276, 221, 292, 237))
    assert with_text_areas(to_gray(bar), [grip], [], []) == ([grip], [])


def test_a_window_with_controls_in_it_keeps_them() -> None:
    frame = Rect(40, 30, 240, 180)
    image = drawn(frame=frame, handle=(233, 173))
    controls = [seen("button", Rect(50, 40, 100, 60)), seen("checkbox", Rect(50, 70, 64, 84))]
    assert with_text_areas(to_gray(image), controls, [], [frame])[0] == controls


def test_what_was_taken_for_a_button_is_the_text_area_that_its_handle_tells() -> None:
    frame = Rect(40, 30, 240, 90)
    image = drawn(frame=frame, handle=(233, 83))
    found, _ = with_text_areas(to_gray(image), [seen("button", frame)], [], [frame])
    assert sorted(one.type for one in found) == ["resize_handle", "text_area"]


def test_text_beside_a_handle_ends_before_it_and_bars_are_no_letters() -> None:
    image = drawn(frame=Rect(40, 30, 240, 180), handle=(233, 173)).copy()
    image[162:172, 60:100:4] = 0
    handle = seen("resize_handle", Rect(219, 159, 235, 175))
    gray = to_gray(image)
    (line,) = beside_handles(gray, [Rect(58, 160, 235, 174)], [handle])
    assert line.x2 < 110
    assert (without_parts(gray, [handle])[159:175, 219:235] == 255).all()
    assert (gray[159:175, 219:235] != 255).any()


def test_a_text_cursor_between_two_lines_joins_them_not() -> None:
    image = np.full((140, 200, 3), 255, dtype=np.uint8)
    for top in (20, 50, 80, 110):
        image[top : top + 12, 20:100:5] = 0
    image[80:122, 120:122] = 0
    lines = lines_inside(to_gray(image), Rect(0, 0, 200, 140))
    assert [line.y1 // 10 for line in lines if line.x1 < 100] == [1, 4, 7, 10]


@pytest.mark.parametrize("ring", [1, 2, 4, 6])
def test_a_field_is_seen_whatever_the_strength_of_the_ring_around_it(ring: int) -> None:
    frame = Rect(40, 30, 240, 66)
    image = drawn(frame=frame, handle=None, ring=ring)
    (field,) = widgets(to_gray(image), find_shapes(image), [])
    assert field.type == "input_field"
    assert iou(field.box, frame) > 0.85


def test_a_large_frame_with_one_word_in_its_middle_is_a_button() -> None:
    frame = Rect(40, 30, 200, 180)
    image = drawn(frame=frame, handle=None)
    shapes = find_shapes(image)
    word = Detection(type="text", box=Rect(90, 96, 150, 114), source="ocr", confidence=0.9, text="Press")
    (button,) = large_controls(image, shapes, [], [word])
    assert (button.type, button.text) == ("button", "Press")
    assert large_controls(image, shapes, [], []) == [], "an empty pane may be anything"
    beside = Detection(type="text", box=Rect(60, 40, 120, 58), source="ocr", confidence=0.9, text="A panel")
    assert large_controls(image, shapes, [], [beside]) == []
    assert large_controls(image, shapes, [seen("image", frame)], []) == []


def test_an_empty_frame_behind_large_letters_is_a_field() -> None:
    frame = Rect(120, 60, 200, 120)
    image = drawn(frame=frame, handle=None, ring=2)
    label = Detection(type="text", box=Rect(40, 72, 100, 108), source="ocr", confidence=0.9, text="x =")
    (field,) = large_controls(image, find_shapes(image), [], [label])
    assert field.type == "input_field"
    assert iou(field.box, frame) > 0.9
    small = Detection(type="text", box=Rect(70, 84, 100, 96), source="ocr", confidence=0.9, text="Logo")
    assert large_controls(image, find_shapes(image), [], [small]) == []


def test_a_circle_that_is_a_line_is_a_shape_and_a_picture_in_a_circle_is_not() -> None:
    picture = Image.new("RGB", PAGE, "white")
    draw = ImageDraw.Draw(picture)
    draw.ellipse((30, 40, 150, 160), outline="black", width=2)
    draw.ellipse((180, 40, 260, 120), fill=(200, 30, 30))
    image = np.asarray(picture, dtype=np.uint8)
    (circle,) = large_controls(image, find_shapes(image), [], [])
    assert circle.type == "shape"
    assert iou(circle.box, Rect(30, 40, 151, 161)) > 0.9


def test_no_look_and_no_editor_takes_from_a_text_area_what_its_handle_tells() -> None:
    frame = Rect(40, 30, 240, 180)
    image = drawn(frame=frame, handle=(233, 173))
    found, _ = with_text_areas(to_gray(image), [], [], [one.box for one in find_shapes(image)])
    said = [Description(type="button", type_confidence=0.99) for _ in found]
    described = describe_all(found, said, rules=Rules(), reads=False)
    assert sorted(one.type for one in described) == ["resize_handle", "text_area"]
    inside, above = (
        Detection(type="text", box=box, source="ocr", confidence=0.9, text="Words")
        for box in (Rect(50, 40, 120, 56), Rect(50, 8, 120, 24))
    )
    assert lines_in_areas(found, [inside, above]) == ([inside], [above])
