# /// script
# requires-python = ">=3.11"
# dependencies = ["datasets>=5.2", "pillow>=11"]
# ///
"""``huggingface`` in Hugging Face's datasets of today: rows, pictures, answers, boxes, and the demos beside them."""

from __future__ import annotations

import json

from told import Told


def main() -> None:
    """Rows of both parts of the folder."""
    from datasets import load_dataset

    told = Told.of("datasets", ("datasets", "pyarrow"))
    rows = load_dataset(str(told.folder), "steps", split="train")
    steps = told.kept(pictured=False)
    told.count(len(rows), len(steps))
    for row, step in zip(rows, steps, strict=False):
        what = f"step {step['step']}"
        told.same(f"{what}: which", (row["demo"], row["step"], row["task"]), (step["demo"], step["step"], step["task"]))
        told.response(what, json.loads(row["response"]), step)
        if step["picture"] is None:
            told.same(f"{what}: no picture", row["image"], None)
        else:
            told.picture(what, row["image"], step)
        told.same(f"{what}: target_box", row["target_box"], step["target_box"])
    episodes = load_dataset(str(told.folder), "episodes", split="train")
    told.same("episodes", [row["demo"] for row in episodes], list(dict.fromkeys(step["demo"] for step in steps)))
    said = [json.loads(text) for row in episodes for text in row["responses"]]
    told.same("answers of the episodes", len(said), len(steps))
    for one, step in zip(said, steps, strict=False):
        told.response(f"step {step['step']} in its episode", one, step)
    told.finish()


if __name__ == "__main__":
    main()
