"""The hints of the first time: their order, and the keys that they name."""

from __future__ import annotations

from annotator.ui.tour_guide import HINTS


def test_they_follow_the_work_from_opening_to_export() -> None:
    names = [hint.name for hint in HINTS]
    assert names == ["open", "slider", "decide", "attributes", "carry", "approve", "export"]


def test_keys_are_told_only_where_there_are_some() -> None:
    assert all(("{keys}" in hint.words) == bool(hint.actions) for hint in HINTS)
