# /// script
# requires-python = ">=3.11"
# dependencies = ["trl>=1.16", "transformers>=5.18", "datasets>=5.2", "torch>=2.6", "torchvision>=0.21", "pillow>=11"]
# ///
"""``trl`` in TRL's SFTTrainer: what its collator would teach of every row, and real steps of a tiny model."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from told import ROOT, Told, loaded, spaced

_BATCH = 4


def main() -> None:
    """Every row, then two steps."""
    from datasets import load_dataset
    from trl import SFTConfig, SFTTrainer

    told = Told.of("TRL's SFTTrainer", ("trl", "transformers", "datasets", "torch"))
    rows = load_dataset("imagefolder", data_dir=str(told.folder), split="train")
    steps = told.kept()
    told.count(len(rows), len(steps))
    with tempfile.TemporaryDirectory() as folder:
        model, processor = loaded(ROOT / "tests" / "support" / "tiny_llava.py").tiny_llava(Path(folder) / "model")
        config = SFTConfig(
            output_dir=f"{folder}/run", max_steps=2, per_device_train_batch_size=_BATCH, learning_rate=1e-2,
            report_to=[], use_cpu=True, max_length=None, bf16=False, save_strategy="no",
        )  # fmt: skip
        trainer = SFTTrainer(model=model, args=config, train_dataset=rows, processing_class=processor)
        for row, step in zip(rows, steps, strict=False):
            what = f"step {step['step']}"
            batch = trainer.data_collator([row])
            learnt = _text(processor, batch["labels"][0]).removeprefix("<|assistant|>").removesuffix("</s>")
            told.response(what, json.loads(learnt), step, spaced=True)
            told.true(
                f"{what}: its task is asked", holds=spaced(step["task"]) in _text(processor, batch["input_ids"][0])
            )
            told.same(f"{what}: pictures", len(row["images"]), 1)
            told.picture(what, row["images"][0], step)
        before = {name: value.detach().clone() for name, value in model.state_dict().items()}
        result = trainer.train()
        told.same("steps of training", result.global_step, 2)
        told.true(f"a loss above 0, not {result.training_loss}", holds=result.training_loss > 0)
        changed = {name for name, value in before.items() if not value.equal(model.state_dict()[name])}
        told.true("the pictures' numbers learned", holds=any("vision" in n or "projector" in n for n in changed))
        told.true("the words' numbers learned", holds=any("language" in n for n in changed))
    told.finish()


def _text(processor: Any, numbers: Any) -> str:  # noqa: ANN401 - of transformers and torch
    tokens = [number for number in numbers.tolist() if number >= 0]
    return str(processor.tokenizer.decode(tokens, clean_up_tokenization_spaces=False))


if __name__ == "__main__":
    main()
