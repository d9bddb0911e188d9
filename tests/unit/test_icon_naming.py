from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from PIL import Image

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from models.vision.description import IconGuesses, surroundings
from models.vision.detection import Detection
from models.vision.icons import SIDE, Floats, IconNamer, cut_icons, settle, to_input
from models.vision.pipeline import Pipeline
from models.vision.screen_parser import ScreenParser
from tests.support.drawn_icons import draw_icon

CLASSES = ("close", "save", "none")


class Says:
    """Answers what it is told, icon by icon."""

    def __init__(self, *rows: tuple[float, float, float]) -> None:
        self.rows = list(rows)
        self.asked: list[int] = []

    def __call__(self, icons: Floats) -> Floats:
        self.asked.append(len(icons))
        return np.array([self.rows.pop(0) for _ in range(len(icons))], dtype=np.float32)


def found(box: Rect, *, kind: ElementType = "icon", subtype: str | None = None) -> Detection:
    return Detection(type=kind, box=box, source="detector", confidence=0.9, subtype=subtype)


def picture(ground: int, ink: int, *, meaning: str = "close", size: int = 20) -> tuple[RgbImage, Rect]:
    image = Image.new("RGB", (100, 80), (ground, ground, ground))
    box = draw_icon(image, meaning, at=(30, 20), size=size, colour=(ink, ink, ink))
    return np.asarray(image, dtype=np.uint8), box


BLANK = np.full((60, 60, 3), 200, dtype=np.uint8)
BOX = Rect(10, 10, 30, 30)


def test_a_sure_meaning_is_said_and_replaces_what_was_thought() -> None:
    namer = IconNamer(Says((0.9, 0.05, 0.05), (0.1, 0.8, 0.1)), CLASSES, sure_at=0.6)
    named = namer.name(BLANK, [found(BOX), found(BOX, subtype="close")])
    assert [one.subtype for one in named] == ["close", "save"]


def test_an_unsure_one_is_left_open_and_keeps_what_was_thought() -> None:
    namer = IconNamer(Says((0.5, 0.4, 0.1), (0.5, 0.4, 0.1)), CLASSES, sure_at=0.6)
    named = namer.name(BLANK, [found(BOX), found(BOX, subtype="home")])
    assert [one.subtype for one in named] == [None, "home"]


def test_a_picture_that_means_nothing_gets_no_name_however_sure() -> None:
    assert IconNamer(Says((0.0, 0.0, 1.0)), CLASSES, sure_at=0.6).meanings(BLANK, [BOX]) == [None]


def test_only_icons_are_named_and_the_order_stays() -> None:
    asker = Says((1.0, 0.0, 0.0))
    given = [found(BOX, kind="button"), found(BOX), found(BOX, kind="text")]
    named = IconNamer(asker, CLASSES, sure_at=0.5).name(BLANK, given)
    assert [(one.type, one.subtype) for one in named] == [("button", None), ("icon", "close"), ("text", None)]
    assert asker.asked == [1]


def test_a_screen_without_icons_asks_nobody() -> None:
    asker = Says()
    assert IconNamer(asker, CLASSES, sure_at=0.5).name(BLANK, []) == []
    assert asker.asked == []


def test_many_icons_are_asked_about_in_few_goes() -> None:
    asker = Says(*[(1.0, 0.0, 0.0)] * 130)
    assert IconNamer(asker, CLASSES, sure_at=0.5).meanings(BLANK, [BOX] * 130) == ["close"] * 130
    assert len(asker.asked) == 3


def test_guesses_are_the_likeliest_names_and_no_more_than_wanted() -> None:
    likely = (0.03, 0.27, 0.7)
    namer = IconNamer(Says(*[likely] * 3), CLASSES, sure_at=0.6)
    both = namer.guesses(BLANK, BOX, count=5, least=0.02)
    assert [(name, round(share, 2)) for name, share in both.likely] == [("save", 0.27), ("close", 0.03)]
    one = namer.guesses(BLANK, BOX, count=1, least=0.02)
    assert [name for name, _ in one.likely] == ["save"]
    assert namer.guesses(BLANK, BOX, count=5, least=0.5) == IconGuesses()


@pytest.mark.parametrize("box", [Rect(30, 20, 46, 36), Rect(1, 0, 20, 9), Rect(80, 60, 100, 80), Rect(50, 5, 55, 70)])
def test_the_surroundings_of_an_icon_tell_all_that_the_picture_does(box: Rect) -> None:
    image = np.random.default_rng(0).integers(0, 256, (80, 100, 3), dtype=np.uint8)
    part = surroundings(box, Size(100, 80))
    crop = image[part.y1 : part.y2, part.x1 : part.x2]
    assert np.array_equal(cut_icons(crop, [box.moved(-part.x1, -part.y1)]), cut_icons(image, [box]))


