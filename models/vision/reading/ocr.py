"""Reads the text on a screenshot with rapidocr: found by its detector, cut by ours, read by its recogniser.

The only module that touches rapidocr. Its models lie in its wheel and are named by path, so that nothing is ever
downloaded. Runs in the worker process.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.errors import ModelError
from demopack.pixels.colours import Gray, border_background
from models.vision.reading.text_lines import TEXT_MARGIN_PX, content_region, split_line
from models.vision.weights import library_needed, without_telemetry

HEIGHT: Final = 48
"""Rows the recogniser looks at."""
_MIN_CONTRAST: Final = 40
_MIN_ROWS: Final = 8
"""A lower crop has no air that could be told from its letters."""


def without_neighbours(crop: RgbImage) -> RgbImage:
    """A crop without the foreground of the lines above and below that reaches into its air.

    The foot of a letter above an ``e`` makes it an ``ē``.

    Args:
        crop: shape (height, width, 3), uint8, with ``TEXT_MARGIN_PX`` rows above and below its letters.
    """
    if crop.shape[0] < _MIN_ROWS:
        return crop
    brightness = crop.mean(axis=2)
    distance = np.abs(brightness - border_background(brightness))
    foreground = distance > _MIN_CONTRAST
    foreign = np.zeros_like(foreground)
    foreign[:TEXT_MARGIN_PX] = _ending(foreground)
    foreign[-TEXT_MARGIN_PX:] |= _ending(foreground[::-1])
    if not foreign.any():
        return crop
    background = crop.reshape(-1, 3)[int(distance.argmin())]
    return np.where(foreign[:, :, None], background, crop).astype(np.uint8)


def _ending(foreground: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Columns of the first ``TEXT_MARGIN_PX`` rows with foreground that does not go on below them."""
    below = foreground[TEXT_MARGIN_PX].copy()
    below[1:] |= foreground[TEXT_MARGIN_PX][:-1]
    below[:-1] |= foreground[TEXT_MARGIN_PX][1:]
    ends: npt.NDArray[np.bool_] = foreground[:TEXT_MARGIN_PX].any(axis=0) & ~below
    return ends


def enlarged(crop: RgbImage) -> RgbImage:
    """A low crop at the recogniser's height, its strokes sharper than by the recogniser's own enlarging.

    Measured on 274 lines of MiniWoB++ pages: 0.934 instead of 0.923 are read exactly; elsewhere the same.
    """
    if crop.shape[0] >= HEIGHT:
        return crop
    cv2: Any = importlib.import_module("cv2")
    width = max(1, round(crop.shape[1] * HEIGHT / crop.shape[0]))
    large: RgbImage = cv2.resize(crop, (width, HEIGHT), interpolation=cv2.INTER_LANCZOS4)
    return large


_REMEMBERED = 20_000
"""Read crops that are kept; the lines of a demo's next frame are mostly those of the last one."""
_SMALL_SIDE_PX = 600
"""A picture with a shorter side than this many pixels is shown to the text detector at twice its size; a larger one
would cost too much, and its fonts are seldom as small."""
_MAX_PIXELS = 1_800_000
"""Of one band; more would cost gigabytes on a very large screen."""
_BAND_OVERLAP_PX = 96
"""Rows that two bands share: higher than any line."""
_SURE_CONFIDENCE, _HOPELESS_CONFIDENCE = 0.985, 0.6
"""A reading between is tried once more: a tenth of the lines."""
_LOW_LINE_PX = 15
"""Rows of a crop that both ways of enlarging read differently."""
_PROBE_PX = 320
"""Columns, at the recogniser's height, that tell whether there is text at all."""
_MAJOR = "3"
"""The version of rapidocr whose insides are known."""
_VERTICAL_RATIO = 2.5
"""A crop this much higher than wide holds text that is turned by 90 degrees."""
_LEAST_WIDTH_PX = 160
"""To which a short word is filled up. The recogniser's own 320 cost a quarter more time and read no better: of 2,151
lines of drawn screens, pages and programs 1,909 letter by letter, with 160 1,937."""


