"""The published examples that these prompts go back to, rebuilt and read; the faults of the originals are named.

Sentences are our own; what is compared is the data: actions, elements, keys, order of the parts.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Sequence
from typing import Any, Literal

import jsonschema
import pytest

from demopack.codecs.answers import IdealAnswer, encode_answers
from demopack.codecs.caap import NEAREST, TABLE_2, element_losses, seen_by_caap
from demopack.codecs.catalogue import CODECS, decode_answer
from demopack.codecs.observation import Observation
from demopack.codecs.specimens import SPECIMENS
from demopack.codecs.texts import texts
from demopack.codecs.uipath_registry import ACTIONS
from demopack.domain.actions import ActionTarget, ClickAction, FinishGoalAction, parse_response
from demopack.domain.elements import ELEMENT_TYPES, STATES, Element, ElementType, NumberedElement
from demopack.domain.geometry import Rect, Size
from demopack.domain.ports import StepBrief, StepContext
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale, caap_paragraph
from demopack.errors import ActionError
from demopack.jobs import JobControl
from demopack.prompting.agent_state import AgentState, live_step
from demopack.prompting.caap_prompts import element_list
from demopack.prompting.chat_prompts import uipath_system
from demopack.prompting.function_definitions import functions_for
from demopack.prompting.prompt import PromptOptions
from demopack.prompting.prompt_builder import render
from models.language.prompts import PromptCatalogue
from models.language.step_questions import step_question
from models.language.writers import ModelWriter
from tests.support.fake_language import FakeModel, texts_of, thought
from tests.support.prompt_demos import Thing, figure_8, figure_9, told_demo

# 000: LLMResponse. Fault of the original: it imports Literal from pydantic and checks nothing across fields.

LLM_RESPONSES = [
    {
        "reasoning": "Clicking the tracked login button (track_id 'btn_login_0').",
        "action": {
            "action_type": "click",
            "target": {"track_id": "btn_login_0", "text": "Login"},
            "parameters": {},
        },
        "is_goal_complete": False,
    },
    {
        "reasoning": "Typing username 'testuser' into the 'Username' field.",
        "action": {
            "action_type": "type",
            "target": {"text": "Username"},
            "parameters": {"text_to_type": "testuser"},
        },
        "is_goal_complete": False,
    },
    {
        "reasoning": "Login successful, goal complete.",
        "action": {"action_type": "finish_goal", "target": None, "parameters": {}},
        "is_goal_complete": True,
    },
]


@pytest.mark.parametrize("wire", LLM_RESPONSES)
def test_000_its_examples_are_read_and_shown_again_unchanged(wire: dict[str, Any]) -> None:
    parsed = decode_answer(json.dumps(wire, indent=2), dialect="llmresponse")
    assert parsed.notes == ()
    assert parsed.response.to_wire() == wire
    step = live_step(parsed.response, Observation())
    shown = render(AgentState(task="Log in", history=[step]), [], dialect="llmresponse")
    assert step.description in shown.messages[-1].text


def test_000_what_the_original_let_pass_is_refused_with_words_for_the_model() -> None:
    for change, code in (
        ({"action_type": "click", "target": None}, "click_without_target"),
        ({"action_type": "type", "target": None, "parameters": {}}, "type_without_text"),
        ({"action_type": "click", "target": {"element_id": -4}}, "bad_element_id"),
        ({"action_type": "click", "target": {"text": ""}}, "empty_text"),
    ):
        with pytest.raises(ActionError) as caught:
            decode_answer({"reasoning": "", "action": change, "is_goal_complete": False}, dialect="llmresponse")
        assert caught.value.code == code


# 001: UiPath's planner, its twelve actions with its parameters.
# Faults of the original: its scroll example has no distance and its two mouse_move examples name an action that its
# enum calls move_mouse, so its own validator refuses three of its examples; numbers stand in quotes; the description
# of finish is a tuple; one example lacks a comma.

UIPATH_ACTIONS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"type": "click", "description": "Click the 'Next' button."}, {"action_type": "click"}),
    ({"type": "right_click", "description": "Right click on the 'Next' button to open the context menu."},
     {"action_type": "click", "parameters": {"click_type": "right"}}),
    ({"type": "double_click", "description": "Double click 'Next'."},
     {"action_type": "click", "parameters": {"click_type": "double"}}),
    ({"type": "triple_click", "description": "Triple click the second paragraph to select it."},
     {"action_type": "click", "parameters": {"click_type": "triple"}}),
    ({"type": "type", "description": "Type 'John' in the first name input box.", "parameters": {"text": "John"}},
     {"action_type": "type", "parameters": {"text_to_type": "John"}}),
    ({"type": "scroll", "description": "Scroll down the user table to see more content.",
      "parameters": {"element_description": "Users table", "direction": "down", "distance": "6"}},
     {"action_type": "scroll", "parameters": {"scroll_direction": "down", "scroll_steps": 6}}),
    ({"type": "scroll", "description": "Scroll up to the top of the page.",
      "parameters": {"element_description": "the main page", "direction": "up"}},
     {"action_type": "scroll", "parameters": {"scroll_direction": "up", "scroll_steps": 3}}),
    ({"type": "drag", "description": "Drag the response.txt file to the responses folder",
      "parameters": {"start_description": "the response.txt file", "end_description": "the responses folder"}},
     {"action_type": "drag"}),
    ({"type": "mouse_move", "description": "Move the mouse to the 'Submit' button."}, {"action_type": "hover"}),
    ({"type": "key_press", "description": "Press 'Ctrl A' to select all text.", "parameters": {"key": "Ctrl A"}},
     {"action_type": "press_key", "parameters": {"key_info": "Ctrl+A"}}),
    ({"type": "key_press", "description": "Press Pagedown key.", "parameters": {"key": "Pagedown"}},
     {"action_type": "press_key", "parameters": {"key_info": "PageDown"}}),
    ({"type": "extract_data", "description": "Extract the product name and price from the screen.",
      "parameters": {"description": "Available product name and price",
                     "data": "Product Name: iPhone 14, Price: $999"}},
     {"action_type": "extract_data"}),
    ({"type": "wait", "description": "Wait for the running command to finish."}, {"action_type": "wait"}),
    ({"type": "finish", "description": "Task completed successfully.", "parameters": {"status": "success"}},
     {"action_type": "finish_goal", "parameters": {}}),
]  # fmt: skip


@pytest.mark.parametrize(("written", "wanted"), UIPATH_ACTIONS)
def test_001_every_action_is_read(written: dict[str, Any], wanted: dict[str, Any]) -> None:
    (response,) = decode_answer({"thought": "t", "action": written}, dialect="uipath").responses
    assert response.action.action_type == wanted["action_type"]
    if "parameters" in wanted:
        assert response.action.parameters == wanted["parameters"]


def test_001_the_registry_has_the_twelve_actions_and_its_prompt_shows_only_what_it_accepts() -> None:
    kinds = list(ACTIONS)
    assert kinds == [
        "click", "right_click", "double_click", "triple_click", "type", "scroll", "drag", "mouse_move", "key_press",
        "extract_data", "wait", "finish",
    ]  # fmt: skip
    assert {written["type"] for written, _ in UIPATH_ACTIONS} == set(kinds)
    shown = [json.loads(line) for line in uipath_system().split("\n") if line.startswith('{"type"')]
    actions = [item for item in shown if not item["type"].endswith(("_info", "_op"))]
    assert {item["type"] for item in actions} == set(kinds)
    for action in actions:
        refuse_unlike_registry(action)
        decode_answer({"action": action}, dialect="uipath")
    for trace in ("dict_keys", "('", "{{", "None"):
        assert trace not in uipath_system()


def refuse_unlike_registry(action: dict[str, Any]) -> None:
    """An example is a whole call: each parameter that the registry names, and no other."""
    assert set(action) <= {"type", "description", "parameters"}
    schema = {**ACTIONS[action["type"]].function()["parameters"], "additionalProperties": False}
    jsonschema.validate({"description": action["description"], **action.get("parameters", {})}, schema)


def test_001_the_originals_examples_that_its_own_validator_refuses_are_no_examples_of_the_registry() -> None:
    with pytest.raises(jsonschema.ValidationError, match="distance"):
        refuse_unlike_registry(UIPATH_ACTIONS[6][0])
    assert "move_mouse" not in ACTIONS


def test_001_the_example_without_its_comma_is_read_and_told() -> None:
    broken = """{
    "type": "scroll",
    "description": "Scroll page to make the 'Username' input field fully visible."
    "parameters": {"element_description": "the main page", "direction": "down", "distance": 3}
    }"""
    parsed = decode_answer(broken, dialect="uipath")
    assert parsed.response.action.parameters == {"scroll_direction": "down", "scroll_steps": 3}
    assert any("comma" in note for note in parsed.notes)


# 002: CAAP. Faults of the original: Figure 9 announces five sections and lists four; its demonstrations leave the
# states out that the current list has; the released code puts the last response behind the history, and names two
# actions otherwise than its function list.

HELLI = Observation(
    size=Size(160, 210),
    elements=(
        NumberedElement(
            number=1,
            uid="e1",
            frame="f",
            type="dropdown",
            box=Rect(1, 55, 152, 76),
            text="Theodora",
            states={"focused": False},
        ),
        NumberedElement(
            number=2,
            uid="e2",
            frame="f",
            type="button",
            box=Rect(1, 80, 98, 112),
            text="Submit",
            states={"focused": False},
        ),
    ),
)


FIGURE_10 = [
    "Analysis of Action History", "Description of Screen Components", "Completion Plan", "Actions to be Performed",
]  # fmt: skip

# Table 2: type, subtype, checked/focused/highlighted, text; "x" where the paper has a tick.
TABLE_2_OF_THE_PAPER = """Text - x x
Hyperlink - x x
Button - x x
Radio - x x
Checkbox - x x
Dropdown - x x
Input Field - x x
Text Area - x -
Resize Handle - - -
Scrollbar - - -
Tabled Text - x x
Draggable Text - - x
Shape x - -
Icon x x -"""


def test_002_table_2_is_what_elements_are_told_with() -> None:
    rows = [line.rsplit(" ", 3) for line in TABLE_2_OF_THE_PAPER.split("\n")]
    assert {kind.lower().replace(" ", "_"): [one == "x" for one in ticks] for kind, *ticks in rows} == {
        kind: [may.subtype, bool(may.states), may.text] for kind, may in TABLE_2.items()
    }
    assert {state for may in TABLE_2.values() for state in may.states} == {"checked", "focused", "highlighted"}
    assert set(NEAREST.values()) < set(TABLE_2)
    assert not set(NEAREST) & set(TABLE_2)


@pytest.mark.parametrize("kind", ELEMENT_TYPES)
@pytest.mark.parametrize("value", [True, False])
def test_002_no_element_is_told_with_more_than_table_2_has(kind: ElementType, value: bool) -> None:
    element = NumberedElement(
        number=7, uid="e", frame="f", type=kind, box=Rect(2, 4, 6, 8), text="Two\nlines", subtype="minimize",
        states=dict.fromkeys(STATES, value),
    )  # fmt: skip
    (line, *rest) = element_list([element]).split("\n")
    assert rest == []
    seen = seen_by_caap(element)
    prompt = render(
        AgentState(task="t", observation=Observation(size=Size(9, 9), elements=(element,))), [], dialect="caap"
    )
    if seen is None:
        assert kind in {"slider", "image", "window", "dialog", "toolbar", "other"}
        assert line == ""
        assert prompt.notes == (f"Elements of the screen are left out, caap has no type for them: 7 ({kind}).",)
        return
    may = TABLE_2[seen.type]
    fields = re.findall(r"(\w+): ", line.partition("data: ")[2])
    wanted = {"type", "X", "Y", *may.states, *(["text"] if may.text else [])}
    assert set(fields) == wanted
    assert ('text: "Two lines"' in line) is may.text
    assert element_losses(element, seen)[-1] == "element_details"  # "disabled" at least
    assert prompt.notes[-1].endswith("caap has no such type, state or text: 7.")


def test_002_what_entries_of_menus_and_lists_are_is_as_in_the_papers_figure() -> None:
    # Figure 9: a name of an opened list is a tabled_text.
    item = NumberedElement(number=1, uid="e", frame="f", type="list_item", box=Rect(0, 109, 151, 125), text="Janella")
    assert '{type: tabled_text, X: 76 [0-151], Y: 117 [109-125], text: "Janella"}' in element_list([item])


def test_002_control_is_kept_where_no_element_is_known() -> None:
    act = SPECIMENS["click, Ctrl held"]
    bare = dataclasses.replace(act, target=None)
    made = CODECS["caap"].encode(bare)
    assert made.calls == ({"name": "control_click_element", "arg": "{x=500, y=100}"},)
    assert made.losses == ("element_place",)
    (answer,) = encode_answers("caap", IdealAnswer(act=bare))
    (response,) = decode_answer(answer, dialect="caap", observation=Observation(size=Size(1000, 500))).responses
    assert isinstance(response.action, ClickAction)
    assert response.action.modifiers == ("ctrl",)
    assert response.action.target is not None
    assert response.action.target.bbox == (0.5, 0.2, 0, 0)


def test_002_no_action_is_missing_from_a_history_that_calls_itself_correct() -> None:
    field: Thing = ("input_field", (10, 10, 60, 30), "", {})
    acts: list[tuple[str, int | None, dict[str, Any]]] = [
        ("type", None, {"text_to_type": "Ada", "submit": True}), ("press_key", None, {"key_info": "Tab"}),
        ("press_key", None, {"key_info": "Ctrl+U"}), ("scroll", None, {"scroll_direction": "down", "scroll_steps": 3}),
        ("click", 0, {"modifiers": ["shift"]}), ("click", 0, {}), ("finish_goal", None, {}),
    ]  # fmt: skip
    demo = told_demo("demo_n", "Fill in the form", [[field]] * len(acts), acts)
    prompt = render(AgentState(task="t", observation=HELLI, history=demo.steps), [], dialect="caap")
    told = (prompt.part("history") or "").split("\n")
    assert told[1:] == [
        "action_1: {name: start}",
        'action_2: {name: type_text, arg: "Ada"}',
        r'action_3: {name: type_text, arg: "\n"}',
        r'action_4: {name: type_text, arg: "\t"}',
        'note: {done: "Pressed Ctrl+U"}',
        'note: {done: "Scrolled down by 3"}',
        'note: {done: "Shift+clicked the input field"}',
        'action_5: {name: click_element, arg: {type: input_field, X: 35 [10-60], Y: 20 [10-30], text: ""}}',
        texts("caap").get("notes"),
    ]
    assert "Action_6=(" in (prompt.part("answer") or "")
    lines = 'Action_2=(Action: functions.type_text, Argument: {string_to_type: "Ada"})\n' + "\n".join(
        f'Action_{n}=(Action: functions.type_text, Argument: {{string_to_type: "{key}"}})'
        for n, key in ((3, r"\n"), (4, r"\t"))
    )
    typed, tab = decode_answer(lines, dialect="caap", observation=HELLI).responses
    assert (typed.action, tab.action) == (demo.steps[0].response.action, demo.steps[1].response.action)


def test_002_figure_9_the_lines_of_demonstration_history_and_elements() -> None:
    situation = AgentState(task="Select Helli from the list and click Submit.", observation=HELLI)
    prompt = render(situation, [figure_9()], dialect="caap")
    demo = (prompt.part("demos") or "").split("\n")
    lines = [re.sub(r', reason: ".*"\}$', "}", line) for line in demo if line.startswith("demo_action")]
    assert lines[0] == "demo_action_1: {name: start}"
    assert [line.partition("{name: click_element, arg: ")[2].removesuffix("}") for line in lines[1:]] == [
        '{type: dropdown, X: 76 [0-151], Y: 66 [56-76], text: "Storm"}',
        '{type: tabled_text, X: 76 [0-151], Y: 117 [109-125], text: "Janella"}',
        '{type: button, X: 50 [1-98], Y: 96 [79-112], text: "Submit"}',
    ]
    assert [line.split(":")[0] for line in lines] == [f"demo_action_{number}" for number in range(1, 5)]
    assert "TASK: Select Janella from the list and click Submit." in demo
    assert "demo_action_2" in (prompt.part("demos") or "")
    assert 'reason: "The list has to be opened. It worked."' in (prompt.part("demos") or "")
    assert (prompt.part("history") or "").endswith("action_1: {name: start}")
    assert element_list(HELLI.elements).split("\n") == [
        '- ID: element_1, data: {type: dropdown, X: 76 [1-152], Y: 66 [55-76], text: "Theodora", focused: False}',
        '- ID: element_2, data: {type: button, X: 50 [1-98], Y: 96 [80-112], text: "Submit", focused: False}',
    ]
    assert element_list(HELLI.elements) in (prompt.part("elements") or "")


def test_002_figures_3_and_9_the_order_of_the_parts_and_four_sections_where_four_are_announced() -> None:
    situation = AgentState(task="t", observation=HELLI, last_response="I opened the list.", failure="no element 7")
    prompt = render(situation, [figure_9()], dialect="caap")
    assert [name for message in prompt.messages for name in message.parts] == [
        "premise", "demos", "situation", "task", "last_response", "history", "failure", "elements",
        "ask", "opening", "review", "screen", "plan", "answer", "guards",
    ]  # fmt: skip
    opening = prompt.part("opening") or ""
    names = opening.rpartition(": ")[2].rstrip(".").split(", ")
    assert names == FIGURE_10
    assert "four sections" in opening
    assert len(names) == 4
    for name, part in zip(names, ("review", "screen", "plan", "answer"), strict=True):
        assert (prompt.part(part) or "").startswith(f"{name}: ")
    assert len((prompt.part("guards") or "").split("\n")) == 4


def test_002_figure_10_the_models_answer_is_read() -> None:
    answer = """### Analysis of Action History
