"""Exports of actions and trajectories, read by the packages of the programs that they are for."""

from __future__ import annotations

import ast
import base64
import json
import re
import types
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from demopack.codecs.sets.base import ExportOptions
from demopack.codecs.sets.catalogue import exporter
from demopack.pack.export import export_formats
from tests.golden.inputs import unpack
from tests.support.exports import export, lines, make_pack, plain, steps_of


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("pack"))


@pytest.fixture(scope="module")
def hard_pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack with every action."""
    return unpack("hard-pack", tmp_path_factory.mktemp("hard"))


def _documents(folder: Path) -> dict[str, Any]:
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("demos/*.json"))}


@pytest.mark.parametrize(("name", "model"), [("ui-tars", "qwen2vl"), ("ui-tars-1.5", "qwen25vl")])
def test_ui_tars_reads_every_action_where_it_was(name: str, model: str, pack: Path, tmp_path: Path) -> None:
    parser = pytest.importorskip("ui_tars.action_parser", reason="UI-TARS' parser is not installed")
    export(pack, name, tmp_path / "out", unit="step")
    steps = {f"step {step['index'] + 1} of {step['demo']}": step for step in steps_of(pack)}
    pressed = {"click": "click", "double": "left_double", "right": "right_single"}
    rows = lines(tmp_path / "out" / "ui_tars.jsonl")
    assert len(rows) == len(steps)
    for row in rows:
        step, said = steps[row["sample"]], row["messages"][-1]["content"]
        width, height = step["image_size"]
        read = parser.parse_action_to_structure_output(
            said, factor=1000, origin_resized_height=height, origin_resized_width=width, model_type=model
        )
        action = step["response"]["action"]
        kind = action["action_type"]
        expected = {"click": pressed["click"], "type": "type", "press_key": "hotkey", "scroll": "scroll",
                    "drag": "drag", "finish_goal": "finished"}  # fmt: skip
        assert [one["action_type"] for one in read] == [expected[kind]]
        if step["pointer"] is not None:
            x, y, *_ = ast.literal_eval(read[0]["action_inputs"]["start_box"])
            assert x * width == pytest.approx(min(step["pointer"]["x"], width), abs=width / 1000)
            assert y * height == pytest.approx(min(step["pointer"]["y"], height), abs=height / 1000)
        if kind == "scroll":
            assert read[0]["action_inputs"]["direction"] == action["parameters"]["scroll_direction"]


@pytest.mark.parametrize("name", ["openai", "anthropic", "gemini", "ui-tars", "ui-tars-1.5", "qwen", "qwen2.5-vl"])
def test_what_was_clicked_lies_in_its_box_of_the_list(name: str, pack: Path, tmp_path: Path) -> None:
    """Question and answer count in the same numbers: an agent that copies from the list clicks where it should."""
    unit = {"unit": "step"} if name.startswith(("ui-tars", "qwen")) else {}
    export(pack, name, tmp_path / "out", **unit)
    clicked = 0
    for step in steps_of(pack):
        action, text = step["response"]["action"], _told_at(tmp_path / "out", name, step)
        number = None if action["target"] is None else action["target"].get("element_id")
        if action["action_type"] != "click" or text is None or number is None:
            continue
        asked, said = text
        (box,) = re.findall(rf"^\[{number}\] .* at \[(\d+), (\d+), (\d+), (\d+)\]", asked, re.MULTILINE)
        left, top, right, bottom = map(int, box)
        x, y = map(int, re.findall(r"(?<![\w.])\d+(?![\w.])", said)[-2:])
        assert left <= x <= right
        assert top <= y <= bottom
        clicked += 1
    assert clicked


def _told_at(folder: Path, name: str, step: dict[str, Any]) -> tuple[str, str] | None:
    """What the model is asked at a step with a list of elements, and the numbers of the answer; None without."""
    if name.startswith("ui-tars"):
        found = [row for row in lines(folder / "ui_tars.jsonl") if row["sample"] == _name(step)]
        return found[0]["messages"][1]["content"], found[0]["messages"][2]["content"]
    if name.startswith("qwen"):
        found = [row for row in lines(folder / "qwen.jsonl") if row["id"] == _name(step)]
        return found[0]["conversations"][0]["value"], found[0]["conversations"][1]["value"]
    if step["index"]:
        return None  # These list the elements of the first picture alone.
    document = _documents(folder)[step["demo"]]
    if name == "openai":
        (call,) = next(item for item in document["input"] if "actions" in item)["actions"]
        return document["input"][0]["content"][0]["text"], f"{call['x']} {call['y']}"
    if name == "anthropic":
        use = next(block for block in document["messages"][1]["content"] if block["type"] == "tool_use")
        return document["messages"][0]["content"][0]["text"], str(use["input"]["coordinate"])
    call = document["contents"][1]["parts"][0]["function_call"]["args"]
    return document["contents"][0]["parts"][0]["text"], f"{call['x']} {call['y']}"


def _name(step: dict[str, Any]) -> str:
    return f"step {step['index'] + 1} of {step['demo']}"


def test_qwen_agent_reads_the_prompt_as_its_own_and_every_call(hard_pack: Path, tmp_path: Path) -> None:
    export(hard_pack, "qwen", tmp_path / "out")
    rows = lines(tmp_path / "out" / "qwen.jsonl")
    definition = json.loads(rows[0]["conversations"][0]["value"].split("<tools>\n")[1].split("\n</tools>")[0])
    function = definition["function"]
    # As the function of the cookbook of Qwen3-VL (computer_use, 96588727) is defined.
    assert list(function) == ["name_for_human", "name", "description", "parameters", "args_format"]
    properties = function["parameters"]["properties"]
    assert {name: one["type"] for name, one in properties.items()} == {
        "action": "string", "keys": "array", "text": "string", "coordinate": "array", "pixels": "number",
        "time": "number", "status": "string",
    }  # fmt: skip
    assert properties["action"]["enum"] == [
        "key", "type", "mouse_move", "left_click", "left_click_drag", "right_click", "middle_click", "double_click",
        "triple_click", "scroll", "hscroll", "wait", "terminate", "answer",
    ]  # fmt: skip
    assert function["parameters"]["required"] == ["action"]
    assert "* The screen's resolution is 1000x1000." in function["description"]
    nous = pytest.importorskip("qwen_agent.llm.fncall_prompts.nous_fncall_prompt", reason="Qwen-Agent is not installed")
    schema = pytest.importorskip("qwen_agent.llm.schema", reason="Qwen-Agent is not installed")
    prompt = nous.NousFnCallPrompt()
    first = schema.Message(role="system", content=[schema.ContentItem(text="You are a helpful assistant.")])
    (system,) = prompt.preprocess_fncall_messages([first], [function], "en")
    theirs = "".join(item.text for item in system.content)
    for row in rows:
        told, said = row["conversations"][0]["value"], row["conversations"][1]["value"]
        assert told.startswith(f"{theirs}\n\n# Response format\n")
        answer = schema.Message(role="assistant", content=[schema.ContentItem(text=said)])
        read = [one.function_call for one in prompt.postprocess_fncall_messages([answer]) if one.function_call]
        assert len(read) == said.count("<tool_call>") > 0
        assert {call.name for call in read} == {"computer_use"}
        assert {json.loads(call.arguments)["action"] for call in read} <= set(properties["action"]["enum"])


def test_openai_types_take_every_item(pack: Path, tmp_path: Path) -> None:
    responses = pytest.importorskip("openai.types.responses", reason="OpenAI's package is not installed")
    inputs = pytest.importorskip("openai.types.responses.response_input_param", reason="part of OpenAI's package")
    export(pack, "openai", tmp_path / "out")
    adapters: dict[str | None, TypeAdapter[Any]] = {
        None: TypeAdapter(responses.EasyInputMessageParam),
        "computer_call": TypeAdapter(responses.ResponseComputerToolCallParam),
        "computer_call_output": TypeAdapter(inputs.ComputerCallOutput),
    }
    action: TypeAdapter[Any] = TypeAdapter(responses.ComputerAction)
    documents = _documents(tmp_path / "out")
    calls = 0
    for document in documents.values():
        asked = [item["call_id"] for item in document["input"] if item.get("type") == "computer_call"]
        answered = [item["call_id"] for item in document["input"] if item.get("type") == "computer_call_output"]
        assert asked == answered
        for item in document["input"]:
            adapters[item.get("type")].validate_python(item)
            for call in item.get("actions", ()):
                assert action.validate_python(call).to_dict(exclude_unset=True) == call
                calls += 1
    steps = steps_of(pack)
    ends = sum(step["response"]["action"]["action_type"] == "finish_goal" for step in steps)
    assert calls == len(steps) - ends


def test_openai_takes_every_action_as_part_of_a_question(hard_pack: Path, tmp_path: Path) -> None:
    responses = pytest.importorskip("openai.types.responses", reason="OpenAI's package is not installed")
    log = export(hard_pack, "openai", tmp_path / "out")
    items: TypeAdapter[Any] = TypeAdapter(responses.ResponseInputItemParam)
    tools: TypeAdapter[Any] = TypeAdapter(list[responses.ToolParam])
    kinds: set[str] = set()
    for document in _documents(tmp_path / "out").values():
        assert plain(tools.validate_python(document["tools"])) == document["tools"]
        for item in document["input"]:
            assert plain(items.validate_python(item)) == item
            kinds |= {call["type"] for call in item.get("actions", ())}
    assert kinds == {"click", "double_click", "type", "keypress", "scroll", "drag", "move", "wait"}
    assert log.rows_out > 50


def test_anthropic_types_take_every_block(pack: Path, tmp_path: Path) -> None:
    anthropic = pytest.importorskip("anthropic.types", reason="Anthropic's package is not installed")
    export(pack, "anthropic", tmp_path / "out")
    use: TypeAdapter[Any] = TypeAdapter(anthropic.ComputerToolUseBlock)
    plain: dict[str, TypeAdapter[Any]] = {
        "text": TypeAdapter(anthropic.TextBlockParam),
        "image": TypeAdapter(anthropic.ImageBlockParam),
    }
    uses = 0
    for document in _documents(tmp_path / "out").values():
        roles = [message["role"] for message in document["messages"]]
        assert roles[::2] == ["user"] * len(roles[::2])
        assert roles[1::2] == ["assistant"] * len(roles[1::2])
        open_calls: list[str] = []
        for message in document["messages"]:
            for block in message["content"]:
                if block["type"] == "tool_use":
                    read = use.validate_python({**block, "caller": {"type": "direct"}})
                    assert read.input.to_dict(exclude_unset=True) == block["input"]
                    open_calls.append(block["id"])
                    uses += 1
                elif block["type"] == "tool_result":
                    open_calls.remove(block["tool_use_id"])
                    for part in block["content"]:
                        plain["image"].validate_python(part)
                else:
                    plain[block["type"]].validate_python(block)
        assert open_calls == []
    assert uses == 12


def test_anthropic_takes_every_block_as_part_of_a_question(hard_pack: Path, tmp_path: Path) -> None:
    types_ = pytest.importorskip("anthropic.types", reason="Anthropic's package is not installed")
    export(hard_pack, "anthropic", tmp_path / "out")
    tools: TypeAdapter[Any] = TypeAdapter(list[types_.ToolUnionParam])
    message: TypeAdapter[Any] = TypeAdapter(types_.MessageParam)
    blocks: dict[str, TypeAdapter[Any]] = {
        "text": TypeAdapter(types_.TextBlockParam),
        "image": TypeAdapter(types_.ImageBlockParam),
        "tool_use": TypeAdapter(types_.ToolUseBlockParam),
        "tool_result": TypeAdapter(types_.ToolResultBlockParam),
    }
    use: TypeAdapter[Any] = TypeAdapter(types_.ComputerToolUseBlock)
    kinds: set[str] = set()
    for document in _documents(tmp_path / "out").values():
        assert plain(tools.validate_python(document["tools"])) == document["tools"]
        for one in document["messages"]:
            message.validate_python(one)
            for block in one["content"]:
                assert plain(blocks[block["type"]].validate_python(block)) == block
                if block["type"] == "tool_use":
                    read = use.validate_python({**block, "caller": {"type": "direct"}})
                    assert read.input.to_dict(exclude_unset=True) == block["input"]
                    kinds.add(block["name"])
    assert {"double_click", "triple_click", "left_click_drag", "scroll", "wait", "mouse_move", "key"} < kinds


def test_atif_takes_every_trajectory_and_nothing_is_lost(pack: Path, tmp_path: Path) -> None:
    atif = pytest.importorskip("atif", reason="the atif package is not installed")
    log = export(pack, "atif", tmp_path / "out")
    read = [atif.Trajectory.model_validate(document) for document in _documents(tmp_path / "out").values()]
    steps = {f"{step['demo']}/{step['step']}": step for step in steps_of(pack)}
    seen = 0
    for trajectory in read:
        for step in trajectory.steps[1:]:
            known = steps[f"{trajectory.session_id}/{step.extra['step']}"]["response"]
            (call,) = step.tool_calls
            assert {"action_type": call.function_name, **call.arguments} == known["action"]
            assert (step.reasoning_content or "") == known["reasoning"]
            for result in step.observation.results:
                assert all((tmp_path / "out" / "demos" / part.source.path).is_file() for part in result.content)
            seen += 1
    assert seen == log.rows_in == len(steps)


def test_openadapt_takes_every_episode(pack: Path, tmp_path: Path) -> None:
    types_ = pytest.importorskip("openadapt_types", reason="openadapt-types is not installed")
    log = export(pack, "openadapt", tmp_path / "out")
    steps = {f"{step['demo']}/{step['step']}": step for step in steps_of(pack)}
    seen: list[str] = []
    for document in _documents(tmp_path / "out").values():
        episode = types_.Episode.model_validate(document)
        for step in episode.steps:
            raw = step.action.raw
            known = steps[f"{episode.episode_id}/{raw['step']}"]
            assert {key: value for key, value in raw.items() if key != "step"} == known["response"]["action"]
            assert (tmp_path / "out" / "demos" / step.observation.screenshot_path).samefile(pack / known["image"])
            seen.append(raw["step"])
        again = types_.Episode.model_validate_json(episode.model_dump_json())
        assert again == episode
    assert len(set(seen)) == log.rows_out == len(steps)


def test_openadapt_reads_what_programs_reported_unless_it_is_left_out(pack: Path, tmp_path: Path) -> None:
    types_ = pytest.importorskip("openadapt_types", reason="openadapt-types is not installed")
    rows = {row["tree"]: row for row in lines(pack / "trees.jsonl")}
    steps = {step["step"]: step for step in steps_of(pack)}
    for trees in (True, False):
        out = tmp_path / str(trees)
        export_formats([pack], [exporter("openadapt")], out, options=ExportOptions(), trees=trees)
        read = [types_.Episode.model_validate(document) for document in _documents(out).values()]
        states = {step.action.raw["step"]: step.observation for episode in read for step in episode.steps}
        for name, state in states.items():
            told = [rows[reading["tree"]] for reading in steps[name]["trees"]] if trees else []
            desktop = state.accessibility_tree_raw
            assert [_flat(window) for window in (desktop or {"children": []})["children"]] == [
                [(node["role"], node.get("name", ""), node.get("value", "")) for node in row["nodes"]] for row in told
            ]
        assert sum(state.accessibility_tree_raw is not None for state in states.values()) == (3 if trees else 0)
        for state in states.values():
            desktop = state.accessibility_tree_raw
            width, height = state.viewport
            places = [] if desktop is None else _boxes(desktop)
            assert all(0 <= x1 < x2 <= width and 0 <= y1 < y2 <= height for x1, y1, x2, y2 in places)


def _flat(node: dict[str, Any]) -> list[tuple[str, str, str]]:
    own = (node["role"], node["name"], node.get("value", ""))
    return [own, *(each for child in node["children"] for each in _flat(child))]


def _boxes(node: dict[str, Any]) -> list[list[int]]:
    own = [node["bbox"]] if node["bbox"] else []
    return [*own, *(box for child in node["children"] for box in _boxes(child))]


def test_a_script_performs_what_was_recorded(pack: Path, tmp_path: Path) -> None:
    export(pack, "pyautogui", tmp_path / "out")
    done: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def record(name: str) -> Any:
        return lambda *given, **named: done.append((name, given, named))

    names = ("click", "doubleClick", "write", "press", "hotkey", "scroll", "mouseDown", "mouseUp", "moveTo", "dragTo",
             "keyDown", "keyUp")  # fmt: skip
    fake = types.SimpleNamespace(**{name: record(name) for name in names})
    demo = steps_of(pack)[0]["demo"]
    code = (tmp_path / "out" / f"{demo}.py").read_text(encoding="utf-8").replace("import pyautogui", "")
    exec(compile(code, "script", "exec"), {"pyautogui": fake})
    steps = [step for step in steps_of(pack) if step["demo"] == demo]
    clicked = [named for name, _, named in done if name == "click"]
    pressed = [step["pointer"] for step in steps if step["response"]["action"]["action_type"] == "click"]
    assert clicked == [{"x": point["x"], "y": point["y"]} for point in pressed]
    assert [named["message"] for name, _, named in done if name == "write"] == ["Ada Lovelace"]
    # Eight notches down: PyAutoGUI counts that as negative.
    assert [given for name, given, _ in done if name == "scroll"] == [(-8,)]
    assert [given for name, given, _ in done if name in {"keyDown", "keyUp"}] == [("ctrl",), ("ctrl",)]


def test_agentnet_code_is_python_within_the_picture(pack: Path, tmp_path: Path) -> None:
    export(pack, "agentnet", tmp_path / "out")
    rows = lines(tmp_path / "out" / "agentnet.jsonl")
    assert [len(row["traj"]) for row in rows] == [11, 3]
    for row in rows:
        assert [step["index"] for step in row["traj"]] == list(range(len(row["traj"])))
        for step in row["traj"]:
            ast.parse(step["value"]["code"])
            places = [float(value) for value in re.findall(r"[xy]=([0-9.]+)", step["value"]["code"])]
            assert all(0 <= value < 1 for value in places)


def test_agentnet_has_a_picture_for_every_step(hard_pack: Path, tmp_path: Path) -> None:
    """OpenCUA's tools open the picture of each step, and of the one after it, without asking whether it has one."""
    log = export(hard_pack, "agentnet", tmp_path / "out")
    for row in lines(tmp_path / "out" / "agentnet.jsonl"):
        assert [step["index"] for step in row["traj"]] == list(range(len(row["traj"])))
        assert all((tmp_path / "out" / step["image"]).is_file() for step in row["traj"])
    bare = [step for step in steps_of(hard_pack) if step["before"] is None and step["review"] != "rejected"]
    assert {item.code: item.count for item in log.left_out}["no_picture"] == len(bare) == 2


