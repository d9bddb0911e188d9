"""The parts of ``make consumers`` that need no consumer: what it takes for right, what for wrong, and its table."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from demopack.codecs.sets.catalogue import GROUPS
from tests.golden.inputs import unpack

HERE = Path(__file__).parents[2] / "benchmarks" / "consumers"


@pytest.fixture(scope="module")
def part() -> Iterator[Any]:
    """A module beside the driver, by its name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(HERE))
        yield importlib.import_module


@pytest.fixture(scope="module")
def truth(part: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found: dict[str, Any] = part("made").truth(unpack("hard-pack", tmp_path_factory.mktemp("hard")))
    return found


@pytest.fixture
def steps(truth: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = truth["steps"]
    return found


def _told(part: Any, steps: list[dict[str, Any]], log: dict[str, Any] | None = None) -> Any:
    empty = {"rows_in": 0, "rows_out": 0, "left_out": [], "lost": []}
    return part("told").Told(consumer="it", folder=Path(), steps=steps, frames=[], log={**empty, **(log or {})})


def test_a_response_is_right_only_as_it_was_recorded(part: Any, steps: list[dict[str, Any]]) -> None:
    for step in steps:
        told = _told(part, steps)
        said = {**step["response"], **({"reasoning": ""} if step["told_later"] else {})}
        told.response("it", said, step)
        assert told.wrong == []
        told.response("it", {**said, "is_goal_complete": not said["is_goal_complete"]}, step)
        assert len(told.wrong) == 1


def test_a_place_is_as_far_as_its_farthest_corner(part: Any) -> None:
    told = _told(part, [])
    told.place("near", (3, 4), (3, 4.5), within=1)
    told.place("far", (0, 0, 13, 14), (0, 0, 10, 10), within=1)
    told.place("nowhere", None, (1, 1), within=1)
    assert (told.places, told.furthest_px) == (2, 5.0)
    assert [text.split(":")[0] for text in told.wrong] == ["far", "nowhere"]


def test_rows_have_to_be_those_that_the_log_counts(part: Any, steps: list[dict[str, Any]]) -> None:
    told = _told(part, steps, {"rows_in": 60, "rows_out": 57, "left_out": [{"count": 3}]})
    told.count(57, len(told.kept()))
    assert (told.verdict(), told.wrong) == ("right", [])
    told.count(56, 57)
    assert told.wrong == ["rows: 56, expected is 57"]
    told.count(57, 57, of=58)
    assert len(told.wrong) == 3


def test_every_step_is_equal_to_itself_and_a_loss_has_to_be_counted(part: Any, steps: list[dict[str, Any]]) -> None:
    deeds = part("deeds")
    lost = {("click", "held"): "hold"}
    told = _told(part, steps, {"lost": [{"code": "hold", "count": 1}]})
    for step in deeds.sayable(told):
        deeds.compare(told, step, deeds.deed(step), within=0, lost=lost)
    assert told.wrong == []
    assert told.places == 35
    for step in deeds.sayable(told):
        deeds.compare(told, step, {**deeds.deed(step), "held": None}, within=0, lost=lost)
    told.losses(of=["hold"])
    # Two clicks were held, and the log above speaks of one.
    assert [text.partition(":")[0] for text in told.wrong] == ["“hold” of EXPORT_LOG.json"]


def test_keys_have_one_name(part: Any) -> None:
    deeds = part("deeds")
    assert deeds.keys(["SUPER", "CTRL"]) == deeds.keys(["ctrl", "win"]) == ["ctrl", "meta"]
    assert deeds.key("Page_Down") == deeds.key("PAGEDOWN") == "pagedown"


def test_a_consumer_that_breaks_off_is_wrong_and_one_that_cannot_be_had_is_not(part: Any) -> None:
    driver = part("try_all")
    broken = driver.line_of("it", subprocess.CompletedProcess([], 1, "", "Traceback\nValueError: three pictures\n"))
    assert (broken["verdict"], broken["wrong"]) == ("wrong", ["it ended with 1: ValueError: three pictures"])
    told = _told(part, [])
    assert told.verdict() == "wrong", "nobody said how many rows there should be"
    told.not_tried.append("no checkout")
    read = driver.line_of("it", subprocess.CompletedProcess([], 0, f"noise\n{told.line()}\n", ""))
    assert (read["verdict"], read["not_tried"]) == ("not tried", ["no checkout"])
    text = driver.table([{"format": "a", **broken}, {"format": "b|c", **read}])
    assert [line.count(" | ") for line in text.splitlines()] == [7, 7, 7, 7]
    assert "b\\|c" in text


def test_an_error_is_told_by_its_first_words_or_its_last(part: Any) -> None:
    driver = part("try_all")
    said = "Resolving …\nerror: No Python that new\n  cause: no network\n  cause: again\n"
    assert driver.first_words(said) == "error: No Python that new cause: no network"
    assert driver.first_words("") == driver.last_words("") == "it said nothing"


def test_each_first_class_format_has_a_consumer_whose_needs_can_be_read(part: Any) -> None:
    consumers = part("try_all").CONSUMERS
    assert {one.format for one in consumers} >= {*GROUPS["First choice"], "grounding", "rl"}
    for one in consumers:
        text = (HERE / f"{one.script}.py").read_text(encoding="utf-8")
        (block,) = re.findall(r"^# /// script\n(.*?)^# ///$", text, re.MULTILINE | re.DOTALL)
        needs = tomllib.loads(re.sub(r"^# ?", "", block, flags=re.MULTILINE))
        assert needs["requires-python"]
        assert all(re.search(r"[<>=]=", need) for need in needs["dependencies"] if need != "demopack")


def test_the_truth_is_plain_json(truth: dict[str, Any]) -> None:
    assert json.loads(json.dumps(truth)) == truth
    assert (len(truth["steps"]), len(truth["frames"])) == (60, 34)
    assert sum(len(frame["boxes"]) for frame in truth["frames"]) == 336
