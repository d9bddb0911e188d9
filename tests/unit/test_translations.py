"""The second language is complete, and says the same things in its braces."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest

from annotator.words import capital, date_words, key_words, set_translation, tr
from scripts.write_translations import TS, placeholders, read_catalogue, texts_of_app, write_catalogue


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    set_translation(None)


def test_every_text_of_the_app_is_translated_and_none_is_left_over() -> None:
    known = read_catalogue()
    wanted = texts_of_app()
    assert sorted(text for text in wanted if not known.get(text)) == []
    assert sorted(set(known) - wanted) == []


def test_translations_have_the_same_names_in_braces() -> None:
    wrong = {text: told for text, told in read_catalogue().items() if placeholders(text) != placeholders(told)}
    assert wrong == {}


def test_the_compiled_catalogue_is_not_older_than_its_source() -> None:
    compiled = TS.with_suffix(".qm").read_bytes()
    told = [text for text in read_catalogue().values() if text]
    assert all(text.encode("utf-16-be") in compiled for text in told)


def test_texts_are_their_own_translation_until_a_language_is_spoken() -> None:
    assert tr("Save {count} boxes").format(count=2) == "Save 2 boxes"
    set_translation({"Save": "Sichern"}.get)  # type: ignore[arg-type]
    assert (tr("Save"), tr("Unknown")) == ("Sichern", "Unknown")


def test_a_catalogue_is_read_as_it_was_written(tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "x.ts"
    texts = {"“A” & <b>": "„A“ & <b>", "Two\nlines {n}": "Zwei\nZeilen {n}", "open": ""}
    write_catalogue(texts, path)
    assert read_catalogue(path) == texts


def test_days_and_keys_are_said_as_the_language_says_them() -> None:
    day = dt.date(2026, 3, 7)
    assert date_words(day) == "7 Mar 2026"
    keys = ("ctrl", "ctrl+A", "Ctrl+Shift+Plus", "ctrl++", "+", "F5", "shift")
    assert [key_words(one) for one in keys] == ["Ctrl", "Ctrl+A", "Ctrl+Shift+Plus", "Ctrl++", "+", "F5", "Shift"]
    german = {text: told for text, told in read_catalogue().items() if told}
    set_translation(german.get)  # type: ignore[arg-type]
    assert date_words(day) == "7. März 2026"
    assert [key_words(one) for one in keys[:4]] == ["Strg", "Strg+A", "Strg+Umschalt+Plus", "Strg++"]
    assert capital("vor dem Bild") == "Vor dem Bild"
