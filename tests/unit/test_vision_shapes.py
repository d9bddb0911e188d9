from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demopack.domain.geometry import Rect, iou
from demopack.pixels.colours import to_gray
from models.vision.detection import Detection
from models.vision.fusion import fuse
from models.vision.reading.text_lines import content_region, split_line
from models.vision.shapes import Shape, clip_to_frames, find_shapes, large_controls, separate_marks, widgets
from tests.support.painted_ui import PaintedUi

pytest.importorskip("cv2")


def form(*, dark: bool = False) -> PaintedUi:
    ui = PaintedUi(dark=dark)
    ui.text(20, 30, "User name")
    ui.field(Rect(120, 18, 380, 42))
    ui.field(Rect(120, 58, 380, 82), "anna")
    ui.field(Rect(120, 98, 380, 122), "Germany", arrow=True)
    ui.checkbox(120, 140, "I agree")
    ui.checkbox(120, 170, "Newsletter", ticked=True)
    ui.radio(120, 200, "Standard")
    ui.radio(120, 230, "Express", on=True)
    ui.button(Rect(120, 270, 220, 300), "Cancel")
    ui.button(Rect(240, 270, 380, 300), "Save changes")
    ui.text(20, 340, "Only OCR of 10 Oboes: O0o")
    return ui


def line(box: Rect, text: str) -> Detection:
    return Detection(type="text", box=box, source="ocr", confidence=0.9, text=text)


@pytest.mark.parametrize("dark", [False, True])
def test_every_widget_is_found_with_its_type_text_and_state(dark: bool) -> None:
    ui = form(dark=dark)
    image = ui.picture()
    gray = to_gray(image)
    shapes = find_shapes(image)
    # What OCR would give: tight boxes, check boxes and radio buttons swallowed by their labels.
    rough = [Rect(b.x1 - 3, b.y1 - 3, b.x2 + 3, b.y2 + 3) for kind, b, _ in ui.truth if kind == "text" and b.x1 != 140]
    rough += [Rect(117, y - 2, 240, y + 17) for y in (140, 170, 200, 230)]
    inside = [Rect(124, 62, 160, 78), Rect(124, 102, 190, 118), Rect(148, 276, 196, 296), Rect(268, 276, 356, 296)]
    boxes, marks = separate_marks(gray, rough, [s for s in shapes if s.kind != "frame"])
    words = ["User name", "Only OCR of 10 Oboes: O0o", "I agree", "Newsletter", "Standard", "Express"]
    lines = [line(box, text) for box, text in zip(boxes, words, strict=True)]
    lines += [line(box, text) for box, text in zip(inside, ("anna", "Germany", "Cancel", "Save changes"), strict=True)]
    found = fuse(lines, widgets(gray, [*[s for s in shapes if s.kind == "frame"], *marks], lines))
    for kind, box, text in ui.truth:
        if kind == "text":
            continue
        best = max(found, key=lambda f: iou(f.box, box))
        assert iou(best.box, box) > 0.7, (kind, box)
        assert (best.type, best.text or "") == (kind, text)
    states = [f.states.get("checked") for f in found if f.type in {"checkbox", "radio"}]
    assert sorted(map(str, states)) == ["False", "False", "True", "True"]
    assert len([f for f in found if f.type == "text"]) == 6, "labels stay elements, texts of fields and buttons do not"
    assert len(found) == 9 + 6, "no letter is taken for a widget"


def test_a_blank_picture_and_noise_hold_nothing() -> None:
    assert find_shapes(np.full((100, 100, 3), 200, dtype=np.uint8)) == []
    noise = np.random.default_rng(1).integers(0, 255, (120, 160, 3)).astype(np.uint8)
    assert find_shapes(noise) == []


def test_panes_and_bars_are_no_widgets() -> None:
    ui = PaintedUi()
    ui.field(Rect(20, 20, 300, 220))
    ui.field(Rect(0, 300, 640, 330))
    shapes = find_shapes(ui.picture())
    assert [one.kind for one in shapes] == ["pane"]
    assert (
        large_controls(
            ui.picture(),
            shapes,
            [Detection(type="list_item", box=Rect(30, 30, 290, 60), source="detector", confidence=0.9)],
            [],
        )
        == []
    )


def test_cells_of_a_table_are_boxes_of_unknown_type() -> None:
    ui = PaintedUi()
    for row in range(3):
        for column in range(3):
            ui.field(Rect(20 + 99 * column, 20 + 24 * row, 120 + 99 * column, 45 + 24 * row))
    shapes = find_shapes(ui.picture())
    assert len(shapes) == 9
    assert {f.type for f in widgets(to_gray(ui.picture()), shapes, [])} == {"other"}


def test_a_filled_bar_without_an_outline_is_no_field() -> None:
    image = np.full((200, 400, 3), 240, dtype=np.uint8)
    image[50:80, 50:250] = (255, 255, 0)
    shapes = find_shapes(image)
    assert [s.outlined for s in shapes] == [False]
    assert [f.type for f in widgets(to_gray(image), shapes, [])] == ["other"]


def test_words_far_from_the_left_edge_make_no_field() -> None:
    ui = PaintedUi()
    ui.field(Rect(20, 20, 320, 64))
    gray, shapes = to_gray(ui.picture()), find_shapes(ui.picture())
    near, far = (line(Rect(20 + x, 34, 100 + x, 50), "Not sent yet.") for x in (8, 25))
    assert [f.type for f in widgets(gray, shapes, [near])] == ["input_field"]
    assert [f.type for f in widgets(gray, shapes, [far])] == ["other"]


