"""``demopack prompt`` on a pack that was exported from a library."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from demopack.codecs.recorded_demo import RecordedStep
from demopack.codecs.texts import texts
from demopack.domain.elements import NumberedElement
from demopack.errors import BadInputError, PackError
from demopack.pack.reader import open_packs
from demopack.pack.writer import export_pack
from demopack.prompting.agent_state import AgentState
from demopack.prompting.library_demos import LibraryDemos
from demopack.prompting.prompt_builder import PROMPT_DIALECTS, build_prompt
from demopack.store import Library
from demopack_cli.prompt import command
from tests.support.demos import sample_demo
from tests.support.exports import export, lines
from tests.support.pictures import swatch


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prompt")
    with Library.open(folder / "library", create=True) as library:
        ids = [
            sample_demo(library, draw=swatch, demo_id="demo_aaaaaaaaaa"),
            sample_demo(
                library, draw=swatch, demo_id="demo_bbbbbbbbbb", task="Add Grace Hopper as a customer from Norway"
            ),
        ]
        export_pack(library, ids, folder / "pack", licence="CC0-1.0", consent="yes", zipped=False)
    return folder / "pack"


def run(pack: Path, *args: str) -> Result:
    return CliRunner().invoke(command, [str(pack), *args], standalone_mode=False, catch_exceptions=True)


def data_of(pack: Path, *args: str) -> dict[str, Any]:
    result = run(pack, *args, "--json")
    assert result.exception is None, result.exception
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def test_day_last_turn_and_failure_are_told_from_the_command_line(pack: Path) -> None:
    told = ("--date", "2026-01-09", "--last-turn", "--failure", "There is no button Send.")
    at = ("--screen", "demo_aaa:4", "--dialect", "uipath", "--shots", "0", "--budget", "20000")
    talk = [message["content"] for message in data_of(pack, *at, *told)["messages"]]
    assert "Date: 2026-01-09" in talk[1]
    assert "There is no button Send." in talk[-1]
    assert texts("uipath").get("last_turn") in talk[-1]
    assert "The task again" not in talk[-1]
    *_, words = data_of(pack, *at, *told, "--history-in-words")["messages"]
    parts = ["Date: 2026-01-09", "Done so far:", "The task again: Add Ada", "There is no button Send.", "Memory: {"]
    places = [words["content"].index(part) for part in parts]
    assert places == sorted(places)
    for rule in ("take the one that is offered", "no caret is seen", "always gives its direction"):
        assert rule in words["content"]
    refused = run(pack, *at, "--date", "tomorrow")
    assert isinstance(refused.exception, BadInputError)


def test_lams_own_plan_tells_the_step_unless_it_is_left_out(pack: Path) -> None:
    at = ("--screen", "demo_aaa:4", "--dialect", "lam", "--shots", "0")
    told, asked = (data_of(pack, *at, *more)["messages"][-1]["content"] for more in ((), ("--no-plan",)))
    before, _, plan = told.partition("<Previous Plans:>")
    assert plan.strip() != "[]"
    assert asked == f"{before}<Previous Plans:> []"


@pytest.mark.parametrize("dialect", PROMPT_DIALECTS)
def test_a_failure_is_told_in_every_dialect(pack: Path, dialect: str) -> None:
    at = ("--screen", "demo_aaa:4", "--dialect", dialect, "--shots", "0", "--failure", "There is no button Send.")
    assert "There is no button Send." in "".join(one["content"] for one in data_of(pack, *at)["messages"])


@pytest.mark.parametrize("dialect", PROMPT_DIALECTS)
def test_a_prompt_at_a_recorded_step_shows_the_other_demo(pack: Path, dialect: str) -> None:
    data = data_of(pack, "--screen", "demo_aaa:4", "--dialect", dialect, "--budget", "20000")
    assert data["shots"] == ["demo_bbbbbbbbbb"]
    assert 0 < data["tokens"] <= 20000
    assert data["messages"][-1]["role"] == "user"
    assert "Add Ada Lovelace" in "".join(message["content"] for message in data["messages"])
    assert data == data_of(pack, "--screen", "demo_aaa:4", "--dialect", dialect, "--budget", "20000")


@pytest.mark.parametrize(
    ("dialect", "file"),
    [("ui-tars", "ui_tars"), ("ui-tars-1.5", "ui_tars"), ("qwen", "qwen"), ("qwen2.5-vl", "qwen")],
)
def test_an_agent_is_asked_what_its_training_talks_ask(pack: Path, tmp_path: Path, dialect: str, file: str) -> None:
    export(pack, dialect, tmp_path / "out", unit="step")
    rows = lines(tmp_path / "out" / f"{file}.jsonl")
    for number in (1, 4, 9):
        data = data_of(pack, "--screen", f"demo_aaa:{number}", "--dialect", dialect, "--shots", "0")
        system, user = (message["content"] for message in data["messages"])
        sample = f"step {number} of demo_aaaaaaaaaa"
        if file == "qwen":
            (row,) = [one for one in rows if one["id"] == sample]
            assert row["conversations"][0]["value"] == f"{system}\n\n<image>\n{user}"
        else:
            (row,) = [one for one in rows if one["sample"] == sample]
            told, asked = (message["content"] for message in row["messages"][:2])
            assert (told, asked) == (system, f"<image>{user}")
        assert len(data["messages"][-1]["images"]) == 1


def test_examples_of_places_show_what_lies_there(pack: Path) -> None:
    """An answer names a place alone, and examples have no picture: the element that was used is listed."""
    data = data_of(pack, "--screen", "demo_aaa:1", "--dialect", "qwen", "--shots", "1", "--budget", "20000")
    asked, said = (message["content"] for message in data["messages"][1:3])
    (line,) = [one for one in asked.split("\n") if one.startswith("[")]
    left, top, right, bottom = (int(number) for number in line.partition(" at [")[2].partition("]")[0].split(", "))
    call = json.loads(said.split("<tool_call>\n")[1].split("\n</tool_call>")[0])
    x, y = call["arguments"]["coordinate"]
    assert left <= x <= right
    assert top <= y <= bottom
    assert asked.startswith("Demonstration 1 shows")
    assert [one["name"] for one in data["functions"]] == ["computer_use"]
    more = data_of(
        pack, "--screen", "demo_aaa:1", "--dialect", "qwen", "--shots", "1", "--budget", "90000", "--shot-elements"
    )
    assert len(more["messages"][1]["content"]) > len(asked)


def test_the_text_for_people_says_what_was_shown_and_what_could_not_be_said(pack: Path) -> None:
    result = run(pack, "--task", "Add Alan Turing as a customer", "--dialect", "caap", "--shots", "1")
    assert "### Task Description ###\nAdd Alan Turing as a customer" in result.stdout
    assert "caap@2, about " in result.stderr
    assert "demos: demo_" in result.stderr
    assert "has no word for it: Scrolled down by 8" in result.stderr


def test_without_a_pack_the_demos_of_the_library_are_shown(pack: Path) -> None:
    args = ["--task", "Add Alan Turing as a customer", "--json"]
    own = CliRunner().invoke(command, [*args, "--library", str(pack.parent / "library")], standalone_mode=False)
    assert own.exception is None, own.exception
    assert json.loads(own.stdout) == data_of(pack, *args[:2])


def test_nothing_fits_and_nothing_is_shown(pack: Path) -> None:
    result = run(pack, "--task", "qqq zzz")
    assert "demos: none that fits" in result.stderr
    assert data_of(pack, "--task", "Add Ada Lovelace as a customer from the United Kingdom", "--other-instances")[
        "shots"
    ] == ["demo_bbbbbbbbbb"]


def test_a_library_gives_the_same_prompt_as_its_pack(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        ids = [
            sample_demo(library, draw=swatch),
            sample_demo(library, draw=swatch, demo_id="demo_partial", status="partial"),
        ]
        export_pack(library, ids, tmp_path / "pack", licence="CC0-1.0", consent="yes", zipped=False)
        own = LibraryDemos(library)
        assert own.total == 1, "a demo that was cut off is no example"
        situation = AgentState(task="Add Grace Hopper as a customer from Norway")
        with open_packs([tmp_path / "pack"]) as source:
            for dialect in PROMPT_DIALECTS:
                assert build_prompt(own, situation, dialect=dialect) == build_prompt(source, situation, dialect=dialect)
            for ours, theirs in zip(LibraryDemos(library, ids).demos(), source.demos(), strict=True):
                assert ours.head == theirs.head
                assert [plain(step) for step in ours.steps] == [plain(step) for step in theirs.steps]
                assert {key: numbered(found) for key, found in ours.elements.items()} == {
                    key: numbered(found) for key, found in theirs.elements.items()
                }

                name = ours.files[ours.frames[0].id]
                assert ours.pictures.read(name) == theirs.pictures.read(name)
                with pytest.raises(PackError):
                    ours.pictures.read("frames/none.png")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "no task"),
        (("--task", "x", "--dialect", "klingon"), "klingon"),
        (("--task", "x", "--budget", "10"), "without any demo"),
        (("--task", "x", "--dialect", "caap", "--without", "nothing"), "no part"),
        (("--screen", "demo_a"), "DEMO:STEP"),
    ],
)
def test_what_cannot_be_done_is_said(pack: Path, args: tuple[str, ...], words: str) -> None:
    error = run(pack, *args).exception
    assert isinstance(error, BadInputError)
    assert words in str(error)


def test_the_prompt_is_copied_as_it_is_printed(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    took: list[str] = []

    def copy(text: str) -> str:
        took.append(text)
        return "xclip"

    monkeypatch.setattr("demopack_cli.clipboard.copy_text", copy)
    result = run(pack, "--task", "Add Alan Turing as a customer", "--copy")
    assert result.exception is None, result.exception
    assert took == [result.stdout.removesuffix("\n")]
    assert "The prompt is on the clipboard (xclip)." in result.stderr
    run(pack, "--task", "Add Alan Turing as a customer")
    assert len(took) == 1


def numbered(elements: Iterable[NumberedElement]) -> list[NumberedElement]:
    """The elements as a library has them: those of a pack are lines, which know their picture's file, too."""
    return [NumberedElement(**{name: getattr(one, name) for name in NumberedElement.model_fields}) for one in elements]


def plain(step: RecordedStep) -> RecordedStep:
    observation = replace(step.observation, elements=tuple(numbered(step.observation.elements)))
    target, end = (None if one is None else numbered([one])[0] for one in (step.placed.target, step.placed.end))
    return replace(step, observation=observation, placed=replace(step.placed, target=target, end=end))
