"""Sentences about actions in another language are the English ones, said through templates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from annotator import step_words
from annotator.step_words import type_word
from annotator.words import set_translation
from demopack.domain import words
from demopack.domain.actions import parse_action
from demopack.domain.elements import ELEMENT_TYPES, STATES, Element
from demopack.domain.steps import Step
from tests.support.editing import element

SAVE = element("a", text="Save")
ACTIONS: list[tuple[str, dict[str, Any]]] = [
    ("click", {}),
    ("click", {"click_type": "double"}),
    ("click", {"hold_s": 1.5}),
    ("type", {"text_to_type": "Ada"}),
    ("type", {"text_to_type": "Ada", "submit": True}),
    ("press_key", {"key_info": "F5"}),
    ("press_key", {"key_info": "Tab", "presses": 3}),
    ("scroll", {"scroll_direction": "down", "scroll_steps": 3}),
    ("hover", {}),
    ("wait", {"wait_duration_s": 2.0}),
    ("launch", {"app": "gedit"}),
    ("extract_data", {"description": "the total"}),
    ("extract_data", {"description": words.SHOT_WORDS}),
    ("finish_goal", {}),
    ("finish_goal", {"status": "failure"}),
]


@pytest.fixture(autouse=True)
def spoken() -> Iterator[None]:
    """Another language whose texts happen to be the English ones."""
    set_translation(lambda text: text)
    yield
    set_translation(None)


@pytest.mark.parametrize(("kind", "parameters"), ACTIONS)
def test_the_same_is_said_with_and_without_an_element(kind: str, parameters: dict[str, Any]) -> None:
    aimed = {"target": {"text": "Save"}} if kind in {"click", "hover"} else {}
    action = parse_action({"action_type": kind, "parameters": parameters, **aimed})
    assert step_words.describe_action(action) == words.describe_action(action)
    if kind in {"click", "hover", "scroll"} and "hold_s" not in parameters:
        assert step_words.describe_action(action, SAVE) == words.describe_action(action, SAVE)


def test_what_is_not_done_yet_is_said_as_an_order() -> None:
    held, dragged = {"click_type": "right", "modifiers": ["ctrl"]}, {"end_target": {"text": "Bin"}}
    said: list[str] = []
    for kind, parameters in [*ACTIONS, ("click", held), ("drag", dragged)]:
        aimed = {"target": {"text": "Save"}} if kind in {"click", "hover", "drag"} else {}
        action = parse_action({"action_type": kind, "parameters": parameters, **aimed})
        said.append(words.describe_action(action, tr=words.as_order))
    assert said == [
        "Click “Save”", "Double-click “Save”", "Click “Save” and hold for 1.5 s", "Type “Ada”", "Type “Ada” and Enter",
        "Press F5", "Press Tab 3 times", "Scroll down by 3", "Point at “Save”", "Wait 2 s", "Start gedit",
        "Read the total", "Keep a picture", "Finish the task", "Give up", "Ctrl+right-click “Save”",
        "Drag “Save” to “Bin”",
    ]  # fmt: skip
    typed = parse_action({"action_type": "type", "parameters": {"text_to_type": "Clicked, held for ever"}})
    assert words.describe_action(typed, tr=words.as_order) == "Type “Clicked, held for ever”"


def test_a_drag_names_both_ends() -> None:
    ends = {"parameters": {"end_target": {"text": "Bin"}}, "target": {"text": "Save"}}
    action = parse_action({"action_type": "drag", **ends})
    other = element("b", (50, 50, 60, 60), text="Bin")
    assert step_words.describe_action(action, SAVE, other) == words.describe_action(action, SAVE, other)


def test_fields_are_called_by_the_labels_beside_them_and_not_by_what_stands_in_them() -> None:
    names = ("Name", "Street", "City")
    rows = [(10 + 40 * row, name) for row, name in enumerate(names)]
    labels = [element(f"l{y}", (10, y, 80, y + 20), type="text", text=name, source="human") for y, name in rows]
    fields = [element(f"f{y}", (100, y, 300, y + 20), type="input_field") for y, _ in rows]
    around = [*labels, *fields]
    said = [words.describe_step(click_on(one), one, around=around) for one in fields]
    assert said == [f"Clicked “{name}” (input field)" for name in names]
    assert words.describe_step(click_on(fields[0]), fields[0], around=fields) == "Clicked the input field"
    own = fields[0].but(text="Ada")
    assert words.describe_step(click_on(own), own, around=[*labels, own]) == "Clicked “Name” (input field)"
    assert words.describe_step(click_on(own), own, around=[own]) == "Clicked “Ada” (input field)"
    button = element("b", (100, 10, 300, 30), text="Ada")
    assert words.describe_step(click_on(button), button, around=[*labels, button]) == "Clicked “Ada” (button)"


def click_on(target: Element) -> Step:
    return Step(id="s1", position=1000, action=parse_action({"action_type": "click", "target": {"bbox": [0, 0, 1, 1]}}),
                target_uid=target.uid)  # fmt: skip


@pytest.mark.parametrize("kind", ELEMENT_TYPES)
def test_elements_have_the_same_names(kind: str) -> None:
    for fields in ({"text": "Save"}, {}, {"subtype": "search"}):
        one = element("a", **{"type": kind, **fields})
        assert step_words.name_element(one) == words.name_element(one)


def test_every_type_and_state_has_a_word() -> None:
    set_translation(lambda text: f"<{text}>")
    assert type_word("sort_of") == "sort of"
    assert {type_word(kind) for kind in (*ELEMENT_TYPES, *STATES)} >= {"<list item>", "<checked>"}


def test_doubts_are_all_said() -> None:
    assert {doubt: step_words.doubt_words(doubt) for doubt in words.DOUBT_WORDS} == words.DOUBT_WORDS
