"""Exports for TRL: its trainer takes a real step on them, with a model that is built here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.pack.writer import export_pack
from demopack.store import Library
from tests.support.demos import DemoBuilder, demo_head
from tests.support.exports import export, make_pack
from tests.support.pictures import noise_image
from tests.support.tiny_llava import tiny_llava

trl = pytest.importorskip("trl", reason="TRL is not installed")
datasets = pytest.importorskip("datasets", reason="the loaders of data sets are not installed")
tqdm = pytest.importorskip("tqdm", reason="part of the loaders")


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("pack"), sample=False)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the trainers' own warnings are theirs
@pytest.mark.parametrize(("name", "unit"), [("trl", "step"), ("trl-messages", "step"), ("trl-messages", "episode")])
def test_a_trainer_takes_a_real_step_and_learns_the_answers_alone(
    name: str, unit: str, pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``trl-messages`` with what its log says TRL needs."""
    monkeypatch.setattr(tqdm.tqdm, "monitor_interval", 0)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    log = export(pack, name, tmp_path / "out", unit=unit)
    rows: Any = datasets.load_dataset("imagefolder", data_dir=str(tmp_path / "out"), split="train")
    assert log.rows_in == 3
    assert len(rows) == (3 if unit == "step" else 1)
    assert any("assistant_only_loss=True" in note for note in log.notes) is (name == "trl-messages")
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
        assistant_only_loss=name == "trl-messages",
    )
    trainer = trl.SFTTrainer(model=model, args=config, train_dataset=rows, processing_class=processor)
    learnt = [number for number in trainer.data_collator([rows[0]])["labels"][0].tolist() if number != -100]
    turns = rows[0].get("completion") or [turn for turn in rows[0]["messages"] if turn["role"] == "assistant"]
    answers = "".join(f"{turn['content'][0]['text']}</s>" for turn in turns)
    assert processor.tokenizer.decode(learnt).removeprefix("<|assistant|>") == answers
    result = trainer.train()
    assert result.global_step == 1
    assert result.training_loss > 0
    after = model.state_dict()
    changed = {key for key, value in before.items() if not value.equal(after[key])}
    # The picture counts: its numbers learned, too.
    assert any("vision" in key or "projector" in key for key in changed)
    assert any("language" in key for key in changed)


@pytest.mark.parametrize("name", ["trl", "trl-messages"])
@pytest.mark.filterwarnings("ignore")  # the trainers' own warnings are theirs
def test_a_word_on_the_screen_is_no_picture_to_the_processor(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLaVA and its kin write ``<image>`` for each picture, and count them in the whole text."""
    monkeypatch.setattr(tqdm.tqdm, "monitor_interval", 0)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    collators = pytest.importorskip("trl.trainer.sft_trainer", reason="part of TRL")
    with Library.open(tmp_path / "library") as library:
        b = DemoBuilder(library=library, demo_id="demo_words")
        frame = b.frame(noise_image(64, 48, seed=3))
        b.parse(
            frame, [Element(uid="e", frame=frame.id, type="text", box=Rect(1, 1, 9, 9), text="<image>", source="ocr")]
        )
        b.step("type", frame, None, parameters={"text_to_type": "<image> <video>"}, thought="An <image> it is.")
        b.step("finish_goal", frame, None)
        export_pack(library, [b.store(demo_head("demo_words", task="Say <image>"))], tmp_path / "pack")
    log = export(tmp_path / "pack", name, tmp_path / "out", unit="step")
    row = datasets.load_dataset("imagefolder", data_dir=str(tmp_path / "out"), split="train")[0]
    _, processor = tiny_llava(tmp_path / "model")
    batch = collators.DataCollatorForVisionLanguageModeling(processor)([row])
    assert batch["pixel_values"].shape[0] == 1
    said = (row.get("completion") or row["messages"])[-1]["content"][0]["text"]
    assert json.loads(said)["action"]["parameters"] == {"text_to_type": "< image> < video>"}
    assert [item.code for item in log.lost] == ["placeholder"]
