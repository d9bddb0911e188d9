"""The language of searches: what is understood, and what is said about the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.finding.completion import completion_at
from annotator.finding.demo_search import DEMO_KEYS
from annotator.finding.element_keys import ELEMENT_KEYS
from annotator.finding.query import EVERYTHING, AllOf, Node, Not, QueryError, QuerySpan, Term, parse_query, terms_of
from annotator.finding.values import as_bounds, as_choices


def shown(node: Node) -> object:
    """The tree as nested tuples."""
    if isinstance(node, Term):
        value = {"word": node.value, "quoted": f'"{node.value}"', "pattern": f"/{node.value}/"}[node.kind]
        return f"{node.key}:{value}" if node.key else value
    if isinstance(node, Not):
        return ("not", shown(node.node))
    return ("all" if isinstance(node, AllOf) else "any", *(shown(part) for part in node.nodes))


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("save", "save"),
        ('type:button text:"OK now"', ("all", "type:button", 'text:"OK now"')),
        ("a or b c", ("any", "a", ("all", "b", "c"))),
        ("(a or b) c", ("all", ("any", "a", "b"), "c")),
        ("-a not b", ("all", ("not", "a"), ("not", "b"))),
        ("-(a | b)", ("not", ("any", "a", "b"))),
        ("not not a", ("not", ("not", "a"))),
        ("a and b", ("all", "a", "b")),
        (r"/a\/b c/ text:/^x$/", ("all", "/a/b c/", "text:/^x$/")),
        ("“typographic quotes”", '"typographic quotes"'),
        ("12:30 a/b -", ("all", "12:30", "a/b", "-")),
        ('"or" Type:Button', ("all", '"or"', "type:Button")),
        ("step:3-7(a)", ("all", "step:3-7", "a")),
    ],
)
def test_trees(text: str, tree: object) -> None:
    assert shown(parse_query(text)) == tree


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
        parse_query(text)
    span = caught.value.span
    assert (text[span.start : span.end], caught.value.unfinished) == (marked, unfinished)


@given(st.text(alphabet='ab:/"()- or not|<.,\\', max_size=30))
def test_nothing_but_its_own_error_ever_comes_out(text: str) -> None:
    node, span = parsed(text)
    assert 0 <= span.start <= span.end <= len(text)
    for term in terms_of(node):
        assert text[term.span.start : term.span.end].endswith(text[term.value_span.start : term.value_span.end])
        assert term.value or term.kind != "word"


def parsed(text: str) -> tuple[Node, QuerySpan]:
    """The tree, or else where the error is."""
    try:
        return parse_query(text), QuerySpan(0, 0)
    except QueryError as error:
        return EVERYTHING, error.span


def test_nothing_written_means_everything() -> None:
    assert parse_query("  ") is EVERYTHING


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
    bounds = as_bounds(term(f"conf:{value}"), example="<0.6")
    assert all(bounds.holds(number) for number in inside)
    assert not any(bounds.holds(number) for number in outside)


@pytest.mark.parametrize(("value", "unfinished"), [("abc", False), ("<", True), ("3-", True), ("7-3", False)])
def test_what_is_no_number(value: str, unfinished: bool) -> None:
    with pytest.raises(QueryError) as caught:
        as_bounds(term(f"conf:{value}"), example="<0.6")
    assert caught.value.unfinished == unfinished


def test_a_wrong_choice_is_marked_and_the_right_one_named() -> None:
    one = term("type:text,buton")
    with pytest.raises(QueryError, match="Did you mean “button”") as caught:
        as_choices(one, ("text", "button"))
    assert (caught.value.span.start, caught.value.span.end) == (10, 15)
    assert as_choices(term("type:input-field,TEXT"), ("text", "input_field")) == ("input_field", "text")


def term(text: str) -> Term:
    (found,) = terms_of(parse_query(text))
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
