"""What other vocabularies make of our actions: right signs, right places, and every loss named."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from demopack.codecs.answers import IdealAnswer, encode_answers
from demopack.codecs.caap import element_data
from demopack.codecs.catalogue import CODECS, decode_answer
from demopack.codecs.element_words import element_words
from demopack.codecs.losses import LOSS_WORDS
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import PlacedAction
from demopack.codecs.sets.caap import demo_text
from demopack.codecs.sets.catalogue import exporters
from demopack.codecs.specimens import SPECIMENS
from demopack.codecs.ufo import control_of
from demopack.domain.geometry import Point, Rect
from demopack.domain.labels import control_beside, field_label, label_of
from demopack.markup import fill
from demopack.prompting.docs_tables import PAGES

ROOT = Path(__file__).parents[2]


def _say(dialect: str, specimen: str) -> tuple[Any, ...]:
    return CODECS[dialect].encode(SPECIMENS[specimen]).calls


def test_the_documentation_is_what_the_code_says() -> None:
    tables = PAGES["formats/exports.md"]
    written = (ROOT / "docs" / "formats" / "exports.md").read_text(encoding="utf-8")
    assert fill(written, tables) == written, "run scripts/write_tables.py"
    assert all(f"<!-- table: {name} -->" in written for name in tables)


def test_every_action_of_the_contract_is_among_the_specimens() -> None:
    from demopack.domain.actions import ACTION_TYPES

    assert {act.action.action_type for act in SPECIMENS.values()} == set(ACTION_TYPES)


# Results of the dataflow in UFO's documentation, as they stand there.
UFO_RESULTS = ROOT / "tests" / "data" / "ufo"


def test_a_control_without_a_box_is_a_control_for_ufo() -> None:
    result = json.loads((UFO_RESULTS / "5.json").read_text(encoding="utf-8"))
    row = result["instantiation_result"]["prefill"]["result"]["instantiated_plan"][1]
    (response,) = decode_answer(row, dialect="ufo").responses
    told = PlacedAction(action=response.action)
    assert CODECS["ufo"].encode(told).calls == ({"Function": row["Function"], "Args": row["Args"]},)
    assert control_of(told) == (row["ControlLabel"], row["ControlText"])
    (answer,) = encode_answers("ufo", IdealAnswer(act=told))
    assert decode_answer(answer, dialect="ufo").responses[0].action == response.action


@pytest.mark.parametrize(
    ("function", "args"),
    [
        ("set_edit_text", {"text": "hello", "clear_current_text": False}),
        ("wheel_mouse_input", {"wheel_dist": -3}),
        ("click_on_coordinates", {"x": 0.25, "y": 0.5, "button": "right", "double": False}),
        ("drag_on_coordinates", {"start_x": 0.1, "start_y": 0.2, "end_x": 0.3, "end_y": 0.4, "button": "left",
                                 "duration": 1.0, "key_hold": None}),
    ],
)  # fmt: skip
def test_what_ufo_says_without_a_picture_is_said_again(function: str, args: dict[str, Any]) -> None:
    named = {} if function.endswith("_on_coordinates") else {"ControlLabel": "101", "ControlText": "Edit"}
    row = {"Function": function, "Args": args, **named}
    (response,) = decode_answer(row, dialect="ufo", observation=Observation(space="fraction")).responses
    assert CODECS["ufo"].encode(PlacedAction(action=response.action)).calls == ({"Function": function, "Args": args},)


@pytest.mark.parametrize("dialect", ["ui-tars", "ui-tars-1.5"])
def test_a_failure_that_is_read_back_is_no_loss(dialect: str) -> None:
    act = SPECIMENS["finish, failure"]
    (said,) = encode_answers(dialect, IdealAnswer(act=act))
    assert decode_answer(said, dialect=dialect).responses[0].action == act.action
    assert not CODECS[dialect].encode(act).losses


def test_every_loss_has_words() -> None:
    codes = {code for codec in CODECS.values() for act in SPECIMENS.values() for code in codec.encode(act).losses}
    assert codes <= set(LOSS_WORDS)


@pytest.mark.parametrize("dialect", CODECS)
def test_silence_is_always_explained(dialect: str) -> None:
    for act in SPECIMENS.values():
        spoken = CODECS[dialect].encode(act)
        assert spoken.calls or set(spoken.losses) & {"no_word", "no_place"}
        json.dumps(spoken.calls)


# Whoever scrolls down: the view moves down. Every vocabulary counts that in its own way.
SCROLLS: dict[str, tuple[Any, Any, Any, Any]] = {
    "openai": (300, -300, 200, -200),
    "qwen": (-300, 300, 200, -200),
    "qwen2.5-vl": (-300, 300, 200, -200),
    "agentnet": (-3, 3, 2, -2),
    "pyautogui": (-3, 3, 2, -2),
    "osworld": (-3, 3, 2, -2),
    "anthropic": ("down", "up", "right", "left"),
    "gemini": ("down", "up", "right", "left"),
    "ui-tars": ("down", "up", "right", "left"),
    "ui-tars-1.5": ("down", "up", "right", "left"),
    "uipath": ("down", "up", "right", "left"),
    "openadapt": ("down", "up", "right", "left"),
    "ufo": (-3, 3, None, None),
    "caap": (None, None, None, None),
}


def _scrolled(dialect: str, specimen: str) -> Any:
    calls = _say(dialect, specimen)
    if not calls:
        return None
    last = calls[-1]
    if isinstance(last, str) and "pyautogui" in last:
        return ast.literal_eval(ast.parse(last, mode="eval").body.args[0])  # type: ignore[attr-defined]
    if isinstance(last, str):
        return last.partition("direction='")[2].rstrip("')")
    sideways = specimen in {"scroll right", "scroll left"}
    return {
        "openai": lambda: last["scroll_x" if sideways else "scroll_y"],
        "qwen": lambda: last["arguments"]["pixels"],
        "qwen2.5-vl": lambda: last["arguments"]["pixels"],
        "osworld": lambda: last["parameters"]["dx" if sideways else "dy"],
        "anthropic": lambda: last["input"]["scroll_direction"],
        "gemini": lambda: last["args"]["direction"],
        "uipath": lambda: last["parameters"]["direction"],
        "openadapt": lambda: last["scroll_direction"],
        "ufo": lambda: last["Args"]["wheel_dist"],
    }[dialect]()


@pytest.mark.parametrize("dialect", CODECS)
def test_scrolling_has_the_sign_of_its_vocabulary(dialect: str) -> None:
    names = ("scroll down", "scroll up", "scroll right", "scroll left")
    assert tuple(_scrolled(dialect, name) for name in names) == SCROLLS[dialect]


def test_places_are_told_as_each_vocabulary_counts_them() -> None:
    # The pixel 500, 100 of a picture of 1000 x 500: y is divided by the height, not by the width.
    assert _say("openai", "click")[0]["x"] == 500
    assert _say("openai", "click")[0]["y"] == 100
    assert _say("anthropic", "click")[0]["input"]["coordinate"] == [500, 100]
    assert _say("gemini", "click")[0]["args"] == {"x": 500, "y": 200}
    assert _say("ui-tars", "click") == ("click(start_box='(500,200)')",)
    assert _say("qwen", "click")[0]["arguments"]["coordinate"] == [500, 200]
    # As the model sees the picture: 1008 x 504.
    assert _say("ui-tars-1.5", "click") == ("click(start_box='(504,101)')",)
    assert _say("qwen2.5-vl", "click")[0]["arguments"]["coordinate"] == [504, 101]
    assert _say("agentnet", "click") == ("pyautogui.click(x=0.5, y=0.2)",)
    assert _say("pyautogui", "click") == ("pyautogui.click(x=500, y=100)",)
    assert _say("ufo", "click, no element")[0]["Args"]["y"] == 0.2


# The lines whose places OpenCUA's data tools rescale, draw and crop (data/cot-generate/utils.py at 1d70f20).
OPENCUA_PLACES = (
    "pyautogui.click(", "pyautogui.moveTo(", "pyautogui.dragTo(", "pyautogui.doubleClick(", "pyautogui.rightClick(",
    "pyautogui.middleClick(", "pyautogui.tripleClick(", "computer.tripleClick(",
)  # fmt: skip


def test_agentnet_says_a_place_only_where_opencua_looks_for_one() -> None:
    for name in SPECIMENS:
        assert all(line.startswith(OPENCUA_PLACES) for line in _say("agentnet", name) if "x=" in line), name
    # As its published example has it: "pyautogui.moveTo(x=0.396, y=0.7839)\npyautogui.scroll(-3)".
    assert _say("agentnet", "scroll down") == ("pyautogui.moveTo(x=0.5, y=0.2)", "pyautogui.scroll(-3)")
    assert _say("agentnet", "scroll right") == ("pyautogui.moveTo(x=0.5, y=0.2)", "pyautogui.hscroll(2)")


def test_a_drag_begins_where_it_began() -> None:
    assert [call["arguments"]["coordinate"] for call in _say("qwen", "drag")] == [[500, 200], [300, 800]]
    assert _say("openai", "drag on a way")[0]["path"] == [
        {"x": 500, "y": 100},
        {"x": 420, "y": 300},
        {"x": 300, "y": 400},
    ]
    assert [call["name"] for call in _say("caap", "drag")] == [
        "drag_mouse_hold_down", "drag_mouse_move", "drag_mouse_release",
    ]  # fmt: skip


def test_keys_are_spelled_as_each_vocabulary_spells_them() -> None:
    assert _say("openai", "two keys") == ({"type": "keypress", "keys": ["CTRL", "C"]},)
    assert _say("anthropic", "two keys")[0]["input"] == {"text": "ctrl+c"}
    assert _say("anthropic", "key, 3 times")[0]["input"] == {"text": "Tab", "repeat": 3}
    assert _say("ui-tars", "two keys") == ("hotkey(key='ctrl c')",)
    assert _say("uipath", "two keys")[0]["parameters"] == {"key": "Ctrl C"}
    assert _say("ufo", "keys with Alt")[0]["Args"] == {"keys": "%{F4}"}
    assert _say("ui-tars", "four keys") == ()


def test_what_is_typed_cannot_break_out_of_a_string() -> None:
    from dataclasses import replace

    from demopack.domain.actions import TypeAction

    text = 'it\'s "so"\\\nfar {END}'
    act = replace(SPECIMENS["type"], action=TypeAction(text_to_type=text))
    for dialect in ("agentnet", "pyautogui"):
        (call,) = CODECS[dialect].encode(act).calls
        assert ast.literal_eval(ast.parse(call, mode="eval").body.keywords[0].value) == text  # type: ignore[attr-defined]
    (line,) = CODECS["ui-tars"].encode(act).calls
    assert ast.literal_eval(line.removeprefix("type(content=").removesuffix(")")) == text
    without = replace(act, target=None)
    assert CODECS["ufo"].encode(without).calls[0]["Args"]["keys"] == 'it\'s "so"\\{ENTER}far {{}END{}}'


def test_a_demo_in_caaps_prompt_looks_like_the_papers() -> None:
    # Figure 9 of the paper: the second action of its first demo.
    element = SPECIMENS["click"].target
    assert element is not None
    shown = element.model_copy(update={"type": "dropdown", "box": Rect(0, 56, 151, 76), "text": "Storm"})
    arg = element_data(shown)
    assert arg == '{type: dropdown, X: 76 [0-151], Y: 66 [56-76], text: "Storm"}'
    text = demo_text(
        1, "Select Janella from the list and click Submit.", [({"name": "click_element", "arg": arg}, "So.")]
    )
    assert text.split("\n") == [
        "DEMO_1 = {",
        "TASK: Select Janella from the list and click Submit.",
        "Action History:",
        'demo_action_1: {name: start, reason: "Initiating the task."}',
        f'demo_action_2: {{name: click_element, arg: {arg}, reason: "So."}}',
        "}",
    ]


def test_targets_in_words_name_what_is_known() -> None:
    assert element_words(SPECIMENS["click"].target, "", None) == 'the button "Save"'
    assert element_words(None, "Save", None) == 'the element "Save"'
    assert element_words(None, "", Point(3, 4)) == "the place at x=3, y=4"
    assert SPECIMENS["click"].target.box.area  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("label", "found"),
    [
        ((120, 205, 190, 225), 'beside "Full name"'),  # on its row, to the left
        ((200, 180, 260, 195), 'below "Full name"'),  # right above
        ((420, 205, 480, 225), 'beside "Far"'),  # to the right
        ((200, 240, 260, 255), 'beside "Far"'),  # below
        ((200, 20, 260, 40), 'beside "Far"'),  # far above
    ],
)
def test_an_element_without_words_is_named_by_its_label(label: tuple[int, int, int, int], found: str) -> None:
    field = SPECIMENS["type"].target
    assert field is not None
    bare = field.model_copy(update={"text": None})
    words = field.model_copy(update={"uid": "l", "type": "text", "text": "Full\nname", "box": Rect(*label)})
    far = words.model_copy(update={"uid": "far", "text": "Far", "box": Rect(0, 205, 40, 225)})
    told = label_of(bare, [bare, far, words])
    assert told is not None
    assert told.words == found
    assert element_words(bare, "", None, label=told) == f"the input field {found}"


def test_a_heading_right_above_the_first_field_is_not_its_label() -> None:
    heading = SPECIMENS["type"].target
    assert heading is not None
    # As a dialog of Yad draws them: the title of its window, and what stands before its first field.
    heading = heading.model_copy(update={"uid": "h", "type": "text", "text": "User", "box": Rect(534, 299, 567, 312)})
    name = heading.model_copy(update={"uid": "n", "text": "Name", "box": Rect(371, 328, 413, 341)})
    assert field_label(Rect(438, 318, 728, 352), [heading, name]) == "Name"
    assert field_label(Rect(438, 318, 728, 352), [heading]) == "User"
    assert field_label(Rect(438, 318, 728, 352), []) == ""


@pytest.mark.parametrize(
    ("kind", "said", "box", "found"),
    [
        ("radio", "Afternoon", (65, 537, 78, 550), True),
        ("radio", "Evening", (65, 537, 78, 550), False),
        ("checkbox", None, (65, 537, 78, 550), True),
        ("checkbox", None, (5, 537, 18, 550), False),  # silent, and too far away
        ("toggle", "afternoon ", (250, 537, 280, 550), True),
        ("radio", "Afternoon", (65, 577, 78, 590), False),  # on another row
        ("button", "Afternoon", (65, 537, 78, 550), False),
    ],
)
def test_a_text_is_the_label_of_the_control_beside_it(
    kind: str, said: str | None, box: tuple[int, int, int, int], *, found: bool
) -> None:
    any_element = SPECIMENS["click"].target
    assert any_element is not None
    label = any_element.model_copy(
        update={"uid": "l", "type": "text", "text": "Afternoon", "box": Rect(82, 536, 158, 552)}
    )
    mark = any_element.model_copy(update={"uid": "m", "type": kind, "text": said, "box": Rect(*box)})
    assert control_beside(label, [label, mark]) == (mark if found else None)
    assert control_beside(mark, [label, mark]) is None


def test_names_of_formats_are_those_they_are_asked_for_by() -> None:
    assert all(name == one.name for name, one in exporters().items())
    assert {one.dialect for one in exporters().values()} - {""} == set(CODECS)
