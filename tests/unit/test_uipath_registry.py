"""Actions that are added to the registry of UiPath's planner are offered, checked and read as its own twelve."""

from __future__ import annotations

from typing import Any

import pytest

from demopack.codecs.catalogue import decode_answer
from demopack.codecs.observation import Observation
from demopack.codecs.specimens import SPECIMENS
from demopack.codecs.uipath import CODEC, codec_with
from demopack.codecs.uipath_registry import ACTIONS, ActionDefinition, ActionRegistry, Parameter
from demopack.domain.actions import ActionTarget
from demopack.domain.geometry import Size
from demopack.errors import ActionError, BadInputError
from demopack.prompting.agent_state import AgentState
from demopack.prompting.prompt_builder import render

MIDDLE = ActionDefinition(
    type="middle_click",
    about="Click an element with the wheel.",
    means={"action_type": "click", "target": "{description}", "parameters": {"click_type": "middle"}},
    examples=({"type": "middle_click", "description": "Middle click the tab \"News\" to close it."},),
)  # fmt: skip
LAUNCH = ActionDefinition(
    type="open_app",
    about="Start a program.",
    parameters=(Parameter(name="name", about="The program."),),
    means={"action_type": "launch", "parameters": {"app": "{name}"}},
    special=True,
)
ASK = ActionDefinition(
    type="ask_user",
    about="Ask the person a question.",
    parameters=(Parameter(name="question", about="The question."), Parameter(name="urgent", about="", needed=False)),
    examples=({"type": "ask_user", "description": "Ask for the year.", "parameters": {"question": "Which year?"}},),
)


@pytest.fixture
def registry() -> ActionRegistry:
    made = ActionRegistry()
    made.add_action(MIDDLE)
    made.add_special_action(LAUNCH)
    made.add_special_action(ASK)
    return made


def answer(kind: str, description: str = "", **parameters: Any) -> dict[str, Any]:
    return {"thought": "t", "action": {"type": kind, "description": description, "parameters": parameters}}


def code_of(kind: str, registry: ActionRegistry = ACTIONS, **parameters: Any) -> str:
    with pytest.raises(ActionError) as caught:
        decode_answer(answer(kind, "Press it.", **parameters), dialect=codec_with(registry))
    with pytest.raises(ActionError) as checked:
        registry.check({"type": kind, "parameters": parameters})
    assert checked.value.code == caught.value.code
    return caught.value.code


def test_an_added_action_is_read_as_what_it_means(registry: ActionRegistry) -> None:
    codec = codec_with(registry)
    click = decode_answer(answer("middle_click", "Middle click the tab 'News'."), dialect=codec).response
    assert click.action.to_wire() == {
        "action_type": "click",
        "target": {"text": "News"},
        "parameters": {"click_type": "middle"},
    }
    assert click.reasoning == "t"
    launch = decode_answer(answer("open_app", "Start it.", name="Mail"), dialect=codec).response
    assert launch.action.parameters == {"app": "Mail"}
    call = {"tool_calls": [{"function": {"name": "open_app", "arguments": '{"description": "d", "name": "Mail"}'}}]}
    assert decode_answer(call, dialect=codec).response.action == launch.action


def test_an_action_that_the_contract_has_not_is_handed_on_as_it_was_answered(registry: ActionRegistry) -> None:
    parsed = decode_answer(answer("ask_user", "Ask.", question="Which?"), dialect=codec_with(registry))
    assert parsed.responses == ()
    assert parsed.calls == ({"type": "ask_user", "description": "Ask.", "parameters": {"question": "Which?"}},)
    with pytest.raises(ActionError, match="no action for ask_user"):
        _ = parsed.response


def test_an_added_action_is_offered_and_checked(registry: ActionRegistry) -> None:
    prompt = render(AgentState(task="t", actions=registry), [], dialect="uipath")
    system = prompt.messages[0].text
    for action in (MIDDLE, LAUNCH, ASK):
        assert f"- {action.type}: {action.about}" in system
    assert system.index("- middle_click") < system.index("about the task itself") < system.index("- ask_user")
    assert '"question": "Which year?"' in system
    assert '"means"' not in system
    assert [one["name"] for one in prompt.functions] == list(registry)
    assert set(registry) - set(ACTIONS) == {"middle_click", "open_app", "ask_user"}
    assert "middle_click" not in render(AgentState(task="t"), [], dialect="uipath").messages[0].text

    registry.check({"type": "open_app", "description": "Start it.", "parameters": {"name": "Mail"}})
    assert code_of("open_app", registry) == "missing_argument"
    assert code_of("open_app", registry, name=3) == "bad_parameter"
    assert code_of("open_app") == "unknown_action"


GOOD = {"element_description": "list", "direction": "down"}


