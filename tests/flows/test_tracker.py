from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect
from models.vision.tracker import Tracker, assign_tracks
from tests.support.track_scenes import SCENES, identity_switches

_COUNT = iter(range(10**9))


def element(
    kind: ElementType, box: tuple[int, int, int, int], text: str | None = None, track: str | None = None
) -> Element:
    return Element(uid=f"el_{next(_COUNT)}", frame="f", type=kind, box=Rect(*box), text=text, track_id=track)


def tracks(elements: list[Element]) -> list[str]:
    return [e.track_id or "" for e in elements]


def test_readable_ids_that_count_up() -> None:
    found = assign_tracks(
        [],
        [
            element("button", (0, 0, 50, 20), "Log in!"),
            element("text", (0, 40, 50, 60), "Search"),
            element("text", (0, 80, 50, 99), "search"),
            element("input_field", (60, 0, 160, 20)),
            element("text", (200, 0, 260, 20), "Größe Ж 中"),
        ],
    )
    assert tracks(found) == [
        "btn_log_in_0",
        "text_search_0",
        "text_search_1",
        "input_0",
        "text_große_ж_中_0".replace("ß", "ss"),
    ]


def test_one_replaced_element_leaves_the_other_track_alone() -> None:
    # An element without any possible match must not spoil the assignment of the rest.
    first = assign_tracks([], [element("button", (10, 10, 60, 30), "Save"), element("text", (200, 10, 260, 30), "Old")])
    second = assign_tracks(first, [element("button", (10, 10, 60, 30), "Save"), element("slider", (10, 150, 90, 170))])
    assert second[0].track_id == first[0].track_id
    assert second[1].track_id not in tracks(first)


def test_a_track_that_was_missed_is_found_again() -> None:
    first = assign_tracks([], [element("button", (10, 10, 60, 30), "Save"), element("text", (10, 50, 60, 70), "Name")])
    latest = {e.track_id: e for e in first}
    for _ in range(5):
        seen = assign_tracks(list(latest.values()), [element("text", (10, 50, 60, 70), "Name")])
        latest.update({e.track_id: e for e in seen})
        assert tracks(seen) == ["text_name_0"]
    back = assign_tracks(list(latest.values()), [element("button", (11, 10, 61, 30), "Save")])
    assert tracks(back) == ["btn_save_0"]


def test_moved_text_keeps_its_track_and_a_changed_text_in_its_place_does_not_take_it() -> None:
    first = assign_tracks([], [element("text", (10, 10, 90, 24), "Inbox"), element("text", (10, 30, 90, 44), "Drafts")])
    second = assign_tracks(
        first,
        [
            element("text", (10, 10, 90, 24), "Archive"),
            element("text", (10, 30, 90, 44), "Inbox"),
            element("text", (10, 50, 90, 64), "Drafts"),
        ],
    )
    assert tracks(second) == ["text_archive_0", "text_inbox_0", "text_drafts_0"]


def test_equal_texts_are_told_apart_by_place() -> None:
    first = assign_tracks([], [element("text", (10, y, 60, y + 14), "3.75") for y in (10, 30, 50)])
    shifted = assign_tracks(first, [element("text", (10, y, 60, y + 14), "3.75") for y in (54, 14, 34)])
    assert tracks(shifted) == ["text_3_75_2", "text_3_75_0", "text_3_75_1"]


def test_a_field_is_the_same_field_whatever_is_typed_into_it() -> None:
    first = assign_tracks([], [element("input_field", (10, 10, 200, 30)), element("input_field", (10, 40, 200, 60))])
    second = assign_tracks(
        first,
        [element("input_field", (10, 10, 200, 30), "anna"), element("input_field", (10, 40, 200, 60), "secret")],
    )
    assert tracks(second) == tracks(first)


def test_wavering_ocr_keeps_the_track() -> None:
    first = assign_tracks([], [element("text", (10, 10, 90, 24), "Drafts (3)")])
    assert tracks(assign_tracks(first, [element("text", (12, 11, 95, 25), "Drafts(3)")])) == tracks(first)


def test_a_type_that_a_model_took_for_another_keeps_the_track_and_a_real_change_does_not() -> None:
    first = assign_tracks([], [element("text", (10, 10, 60, 30), "Save"), element("slider", (10, 50, 90, 70))])
    second = assign_tracks(first, [element("button", (10, 10, 60, 30), "Save"), element("checkbox", (10, 50, 90, 70))])
    assert tracks(second) == ["text_save_0", "checkbox_0"]


@pytest.mark.parametrize("name", sorted(SCENES))
def test_nothing_changes_its_identity_while_screens_scroll_and_windows_move(name: str) -> None:
    switches, frames, what = identity_switches(name, seed=1, frames=12)
    assert (switches, what) == (0, [])
    assert frames == 12


def test_rows_that_scrolled_out_of_sight_come_back_as_themselves() -> None:
    tracker = Tracker()

    def rows(first: int) -> list[Element]:
        found = [element("text", (40, 20 * i, 120, 20 * i + 14), f"Row {first + i}") for i in range(5)]
        return found + [element("checkbox", (10, 20 * i, 24, 20 * i + 14)) for i in range(5)]

    before = tracks(tracker.track(rows(0)))
    scrolled = tracks(tracker.track(rows(3)))
    assert scrolled[5:7] == before[8:10], "the boxes went along with their rows"
    assert set(scrolled[7:]).isdisjoint(before)
    assert tracks(tracker.track(rows(0))) == before


def test_given_tracks_are_kept_and_not_given_twice() -> None:
    first = assign_tracks([], [element("button", (10, 10, 60, 30), "Save")])
    kept = element("button", (300, 300, 360, 330), "Mine", track="btn_save_0")
    second = assign_tracks(first, [kept, element("button", (10, 10, 60, 30), "Save")])
    assert tracks(second) == ["btn_save_0", "btn_save_1"]


_BOXES = st.tuples(st.integers(0, 300), st.integers(0, 200), st.integers(1, 80), st.integers(1, 40)).map(
    lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
)
_SCREENS = st.lists(
    st.tuples(st.sampled_from(["text", "button", "input_field"]), _BOXES, st.sampled_from([None, "OK", "Save", "…"])),
    max_size=8,
)


@given(_SCREENS, _SCREENS)
def test_every_track_once_per_screen_and_an_unchanged_screen_keeps_all(
    one: list[tuple[ElementType, tuple[int, int, int, int], str | None]],
    two: list[tuple[ElementType, tuple[int, int, int, int], str | None]],
) -> None:
    first = assign_tracks([], [element(*parts) for parts in one])
    second = assign_tracks(first, [element(*parts) for parts in two])
    assert len(set(tracks(second))) == len(second)
    again = assign_tracks(first, [element(*parts) for parts in one])
    assert sorted(tracks(again)) == sorted(tracks(first))
