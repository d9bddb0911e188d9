from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, STATES, ElementType, State
from models.vision.describer_words import END, SUBTYPES, DescriberTokenizer
from models.vision.description import NOTHING, Description, clean_subtype, parse_description, print_description

WORDS = DescriberTokenizer.standard(["gear"])


@st.composite
def descriptions(draw: st.DrawFn) -> Description:
    kind = draw(st.sampled_from([*ELEMENT_TYPES, None]))
    subtype = draw(st.none() | st.sampled_from(SUBTYPES) | st.from_regex(r"[a-z0-9_-]{1,12}", fullmatch=True))
    states = draw(st.dictionaries(st.sampled_from(STATES), st.booleans()))
    text = draw(st.none() | st.text(max_size=30))
    subtype = clean_subtype(subtype) or None if subtype else None
    return Description(type=kind, subtype=subtype, states=states, text=text).cleaned()


@given(descriptions())
def test_what_is_printed_is_parsed(description: Description) -> None:
    assert parse_description(print_description(description)) == description


@given(
    st.text(max_size=80)
    | st.lists(st.sampled_from(["button", "text=", "checked=yes", "{", '"type":', "=", "icon"])).map(" ".join)
)
def test_whatever_a_model_says_is_parsed_or_none(answer: str) -> None:
    said = parse_description(answer)
    assert said is None or said == said.cleaned()


@given(descriptions(), st.data())
def test_an_answer_that_was_cut_off_keeps_what_came_before(description: Description, data: st.DataObject) -> None:
    printed = print_description(description)
    said = parse_description(printed[: data.draw(st.integers(0, len(printed)))])
    if said is not None and said.type == description.type:
        assert set(said.states.items()) <= set(description.states.items())


def states(**values: bool) -> dict[State, bool]:
    return {state: values[state] for state in STATES if state in values}


@pytest.mark.parametrize(
    ("answer", "type_", "known", "text"),
    [
        ("button focused=no disabled=no text=OK", "button", {"focused": False, "disabled": False}, "OK"),
        ("button text=a = b text=c", "button", {}, "a = b text=c"),
        ("text text=checked=yes", "text", {}, "checked=yes"),
        ("Input Field focused=TRUE", "input_field", {"focused": True}, None),
        ("checkbox checked=yes checked=no", "checkbox", {"checked": True}, None),
        ("checkbox wobbly checked=yes colour=red", "checkbox", {"checked": True}, None),
        ("checkbox checked=ye", "checkbox", {}, None),
        ("scrollbar checked=yes text=no", "scrollbar", {}, None),
        ("focused=yes type=radio", "radio", {"focused": True}, None),
        ('{"type": "radio", "checked": "True", "text": "Yes \\"now\\""}', "radio", {"checked": True}, 'Yes "now"'),
        ("{'type': 'dropdown', 'text': 'one', 'focused': 'False'", "dropdown", {"focused": False}, "one"),
        ('{"type": "button", "focused": true, "text": "Sub', "button", {"focused": True}, "Sub"),
        ('[{"type": 30, "text": "x"}]', "input_field", {}, "x"),
        ('{"type": "scrollbar_v"}', "scrollbar", {}, None),
    ],
)  # fmt: skip
def test_answers_are_read_as_they_are_meant(
    answer: str, type_: ElementType, known: dict[State, bool], text: str | None
) -> None:
    said = parse_description(answer)
    assert said == Description(type=type_, states=known, text=text)


@pytest.mark.parametrize(
    "answer", ["", "butt", "blob checked=yes", "{", "[]", "null", '{"text": "x"}', '{"type": {}}', "[" * 5000]
)
def test_an_answer_without_a_type_is_none(answer: str) -> None:
    assert parse_description(answer) is None


def test_nothing_is_an_answer() -> None:
    assert parse_description(NOTHING) == Description(type=None)
    assert print_description(Description(type=None, text="x")) == NOTHING


def test_what_a_type_cannot_have_is_left_out() -> None:
    everything = Description(type="icon", subtype="Back Arrow", states=dict.fromkeys(STATES, True), text="x")
    assert print_description(everything) == "icon subtype=back_arrow checked=yes disabled=yes"


@given(descriptions())
def test_words_are_numbers_and_back(description: Description) -> None:
    numbers = WORDS.encode(description, characters=200)
    assert numbers[-1] == END
    said = parse_description(WORDS.decode(numbers))
    assert said is not None
    assert (said.type, said.states) == (description.type, description.states)
    known = description.subtype in {*SUBTYPES, "gear"}
    assert said.subtype == (description.subtype if known else None)


def test_a_text_is_cut_and_then_has_no_end() -> None:
    numbers = WORDS.encode(Description(type="text", text="abcdef"), characters=3)
    assert WORDS.decode(numbers) == "text text=abc"
    assert END not in numbers
    whole = WORDS.encode(Description(type="text", text="abc"), characters=3)
    assert whole == [*numbers, END]


def test_a_vocabulary_survives_its_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("words") / "vocabulary.json"
    path.write_text(WORDS.to_json(), encoding="utf-8")
    assert DescriberTokenizer.load(path) == WORDS


def test_every_right_answer_is_allowed_word_by_word() -> None:

    for kind in ELEMENT_TYPES:
        may = ATTRIBUTES[kind]
        full = Description(type=kind, subtype="menu" if may.subtype else None,
                           states=dict.fromkeys(may.states, True), text="ab" if may.text else None)  # fmt: skip
        numbers = WORDS.encode(full, characters=9)
        assert WORDS.stages[numbers[0]] == 0
        for before, after in pairwise(numbers):
            allowed = WORDS.allowed[numbers[0], WORDS.stages[before]]
            assert allowed[after], (kind, WORDS.words[before], WORDS.words[after])
            assert not allowed[numbers[0]]