So far only action_1: {name: start}.

### Completion Plan
Click the dropdown (element_1), then the name, then "Submit" (element_2).

### Actions to be Performed
Action_2=(Action: functions.click_element, Argument: {element_id: 1})
"""
    parsed = decode_answer(answer, dialect="caap", observation=HELLI)
    assert parsed.response.action.target is not None
    assert parsed.response.action.target.text == "Theodora"
    assert list(parsed.sections) == ["Analysis of Action History", "Completion Plan", "Actions to be Performed"]
    step = live_step(parsed.response, HELLI)
    following = render(
        AgentState(task="t", observation=HELLI, history=[step], last_response=answer), [], dialect="caap"
    )
    assert "Action_3=(" in (following.part("answer") or "")
    assert 'action_2: {name: click_element, arg: {type: dropdown, X: 76 [1-152], Y: 66 [55-76], text: "Theodora"' in (
        following.part("history") or ""
    )


def test_002_figure_11_and_table_3_the_functions() -> None:
    functions = {item["name"]: item for item in functions_for("caap")}
    assert list(functions) == [
        "click_element", "click_new_point", "control_click_element", "type_text", "point_element", "press_control_A",
        "press_control_C", "press_control_V", "drag_mouse_hold_down", "drag_mouse_move", "drag_mouse_release",
    ]  # fmt: skip
    for name, property_name, kind in (
        ("click_element", "element_id", "integer"),
        ("type_text", "string_to_type", "string"),
    ):
        schema = functions[name]["parameters"]
        assert (schema["type"], schema["required"]) == ("object", [property_name])
        assert schema["properties"][property_name]["type"] == kind
    call = {"tool_calls": [{"function": {"name": "click_element", "arguments": '{"element_id": 1}'}}]}
    assert decode_answer(call, dialect="caap", observation=HELLI).response.action.action_type == "click"


# Figure 8: the script, and the screens before and after action_2.
FIGURE_8 = """TASK: Select EiTE and click Submit.
action_1: {name: start, reason: "Initiating the task."}
action_2: {name: click_element, arg: {type: radio, X: 31 [10-52], Y: 62 [55-70], checked: False, text: "EiTE"}}
action_3: {name: click_element, arg: {type: button, X: 50 [2-98], Y: 114 [99-130], text: "Submit", focused: False}}
demo_element_1: {type: radio, X: 31 [10-52], Y: 62 [55-70], checked: False, text: "EiTE", visible: True}
demo_element_2: {type: radio, X: 38 [10-67], Y: 80 [73-88], checked: False, text: "vAzBm9", visible: True}
demo_element_3: {type: button, X: 50 [2-98], Y: 114 [99-130], text: "Submit", focused: False, visible: True}
demo_element_1: {type: radio, X: 31 [10-52], Y: 62 [55-70], checked: True, text: "EiTE", visible: True}
demo_element_2: {type: radio, X: 38 [10-67], Y: 80 [73-88], checked: False, text: "vAzBm9", visible: True}
demo_element_3: {type: button, X: 50 [2-98], Y: 114 [99-130], text: "Submit", focused: False, visible: True}"""


@pytest.mark.parametrize("mode", ["hindsight", "caap"])
def test_002_figure_8_is_what_is_sent_for_a_rationale_in_hindsight(mode: Literal["hindsight", "caap"]) -> None:
    steps = figure_8().steps
    briefs = [StepBrief(action=step.response.action, target=step.placed.target) for step in steps]
    said = {"hindsight": "Chosen. Then ticked."}

    def asked(index: int, after: Sequence[Element] | None) -> str:
        context = StepContext(
            task="Select EiTE and click Submit.", history=(), action=briefs[index].action, target=briefs[index].target,
            before=steps[index].observation.elements, after=after, changed=None, size=Size(160, 210),
            is_last=index == 1, earlier=tuple(briefs[:index]), coming=tuple(briefs[index + 1 :]),
        )  # fmt: skip
        port = FakeModel(lambda _: said if mode == "caap" else thought(actual_effect="It was ticked.", **said))
        writer = ModelWriter(port, mode=mode, catalogue=PromptCatalogue())
        done = writer.explain(context, subject="d/s", control=JobControl()).rationale
        assert (caap_paragraph(done), done.mode) == ("Chosen. Then ticked.", "hindsight")
        preview = step_question(mode, context, PromptCatalogue(), sees=False)
        assert preview.parts == port.asked[0].parts
        return texts_of(port.asked[0])

    text = asked(0, steps[1].observation.elements)
    shown = [line for line in text.split("\n") if re.match(r"TASK|action_\d|demo_element", line)]
    question = FIGURE_8.split("\n")[2]
    assert shown == [*FIGURE_8.split("\n")[:4], question, *FIGURE_8.split("\n")[4:]]
    # "Empty Screen" is what Figure 9 calls the screen after the last action.
    assert "Empty Screen" in asked(1, None).partition("The screen after the action:")[2]


def test_002_figure_8_asks_for_one_paragraph_alone() -> None:
    first, second = figure_8().steps
    told = Rationale(hindsight="It was ticked.", mode="hindsight", provenance=by_program("model", "fake:one"))
    context = StepContext(
        task="Select EiTE and click Submit.", history=(), action=second.response.action, target=second.placed.target,
        before=second.observation.elements, after=None, changed=None, size=Size(160, 210), is_last=True,
        earlier=(StepBrief(action=first.response.action, target=first.placed.target, rationale=told),),
        note="The remark of a person", app="MiniWoB",
    )  # fmt: skip
    request = step_question("caap", context, PromptCatalogue(), sees=True)
    assert list(request.answer.model_fields) == ["hindsight"]
    assert all(isinstance(part, str) for part in request.parts)
    text = texts_of(request)
    # What stands in the figure, in its order, and nothing between that it has not.
    order = ["TASK: ", "Action History:", "action_1:", "action_2:", "action_3:", "We want to explain to a trainee why",
             "(Note: coordinates", "demo_element_1", "after the action", "Empty Screen", "First, explain", "Second, ",
             "Answer in one paragraph."]  # fmt: skip
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert text.endswith("Answer in one paragraph.")
    assert 'reason: "It was ticked."' in text, "the trainee added the reasons of the actions that were explained"
    for ours in ("In words", "MiniWoB", "The remark", "picture", "success", "gave up"):
        assert ours not in text


@pytest.mark.parametrize(("status", "said"), [("success", "did with success."), ("failure", "that an expert gave up.")])
def test_002_a_task_that_failed_is_not_told_as_a_success(status: Literal["success", "failure"], said: str) -> None:
    first = figure_8().steps[0]
    context = StepContext(
        task="Select EiTE and click Submit.", history=(), action=first.response.action, target=first.placed.target,
        before=first.observation.elements, after=None, changed=None, size=Size(160, 210),
        coming=(StepBrief(action=FinishGoalAction(status=status), target=None),),
    )  # fmt: skip
    assert said in texts_of(step_question("caap", context, PromptCatalogue(), sees=False))


# 003: LAM, Appendix C (seven keys) and B.1 (action calls). Fault of the original: the three spellings of one key.

LAM_CALLS: list[dict[str, Any]] = [
    {"step": "change the borders", "controlLabel": "", "controlText": "Borders", "function": "click_input",
     "args": {"button": "left", "double": False}},
    {"step": "change the borders", "controlLabel": "101", "controlText": "Borders", "function": "click_input",
     "args": {"control_id": "101", "button": "left", "double": False}},
    {"step": "select the target text", "controlLabel": "", "controlText": "", "function": "select_text",
     "args": {"text": "Test For Fun"}},
]  # fmt: skip


def test_003_the_action_calls_of_the_instantiation_prompt() -> None:
    first, second = (decode_answer(call, dialect="lam").response for call in LAM_CALLS[:2])
    assert first.action == ClickAction(target=ActionTarget(text="Borders"))
    assert second.action.target is not None
    assert second.action.target.to_wire() == {"element_id": 101, "text": "Borders"}
    assert first.reasoning == "change the borders"
    third = decode_answer(LAM_CALLS[2], dialect="lam")
    assert third.response.action == ClickAction(target=ActionTarget(text="Test For Fun"), click_type="triple")
    assert any("Selecting" in note for note in third.notes)
    with pytest.raises(ActionError) as caught:
        decode_answer(LAM_CALLS[2], dialect="lam", observation=HELLI)
    assert caught.value.code == "not_expressible"


def test_003_appendix_c_the_four_fields_and_the_seven_keys() -> None:
    state = AgentState(task="Select Helli", observation=HELLI, plan=["open"])
    prompt = render(state, [figure_9()], dialect="lam", options=PromptOptions(shot_elements=True))
    turns = [message for message in prompt.messages if message.role != "system"]
    assert [message.role for message in turns] == ["user", "assistant"] * 3 + ["user"]
    asked = turns[-1].text.split("\n")
    assert [line.split(">")[0] for line in asked] == [
        "<Available Control Item:", "<User Request:", "<Previous Actions:", "<Previous Plans:",
    ]  # fmt: skip
    assert json.loads(asked[0].partition("> ")[2]) == [
        {"label": "1", "control_text": "Theodora", "control_type": "ComboBox"},
        {"label": "2", "control_text": "Submit", "control_type": "Button"},
    ]
    done = live_step(decode_answer(LAM_CALLS[1], dialect="lam").response, Observation(), result="The list is open.")
    following = render(AgentState(task="t", observation=HELLI, history=[done]), [], dialect="lam").messages[-1].text
    assert json.loads(following.split("\n")[2].partition("> ")[2]) == [
        {"action": "Clicked “Borders”", "result": "The list is open."}
    ]
    answer = json.loads(turns[1].text)
    assert list(answer) == ["thought", "control_label", "control_name", "function", "args", "status", "plan"]
    assert answer["function"] == "click_input"
    assert decode_answer(turns[1].text, dialect="lam").response.action.action_type == "click"


# 004: UFO's data flow. Faults of the original: its example 102 fails its own schema, for want of request_type and of
# MatchedControlText; select_text works on the document and on no control.

BULLETS: list[dict[str, Any]] = [
    {"Step": 1, "Subtask": "Place the cursor at the beginning of the text 'text to edit'", "ControlLabel": None,
     "ControlText": "", "Function": "select_text", "Args": {"text": "text to edit"}, "Success": True,
     "MatchedControlText": None},
    {"Step": 2, "Subtask": "Click the Bullets button in the Paragraph group on the Home tab", "ControlLabel": "61",
     "ControlText": "Bullets", "Function": "click_input", "Args": {"button": "left", "double": False}, "Success": True,
     "MatchedControlText": "Bullets"},
]  # fmt: skip
COMPATIBILITY: dict[str, Any] = {
    "Step": 1, "Subtask": "Identify the Compatibility Mode", "Function": "summary",
    "Args": {"text": "The document is in '102 - Compatibility Mode'."}, "Success": True,
}  # fmt: skip


def test_004_the_steps_of_both_results_are_read() -> None:
    click = decode_answer(BULLETS[1], dialect="ufo").response
    assert click.action.target is not None
    assert click.action.target.to_wire() == {"element_id": 61, "text": "Bullets"}
    assert click.reasoning == BULLETS[1]["Subtask"]
    read = decode_answer(COMPATIBILITY, dialect="ufo").response.action
    assert read.parameters == {
        "description": "Identify the Compatibility Mode",
        "data": "The document is in '102 - Compatibility Mode'.",
    }
    selected = decode_answer(BULLETS[0], dialect="ufo").response.action
    assert selected == ClickAction(target=ActionTarget(text="text to edit"), click_type="triple")
    with pytest.raises(ActionError) as caught:
        decode_answer({**BULLETS[0], "Function": "insert_table"}, dialect="ufo")
    assert caught.value.code == "not_expressible"


def test_004_a_step_of_a_ufo_plan_is_written_as_its_example_has_it() -> None:
    observation = Observation(
        size=Size(1000, 500),
        elements=[
            NumberedElement(number=61, uid="e61", frame="f", type="button", box=Rect(100, 60, 130, 90), text="Bullets")
        ],
    )
    parsed = decode_answer(BULLETS[1], dialect="ufo", observation=observation).response
    prompt = render(AgentState(task="t"), [], dialect="lam")
    assert "click_input(" in (prompt.part("system") or "")
    from demopack.codecs.answers import IdealAnswer, encode_answers

    (answer,) = encode_answers("ufo", IdealAnswer(act=live_step(parsed, observation).placed))
    written = json.loads(str(answer))
    wanted = {"function": "click_input", "args": {"button": "left", "double": False}, "control_label": "61",
              "control_name": "Bullets"}  # fmt: skip
    assert {key: written[key] for key in wanted} == wanted


# Function definitions


@pytest.mark.parametrize("dialect", ["llmresponse", "caap", "uipath", "ufo"])
def test_function_definitions_are_json_schemas_and_name_every_action_once(dialect: str) -> None:
    functions = functions_for(dialect)
    names = [item["name"] for item in functions]
    assert len(names) == len(set(names))
    for item in functions:
        jsonschema.Draft202012Validator.check_schema(item["parameters"])
        assert set(item["parameters"]["required"]) <= set(item["parameters"]["properties"])
        assert item["description"]
        assert not re.search(r'"(?:prefixItems|oneOf|\$ref|title)"', json.dumps(item)), "not every server knows these"


def test_a_call_of_our_own_functions_is_read_as_the_action() -> None:
    call = {"role": "assistant", "content": "Open it.", "tool_calls": [
        {"function": {"name": "click", "arguments": '{"description": "the \\"Submit\\" button"}'}}]}  # fmt: skip
    response = decode_answer(call, dialect="uipath", observation=HELLI).response
    assert response.reasoning == "Open it."
    assert response.action.target is not None
    assert response.action.target.element_id == 2
    lam = {
        "tool_calls": [{"function": {"name": "click_input", "arguments": '{"control_label": "1", "button": "left"}'}}]
    }
    assert decode_answer(lam, dialect="ufo", observation=HELLI).response.action.target == HELLI.target(
        HELLI.elements[0]
    )


def test_the_examples_are_what_their_author_published() -> None:
    """The wire form of the contract reads back what it writes: nothing of the examples is ours."""
    for wire in LLM_RESPONSES:
        assert parse_response(wire).to_wire() == wire
