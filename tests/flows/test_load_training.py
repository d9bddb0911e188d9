"""Exports for TRL: its trainer takes a real step on them, with a model that is built here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.exports import export, make_pack
from tests.support.tiny_llava import tiny_llava

trl = pytest.importorskip("trl", reason="TRL is not installed")
datasets = pytest.importorskip("datasets", reason="the loaders of data sets are not installed")
tqdm = pytest.importorskip("tqdm", reason="part of the loaders")


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("pack"), sample=False)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the trainers' own warnings are theirs
@pytest.mark.parametrize("name", ["trl", "trl-messages"])
def test_a_trainer_takes_a_real_step(name: str, pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tqdm.tqdm, "monitor_interval", 0)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    log = export(pack, name, tmp_path / "out", unit="step")
    rows: Any = datasets.load_dataset("imagefolder", data_dir=str(tmp_path / "out"), split="train")
    assert len(rows) == log.rows_in == 3
    model, processor = tiny_llava(tmp_path / "model")
    before = {key: value.detach().clone() for key, value in model.state_dict().items()}
    config = trl.SFTConfig(
        output_dir=str(tmp_path / "run"),
        max_steps=1,
        per_device_train_batch_size=3,
        learning_rate=1e-2,
        report_to=[],
        use_cpu=True,
        max_length=None,
        bf16=False,
        save_strategy="no",
    )
    trainer = trl.SFTTrainer(model=model, args=config, train_dataset=rows, processing_class=processor)
    result = trainer.train()
    assert result.global_step == 1
    assert result.training_loss > 0
    after = model.state_dict()
    changed = {key for key, value in before.items() if not value.equal(after[key])}
    # The picture counts: its numbers learned, too.
    assert any("vision" in key or "projector" in key for key in changed)
    assert any("language" in key for key in changed)
