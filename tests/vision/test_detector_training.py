from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demopack.errors import BadInputError, CancelledError, ModelError
from demopack.jobs import CancelToken, JobControl, Progress
from demopack.settings import VisionSettings
from models.registry import open_model
from models.training.detector.network import ARCHITECTURE, WEIGHTS_FILE, rebuilt
from models.training.detector.training import train_detector
from models.training.options import DetectorTraining
from models.training.progress import PROGRESS_FILE, TrainingProgress, read_progress
from models.vision.detector import CLASSES, open_detector
from tests.support.drawn_screens import draw_set

pytestmark = pytest.mark.slow

TINY: dict[str, Any] = {
    "crops": {64: 0.5, 128: 0.5}, "batch": 4, "epoch_steps": 2, "val_screens": 2, "threads": 1, "save_s": 1000.0,
    "warmup_steps": 2, "seed": 3,
}  # fmt: skip
SIX = DetectorTraining(steps=6, **TINY)


class KilledError(BaseException):
    """Stands for the end of the process: nothing of ours catches it."""


@pytest.fixture(scope="module")
def screens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return draw_set(tmp_path_factory.mktemp("set"), train=6, val=2)


@pytest.fixture(scope="module")
def whole(screens: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("run") / "whole"
    assert train_detector([screens], run, options=SIX) == run / "model"
    return run


def told(run: Path) -> list[TrainingProgress]:
    """What was reported, the clock aside."""
    return [one.model_copy(update={"seconds": 0.0}) for one in read_progress(run / PROGRESS_FILE)]


def test_the_result_is_a_model_with_a_card(whole: Path) -> None:
    model = open_model(whole / "model", kind="detector")
    card = model.card
    assert set(card.files) == {"detector.onnx", "detector.safetensors"}
    assert card.classes == CLASSES
    assert {(one.source, one.side, one.screens) for one in card.lineage} >= {("qt", "train", 3), ("miniwob", "val", 1)}
    assert card.training["steps"] == 6
    assert "val/figure" in card.metrics
    assert str(whole) not in card.model_dump_json()


def test_the_result_runs(whole: Path) -> None:
    detector = open_detector(VisionSettings(detector=str(whole / "model"), confidence=0.0001), threads=1)
    found = detector.detect(np.full((50, 70, 3), 200, dtype=np.uint8))
    assert all(one.source == "detector" and one.box.x2 <= 70 and one.box.y2 <= 50 for one in found)


def test_progress_is_told_and_kept(whole: Path) -> None:
    reports = told(whole)
    assert [(one.epoch, one.epochs, one.step, one.steps) for one in reports] == [
        (1, 3, 2, 6),
        (2, 3, 4, 6),
        (3, 3, 6, 6),
    ]
    assert all({"box_loss", "cls_loss"} <= set(one.losses) for one in reports)
    assert all({"figure", "f1", "ap50/qt", "type/miniwob"} <= set(one.metrics) for one in reports)
    best = json.loads((whole / "best.json").read_text(encoding="utf-8"))
    assert best["metrics"]["val/figure"] == max(one.metrics["figure"] for one in reports)


def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(screens: Path, whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "killed"

    def kill(progress: TrainingProgress) -> None:
        if progress.step == 4:  # after it was reported, before its checkpoint
            raise KilledError

    with pytest.raises(KilledError):
        train_detector([screens], run, options=SIX, on_progress=kill)
    assert not (run / "model").exists()
    train_detector([screens], run, options=SIX)
    assert told(run) == told(whole)
    assert (run / "best.safetensors").read_bytes() == (whole / "best.safetensors").read_bytes()
    assert (run / "model" / "detector.onnx").read_bytes() == (whole / "model" / "detector.onnx").read_bytes()


def test_a_cancelled_run_keeps_every_step(screens: Path, whole: Path, tmp_path: Path) -> None:
    run, token, seen = tmp_path / "cancelled", CancelToken(), list[Progress]()

    def stop(progress: TrainingProgress) -> None:
        if progress.step == 2:
            token.cancel()

    with pytest.raises(CancelledError):
        train_detector(
            [screens], run, options=SIX, control=JobControl(token=token, report=seen.append), on_progress=stop
        )
    assert [(one.done, one.total) for one in seen] == [(2, 6)]
    resumed = list[int]()
    train_detector([screens], run, options=SIX, on_progress=lambda progress: resumed.append(progress.step))
    assert resumed == [4, 6]
    assert (run / "best.safetensors").read_bytes() == (whole / "best.safetensors").read_bytes()


def test_a_run_that_does_not_get_better_stops(screens: Path, tmp_path: Path) -> None:
    options = DetectorTraining(steps=100, patience=1, **{**TINY, "epoch_steps": 1})
    train_detector([screens], tmp_path, options=options)
    reports = told(tmp_path)
    figures = [one.metrics["figure"] for one in reports]
    assert len(reports) < 100
    assert figures[-1] <= max(figures[:-1])


def test_training_goes_on_from_a_model_of_ours(screens: Path, whole: Path, tmp_path: Path) -> None:
    # A rate of nearly nothing: what comes out is what it began with.
    options = DetectorTraining(steps=1, start_from=whole / "model", learning_rate=1e-12, **{**TINY, "epoch_steps": 1})
    run = tmp_path / "further"
    train_detector([screens], run, options=options)
    card = open_model(run / "model").card
    assert card.based_on == "detector"
    image = np.full((64, 64, 3), 90, dtype=np.uint8)
    settings = [VisionSettings(detector=str(folder / "model"), confidence=0.00001) for folder in (whole, run)]
    before, after = (open_detector(one, threads=1).detect(image) for one in settings)
    assert before
    assert before[0].confidence == pytest.approx(after[0].confidence, rel=0.05)


def test_a_model_is_never_worse_than_the_one_it_began_with(screens: Path, whole: Path, tmp_path: Path) -> None:
    options = DetectorTraining(steps=2, start_from=whole / "model", learning_rate=1.0, **{**TINY, "epoch_steps": 1})
    train_detector([screens], tmp_path, options=options)
    reports = told(tmp_path)
    assert [one.step for one in reports] == [0, 1, 2]
    begun = reports[0].metrics["figure"]
    assert begun == pytest.approx(open_model(whole / "model").card.metrics["val/figure"], abs=0.01)
    assert max(one.metrics["figure"] for one in reports[1:]) <= begun, "these steps are far too large"
    card = open_model(tmp_path / "model").card
    assert (card.training["step"], card.metrics["val/figure"]) == (0, begun)


def test_what_is_kept_is_part_of_the_way_back_to_what_it_began_with(whole: Path, tmp_path: Path) -> None:
    import torch

    # Without screens to judge on, the last weights are the ones that are kept.
    unjudged = draw_set(tmp_path / "set", train=6, val=0)
    begun = _tensors(whole / "model" / WEIGHTS_FILE)
    kept: list[dict[str, Any]] = []
    for share in (0.0, 0.5):
        options = DetectorTraining(steps=3, start_from=whole / "model", kept_of_start=share, learning_rate=0.01, **TINY)
        run = tmp_path / f"kept {share}"
        train_detector([unjudged], run, options=options)
        kept.append(_tensors(run / "model" / WEIGHTS_FILE))
        checkpoint = torch.load(run / "checkpoint.pt", weights_only=True)["average"]
        reached = {name: value for name, value in checkpoint.items() if value.is_floating_point()}
        for name, value in reached.items():
            expected = value + share * (begun[name] - value)
            assert torch.allclose(kept[-1][name], expected, rtol=2e-3, atol=2e-3), name
    assert any(not torch.equal(kept[0][name], kept[1][name]) for name in begun)


def _tensors(file: Path) -> dict[str, Any]:
    safetensors: Any = importlib.import_module("safetensors.torch")
    return {name: value.float() for name, value in safetensors.load_file(file).items() if value.is_floating_point()}


def test_a_model_of_one_class_says_nothing_about_types(tmp_path: Path) -> None:
    screens = draw_set(tmp_path / "set", train=3, val=0)  # and nothing to stop it by: the last weights are the best
    options = DetectorTraining(steps=1, typed=False, **TINY)
    train_detector([screens], tmp_path, options=options)
    assert open_model(tmp_path / "model").card.classes == ("element",)
    detector = open_detector(VisionSettings(detector=str(tmp_path / "model"), confidence=0.0), threads=1)
    assert {(one.type, one.subtype) for one in detector.detect(np.zeros((64, 64, 3), dtype=np.uint8))} == {
        ("other", None)
    }


def test_gains_weigh_the_parts_of_the_loss(screens: Path, whole: Path, tmp_path: Path) -> None:
    options = DetectorTraining(steps=2, gains={"box": 0.0, "dfl": 3.0}, **TINY)
    train_detector([screens], tmp_path, options=options)
    (first, *_), (usual, *_) = told(tmp_path), told(whole)
    assert first.losses["box_loss"] == 0.0
    assert first.losses["dfl_loss"] > 1.5 * usual.losses["dfl_loss"]
    assert open_model(tmp_path / "model").card.training["gains"] == '{"box": 0.0, "dfl": 3.0}'


def test_another_recipe_needs_another_folder(screens: Path, whole: Path) -> None:
    with pytest.raises(BadInputError, match="seed 3 instead of 4"):
        train_detector([screens], whole, options=SIX.model_copy(update={"seed": 4}))


def test_nothing_to_learn_from_and_wrong_models_are_named(screens: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(BadInputError, match="no screens to learn from"):
        train_detector([empty], tmp_path / "a", options=SIX)
    with pytest.raises(ModelError, match=r"nothing\.yaml"):
        train_detector([screens], tmp_path / "b", options=SIX.model_copy(update={"model": "nothing.yaml"}))
    with pytest.raises(ModelError, match="no-such-model"):
        train_detector([screens], tmp_path / "c", options=SIX.model_copy(update={"start_from": Path("no-such-model")}))


def test_a_structure_that_this_ultralytics_does_not_know_is_named(whole: Path) -> None:
    model = open_model(whole / "model")
    later = str(model.card.options[ARCHITECTURE]).replace('"Conv"', '"ConvOfNextYear"')
    card = model.card.model_copy(update={"options": {**model.card.options, ARCHITECTURE: later}})
    with pytest.raises(ModelError, match=f"detector {card.id} cannot be built") as caught:
        rebuilt(card, model.file(WEIGHTS_FILE).read_bytes())
    assert "ultralytics" in caught.value.hint


def test_a_damaged_checkpoint_is_named(screens: Path, whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "damaged"
    run.mkdir()
    (run / "checkpoint.pt").write_bytes((whole / "checkpoint.pt").read_bytes()[:1000])
    with pytest.raises(ModelError, match=r"checkpoint\.pt"):
        train_detector([screens], run, options=SIX)


@pytest.mark.parametrize(("same", "judged_at"), [(True, 2), (False, 4)])
def test_figures_on_other_screens_are_not_compared(same: bool, judged_at: int, screens: Path, tmp_path: Path) -> None:
    import torch

    run = tmp_path / "run"
    train_detector([screens], run, options=SIX.model_copy(update={"steps": 2}))
    content = torch.load(run / "checkpoint.pt", weights_only=False)
    content["place"]["best"] = 2.0  # no screens can tell better
    torch.save(content, run / "checkpoint.pt")
    sets = [screens] if same else [draw_set(tmp_path / "more", train=4, val=2)]
    train_detector(sets, run, options=SIX.model_copy(update={"steps": 4}))
    assert json.loads((run / "best.json").read_text(encoding="utf-8"))["training"]["step"] == judged_at
