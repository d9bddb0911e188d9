# /// script
# requires-python = ">=3.11"
# dependencies = ["datasets>=5.2", "pillow>=11"]
# ///
"""``grounding`` in datasets' image folder, and the messages beside it: each place is its element's, in three units."""

from __future__ import annotations

import re
from typing import Any

from told import Told


def main() -> None:
    """Rows of both files."""
    from datasets import load_dataset
    from PIL import Image

    told = Told.of("datasets (imagefolder)", ("datasets", "pillow"))
    rows = load_dataset("imagefolder", data_dir=str(told.folder / "train"), split="train")
    talks = load_dataset("json", data_files=str(told.folder / "train.jsonl"), split="train")
    known = {
        (frame["demo"], frame["file"], box["element_id"]): (frame, box)
        for frame in told.frames
        for box in frame["boxes"]
    }
    found = [row for row in rows if row["kind"] == "element"]
    told.count(len(found), told.log["rows_out"], of=len(known))
    told.same("talks", len(talks), len(rows))
    steps = {step["step"]: step for step in told.kept()}
    for row, talk in zip(rows, talks, strict=False):
        what = f"{row['demo']}, {row['instruction']}"
        (asked, answered), (picture,) = talk["messages"], talk["images"]
        frame, box = known[row["demo"], picture.partition("images/")[2], row["element_id"]]
        told.same(f"{what}: its type and text", (row["type"], row["text"]), (box["type"], box["text"] or ""))
        told.same(f"{what}: its size", (row["image"].width, row["image"].height), tuple(frame["size"]))
        places(told, what, row, frame["size"], box["box"])
        x, y = (int(number) for number in re.fullmatch(r"\((\d+),(\d+)\)", answered["content"]).groups())
        within = max(frame["size"]) / 1000
        told.place(f"{what}: answer", scaled((x, y), frame["size"], 1000), row["point"], within=within)
        told.true(f"{what}: one picture is asked about", holds=asked["content"].count("<image>") == 1)
        with Image.open(told.folder / picture) as image:
            told.same(f"{what}: the picture of the talk", image.tobytes(), row["image"].tobytes())
        if row["kind"] == "step":
            told.same(f"{what}: the step's target", box["box"], steps[row["step"]]["target_box"])
    told.finish()


def places(told: Told, what: str, row: dict[str, Any], size: list[int], box: list[int]) -> None:
    """Point and box in pixels, in fractions and on 0 to 1000."""
    within = max(size) / 1000
    told.place(f"{what}: box", row["box"], box, within=0)
    told.place(f"{what}: box of fractions", scaled(row["box_fraction"], size, 1), box, within=0.01)
    told.place(f"{what}: box of thousandths", scaled(row["box_1000"], size, 1000), box, within=within)
    x, y = row["point"]
    told.true(f"{what}: the point lies in the box", holds=box[0] <= x < box[2] and box[1] <= y < box[3])
    told.place(f"{what}: point", (x, y), ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), within=1)
    told.place(f"{what}: point of fractions", scaled(row["point_fraction"], size, 1), (x, y), within=0.01)
    told.place(f"{what}: point of thousandths", scaled(row["point_1000"], size, 1000), (x, y), within=within)


def scaled(values: Any, size: list[int], full: int) -> list[float]:  # noqa: ANN401 - some sequence of numbers
    """Pixels of x, y, x, y …"""
    return [value / full * size[index % 2] for index, value in enumerate(values)]


if __name__ == "__main__":
    main()