@pytest.mark.parametrize("box", [Rect(-5, -5, 12, 12), Rect(50, 50, 75, 70), Rect(0, 0, 60, 60)])
def test_boxes_at_and_beyond_the_edge_are_cut(box: Rect) -> None:
    image = np.random.default_rng(0).integers(0, 256, (60, 60, 3), dtype=np.uint8)
    assert cut_icons(image, [box]).shape == (1, SIDE, SIDE, 3)


def test_an_icon_looks_alike_in_any_size() -> None:
    small, large = (to_input(cut_icons(image, [box])) for image, box in (picture(240, 20), picture(240, 20, size=40)))
    assert np.corrcoef(small.ravel(), large.ravel())[0, 1] > 0.8


def test_a_greyed_icon_on_another_ground_looks_like_a_clear_one() -> None:
    clear, greyed = (to_input(cut_icons(image, [box])) for image, box in (picture(255, 0), picture(150, 90)))
    assert np.abs(clear - greyed).max() < 0.1


def test_a_flat_square_is_not_blown_up_to_noise() -> None:
    noise = np.random.default_rng(0).integers(199, 202, (60, 60, 3), dtype=np.uint8)
    assert np.abs(to_input(cut_icons(noise, [BOX]))).max() < 0.25


def test_a_narrow_icon_stays_narrow() -> None:
    image = np.full((60, 60, 3), 255, dtype=np.uint8)
    image[10:40, 20:24] = 0
    square = cut_icons(image, [Rect(18, 8, 26, 42)])[0]
    dark = square[SIDE // 2, :, 0] < 128
    assert 3 <= dark.sum() <= 8
    assert dark[SIDE // 2 - 3 : SIDE // 2 + 3].any()


def test_wider_squares_hold_the_same_in_their_middle() -> None:
    image, box = picture(255, 0)
    plain, wide = cut_icons(image, [box])[0], cut_icons(image, [box], wider=1.5)[0]
    assert wide.shape == (60, 60, 3)
    middle = wide[10:50, 10:50].astype(int)
    assert np.abs(middle - plain).mean() < 2


class Looks:
    """A looker that sees the same icon on every picture."""

    def see(self, *_: object, **__: object) -> list[Detection]:
        return [found(BOX, subtype="menu")]

    def describe(self, _: RgbImage, seen: list[Detection], *__: object, **___: object) -> list[Detection]:
        return seen


def test_a_parse_ends_with_the_names_of_icons() -> None:
    namer = IconNamer(Says((0.1, 0.8, 0.1)), CLASSES, sure_at=0.6)
    looker = cast("ScreenParser", Looks())
    assert [one.subtype for one in Pipeline(looker, incremental=False, icons=namer)(BLANK)] == ["save"]
    assert [one.subtype for one in Pipeline(looker, incremental=False)(BLANK)] == ["menu"]


BAR = ("close", "minimize", "remove", "maximize", "stop", "home", "none")
DASH, SQUARE, CROSS, HOUSE = (
    [0.0, 0.4, 0.5, 0.0, 0.0, 0.0, 0.1],
    [0.0, 0.0, 0.0, 0.45, 0.5, 0.0, 0.05],
    [0.9, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1],
    [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
)


def said(*icons: tuple[list[float], int, int]) -> list[str]:
    boxes = [Rect(x, y, x + 14, y + 14) for _, x, y in icons]
    settled = settle(np.array([row for row, _, _ in icons], dtype=np.float32), boxes, BAR)
    assert settled.sum(axis=1) == pytest.approx(1.0, abs=1e-6)
    return [BAR[int(number)] for number in settled.argmax(axis=1)]


def test_a_dash_and_a_square_beside_a_cross_are_buttons_of_a_window() -> None:
    assert said((DASH, 100, 5), (SQUARE, 124, 5), (CROSS, 148, 4)) == ["minimize", "maximize", "close"]
    # They may stand on the left, too, and in any order of the list.
    assert said((SQUARE, 50, 5), (CROSS, 5, 5), (DASH, 28, 5)) == ["maximize", "close", "minimize"]


@pytest.mark.parametrize("cross", [(CROSS, 148, 60), (CROSS, 300, 5), (HOUSE, 148, 5)])
def test_elsewhere_a_dash_and_a_square_are_none(cross: tuple[list[float], int, int]) -> None:
    assert said((DASH, 100, 5), (SQUARE, 124, 5), cross)[:2] == ["remove", "stop"]


def test_a_tool_bar_with_a_cross_is_no_window() -> None:
    bar = [(HOUSE, 52, 5), (DASH, 76, 5), (SQUARE, 100, 5), (CROSS, 124, 5), (HOUSE, 148, 5)]
    assert said(*bar)[1:3] == ["remove", "stop"]


def test_what_the_drawing_says_clearly_is_not_overruled() -> None:
    clear = [0.0, 0.02, 0.9, 0.0, 0.0, 0.0, 0.08]
    assert said((clear, 124, 5), (CROSS, 148, 5))[0] == "remove"
