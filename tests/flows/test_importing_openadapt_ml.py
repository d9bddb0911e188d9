"""Episodes of openadapt-ml: read with their own places, and our export read by its loader with the right ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from demopack.codecs.files.json_object import BadRowError
from tests.support.exports import export, make_pack
from tests.support.foreign import codes, picture, read_one

# What openadapt-ml 0.17 made of tests/data/captures/contacts: its save_episodes, a few of 26 steps.
SAVED: list[dict[str, Any]] = [
    {"type": "click", "normalized_coordinates": [0.553125, 0.26875], "text": None, "raw": None},
    {"type": "type", "normalized_coordinates": None, "text": "", "raw": {"keys": ["keycode_50", "keycode_38"]}},
    {"type": "type", "normalized_coordinates": None, "text": "", "raw": {"keys": ["keycode_23"]}},
    {"type": "type", "normalized_coordinates": None, "text": "", "raw": {"keys": ["keycode_37", "keycode_38"]}},
    {"type": "drag", "normalized_coordinates": [0.31875, 0.40625], "normalized_end": [0.65, 0.40625], "text": None,
     "raw": {"button": "left"}},
    {"type": "scroll", "normalized_coordinates": [0.4546875, 0.54375], "text": None, "raw": {"dx": 0.0, "dy": -3.0},
     "scroll_direction": "up", "scroll_amount": None},
    {"type": "double_click", "normalized_coordinates": [0.4546875, 0.54375], "text": None, "raw": None},
    {"type": "done", "normalized_coordinates": None, "text": None, "raw": None},
]  # fmt: skip
EMPTY: dict[str, Any] = {"normalized_end": None, "key": None, "modifiers": None, "scroll_direction": None}


def episodes(folder: Path, *actions: dict[str, Any], wrapped: bool = False, **state: Any) -> Path:
    """A file as its ``save_episodes`` writes it."""
    picture(folder / "shots" / "contacts_step_0.png", seed=1, size=(640, 480))
    seen = {
        "screenshot_path": "/tmp/elsewhere/contacts_step_0.png",
        "raw": None,
        "a11y_tree": None,
        "dom": None,
        **state,
    }
    steps = [
        {"step_index": number, "timestamp": 1.15 + number, "observation": seen, "action": {**EMPTY, **action},
         "reasoning": None}
        for number, action in enumerate(actions)
    ]  # fmt: skip
    made = [{"episode_id": "contacts", "instruction": "Save it", "steps": steps, "success": True,
             "metadata": {"summary": "26 steps", "workflow_id": "1"}}]  # fmt: skip
    (folder / "episodes.json").write_text(json.dumps({"episodes": made} if wrapped else made), encoding="utf-8")
    return folder


@pytest.mark.parametrize("wrapped", [False, True])
def test_episodes_of_openadapt_ml_are_read_with_their_places(tmp_path: Path, *, wrapped: bool) -> None:
    demo, report = read_one(episodes(tmp_path, *SAVED, wrapped=wrapped))
    assert [(step.action.action_type, step.action.parameters) for step in demo.steps] == [
        ("click", {}),
        ("type", {"text_to_type": "A"}),
        ("press_key", {"key_info": "Tab"}),
        ("press_key", {"key_info": "Ctrl+A"}),
        ("drag", {"end_target": {"bbox": [0.65, 0.40625, 0.0, 0.0]}}),
        ("scroll", {"scroll_direction": "down", "scroll_steps": 3}),
        ("click", {"click_type": "double"}),
        ("finish_goal", {}),
    ]
    places = [(at.x, at.y, at.end_x) for step in demo.steps if (at := step.pointer) is not None]
    assert places == [(354, 129, None), (204, 195, 416), (291, 261, None), (291, 261, None)]
    assert (demo.head.task, demo.head.outcome) == ("Save it", "success")
    # Its times count from the begin of the recording: nobody says when that was.
    assert {"created", "raw_keys", "us_keyboard", "raw_wheel", "normalised", "moved_picture"} <= codes(report.assumed)
    assert [step.started_ns for step in demo.steps[:2]] == [1_000_000_000, 2_000_000_000]


def test_every_way_of_openadapt_ml_to_tell_a_place_is_read(tmp_path: Path) -> None:
    box = {"role": "button", "name": "Save", "bounds": {"x": 100, "y": 40, "width": 20, "height": 10}}
    path = episodes(
        tmp_path,
        {"type": "click", "coordinates": {"x": 160, "y": 120}},
        {"type": "drag", "start_coordinates": {"x": 10, "y": 20}, "end_coordinates": {"x": 30, "y": 40}},
        {"type": "click", "element": box},
        {"type": "click", "element": {"name": "Cancel"}},
        {"type": "click_and_type", "coordinates": {"x": 1, "y": 2}, "text": "Zoë"},
        {"type": "wait", "duration": 2.5},
        {"type": "window_focus", "window_title": "Mail"},
        {"type": "done"},
        screen_size=[320, 240],
        window_title="Contacts",
        dom="<html>",
    )
    demo, report = read_one(path)
    press, drag, middle, words, click, typed, wait, done = demo.steps
    # The picture is twice as large as the screen.
    assert [at and (at.x, at.y, at.end_x) for at in (press.pointer, drag.pointer, middle.pointer, click.pointer)] == [
        (320, 240, None), (20, 40, 60), (220, 90, None), (2, 4, None),
    ]  # fmt: skip
    assert words.action.target is not None
    assert words.action.target.text == "Cancel"
    assert typed.action.parameters == {"text_to_type": "Zoë"}
    assert wait.action.parameters == {"wait_duration_s": 2.5}
    assert "Mail" in done.note
    assert press.window is not None
    assert press.window.title == "Contacts"
    assert {"coordinates_scaled", "several", "words"} <= codes(report.assumed)
    assert {"dom", "noted", "metadata"} <= codes(report.lost)
    assert report.rows_in == 8 == report.rows_used + report.rows_noted


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"type": "click", "normalized_coordinates": [354, 129]}, "[0].steps[0].action.normalized_coordinates.x"),
        ({"type": "click", "normalized_coordinates": ["a", 1]}, "[0].steps[0].action.normalized_coordinates.x"),
        ({"type": "type", "normalized_coordinates": None, "text": "", "raw": {"keys": ["keycode_255"]}},
         "[0].steps[0].action.raw.keys"),
    ],
)  # fmt: skip
def test_bad_places_and_keys_of_openadapt_ml_are_named(tmp_path: Path, action: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRowError) as caught:
        read_one(episodes(tmp_path, action))
    assert caught.value.field == field
    assert caught.value.hint


# Our export -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("openadapt")
    export(make_pack(folder), "openadapt", folder / "out")
    return folder / "out"


def _episodes(folder: Path) -> list[dict[str, Any]]:
    found = [json.loads(file.read_bytes()) for file in sorted(folder.rglob("*.json"))]
    return [one for one in found if "episode_id" in one]


def test_our_export_tells_places_as_openadapt_ml_reads_them(exported: Path) -> None:
    pointed = 0
    for episode in _episodes(exported):
        for step in episode["steps"]:
            width, height = step["observation"]["viewport"] or (1, 1)
            action = step["action"]
            for name, share in (("target", "normalized_coordinates"), ("drag_end", "normalized_end")):
                place = action.get(name, {})
                assert (share in action) is ("x" in place)
                if "x" in place:
                    x, y = action[share]
                    assert (x * width, y * height) == pytest.approx((place["x"], place["y"]), abs=0.01)
                    assert 0 <= x < 1
                    assert 0 <= y < 1
                    pointed += 1
    assert pointed > 5


def test_openadapt_mls_own_loader_reads_every_place(exported: Path, tmp_path: Path) -> None:
    ingest = pytest.importorskip("openadapt_ml.ingest", reason="openadapt-ml is not installed")
    # It takes every *.json of a folder for an episode.
    for number, episode in enumerate(_episodes(exported)):
        (tmp_path / f"{number}.json").write_text(json.dumps(episode), encoding="utf-8")
    wanted = {one["episode_id"]: one["steps"] for one in _episodes(exported)}
    read = ingest.load_episodes(tmp_path)
    assert {one.episode_id for one in read} == wanted.keys()
    for episode in read:
        steps = wanted[episode.episode_id]
        assert len(episode.steps) == len(steps)
        for step, known in zip(episode.steps, steps, strict=True):
            for name in ("normalized_coordinates", "normalized_end"):
                assert list(getattr(step.action, name) or []) == known["action"].get(name, [])
            if known["action"]["type"] != "answer":  # it has no word for it, which our log says
                assert step.action.type.value == known["action"]["type"]
