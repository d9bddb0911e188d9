"""``demopack rationale``: modes, previews, and reports for programs; models are asked in the flow tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.domain.edits import Change, Edit
from demopack.domain.provenance import by_human
from demopack.domain.records import new_id
from demopack.errors import BadInputError
from demopack.settings import LanguageSettings
from demopack.store import Library
from demopack_cli.rationale import command
from demopack_cli.show import command as show
from models.language.writers import settings_for, writer_sees
from tests.support.demos import tiny_demo


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DEMOPACK_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("DEMOPACK_REQUESTS", "none")
    with Library.open(tmp_path / "library") as library:
        tiny_demo(library)
    return str(tmp_path / "library")


def run(folder: str, *more: str, code: int = 0) -> str:
    done = CliRunner().invoke(command, ["last", "--library", folder, *more])
    if code == 0 and done.exception is not None:
        raise done.exception
    assert done.exit_code == code, done.output
    return done.stdout


def test_the_template_in_hindsight_tells_the_plan(folder: str) -> None:
    (report,) = json.loads(run(folder, "--overwrite", "--mode", "hindsight", "--json"))
    assert (report["writer"], report["mode"], report["written"]) == ("template-1", "hindsight", 3)
    assert (report["calls"], report["cost"], report["trouble"]) == (0, 0, "")
    with Library.open(Path(folder)) as library:
        rationales = [step.rationale for step in library.demo("demo_0000000001").steps]
    assert [r and len(r.plan) for r in rationales] == [1, 0, 0]
    assert all(r is not None and r.mode == "hindsight" and r.hindsight for r in rationales)
    assert report["steps"][0]["lengths"]["plan"] > 0


def test_what_is_there_is_kept_unless_it_is_stale(folder: str) -> None:
    run(folder, "--overwrite")
    assert "0 rationales written, 3 kept" in run(folder)
    assert "0 rationales written, 3 kept" in run(folder, "--stale")


def test_a_stale_one_is_told_and_written_again(folder: str) -> None:
    run(folder, "--overwrite")
    with Library.open(Path(folder)) as library:
        head = library.demo("demo_0000000001").head
        new = head.model_copy(update={"task": "Go and say goodbye"})
        change = Change(kind="head", key=head.id, before=head.to_json(), after=new.to_json())
        library.commit(head.id, Edit(id=new_id("edit"), label="Reword", changes=(change,), provenance=by_human()))
    shown = CliRunner().invoke(show, ["last", "--library", folder]).stdout
    assert shown.count("demopack rationale --stale") == 3
    assert "3 kept" in run(folder)
    assert "3 rationales written" in run(folder, "--stale")
    data = json.loads(CliRunner().invoke(show, ["last", "--library", folder, "--json"]).stdout)
    assert [step["stale"] for step in data["steps"]] == [False, False, False]


def test_the_preview_shows_the_whole_prompt_and_writes_nothing(folder: str) -> None:
    with Library.open(Path(folder)) as library:
        before = library.demo("demo_0000000001")
    shown = run(folder, "--preview", "2", "--mode", "hindsight")
    assert shown.startswith("[writer/hindsight@3]")
    assert 'arg: "héllo 中"' in shown
    assert "[picture:" not in shown
    assert "[picture: the screen before" in run(folder, "--preview", "1", "--writer", "openai:gpt-5-mini")
    with Library.open(Path(folder)) as library:
        assert library.demo("demo_0000000001").steps == before.steps


def test_a_step_that_is_not_there_is_named(folder: str) -> None:
    with pytest.raises(BadInputError, match="has 3 steps, so there is no step 4"):
        run(folder, "--preview", "4")


def test_a_broken_prompt_stops_before_anything_is_asked(folder: str, tmp_path: Path) -> None:
    own = tmp_path / "prompts" / "writer" / "thought.toml"
    own.parent.mkdir(parents=True)
    own.write_text("id = 1", encoding="utf-8")
    with pytest.raises(BadInputError, match=r"thought\.toml"):
        run(folder, "--preview", "1")


@pytest.mark.parametrize(
    ("name", "kept"),
    [("model", True), ("openai:gpt-5", True), ("ollama:qwen2.5vl:7b", False), ("my-own", False)],
)
def test_an_address_is_used_for_its_own_service_only(name: str, kept: bool) -> None:
    own: dict[str, Any] = {"model": "openai:gpt-5-mini", "base_url": "https://proxy.example/v1", "key": "PROXY"}
    chosen = settings_for(name, LanguageSettings(**own, input_price=1, budget=2))
    assert (chosen.base_url, chosen.key) == (("https://proxy.example/v1", "PROXY") if kept else ("", ""))
    assert chosen.budget == 2
    assert chosen.input_price == (1 if kept else -1)
    assert chosen.model == ("openai:gpt-5-mini" if name == "model" else name)


def test_who_is_shown_pictures() -> None:
    assert not writer_sees("template", LanguageSettings())
    assert writer_sees("model", LanguageSettings(model="openai:gpt-5-mini"))
    assert not writer_sees("openai:gpt-oss-20b", LanguageSettings())
    with pytest.raises(BadInputError):
        writer_sees("model", LanguageSettings())
