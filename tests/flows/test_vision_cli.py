from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from demopack.domain.geometry import Point, Rect
from demopack.errors import BadInputError, NotALibraryError
from demopack.store import Library
from demopack_cli.parse import command as parse
from demopack_cli.rationale import command as rationale
from models.vision import finder as finder_module
from models.vision.finder import WorkerFinder
from tests.support.small_demos import painted, record


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with one demo, settings of its own, and a worker that needs no model."""
    monkeypatch.setenv("DEMOPACK_SETTINGS", str(tmp_path / "settings.json"))
    echo = WorkerFinder("echo-1", builder="tests.support.echo_pipeline:build", options={})
    monkeypatch.setattr(finder_module, "open_finder", lambda _: echo)
    pictures = [painted(), painted(Rect(40, 40, 80, 60)), painted()]
    record(tmp_path, pictures, [Point(50, 50), Point(60, 60)], task="Press 240").close()
    return tmp_path / "library"


def run(command: object, *arguments: str) -> str:
    result = CliRunner().invoke(command, arguments, catch_exceptions=False, standalone_mode=False)  # type: ignore[arg-type]
    if result.exception is not None:
        raise result.exception
    return result.output


def test_parse_then_explain_in_words_and_in_json(folder: Path) -> None:
    library = ["--library", str(folder)]
    before = run(rationale, "last", *library)
    assert "2 rationales written" in before
    assert "elements were not yet looked for on 2 steps" in before
    said = run(parse, "last", *library)
    assert "2 elements on 2 screens; 2 steps have a target" in said
    assert "echo-1" in said
    (again,) = json.loads(run(parse, "last", "--json", *library))
    assert (again["frames"], again["skipped"], again["unbound"]) == (0, 2, [])
    assert "2 rationales written" in run(rationale, "last", "--overwrite", *library)
    (report,) = json.loads(run(rationale, "last", "--json", *library))
    assert (report["written"], report["kept"], report["human"]) == (0, 2, 0)
    with Library.open(folder) as opened:
        reasoning = [s.rationale and s.rationale.reasoning for s in opened.demo("demo_1").steps]
    assert reasoning[0] == "I click “240”, because the task asks for it by name."


def test_a_demo_that_is_not_there_stops_before_any_work(folder: Path) -> None:
    with pytest.raises(BadInputError, match="no demo 'nope'"):
        run(parse, "last", "nope", "--library", str(folder))
    with Library.open(folder) as opened:
        assert opened.demo("demo_1").parsed == frozenset()


def test_a_folder_without_a_library_is_refused(tmp_path: Path) -> None:
    for command in (parse, rationale):
        with pytest.raises(NotALibraryError):
            run(command, "last", "--library", str(tmp_path / "nothing"))
    assert not (tmp_path / "nothing").exists()