def test_a_field_with_two_small_arrows_is_a_spinner_and_no_input_field() -> None:
    ui = PaintedUi()
    ui.field(Rect(20, 20, 180, 46), "7")
    image = ui.picture().copy()
    for row in range(4):
        image[26 + row, 168 - row : 169 + row] = 20
        image[40 - row, 168 - row : 169 + row] = 20
    read = [line(Rect(24, 26, 36, 40), "7")]
    shapes = find_shapes(image)
    assert [f.type for f in widgets(to_gray(image), shapes, read) if f.box.width > 100] == ["spinner"]
    plain = ui.picture()
    assert [f.type for f in widgets(to_gray(plain), find_shapes(plain), read)] == ["input_field"]


def test_a_lone_circle_is_nothing_and_two_in_a_row_are_buttons() -> None:
    shapes = [Shape(kind="round", box=Rect(x, 10, x + 14, 24), filled=False) for x in (10, 40)]
    gray = to_gray(np.zeros((50, 80, 3), dtype=np.uint8))
    assert widgets(gray, shapes[:1], []) == []
    assert [f.type for f in widgets(gray, shapes, [])] == ["radio", "radio"]


def test_a_menu_bar_is_cut_into_its_words_and_a_sentence_is_not() -> None:
    ui = PaintedUi()
    words = [ui.text(10 + 70 * i, 20, word) for i, word in enumerate(["File", "Edit", "View"])]
    ui.text(10, 80, "The quick brown fox jumps over the lazy dog.")
    gray = to_gray(ui.picture())
    parts = split_line(gray, Rect(4, 6, 220, 36))
    assert len(parts) == 3
    assert all(part.encloses(word) or iou(part, word) > 0.4 for part, word in zip(parts, words, strict=True))
    assert len(split_line(gray, Rect(4, 66, 320, 96))) == 1


def test_neighbouring_lines_do_not_make_a_box_higher() -> None:
    ui = PaintedUi()
    for i in range(3):
        ui.text(10, 20 + 17 * i, f"Entry number {i}")
    middle = split_line(to_gray(ui.picture()), Rect(6, 24, 120, 50))
    assert len(middle) == 1
    assert middle[0].y1 >= 26
    assert middle[0].y2 <= 50


def test_the_content_of_a_screen_without_its_blank_margins() -> None:
    ui = PaintedUi(width=1000, height=800)
    assert content_region(to_gray(ui.picture())) is None
    word = ui.text(900, 700, "OK")
    region = content_region(to_gray(ui.picture()))
    assert region is not None
    assert region.encloses(word)
    assert (region.width, region.height) == (320, 160)
    ui.text(10, 10, "File")
    assert (content_region(to_gray(ui.picture())) or word).width > 900
    small = PaintedUi(width=60, height=20)
    small.text(5, 10, "OK")
    assert content_region(to_gray(small.picture())) == Rect(0, 0, 60, 20)


def test_blank_boxes_hold_no_line() -> None:
    gray = to_gray(PaintedUi().picture())
    assert split_line(gray, Rect(10, 10, 60, 30)) == []
    assert split_line(gray, Rect(10, 10, 11, 30)) == []


def test_a_line_that_leaves_its_frame_is_cut_to_it() -> None:
    ui = PaintedUi()
    ui.field(Rect(40, 40, 240, 64), "Germany")
    gray = to_gray(ui.picture())
    (cut,) = clip_to_frames(gray, [Rect(36, 34, 110, 70)], [Rect(40, 40, 240, 64)])
    assert cut.y1 >= 42
    assert cut.y2 <= 64
    inside = Rect(46, 44, 100, 60)
    assert clip_to_frames(gray, [inside], [Rect(40, 40, 240, 64)]) == [inside]


def box(kind: str, rect: Rect, confidence: float = 0.9, text: str | None = None) -> Detection:
    return Detection(type=kind, box=rect, source="detector", confidence=confidence, text=text)  # type: ignore[arg-type]


def test_text_goes_to_the_smallest_widget_that_owns_text() -> None:
    button, pane = box("button", Rect(10, 10, 110, 40)), box("other", Rect(0, 0, 300, 200))
    label, caption = line(Rect(30, 15, 90, 35), "Save"), line(Rect(10, 100, 90, 120), "Caption")
    merged = fuse([label, caption], [pane, button])
    assert [(f.type, f.text) for f in merged] == [("button", "Save"), ("other", None), ("text", "Caption")]


def test_two_lines_in_one_button_are_read_in_order() -> None:
    merged = fuse(
        [line(Rect(20, 30, 60, 40), "now"), line(Rect(20, 12, 60, 22), "Send")], [box("button", Rect(10, 8, 110, 44))]
    )
    assert [f.text for f in merged] == ["Send now"]


def test_of_doubles_the_known_type_and_the_surer_stay() -> None:
    rect, shifted = Rect(10, 10, 110, 40), Rect(11, 10, 111, 41)
    merged = fuse([], [box("other", rect, 0.99), box("button", shifted, 0.5), box("button", rect, 0.6)])
    assert [(f.type, f.confidence) for f in merged] == [("button", 0.6)]


_RECTS = st.tuples(st.integers(0, 90), st.integers(0, 90), st.integers(1, 60), st.integers(1, 40)).map(
    lambda r: Rect(r[0], r[1], r[0] + r[2], r[1] + r[3])
)


@settings(max_examples=50)
@given(st.lists(_RECTS, max_size=6), st.lists(_RECTS, max_size=6))
def test_no_text_is_lost_by_merging(lines: list[Rect], detections: list[Rect]) -> None:
    read = [line(rect, f"word{i}") for i, rect in enumerate(lines)]
    merged = fuse(read, [box("button", rect) for rect in detections])
    words = " ".join(f.text or "" for f in merged).split()
    assert sorted(words) == sorted(f.text or "" for f in read)
