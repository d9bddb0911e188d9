"""The language of searches: what is understood, and what is said about the rest."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.finding.demo_search import DEMO_KEYS, demo_search
from annotator.finding.element_search import ELEMENT_KEYS
from annotator.finding.query import Query, QueryError, Term, parse_query
from annotator.finding.search_keys import as_choices, as_number_test, completion_at
from models.language.check.text_spans import TextSpan


def written(term: Term) -> str:
    """A term as it is shown in these tests."""
    value = {"word": term.value, "quoted": f'"{term.value}"', "pattern": f"/{term.value}/"}[term.kind]
    return f"{term.key}:{value}" if term.key else value


def has(term: Term) -> Callable[[frozenset[str]], bool]:
    """Whether the term is in a set."""
    return lambda found: written(term) in found


def parse(text: str) -> Query[frozenset[str]]:
    return parse_query(text, has)


@pytest.mark.parametrize(
    ("text", "terms", "meaning"),
    [
        ("save", ["save"], lambda save: save),
        ('type:button text:"OK now"', ["type:button", 'text:"OK now"'], lambda t, x: t and x),
        ("a or b c", ["a", "b", "c"], lambda a, b, c: a or (b and c)),
        ("(a or b) c", ["a", "b", "c"], lambda a, b, c: (a or b) and c),
        ("-a not b", ["a", "b"], lambda a, b: not a and not b),
        ("-(a | b)", ["a", "b"], lambda a, b: not (a or b)),
        ("not not a", ["a"], lambda a: a),
        ("a and b", ["a", "b"], lambda a, b: a and b),
        (r"/a\/b c/ text:/^x$/", ["/a/b c/", "text:/^x$/"], lambda a, x: a and x),
        ("“typographic quotes”", ['"typographic quotes"'], lambda a: a),
        ("12:30 a/b -", ["12:30", "a/b", "-"], lambda a, b, c: a and b and c),
        ('"or" Type:Button', ['"or"', "type:Button"], lambda a, b: a and b),
        ("step:3-7(a)", ["step:3-7", "a"], lambda a, b: a and b),
        ("orange android notes", ["orange", "android", "notes"], lambda a, b, c: a and b and c),
    ],
)
def test_meanings(text: str, terms: list[str], meaning: Callable[..., bool]) -> None:
    query = parse(text)
    assert [written(term) for term in query.terms] == terms
    for there in product((False, True), repeat=len(terms)):
        found = frozenset(name for name, is_there in zip(terms, there, strict=True) if is_there)
        assert query.fits(found) == meaning(*there)


@pytest.mark.parametrize(
    ("text", "marked", "said", "unfinished"),
    [
        ('save "now', '"now', "no end", True),
        ("/ab", "/ab", "closing slash", True),
        ("type:", "type:", "needs a value", True),
        ("type: button", "type:", "needs a value", False),
        ("(a b", "(", "not closed", True),
        ("a)", ")", "never opened", False),
        ("()", "()", "nothing between", False),
        ("or a", "or", "both sides", False),
        ("a or", "or", "both sides", True),
        ("a or or b", "or", "both sides", False),
        ("a not", "not", "something after", True),
        ("(" * 60 + "a" + ")" * 60, "(", "nested too deeply", False),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, marked: str, said: str, unfinished: bool) -> None:
    with pytest.raises(QueryError, match=said) as caught:
        parse(text)
    span = caught.value.span
    assert (text[span.start : span.end], caught.value.unfinished) == (marked, unfinished)


@given(st.text(alphabet='ab:/"()- or not|<.,\\', max_size=30))
def test_nothing_but_its_own_error_ever_comes_out(text: str) -> None:
    terms, span = parsed(text)
    assert 0 <= span.start <= span.end <= len(text)
    for term in terms:
        assert text[term.span.start : term.span.end].endswith(text[term.value_span.start : term.value_span.end])
        assert term.value or term.kind != "word"


def parsed(text: str) -> tuple[tuple[Term, ...], TextSpan]:
    """What is looked for, or else where the error is."""
    try:
        return parse(text).terms, TextSpan(0, 0)
    except QueryError as error:
        return (), error.span


def test_nothing_written_means_everything() -> None:
    assert parse("  ").fits(frozenset())
    assert parse("  ").terms == ()


def test_a_wrong_form_is_said_before_a_wrong_value() -> None:
    with pytest.raises(QueryError, match="both sides"):
        demo_search("nothing:x or")


@pytest.mark.parametrize(
    ("value", "inside", "outside"),
    [
        ("<0.6", (0.0, 0.59), (0.6, 1.0)),
        ("<=.6", (0.6,), (0.61,)),
        (">0.6", (0.61,), (0.6,)),
        (">=60%", (0.6, 1.0), (0.59,)),
        ("3-7", (3, 5, 7), (2, 8)),
        ("3..7", (3, 7), (8,)),
        ("0,5-0,7", (0.5, 0.7), (0.4, 0.8)),
        ("3", (3,), (2, 4)),
    ],
)
def test_numbers_and_ranges(value: str, inside: tuple[float, ...], outside: tuple[float, ...]) -> None:
    fits = as_number_test(term(f"conf:{value}"), example="<0.6")
    assert all(fits(number) for number in inside)
    assert not any(fits(number) for number in outside)


@pytest.mark.parametrize(("value", "unfinished"), [("abc", False), ("<", True), ("3-", True), ("7-3", False)])
def test_what_is_no_number(value: str, unfinished: bool) -> None:
    with pytest.raises(QueryError) as caught:
        as_number_test(term(f"conf:{value}"), example="<0.6")
    assert caught.value.unfinished == unfinished


def test_a_wrong_choice_is_marked_and_the_right_one_named() -> None:
    one = term("type:text,buton")
    with pytest.raises(QueryError, match="Did you mean “button”") as caught:
        as_choices(one, ("text", "button"))
    assert (caught.value.span.start, caught.value.span.end) == (10, 15)
    assert as_choices(term("type:input-field,TEXT"), ("text", "input_field")) == ("input_field", "text")


def term(text: str) -> Term:
    (found,) = parse(text).terms
    return found


def offered(text: str, keys: object = ELEMENT_KEYS, **more: object) -> tuple[str, list[str]]:
    """What is replaced, and by what."""
    at = text.index("|") if "|" in text else len(text)
    text = text.replace("|", "")
    found = completion_at(text, at, keys, **more)  # type: ignore[arg-type]
    return text[found.start : found.end], [one.text for one in found.offered]


def test_keys_and_values_are_completed() -> None:
    assert offered("ty") == ("ty", ["type:"])
    assert offered("save -re") == ("-re", ["-review:"])
    assert offered("(so| type:button") == ("so", ["source:"])
    assert offered("type:scrollbar_th") == ("scrollbar_th", ["scrollbar_thumb"])
    assert offered("review:todo,d") == ("d", ["doubtful", "todo", "approved", "rejected"])
    assert offered("is:a", DEMO_KEYS) == ("a", ["approved", "accepted", "partial", "failed", "take", "damaged"])
    assert offered("text:sa", texts=["Save", "Cancel", "Save as"]) == ("sa", ['"Save"', '"Save as"'])
    assert offered('"ty') == ("", [])
    assert len(offered("")[1]) == len(ELEMENT_KEYS)


def test_each_key_has_words_and_something_to_write() -> None:
    for keys in (ELEMENT_KEYS, DEMO_KEYS):
        for key in keys.values():
            assert key.words
            assert bool(key.values) != bool(key.example)
