"""What models answer, in every dialect, is read back into the contract; what cannot be used is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from demopack.codecs.answers import IdealAnswer, encode_answers
from demopack.codecs.catalogue import ANSWER_DIALECTS, decode_answer, feedback
from demopack.codecs.observation import HeldDrag, Observation
from demopack.codecs.recorded_demo import recorded_step
from demopack.domain.actions import Action, WaitAction
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.steps import WindowInfo
from demopack.errors import ActionError, BadInputError
from tests.support.prompt_demos import figure_9

SIZE = Size(160, 210)
SCENE = Observation(
    size=SIZE,
    elements=(
        NumberedElement(
            number=1, frame="f", type="dropdown", box=Rect(1, 55, 152, 76), text="Theodora", track_id="list_0", uid="a"
        ),
        NumberedElement(number=2, frame="f", type="button", box=Rect(1, 80, 98, 112), text="Submit", uid="b"),
    ),
)


def actions(answer: str | dict[str, Any], dialect: str, observation: Observation = SCENE) -> list[Action]:
    return [response.action for response in decode_answer(answer, dialect=dialect, observation=observation).responses]


def code_of(answer: str | dict[str, Any], dialect: str, observation: Observation = SCENE) -> str:
    with pytest.raises(ActionError) as caught:
        decode_answer(answer, dialect=dialect, observation=observation)
    return caught.value.code


# LLMResponse


def test_an_answer_that_says_with_its_action_that_the_task_is_done_ends_it() -> None:
    click = {"action_type": "click", "target": {"element_id": 2}, "parameters": {"click_type": "double"}}
    parsed = decode_answer(
        {"reasoning": "r", "action": click, "is_goal_complete": True}, dialect="llmresponse", observation=SCENE
    )
    assert [(one.action.action_type, one.is_goal_complete) for one in parsed.responses] == [
        ("click", False),
        ("finish_goal", True),
    ]
    assert parsed.response.action.target == SCENE.target(SCENE.elements[1])
    assert parsed.notes == ("The answer says with its click that the task is done: finish_goal was read after it.",)
    line = decode_answer("click(element_id=2, is_goal_complete=true)", dialect="llmresponse")
    assert [one.action.action_type for one in line.responses] == ["click", "finish_goal"]


def test_an_end_that_is_no_success_gives_up() -> None:
    end = {"action_type": "finish_goal", "target": None, "parameters": {}}
    parsed = decode_answer({"reasoning": "r", "action": end, "is_goal_complete": False}, dialect="llmresponse")
    assert parsed.response.action.parameters == {"status": "failure"}
    assert parsed.response.reasoning == "r"
    # A flag that is missing is no word against it.
    assert decode_answer({"reasoning": "r", "action": end}, dialect="llmresponse").response.is_goal_complete


@pytest.mark.parametrize(
    ("written", "note"),
    [
        ('```json\n{"action_type": "wait", "parameters": {"wait_duration_s": 2}}\n```', "fence"),
        ('Sure! {"action_type": "wait", "parameters": {"wait_duration_s": 2}} Good luck.', "Words around"),
        ('{"action_type": "wait", "parameters": {"wait_duration_s": 2,},}', "comma before"),
        ('{"action_type": "wait" // idle\n, "parameters": {"wait_duration_s": 2}}', "Comments"),
        ('{"action_type": "wait"\n"parameters": {"wait_duration_s": 2}}', "missing comma"),
        ("{'action_type': 'wait', 'parameters': {'wait_duration_s': 2}}", "Python"),
        ('{"action_type": "wait", "parameters": {"wait_duration_s": 2', "left open"),
        ('{“action_type”: “wait”, “parameters”: {“wait_duration_s”: 2}}', "Curly"),
        ('wait(wait_duration_s=2)', "notation"),
    ],
)  # fmt: skip
def test_what_models_get_wrong_in_json_is_mended_and_told(written: str, note: str) -> None:
    parsed = decode_answer(written, dialect="llmresponse")
    assert parsed.response.action == WaitAction(wait_duration_s=2)
    assert any(note in line for line in parsed.notes), parsed.notes


def test_mending_never_touches_what_stands_in_quotes() -> None:
    text = "a // b, } True “c” # d"
    answer = '{"reasoning": "", "action": {"action_type": "type", "parameters": {"text_to_type": %s},},}'
    assert actions(answer % json.dumps(text), "llmresponse")[0].parameters == {"text_to_type": text}


def test_a_bare_number_becomes_the_whole_target() -> None:
    (action,) = actions({"action_type": "click", "target": {"element_id": 1}}, "llmresponse")
    assert action.target is not None
    assert action.target.to_wire() == {
        "track_id": "list_0", "element_id": 1, "text": "Theodora", "bbox": [0.00625, 0.261905, 0.94375, 0.1],
    }  # fmt: skip


# CAAP

DOWN = "Action_2=(Action: functions.drag_mouse_hold_down, Argument: {x: 1, y: 1})"
ANSWER = """Review: only the start so far.
Plan: open the list, pick Helli, then
Action_9=(Action: functions.click_element, Argument: {element_id: 2})
Actions:
Action_2=(Action: functions.click_element, Argument: {element_id: 1})
Action_3=(Action: functions.type_text, Argument: {string_to_type: "He said: \\"a) } b\\""})
"""


def test_the_last_block_of_caap_lines_counts_and_the_sections_are_kept() -> None:
    parsed = decode_answer(ANSWER, dialect="caap", observation=SCENE)
    click, typed = (response.action for response in parsed.responses)
    assert click.target is not None
    assert (click.action_type, click.target.element_id) == ("click", 1)
    assert typed.parameters == {"text_to_type": 'He said: "a) } b"'}
    assert parsed.sections["Review"] == "only the start so far."


def test_a_caap_drag_is_one_action_even_over_two_answers() -> None:
    first = "Action_2=(Action: functions.drag_mouse_hold_down, Argument: {x: 16, y: 21})"
    rest = """Action_3=(Action: functions.drag_mouse_move, Argument: {x: 32, y: 21})
