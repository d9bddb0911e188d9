from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from demopack.domain.elements import Evidence
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect, Size, iou
from models.vision.detection import Detection
from models.vision.pipeline import Pipeline, plan
from models.vision.screen_parser import ScreenParser

pytest.importorskip("cv2")

GROUND = 240


def screen(*boxes: Rect, width: int = 640, height: int = 480, ink: int = 30) -> RgbImage:
    image = np.full((height, width, 3), GROUND, dtype=np.uint8)
    for box in boxes:
        image[box.y1 : box.y2, box.x1 : box.x2] = ink + box.x1 % 50
    return image


class Blocks:
    """A looker that finds dark blocks, and says where it looked."""

    def __init__(self) -> None:
        self.looked: list[tuple[int, int]] = []
        self.described: list[list[Rect]] = []

    def see(self, image: RgbImage, *, screen: Size, within: Rect | None = None) -> list[Detection]:
        import cv2

        assert screen.width >= image.shape[1]
        assert within is None or within.inside(Size(image.shape[1], image.shape[0]))
        self.looked.append((image.shape[1], image.shape[0]))
        dark = (image[:, :, 0] < GROUND - 20).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
        return [self._found(image, *(int(v) for v in row[:4])) for row in stats[1:]]

    @staticmethod
    def _found(image: RgbImage, x: int, y: int, width: int, height: int) -> Detection:
        shade = str(int(image[y, x, 0]))
        box = Rect(x, y, x + width, y + height)
        told = (Evidence(source="ocr", box=box, text=shade),)
        return Detection(type="button", box=box, source="detector", confidence=0.9, text=shade, evidence=told)

    def describe(
        self, image: RgbImage, found: Sequence[Detection], near: Sequence[Point], *, share: float = 1.0
    ) -> list[Detection]:
        assert image.shape[0] > 0
        assert 0 < share <= 1
        assert not near
        self.described.append([one.box for one in found])
        return list(found)


def pipeline(*, incremental: bool = True) -> tuple[Pipeline, Blocks]:
    blocks = Blocks()
    looker: ScreenParser = blocks  # type: ignore[assignment]
    return Pipeline(looker, incremental=incremental), blocks


A, B, C = Rect(20, 20, 100, 44), Rect(20, 80, 100, 104), Rect(300, 300, 420, 330)


def test_only_the_changed_part_is_looked_at_and_described() -> None:
    see, blocks = pipeline()
    first = see(screen(A, B))
    second = see(screen(A, B, C))
    assert blocks.looked[0] == (640, 480)
    assert len(blocks.looked) == 2
    assert blocks.looked[1][0] <= 340
    assert blocks.described[1] == [C]
    assert [one for one in second if one.box != C] == first, "what did not change is the same to the last word"
    whole, _ = pipeline(incremental=False)
    assert second == whole(screen(A, B, C))


def test_the_same_picture_costs_nothing_and_an_earlier_one_is_known_too() -> None:
    see, blocks = pipeline()
    first = see(screen(A, B))
    see(screen(A, B, C))
    assert see(screen(A, B)) == first
    assert len(blocks.looked) == 2


def test_what_changed_is_looked_at_as_a_whole_and_what_is_gone_is_gone() -> None:
    see, blocks = pipeline()
    see(screen(A, B, C))
    longer = Rect(B.x1, B.y1, B.x2 + 60, B.y2)
    assert [one.box for one in see(screen(A, longer, C))] == [A, longer, C]
    assert [one.box for one in see(screen(A, C))] == [A, C]
    assert len(blocks.looked) == 3


def test_too_much_change_and_another_size_are_looked_at_whole() -> None:
    see, blocks = pipeline()
    see(screen(A, B))
    see(np.full((480, 640, 3), 100, dtype=np.uint8))
    see(screen(A, B, width=641))
    assert blocks.looked == [(640, 480), (640, 480), (641, 480)]


def test_an_area_that_would_cut_an_element_grows_to_hold_it() -> None:
    old = [Detection(type="button", box=Rect(100, 100, 300, 130), source="detector", confidence=0.9)]
    before, after = screen(*(one.box for one in old)), screen(*(one.box for one in old))
    after[110:115, 290:295] = 0
    made = plan(before, old, after)
    assert made is not None
    assert made.kept == ()
    assert made.areas[0].encloses(old[0].box)


def test_a_window_around_a_change_stays() -> None:
    window = Detection(type="window", box=Rect(50, 50, 600, 440), source="detector", confidence=0.9)
    before, after = screen(), screen(C)
    made = plan(before, [window], after)
    assert made is not None
    assert made.kept == (window,)
    assert made.areas[0].width < 200


