"""Tasks performed in a real program by ``demopack tasks run``, on a screen of its own, judged by what they leave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.store import Library
from demopack_cli.main import main
from tasks.bank import TaskBank

pytestmark = pytest.mark.e2e

PAGE = """<!doctype html><meta charset=utf-8><title>Order</title><body style="font:18px 'DejaVu Sans'">
<p><label>Name <input id=n></label>
<p><button onclick="o.textContent = 'Ordered by ' + n.value">Order</button><p id=o>"""


def result(name: str, *steps: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    """An instantiated task as UFO's dataflow leaves it."""
    plan = [
        {"Step": n, "Subtask": f"step {n}", "ControlText": text, "Function": function, "Args": args}
        for n, (text, function, args) in enumerate(steps, start=1)
    ]
    prefill = {"result": {"instantiated_request": f"Do {name}", "instantiated_plan": plan}}
    return {
        "unique_id": name,
        "app": "browser",
        "original": {"original_task": f"Do {name}", "original_steps": []},
        "instantiation_result": {"prefill": prefill},
    }


def test_plans_are_performed_without_a_model_and_an_error_of_one_ends_none_of_the_others(tmp_path: Path) -> None:
    templates, files = tmp_path / "templates" / "chromium", tmp_path / "tasks"
    for folder in (templates, files):
        folder.mkdir(parents=True)
    (templates / "page.html").write_text(PAGE)
    cases = [
        result("missing", ("Name", "set_edit_text", {"text": "Ada"}), ("Send it off", "click_input", {})),
        result("right", ("Name", "set_edit_text", {"text": "Ada"}), ("Order", "click_input", {"button": "left"})),
    ]
    for case in cases:
        (files / f"{case['unique_id']}.json").write_text(json.dumps(case))
    library, out = tmp_path / "library", tmp_path / "results"
    command = [
        "tasks",
        "run",
        str(files),
        "--templates",
        str(templates.parent),
        "-o",
        str(out),
        "--library",
        str(library),
    ]
    done = CliRunner().invoke(main, [*command, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    rows = {row["id"]: row for row in json.loads(done.stdout)}
    assert rows["missing"]["complete"] == "no"
    assert "Step 2 execution failed: No control reads “Send it off”" in rows["missing"]["reason"]
    assert rows["right"]["complete"] == "unsure", "rules alone never say yes"
    with Library.open(library) as opened, TaskBank.open(library) as bank:
        right, missing = bank.get("right"), bank.get("missing")
        for one in (right, missing):
            demo = opened.demo(one.demo)
            assert demo.head.final_frame is not None, "the picture of the end is kept"
            assert demo.head.outcome == ("success" if one is right else "failure")
        shown = opened.demo(right.demo)
        frame = shown.head.final_frame
        assert frame is not None
        assert "Ordered by Ada" in {element.text for element in shown.elements[frame.id]}
    assert right.instantiation is not None
    assert [(step.success, step.matched_text) for step in right.instantiation.steps] == [
        (True, "Name"),
        (True, "Order"),
    ]
    assert missing.instantiation is not None
    assert [step.success for step in missing.instantiation.steps] == [True, False]
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*.*")) == [
        "execution/execution_fail/missing.json",
        "execution/execution_unsure/right.json",
        "saved_document/missing.html",
        "saved_document/right.html",
    ]
    filed = json.loads((out / "execution/execution_fail/missing.json").read_text())
    assert filed["execution_result"]["error"].startswith("Step 2 execution failed")
    assert filed["time_cost"]["execute"] > 0