def test_osworld_lines_have_their_pictures(pack: Path, tmp_path: Path) -> None:
    log = export(pack, "osworld", tmp_path / "out")
    folders = sorted((tmp_path / "out" / "results").iterdir())
    steps: set[str] = set()
    for folder in folders:
        rows = lines(folder / "traj.jsonl")
        assert [row["step_num"] for row in rows] == list(range(1, len(rows) + 1))
        assert all((folder / row["screenshot_file"]).is_file() for row in rows)
        assert [row["done"] for row in rows] == [*[False] * (len(rows) - 1), True]
        assert (folder / "result.txt").read_text(encoding="utf-8") == "1.0\n"
        steps |= {row["info"]["step"] for row in rows}
    assert len(steps) == log.rows_in == 14


def test_gemini_takes_the_tools_and_every_content(hard_pack: Path, tmp_path: Path) -> None:
    export(hard_pack, "gemini", tmp_path / "out")
    documents = _documents(tmp_path / "out")
    # As google-genai 3.4 types a request of generateContent; the Interactions API has another form.
    wanted = [{"computer_use": {"environment": "ENVIRONMENT_DESKTOP"}}]
    assert all(document["tools"] == wanted for document in documents.values())
    genai = pytest.importorskip("google.genai.types", reason="Google's package is not installed")
    pictures = 0
    for document in documents.values():
        (tool,) = genai.GenerateContentConfig(tools=document["tools"]).tools
        assert tool.computer_use.environment is genai.Environment.ENVIRONMENT_DESKTOP
        for content in document["contents"]:
            read = genai.Content.model_validate(content)
            for part, given in zip(read.parts, content["parts"], strict=True):
                if part.function_response is not None:
                    # Pictures belong to the answer of a call, as they do in Google's own agent.
                    (picture,) = part.function_response.parts or (None,)
                    shown = [] if picture is None else [picture.inline_data.data]
                    told = [one["inline_data"]["data"] for one in given["function_response"].get("parts", ())]
                    assert [base64.b64encode(data).decode() for data in shown] == told
                    pictures += len(shown)
                elif part.inline_data is None:
                    assert part.model_dump(mode="json", exclude_unset=True) == given
    assert pictures > 40


def test_gemini_takes_turns_and_answers_every_call(pack: Path, tmp_path: Path) -> None:
    export(pack, "gemini", tmp_path / "out")
    documents = _documents(tmp_path / "out")
    said = 0
    for document in documents.values():
        roles = [content["role"] for content in document["contents"]]
        assert roles[::2] == ["user"] * len(roles[::2])
        assert roles[1::2] == ["model"] * len(roles[1::2])
        asked: list[str] = []
        for content in document["contents"]:
            for part in content["parts"]:
                (kind,) = part
                if kind == "function_call":
                    args = part[kind]["args"]
                    asked.append(part[kind]["name"])
                    assert all(0 <= args[key] <= 1000 for key in ("x", "y", "destination_x") if key in args)
                    said += 1
                elif kind == "function_response":
                    assert part[kind]["name"] == asked.pop(0)
                    # The screen was recorded once, after the last call of a step.
                    assert ("parts" in part[kind]) is (not asked)
        assert asked == []
    assert said == 12
    first = next(iter(documents[steps_of(pack)[0]["demo"]]["contents"][1]["parts"]))["function_call"]
    assert first["args"]["intent"] == steps_of(pack)[0]["response"]["reasoning"]