def rows(first: int, count: int = 14) -> RgbImage:
    """A list with a bar beside it; each row has a pattern of its own."""
    image = np.full((480, 640, 3), GROUND, dtype=np.uint8)
    for i in range(count):
        pattern = np.random.default_rng(first + i).integers(0, 2, (14, 200)).astype(bool)
        image[40 + 30 * i : 54 + 30 * i, 100:300][pattern] = 40
    return image


def listed(first: int, count: int = 14) -> list[Detection]:
    return [
        Detection(
            type="text",
            box=Rect(98, 38 + 30 * i, 302, 56 + 30 * i),
            source="ocr",
            confidence=0.9,
            text=f"row {first + i}",
        )
        for i in range(count)
    ]


@pytest.mark.parametrize("shift", [2, -3])
def test_what_scrolled_moves_along_and_only_what_came_into_sight_is_looked_at(shift: int) -> None:
    made = plan(rows(10), listed(10), rows(10 + shift))
    assert made is not None
    wanted = {one.text: one.box for one in listed(10 + shift)}
    kept = {one.text: one.box for one in made.kept}
    assert len(kept) >= 14 - abs(shift) - 2
    assert all(wanted[text] == box for text, box in kept.items())
    assert sum(area.height for area in made.areas) < 30 * (abs(shift) + 4)


def test_very_large_pictures_are_not_remembered() -> None:
    see, blocks = pipeline()
    huge = np.full((4320, 7680, 3), GROUND, dtype=np.uint8)
    see(huge)
    see(huge)
    assert blocks.looked == [(7680, 4320)] * 2
    small = screen(A)
    for _ in range(9):
        see(small)
    assert blocks.looked[2:] == [(640, 480)]


def doubles(found: Sequence[Detection]) -> list[tuple[Rect, Rect]]:
    """Pairs of one type that are nearly the same box."""
    return [(a.box, b.box) for a, b in itertools.combinations(found, 2) if a.type == b.type and iou(a.box, b.box) > 0.7]


def test_what_lies_near_two_changes_is_found_once() -> None:
    """A bar of tools across the screen, and a menu that hangs a little below its first ones."""
    bar = [Rect(20 + 90 * i, 20, 90 + 90 * i, 44) for i in range(6)]
    pressed = [box.moved(0, 1) for box in bar]
    menu = Rect(20, 110, 60, 460)
    hidden = [Rect(22, 120 + 60 * i, 58, 140 + 60 * i) for i in range(5)]
    see, blocks = pipeline()
    whole, _ = pipeline(incremental=False)
    story = [screen(*bar, *hidden), screen(*pressed, menu), screen(*bar, *hidden, ink=40), screen(*pressed, *hidden)]
    for image in story:
        found = see(image)
        assert doubles(found) == []
        assert [one.box for one in found] == [one.box for one in whole(image)]
    assert len(blocks.looked) > len(story), "the two changes were looked at one by one"


def test_a_cell_of_a_dense_table_that_changed_takes_no_other_along() -> None:
    cells = [
        Rect(20 + 50 * column, 20 + 20 * row, 66 + 50 * column, 37 + 20 * row)
        for row in range(20)
        for column in range(10)
    ]
    old = [Detection(type="tabled_text", box=box, source="ocr", confidence=0.9, text="1") for box in cells]
    before, after = screen(*cells), screen(*cells)
    cell = cells[95]
    after[cell.y1 + 6 : cell.y1 + 9, cell.x1 + 20 : cell.x1 + 23] = 0
    made = plan(before, old, after)
    assert made is not None
    assert len(made.kept) == len(old) - 1
    assert sum(area.area for area in made.areas) < 4 * cell.area


def test_what_is_seen_anew_where_no_pixel_changed_is_nothing_new() -> None:
    class SeesMore(Blocks):
        def see(self, image: RgbImage, *, screen: Size, within: Rect | None = None) -> list[Detection]:
            found = super().see(image, screen=screen, within=within)
            if within is None:
                return found
            # On a part of a screen the detector takes a shadow beside what changed for something.
            box = Rect(within.x1 + 2, within.y2 - 12, within.x1 + 10, within.y2 - 6)
            return [*found, Detection(type="icon", box=box, source="detector", confidence=0.5)]

    blocks = SeesMore()
    looker: ScreenParser = blocks  # type: ignore[assignment]
    see = Pipeline(looker, incremental=True)
    see(screen(A, B))
    changed = screen(A, B)
    changed[B.y1 : B.y1 + 4, B.x2 - 8 : B.x2] = 0
    assert [one.type for one in see(changed)] == ["button", "button"]
    assert len(blocks.looked) == 2


