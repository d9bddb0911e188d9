"""``demopack observe`` and ``demopack act`` as a script uses them, on a real program that tells what it got."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from demopack.store import Library
from recorder.desktop.private_display import PrivateDesktop
from tests.support.desktop_programs import zenity

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def desktop() -> Iterator[PrivateDesktop]:
    with PrivateDesktop() as desktop:
        yield desktop


def demopack(desktop: PrivateDesktop, *arguments: str, given: str = "") -> tuple[int, Any]:
    command = [sys.executable, "-m", "demopack", *arguments, "--json"]
    done = subprocess.run(command, env=desktop.environment(), input=given, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stderr
    return done.returncode, json.loads(done.stdout)


def test_what_was_observed_is_acted_on_and_kept(desktop: PrivateDesktop, tmp_path: Path) -> None:
    library = ("--library", str(tmp_path / "library"))
    with zenity(desktop, "--forms", "--add-entry=Name", "--add-entry=City", title="Order") as program:
        code, seen = demopack(desktop, "observe", "-o", str(tmp_path / "now"))
        assert code == 0
        fields = [one["element_id"] for one in seen["elements"] if one["type"] == "input_field"]
        assert len(fields) == 2
        answers = [
            {"action_type": "type", "target": {"element_id": fields[0]}, "parameters": {"text_to_type": "Ada"}},
            {"action_type": "type", "target": {"element_id": fields[1]}, "parameters": {"text_to_type": "Paris"}},
            {"action_type": "click", "target": {"text": "Delete all"}},
            {"action_type": "click", "target": {"text": "OK"}},
        ]
        lines = "".join(json.dumps({"reasoning": "", "action": one}) + "\n" for one in answers)
        arguments = ("act", "-", "--observation", str(tmp_path / "now"), "--yes", *library)
        code, results = demopack(desktop, *arguments, given=lines)
        assert (code, [one["code"] for one in results]) == (1, ["", "", "not_found"]), results
        code, results = demopack(desktop, "act", 'click(text="OK")', "--yes", "--no-keep", *library)
        assert (code, results[0]["strategy"]) == (0, "text"), results
        assert program.output() == "Ada|Paris\n"
    with Library.open(tmp_path / "library") as opened:
        (kept,) = opened.demos()
        demo = opened.demo(kept.head.id)
    *steps, end = demo.steps
    assert (kept.head.outcome, [step.action.typed_text for step in steps]) == ("failure", ["Ada", "Paris"])
    assert all(step.before and step.after and step.target_uid for step in steps)
    assert end.action.gives_up
    assert demo.head.origin is not None
    rows = [row for step in demo.steps for row in demo.head.origin.steps[step.id]]
    assert [row["result"]["code"] for row in rows] == ["", "", "not_found"]


def test_what_was_kept_can_be_exported(desktop: PrivateDesktop, tmp_path: Path) -> None:
    library = ("--library", str(tmp_path / "library"))
    with zenity(desktop, "--question", "--text=Go on?", "--ok-label=Go", title="Ask"):
        code, results = demopack(desktop, "act", 'click(text="Go")', "--yes", *library)
        assert (code, results[0]["code"]) == (0, ""), results
    code, _ = demopack(desktop, "export", "last", "-o", str(tmp_path / "pack"), *library)
    assert code == 0
    with Library.open(tmp_path / "library") as opened:
        (kept,) = opened.demos()
        demo = opened.demo(kept.head.id)
    assert kept.head.outcome == "success"
    assert [step.action.action_type for step in demo.steps] == ["click", "finish_goal"]


def test_after_the_end_of_the_task_nothing_is_performed(desktop: PrivateDesktop, tmp_path: Path) -> None:
    wait, end = "wait(wait_duration_s=0.1)", 'finish_goal(status="failure")'
    code, results = demopack(
        desktop, "act", wait, end, wait, "--yes", "--eyes", "picture", "--library", str(tmp_path / "library")
    )
    assert (code, len(results)) == (1, 2)
    with Library.open(tmp_path / "library") as opened:
        (kept,) = opened.demos()
        steps = opened.demo(kept.head.id).steps
    assert (kept.head.outcome, [step.action.action_type for step in steps]) == ("failure", ["wait", "finish_goal"])


def test_a_text_that_is_only_alike_and_a_place_from_elsewhere_are_not_clicked(
    desktop: PrivateDesktop, tmp_path: Path
) -> None:
    arguments = ("--yes", "--library", str(tmp_path / "library"))
    with zenity(desktop, "--question", "--text=Sure?", "--ok-label=Delete all", "--cancel-label=Keep", title="Ask"):
        code, results = demopack(desktop, "act", 'click(text="Delete al")', *arguments)
        assert (code, results[0]["code"], results[0]["performed"]) == (1, "not_found", False), results
        assert "Did you mean “Delete all”?" in results[0]["hint"]
        code, results = demopack(desktop, "act", 'click(text="Save", bbox=[0.45, 0.45, 0.05, 0.04])', *arguments)
        assert (code, results[0]["code"], results[0]["performed"]) == (1, "not_found", False), results
        code, results = demopack(desktop, "act", 'click(text="delete all")', *arguments)
        assert (code, results[0]["code"]) == (0, ""), results
