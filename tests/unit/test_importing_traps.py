"""Files as they are in the wild: each trap is either told in the report or refused with file, line, field and fix."""

from __future__ import annotations

import base64
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from demopack.codecs.files.json_object import BadRowError
from demopack.domain.geometry import Size
from tests.support.foreign import (
    NOW,
    agentnet,
    agentnet_step,
    codes,
    openadapt_step,
    osworld,
    picture,
    read_all,
    read_one,
)

CLICK = "pyautogui.click(x=0.25, y=0.5)"


def refused(match: str, path: Path, **options: Any) -> BadRowError:
    with pytest.raises(BadRowError, match=match) as caught:
        read_all(path, **options)
    assert caught.value.hint
    return caught.value


# AgentNet ---------------------------------------------------------------------------------------------------------


def test_agentnet_as_it_is_published(tmp_path: Path) -> None:
    judged = {"last_step_correct": False, "last_step_redundant": True, "reflection": "It opened the wrong menu."}
    path = agentnet(
        tmp_path,
        agentnet_step(0, CLICK, observation="A form.", thought="Click it.", action="Click on it", **judged),
        agentnet_step(1, "pyautogui.write(message='hé\\n')\npyautogui.press('enter')"),
        agentnet_step(2, "computer.tripleClick(x=0.5, y=0.5)"),
        agentnet_step(3, "computer.terminate(status='failure')"),
        task_completed=False, reason="It was not saved.", alignment_score=7, efficiency_score=5, task_difficulty=3,
        actual_task="Open a menu", natural_language_task="save",
    )  # fmt: skip
    demo, report = read_one(path)
    assert [step.action.action_type for step in demo.steps] == ["click", "type", "click", "finish_goal"]
    first = demo.steps[0]
    assert first.pointer is not None
    assert (first.pointer.x, first.pointer.y) == (50, 50)
    assert first.rationale is not None
    assert (first.rationale.observation, first.rationale.reasoning) == ("A form.", "Click it.")
    assert first.rationale.provenance.reason == "imported from AgentNet / OpenCUA"
    assert first.verdict is not None
    assert (first.verdict.correct, first.verdict.redundant) == ("no", "yes")
    assert first.verdict.reflection == "It opened the wrong menu."
    assert demo.steps[1].action.parameters == {"text_to_type": "hé\n", "submit": True}
    assert (demo.head.outcome, demo.head.outcome_reason, demo.head.created_at) == ("failure", "It was not saved.", NOW)
    assert demo.steps[0].after == demo.steps[1].before
    assert {"coordinates_fractions", "after", "no_times", "created", "verdicts", "points"} <= codes(report.assumed)
    assert {"alignment_score", "actual_task", "action_words"} <= codes(report.lost)


@pytest.mark.parametrize(
    ("code", "way"), [("x=25, y=50", "percent"), ("x=250, y=500", "thousand"), ("x=50, y=50", "pixels")]
)
def test_numbers_that_are_no_fractions_are_asked_about(tmp_path: Path, code: str, way: Any) -> None:
    path = agentnet(tmp_path, agentnet_step(0, f"pyautogui.click({code})"))
    error = refused("is no fraction of a picture", path)
    assert (error.file, error.line, error.field) == ("agentnet.jsonl", 1, "traj[0].value.code")
    assert "--coordinates" in error.hint
    demo, report = read_one(path, coordinates=way)
    pointer = demo.steps[0].pointer
    assert pointer is not None
    assert (pointer.x, pointer.y) == (50, 50)
    assert f"coordinates_{way}" in codes(report.assumed)


def test_pixels_of_another_screen_are_drawn_to_the_picture(tmp_path: Path) -> None:
    path = agentnet(tmp_path, agentnet_step(0, "pyautogui.click(x=400, y=150)"))
    demo, report = read_one(path, coordinates="pixels", screen=Size(800, 300))
    assert demo.steps[0].pointer is not None
    # x by the width, y by the height: the ratios differ here.
    assert (demo.steps[0].pointer.x, demo.steps[0].pointer.y) == (100, 50)
    assert "coordinates_scaled" in codes(report.assumed)


def test_step_numbers_that_jump_are_told(tmp_path: Path) -> None:
    path = agentnet(tmp_path, agentnet_step(13, CLICK), agentnet_step(15, CLICK))
    demo, report = read_one(path)
    assert len(demo.steps) == 2
    (jump,) = [item for item in report.assumed if item.code == "jump"]
    assert jump.examples == ["from 13 to 15 in agentnet.jsonl, line 1"]