def test_a_mark_and_its_label_are_looked_at_together() -> None:
    mark = Detection(type="checkbox", box=Rect(20, 20, 34, 34), source="detector", confidence=0.9, text="News")
    label = Detection(type="text", box=Rect(52, 18, 120, 36), source="ocr", confidence=0.9, text="News")
    before, after = screen(mark.box, label.box), screen(mark.box, label.box)
    after[24:30, 24:30] = 200
    made = plan(before, [mark, label], after)
    assert made is not None
    assert made.kept == ()
    assert any(area.encloses(label.box) for area in made.areas)


def test_a_window_that_was_moved_is_looked_at_again_and_one_that_a_menu_lies_on_is_not() -> None:
    window = Detection(type="window", box=Rect(200, 150, 400, 300), source="detector", confidence=0.9)

    def drawn(box: Rect) -> RgbImage:
        image = screen()
        image[box.y1 : box.y2, box.x1 : box.x2] = 100
        image[box.y1 + 2 : box.y2 - 2, box.x1 + 2 : box.x2 - 2] = GROUND
        return image

    moved = plan(drawn(window.box), [window], drawn(window.box.moved(12, 6)))
    assert moved is not None
    assert moved.kept == ()
    under_menu = drawn(window.box)
    under_menu[140:220, 210:290] = 60
    covered = plan(drawn(window.box), [window], under_menu)
    assert covered is not None
    assert covered.kept == (window,)


def test_words_around_which_a_control_appears_are_its_own_from_then_on() -> None:
    word = Rect(100, 100, 140, 112)

    class FramesAreButtons(Blocks):
        def see(self, image: RgbImage, *, screen: Size, within: Rect | None = None) -> list[Detection]:
            self.looked.append(screen)
            if within is None:
                return [Detection(type="text", box=word, source="ocr", confidence=0.99, text="Save")]
            rows, columns = np.nonzero(image[:, :, 0] < GROUND - 20)
            whole = Rect(int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
            return [Detection(type="button", box=whole, source="detector", confidence=0.8, text="Save")]

    looker: ScreenParser = FramesAreButtons()  # type: ignore[assignment]
    see = Pipeline(looker, incremental=True)
    assert [one.type for one in see(screen(word))] == ["text"]
    frame = screen(word)
    for y1, y2, x1, x2 in ((80, 82, 60, 180), (130, 132, 60, 180), (80, 132, 60, 62), (80, 132, 178, 180)):
        frame[y1:y2, x1:x2] = 30
    assert [(one.type, one.box) for one in see(frame)] == [("button", Rect(60, 80, 180, 132))]


def test_what_a_second_look_misses_stays_where_none_of_its_pixels_changed() -> None:
    class Forgets(Blocks):
        def see(self, image: RgbImage, *, screen: Size, within: Rect | None = None) -> list[Detection]:
            found = super().see(image, screen=screen, within=within)
            return found if within is None else []

    looker: ScreenParser = Forgets()  # type: ignore[assignment]
    see = Pipeline(looker, incremental=True)
    first = see(screen(A, B))
    beside = screen(A, B)
    beside[A.y2 + 2, A.x1 : A.x2] = 100
    assert see(beside) == first
    across = screen(A, B)
    across[A.y1, A.x1 : A.x2] = 100
    assert [one.box for one in see(across)] == [B]


def test_a_control_that_takes_changed_words_to_itself_is_kept_though_its_middle_did_not_change() -> None:
    old, new = Rect(70, 100, 100, 112), Rect(70, 100, 106, 112)

    class SeesTheFrameLater(Blocks):
        def see(self, image: RgbImage, *, screen: Size, within: Rect | None = None) -> list[Detection]:
            self.looked.append(screen)
            if within is None:
                return [Detection(type="text", box=old, source="ocr", confidence=0.99, text="Ann")]
            rows, columns = np.nonzero(image[:, :, 0] < GROUND - 20)
            left, top = int(columns.min()) - 10, int(rows.min()) - 10
            whole = Rect(left, top, left + 140, top + 32)
            return [Detection(type="input_field", box=whole, source="detector", confidence=0.8, text="Anna")]

    looker: ScreenParser = SeesTheFrameLater()  # type: ignore[assignment]
    see = Pipeline(looker, incremental=True)
    see(screen(old))
    assert [(one.type, one.text) for one in see(screen(new))] == [("input_field", "Anna")]
