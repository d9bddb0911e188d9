"""What cannot be read, such as a time that no clock shows: told with file and field, the fault of its demo alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from demopack.codecs.files.base import ImportOptions
from demopack.codecs.files.builder import DemoBuilder
from demopack.codecs.files.json_object import BadRowError
from demopack.pack.import_demos import import_demos
from demopack.store import Library
from tests.flows.test_importing_openadapt_capture import START, capture
from tests.support.foreign import agentnet, agentnet_step, events, openadapt_step, osworld, picture

Maker = Callable[[Path, Any], object]
NOON = "20260314@120000000000"


def captured(folder: Path, began: Any = None, *, event: Any = START + 1) -> None:
    press = {"name": "click", "mouse_x": 20, "mouse_y": 30, "mouse_button_name": "left"}
    capture(
        folder,
        {**press, "timestamp": event, "mouse_pressed": 1},
        {**press, "timestamp": event, "mouse_pressed": 0},
        {**press, "timestamp": START + 3, "mouse_pressed": 1, "mouse_x": 90},
        {**press, "timestamp": START + 4, "mouse_pressed": 0, "mouse_x": 90},
        shots=1,
        timestamp=START if began is None else began,
    )


def captured_event(folder: Path, event: Any) -> None:
    captured(folder, event=START + 1 if event is None else event)


def episode(folder: Path, value: Any, **fields: Any) -> None:
    picture(folder / "a.png", seed=3)
    step = openadapt_step(0, {"type": "wait"}, screenshot_path="a.png")
    steps = [{**step, "timestamp": 1.7e9}, {**step, "step_index": 1, "timestamp": 1.7e9 + 1, **fields}]
    if value is not None and not fields:
        steps[1]["timestamp"] = value
    told = {"episode_id": folder.name, "instruction": "Wait", "steps": steps}
    (folder / "episode.json").write_text(json.dumps(told), encoding="utf-8")


def created(folder: Path, value: Any) -> None:
    episode(folder, None)
    told = json.loads((folder / "episode.json").read_text(encoding="utf-8"))
    for step in told["steps"]:
        del step["timestamp"]
    (folder / "episode.json").write_text(json.dumps({**told, "created_at": value}), encoding="utf-8")


def lasting(folder: Path, value: Any) -> None:
    episode(folder, value, **({} if value is None else {"duration_ms": value}))


def run(folder: Path, value: Any) -> None:
    osworld(
        folder,
        {"step_num": 1, "action_timestamp": NOON, "action": "WAIT", "screenshot_file": "1.png"},
        {"step_num": 2, "action_timestamp": value or NOON, "action": "WAIT", "screenshot_file": "2.png"},
    )


def ducktrack(folder: Path, value: Any) -> None:
    rows = [
        {"time_stamp": 1.0 if value is None or number == 0 else value, "action": "click", "button": "left",
         "x": 20, "y": 30, "pressed": number == 0}
        for number in range(2)
    ]  # fmt: skip
    events(folder, *rows, {**rows[1], "time_stamp": 2.0})


def ducktrack_start(folder: Path, value: Any) -> None:
    ducktrack(folder, None)
    rows = [json.loads(line) for line in (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    events(folder, *rows, about={"start_time": value or "2026-03-14 12:00:00"})


WRONG: list[tuple[Maker, Any, str]] = [
    *[(captured, value, "recording[1].timestamp") for value in (-1e12, -1e9, 9.9e9, 1e200)],
    *[(captured_event, value, "action_event[1].timestamp") for value in (-1e9, 9.9e9, 2.5e11, 1e12, 1e200)],
    *[(episode, value, "steps[1].timestamp") for value in (9.9e9, 1e12, -1e12)],
    (lasting, 1e17, "steps[1]"),
    *[(created, value, "created_at") for value in ("1900-01-01T00:00:00", "9999-12-31T23:59:59")],
    *[(run, value, "action_timestamp") for value in ("19000101@000000", "99991231@235959")],
    *[(ducktrack, value, "time_stamp") for value in (9.9e9, 1e18)],
    *[(ducktrack_start, value, "start_time") for value in ("1900-01-01 00:00:00", "9999-12-31 23:59:59")],
]


@pytest.mark.parametrize(("make", "value", "field"), WRONG)
def test_a_time_that_no_clock_shows_is_told_and_loses_nothing_else(
    tmp_path: Path, make: Maker, value: Any, field: str
) -> None:
    source = tmp_path / "source"
    for name, given in (("bad", value), ("good", None)):
        (source / name).mkdir(parents=True)
        make(source / name, given)
    with Library.open(tmp_path / "library") as library:
        with pytest.raises(BadRowError) as caught:
            import_demos([source], library)
        assert "bad/" in caught.value.user_message
        assert field in caught.value.user_message
        assert caught.value.hint
        report = import_demos([source], library, options=ImportOptions(skip_bad=True))
        stored = [library.demo(demo.demo) for demo in report.demos]
    skipped = sum(item.count for item in report.sources[0].skipped)
    skipped += sum(demo.rows_skipped for demo in report.demos)
    assert skipped >= 1
    assert [demo.source for demo in report.demos if "good/" in demo.source and not demo.rows_skipped]
    assert all(demo.steps for demo in stored)


def test_what_no_record_takes_is_the_fault_of_its_demo_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path / "runs" / "a", None)
    run(tmp_path / "runs" / "b", None)
    finish = DemoBuilder.finish

    def finished(builder: DemoBuilder, **head: Any) -> Any:
        given: dict[str, Any] = {**head, **({"status": "half"} if "a/" in builder.log.source else {})}
        return finish(builder, **given)

    monkeypatch.setattr(DemoBuilder, "finish", finished)
    with pytest.raises(BadRowError, match=r"a/traj\.jsonl: it makes no demo \(status: "):
        import_demos([tmp_path / "runs"], None)
    report = import_demos([tmp_path / "runs"], None, options=ImportOptions(skip_bad=True))
    assert [demo.source for demo in report.demos] == ["b/traj.jsonl"]
    assert [item.code for item in report.sources[0].skipped] == ["unfit"]


def test_a_file_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    captured(tmp_path / "source" / "good")
    shutil.copytree(tmp_path / "source" / "good", tmp_path / "source" / "bad")
    (tmp_path / "source" / "bad" / "recording.db").write_bytes(b"SQLite format 3\0 and nothing else")
    run(tmp_path / "runs" / "good", None)
    osworld(tmp_path / "runs" / "empty")
    for folder in ("source", "runs"):
        with pytest.raises(BadRowError):
            import_demos([tmp_path / folder], None)
        report = import_demos([tmp_path / folder], None, options=ImportOptions(skip_bad=True))
        assert [demo.source.partition("/")[0] for demo in report.demos] == ["good"]
        assert sum(item.count for item in report.sources[0].skipped) == 1


def test_an_episode_that_is_none_leaves_the_others_of_its_file(tmp_path: Path) -> None:
    episode_of: list[Any] = ["none"]
    (tmp_path / "one").mkdir()
    episode(tmp_path / "one", None)
    episode_of.append(json.loads((tmp_path / "one" / "episode.json").read_text(encoding="utf-8")))
    (tmp_path / "one" / "episode.json").write_text(json.dumps({"episodes": episode_of}), encoding="utf-8")
    report = import_demos([tmp_path / "one"], None, options=ImportOptions(skip_bad=True))
    assert (len(report.demos), [item.count for item in report.sources[0].skipped]) == (1, [1])


def listed(folder: Path) -> Path:
    episode(folder, None)
    path = folder / "episode.json"
    path.write_text("[" + path.read_text(encoding="utf-8") + "]", encoding="utf-8")
    return path


def lines_of_episodes(folder: Path) -> Path:
    episode(folder, None)
    return (folder / "episode.json").rename(folder / "episodes.jsonl")


def dragged(folder: Path) -> Path:
    return agentnet(folder, agentnet_step(0, "pyautogui.click(x=0.25, y=0.5)", score=1.7e9))


def pressed(folder: Path) -> Path:
    ducktrack(folder, None)
    path = folder / "events.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("{", '{"after": 1700000000.0, ', 1), encoding="utf-8")
    return path


@pytest.mark.parametrize("make", [listed, lines_of_episodes, dragged, pressed])
@pytest.mark.parametrize("number", ["NaN", "1e30", "-Infinity"])
def test_a_number_that_json_or_nothing_has_is_what_a_file_is_refused_for(
    tmp_path: Path, make: Callable[[Path], Path], number: str
) -> None:
    (tmp_path / "set").mkdir()
    path = make(tmp_path / "set")
    good = path.read_text(encoding="utf-8")
    assert good.count("1700000000.0") == 1
    path.write_text(good.replace("1700000000.0", number), encoding="utf-8")
    for source in (tmp_path / "set", path):
        with pytest.raises(BadRowError, match=f"{path.name}.*it is not JSON .*{number}"):
            import_demos([source], None)
        report = import_demos([source], None, options=ImportOptions(skip_bad=True))
        assert [demo.rows_skipped for demo in report.demos] + [1 for _ in report.sources[0].skipped] == [1]
    path.write_text(good, encoding="utf-8")
    assert len(import_demos([tmp_path / "set"], None).demos) == 1