@pytest.mark.parametrize("parameters", ["x", [1], {"distance": "²"}, {"distance": "+-5"}, {"distance": "9" * 5_000}])
def test_parameters_of_another_kind_are_refused(parameters: Any) -> None:
    given = {**GOOD, **parameters} if isinstance(parameters, dict) else parameters
    with pytest.raises(ActionError) as refused:
        ACTIONS.check({"type": "scroll", "description": "Scroll down.", "parameters": given})
    assert refused.value.code == "bad_parameter"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"means": {"action_type": "tap"}}, "has no action 'tap'"),
        ({"means": {"action_type": "launch", "parameters": {"app": "{program}"}}}, "no parameter program"),
        ({"examples": ({"type": "open_app", "description": "Start it."},)}, "an example is no call of it"),
        ({"examples": ({"type": "start", "parameters": {"name": "x"}},)}, "of the type 'start'"),
    ],
)
def test_what_cannot_be_an_action_is_not_added(change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        ActionRegistry().add_action(LAUNCH.model_copy(update=change))


def test_an_added_action_takes_the_place_of_one_of_its_type() -> None:
    registry = ActionRegistry()
    registry.add_special_action(
        ActionDefinition(type="click", about="Never.", means={"action_type": "wait", "parameters": {}})
    )
    assert list(registry).count("click") == 1
    assert registry["click"].special
    assert decode_answer(answer("click"), dialect=codec_with(registry)).response.action.action_type == "wait"


# The document says of the key: '"<Key> + Click" is not a valid combination, use two separate actions'.


@pytest.mark.parametrize("key", ["Ctrl + Click", "Ctrl Click", "ctrl+click", "Shift + DoubleClick"])
def test_a_key_and_a_click_are_no_key(key: str) -> None:
    assert code_of("key_press", key=key) == "bad_parameter"


def test_a_key_that_there_is_not_is_refused_by_the_check_too() -> None:
    assert code_of("key_press", key="Ctrl Banana") == "unknown_key"
    ACTIONS.check({"type": "key_press", "parameters": {"key": "Pagedown"}})


def test_every_call_that_is_written_passes_the_check() -> None:
    for placed in SPECIMENS.values():
        for call in CODEC.encode(placed).calls:
            ACTIONS.check(call)


def test_what_an_answer_forgets_is_assumed_only_where_the_registry_says_so() -> None:
    parsed = decode_answer(answer("scroll", "Scroll up to the top of the page.", direction="up"), dialect="uipath")
    assert parsed.response.action.parameters == {"scroll_direction": "up", "scroll_steps": 3}
    assert "The parameter distance was missing; 3 is assumed." in parsed.notes
    parsed = decode_answer(answer("extract_data", "Extract the price."), dialect="uipath")
    assert parsed.response.action.parameters == {"description": "Extract the price."}
    wait = decode_answer(answer("wait", "Wait for the running command to finish."), dialect="uipath").response
    assert wait.action.parameters == {}, "the planner does not say how long"
    with pytest.raises(ActionError, match="distance is missing"):
        ACTIONS.check({"type": "scroll", "parameters": {"element_description": "the page", "direction": "up"}})


def test_the_aliases_give_way_to_an_action_of_that_name() -> None:
    registry = ActionRegistry()
    registry.add_action(ActionDefinition(type="press", about="Press it.", means={"action_type": "wait"}))
    read = decode_answer(answer("press"), dialect=codec_with(registry), observation=Observation())
    assert (read.response.action.action_type, read.notes) == ("wait", ())
    with_target = decode_answer(answer("left_click", "Click 'OK'"), dialect=codec_with(registry))
    assert with_target.response.action.target == ActionTarget(text="OK")


def test_a_grounder_finds_what_the_planner_describes() -> None:
    asked: list[str] = []

    def ground(description: str, observation: Observation) -> ActionTarget:
        asked.append(description)
        assert observation.size == (100, 50)
        return ActionTarget(bbox=(0.5, 0.25, 0.0, 0.0))

    screen = Observation(size=Size(100, 50))
    parsed = decode_answer(answer("click", "Click the gear."), dialect=codec_with(ground=ground), observation=screen)
    assert (asked, parsed.notes) == (["Click the gear."], ())
    assert parsed.response.action.target == ActionTarget(bbox=(0.5, 0.25, 0.0, 0.0))


def test_what_a_grounder_does_not_find_is_told_to_the_planner() -> None:
    def ground(description: str, _: Observation) -> ActionTarget:
        raise ActionError(f"“{description}” is not there.", "not_grounded", "description", "Scroll.")

    with pytest.raises(ActionError, match="is not there") as found:
        decode_answer(answer("click", "Click the gear."), dialect=codec_with(ground=ground))
    assert found.value.code == "not_grounded"
