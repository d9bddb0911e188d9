# /// script
# requires-python = ">=3.11"
# dependencies = ["pycocotools>=2.0.8", "numpy>=1.26"]
# ///
"""``coco`` in pycocotools: every box of the pack with its type, and what is judged by itself is perfect."""

from __future__ import annotations

import contextlib
import io

from told import Told


def main() -> None:
    """Boxes picture by picture."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    told = Told.of("pycocotools", ("pycocotools",))
    with contextlib.redirect_stdout(io.StringIO()):
        read = COCO(str(told.folder / "annotations" / "instances.json"))
    frames = {frame["file"].replace("/", "--"): frame for frame in told.frames if frame["parsed"]}
    images = read.loadImgs(read.getImgIds())
    told.count(len(images), len(frames), of=len(told.frames))
    names = {one["id"]: one["name"] for one in read.loadCats(read.getCatIds())}
    for image in images:
        what = image["file_name"]
        frame = frames[what.rpartition("/")[2]]
        told.true(f"{what} is there", holds=(told.folder / "images" / what).is_file())
        told.same(f"{what}: its size", [image["width"], image["height"]], frame["size"])
        found = read.loadAnns(read.getAnnIds(imgIds=[image["id"]]))
        told.same(f"{what}: boxes", len(found), len(frame["boxes"]))
        for one, known in zip(found, frame["boxes"], strict=False):
            x, y, width, height = one["bbox"]
            told.same(f"{what}: type", names[one["category_id"]], known["type"])
            told.place(f"{what}: box", (x, y, x + width, y + height), known["box"], within=0.01)
    rows = [{**one, "score": 1.0} for one in read.loadAnns(read.getAnnIds())]
    with contextlib.redirect_stdout(io.StringIO()):
        judge = COCOeval(read, read.loadRes(rows), "bbox")
        judge.params.maxDets = [1, 10, 1000]
        judge.evaluate()
        judge.accumulate()
    precision = judge.eval["precision"][:, :, :, 0, -1]
    told.same("the worst precision of itself", round(float(precision[precision > -1].min()), 6), 1.0)
    told.finish()


if __name__ == "__main__":
    main()
