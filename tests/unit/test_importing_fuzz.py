"""Whatever stands in a file: an import ends with a demo or with an error that a person understands."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from demopack.codecs.files.base import ImportOptions
from demopack.errors import DemopackError
from demopack.json_text import as_list, object_in
from demopack.pack.import_demos import import_demos
from tests.support.foreign import agentnet_step, openadapt_step, picture

NODE = {"node_id": "n1", "role": "button", "name": "B", "bbox": {"x": 1, "y": 2, "width": 9, "height": 9},
        "attributes": {"type": "button", "states": {"checked": True}}}  # fmt: skip
SEEN = {"screenshot_path": "0.png", "viewport": [200, 100], "nodes": [NODE], "active_window": {"app_name": "a"}}
AGENTNET = {
    "task_id": "t", "instruction": "i", "task_completed": True, "reason": "r", "alignment_score": 3,
    "traj": [agentnet_step(0, "pyautogui.click(x=0.5, y=0.5)", thought="t", last_step_correct=True),
             agentnet_step(1, "pyautogui.scroll(-3)", reflection="r")],
}  # fmt: skip
OPENADAPT = {
    "episode_id": "e", "instruction": "i", "success": True, "created_at": "2026-01-01T00:00:00Z",
    "steps": [
        {**openadapt_step(0, {"type": "click", "target": {"node_id": "n1", "x": 5, "y": 6}, "modifiers": []}, **SEEN),
         "timestamp": 1.7e9, "duration_ms": 9, "reward": 0.5, "result": {"success": False, "error": "x"}},
        openadapt_step(1, {"type": "drag", "target": {"x": 5, "y": 6}, "drag_end": {"x": 7, "y": 8}}, **SEEN),
        openadapt_step(2, {"type": "scroll", "scroll_direction": "up", "scroll_amount": 120}, **SEEN),
    ],
}  # fmt: skip
OSWORLD = {
    "step_num": 1, "action_timestamp": "20260314@092653000001",
    "action": {"action_type": "CLICK", "parameters": {"x": 2, "y": 3}},
    "response": "r", "reward": 1.0, "done": True, "info": {"step": "s"}, "screenshot_file": "0.png",
}  # fmt: skip
UFO = {
    "unique_id": "1", "app": "word", "original": {"original_task": "t", "original_steps": ["a"]},
    "execution_result": {"result": {"reason": "r", "complete": "yes", "sub_scores": {"a": "yes"}}},
    "instantiation_result": {"prefill": {"result": {"instantiated_request": "r", "instantiated_plan": [
        {"Step": 1, "Subtask": "s", "ControlLabel": "1", "ControlText": "t", "Function": "click_input",
         "Args": {"button": "left", "double": False}, "Success": True, "MatchedControlText": "t"},
        {"Step": 2, "Function": "drag_on_coordinates", "Args": {"start_x": 0, "start_y": 0, "end_x": 1, "end_y": 1}},
    ]}}},
}  # fmt: skip
DUCKTRACK = {"time_stamp": 5.0, "action": "click", "x": 1, "y": 2, "button": "left", "pressed": False}
FILES: dict[str, tuple[str, dict[str, Any]]] = {
    "agentnet": ("agentnet.jsonl", AGENTNET),
    "openadapt": ("episode.json", OPENADAPT),
    "osworld": ("traj.jsonl", OSWORLD),
    "ufo": ("1.json", UFO),
    "ducktrack": ("events.jsonl", DUCKTRACK),
}
WILD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
    | st.sampled_from([1e300, -1e300, 2**70, "", "{", "[]", "../x.png", "drag", "key", "WAIT", "1e999", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every field and item of a JSON value."""
    inner: list[tuple[Any, Any]] = [*object_in(value).items(), *enumerate(as_list(value))]
    return [found for key, item in inner for found in [(*path, key), *places(item, (*path, key))]]


def changed(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    """A copy with one place replaced."""
    new = copy.deepcopy(value)
    inner = new
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = by
    return new


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("fuzz")
    for number in range(2):
        picture(root / f"{number}.png", seed=number)
    return root


def survives(folder: Path, name: str, data: Any) -> None:
    file = folder / FILES[name][0]
    before = {"time_stamp": 4.0, "action": "click", "x": 1, "y": 2, "button": "left", "pressed": True}
    rows = [before, data] if name == "ducktrack" else [data]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    try:
        for skip_bad in (False, True):
            try:
                report = import_demos([file], None, format=name, options=ImportOptions(skip_bad=skip_bad))
            except DemopackError:
                continue
            for demo in report.demos:
                assert demo.rows_in == demo.rows_used + demo.rows_noted + demo.rows_skipped
            json.dumps(report.to_json())
    finally:
        file.unlink()


def test_the_good_files_are_good(folder: Path) -> None:
    for name, (file, data) in FILES.items():
        before = [{**DUCKTRACK, "time_stamp": 4.0, "pressed": True}] if name == "ducktrack" else []
        (folder / file).write_text("".join(json.dumps(row) + "\n" for row in [*before, data]), encoding="utf-8")
        about = folder / "metadata.json"
        about.write_text('{"screen_width": 200, "screen_height": 100}', encoding="utf-8")
        report = import_demos([folder / file], None, format=name)
        assert report.demos[0].steps > 0
        (folder / file).unlink()


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_one_wild_value_anywhere(folder: Path, name: str, data: st.DataObject) -> None:
    good = FILES[name][1]
    path = data.draw(st.sampled_from(places(good)))
    survives(folder, name, changed(good, path, data.draw(WILD)))


@pytest.mark.parametrize("x", [10**9 + 1, -(10**9) - 1])
def test_a_place_outside_of_every_screen_is_named(folder: Path, x: float) -> None:
    file = folder / "events.jsonl"
    rows = [{**DUCKTRACK, "time_stamp": 4.0, "pressed": True}, {**DUCKTRACK, "x": x}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(DemopackError, match=r"events.jsonl, line 2, the field x: .* is outside of every screen"):
        import_demos([file], None, format="ducktrack")


@pytest.mark.parametrize("width", [0.5, -3, 1e9])
def test_a_screen_of_no_size_is_named(folder: Path, width: float) -> None:
    about = folder / "metadata.json"
    kept = about.read_text(encoding="utf-8") if about.is_file() else None
    about.write_text(json.dumps({"screen_width": width, "screen_height": 100}), encoding="utf-8")
    (folder / "events.jsonl").write_text(json.dumps(DUCKTRACK) + "\n", encoding="utf-8")
    try:
        with pytest.raises(DemopackError, match=r"metadata.json, the field screen_width: no screen has"):
            import_demos([folder / "events.jsonl"], None, format="ducktrack")
    finally:
        about.unlink() if kept is None else about.write_text(kept, encoding="utf-8")
