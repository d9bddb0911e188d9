"""The hints of the first time: one after the other, to the end or not."""

from __future__ import annotations

from annotator.tour import HINTS, Tour


def test_one_after_the_other() -> None:
    tour = Tour()
    assert (tour.hint, tour.number) == (None, 0)
    tour.forward()
    assert tour.number == 0
    tour.begin()
    seen = []
    while tour.hint is not None:
        seen.append(tour.hint.name)
        tour.forward()
    assert seen == ["open", "slider", "decide", "attributes", "carry", "approve", "export"]
    assert tour.number == 0


def test_left_in_the_middle_and_begun_anywhere() -> None:
    tour = Tour()
    tour.begin("export")
    assert tour.is_last
    assert tour.number == len(HINTS) == 7
    tour.end()
    assert tour.hint is None


def test_keys_are_told_only_where_there_are_some() -> None:
    assert all(("{keys}" in hint.words) == bool(hint.actions) for hint in HINTS)
