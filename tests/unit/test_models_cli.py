from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from demopack.errors import BadInputError, ModelError
from demopack.settings import load_settings
from demopack_cli.models import command
from demopack_cli.train import command as train
from models.registry import ModelCard, ModelKind, add_model, write_model
from models.training.options import DetectorTraining
from tests.support.drawn_screens import draw_set


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMOPACK_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("DEMOPACK_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setattr("demopack.resources.assets_root", lambda: tmp_path / "assets")
    monkeypatch.setattr("models.registry.assets_root", lambda: tmp_path / "assets")
    # The weights here are no weights; tests/vision/test_model_trial.py tries real ones.
    monkeypatch.setattr("models.vision.finder.try_model", lambda model: model)


def given(tmp_path: Path, name: str, *, kind: ModelKind = "detector", f1: float = 0.5) -> Path:
    weights = tmp_path / f"{name}.onnx"
    weights.write_bytes(name.encode() * 1000)
    card = ModelCard(id=name, kind=kind, created="2026-01-02", files={}, metrics={"f1": f1})
    folder = tmp_path / "made" / name
    add_model(write_model(folder, card, [weights]))
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), catch_exceptions=True)


def test_an_empty_registry_says_how_to_fill_it() -> None:
    assert "demopack train detector" in run("list").output


def test_the_list_marks_what_is_in_use(tmp_path: Path) -> None:
    given(tmp_path, "office", f1=0.875)
    given(tmp_path, "words", kind="describer")
    assert run("use", "office").output == "detector: office\n"
    lines = run("list").output.splitlines()
    assert lines[0].startswith("* detector   office")
    assert "f1 0.88" in lines[0]
    assert lines[1].startswith("  describer  words")
    assert load_settings().vision.detector == "office"
    assert load_settings().vision.describer == "shipped"


def test_none_switches_both_off(tmp_path: Path) -> None:
    run("use", "none")
    assert (load_settings().vision.detector, load_settings().vision.describer) == ("", "")


def test_an_unknown_model_is_not_used() -> None:
    result = run("use", "nix")
    assert isinstance(result.exception, ModelError)
    assert load_settings().vision.detector == "shipped"


def test_two_models_are_compared_figure_by_figure(tmp_path: Path) -> None:
    given(tmp_path, "old", f1=0.5)
    given(tmp_path, "new", f1=0.75)
    assert "+0.250" in run("compare", "old", "new").output
    both = json.loads(run("compare", "old", "new", "--json").output)
    assert [one["id"] for one in both[0].values()] == ["old", "new"]


def test_models_of_different_kinds_are_not_compared(tmp_path: Path) -> None:
    given(tmp_path, "eyes")
    given(tmp_path, "words", kind="describer")
    assert isinstance(run("compare", "eyes", "words").exception, BadInputError)


def test_removing_what_is_in_use_goes_back_to_the_shipped_one(tmp_path: Path) -> None:
    given(tmp_path, "office")
    run("use", "office")
    assert run("remove", "office").output == "Removed the detector office.\n"
    assert load_settings().vision.detector == "shipped"
    assert isinstance(run("remove", "office").exception, BadInputError)
    assert isinstance(run("remove", "shipped").exception, BadInputError)


def test_a_folder_is_added_under_another_name_and_shown(tmp_path: Path) -> None:
    folder = given(tmp_path, "office")
    assert run("add", str(folder), "--name", "mine").output == "detector: mine\n"
    assert "mine (detector), 2026-01-02, AGPL-3.0-or-later" in run("show", "mine").output
    assert json.loads(run("show", "mine", "--json").output)["metrics"] == {"f1": 0.5}


def test_a_taken_name_is_refused_before_training(tmp_path: Path) -> None:
    given(tmp_path, "office")
    result = CliRunner().invoke(train, ["detector", "--from", str(tmp_path), "--name", "office"])
    assert isinstance(result.exception, BadInputError)
    assert "office already" in str(result.exception)


def test_the_detectors_recipe_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[DetectorTraining] = []

    def only_asked(sets: list[Path], run: Path, *, options: DetectorTraining, **_: object) -> Path:
        asked.append(options)
        raise BadInputError(f"{run} and {sets} are only asked for.")

    monkeypatch.setattr("models.training.detector.training.train_detector", only_asked)
    known = SimpleNamespace(folder=tmp_path / "shipped")
    monkeypatch.setattr("models.registry.resolve", lambda _kind, _name: known)
    screens = draw_set(tmp_path / "set", train=1, val=0)
    common = ["detector", "--from", str(screens), "--run", str(tmp_path / "run")]
    larger = ["--model", "yolo11m.yaml", "--boxes-only", "--gain", "box", "0.9", "--gain", "cls", "0.05"]
    for more in (["--start-from", "scratch"], larger, ["--start-from", "yolo11x.pt"], ["--start-from", "shipped"]):
        CliRunner().invoke(train, [*common, *more])
    plain, chosen, further, ours = asked
    assert (plain.typed, plain.gains, plain.model) == (True, {}, "yolo11n.yaml")
    assert (chosen.typed, chosen.gains, chosen.model) == (False, {"box": 0.9, "cls": 0.05}, "yolo11m.yaml")
    assert chosen.start_from is None
    assert further.start_from == Path("yolo11x.pt")
    assert plain.learning_rate == chosen.learning_rate == further.learning_rate
    assert ours.learning_rate < plain.learning_rate / 2, "what it knows of other screens is worth keeping"


def test_training_on_nothing_names_the_folder(tmp_path: Path) -> None:
    result = CliRunner().invoke(train, ["describer", "--from", str(tmp_path / "empty"), "--run", str(tmp_path / "run")])
    assert isinstance(result.exception, BadInputError)
    assert str(tmp_path / "empty") in str(result.exception)
