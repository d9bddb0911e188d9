"""Whether two pictures show the same screen, and where they differ."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect
from player.compare import (
    area_alike,
    change_alike,
    compare,
    effect_alike,
    exact_move,
    looks_alike,
    same_shapes_move,
)


def plain(width: int = 320, height: int = 200) -> RgbImage:
    return np.full((height, width, 3), 240, dtype=np.uint8)


def painted(*boxes: tuple[int, int, int, int], shade: int = 20) -> RgbImage:
    image = plain()
    for x1, y1, x2, y2 in boxes:
        image[y1:y2, x1:x2] = shade
    return image


def test_equal_pictures_are_the_same() -> None:
    result = compare(plain(), plain())
    assert (result.share, result.boxes, result.same) == (1.0, (), True)


def test_differences_are_boxed_tightly_and_counted() -> None:
    result = compare(plain(), painted((10, 20, 30, 40), (200, 100, 210, 140)))
    assert result.boxes == (Rect(10, 20, 30, 40), Rect(200, 100, 210, 140))
    assert result.share == 1 - (400 + 400) / (320 * 200)
    assert not result.same


def test_faint_differences_do_not_count() -> None:
    assert compare(plain(), plain() - np.uint8(8)).share == 1.0
    assert compare(plain(), plain() - np.uint8(9)).share == 0.0


def test_a_blinking_caret_is_the_same_screen() -> None:
    assert compare(plain(), painted((50, 60, 52, 78))).same
    assert not compare(plain(), painted((50, 60, 60, 78))).same  # a letter is not
    assert not compare(plain(), painted((50, 60, 52, 78), (90, 60, 92, 78), (150, 60, 152, 78))).same


def test_what_was_painted_over_counts_as_equal() -> None:
    hidden = Rect(10, 20, 30, 40)
    assert compare(painted((10, 20, 30, 40)), plain(), ignore=[hidden]).same
    beside = compare(painted((10, 20, 34, 40)), plain(), ignore=[hidden])
    assert beside.boxes == (Rect(30, 20, 34, 40),)
    assert compare(painted((0, 0, 5, 5)), plain(), ignore=[Rect(-9, -9, 5, 5)]).same, "it may reach beyond the edge"


def test_another_size_is_another_screen() -> None:
    result = compare(plain(), plain(width=300))
    assert result.share == 0.0
    assert result.boxes == (Rect(0, 0, 300, 200),)


@given(st.integers(0, 316), st.integers(0, 196), st.integers(1, 60), st.integers(1, 60))
def test_the_box_is_where_the_change_is(x: int, y: int, width: int, height: int) -> None:
    box = Rect(x, y, min(320, x + width), min(200, y + height))
    result = compare(plain(), painted((box.x1, box.y1, box.x2, box.y2)))
    assert result.boxes == (box,)


def test_a_wide_button_with_another_label_does_not_look_alike() -> None:
    frame, label, other = (20, 50, 300, 52), (100, 70, 130, 78), (90, 72, 150, 80)
    button = Rect(20, 50, 300, 90)
    recorded = painted(frame, label)
    assert looks_alike(recorded, painted(frame, label), button) == 1.0
    assert looks_alike(recorded, painted(frame, other), button) < 0.8
    assert compare(recorded, painted(frame, other)).share > 0.98  # though nearly all pixels are equal


def test_a_place_is_looked_at_where_it_has_moved_to() -> None:
    recorded, live = painted((100, 100, 110, 110)), painted((150, 120, 160, 130))
    box = Rect(100, 100, 110, 110)
    assert looks_alike(recorded, live, box) < 0.1
    assert looks_alike(recorded, live, box, at=Point(155, 125)) == 1.0
    assert looks_alike(recorded, live, box, at=Point(2, 2)) == 0.0  # partly off the screen


def test_a_screen_of_twice_the_size_can_look_alike() -> None:
    recorded = painted((100, 100, 140, 120))
    double = recorded.repeat(2, axis=0).repeat(2, axis=1)
    assert looks_alike(recorded, double, Rect(100, 100, 140, 120)) > 0.95
    assert looks_alike(recorded, plain(640, 400), Rect(100, 100, 140, 120)) < 0.5


def test_two_plain_places_are_alike() -> None:
    assert looks_alike(plain(), plain(), Rect(10, 10, 10, 10)) == 1.0


class TestAnArea:
    def test_it_is_found_where_it_has_moved_to(self) -> None:
        recorded, live = painted((20, 20, 60, 30)), painted((120, 50, 160, 60))
        assert area_alike(recorded, live, Rect(10, 10, 80, 40))[0] < 0.1
        assert area_alike(recorded, live, Rect(10, 10, 80, 40), dx=100, dy=30) == (1.0, 400)

    def test_a_plain_area_says_that_it_is_plain(self) -> None:
        assert area_alike(plain(), plain(), Rect(0, 0, 50, 50)) == (1.0, 0)
        assert area_alike(plain(), plain(), Rect(0, 0, 50, 50), dx=400) == (0.0, 0)

    def test_what_was_painted_over_does_not_count(self) -> None:
        recorded, live = painted((20, 20, 60, 30), (100, 20, 140, 30)), painted((20, 20, 60, 30))
        assert area_alike(recorded, live, Rect(0, 0, 200, 50))[0] == 0.5
        assert area_alike(recorded, live, Rect(0, 0, 200, 50), ignore=[Rect(90, 10, 150, 40)])[0] == 1.0


class TestAnExactMove:
    """Boxes are found a pixel or two beside where things lie; what is drawn there is not."""

    @staticmethod
    def moved_by(dx: int, dy: int) -> tuple[RgbImage, RgbImage]:
        random = np.random.default_rng(7)
        recorded, live = plain(), plain()
        strokes = random.integers(0, 256, (20, 60, 3), dtype=np.uint8)
        recorded[40:60, 30:90] = strokes
        live[40 + dy : 60 + dy, 30 + dx : 90 + dx] = strokes
        return recorded, live

    @pytest.mark.parametrize("wrong", [(0, 0), (1, 0), (-1, 1), (3, -3)])
    def test_what_is_drawn_tells_it_to_the_pixel(self, wrong: tuple[int, int]) -> None:
        recorded, live = self.moved_by(101, 33)
        about = {"dx": 101 + wrong[0], "dy": 33 + wrong[1]}
        assert exact_move(recorded, live, Rect(30, 40, 90, 60), **about) == (101, 33)

    def test_a_plain_place_stays_as_it_was_told(self) -> None:
        assert exact_move(plain(), plain(), Rect(30, 40, 90, 60), dx=5, dy=-7) == (5, -7)

    def test_a_place_at_the_edge_of_the_screen_is_looked_at_as_far_as_it_goes(self) -> None:
        recorded, live = self.moved_by(-28, -38)
        assert exact_move(recorded, live, Rect(30, 40, 90, 60), dx=-27, dy=-38) == (-28, -38)
        assert exact_move(recorded, live, Rect(30, 40, 90, 60), dx=-5000, dy=0) == (-5000, 0)


class TestAnEffect:
    """What a step changed in the recording, held against the screen after it was done again."""

    def test_a_few_pixels_that_were_typed_count_for_all_of_it(self) -> None:
        before, after = plain(), painted((50, 60, 70, 78))
        assert effect_alike(before, after, after) == 1.0
        assert effect_alike(before, after, plain()) == 0.0
        assert compare(after, plain()).share > 0.99  # the whole screen would hardly show it

    def test_a_step_that_changed_nothing_but_the_caret_has_none(self) -> None:
        assert effect_alike(plain(), plain(), painted((9, 9, 90, 90))) is None
        assert effect_alike(plain(), painted((50, 60, 52, 78)), plain()) is None

    def test_a_clock_beside_a_dialog_does_not_spoil_it(self) -> None:
        before, after = plain(), painted((50, 60, 150, 120), (300, 4, 312, 12))
        live = painted((50, 60, 150, 120), (304, 4, 316, 12))
        share = effect_alike(before, after, live)
        assert share is not None
        assert share > 0.95

    def test_what_changed_outside_the_window_does_not_count(self) -> None:
        before, after = plain(), painted((50, 60, 60, 70), (200, 100, 300, 180))
        live = painted((50, 60, 60, 70))
        assert effect_alike(before, after, live, within=Rect(0, 0, 150, 200)) == 1.0
        assert (effect_alike(before, after, live) or 0) < 0.1

    def test_it_is_looked_for_where_things_have_moved_to(self) -> None:
        before, after, live = plain(), painted((50, 60, 70, 78)), painted((150, 90, 170, 108))
        assert effect_alike(before, after, live) == 0.0
        assert effect_alike(before, after, live, moved=[(0, 0), (100, 30)]) == 1.0

    def test_a_field_that_was_painted_over_does_not_count(self) -> None:
        before, after = plain(), painted((50, 60, 170, 78), shade=128)
        assert effect_alike(before, after, plain(), ignore=[Rect(50, 60, 170, 78)]) is None


class TestChangeAlike:
    def test_a_mark_counts_however_much_stays_as_it_was(self) -> None:
        before = np.full((40, 40, 3), 230, dtype=np.uint8)
        before[5:35, 5:35] = 255
        after = before.copy()
        after[18:22, 18:22] = 0
        mark = Rect(0, 0, 40, 40)
        assert change_alike(before, after, after, mark) == 1.0
        assert change_alike(before, after, before, mark) == 0.0
        assert change_alike(before, before, after, mark) is None
        moved = np.full((60, 60, 3), 230, dtype=np.uint8)
        moved[10:50, 10:50] = after
        assert change_alike(before, after, moved, mark, dx=10, dy=10) == 1.0
        assert change_alike(before, after, moved, mark, dx=100) is None


class TestShapes:
    """Letters that have moved and may have other colours now."""

    def strokes(self, dx: int, dy: int, *, paper: int = 240, ink: int = 20, seed: int = 3) -> RgbImage:
        image = np.full((200, 320, 3), paper, dtype=np.uint8)
        where = np.random.default_rng(seed).random((12, 90)) < 0.3
        image[80 + dy : 92 + dy, 100 + dx : 190 + dx][where] = ink
        return image

    @pytest.mark.parametrize(("paper", "ink"), [(240, 20), (30, 230)])
    def test_they_are_found_to_the_pixel(self, paper: int, ink: int) -> None:
        live = self.strokes(41, -22, paper=paper, ink=ink)
        box = Rect(100, 78, 190, 94)
        assert same_shapes_move(self.strokes(0, 0), live, box, dx=40, dy=-20) == (41, -22)

    def test_other_letters_are_not_taken_for_them(self) -> None:
        other = self.strokes(0, 0, paper=30, ink=230, seed=4)
        assert same_shapes_move(self.strokes(0, 0), other, Rect(100, 78, 190, 94), dx=0, dy=0) is None
