"""Exports for agents that plan in words: every field that their own programs ask for is there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from demopack.codecs.caap import TABLE_2
from tests.support.exports import export, lines, make_pack, steps_of
from tests.support.packs import PackFolder


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("pack"))


def _object(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


_TEXT: dict[str, Any] = {"type": "string"}
_MAYBE: dict[str, Any] = {"type": ["string", "null"]}
_PLAN = {
    "type": "array",
    "items": _object(
        Step={"type": "integer"},
        Subtask=_TEXT,
        ControlLabel=_MAYBE,
        ControlText=_TEXT,
        Function=_TEXT,
        Args={"type": "object", "additionalProperties": True},
        Success={"type": ["boolean", "null"]},
        MatchedControlText=_MAYBE,
    ),
}
_STAGES = ("choose_template", "prefill", "instantiation_evaluation", "execute", "execute_eval", "total")


def _or_null(shape: dict[str, Any]) -> dict[str, Any]:
    return {**shape, "type": [shape["type"], "null"]}


# What UFO's dataflow asks of a result, rebuilt from the field list of its schema (microsoft/UFO b28183f,
# dataflow/schema/execution_schema.json): every field is required, and what a stage never came to is null.
UFO = _object(
    unique_id=_TEXT,
    app=_TEXT,
    original=_object(original_task=_TEXT, original_steps={"type": "array", "items": _TEXT}),
    execution_result=_object(
        result=_object(
            reason=_TEXT,
            sub_scores={"type": "object", "patternProperties": {".*": {"enum": ["yes", "no", "unsure"]}}},
            complete={"enum": ["yes", "no", "unsure"]},
        ),
        error=_MAYBE,
    ),
    instantiation_result=_object(
        choose_template=_object(result=_MAYBE, error=_MAYBE),
        prefill=_object(result=_object(instantiated_request=_TEXT, instantiated_plan=_PLAN), error=_MAYBE),
        instantiation_evaluation=_object(
            result=_or_null(_object(judge={"type": "boolean"}, thought=_TEXT, request_type=_TEXT)), error=_MAYBE
        ),
    ),
    time_cost=_object(**{stage: {"type": ["number", "null"]} for stage in _STAGES}),
)


@pytest.mark.parametrize(("outcome", "folder"), [("success", "pass"), ("failure", "fail"), (None, "unsure")])
def test_ufos_results_pass_its_schema_and_lie_where_it_looks(
    outcome: str | None, folder: str, pack: Path, tmp_path: Path
) -> None:
    changed = PackFolder(pack).copy(tmp_path / "pack")
    changed.edit_rows("demos", lambda rows: [row.update(outcome=outcome) for row in rows])
    log = export(changed.path, "ufo", tmp_path / "out")
    files = sorted((tmp_path / "out" / "dataflow" / f"execution_{folder}").iterdir())
    assert len(files) == 2
    for file in files:
        result = json.loads(file.read_text(encoding="utf-8"))
        jsonschema.validate(result, UFO)
        plan = result["instantiation_result"]["prefill"]["result"]["instantiated_plan"]
        assert [step["Step"] for step in plan] == list(range(1, len(plan) + 1))
        assert len(result["original"]["original_steps"]) == len(plan)
        assert result["execution_result"]["result"]["sub_scores"] == {}
        # What was done can be done: UFO's own batch mode takes these results alone.
        judged = result["instantiation_result"]["instantiation_evaluation"]["result"]
        assert (judged is not None and judged["judge"]) is (folder == "pass")
        assert result["time_cost"]["execute"] > 0
        assert result["time_cost"]["prefill"] is None
        assert "person" not in file.read_text(encoding="utf-8")
    assert log.rows_out == log.rows_in == 14


# Parameters that the UiPath planner requires of each of its actions.
UIPATH: dict[str, set[str]] = {
    "click": set(), "right_click": set(), "double_click": set(), "triple_click": set(), "mouse_move": set(),
    "wait": set(), "type": {"text"}, "scroll": {"element_description", "direction", "distance"},
    "drag": {"start_description", "end_description"}, "key_press": {"key"}, "extract_data": {"description", "data"},
    "finish": {"status"},
}  # fmt: skip


def test_uipaths_answers_are_actions_that_it_takes(pack: Path, tmp_path: Path) -> None:
    export(pack, "uipath", tmp_path / "out")
    rows = lines(tmp_path / "out" / "planner.jsonl")
    for row in rows:
        answer = row["answer"]
        assert list(answer) == ["previous_action_result", "thought", "action_description", "update_memory", "action"]
        action = answer["action"]
        assert set(action.get("parameters", {})) == UIPATH[action["type"]]
        assert isinstance(action.get("parameters", {}).get("distance", 1), int)
    # What an action led to is what the next one sees.
    assert rows[1]["answer"]["previous_action_result"] == "The form changed as expected."
    assert rows[0]["answer"]["previous_action_result"] == ""
    for file in (tmp_path / "out" / "steps").iterdir():
        for step in json.loads(file.read_text(encoding="utf-8"))["steps"]:
            plan = json.loads(step["additional_parameters"]["plan_action"])
            assert step["actions"][0]["method_type"] == plan["type"]


def test_misread_texts_are_told_nowhere_and_a_persons_words_stay(pack: Path, tmp_path: Path) -> None:
    changed = PackFolder(pack).copy(tmp_path / "pack")
    steps = changed.rows("steps")
    field, button = (steps[number]["target_uid"] for number in (1, 9))

    def misread(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            if row["uid"] == field:
                row["text"] = "Ihame@example.org"
            elif row["uid"] == button:
                row.update(text="Saue custorner", source="ocr", confidence=0.3)

    def described(rows: list[dict[str, Any]]) -> None:
        rows[1]["description"] = "Typed “Ada Lovelace” in “Ihame@example.org” (input field)"
        rows[3]["description"] = "I took the United Kingdom"
        rows[9]["description"] = "Ctrl+clicked “Saue custorner” (button)"

    changed.edit_rows("elements", misread)
    changed.edit_rows("steps", described)
    told = {
        1: "Typed “Ada Lovelace” in “Full name” (input field)",
        3: "I took the United Kingdom",
        9: "Ctrl+clicked the button",
    }
    export(changed.path, "uipath", tmp_path / "uipath")
    history = lines(tmp_path / "uipath" / "planner.jsonl")[10]["history"]
    assert {number: history[number] for number in told} == told
    export(changed.path, "lam", tmp_path / "lam", any_outcome=True)
    asked = lines(tmp_path / "lam" / "lam.jsonl")[9]["messages"][1]["content"]
    done = json.loads(re.findall(r"<Previous Actions:> (.*)", asked)[0])
    assert {number: done[number]["action"] for number in (1, 3)} == {number: told[number] for number in (1, 3)}
    export(changed.path, "ufo", tmp_path / "ufo", any_outcome=True)
    (file,) = (tmp_path / "ufo").glob(f"dataflow/*/{steps[0]['demo']}.json")
    result = json.loads(file.read_text(encoding="utf-8"))
    plan = result["instantiation_result"]["prefill"]["result"]["instantiated_plan"]
    assert {number: plan[number]["Subtask"] for number in told} == told
    assert result["original"]["original_steps"] == [f"{row['Step']}. {row['Subtask']}" for row in plan]
    names = {number: (plan[number]["ControlText"], plan[number]["MatchedControlText"]) for number in (1, 3, 9)}
    assert names == {1: ("Full name", "Full name"), 3: ("United Kingdom", "United Kingdom"), 9: ("", None)}


def test_variables_and_data_enter_uipaths_memory(pack: Path, tmp_path: Path) -> None:
    changed = PackFolder(pack).copy(tmp_path / "pack")
    data = {
        "action_type": "extract_data",
        "target": None,
        "parameters": {"description": "Total Price", "data": "12 EUR"},
    }

    def change(rows: list[dict[str, Any]]) -> None:
        rows[1]["variable"] = "customer"
        rows[2]["response"]["action"] = data
        rows[2].update(target_box=None)

    changed.edit_rows("steps", change)
    export(changed.path, "uipath", tmp_path / "out")
    memory = [row["answer"]["update_memory"] for row in lines(tmp_path / "out" / "planner.jsonl")]
    assert [(m["type"], m["key"], m["value"]) for found in memory for m in found] == [
        ("store_info", "customer", "Ada Lovelace"), ("store_info", "total_price", "12 EUR"),
    ]  # fmt: skip


def test_caaps_script_has_a_line_for_every_action(pack: Path, tmp_path: Path) -> None:
    log = export(pack, "caap", tmp_path / "out", rationale="hindsight")
    text = (tmp_path / "out" / "demos.txt").read_text(encoding="utf-8")
    assert re.findall(r"^DEMO_(\d+) = \{$", text, re.MULTILINE) == ["1", "2"]
    script = next(iter(sorted((tmp_path / "out" / "scripts").iterdir(), reverse=True))).read_text(encoding="utf-8")
    numbers = [int(number) for number in re.findall(r"^action_(\d+): \{name: ", script, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    # No wheel, no Escape: CAAP has no function for these, so they stand as notes; its tasks end by themselves.
    assert len(re.findall(r'^note: \{done: "', script, re.MULTILINE)) == 2
    assert {item.code: item.count for item in log.left_out} == {"no_word": 2}
    assert {item.code: item.count for item in log.lost}["note"] == 2
    kinds = set(re.findall(r"\{type: (\w+),", text))
    assert kinds
    assert kinds <= set(TABLE_2)
    assert "disabled" not in text


def test_a_skill_names_its_parameters_and_shows_every_step(pack: Path, tmp_path: Path) -> None:
    changed = PackFolder(pack).copy(tmp_path / "pack")
    changed.edit_row("steps", 1, lambda row: row.update(variable="customer"))
    changed.edit_row("demos", 0, lambda row: row.update(task=f"{row['task']}."))
    export(changed.path, "skill", tmp_path / "out")
    folder = tmp_path / "out" / "add-ada-lovelace-as-a-customer-from-the-united-kingdom"
    text = (folder / "SKILL.md").read_text(encoding="utf-8")
    head = text.split("---\n")[1]
    assert re.search(r"^name: [a-z0-9-]{1,64}$", head, re.MULTILINE)
    assert re.search(r'^description: ".{1,1024}"$', head, re.MULTILINE)
    assert "Kingdom in Customers. Use it when" in head
    assert "| customer | Ada Lovelace |" in text
    assert "Type the value of customer." in text
    assert re.findall(r"^### (\d+)\.", text, re.MULTILINE) == [str(number) for number in range(1, 11)]
    for image in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text):
        assert (folder / image).is_file()
    actions = [json.loads(line) for line in re.findall(r"^```json\n(.*)\n```$", text, re.MULTILINE)]
    assert actions == [step["response"]["action"] for step in steps_of(changed.path)[:10]]


@pytest.mark.parametrize(
    ("task", "app", "name", "about"),
    [
        ("Größe für Zoë Müller ändern", "", "groesse-fuer-zoe-mueller-aendern", "Größe für Zoë Müller ändern"),
        ("Łódź, Århus, Ærø, naïve façade", "", "lodz-aarhus-aeroe-naive-facade", "Łódź, Århus, Ærø, naïve façade"),
        (
            "Fill in the form, and submit. ",
            "practice",
            "fill-in-the-form-and-submit",
            "the form, and submit in practice.",
        ),
        ("Write to zoe@example.org!", "Mail", "write-to", "Write to an e-mail address in Mail."),
        ("Type <image> for <email:1>", "App <1>", "type-image-for-email-1", "Type [image] for [email:1] in App [1]."),
        ("File > Save as", "", "file-save-as", "File → Save as."),
        ("Klick “日本語”", "", "klick", "Klick “日本語”."),
        ("日本語のメニューを開く x", "", "demo-0000000001", "日本語のメニューを開く x."),
        ("Ask Claude about Anthropic's prices", "", "ask-about-s-prices", "Ask Claude about"),
        ("...", "", "demo-0000000001", " "),
        ("Con", "", "skill-con", "Con."),
    ],
)
def test_a_skill_has_a_name_and_a_description_that_their_reader_takes(
    task: str, app: str, name: str, about: str, pack: Path, tmp_path: Path
) -> None:
    """As the skills' own validator wants them: hyphens and ASCII, no angle brackets; and nobody's address."""
    changed = PackFolder(pack).copy(tmp_path / "pack")
    changed.edit_row("demos", 1, lambda row: row.update(task=task, app=app))
    export(changed.path, "skill", tmp_path / "out")
    text = (tmp_path / "out" / name / "SKILL.md").read_text(encoding="utf-8")
    head = dict(line.split(": ", 1) for line in text.split("---\n")[1].splitlines())
    assert head["name"] == name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    said = json.loads(head["description"])
    assert about in said
    assert not set(said) & {"<", ">", "@"}
    assert said.endswith(". Use it when this task, or one like it, is to be done.")


def test_a_tutorial_tells_every_step_as_an_order(pack: Path, tmp_path: Path) -> None:
    changed = PackFolder(pack).copy(tmp_path / "pack")

    def middle(row: dict[str, Any]) -> None:
        row["response"]["action"]["parameters"]["click_type"] = "middle"
        row["description"] = row["description"].replace("Clicked", "Middle-clicked")

    changed.edit_row("steps", 3, middle)
    export(changed.path, "tutorial", tmp_path / "out")
    demo = steps_of(changed.path)[3]["demo"]
    text = (tmp_path / "out" / f"{demo}.md").read_text(encoding="utf-8")
    orders = re.findall(r"^## \d+\. (.*)", text, re.MULTILINE)
    assert orders[3] == 'Middle-click the list item "United Kingdom".'
    assert {order.split()[0].rstrip(".") for order in orders} <= {
        "Click", "Type", "Press", "Hold", "Scroll", "Drag", "Move", "Wait", "Double", "Middle-click", "Right",
    }  # fmt: skip


def test_a_tutorial_shows_its_pictures_and_says_nothing_unescaped(pack: Path, tmp_path: Path) -> None:
    changed = PackFolder(pack).copy(tmp_path / "pack")
    changed.edit_rows("demos", lambda rows: rows[0].update(task="<script>alert(1)</script> [x](y)"))
    export(changed.path, "tutorial", tmp_path / "out")
    demo = lines(changed.path / "demos.jsonl")[0]["demo"]
    html = (tmp_path / "out" / f"{demo}.html").read_text(encoding="utf-8")
    markdown = (tmp_path / "out" / f"{demo}.md").read_text(encoding="utf-8")
    assert "<script>" not in html + markdown
    assert "[x](y)" not in markdown
    images = re.findall(r'src="([^"]+)"', html)
    assert len(images) == 10
    assert all((tmp_path / "out" / image).is_file() for image in images)
    assert html.count("<svg") == 10