Action_4=(Action: functions.drag_mouse_move, Argument: {x: 80, y: 105})
Action_5=(Action: functions.drag_mouse_release, Argument: {})"""
    begun = decode_answer(first, dialect="caap", observation=SCENE)
    assert begun.responses == ()
    assert begun.held == HeldDrag(start=Point(16, 21))
    with pytest.raises(ActionError, match="does not end it"):
        _ = begun.response
    ended = decode_answer(rest, dialect="caap", observation=Observation(size=SIZE, held=begun.held))
    assert ended.held is None
    assert ended.response.action.target is not None
    assert ended.response.action.target.bbox == (0.1, 0.1, 0, 0)
    assert ended.response.action.parameters == {"end_target": {"bbox": [0.5, 0.5, 0, 0]}, "path": [[0.2, 0.1]]}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("I would click the list.", "no_action_line"),
        ("Action_2=(Action: functions.press_enter, Argument: {})", "unknown_action"),
        ("Action_2=(Action: functions.click_element, Argument: {element_id: 3})", "no_such_element"),
        ("Action_2=(Action: functions.click_element, Argument: {})", "missing_argument"),
        ("Action_2=(Action: functions.click_new_point, Argument: {x: 161, y: 3})", "off_screen"),
        ("Action_2=(Action: functions.drag_mouse_release, Argument: {})", "no_drag"),
        (f"{DOWN}\nAction_3=(Action: functions.click_element, Argument: {{element_id: 1}})", "drag_in_progress"),
        (f"{DOWN}\nAction_3=(Action: functions.drag_mouse_release)", "drag_without_end"),
    ],
)  # fmt: skip
def test_a_caap_answer_that_cannot_be_done_is_refused_by_name(line: str, code: str) -> None:
    assert code_of(line, "caap") == code


def test_the_names_of_the_released_code_are_read_too() -> None:
    lines = "Action_2=(Action: drag_mouse_down, Argument: {x: 1, y: 1})\nAction_3=(Action: drag_mouse_move, Argument: {x: 9, y: 9})\nAction_4=(Action: drag_mouse_up)"  # noqa: E501
    assert [action.action_type for action in actions(lines, "caap")] == ["drag"]


def test_an_element_before_the_first_is_refused_without_a_list_too() -> None:
    line = "Action_2=(Action: functions.click_element, Argument: {element_id: 0})"
    with pytest.raises(ActionError) as caught:
        decode_answer(line, dialect="caap", observation=Observation(size=SIZE))
    assert caught.value.code == "bad_element_id"


# UiPath


def uipath(kind: str, description: str = "Click the 'Submit' button.", **parameters: Any) -> dict[str, Any]:
    return {"thought": "t", "action": {"type": kind, "description": description, "parameters": parameters}}


def test_a_described_target_is_found_by_its_quoted_text_or_by_its_words() -> None:
    for words in ("Click the 'Submit' button.", "Click “submit”", 'Press "SUBMIT" below', "Click the dropdown list"):
        (action,) = actions(uipath("click", words), "uipath")
        assert action.target is not None
        assert action.target.element_id == (1 if "dropdown" in words else 2), words
    assert code_of(uipath("click", "Click the search icon"), "uipath") == "not_grounded"


def test_the_aliases_of_the_original_are_corrected_and_told() -> None:
    for alias, kind in (("press", "press_key"), ("move_mouse", "hover"), ("type_into", "type"), ("wait_load", "wait")):
        parsed = decode_answer(uipath(alias, key="Ctrl A", text="x"), dialect="uipath", observation=SCENE)
        assert parsed.response.action.action_type == kind
        assert any("was read as" in note for note in parsed.notes)


def test_uipath_parameters_are_checked() -> None:
    assert code_of(uipath("scroll", "Scroll the page", distance=3), "uipath") == "missing_argument"
    assert code_of(uipath("scroll", "Scroll the page", direction="sideways"), "uipath") == "bad_parameter"
    assert code_of(uipath("finish", "Done."), "uipath") == "missing_argument"
    assert code_of(uipath("key_press", key="Ctrl Click"), "uipath") == "bad_parameter"
    assert code_of(uipath("fly"), "uipath") == "unknown_action"
    assert code_of({"thought": "nothing"}, "uipath") == "missing_field"
    (scroll,) = actions(uipath("scroll", "Scroll the page", direction="Down", distance="6"), "uipath")
    assert scroll.parameters == {"scroll_direction": "down", "scroll_steps": 6}


def test_memory_operations_are_read_and_checked() -> None:
    store = {"key": "price", "value": "12", "description": "of the lamp"}
    answer = {**uipath("wait"), "update_memory": [store, {"type": "no_op"}, {"type": "delete_info", "key": "name"}]}
    parsed = decode_answer(answer, dialect="uipath", observation=SCENE)
    assert [operation["type"] for operation in parsed.memory] == ["store_info", "delete_info"]
    assert parsed.memory[0]["info_type"] == "data_update"
    assert code_of({**uipath("wait"), "update_memory": [{"type": "store_info", "value": 1}]}, "uipath") == "bad_memory"


# LAM and UFO


def lam(function: str, label: str = "2", name: str = "Submit", status: str = "CONTINUE", **args: Any) -> dict[str, Any]:
    return {"thought": "t", "control_label": label, "control_name": name, "function": function, "args": args,
            "status": status, "plan": ["rest"]}  # fmt: skip


def test_an_answer_that_acts_and_finishes_becomes_two_responses() -> None:
    parsed = decode_answer(
        lam("click_input", status="FINISH", button="left", double=False), dialect="lam", observation=SCENE
    )
    assert [r.action.action_type for r in parsed.responses] == ["click", "finish_goal"]
    assert [r.is_goal_complete for r in parsed.responses] == [False, True]
    assert parsed.sections["plan"] == ["rest"]


def test_the_label_wins_over_the_text_and_that_is_told() -> None:
    parsed = decode_answer(lam("click_input", name="Cancel", button="left"), dialect="ufo", observation=SCENE)
    assert parsed.response.action.target is not None
    assert parsed.response.action.target.text == "Submit"
    assert any("“Cancel”" in note for note in parsed.notes)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (lam("click_input", label="7"), "no_such_element"),
        (lam("click_input", label="", name="Cancel"), "no_such_element"),
        (lam("click_input", label="", name=""), "missing_argument"),
        (lam("select_text", text="a"), "not_expressible"),
        (lam("fly"), "unknown_action"),
        (lam("wheel_mouse_input", wheel_dist="far"), "bad_parameter"),
        (lam("set_edit_text"), "missing_argument"),
    ],
)
def test_a_ufo_answer_that_cannot_be_done_is_refused_by_name(answer: dict[str, Any], code: str) -> None:
    assert code_of(answer, "ufo") == code


def test_fractions_of_ufo_are_of_the_window_as_its_writer_means_them() -> None:
    demo = figure_9()
    first = demo.steps[0]
    step = recorded_step(
        first.recorded.but(window=WindowInfo(box=Rect(40, 60, 140, 160)), target_uid=None),
        head=demo.head,
        index=0,
        response=first.response,
        description=first.description,
        elements=first.observation.elements,
        image=first.observation.image,
    )
    observation, pointer = step.observation, step.recorded.pointer
    assert observation.window == Rect(40, 60, 140, 160)
    (answer,) = encode_answers("ufo", IdealAnswer(act=step.placed))
    action = decode_answer(answer, dialect="ufo", observation=observation).response.action
    assert pointer is not None
    assert action.target is not None
    assert action.target.bbox is not None
    assert json.loads(str(answer))["function"] == "click_on_coordinates"
    assert action.target.bbox[:2] == pytest.approx((pointer.x / 160, pointer.y / 210), abs=0.005)


@pytest.mark.parametrize(
    ("keys", "kind", "parameters"),
    [
        ("^c", "press_key", {"key_info": "Ctrl+C"}),
        ("^+{TAB}", "press_key", {"key_info": "Ctrl+Shift+Tab"}),
        ("{PGDN 3}", "press_key", {"key_info": "PageDown", "presses": 3}),
        ("Hello{ENTER}", "type", {"text_to_type": "Hello", "submit": True}),
        ("a{+}b {%}", "type", {"text_to_type": "a+b %"}),
        ("a{ENTER}b", "type", {"text_to_type": "a\nb"}),
    ],
)
def test_the_keys_of_pywinauto_are_read(keys: str, kind: str, parameters: dict[str, Any]) -> None:
    (action,) = actions(lam("keyboard_input", keys=keys), "ufo")
    assert (action.action_type, action.parameters) == (kind, parameters)


# Coordinates


def test_each_dialect_has_its_own_space_and_the_scene_may_say_otherwise() -> None:
    middle = (0.5, 0.5, 0.0, 0.0)
    for dialect, answer in {
        "openai": {"type": "computer_call", "action": {"type": "click", "button": "left", "x": 80, "y": 105}},
        "anthropic": {"content": [{"type": "tool_use", "name": "left_click", "input": {"coordinate": [80, 105]}}]},
        "gemini": {"parts": [{"function_call": {"name": "click", "args": {"x": 500, "y": 500}}}]},
        "qwen": '<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 500]}}',
        "ui-tars": "Thought: t\nAction: click(start_box='<|box_start|>(500,500)<|box_end|>')",
        "agentnet": "pyautogui.click(x=0.5, y=0.5)",
        "pyautogui": "```python\nimport pyautogui\npyautogui.click(80, 105)\n```",
        "osworld": '{"action_type": "CLICK", "x": 80, "y": 105}',
    }.items():
        (action,) = actions(answer, dialect)  # type: ignore[arg-type]
        assert action.target is not None
        assert action.target.bbox == middle, dialect
    pixels = Observation(size=SIZE, space="pixels")
    (action,) = actions("Action: click(point='<point>80 105</point>')", "ui-tars", pixels)
    assert action.target is not None
    assert action.target.bbox == middle
    assert code_of("Action: click(start_box='(1200,3)')", "ui-tars") == "off_screen"
    assert code_of({"type": "click", "x": 1, "y": 1}, "openai", Observation()) == "unknown_size"


def test_calls_that_mean_one_action_are_joined_and_told() -> None:
    held = "pyautogui.keyDown('ctrl')\npyautogui.click(80, 105)\npyautogui.keyUp('ctrl')"
    assert actions(held, "pyautogui")[0].parameters == {"modifiers": ["ctrl"]}
    drag = "pyautogui.moveTo(16, 21)\npyautogui.dragTo(80, 105, button='left')"
    (dragged,) = actions(drag, "pyautogui")
    assert dragged.target is not None
    assert (dragged.action_type, dragged.target.bbox) == ("drag", (0.1, 0.1, 0.0, 0.0))
    batch = [{"type": "type", "text": "Ada"}, {"type": "keypress", "keys": ["ENTER"]}]
    parsed = decode_answer({"type": "computer_call", "actions": batch}, dialect="openai", observation=SCENE)
    assert parsed.response.action.parameters == {"text_to_type": "Ada", "submit": True}
    assert parsed.notes
    assert actions("Action: type(content='Ada\\n')", "ui-tars")[0].parameters == {"text_to_type": "Ada", "submit": True}


@pytest.mark.parametrize(
    ("written", "keys"),
    [("ctrl c", "Ctrl+C"), ("ctrl+shift+t", "Ctrl+Shift+T"), ("ctrl +", "Ctrl+Plus"), ("ctrl++", "Ctrl+Plus"),
     ("Page_Down", "PageDown"), ("super+l", "Meta+L"), ("XF86AudioMute", "VolumeMute"), ("+", "Plus")],
)  # fmt: skip
def test_keys_are_read_in_every_spelling(written: str, keys: str) -> None:
    for dialect, answer in {
        "anthropic": {"content": [{"type": "tool_use", "name": "key", "input": {"text": written}}]},
        "ui-tars": f"Action: hotkey(key='{written}')",
        "uipath": uipath("key_press", key=written),
    }.items():
        assert actions(answer, dialect)[0].parameters == {"key_info": keys}, dialect  # type: ignore[arg-type]
    assert code_of("Action: hotkey(key='ctrl warp')", "ui-tars") == "unknown_key"


def test_the_older_tools_of_gemini_and_anthropic_are_read() -> None:
    at = {"x": 500, "y": 500, "text": "Ada", "clear_before_typing": True, "press_enter": True}
    found = actions({"parts": [{"function_call": {"name": "type_text_at", "args": at}}]}, "gemini")
    assert [action.action_type for action in found] == ["click", "press_key", "type"]
    assert found[2].parameters == {"text_to_type": "Ada", "submit": True}
    drag = [{"function_call": {"name": "mouse_down", "args": {"x": 100, "y": 100}}},
            {"function_call": {"name": "mouse_up", "args": {"x": 500, "y": 500}}}]  # fmt: skip
    assert [action.action_type for action in actions({"parts": drag}, "gemini")] == ["drag"]
    hold = {"content": [{"type": "tool_use", "name": "hold_key", "input": {"text": "shift", "duration": 2}}]}
    assert actions(hold, "anthropic")[0].parameters == {"key_info": "Shift"}


def test_several_calls_on_a_line_and_odd_backslashes_are_read() -> None:
    found = actions("pyautogui.click(80, 105); pyautogui.write('\\d+')", "pyautogui")
    assert [action.action_type for action in found] == ["click", "type"]
    assert found[1].parameters == {"text_to_type": "\\d+"}
    assert code_of("pyautogui.click(80, 105); x = 3", "pyautogui") == "code_syntax"
    (typed,) = actions("{'action_type': 'type', 'parameters': {'text_to_type': '\\d+'}}", "llmresponse")
    assert typed.parameters == {"text_to_type": "\\d+"}


def test_a_message_without_a_call_ends_the_task() -> None:
    for text, success in (("The file is saved.", True), ("I could not find the file.", False)):
        parsed = decode_answer({"content": [{"type": "text", "text": text}]}, dialect="anthropic", observation=SCENE)
        assert parsed.response.is_goal_complete is success
        assert parsed.response.reasoning == text
    assert code_of({"content": []}, "anthropic") == "no_action"


def test_code_is_read_and_never_run(tmp_path: Any) -> None:
    trap = tmp_path / "ran"
    assert code_of(f"__import__('pathlib').Path({str(trap)!r}).touch()", "pyautogui") in {
        "unknown_action",
        "code_syntax",
    }
    assert code_of(f"pyautogui.write(open({str(trap)!r}, 'w'))", "pyautogui") == "code_syntax"
    assert not trap.exists()


# Feedback


@pytest.mark.parametrize("dialect", ANSWER_DIALECTS)
def test_an_unusable_answer_gets_words_that_name_the_mistake_and_the_form(dialect: str) -> None:
    answer: Any = {"action_type": "fly"} if dialect not in {"ui-tars", "agentnet", "pyautogui"} else "fly()"
    with pytest.raises(ActionError) as caught:
        decode_answer(answer, dialect=dialect, observation=SCENE)
    text = feedback(caught.value, dialect=dialect)
    assert caught.value.user_message in text
    assert "Answer again, " in text
    assert "{{" not in text


def test_an_unknown_dialect_is_named() -> None:
    with pytest.raises(BadInputError, match="klingon"):
        decode_answer("{}", dialect="klingon")
