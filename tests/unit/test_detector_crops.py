from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.geometry import Rect
from demopack.domain.overlap import box_array, common_areas
from demopack.errors import BadInputError
from models.training.augmentation import recolour, roughen
from models.training.detector.network import average_precision, choose_screens, match
from models.training.detector.samples import (
    CropBatches,
    choose_window,
    clip_boxes,
    read_pictures,
)
from models.training.labelled_screens import GroundTruth, LabelledScreen, LabelledScreenSet
from models.training.options import DetectorTraining
from models.vision.detector import CLASS_OF
from tests.support.drawn_screens import draw_screen, draw_set

PLAIN = DetectorTraining(crops={192: 1.0}, augment=False, cache_mb=1)
"""Nothing is varied; screens of 160 x 120 pixels may fill what is left free."""


def boxes(*rows: tuple[float, float, float, float]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.array(rows, dtype=np.float32).reshape(-1, 4)


def test_boxes_are_cut_at_the_window_and_moved_into_it() -> None:
    clipped, kept = clip_boxes(boxes((10, 10, 30, 20), (50, 0, 90, 10)), Rect(20, 2, 80, 62))
    assert kept.tolist() == [0, 1]
    assert clipped.tolist() == [[0, 8, 10, 18], [30, 0, 60, 8]]


def test_what_is_mostly_outside_is_not_marked() -> None:
    window = Rect(0, 0, 100, 100)
    _, kept = clip_boxes(boxes((60, 0, 159, 10), (60, 0, 161, 10), (200, 200, 220, 220), (98, 0, 102, 10)), window)
    assert kept.tolist() == [0]  # 40 %; a little less; nothing; half, but two pixels wide


def test_a_window_without_boxes_has_none() -> None:
    clipped, kept = clip_boxes(boxes(), Rect(0, 0, 10, 10))
    assert clipped.shape == (0, 4)
    assert kept.size == 0


@given(seed=st.integers(0, 2**32), width=st.integers(1, 400), height=st.integers(1, 400), want=st.integers(1, 300))
def test_windows_lie_on_the_screen_and_are_as_large_as_they_can_be(
    seed: int, width: int, height: int, want: int
) -> None:
    window = choose_window((width, height), boxes((0, 0, 1, 1)), (want, want), np.random.default_rng(seed))
    assert (window.width, window.height) == (min(want, width), min(want, height))
    assert 0 <= window.x1 <= width - window.width
    assert 0 <= window.y1 <= height - window.height


def test_a_window_around_a_box_holds_it() -> None:
    target = boxes((700, 500, 760, 520))
    for seed in range(50):
        window = choose_window((1280, 800), target, (320, 320), np.random.default_rng(seed), around=0)
        clipped, kept = clip_boxes(target, window)
        assert kept.tolist() == [0]
        assert (clipped[0, 2] - clipped[0, 0], clipped[0, 3] - clipped[0, 1]) == (60, 20)


def test_windows_avoid_cutting_boxes_where_they_can() -> None:
    rows = boxes(*((x, y, x + 40, y + 12) for y in range(0, 780, 24) for x in range(0, 1240, 300)))
    cut_by_chance = cut = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        chance = Rect(0, 0, 320, 320).moved(int(random.integers(0, 960)), int(random.integers(0, 480)))
        chosen = choose_window((1280, 800), rows, (320, 320), np.random.default_rng(seed))
        by_chance, seen = (common_areas(rows, box_array([window]).astype(np.float32)) for window in (chance, chosen))
        assert seen.any()
        cut_by_chance += int(((by_chance > 0) & (by_chance < 40 * 12)).sum())
        cut += int(((seen > 0) & (seen < 40 * 12)).sum())
    assert cut < cut_by_chance / 3


def test_colours_change_but_stay_apart() -> None:
    image = np.zeros((4, 256, 3), dtype=np.uint8)
    image[:] = np.arange(256, dtype=np.uint8)[None, :, None]
    for seed in range(40):
        changed = recolour(image, np.random.default_rng(seed)).astype(int)
        spread = abs(changed[0, 255] - changed[0, 215])
        assert changed.shape == image.shape
        assert spread.min() >= 8, seed
        assert roughen(image, np.random.default_rng(seed)).shape == image.shape


@pytest.fixture(scope="module")
def screens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return draw_set(tmp_path_factory.mktemp("set"), train=9, val=6)


def test_a_crop_shows_what_its_boxes_say(screens: Path) -> None:
    pictures = read_pictures([screens], side="train", typed=True)
    batches = CropBatches(pictures, PLAIN)
    seen = set[int]()
    for seed in range(20):
        crop = batches.crop(pictures[seed % 9], 320, np.random.default_rng(seed))
        assert crop.image.shape == (320, 320, 3)
        assert len(crop.boxes) == len(crop.classes)
        for (x1, y1, x2, y2), number in zip(crop.boxes.astype(int), crop.classes, strict=True):
            if x2 - x1 < 8 or y2 - y1 < 8:
                continue
            inner = crop.image[y1 + 2 : y2 - 2, x1 + 2 : x2 - 2].reshape(-1, 3)
            wanted = (50, 90, 200) if number == CLASS_OF["button"] else (255, 255, 255)
            assert (inner == wanted).all(), (seed, x1, y1, x2, y2)
            seen.add(int(number))
    assert seen == {CLASS_OF["button"], CLASS_OF["checkbox"]}


def test_a_box_to_tick_is_learned_without_its_label(tmp_path: Path) -> None:
    image = np.full((200, 300, 3), 255, dtype=np.uint8)
    mark, label = (
        GroundTruth.model_validate({"type": kind, "box": box, "text": "Keep a copy"})
        for kind, box in (("checkbox", (20, 40, 34, 54)), ("text", (38, 38, 112, 56)))
    )
    screen = LabelledScreen(
        name="one", source="qt", group="one", side="train", seed=0, width=300, height=200, elements=(mark, label)
    )
    LabelledScreenSet(tmp_path).put(screen, image)
    (picture,) = read_pictures([tmp_path], side="train", typed=True)
    assert picture.boxes.tolist() == [[20, 40, 34, 54], [38, 38, 112, 56]]
    assert picture.classes.tolist() == [CLASS_OF["checkbox"], CLASS_OF["text"]]


def test_small_screens_fill_a_crop_together(screens: Path) -> None:
    pictures = read_pictures([screens], side="train", typed=True)
    batches = CropBatches(pictures, PLAIN)
    crop = batches.crop(pictures[0], 320, np.random.default_rng(1))
    assert len(crop.boxes) > len(pictures[0].boxes)
    assert float(crop.boxes.max()) > 160


def test_equal_steps_are_equal_and_large_crops_are_fewer(screens: Path) -> None:
    pictures = read_pictures([screens], side="train", typed=True)
    options = DetectorTraining(crops={64: 1.0, 128: 1.0}, batch=4, cache_mb=0)
    first, second = CropBatches(pictures, options), CropBatches(pictures, options)
    shapes = set[tuple[int, ...]]()
    for step in range(8):
        assert np.array_equal(first[step].images, second[step].images)
        assert np.array_equal(first[step].boxes, second[step].boxes)
        shapes.add(first[step].images.shape)
    assert shapes == {(4, 64, 64, 3), (1, 128, 128, 3)}
    assert not np.array_equal(first[0].images, first[1].images)


def test_every_side_has_its_own_screens_and_agnostic_models_one_class(screens: Path) -> None:
    assert len(read_pictures([screens], side="train", typed=True)) == 9
    val = read_pictures([screens], side="val", typed=False)
    assert len(val) == 6
    assert {int(number) for picture in val for number in picture.classes} == {0}


def test_a_missing_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="nowhere"):
        read_pictures([tmp_path / "nowhere"], side="train", typed=True)


