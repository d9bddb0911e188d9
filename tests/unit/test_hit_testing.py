"""Which box lies under the pointer."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.hit_testing import BoxIndex, Handle, IndexChange, handle_at, handle_points, resized, scaled
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from tests.support.editing import element
from tests.support.work import calls_made

NESTED = [
    element("window", (0, 0, 100, 100), type="window"),
    element("panel", (10, 10, 80, 80), type="other"),
    element("button", (20, 20, 40, 30)),
    element("gone", (21, 21, 23, 23), review="rejected"),
]


def test_the_smallest_comes_first_and_rejected_ones_never() -> None:
    assert BoxIndex(NESTED).at(22, 22) == ["button", "panel", "window"]


def test_of_equal_boxes_the_later_lies_on_top() -> None:
    index = BoxIndex([element("a", (0, 0, 10, 10)), element("b", (0, 0, 10, 10))])
    assert index.at(5, 5) == ["b", "a"]


def test_clicking_again_digs_down_and_comes_back() -> None:
    index = BoxIndex(NESTED)
    seen, current = [], None
    for _ in range(4):
        current = index.next_at(22, 22, current)
        seen.append(current)
    assert seen == ["button", "panel", "window", "button"]


def test_edges_right_and_below_are_outside_but_within_reach() -> None:
    index = BoxIndex([element("a", (10, 10, 20, 20))])
    assert index.at(10, 10) == ["a"]
    assert index.at(20, 20) == []
    assert index.at(21, 21, tolerance=2) == ["a"]
    assert index.at(23, 21, tolerance=2) == []


def test_reach_never_beats_a_box_that_holds_the_position() -> None:
    index = BoxIndex([element("big", (0, 0, 100, 100)), element("small", (50, 50, 60, 60))])
    assert index.at(49, 55, tolerance=3) == ["big"]


def test_an_empty_frame_has_nothing_anywhere() -> None:
    index = BoxIndex([])
    assert index.at(1, 1, tolerance=5) == []
    assert index.next_at(1, 1, None) is None
    assert index.box("a") is None


def test_five_thousand_boxes_are_searched_with_no_more_calls_than_fifty() -> None:
    def work(count: int) -> int:
        corners = np.random.default_rng(1).integers(0, 1800, (count, 2)).tolist()
        index = BoxIndex([element(f"e{i}", (x, y, x + 40, y + 20)) for i, (x, y) in enumerate(corners)])
        return calls_made(lambda: [index.at(x, x / 2) for x in range(0, 1800, 9)])

    assert work(5000) < 2 * work(50)


def test_all_eight_handles_are_found_where_they_are_drawn() -> None:
    box = Rect(10, 20, 110, 80)
    for handle, (x, y) in handle_points(box).items():
        assert handle_at(box, x, y, tolerance=4) is handle
        assert handle_at(box, x + 4 * handle.value[0], y + 4 * handle.value[1], tolerance=4) is handle
    assert handle_at(box, 60, 50, tolerance=4) is None


def test_the_middle_of_a_small_box_can_still_be_grabbed() -> None:
    assert handle_at(Rect(10, 10, 18, 18), 14, 14, tolerance=6) is None
    assert handle_at(Rect(10, 10, 18, 18), 9, 9, tolerance=6) is Handle.TOP_LEFT


@pytest.mark.parametrize("handle", list(Handle))
def test_a_handle_moves_its_own_edges_only(handle: Handle) -> None:
    box = Rect(10, 20, 110, 80)
    now = resized(box, handle, 5, 7)
    moved = {"x1": now.x1 != 10, "x2": now.x2 != 110, "y1": now.y1 != 20, "y2": now.y2 != 80}
    x, y = handle.value
    assert moved == {"x1": x < 0, "x2": x > 0, "y1": y < 0, "y2": y > 0}


def test_edges_that_pass_each_other_change_places() -> None:
    assert resized(Rect(10, 10, 20, 20), Handle.RIGHT, -15, 0) == Rect(5, 10, 10, 20)


def test_an_index_follows_edits_and_says_what_differs() -> None:
    index = BoxIndex(NESTED)
    moved = element("panel", (11, 11, 81, 81), type="other")
    after = [NESTED[0], moved, *NESTED[2:]]
    change = index.update(after)
    assert ([e.uid for e in change.removed], list(change.added)) == (["panel"], [moved])
    assert index.box("panel") == moved.box
    assert index.at(10, 10) == ["window"]
    assert index.update(list(after)) == IndexChange()


@pytest.mark.parametrize("seed", range(8))
def test_after_any_edits_an_index_is_what_a_new_one_would_be(seed: int) -> None:
    random = np.random.default_rng(seed)
    made = 0

    def one() -> Element:
        nonlocal made
        made += 1
        x, y = (int(v) for v in random.integers(0, 90, 2))
        return element(f"e{made:03}", (x, y, x + 9, y + 7), review=("approved", "rejected")[int(random.random() < 0.3)])

    state = [one() for _ in range(12)]
    index = BoxIndex(state, code=lambda e: e.box.x1)
    for _ in range(25):
        before = list(state)
        for _ in range(int(random.integers(1, 4))):
            place = int(random.integers(0, len(state)))
            what = random.random()
            if what < 0.3 and len(state) > 2:
                del state[place]
            elif what < 0.6:
                state.insert(place, one())
            else:
                state[place] = state[place].changed(box=Rect(1, 2, 30, 40), review="unreviewed")
        change = index.update(state)
        fresh = BoxIndex(state, code=lambda e: e.box.x1)
        assert index.elements == fresh.elements
        assert (index.boxes == fresh.boxes).all()
        assert (index.codes == fresh.codes).all()
        assert all(index.box(one.uid) == fresh.box(one.uid) for one in fresh.elements)
        visible = [{id(e) for e in elements if e.review != "rejected"} for elements in (before, state)]
        assert {id(e) for e in change.removed} == visible[0] - visible[1]
        assert {id(e) for e in change.added} == visible[1] - visible[0]


def test_where_very_much_differs_only_that_is_said() -> None:
    index = BoxIndex([])
    assert index.update([element(f"e{i}") for i in range(200)]).whole
    assert len(index.elements) == 200


def test_a_group_is_scaled_with_the_box_around_it() -> None:
    assert scaled(Rect(10, 10, 20, 20), Rect(0, 0, 40, 40), Rect(0, 0, 80, 40)) == Rect(20, 10, 40, 20)
    assert scaled(Rect(10, 10, 20, 20), Rect(10, 10, 10, 40), Rect(5, 10, 5, 40)) == Rect(5, 10, 5, 20)
