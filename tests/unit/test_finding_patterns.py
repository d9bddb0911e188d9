"""Patterns that could take for ever are refused before they are searched for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from annotator.finding.query import QueryError, parse_query
from annotator.finding.search_keys import as_text_test, open_repetitions


def searching(pattern: str) -> Callable[[str], bool]:
    return parse_query(f"/{pattern}/", as_text_test).fits


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("save", 0),
        (r"^\d+$", 1),
        (r"a.*b", 1),
        (r"[*+|(]+\*", 1),
        (r"[]*]*", 1),
        (r"(?:ok|cancel|\w+ now)?", 1),
        (r"(\d+\.){3}", 3),
        (r"(?P<day>\d{1,2})-(?=x)\d{4}", 0),
        (r"a.*|b.*|c.*|d.*", 1),
        (r"x{3,}y{20}z{2}", 2),
        (r"((a|b)c)+?", None),
        (r"(a+)+$", None),
        (r"(?:(?:a*)b?)*", None),
        (r"(a|aa)+", None),
        (r"(\w{2,40} ){12,}", None),
    ],
)
def test_repetitions_are_counted_as_they_cost(pattern: str, found: int | None) -> None:
    assert open_repetitions(pattern) == found


def test_what_could_take_for_ever_is_refused_with_a_reason() -> None:
    with pytest.raises(QueryError, match="repeats something that repeats already"):
        searching("(a+)+$")
    with pytest.raises(QueryError, match="4 parts that repeat without an end; 3 are possible"):
        searching(".*a.*b.*c.*d")


def test_of_long_texts_a_pattern_with_several_repetitions_sees_the_beginning() -> None:
    one, two = searching("x+y"), searching("x+.*y")
    assert one("a" * 5_000 + "xy")
    assert two("a" * 900 + "x.y")
    assert not two("a" * 5_000 + "x.y")
