from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from demopack.errors import BadInputError, CorruptFrameError
from demopack.store import Library
from demopack_cli.main import COMMANDS, MOVED, main
from tests.support.damage import damage_frame
from tests.support.demos import sample_demo

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_with_an_example(name: str) -> None:
    done = CliRunner().invoke(main, [name, "--help"])
    assert done.exit_code == 0, done.output
    assert f"Example: demopack {name}" in done.output
    command = main.get_command(main.make_context("demopack", ["list", "--help"], resilient_parsing=True), name)
    assert command is not None
    assert COMMANDS[name][1].endswith(".")


def test_every_command_stands_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert re.search(rf"^\| `demopack {name}\b", readme, re.MULTILINE), name


def test_wrong_usage_ends_with_two() -> None:
    assert CliRunner().invoke(main, ["no-such-command"]).exit_code == 2
    assert CliRunner().invoke(main, ["list", "--colour"]).exit_code == 2
    assert CliRunner().invoke(main, ["show"]).exit_code == 2


@pytest.mark.parametrize("arguments", [[name] for name in MOVED] + [["train", "icons"]])
def test_what_went_to_the_laboratory_says_so(arguments: list[str]) -> None:
    for rest in ([], ["--help"], ["make", "qt", "--count", "3"]):
        done = CliRunner().invoke(main, [*arguments, *rest])
        assert done.exit_code == 2
        assert "python -m lab" in done.output
    assert not set(MOVED) & set(COMMANDS)


def test_list_and_show(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        demo = library.demo(sample_demo(library))
    at = ["--library", str(tmp_path / "library")]
    listed = json.loads(CliRunner().invoke(main, ["list", "--json", *at]).output)
    assert [row["head"]["id"] for row in listed] == [demo.head.id]
    shown = json.loads(CliRunner().invoke(main, ["show", "last", "--json", *at]).output)
    assert len(shown["steps"]) == len(demo.steps)
    assert shown["steps"][-1]["response"]["action"]["action_type"] == "finish_goal"
    elements = {e.uid: e for frame in demo.elements.values() for e in frame}
    for row, step in zip(shown["steps"], demo.steps, strict=True):
        element = elements.get(step.target_uid or "")
        told = row["element"]
        assert (told and (told["type"], told.get("text"), told["source"])) == (
            element and (element.type, element.text, element.source)
        )
    assert any(row["element"] for row in shown["steps"])
    words = CliRunner().invoke(main, ["show", demo.head.id, *at]).output
    assert "Finished the task" in words
    assert demo.head.task in CliRunner().invoke(main, ["list", *at], terminal_width=200).output


def test_a_missing_demo_is_one_sentence(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        empty = CliRunner().invoke(main, ["show", "last", "--library", str(tmp_path / "library")])
        assert isinstance(empty.exception, BadInputError)
        assert "demopack record" in empty.exception.hint
        sample_demo(library)
    done = CliRunner().invoke(main, ["show", "nope", "--library", str(tmp_path / "library")])
    assert isinstance(done.exception, BadInputError)
    assert "demopack list" in done.exception.hint


def test_a_damaged_picture_is_named_with_its_steps(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        demo = library.demo(sample_demo(library))
        broken = demo.steps[2].before
        assert broken is not None
        damage_frame(library, broken.id)
    at = ["last", "--library", str(tmp_path / "library")]
    for command in (["export", "-o", str(tmp_path / "pack")], ["rationale", "--overwrite"]):
        done = CliRunner().invoke(main, [command[0], *at, *command[1:]])
        assert isinstance(done.exception, CorruptFrameError)
        assert f"before step 3 of {demo.head.id}" in done.exception.user_message
    assert not (tmp_path / "pack").exists()


def test_the_doctor_names_the_cure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    done = CliRunner().invoke(main, ["doctor", "--json", "--library", str(tmp_path / "library")])
    checks = {check["what"]: check for check in json.loads(done.output)}
    assert done.exit_code == 1
    assert not checks["Screen"]["ok"]
    assert checks["Screen"]["mend"]
    assert checks["Python"]["ok"]
    assert not (tmp_path / "library").exists()
