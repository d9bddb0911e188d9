"""Prompts: each part can be switched off alone, the budget holds, the same arguments choose the same demos."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import pytest

from demopack.codecs.observation import HeldDrag, Observation
from demopack.codecs.recorded_demo import RecordedDemo
from demopack.codecs.texts import Texts, texts
from demopack.codecs.uipath_registry import apply_operations
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.provenance import by_program
from demopack.domain.verdicts import Answer, DemoVerdict
from demopack.errors import ActionError, BadInputError, DemopackError
from demopack.prompting import prompt_builder
from demopack.prompting.agent_state import AgentState, agent_state_at
from demopack.prompting.caap_prompts import CAAP_PARTS, TABLE_6, caap_parts
from demopack.prompting.example_choice import (
    SLOT,
    IndexedDemo,
    embedding_similarity,
    indexed_demo,
    rank,
    same_kind,
    skeleton,
    word_similarity,
)
from demopack.prompting.function_definitions import as_anthropic, as_openai, functions_for
from demopack.prompting.prompt import Prompt, PromptOptions, picture_tokens, text_tokens
from demopack.prompting.prompt_builder import PROMPT_DIALECTS, build_prompt, render
from tests.support.prompt_demos import Source, figure_8, figure_9, small_demo, told_demo

SCENE = Observation(
    size=Size(160, 210),
    elements=(
        NumberedElement(number=1, uid="e1", frame="f", type="dropdown", box=Rect(1, 55, 152, 76), text="Theodora"),
    ),
    image="frames/now.png",
)
TASK = "Select Helli from the list and click Submit."
BUSY = AgentState(
    task=TASK,
    observation=dataclasses.replace(SCENE, held=HeldDrag(start=Point(3, 4))),
    last_response="Opened.",
    failure="No 7.",
)


def caap(config: str = "full", without: str = "", situation: AgentState = BUSY) -> Prompt:
    options = PromptOptions(config=config, without=without)
    return render(situation, [figure_9()], dialect="caap", options=options)


def parts_of(prompt: Prompt) -> dict[str, str]:
    return {name: text for message in prompt.messages for name, text in message.parts.items()}


# The ablation


@pytest.mark.parametrize(
    ("config", "gone"),
    [
        ("full", set[str]()),
        ("demo_without_cot", {"opening", "review", "screen", "plan"}),
        ("cot_without_demo", {"demos"}),
        ("cot_with_action_only_demo", set[str]()),
        ("no_cot_no_demo", {"opening", "review", "screen", "plan", "demos"}),
    ],
)
def test_the_configurations_of_table_6_differ_in_exactly_what_the_table_names(config: str, gone: set[str]) -> None:
    full, other = parts_of(caap()), parts_of(caap(config))
    assert set(full) - set(other) == gone
    assert set(other) <= set(full)
    changed = {name for name in other if other[name] != full[name]}
    assert changed == ({"demos"} if config == "cot_with_action_only_demo" else set())


def test_the_five_prompts_are_five_and_action_only_demos_lose_their_reasons_alone() -> None:
    prompts = {name: caap(name).to_text() for name in TABLE_6}
    assert len(set(prompts.values())) == 5
    told = parts_of(caap())["demos"]
    bare = parts_of(caap("cot_with_action_only_demo"))["demos"]
    assert "reason" in told
    assert "reason" not in bare
    assert [line.split(", reason:")[0].rstrip("}") for line in told.split("\n")] == [
        line.rstrip("}") for line in bare.split("\n")
    ]
    assert {"opening", "review", "screen", "plan"} == set(parts_of(caap())) - set(parts_of(caap("demo_without_cot")))


@pytest.mark.parametrize("name", CAAP_PARTS)
def test_every_switch_takes_its_part_out_and_nothing_else(name: str) -> None:
    full, other = parts_of(caap()), parts_of(caap(without=name))
    if name == "actions":  # off by default
        assert other == full
        return
    if name == "reasons":
        assert set(other) == set(full)
        return
    assert set(full) - set(other) == {name}
    changed = {key for key in other if other[key] != full[key]}
    # The opening counts and names the sections that stand.
    assert changed == ({"opening"} if name in {"review", "screen", "plan", "answer"} else set())


def test_the_announced_number_of_sections_is_the_number_of_sections() -> None:
    for without, words in (("", "four sections"), ("review", "three sections"), ("review,plan", "two sections")):
        assert words in parts_of(caap(without=without))["opening"]
    assert "opening" not in parts_of(caap(without="review,screen,plan"))


def test_unknown_parts_and_configurations_are_named() -> None:
    with pytest.raises(BadInputError, match="no part 'demo'"):
        caap_parts(without="demo")
    with pytest.raises(BadInputError, match="no configuration 'half'"):
        caap_parts(config="half")


def test_the_action_types_can_stand_in_the_text_instead_of_the_functions() -> None:
    text = render(BUSY, [], dialect="caap").to_text()
    assert "control_click_element" not in text
    functions = functions_for("caap")
    assert [tool["function"]["name"] for tool in as_openai(functions)] == [
        tool["name"] for tool in as_anthropic(functions)
    ]
    assert as_anthropic(functions)[0]["input_schema"] == functions[0]["parameters"]


def test_the_drag_note_stands_right_after_the_button_went_down() -> None:
    """The original tests for another name of that action and misses it."""
    assert "(3, 4)" in parts_of(caap())["drag_note"]
    assert "drag_note" not in parts_of(caap(situation=dataclasses.replace(BUSY, observation=SCENE)))


# Other dialects


@pytest.mark.parametrize("dialect", PROMPT_DIALECTS)
def test_every_dialect_tells_the_task_and_is_stamped_with_the_version_of_its_texts(dialect: str) -> None:
    prompt = build_prompt(Source([figure_9()]), AgentState(task=TASK, observation=SCENE), dialect=dialect)
    assert TASK in prompt.to_text()
    own = {"ui-tars-1.5": "ui-tars", "qwen2.5-vl": "qwen"}.get(dialect, dialect)
    assert prompt.version == f"{own}@{texts(own).version}"
    assert prompt.shots == ("demo_fig9",)
    assert "{{" not in prompt.to_text()
    assert json.loads(json.dumps(prompt.to_json()))["tokens"] == prompt.tokens > 0


def test_answers_in_demos_name_only_numbers_of_lists_that_are_shown() -> None:
    def targets(*, listed: bool) -> list[dict[str, object]]:
        options = PromptOptions(shot_elements=listed)
        prompt = render(AgentState(task=TASK), [figure_9()], dialect="llmresponse", options=options)
        return [json.loads(m.text)["action"]["target"] for m in prompt.messages if m.role == "assistant"]

    assert all("element_id" in target for target in targets(listed=True))
    assert [sorted(target) for target in targets(listed=False)] == [["bbox", "text"]] * 3
    bare = render(AgentState(task=TASK), [figure_9()], dialect="lam")
    asked, answered = (message.text for message in bare.messages[1:3])
    assert json.loads(asked.split("\n")[0].partition("> ")[2])[0]["label"] == json.loads(answered)["control_label"]


def test_the_next_answer_reviews_what_the_last_action_did() -> None:
    rows = figure_9()
    steps = rows.steps
    assert steps[0].recorded.rationale is not None
    rationale = steps[0].recorded.rationale.model_copy(update={"actual_effect": "The list is open."})
    first = dataclasses.replace(steps[0], recorded=steps[0].recorded.but(rationale=rationale))
    told = dataclasses.replace(rows, steps=(first, *steps[1:]))
    prompt = render(AgentState(task=TASK), [told], dialect="uipath")
    answers = [json.loads(m.text) for m in prompt.messages if m.role == "assistant"]
    assert [answer["previous_action_result"] for answer in answers] == ["", "The list is open.", ""]


def test_only_the_last_two_turns_and_the_question_carry_pictures() -> None:
    situation = dataclasses.replace(agent_state_at(Source([figure_9()]), "demo_fig9:3")[0], observation=SCENE)
    situation = dataclasses.replace(situation, history=(*situation.history, *situation.history))
    prompt = render(situation, [], dialect="uipath")
    assert sum(bool(message.images) for message in prompt.messages) == 3
    bare = render(situation, [], dialect="uipath", options=PromptOptions(pictures=False))
    assert not any(message.images for message in bare.messages)
    assert prompt.tokens - bare.tokens == 3 * picture_tokens(160, 210)


def test_the_planners_history_is_a_talk_or_told_in_words() -> None:
    situation, _ = agent_state_at(Source([figure_9()]), "demo_fig9:3")
    talk = render(situation, [], dialect="uipath")
    told = render(situation, [], dialect="uipath", options=PromptOptions(talk=False))
    assert [message.role for message in talk.messages].count("assistant") == 2
    assert [message.role for message in told.messages] == ["system", "user"]
    assert "1. Clicked “Storm” (dropdown)\n2. Clicked “Janella” (tabled text)" in told.messages[-1].text
    assert told.part("task") == talk.part("task")
    assert told.part("turn") == talk.part("turn")


def test_the_last_turn_and_the_memory_are_told() -> None:
    memory = apply_operations(
        {}, [{"type": "store_info", "key": "k", "value": "v", "info_type": "data_update", "description": ""}]
    )
    prompt = render(AgentState(task=TASK, memory=memory, last_turn=True), [], dialect="uipath")
    assert texts("uipath").get("last_turn") in prompt.messages[-1].text
    assert '"k": {"value": "v"' in prompt.messages[-1].text
    assert apply_operations(memory, [{"type": "delete_info", "key": "k"}, {"type": "delete_info", "key": "x"}]) == {}


def test_a_step_that_caap_has_no_call_for_is_a_note() -> None:
    acts = [("scroll", None, {"scroll_direction": "down", "scroll_steps": 3}), ("finish_goal", None, {})]
    rows = told_demo("demo_s", "Scroll down", [[("button", (1, 1, 9, 9), "Go", {})]] * 2, acts)
    prompt = render(AgentState(task="Scroll"), [rows], dialect="caap")
    assert prompt.notes == ("Step 1 of demo_s is told as a note, caap has no word for it: Scrolled down by 3.",)
    assert prompt.part("demos") is not None
    assert 'demo_note: {done: "Scrolled down by 3"}\n}\n(A line that begins with "note"' in prompt.part("demos")
    assert render(AgentState(task="Scroll"), [rows], dialect="uipath").notes == ()


def test_a_model_of_resized_pictures_is_told_how_large_it_sees_them() -> None:
    situation = AgentState(task=TASK, observation=SCENE)
    sizes = {"qwen": "1000x1000", "qwen2.5-vl": "168x224"}
    for dialect, size in sizes.items():
        system = render(situation, [], dialect=dialect).messages[0].text
        assert f"The screen's resolution is {size}." in system
        definition = json.loads(system.split("<tools>\n")[1].split("\n</tools>")[0])
        assert definition["function"]["name"] == "computer_use"
    assert "resolution" not in render(AgentState(task=TASK), [], dialect="qwen2.5-vl").to_text()
    assert "pixels of the picture as you see it, 252 x 336." in render(situation, [], dialect="ui-tars-1.5").to_text()
    assert "pixels of the picture as you see it." in render(AgentState(task=TASK), [], dialect="ui-tars-1.5").to_text()


# Situations


def test_a_recorded_moment_is_a_situation_and_never_an_example_for_itself() -> None:
    source = Source([figure_8(), figure_9()])
    situation, own = agent_state_at(source, "demo_fig9:2")
    assert own == ("demo_fig9",)
    assert [step.description for step in situation.history] == ["Clicked “Storm” (dropdown)"]
    assert len(situation.observation.elements) == 4
    options = PromptOptions(exclude=own)
    assert build_prompt(source, situation, dialect="caap", options=options).shots == ("demo_fig8",)
    for place, words in (
        ("demo_fig9", "no moment"),
        ("demo_fig9:4", "no step 4"),
        ("demo_:1", "Several"),
        ("x:1", "No demo"),
    ):
        with pytest.raises(BadInputError, match=words):
            agent_state_at(source, place)


# Tokens and budget


def test_tokens_are_counted_by_the_stated_rule() -> None:
    assert text_tokens("") == 0
    assert text_tokens("Select the list") == 3
    assert text_tokens("internationalisation") == 3
    assert text_tokens("123456 7") == 3
    assert text_tokens("中文") == 2
    assert text_tokens("----\n") == 2
    assert picture_tokens(750, 100) == 100


def test_the_budget_holds_and_a_demo_that_is_too_long_makes_room_for_a_shorter_one() -> None:
    long = told_demo(
        "demo_long", "Select Eva from the list and click Submit.", [[("button", (1, 1, 9, 9), "Go", {})]] * 40,
        [("click", 0, {"reason": "Words and more words. " * 20})] * 40,
    )  # fmt: skip
    source = Source([long, figure_9()])
    situation = AgentState(task=TASK, observation=SCENE)
    bare = render(situation, [], dialect="caap").tokens
    prompt = build_prompt(source, situation, dialect="caap", options=PromptOptions(budget=bare + 400))
    assert prompt.shots == ("demo_fig9",)
    assert prompt.left_out == ("demo_long",)
    assert prompt.tokens <= bare + 400
    with pytest.raises(BadInputError, match="without any demo"):
        build_prompt(source, situation, dialect="caap", options=PromptOptions(budget=bare - 1))
    assert build_prompt(source, situation, dialect="caap", options=PromptOptions(shots=0)).shots == ()


@pytest.mark.parametrize("dialect", PROMPT_DIALECTS)
def test_a_demo_of_thousands_of_steps_is_given_up_before_it_is_written_down(
    dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = small_demo("demo_long", TASK)
    first, last = long.steps
    rows = [dataclasses.replace(first, index=index) for index in range(3000)]
    long = dataclasses.replace(long, steps=(*rows, dataclasses.replace(last, index=3000)))
    rendered: list[int] = []

    def counted(situation: AgentState, shots: Sequence[RecordedDemo], **how: Any) -> Prompt:
        rendered.extend(len(shot.steps) for shot in shots)
        return render(situation, shots, **how)

    monkeypatch.setattr(prompt_builder, "render", counted)
    prompt = build_prompt(Source([long]), BUSY, dialect=dialect, options=PromptOptions(budget=4000))
    assert prompt.left_out == ("demo_long",)
    assert max(rendered) < 1000


# Selection


def test_tasks_of_one_kind_are_told_by_their_fixed_words() -> None:
    assert skeleton(TASK) == f"select {SLOT} from the list and click {SLOT}"
    assert skeleton("Pay 12.50 EUR to “Ada”. Then stop.") == f"pay {SLOT} to {SLOT} then stop"
    assert same_kind("Select Ada Lovelace from the list and click Submit.", TASK)
    assert not same_kind("Select Helli from the menu and click Submit.", TASK)
    assert not same_kind("Ada", "Grace"), "nothing but names tells no kind"
    assert same_kind("search for old cats", "search for dogs", ["dogs"])
    assert not same_kind("search for old cats", "search for dogs")


def test_instances_of_the_same_kind_come_first_and_the_same_task_only_when_wanted() -> None:
    rows = [
        small_demo("demo_other", "Select from the list the list list"),
        small_demo("demo_kind", "Select Janella from the list and click Submit."),
        small_demo("demo_same", TASK),
    ]
    documents = [found for row in rows if (found := indexed_demo(row)) is not None]
    any_of = rank(documents, TASK, diversity=0)
    assert {choice.id for choice in any_of[:2]} == {"demo_same", "demo_kind"}
    assert all(same_kind(TASK, choice.task) for choice in any_of[:2])
    other = rank(documents, TASK, instance="other", diversity=0)
    assert [choice.id for choice in other] == ["demo_kind", "demo_other"]
    assert rank(documents, "zzz qqq") == []
    assert rank([], TASK) == []


def test_the_choice_depends_on_the_seed_alone_and_not_on_the_order_of_the_pack() -> None:
    documents = [IndexedDemo(id=f"demo_{n}", task=f"Select N{n} from the list and click Submit.") for n in range(8)]
    first = [choice.id for choice in rank(documents, TASK, limit=3, seed=1)]
    assert first == [choice.id for choice in rank(documents[::-1], TASK, limit=3, seed=1)]
    assert len({tuple(choice.id for choice in rank(documents, TASK, limit=3, seed=s)) for s in range(6)}) > 1


def test_diversity_prefers_a_demo_that_is_unlike_those_before_it() -> None:
    twins = [IndexedDemo(id=f"twin{n}", task="book a flight to a city", words="Clicked Book") for n in (1, 2)]
    third = IndexedDemo(id="unlike", task="book a hotel", words="Scrolled down Dragged the slider")
    assert {c.id for c in rank([*twins, third], "book a flight", limit=2, diversity=0)} == {"twin1", "twin2"}
    assert "unlike" in {c.id for c in rank([*twins, third], "book a flight", limit=2, diversity=0.7)}


def test_what_is_no_example_is_never_shown() -> None:
    assert indexed_demo(small_demo("demo_a", TASK)) is not None
    assert indexed_demo(small_demo("demo_b", TASK, outcome="failure")) is None
    rejected = small_demo("demo_c", TASK)
    first = dataclasses.replace(rejected.steps[0], recorded=rejected.steps[0].recorded.but(review="rejected"))
    steps = [first, *rejected.steps[1:]]
    assert indexed_demo(dataclasses.replace(rejected, steps=steps)) is None
    assert indexed_demo(dataclasses.replace(rejected, steps=[])) is None
    assert indexed_demo(small_demo("demo_d", TASK, verdict=_verdict("no"))) is None
    assert indexed_demo(small_demo("demo_e", TASK, outcome="failure", verdict=_verdict("yes"))) is not None


def test_what_is_no_example_is_shown_when_that_is_asked_for() -> None:
    failed = small_demo("demo_b", TASK, outcome="failure")
    for asked, shown in ((False, ()), (True, ("demo_b",))):
        options = PromptOptions(any_outcome=asked)
        prompt = build_prompt(
            Source([failed]), AgentState(task=TASK, observation=SCENE), dialect="caap", options=options
        )
        assert prompt.shots == shown
    assert indexed_demo(dataclasses.replace(failed, steps=[]), any_outcome=True) is None


def _verdict(complete: Answer) -> DemoVerdict:
    return DemoVerdict(
        reason="So it is.", complete=complete, quality="good", alignment=5, efficiency=5, difficulty=5,
        actual_task=TASK, provenance=by_program("model", "judge"),
    )  # fmt: skip


def test_demos_of_the_same_program_are_preferred() -> None:
    documents = [IndexedDemo(id=f"d{n}", task="open the file menu", app=app) for n, app in enumerate(("Mail", "Paint"))]
    for app, first in (("mail", "d0"), ("paint", "d1")):
        assert rank(documents, "open the file menu", app=app)[0].id == first


def test_full_text_takes_any_task_and_finds_by_what_the_steps_say() -> None:
    documents = [IndexedDemo(id="a", task="x", words="Clicked “Export as PDF” (button)"), IndexedDemo(id="b", task="y")]
    assert word_similarity(documents, "exporting pdf") == {"a": 1.0}
    for odd in ("", '"', "AND OR NOT", "a* NEAR(b)", "');--"):
        word_similarity(documents, odd)


def test_embeddings_come_in_through_the_port() -> None:
    def embed(given: Sequence[str]) -> list[list[float]]:
        return [[float("flight" in text), float("hotel" in text)] for text in given]

    similarity = embedding_similarity(embed)
    documents = [IndexedDemo(id="f", task="a flight"), IndexedDemo(id="h", task="a hotel")]
    assert [choice.id for choice in rank(documents, "the flight", similarity=similarity)] == ["f"]
    found = similarity(documents, "a flight to a hotel")
    assert found == {"f": pytest.approx(0.5**0.5, abs=1e-5), "h": pytest.approx(0.5**0.5, abs=1e-5)}


# Texts


def test_a_text_takes_exactly_its_fields() -> None:
    words = Texts(name="t", version=3, parts={"a": "{{x}} and {{y}}"})
    assert words.get("a", x="{{y}}", y=2) == "{{y}} and 2"
    for fields in ({"x": 1}, {"x": 1, "y": 2, "z": 3}):
        with pytest.raises(KeyError, match="t@3/a"):
            words.get("a", **fields)


def test_a_file_of_texts_that_is_not_there_is_a_damaged_installation() -> None:
    with pytest.raises(DemopackError, match="klingon"):
        texts("klingon")


def test_an_unknown_dialect_of_prompts_is_named() -> None:
    with pytest.raises(BadInputError, match="klingon"):
        render(AgentState(task=TASK), [], dialect="klingon")
    with pytest.raises(BadInputError, match="ui-tars"):
        functions_for("ui-tars")
    assert issubclass(ActionError, BadInputError)
