"""Qt screens without Qt: orders, colours, words, and what of an element can be seen."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from lab.screens.qt.edges import drawn_frame, has_edge
from lab.screens.qt.glyphs import GLYPHS
from lab.screens.qt.looks import contrast, mixed, scheme
from lab.screens.qt.settle import Placed, settle
from lab.screens.qt.sides import (
    GENERATORS,
    PALETTES,
    STYLES,
    TEST_GENERATORS,
    TEST_STYLES,
    WINDOW_TURNS,
    pairs,
    palettes,
)
from lab.screens.qt.source import QtSource
from lab.screens.qt.words.speech import LANGUAGES, Speech
from models.training.labelled_screens import LabelledScreenSet

EVERYWHERE = Rect(0, 0, 200, 100)


def sheet(width: int = 200, height: int = 100) -> RgbImage:
    return np.full((height, width, 3), 240, dtype=np.uint8)


def paint(image: RgbImage, box: Rect, colour: int) -> None:
    image[box.y1 : box.y2, box.x1 : box.x2] = colour


def test_equal_orders_for_equal_seeds_and_exactly_as_many_screens_as_wanted() -> None:
    specs = QtSource().specs(count=500, seed=3, side="train")
    assert specs == QtSource().specs(count=500, seed=3, side="train")
    assert specs != QtSource().specs(count=500, seed=4, side="train")
    assert sum(int(spec.variant["moments"]) for spec in specs) == 500


def test_what_is_held_out_is_never_seen_in_training() -> None:
    for side in ("train", "val"):
        for spec in QtSource().specs(count=1500, seed=0, side=side):
            style, window = spec.group.split(".")
            assert style not in TEST_STYLES
            assert window not in TEST_GENERATORS
            assert int(spec.variant["palette"]) % 5 != 4
    for spec in QtSource().specs(count=1500, seed=0, side="test"):
        style, window = spec.group.split(".")
        assert style in TEST_STYLES or window in TEST_GENERATORS
        assert int(spec.variant["palette"]) % 5 == 4


def test_sides_share_neither_groups_with_the_test_nor_seeds() -> None:
    assert not set(pairs("train")) & set(pairs("test"))
    assert len(pairs("train")) + len(pairs("test")) == len(STYLES) * len(GENERATORS)
    assert sorted(palettes("train") + palettes("test")) == list(range(PALETTES))
    seeds = [{t.seed for t in QtSource().specs(count=400, seed=1, side=side)} for side in ("train", "val", "test")]
    assert not seeds[0] & seeds[1]
    assert not seeds[1] & seeds[2]


def test_every_group_has_its_turn_before_one_comes_twice() -> None:
    groups = [spec.group for spec in QtSource().specs(count=3000, seed=0, side="train")]
    turns = Counter({f"{style}.{window}": WINDOW_TURNS.get(window, 1) for style, window in pairs("train")})
    assert Counter(groups[: turns.total()]) == turns


@pytest.mark.parametrize("number", range(PALETTES))
def test_every_scheme_can_be_read(number: int) -> None:
    colours = scheme(number)
    assert contrast(colours.text, colours.window) >= 4.5
    assert contrast(colours.text, colours.base) >= 4.5
    assert contrast(colours.on_accent, colours.accent) >= 3
    assert contrast(colours.faint, colours.window) >= 1.5


def test_colours_are_mixed_from_one_to_the_other() -> None:
    assert mixed("#000000", "#ffffff", 0) == "#000000"
    assert mixed("#000000", "#ffffff", 1) == "#ffffff"
    assert mixed("#102030", "#304050", 0.5) == "#203040"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything(language: str) -> None:
    def said(seed: int) -> list[str]:
        say = Speech(random.Random(seed), language)
        makers = (say.action, say.field, say.noun, say.option, say.sentence, say.name, say.email, say.cell, say.date)
        lists = (say.menus(4), say.actions(5), say.answers(3), say.code(6))
        return [make() for make in makers] + [text for texts in lists for text in texts]

    assert said(1) == said(1)
    assert said(1) != said(2)
    say = Speech(random.Random(0), language)
    assert len(say.months) == 12
    assert len(say.days) == 7
    assert len(set(say.nouns(9))) == 9
    assert not [text for text in say.menus(5) + say.fields(9) if not text.strip()]


def test_every_glyph_has_a_word_of_the_open_list_and_a_path() -> None:
    for subtype, paths in GLYPHS.items():
        assert subtype.replace("_", "").isalpha()
        assert paths
        assert all(path.startswith("M") for path in paths)


def test_a_frame_is_found_to_the_pixel_also_on_a_gradient() -> None:
    image = sheet()
    image += np.linspace(0, 14, 100, dtype=np.uint8)[:, None, None]
    paint(image, Rect(20, 30, 80, 60), 90)
    assert drawn_frame(image, Rect(18, 28, 83, 62)) == Rect(20, 30, 80, 60)
    assert drawn_frame(image, Rect(110, 30, 170, 60)) is None


def test_a_square_sign_in_a_button_without_frame_is_no_frame() -> None:
    image = sheet()
    paint(image, Rect(40, 32, 56, 48), 20)
    assert drawn_frame(image, Rect(36, 20, 60, 62)) is None


def test_a_strip_has_an_edge_or_not() -> None:
    image = sheet()
    assert not has_edge(image, Rect(0, 20, 200, 50))
    paint(image, Rect(0, 50, 200, 51), 200)
    assert has_edge(image, Rect(0, 20, 200, 50))


def test_covered_by_more_than_half_is_left_out_and_by_less_is_cut() -> None:
    image = sheet()
    button = Placed(
        type="button", rough=Rect(10, 10, 110, 40), clip=EVERYWHERE, window=0, text="Send", words=Rect(40, 10, 70, 40)
    )
    assert settle(image, [button], [(1, Rect(50, 0, 200, 100))]) == []
    (cut,) = settle(image, [button], [(1, Rect(75, 0, 200, 100))])
    assert cut.box == Rect(10, 10, 75, 40)
    assert cut.text == "Send"
    (worse,) = settle(image, [button], [(1, Rect(65, 0, 200, 100))])
    assert worse.text is None


def test_a_button_with_a_covered_corner_keeps_its_size() -> None:
    button = Placed(type="button", rough=Rect(10, 10, 110, 40), clip=EVERYWHERE, window=0, way="tool", text="Send")
    (cut,) = settle(sheet(), [button], [(1, Rect(80, 25, 200, 100))])
    assert cut.box == Rect(10, 10, 110, 40)


def test_only_windows_above_cover() -> None:
    button = Placed(type="button", rough=Rect(10, 10, 110, 40), clip=EVERYWHERE, window=2, text="Send")
    (whole,) = settle(sheet(), [button], [(1, EVERYWHERE), (2, EVERYWHERE)])
    assert whole.box == Rect(10, 10, 110, 40)


def test_a_cut_line_keeps_only_the_letters_that_can_be_read() -> None:
    image = sheet()
    for x in range(10, 90, 10):
        paint(image, Rect(x + 2, 12, x + 8, 22), 0)
    line = Placed(
        type="text",
        rough=Rect(10, 10, 90, 24),
        clip=Rect(0, 0, 62, 100),
        window=0,
        way="ink",
        text="ABCDEFGH",
        stops=tuple(float(x) for x in range(10, 91, 10)),
    )
    (cut,) = settle(image, [line], [])
    assert cut.text == "ABCDE"
    assert cut.box == Rect(10, 10, 60, 24)


def test_a_line_on_a_gradient_lies_where_the_font_puts_it() -> None:
    image = sheet()
    image[:, :, :] = np.linspace(40, 250, 200, dtype=np.uint8)[None, :, None]
    paint(image, Rect(30, 14, 70, 24), 0)
    line = Placed(
        type="text",
        rough=Rect(20, 10, 80, 30),
        clip=EVERYWHERE,
        window=0,
        way="ink",
        exact=Rect(30, 14, 70, 24),
        text="x",
    )
    (found,) = settle(image, [line], [])
    assert found.box == Rect(28, 12, 72, 26)


def test_what_holds_another_of_its_window_is_no_leaf() -> None:
    def item(box: Rect, window: int, kind: str = "list_item") -> Placed:
        return Placed(type=kind, rough=box, clip=EVERYWHERE, window=window)  # type: ignore[arg-type]

    row, line = item(Rect(0, 0, 100, 30), 0), item(Rect(10, 5, 40, 20), 0, "text")
    other = item(Rect(0, 40, 200, 100), 0, "text_area")
    above = item(Rect(20, 50, 60, 70), 1, "menu_item")
    leaves = {truth.type: truth.leaf for truth in settle(sheet(), [row, line, other, above], [])}
    assert leaves == {"list_item": False, "text": True, "text_area": True, "menu_item": True}


def test_states_and_texts_that_a_type_cannot_have_are_dropped_and_slivers_too() -> None:
    icon = Placed(
        type="icon", rough=Rect(5, 5, 25, 25), clip=EVERYWHERE, window=0, text="x", subtype="save",
        states={"focused": True, "disabled": False},
    )  # fmt: skip
    sliver = Placed(type="button", rough=Rect(50, 5, 52, 25), clip=EVERYWHERE, window=0)
    (truth,) = settle(sheet(), [icon, sliver], [])
    assert truth.text is None
    assert truth.subtype == "save"
    assert truth.states == {"disabled": False}


def test_the_sample_is_whole() -> None:
    sample = LabelledScreenSet(Path(__file__).parents[2] / "tests" / "data" / "screens" / "qt")
    screens = list(sample.screens())
    assert len(screens) == 3
    for screen in screens:
        assert screen.source == "qt"
        assert len(screen.elements) > 20
        assert sample.image(screen).shape == (screen.height, screen.width, 3)
