from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from demopack.errors import BadInputError, CancelledError, DiskFullError, ModelError
from demopack.jobs import CancelToken, JobControl
from models.registry import open_model
from models.training.describer.network import DescriberLearner
from models.training.describer.training import train_describer
from models.training.options import ModelSize
from models.training.progress import PROGRESS_FILE, TrainingProgress, read_progress
from tests.support.drawn_screens import draw_set
from tests.support.tiny_describers import TINY, After, train_tiny

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def screens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return draw_set(tmp_path_factory.mktemp("screens"), train=8, val=3)


@pytest.fixture(scope="module")
def whole(screens: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was never interrupted."""
    run = tmp_path_factory.mktemp("whole")
    train_tiny(screens, run)
    return run


def checkpoint(run: Path) -> dict[str, Any]:
    import torch

    loaded: dict[str, Any] = torch.load(run / "checkpoint.pt", weights_only=True)
    return loaded


def same_weights(a: Path, b: Path) -> bool:
    import torch

    left, right = checkpoint(a), checkpoint(b)
    return all(torch.equal(left[part][name], right[part][name]) for part in ("model", "average") for name in left[part])


def test_a_training_makes_a_model_with_a_card(whole: Path) -> None:
    model = open_model(whole / "model", kind="describer")
    assert model.card.options["patches"] == 16
    assert model.card.options["reads_text"] is False
    assert {entry.side for entry in model.card.lineage} == {"train", "val"}
    assert {"val_loss", "val_type", "val_nothing"} <= set(model.card.metrics)
    assert model.card.training["step"] == 6
    assert set(model.card.files) == {
        "model.safetensors", "config.json", "vocabulary.json", "encoder.onnx", "decoder.onnx",
    }  # fmt: skip
    reports = list(read_progress(whole / PROGRESS_FILE))
    assert reports[-1].step == 6
    assert reports[-1].metrics["loss"] == model.card.metrics["val_loss"]


def test_it_learns(screens: Path, tmp_path: Path) -> None:
    reports: list[TrainingProgress] = []
    options = TINY.model_copy(update={"steps": 25, "batch": 12, "validate_s": 1e-9, "text_weight": 0.0, "patience": 0})
    train_describer([screens], tmp_path, options=options, on_progress=reports.append)
    losses = [report.metrics["loss"] for report in reports]
    assert losses[-1] < 0.7 * losses[0]
    assert len(losses) == 25


def test_stopped_and_continued_is_the_same_as_never_stopped(screens: Path, whole: Path, tmp_path: Path) -> None:
    train_tiny(screens, tmp_path, token=After(3))
    assert checkpoint(tmp_path)["place"]["step"] == 3
    train_tiny(screens, tmp_path)
    assert checkpoint(tmp_path)["place"]["step"] == 6
    assert same_weights(tmp_path, whole)


def test_a_stop_before_the_first_validation_keeps_what_was_learned_even_where_that_fails(
    screens: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: DescriberLearner) -> None:
        raise DiskFullError("The disk is full.")

    monkeypatch.setattr(DescriberLearner, "validate", fail)
    with pytest.raises(DiskFullError):
        train_tiny(screens, tmp_path, token=After(3), save_s=1e6)
    assert checkpoint(tmp_path)["place"]["step"] == 3


def test_what_a_killed_training_leaves_on_disk_goes_on_alike(screens: Path, whole: Path, tmp_path: Path) -> None:
    run, killed = tmp_path / "run", tmp_path / "killed"
    # Between two steps nothing but the disk's content survives a kill.
    train_tiny(screens, run, token=After(4, lambda: shutil.copytree(run, killed)))
    assert not (killed / "model").exists()
    (killed / "progress.jsonl").write_text('{"epoch": 1, "epo', encoding="utf-8")
    train_tiny(screens, killed)
    assert same_weights(killed, whole)


def test_a_finished_training_called_again_gives_the_same_model(screens: Path, whole: Path) -> None:
    before = open_model(whole / "model").card.digest
    train_tiny(screens, whole)
    assert open_model(whole / "model").card.digest == before


def test_a_training_can_begin_with_another_model(screens: Path, whole: Path, tmp_path: Path) -> None:
    small = ModelSize(patches=16, width=16, hidden=32, heads=2)
    folder = train_tiny(screens, tmp_path, steps=1, learning_rate=1e-12, start_from=whole, size=small)
    first, second = open_model(whole / "model"), open_model(folder)
    assert second.card.based_on == f"{first.card.id}-{first.card.digest}"
    assert second.card.metrics["val_loss"] == pytest.approx(first.card.metrics["val_loss"], abs=2e-3)
    assert second.card.options["width"] == 32


def test_a_user_who_stops_at_once_has_no_model(screens: Path, tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        train_describer([screens], tmp_path, options=TINY, control=JobControl(token=token))


def test_it_ends_early_when_nothing_improves(screens: Path, tmp_path: Path) -> None:
    train_tiny(screens, tmp_path, steps=50, validate_s=1e-9, patience=3, learning_rate=1e-12, smoothing=0.0)
    assert checkpoint(tmp_path)["place"]["step"] < 50


def test_another_network_does_not_go_on(screens: Path, whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "run")
    with pytest.raises(BadInputError, match="begun with size"):
        train_tiny(screens, tmp_path / "run", size=ModelSize(patches=16, width=16, hidden=32, heads=2))


def test_a_damaged_checkpoint_is_named(screens: Path, whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(whole, run)
    (run / "checkpoint.pt").write_bytes((run / "checkpoint.pt").read_bytes()[:1000])
    with pytest.raises(ModelError, match=r"checkpoint\.pt is damaged"):
        train_tiny(screens, run)


@pytest.mark.parametrize(("same", "judged_at"), [(True, 2), (False, 4)])
def test_losses_on_other_screens_are_not_compared(same: bool, judged_at: int, screens: Path, tmp_path: Path) -> None:
    import torch

    run = tmp_path / "run"
    train_tiny(screens, run, steps=2)
    content = torch.load(run / "checkpoint.pt", weights_only=True)
    content["place"]["best"] = 1.0  # no screens can tell better
    torch.save(content, run / "checkpoint.pt")
    train_tiny(screens if same else draw_set(tmp_path / "more", train=7, val=5), run, steps=4)
    assert json.loads((run / "best.json").read_text(encoding="utf-8"))["training"]["step"] == judged_at
