"""Edits between texts are the fewest there are, and a limit only cuts them off."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.text_likeness import digits_in, edit_distance, letters_in, plain_text, ratio

_WORDS = st.text("ab1", max_size=6)


def fewest(a: str, b: str) -> int:
    """By the definition."""
    if not a or not b:
        return len(a) + len(b)
    return min(fewest(a[1:], b) + 1, fewest(a, b[1:]) + 1, fewest(a[1:], b[1:]) + (a[0] != b[0]))


@given(_WORDS, _WORDS, st.integers(0, 7))
def test_edits_are_the_fewest_there_are(a: str, b: str, limit: int) -> None:
    assert edit_distance(a, b) == fewest(a, b)
    assert edit_distance(a, b, limit=limit) == min(fewest(a, b), limit + 1)


def test_forms_that_are_compared() -> None:
    assert plain_text("  \uff2fpen\n FILE ") == "open file"
    assert plain_text(None) == ""
    assert letters_in("Open… (2)") == "open2"
    assert digits_in("Item 12, 3") == "123"
    assert ratio("save", "save as") > ratio("save", "open") >= 0