def test_a_missing_picture_stops_or_is_counted(tmp_path: Path) -> None:
    path = agentnet(tmp_path, agentnet_step(0, CLICK), agentnet_step(1, CLICK))
    (tmp_path / "images" / "1.png").unlink()
    error = refused(r"the picture '1\.png' is not there", path)
    assert error.field == "traj[1].image"
    assert "--skip-bad" in error.hint
    demo, report = read_one(path, skip_bad=True)
    assert [step.before is None for step in demo.steps] == [False, True]
    assert demo.steps[1].action.target is not None
    assert demo.steps[1].action.target.bbox == (0.25, 0.5, 0.0, 0.0)
    assert "missing_picture" in codes(report.lost)


def test_a_picture_that_is_none_stops(tmp_path: Path) -> None:
    path = agentnet(tmp_path, agentnet_step(0, CLICK))
    (tmp_path / "images" / "0.png").write_bytes(b"GIF89a")
    refused("no picture that can be read", path)


def test_json_inside_json_is_read_and_told(tmp_path: Path) -> None:
    path = agentnet(tmp_path, agentnet_step(0, CLICK))
    line = json.loads(path.read_text(encoding="utf-8"))
    line["traj"][0]["value"] = json.dumps(line["traj"][0]["value"])
    line["traj"] = json.dumps(line["traj"])
    path.write_text(json.dumps(line), encoding="utf-8")
    demo, report = read_one(path)
    assert len(demo.steps) == 1
    (twice,) = [item for item in report.assumed if item.code == "json_twice"]
    assert twice.count == 2


def test_unknown_calls_stop_or_are_counted(tmp_path: Path) -> None:
    path = agentnet(tmp_path, agentnet_step(0, "pyautogui.teleport(x=0.1, y=0.1)"), agentnet_step(1, CLICK))
    error = refused("teleport", path)
    assert (error.code, error.field) == ("unknown_action", "traj[0].value.code")
    demo, report = read_one(path, skip_bad=True)
    assert (len(demo.steps), report.rows_in, report.rows_used, report.rows_skipped) == (1, 2, 1, 1)
    assert codes(report.skipped) == {"unknown_action"}


def test_a_step_that_does_several_things_becomes_several_in_doubt(tmp_path: Path) -> None:
    path = agentnet(tmp_path, agentnet_step(0, f"{CLICK}\npyautogui.press('tab')", thought="Both."))
    demo, report = read_one(path)
    first, second = demo.steps
    assert (first.rationale is not None, second.rationale) == (True, None)
    assert second.doubts(parsed=False) == ["no_after", "changed_before_event"]
    assert "several" in codes(report.assumed)