class OcrReader:
    """Where text is and what it says, at the picture's own scale."""

    def __init__(self, *, threads: int) -> None:
        """Load the models.

        Raises:
            ModelError: rapidocr or one of its models is missing.
        """
        self._engine = _engine(threads)
        self._threads = threads
        self._read: OrderedDict[bytes, tuple[str, float]] = OrderedDict()

    def boxes(self, image: RgbImage, gray: Gray, areas: Sequence[Rect] | None, screen: Size) -> list[Rect]:
        """Where there are lines of text: tight, one for each label, in no particular order.

        Args:
            image: shape (height, width, 3), uint8.
            gray: its brightness.
            areas: where to look; None for wherever the picture is not blank.
            screen: size of the whole screen, where the picture is a part of it.
        """
        if areas is None:
            # A lone word on a large blank screen escapes the detector, so it sees no blank margins.
            region = content_region(gray)
            areas = [] if region is None else [region]
        size = Size(image.shape[1], image.shape[0])
        boxes: dict[Rect, None] = {}
        for area in areas:
            for rough in self._rough(image, area.clamped(size), 1 if min(screen) >= _SMALL_SIDE_PX else 2):
                if rough.height > _VERTICAL_RATIO * rough.width:
                    boxes[rough] = None
                else:
                    boxes.update(dict.fromkeys(split_line(gray, rough)))
        return [box for box in boxes if box.width >= 3 and box.height >= 3]

    def _rough(self, image: RgbImage, area: Rect, scale: int) -> Iterator[Rect]:
        """What the text detector sees in one area, a band at a time where the area is large."""
        step = max(4 * _BAND_OVERLAP_PX, _MAX_PIXELS // max(1, area.width) // 32 * 32)
        top = area.y1
        while top < area.y2:
            bottom = min(area.y2, top + step)
            band = Rect(area.x1, top, area.x2, bottom)
            for rough in self._seen(image, band, scale):
                # A line on the edge between two bands is whole in the other one.
                cut_above = top > area.y1 and rough.y1 < top + 2
                cut_below = bottom < area.y2 and rough.y2 > bottom - 2
                if not cut_above and not cut_below:
                    yield rough
            top = bottom - _BAND_OVERLAP_PX if bottom < area.y2 else area.y2

    def _seen(self, image: RgbImage, band: Rect, scale: int) -> Iterator[Rect]:
        if band.width < 4 or band.height < 4:
            return
        detector = self._engine.text_det
        detector.limit_type, detector.limit_side_len = "min", max(32, scale * min(band.width, band.height))
        quads: Any = detector(_bgr(image[band.y1 : band.y2, band.x1 : band.x2])).boxes
        size = Size(image.shape[1], image.shape[0])
        for quad in () if quads is None else np.asarray(quads, dtype=np.float64):
            low, high = np.floor(quad.min(axis=0)), np.ceil(quad.max(axis=0))
            rough = Rect(int(low[0]), int(low[1]), max(int(low[0]), int(high[0])), max(int(low[1]), int(high[1])))
            yield rough.moved(band.x1, band.y1).clamped(size)

    def read(self, image: RgbImage, boxes: Sequence[Rect]) -> list[tuple[str, float]]:
        """What is written in each box, and how sure that is, 0..1; an empty text where nothing is."""
        crops = [_bgr(image[box.y1 : box.y2, box.x1 : box.x2]) for box in boxes]
        keys = [
            hashlib.blake2b(crop.tobytes(), digest_size=16, salt=crop.shape[1].to_bytes(4, "big")).digest()
            for crop in crops
        ]
        new = {
            key: crop
            for key, crop in zip(keys, crops, strict=True)
            if key not in self._read and min(crop.shape[:2]) >= 3
        }
        # The widest first, so that no thread is left with the longest one at the end.
        order = sorted(new, key=lambda key: -new[key].shape[1] / new[key].shape[0])
        with ThreadPoolExecutor(self._threads, thread_name_prefix="read") as pool:
            self._read.update(zip(order, pool.map(self._recognise, [new[key] for key in order]), strict=True))
        texts = [self._read.get(key, ("", 0.0)) for key in keys]
        for key in keys:
            if key in self._read:
                self._read.move_to_end(key)
        while len(self._read) > _REMEMBERED:
            self._read.popitem(last=False)
        return texts

    def _recognise(self, crop: RgbImage) -> tuple[str, float]:
        turned = [crop]
        if crop.shape[0] > _VERTICAL_RATIO * crop.shape[1]:
            # Upwards on a left-hand tab, downwards on a right-hand one: the surer reading is right.
            turned = [crop, np.ascontiguousarray(np.rot90(crop)), np.ascontiguousarray(np.rot90(crop, 3))]
        return max((self._surest(without_neighbours(one)) for one in turned), key=lambda reading: reading[1])

    def _surest(self, crop: RgbImage) -> tuple[str, float]:
        """The reading of a crop that was enlarged by us, or where that is in doubt and surer so, by the recogniser."""
        large = enlarged(crop)
        if large.shape[1] > 3 * _PROBE_PX:
            # Rulers, ticks and seams look like long lines, and long lines cost most: a piece tells.
            middle = (large.shape[1] - _PROBE_PX) // 2
            piece = self._reading(np.ascontiguousarray(large[:, middle : middle + _PROBE_PX]))
            if piece[1] < _HOPELESS_CONFIDENCE or not any(letter.isalnum() for letter in piece[0]):
                return piece
        text, sure = self._reading(large)
        if sure >= _SURE_CONFIDENCE or sure < _HOPELESS_CONFIDENCE or crop.shape[0] > _LOW_LINE_PX:
            return text, sure
        return max((text, sure), self._reading(crop), key=lambda one: one[1])

    def _reading(self, crop: RgbImage) -> tuple[str, float]:
        # One crop a call: in a batch each is padded to the widest, and the reading would depend on its neighbours.
        # Batches of equal widths read the same as single crops, but save less than a tenth of the time.
        # The parts of rapidocr's own call: what it makes of their result takes as long as reading a short word does.
        reader = self._engine.text_rec
        _, height, _ = reader.rec_image_shape
        pixels = reader.resize_norm_img(crop, max(_LEAST_WIDTH_PX / height, crop.shape[1] / crop.shape[0]))
        ((text, sure),), _ = reader.postprocess_op(reader.session(pixels[None]))
        return str(text).strip(), min(1.0, float(sure))


def _bgr(image: RgbImage) -> RgbImage:
    return np.ascontiguousarray(image[:, :, ::-1])


def _engine(threads: int) -> Any:  # noqa: ANN401 - rapidocr is untyped
    without_telemetry()
    with library_needed("rapidocr", task="Reading text", extra="ocr"):
        import rapidocr
    version = importlib.metadata.version("rapidocr")
    if version.split(".")[0] != _MAJOR:
        # Below, settings inside of it are changed that no other version promises to have.
        raise ModelError(
            f"Reading text needs rapidocr {_MAJOR}; {version} is installed, which demopack does not know.",
            hint=f"In the checkout: uv sync --extra ocr, or pip install 'rapidocr<{int(_MAJOR) + 1}'.",
        )
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
    engine: Any = rapidocr.RapidOCR(params=options)  # its parts are typed as if they might be missing
    # Both models now: a damaged file is told when the worker starts, not in the middle of a screen.
    blank = np.full((64, 64, 3), 255, dtype=np.uint8)
    engine(blank, use_det=True, use_rec=False, use_cls=False)
    # Plain lists: made of its configuration anew for each picture, they take milliseconds.
    engine.text_det.mean, engine.text_det.std = list(engine.text_det.mean), list(engine.text_det.std)
    # Lines are short: several at once, each on one thread, take half the time of one after the other on all threads.
    # The threads share this recogniser: it is loaded here and writes nothing of its own while it reads.
    engine.cfg.EngineConfig.onnxruntime.intra_op_num_threads = 1
    engine.recognize_txt([blank])
    return engine


def _model(folder: Path, task: str) -> str:
    files = sorted(folder.glob(f"*_{task}_*.onnx"))
    if not files:
        raise ModelError(
            f"rapidocr's own model for {task} is missing from {folder}.",
            hint="Install rapidocr again; its wheel holds the models.",
        )
    return str(files[-1])
