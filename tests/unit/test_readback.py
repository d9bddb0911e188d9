"""The text of an input method: when the field is believed, and when the keys."""

from __future__ import annotations

import pytest

from recorder.readback import inserted, read_back


@pytest.mark.parametrize(
    ("typed", "before", "after"),
    [
        ("hello", "", "hello"),
        ("hello", "", "Hello"),  # capitalised
        ("exa", "", "example.com"),  # completed
        ("12345678", "", "12/34/5678"),  # formatted
        ("12a34", "", "1234"),  # a character was rejected
        ("b", "ab", "abb"),
        ("secret", "", ""),  # nothing came
        ("b", "abc", "ac"),
        ("cafe\u0301", "", "caf\u00e9"),
        ("ls", "", "x" * 400),  # a terminal's answer
    ],
)
def test_the_keys_are_right(typed: str, before: str, after: str) -> None:
    assert read_back(typed, before=before, after=after) is None


@pytest.mark.parametrize(
    ("typed", "before", "after", "text"),
    [
        ("privet", "", "привет", "привет"),
        ("privet", "Я: !", "Я: привет!", "привет"),
        ("nihao", "", "你好", "你好"),
        ("ka", "かき", "かかき", "か"),
        ("teh cat", "", "the cat", "the cat"),  # corrected
        ("caf\ufffd", "", "café", "café"),
        ("privet", "прибой", "привет", "привет"),  # all was selected, and both begin alike
        ("privet", "букет", "привет", "привет"),
    ],
)
def test_the_field_is_right(typed: str, before: str, after: str, text: str) -> None:
    assert read_back(typed, before=before, after=after) == text


def test_what_was_put_in() -> None:
    assert inserted("ab", "aXb", typed_length=1) == "X"
    assert inserted("aa", "aaa", typed_length=1) == "a"
    assert inserted("abc", "abc", typed_length=3) == ""
    assert inserted("", "", typed_length=0) == ""