def test_damaged_lines_are_named_or_counted(tmp_path: Path) -> None:
    path = agentnet(tmp_path, agentnet_step(0, CLICK))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"task_id": "t2", "traj": [\n{"task_id": "t3", "traj": 7}\n')
        file.write('{"task_id": "t4", "traj": []}\n[1]\n{"a": NaN}\n')
    error = refused("it is not JSON", path)
    assert (error.line, error.code) == (2, "not_json")
    found, skipped = read_all(path, skip_bad=True)
    assert len(found) == 1
    assert {item.code: item.count for item in skipped} == {"not_json": 2, "damaged": 2, "no_steps": 1}


def test_half_a_character_is_damage_and_a_whole_one_is_none(tmp_path: Path) -> None:
    path = agentnet(tmp_path, agentnet_step(0, CLICK, thought="\ud83d\ude00"))
    demo, _ = read_one(path)
    assert demo.steps[0].rationale is not None
    assert demo.steps[0].rationale.thought == "\U0001f600"
    agentnet(tmp_path, agentnet_step(0, CLICK, thought="a\ud800"))
    refused("half a character", path, name="agentnet")


def test_code_is_never_run(tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    path = agentnet(tmp_path, agentnet_step(0, f"open({str(proof)!r}, 'w')"))
    refused("open", path)
    assert not proof.exists()


# OSWorld ----------------------------------------------------------------------------------------------------------


def test_osworlds_picture_is_after_the_action(tmp_path: Path) -> None:
    osworld(
        tmp_path / "chrome" / "abc",
        {"step_num": 1, "action_timestamp": "20260314@092653000001",
         "action": "import pyautogui; pyautogui.click(20, 30)",
         "response": "I click.", "reward": 0, "done": False, "screenshot_file": "step_1.png"},
        {"step_num": 1, "action_timestamp": "20260314@092655500001", "action": "WAIT", "screenshot_file": "step_2.png"},
        {"step_num": 4, "action": json.dumps({"action_type": "TYPING", "parameters": {"text": "x"}}),
         "screenshot_file": "step_3.png"},
        {"step_num": 5, "action": "DONE", "reward": 0.5, "done": True, "screenshot_file": None},
    )  # fmt: skip
    picture(tmp_path / "chrome" / "abc" / "initial.png", seed=1)
    (tmp_path / "abc.json").write_text('{"id": "abc", "instruction": "Open the page"}', encoding="utf-8")
    demo, report = read_one(tmp_path)
    click, wait, typed, done = demo.steps
    assert click.before is not None
    assert click.after == wait.before
    assert wait.after == typed.before
    assert typed.after == done.before
    assert click.before != click.after
    assert (click.started_ns, wait.started_ns - click.started_ns, typed.started_ns) == (10**9, 2_500_000_000, 0)
    assert (demo.head.task, demo.head.app, demo.head.outcome) == ("Open the page", "chrome", None)
    assert "0.5" in demo.head.outcome_reason
    assert {
        "before", "first", "timezone", "jump", "json_twice", "wait_seconds", "reward", "score", "app",
    } <= codes(report.assumed)  # fmt: skip


def test_osworld_without_a_first_screen_says_so(tmp_path: Path) -> None:
    call = {"action_type": "CLICK", "parameters": {"x": 20, "y": 30}}
    osworld(tmp_path, {"step_num": 1, "action": call, "screenshot_file": "a.png"})
    demo, report = read_one(tmp_path, task="Click")
    assert demo.steps[0].before is None
    assert demo.steps[0].after is not None
    assert demo.head.task == "Click"
    assert {"no_first", "size_of_other", "no_picture", "task"} <= codes(report.assumed)
    # The picture of the same line is as large as the screen before it.
    assert demo.steps[0].action.target is not None
    assert demo.steps[0].action.target.bbox == (20 / 200, 30 / 100, 0.0, 0.0)


def test_osworld_without_any_picture_is_taken_for_its_usual_screen(tmp_path: Path) -> None:
    call = {"action_type": "CLICK", "parameters": {"x": 20, "y": 30}}
    osworld(tmp_path, {"step_num": 1, "action": call})
    demo, report = read_one(tmp_path, task="Click")
    assert {"no_first", "usual_screen", "no_picture"} <= codes(report.assumed)
    assert demo.steps[0].action.target is not None
    assert demo.steps[0].action.target.bbox == (round(20 / 1920, 6), round(30 / 1080, 6), 0.0, 0.0)


def test_osworlds_actions_without_a_place_are_where_the_pointer_was_left(tmp_path: Path) -> None:
    def line(number: int, action: Any) -> dict[str, Any]:
        return {"step_num": number, "action": action, "screenshot_file": f"{number}.png"}

    osworld(
        tmp_path,
        line(1, {"action_type": "CLICK", "parameters": {"x": 20, "y": 30}}),
        line(2, {"action_type": "TYPING", "parameters": {"text": "x"}}),
        line(3, {"action_type": "DRAG_TO", "parameters": {"x": 50, "y": 60}}),
        line(4, {"action_type": "RIGHT_CLICK"}),
        line(5, "pyautogui.dragTo(80, 90)"),
    )
    picture(tmp_path / "initial.png", seed=1)
    demo, report = read_one(tmp_path)
    _, _, drag, click, last = demo.steps
    assert drag.pointer is not None
    assert (drag.pointer.x, drag.pointer.y, drag.pointer.end_x, drag.pointer.end_y) == (20, 30, 50, 60)
    assert click.pointer is not None
    assert (click.pointer.x, click.pointer.y) == (50, 60)
    assert last.pointer is not None
    assert (last.pointer.x, last.pointer.y, last.pointer.end_x, last.pointer.end_y) == (50, 60, 80, 90)
    assert next(item.count for item in report.assumed if item.code == "pointer_left") == 3


def test_osworlds_drag_from_nowhere_is_refused(tmp_path: Path) -> None:
    osworld(tmp_path, {"step_num": 1, "action": {"action_type": "DRAG_TO", "parameters": {"x": 5, "y": 6}}})
    assert refused("does not say where it begins", tmp_path).code == "drag_without_start"


def test_osworlds_variant_with_the_screen_before(tmp_path: Path) -> None:
    call = {"action_type": "CLICK", "x": 20, "y": 30}
    osworld(
        tmp_path, {"step_num": 1, "action": call, "screenshot_file_before_exec": "b.png", "screenshot_file": "a.png"}
    )
    demo, report = read_one(tmp_path)
    assert demo.steps[0].before is not None
    assert demo.steps[0].after is not None
    assert "before" in codes(report.assumed)
    assert "no_first" not in codes(report.assumed)


def test_places_beyond_the_picture_are_asked_about(tmp_path: Path) -> None:
    call = {"action_type": "CLICK", "parameters": {"x": 960, "y": 540}}
    osworld(tmp_path, {"step_num": 1, "action": call, "screenshot_file": "a.png"})
    picture(tmp_path / "initial.png", seed=1)
    error = refused("is not on the screen", tmp_path)
    assert "--screen" in error.hint
    demo, _ = read_one(tmp_path, screen=Size(1920, 1080))
    assert demo.steps[0].pointer is not None
    assert (demo.steps[0].pointer.x, demo.steps[0].pointer.y) == (100, 50)


def test_keys_held_over_lines_and_the_way_to_a_drag_are_one_step(tmp_path: Path) -> None:
    def line(kind: str, number: int, **given: Any) -> dict[str, Any]:
        return {
            "step_num": number,
            "action": {"action_type": kind, "parameters": given},
            "screenshot_file": f"{number}.png",
        }

    osworld(
        tmp_path, line("KEY_DOWN", 1, key="ctrl"), line("CLICK", 2, x=9, y=8), line("KEY_UP", 3, key="ctrl"),
        line("MOVE_TO", 4, x=5, y=6), line("DRAG_TO", 5, x=50, y=60),
    )  # fmt: skip
    picture(tmp_path / "initial.png", seed=1)
    demo, report = read_one(tmp_path)
    click, drag = demo.steps
    assert click.action.parameters == {"modifiers": ["ctrl"]}
    assert (drag.action.action_type, drag.pointer and (drag.pointer.x, drag.pointer.end_x)) == ("drag", (5, 50))
    assert (report.rows_in, report.rows_used) == (5, 5)


# OpenAdapt --------------------------------------------------------------------------------------------------------


def episode(folder: Path, *steps: dict[str, Any], **fields: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    value = {"episode_id": "e1", "instruction": "Do it", "steps": list(steps), **fields}
    (folder / "episode.json").write_text(json.dumps(value), encoding="utf-8")
    return folder


def node(number: int, x: int, y: int, **more: Any) -> dict[str, Any]:
    return {"node_id": f"n{number}", "role": "button", "name": f"B{number}",
            "bbox": {"x": x, "y": y, "width": 20, "height": 10}, **more}  # fmt: skip


def test_openadapts_viewport_is_drawn_to_a_picture_of_the_same_shape(tmp_path: Path) -> None:
    shot = picture(tmp_path / "s.png", seed=1, size=(400, 200))
    state = {"screenshot_path": f"/home/ada/{shot.name}", "viewport": [200, 100], "clipboard_text": "secret"}
    nodes = [node(1, 10, 20, is_focused=True), node(2, 190, 90, role="group"), node(3, 300, 300), {"node_id": "n4"}]
    episode(
        tmp_path,
        openadapt_step(0, {"type": "click", "target": {"node_id": "n1", "x": 15, "y": 25}}, nodes=nodes, **state),
        openadapt_step(1, {"type": "goto", "url": "https://example.org"}),
        openadapt_step(2, {"type": "scroll", "scroll_direction": "down", "scroll_amount": 250}),
        openadapt_step(3, {"type": "click", "target": {"x": 0.5, "y": 0.25, "is_normalized": True}}, **state),
        openadapt_step(4, {"type": "hotkey", "key": "s", "modifiers": ["ctrl"]}),
        openadapt_step(5, {"type": "done"}),
        success=True, final_reward=1.0,
    )  # fmt: skip
    demo, report = read_one(tmp_path)
    click, scroll, share, keys, done = demo.steps
    assert click.before is not None
    first, second = demo.ordered(click.before.id)
    assert (first.box.x1, first.box.y2, first.type, first.text, first.states) == (
        20,
        60,
        "button",
        "B1",
        {"focused": True},
    )
    assert (second.type, second.subtype, second.box.x2) == ("other", "group", 400)
    assert click.target_uid == first.uid
    assert click.pointer is not None
    assert (click.pointer.x, click.pointer.y) == (30, 50)
    assert (scroll.action.scroll_steps, scroll.note) == (2, "The browser went to https://example.org.")
    assert share.pointer is not None
    assert (share.pointer.x, share.pointer.y) == (200, 50)
    assert keys.action.key_info == "Ctrl+S"
    assert done.action.action_type == "finish_goal"
    assert all(step.clipboard is None for step in demo.steps)
    assert (report.rows_in, report.rows_used, report.rows_noted) == (6, 5, 1)
    assert {"coordinates_scaled", "moved_picture", "roles", "clipped", "notches", "normalised"} <= codes(report.assumed)
    assert {"noted", "nodes", "nodes_outside", "final_reward"} <= codes(report.lost)


def test_a_viewport_of_another_shape_is_refused(tmp_path: Path) -> None:
    picture(tmp_path / "s.png", seed=1, size=(400, 200))
    action = {"type": "click", "target": {"x": 15, "y": 25}}
    episode(tmp_path, openadapt_step(0, action, screenshot_path="s.png", viewport=[300, 300]))
    error = refused("another shape", tmp_path)
    assert error.field == "steps[0].observation.viewport"


def test_shares_that_are_not_said_to_be_shares_are_asked_about(tmp_path: Path) -> None:
    picture(tmp_path / "s.png", seed=1)
    episode(tmp_path, openadapt_step(0, {"type": "click", "target": {"x": 0.5, "y": 0.5}}, screenshot_path="s.png"))
    error = refused("can hardly be pixels", tmp_path)
    assert error.field == "steps[0].action.target.is_normalized"
    demo, _ = read_one(tmp_path, coordinates="fractions")
    assert demo.steps[0].pointer is not None
    assert demo.steps[0].pointer.x == 100


def test_a_picture_inside_the_episode_and_targets_in_words(tmp_path: Path) -> None:
    data = base64.b64encode(picture(tmp_path / "elsewhere" / "s.png", seed=3).read_bytes()).decode()
    action = {"type": "click", "target": {"description": "the Save button"}}
    episode(tmp_path, openadapt_step(0, action, screenshot_base64=f"data:image/png;base64,{data}"))
    demo, report = read_one(tmp_path)
    assert demo.steps[0].before is not None
    assert demo.steps[0].action.target is not None
    assert demo.steps[0].action.target.text == "the Save button"
    assert "words" in codes(report.assumed)
    episode(tmp_path, openadapt_step(0, action, screenshot_base64="!!"))
    refused("it is not base64", tmp_path)


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"type": "teleport"}, "steps[0].action.type"),
        ({"type": "type"}, "steps[0].action.text"),
        ({"type": "drag", "target": {"x": 1, "y": 1}}, "steps[0].action.drag_end"),
        ({"type": "click", "target": {"x": "left", "y": 1}}, "steps[0].action.target.x"),
        ({"type": "key", "key": "NoSuchKey"}, "steps[0].action.key"),
    ],
)
def test_bad_actions_of_openadapt_are_named(tmp_path: Path, action: dict[str, Any], field: str) -> None:
    picture(tmp_path / "s.png", seed=1)
    episode(tmp_path, openadapt_step(0, action, screenshot_path="s.png"), openadapt_step(1, {"type": "done"}))
    assert refused(".", tmp_path).field == field
    demo, report = read_one(tmp_path, skip_bad=True)
    assert (len(demo.steps), report.rows_skipped) == (1, 1)