def test_screens_to_look_at_are_balanced_over_the_sources(screens: Path) -> None:
    val = read_pictures([screens], side="val", typed=True)
    chosen = choose_screens(val, most=4)
    assert sorted(picture.screen.source for picture in chosen) == ["miniwob", "miniwob", "qt", "qt"]
    assert choose_screens(val, most=100) != []


def test_a_true_box_is_hit_once() -> None:
    found = np.array([(0, 0, 10, 10, 0.9, 1), (0, 0, 10, 9, 0.8, 1), (50, 50, 60, 60, 0.7, 2)], np.float32)
    hit, typed = match(found, boxes((0, 0, 10, 10), (50, 50, 60, 60)), np.array([1, 1]))
    assert hit.tolist() == [True, False, True]
    assert typed.tolist() == [True, False, False]


def test_average_precision_of_known_lists() -> None:
    scores = np.array([0.9, 0.8, 0.7, 0.6], np.float32)
    assert average_precision(scores, np.array([True, True, False, False]), 2) == 1.0
    assert average_precision(scores, np.array([False, True, False, True]), 2) == pytest.approx(0.5)
    assert average_precision(scores[:0], np.zeros(0, dtype=bool), 3) == 0.0


def test_a_drawn_screen_marks_what_it_draws() -> None:
    image, elements = draw_screen(3, (160, 120))
    assert elements
    assert image.shape == (120, 160, 3)
