# /// script
# requires-python = ">=3.11"
# # Its torchaudio is built for the CUDA of these.
# dependencies = ["llamafactory>=0.9.4", "torch>=2.9,<2.15", "torchvision>=0.21", "pillow>=11"]
# ///
"""``sharegpt`` in LLaMA-Factory: its ``get_dataset`` with our ``dataset_info.json``, its template and its labels."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from told import ROOT, Told, loaded, spaced


def main() -> None:
    """What a training would learn of every row."""
    from llamafactory.data import get_dataset, get_template_and_fix_tokenizer
    from llamafactory.hparams import get_train_args
    from PIL import Image

    told = Told.of("LLaMA-Factory", ("llamafactory", "datasets", "transformers", "torch"))
    with tempfile.TemporaryDirectory() as folder:
        _, processor = loaded(ROOT / "tests" / "support" / "tiny_llava.py").tiny_llava(Path(folder) / "model")
        model_args, data_args, training_args, *_ = get_train_args(
            {
                "stage": "sft", "do_train": True, "model_name_or_path": f"{folder}/model", "template": "llava",
                "dataset": "demos", "dataset_dir": str(told.folder), "media_dir": str(told.folder),
                "cutoff_len": 1 << 16, "output_dir": f"{folder}/out", "overwrite_cache": True, "report_to": "none",
                "bf16": False, "remove_unused_columns": False,
            }
        )  # fmt: skip
        tokenizer = processor.tokenizer
        parts = {"tokenizer": tokenizer, "processor": processor}
        template = get_template_and_fix_tokenizer(tokenizer, data_args)
        rows = get_dataset(template, model_args, data_args, training_args, stage="sft", **parts)["train_dataset"]
        steps = told.kept()
        told.count(len(rows), len(steps))
        for row, step in zip(rows, steps, strict=False):
            what = f"step {step['step']}"
            learnt = _text(tokenizer, [number for number in row["labels"] if number >= 0]).removesuffix("</s>")
            told.response(what, json.loads(learnt), step, spaced=True)
            told.true(f"{what}: its task is asked", holds=spaced(step["task"]) in _text(tokenizer, row["input_ids"]))
            told.same(f"{what}: pictures", len(row["images"]), 1)
            with Image.open(row["images"][0]) as image:
                told.picture(what, image, step)
    told.finish()


def _text(tokenizer: Any, numbers: list[int]) -> str:  # noqa: ANN401 - of transformers
    return str(tokenizer.decode(numbers, clean_up_tokenization_spaces=False))


if __name__ == "__main__":
    main()