# UFO --------------------------------------------------------------------------------------------------------------

UFO_RESULTS = Path(__file__).parents[1] / "data" / "ufo"
"""A task and two results of UFO's documentation, as they stand there."""


def result(folder: Path, *plan: Any, **fields: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    value: dict[str, Any] = {
        "unique_id": "5", "app": "word",
        "original": {"original_task": "Type hello", "original_steps": ["1. Type"]},
        "execution_result": {"result": {"reason": "Seen.", "sub_scores": [{"name": "a"}], "complete": "yes"}},
        "instantiation_result": {
            "prefill": {"result": {"instantiated_request": "Type “hello”", "instantiated_plan": list(plan)}}
        },
        **fields,
    }  # fmt: skip
    (folder / "5.json").write_text(json.dumps(value), encoding="utf-8")
    return folder


def test_ufos_result_with_its_traps(tmp_path: Path) -> None:
    result(
        tmp_path,
        {"Step": 1, "Subtask": "Type hello", "ControlLabel": "101", "ControlText": "Edit", "Function": "set_edit_text",
         "Args": json.dumps({"text": "hello", "clear_current_text": True}), "Success": None},
        {"Step": 2, "Subtask": "Select it", "ControlLabel": "", "ControlText": "", "Function": "select_text",
         "Args": {"text": "hello"}, "Success": None},
        {"Step": 4, "Subtask": "Make it bold", "ControlLabel": None, "ControlText": "Bold", "Function": "click_input",
         "Args": {"button": "left", "double": False}, "Success": False},
    )  # fmt: skip
    demo, report = read_one(tmp_path)
    typed, click, done = demo.steps
    assert typed.action.to_wire() == {
        "action_type": "type", "target": {"element_id": 101, "text": "Edit"}, "parameters": {"text_to_type": "hello"},
    }  # fmt: skip
    assert click.action.target is not None
    assert click.action.target.text == "Bold"
    assert re.search(r"select_text.*\nUFO says that this step could not.*\nMake it bold", click.note)
    assert done.action.action_type == "finish_goal"
    assert (demo.head.outcome, demo.head.task, demo.head.app) == ("success", "Type “hello”", "word")
    assert (report.rows_in, report.rows_used, report.rows_noted) == (3, 2, 1)
    assert {"jump", "json_twice", "clear_first", "controls", "ending"} <= codes(report.assumed)
    assert {"sub_scores", "original_task"} <= codes(report.assumed)
    assert {"pictures", "noted"} <= codes(report.lost)
    # A part of the task without an answer is no judge's, yet it is kept.
    assert demo.head.verdict is None
    assert demo.head.origin is not None
    assert demo.head.origin.said["execution_result"]["result"] == {"sub_scores": [{"name": "a"}]}


def test_ufos_unknown_function_is_named(tmp_path: Path) -> None:
    result(tmp_path, {"Step": 1, "Function": "teleport", "Args": {}})
    error = refused("teleport", tmp_path)
    assert error.field == "instantiation_result.prefill.result.instantiated_plan[0].function"


def test_a_task_of_ufo_is_a_plan_that_nobody_has_done(tmp_path: Path) -> None:
    task = {"App": "word", "Unique ID": "1", "Task": "Type hello", "Refined Steps": ["1. Open Word", "2. Type"]}
    (tmp_path / "1.json").write_text(json.dumps(task), encoding="utf-8")
    demo, report = read_one(tmp_path)
    assert (demo.head.task, demo.head.app, demo.head.status, demo.steps) == ("Type hello", "word", "partial", ())
    assert "Open Word" in demo.head.missing
    assert "words_alone" in codes(report.assumed)


def test_the_task_of_ufos_documentation_is_read_with_its_comments(tmp_path: Path) -> None:
    shutil.copyfile(UFO_RESULTS / "task.json", tmp_path / "task.json")
    demo, report = read_one(tmp_path)
    assert (demo.head.task, demo.head.app) == ("Type 'hello' and set the font type to Arial", "word")
    assert demo.head.missing.endswith("1. Type 'hello'. 2. Set the font to Arial.")
    assert report.rows_noted == 2


def test_an_episode_that_openadapts_own_types_wrote(tmp_path: Path) -> None:
    types: Any = pytest.importorskip("openadapt_types")
    picture(tmp_path / "s.png", seed=1)
    button = types.UINode(
        node_id="n0", role="button", name="Save", bbox=types.BoundingBox(x=10, y=10, width=20, height=9)
    )
    state = types.ComputerState(screenshot_path="s.png", viewport=(200, 100), nodes=[button], platform="linux")
    target = types.ActionTarget(node_id="n0")
    steps = [
        types.Step(step_index=0, observation=state, action=types.Action(type="double_click", target=target)),
        types.Step(
            step_index=1, observation=state, action=types.Action(type="type", text="Ada"), reasoning="Her name."
        ),
        types.Step(step_index=2, observation=state, action=types.Action(type="done"), done=True),
    ]
    whole = types.Episode(episode_id="e", instruction="Save it", steps=steps, success=True)
    (tmp_path / "e.json").write_text(whole.to_json(), encoding="utf-8")
    demo, report = read_one(tmp_path)
    first, second, _ = demo.steps
    assert first.action.parameters == {"click_type": "double"}
    assert first.action.target is not None
    assert (first.action.target.element_id, first.action.target.text, first.pointer) == (1, "Save", None)
    assert second.rationale is not None
    assert second.rationale.reasoning == "Her name."
    assert (demo.head.platform, demo.head.outcome) == ("linux", "success")
    assert {"no_point", "finder", "no_times"} <= codes(report.assumed)
