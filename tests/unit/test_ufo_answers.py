"""The forms of answers that the paper on large action models prints are read: call strings, and the whole answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from demopack.codecs.catalogue import decode_answer
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.observation import Observation
from demopack.domain.actions import ActionTarget, ClickAction, PressKeyAction, ScrollAction, TypeAction
from demopack.domain.elements import ElementType, NumberedElement
from demopack.domain.geometry import Rect, Size
from demopack.errors import ActionError

# Section 3, where the paper's lines break.
SELECT = 'select_text(\n    text="hello")'
CLICK = 'click(on=Button("20"), how="left", double=False)'

# Appendix B.1: the examples of the action call format, and the keys of the answer around them.
BORDERS = """\
{
"step": "change the borders",
"controlLabel": "",
"controlText": "Borders",
"function": "click_input",
"args": {
"button": "left",
"double": false
}
}"""
LABELLED = """\
{
"step": "change the borders",
"controlLabel": "101",
"controlText": "Borders",
"function": "click_input",
"args": {
"control_id": "101",
"button": "left",
"double": false
}
}"""
SELECTED = """\
{
"step": "select the target text",
"controlLabel": "",
"controlText": "",
"function": "select_text",
"args": {
"text": "Test For Fun"
}
}"""
CALLS = (BORDERS, LABELLED, SELECTED)
WHOLE = {
    "observation": "A document with one paragraph.",
    "thought": "The text is selected, then the borders are changed.",
    "new_task": "Change the borders of the text “Test For Fun”.",
}
ACTIONS = [
    ClickAction(target=ActionTarget(text="Borders")),
    ClickAction(target=ActionTarget(element_id=101, text="Borders")),
    ClickAction(target=ActionTarget(text="Test For Fun"), click_type="triple"),
]


def _read(answer: str | dict[str, Any], observation: Observation | None = None) -> DecodedAnswer:
    return decode_answer(answer, dialect="lam", observation=observation)


def _screen(*texts: str, first: int = 20, kind: ElementType = "button") -> Observation:
    elements = [
        NumberedElement(
            number=number, uid=f"e{number}", frame="f", type=kind, box=Rect(0, 10 * at, 50, 10 * at + 9), text=text
        )
        for at, (number, text) in enumerate(enumerate(texts, start=first))
    ]
    return Observation(size=Size(100, 100), elements=elements)


def _code(answer: str | dict[str, Any], observation: Observation | None = None) -> str:
    with pytest.raises(ActionError) as caught:
        _read(answer, observation)
    return caught.value.code


def test_a_selected_text_is_clicked_and_the_note_says_so() -> None:
    parsed = _read(SELECT)
    assert parsed.response.action == ClickAction(target=ActionTarget(text="hello"), click_type="double")
    assert parsed.notes == ("Selecting a text was read as a double click on it.",)
    screen = _screen("Hello ", "world", kind="text")
    assert _read(SELECT, screen).response.action.target == screen.target(screen.elements[0])


def test_a_text_that_does_not_stand_by_itself_cannot_be_selected_by_clicks() -> None:
    assert _code(SELECT, _screen("hello world", kind="text")) == "not_expressible"
    assert _code(SELECT, _screen("hello", "hello", kind="text")) == "not_expressible"
    assert _code(SELECT, _screen("hello", kind="button")) == "not_expressible"  # a click would press it
    assert _code('select_text(text="")') == "not_expressible"


def test_a_click_names_its_control_by_label_or_by_text() -> None:
    assert _read(CLICK).response.action == ClickAction(target=ActionTarget(element_id=20))
    keys = _screen("7", "20", first=1)
    assert _read(CLICK, keys).response.action.target == keys.target(keys.elements[1])
    both = _screen("Copy", first=20)
    assert _read(CLICK, both).response.action.target == both.target(both.elements[0])
    assert _code(CLICK, _screen("7", first=1)) == "no_such_element"
    right = _read('click(on=MenuItem("Save"), how="right", double=False)').response.action
    assert right == ClickAction(target=ActionTarget(text="Save"), click_type="right")
    assert _read('click_input(Button("20"), "left", True)').response.action.parameters == {"click_type": "double"}


def test_call_strings_may_follow_one_another_among_other_words() -> None:
    text = f"First the text, then the button:\n```python\n{SELECT}\n{CLICK}\n```"
    assert [one.action.action_type for one in _read(text).responses] == ["click", "click"]
    typed = _read(
        'set_edit_text(on=Edit("3"), text="a (b)\\n{c: 1}")\nkeyboard_input(keys="{ENTER}")\nwheel_mouse_input(-3)'
    )
    assert [one.action for one in typed.responses] == [
        TypeAction(target=ActionTarget(element_id=3), text_to_type="a (b)\n{c: 1}"),
        PressKeyAction(key_info="Enter"),
        ScrollAction(scroll_direction="down", scroll_steps=3),
    ]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ('fly(on=Button("1"))', "unknown_action"),
        ("insert_table(rows=2, columns=3)", "not_expressible"),
        ('click(on=Button("20"', "code_syntax"),
        ('click(on=Button(Group("20")))', "code_syntax"),
        ("click_input(1, 2, 3, 4, 5)", "bad_parameter"),
        ('select_text(text=Button("20"))', "code_syntax"),
        ("click()", "missing_argument"),
        ("Nothing can be done (yet).", "not_json"),
    ],
)
def test_a_call_string_that_cannot_be_done_is_refused_by_name(answer: str, code: str) -> None:
    assert _code(answer) == code


@pytest.mark.parametrize(
    "plan",
    [
        "\n".join(CALLS),
        "\n".join(json.dumps(json.loads(call)) for call in CALLS),
        list(CALLS),
        [json.loads(call) for call in CALLS],
        [json.loads(BORDERS), LABELLED, 'select_text(text="Test For Fun")'],
    ],
)
@pytest.mark.parametrize("as_text", [True, False])
def test_the_whole_answer_of_the_instantiation_prompt_is_read(plan: object, *, as_text: bool) -> None:
    whole: dict[str, Any] = {**WHOLE, "actions_plan": plan}
    parsed = _read(json.dumps(whole) if as_text else whole)
    assert [one.action for one in parsed.responses] == ACTIONS
    assert [one.reasoning for one in parsed.responses][:2] == [WHOLE["thought"], "change the borders"]
    assert {key: parsed.sections[key] for key in ("observation", "new_task")} == {
        key: WHOLE[key] for key in ("observation", "new_task")
    }
    assert parsed.sections["actions_plan"] == plan


def test_a_plan_without_quotes_and_calls_by_themselves_are_read() -> None:
    calls = "\n".join(CALLS)
    bare = json.dumps(WHOLE)[:-1] + f', "actions_plan": {calls}\n}}'
    assert [one.action for one in _read(bare).responses] == ACTIONS
    assert [one.action for one in _read(calls).responses] == ACTIONS
    assert [one.action for one in _read(f"[{','.join(CALLS)}]").responses] == ACTIONS


def test_a_label_that_stands_in_the_arguments_alone_is_the_controls() -> None:
    call = json.loads(LABELLED) | {"controlLabel": "", "controlText": ""}
    assert _read(call).response.action == ClickAction(target=ActionTarget(element_id=101))


def test_a_plan_that_holds_nothing_or_what_nobody_can_do_is_refused() -> None:
    nothing: tuple[object, ...] = ([], "", None)
    for empty in nothing:
        assert _code({**WHOLE, "actions_plan": empty}) == "no_action"
    assert _code({**WHOLE, "actions_plan": [json.loads(BORDERS), {"function": "insert_table"}]}) == "not_expressible"
    assert _code({**WHOLE, "actions_plan": "click the button"}) == "not_json"
    assert _code({**WHOLE, "actions_plan": [1]}) == "not_an_object"
    assert _code(WHOLE) == "missing_field"
    assert _code("x" * 300_000) == "answer_too_long"


def test_the_seven_keys_of_appendix_c_are_read_whole() -> None:
    answer: dict[str, Any] = {
        "thought": "It is the last step.", "control_label": "20", "control_name": "Bold", "function": "click_input",
        "args": {"button": "left", "double": False}, "status": "FINISH", "plan": [],
    }  # fmt: skip
    parsed = _read(json.dumps(answer), _screen("Bold"))
    assert [one.action.action_type for one in parsed.responses] == ["click", "finish_goal"]
    assert parsed.response.reasoning == answer["thought"]
    assert parsed.sections == {"status": "FINISH"}
    going_on = _read({**answer, "status": "CONTINUE", "plan": ["Save the file."]}, _screen("Bold"))
    assert len(going_on.responses) == 1
    assert going_on.sections == {"plan": ["Save the file."], "status": "CONTINUE"}


@pytest.mark.parametrize("button", ["right", "middle"])
@pytest.mark.parametrize("double", [True, "True", "true", 1])
def test_the_button_of_a_double_click_stays_and_what_cannot_be_said_is_told(button: str, double: object) -> None:
    forms: list[str | dict[str, Any]] = [
        f'click(on=Button("20"), how="{button}", double={double!r})',
        {"function": "click_input", "control_label": "20", "args": {"button": button, "double": double}},
        {"function": "click_on_coordinates", "args": {"x": 0.5, "y": 0.5, "button": button, "double": double}},
    ]
    for form in forms:
        found = decode_answer(form, dialect="ufo", observation=Observation(space="fraction"))
        assert found.response.action.parameters == {"click_type": button}
        assert found.notes == (f"A double click of the {button} button was read as one click of it.",)


def test_a_held_key_that_nobody_knows_is_told_and_no_value_of_double_breaks_the_reading() -> None:
    call = {"function": "click_input", "control_label": "20", "args": {"pressed": "HYPER", "double": [True]}}
    found = decode_answer(call, dialect="ufo", observation=Observation(space="fraction"))
    assert found.response.action.parameters == {}
    assert found.notes == ("Nothing is held meanwhile: HYPER is none of the keys that are.",)
