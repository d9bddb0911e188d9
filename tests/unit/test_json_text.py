"""JSON from elsewhere holds nothing that could not be stored or written again; who has to take it anyway mends it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demopack.codecs.catalogue import ANSWER_DIALECTS, decode_answer
from demopack.codecs.files.json_object import BadRowError
from demopack.errors import BadInputError
from demopack.json_text import MAX_NUMBER, parse_json, whole_characters, without_comments
from demopack.pack.import_demos import open_files
from demopack.prompting.scoring.predictions import read_predictions

REFUSED = {
    "1e999": "larger", "-1e999": "larger", "1" * 400: "larger", str(2**62): "larger", "-1e19": "larger",
    "NaN": "not a JSON number", "-Infinity": "not a JSON number", '"\\ud83d"': "half", '{"\\udc00": 1}': "half",
    "[" * 300 + "]" * 300: "deep", '{"a":' * 5_000: "deep", "{": "Expecting",
}  # fmt: skip


@pytest.mark.parametrize(("text", "why"), REFUSED.items(), ids=range(len(REFUSED)))
def test_what_is_refused_is_said(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_json(text)


@pytest.mark.parametrize(
    "text", ["1.5e3", str(MAX_NUMBER - 1), "-0.0", "1e-400", '"\\ud83d\\ude00"', "[" * 150 + "]" * 150, '"1e999"']
)
def test_everything_else_is_read_as_anywhere(text: str) -> None:
    assert parse_json(text) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, // one\n"b": 2}', {"a": 1, "b": 2}),
        ("// first\r\n[1] // last", [1]),
        ('["http://a//b", "\\"// no", "\\\\"] // yes', ["http://a//b", '"// no', "\\"]),
        ('{"a // b": "//"}', {"a // b": "//"}),
    ],
)
def test_comments_are_passed_over_but_never_inside_a_text(text: str, value: object) -> None:
    assert parse_json(without_comments(text)) == value
    assert len(without_comments(text)) == len(text)


def test_a_text_that_nobody_closed_is_passed_once() -> None:
    text = '//\n"' + '\\"' * 500_000
    assert without_comments(text) == "  " + text[2:]


def test_what_is_wrong_behind_a_comment_keeps_its_place() -> None:
    with pytest.raises(ValueError, match=r"line 2 column 6"):
        parse_json(without_comments('{"a": 1, // one\n"b": }'))


def test_a_key_that_stands_twice_is_a_mistake_where_that_is_asked() -> None:
    assert parse_json('{"a": 1, "a": 2}') == {"a": 2}
    with pytest.raises(ValueError, match="twice"):
        parse_json('[{"a": 1, "a": 2}]', unique=True)


def test_halves_of_characters_become_a_sign_and_whole_ones_stay() -> None:
    assert whole_characters("a\ud83d b\U0001f600") == "a\ufffd b\U0001f600"
    assert whole_characters(r'{"a": "\ud83d", "b": "\ud83d\ude00", "c": "\\ud83d"}') == (
        r'{"a": "\ufffd", "b": "\ud83d\ude00", "c": "\\ud83d"}'
    )


@pytest.mark.parametrize("dialect", ANSWER_DIALECTS)
def test_an_answer_with_half_a_character_can_be_written_down(dialect: str) -> None:
    """Whatever comes of it, it is no half character, neither in an action nor in an error."""
    said = '{"reasoning": "half \\ud83d", "action": {"action_type": "type", "parameters": {"text_to_type": "\\ud83d"}}}'
    for answer in (said, json.loads(said), "type(content='half \ud83d')"):
        try:
            told = decode_answer(answer, dialect=dialect).responses[0].to_json_text()
        except BadInputError as error:
            told = f"{error} {error.details}"
        told.encode("utf-8")


def test_answers_with_half_a_character_are_read(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"step": "a", "answer": "half \\ud83d"}\n')
    assert read_predictions(file).answers["a"].parts == ("half \ufffd",)


def test_tables_of_empty_lines_are_not_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b"\n" * 200_000)
    with pytest.raises(BadInputError, match="empty"):
        read_predictions(file)
    with open_files(file) as files, pytest.raises(BadRowError, match="empty"):
        list(files.lines("rows.jsonl"))
