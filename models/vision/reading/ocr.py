"""Reads the text on a screenshot with rapidocr: found by its detector, cut by ours, read by its recogniser.

The only module that touches rapidocr. Its models lie in its wheel and are named by path, so that nothing is ever
downloaded. Runs in the worker process.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.errors import ModelError
from models.vision.found import Found
from models.vision.reading.lines import content_region, split_line, to_gray

__all__ = ["OcrReader"]

_REMEMBERED = 20_000
"""Read crops that are kept; the lines of a demo's next frame are mostly those of the last one."""
_VERTICAL = 2.5
"""A crop this much higher than wide holds text that is turned by 90 degrees."""


class OcrReader:
    """Lines of text with boxes, at the picture's own scale.

    Attributes:
        min_confidence: lines read with less are dropped, 0..1.
    """

    def __init__(self, *, threads: int, min_confidence: float) -> None:
        self.min_confidence = min_confidence
        self._engine = _engine(threads)
        self._read: OrderedDict[bytes, tuple[str, float]] = OrderedDict()

    def boxes(self, image: RgbImage) -> list[Rect]:
        """Where there are lines of text: tight, one for each label, in no particular order."""
        gray = to_gray(image)
        region = content_region(gray)
        if region is None:
            return []
        # A lone word on a large blank screen escapes the detector, so it sees no blank margins.
        part = _bgr(image[region.y1 : region.y2, region.x1 : region.x2])
        quads: Any = self._engine(part, use_det=True, use_rec=False, use_cls=False).boxes
        if quads is None:
            return []
        size = Size(image.shape[1], image.shape[0])
        boxes: dict[Rect, None] = {}
        for quad in np.asarray(quads, dtype=np.float64):
            low, high = np.floor(quad.min(axis=0)), np.ceil(quad.max(axis=0))
            rough = Rect(int(low[0]), int(low[1]), int(high[0]), int(high[1]))
            rough = rough.moved(region.x1, region.y1).clamped(size)
            if rough.height > _VERTICAL * rough.width:
                boxes[rough] = None
            else:
                boxes.update(dict.fromkeys(split_line(gray, rough)))
        return [box for box in boxes if box.width >= 3 and box.height >= 3]

    def read(self, image: RgbImage, boxes: Sequence[Rect]) -> list[Found]:
        """What is written in each box; boxes without legible text are left out."""
        bgr = _bgr(image)
        lines: list[Found] = []
        for box in boxes:
            text, score = self._text(np.ascontiguousarray(bgr[box.y1 : box.y2, box.x1 : box.x2]))
            if text and score >= self.min_confidence:
                lines.append(Found(type="text", box=box, source="ocr", confidence=min(1.0, score), text=text))
        return lines

    def _text(self, crop: RgbImage) -> tuple[str, float]:
        """The text on a crop, blue-green-red, and how sure the recogniser is."""
        key = hashlib.blake2b(crop.tobytes(), digest_size=16, salt=crop.shape[1].to_bytes(4, "big")).digest()
        known = self._read.get(key)
        if known is None:
            known = self._recognise(crop)
            self._read[key] = known
            if len(self._read) > _REMEMBERED:
                self._read.popitem(last=False)
        else:
            self._read.move_to_end(key)
        return known

    def _recognise(self, crop: RgbImage) -> tuple[str, float]:
        turned = [crop]
        if crop.shape[0] > _VERTICAL * crop.shape[1]:
            # Upwards on a left-hand tab, downwards on a right-hand one: the surer reading is right.
            turned = [crop, np.ascontiguousarray(np.rot90(crop)), np.ascontiguousarray(np.rot90(crop, 3))]
        # One crop a call: in a batch each is padded to the widest, and the reading would depend on its neighbours.
        results = [self._engine.recognize_txt([one]) for one in turned]
        readings = [(str(r.txts[0]).strip(), float(r.scores[0])) for r in results]
        return max(readings, key=lambda reading: reading[1])


def _bgr(image: RgbImage) -> RgbImage:
    return np.ascontiguousarray(image[:, :, ::-1])


def _engine(threads: int) -> Any:  # noqa: ANN401 - rapidocr is untyped
    try:
        import rapidocr
    except ImportError as error:
        raise ModelError(
            "Reading text needs rapidocr, which is not installed.",
            details=str(error),
            hint="In the checkout: uv sync --extra ocr, or pip install '.[ocr]'.",
        ) from error
    folder = Path(str(rapidocr.__file__)).parent / "models"
    options = {
        "Global.log_level": "critical",
        "Global.use_cls": False,
        # The default scales pictures wider than 2000 px down; small text would be lost.
        "Global.max_side_len": 100_000,
        "EngineConfig.onnxruntime.intra_op_num_threads": threads,
        "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        "Det.model_path": _model(folder, "det"),
        "Rec.model_path": _model(folder, "rec"),
        # The default pads every crop to 320 px; labels are shorter, and this halves the time.
        "Rec.rec_img_shape": [3, 48, 96],
        "Rec.rec_batch_num": 1,
    }
    return rapidocr.RapidOCR(params=options)


def _model(folder: Path, task: str) -> str:
    files = sorted(folder.glob(f"*_{task}_*.onnx"))
    if not files:
        raise ModelError(
            f"rapidocr's own model for {task} is missing from {folder}.",
            hint="Install rapidocr again; its wheel holds the models.",
        )
    return str(files[-1])
