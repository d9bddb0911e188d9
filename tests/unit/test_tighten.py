"""Boxes are fitted to what can be seen: on light and dark ground, with and without borders, over gradients."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from annotator.snap.tighten import Image, gaps, tightened
from demopack.domain.geometry import Rect
from tests.support.work import calls_made

LIGHT, DARK = (240, 240, 240), (30, 30, 34)


class Paper:
    """A picture to draw on."""

    def __init__(self, ground: tuple[int, int, int] = LIGHT, size: tuple[int, int] = (300, 200)) -> None:
        self.picture = Pictures.new("RGB", size, ground)
        self.pen = ImageDraw.Draw(self.picture)

    def button(self, box: Rect, *, fill: object, line: object = None, text: str = "", ink: object = "white") -> None:
        self.pen.rectangle((box.x1, box.y1, box.x2 - 1, box.y2 - 1), fill=fill, outline=line)  # type: ignore[arg-type]
        self.words((box.x1 + 12, box.y1 + 6), text, ink)

    def words(self, at: tuple[int, int], text: str, ink: object) -> None:
        self.pen.text(at, text, fill=ink, font=ImageFont.load_default(14))  # type: ignore[arg-type]

    def pixels(self) -> Image:
        return np.asarray(self.picture)


def foreground_box(paper: Paper, ground: tuple[int, int, int], level: int = 50) -> Rect:
    """Around every pixel that differs much from the ground."""
    far = (np.abs(paper.pixels().astype(int) - ground).max(axis=-1) > level).nonzero()
    return Rect(int(far[1].min()), int(far[0].min()), int(far[1].max()) + 1, int(far[0].max()) + 1)


def near(a: Rect, b: Rect, by: int = 1) -> bool:
    pairs = ((a.x1, b.x1), (a.y1, b.y1), (a.x2, b.x2), (a.y2, b.y2))
    return all(abs(x - y) <= by for x, y in pairs)


BUTTON = Rect(80, 60, 180, 90)
LOOSE = Rect(70, 52, 195, 99)

BUTTONS = {
    "flat": (LIGHT, {"fill": (40, 90, 200)}),
    "with a border": (LIGHT, {"fill": (250, 250, 250), "line": (120, 120, 120), "ink": "black"}),
    "border close to the ground": (LIGHT, {"fill": (255, 255, 255), "line": (205, 205, 205), "ink": "black"}),
    "dark": (DARK, {"fill": (90, 90, 100)}),
    "dark, faint": (DARK, {"fill": (46, 46, 52)}),
    "dark, faint border": (DARK, {"fill": DARK, "line": (60, 60, 66)}),
}


@pytest.mark.parametrize("name", BUTTONS)
def test_a_box_around_a_button_shrinks_onto_it(name: str) -> None:
    ground, look = BUTTONS[name]
    paper = Paper(ground)
    paper.button(BUTTON, text="Submit", **look)  # type: ignore[arg-type]
    assert tightened(paper.pixels(), LOOSE) == BUTTON


@pytest.mark.parametrize("name", BUTTONS)
def test_a_box_that_fits_stays(name: str) -> None:
    ground, look = BUTTONS[name]
    paper = Paper(ground)
    paper.button(BUTTON, text="Submit", **look)  # type: ignore[arg-type]
    assert tightened(paper.pixels(), BUTTON) == BUTTON


def test_a_box_that_cuts_a_button_grows_to_its_edges() -> None:
    paper = Paper()
    paper.button(BUTTON, fill=(250, 250, 250), line=(90, 90, 90), text="Submit", ink="black")
    assert tightened(paper.pixels(), Rect(70, 52, 150, 99)) == BUTTON
    assert tightened(paper.pixels(), Rect(110, 70, 195, 99)) == BUTTON


def test_a_box_just_inside_a_border_takes_it_in() -> None:
    paper = Paper()
    paper.button(BUTTON, fill=(250, 250, 250), line=(90, 90, 90))
    assert tightened(paper.pixels(), Rect(81, 61, 179, 89)) == BUTTON


def test_text_without_a_border() -> None:
    for ground, ink in ((LIGHT, (0, 0, 0)), (DARK, (230, 230, 230))):
        paper = Paper(ground)
        paper.words((50, 80), "Forgot password?", ink)
        truth = foreground_box(paper, ground)
        loose = Rect(truth.x1 - 9, truth.y1 - 6, truth.x2 + 14, truth.y2 + 5)
        assert near(tightened(paper.pixels(), loose), truth)


def test_a_box_that_cuts_the_first_letter_grows_over_the_word() -> None:
    paper = Paper()
    paper.words((50, 80), "Password", "black")
    truth = foreground_box(paper, LIGHT)
    cut = Rect(truth.x1 + 5, truth.y1 + 4, truth.x2 + 10, truth.y2 + 5)
    assert near(tightened(paper.pixels(), cut), truth)


def test_a_gradient_is_ground_and_text_on_it_is_found() -> None:
    ramp = np.linspace(250, 60, 200).astype(np.uint8)
    picture = Pictures.fromarray(np.repeat(np.repeat(ramp[:, None, None], 300, axis=1), 3, axis=2))
    paper = Paper()
    paper.picture, paper.pen = picture, ImageDraw.Draw(picture)
    bare = paper.pixels().copy()
    paper.words((60, 90), "Sky", (255, 0, 0))
    far = (np.abs(paper.pixels().astype(int) - bare).max(axis=-1) > 50).nonzero()
    truth = Rect(int(far[1].min()), int(far[0].min()), int(far[1].max()) + 1, int(far[0].max()) + 1)
    assert near(tightened(paper.pixels(), Rect(40, 60, 130, 140)), truth)
    assert tightened(bare, Rect(40, 60, 130, 140)) == Rect(40, 60, 130, 140)


def test_one_side_moves_alone() -> None:
    paper = Paper()
    paper.button(BUTTON, fill=(40, 90, 200))
    pixels = paper.pixels()
    assert tightened(pixels, LOOSE, sides=frozenset({"left"})) == Rect(80, 52, 195, 99)
    assert tightened(pixels, LOOSE, sides=frozenset({"bottom"})) == Rect(70, 52, 195, 90)
    assert tightened(pixels, LOOSE, sides=frozenset()) == LOOSE


def test_a_box_partly_outside_is_cut_and_one_wholly_outside_is_empty() -> None:
    paper = Paper()
    paper.button(Rect(0, 0, 40, 20), fill=(40, 90, 200))
    assert tightened(paper.pixels(), Rect(-30, -10, 60, 33)) == Rect(0, 0, 40, 20)
    assert tightened(paper.pixels(), Rect(-30, -10, -5, -2)).area == 0
    assert tightened(paper.pixels(), Rect(20, 20, 20, 20)) == Rect(20, 20, 20, 20)


def test_even_ground_leaves_a_box_as_it_was() -> None:
    assert tightened(Paper().pixels(), LOOSE) == LOOSE


def test_the_level_says_what_an_edge_is() -> None:
    paper = Paper((200, 200, 200))
    paper.button(BUTTON, fill=(140, 140, 140))
    paper.button(Rect(100, 70, 120, 80), fill=(40, 40, 40))
    assert tightened(paper.pixels(), LOOSE, level=50) == BUTTON
    assert tightened(paper.pixels(), Rect(90, 65, 130, 85), level=80) == Rect(100, 70, 120, 80)


def test_fitting_twice_is_fitting_once() -> None:
    random = np.random.default_rng(7)
    paper = Paper(DARK, (400, 300))
    for _ in range(25):
        x, y = int(random.integers(0, 340)), int(random.integers(0, 260))
        shade = int(random.integers(20, 250))
        paper.button(Rect(x, y, x + 50, y + 24), fill=(shade, shade, shade), text="Go")
    pixels = paper.pixels()
    for _ in range(120):
        x, y = int(random.integers(0, 300)), int(random.integers(0, 240))
        once = tightened(pixels, Rect(x, y, x + int(random.integers(5, 90)), y + int(random.integers(5, 50))))
        twice = tightened(pixels, once)
        assert near(tightened(pixels, twice), twice, 0), once


def test_gaps_lie_between_words_and_between_lines() -> None:
    paper = Paper()
    paper.button(Rect(20, 20, 50, 40), fill=(0, 0, 0))
    paper.button(Rect(60, 20, 90, 40), fill=(0, 0, 0))
    paper.button(Rect(120, 20, 150, 40), fill=(0, 0, 0))
    wide = gaps(paper.pixels(), Rect(10, 10, 160, 50), across="x")
    assert [(abs(a - 90) <= 1, abs(b - 120) <= 1) for a, b in wide[:1]] == [(True, True)]
    assert len(wide) == 2
    assert gaps(paper.pixels(), Rect(10, 10, 160, 50), across="y") == []


def test_a_large_box_takes_no_more_steps_than_a_small_one() -> None:
    def work(box: Rect) -> int:
        paper = Paper(DARK, (1920, 1080))
        paper.button(box, fill=(90, 90, 100), text="Large")
        pixels = paper.pixels()
        return calls_made(lambda: tightened(pixels, box.grown(10)))

    assert work(Rect(400, 300, 1500, 800)) < 2 * work(Rect(400, 300, 510, 350))
