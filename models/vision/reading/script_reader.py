"""Reads what is not written in Latin or Chinese: tells such lines by their pixels, and has them read by who knows them.

rapidocr knows neither Cyrillic nor Korean, and reads what it does not know as what it does: letters that nobody wrote.
A line in a script that nothing on this machine reads has no text.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.errors import ModelError
from models.vision.reading.script_classifier import USUAL, Floats, ScriptClassifier, open_script_classifier
from models.vision.reading.tesseract import SCRIPTS, Reading, Script, Tesseract, find_tesseract
from models.vision.reading.text_lines import EDGE_STEP, TEXT_MARGIN_PX


class ScriptReading(NamedTuple):
    """What a line says.

    Attributes:
        text: empty where nothing could be read.
        confidence: 0..1; of an empty text, how surely the line is written in another script.
        script: which one, or ``other``; None for what rapidocr read.
    """

    text: str
    confidence: float
    script: str | None = None


_ONLY_LATIN: Final = frozenset("dfghjlqszDFGJLQRSUVW")
"""Letters whose shapes neither Cyrillic nor Greek have; seldom ones are left out of account."""
_LIKE_LATIN: Final = ("cyrillic", "greek")
"""Scripts of which whole words can be read as Latin ones."""
_CLEAR_CONFIDENCE: Final = 0.9
_MAX_LETTER_HEIGHTS: Final = 0.8
"""Of the letters' height: the widest that one letter of a whole line is on average; where rapidocr leaves out what it
does not know, the rest would be wider."""
_SURE_AT: Final = 0.85
_MIN_WIDTH_HEIGHTS: Final = 1.2
"""Of a line's height: what is less wide tells nothing about the other lines."""
_PRIOR_LINES: Final = 0.3
"""Lines of each script that every screen is thought to have beside those that are seen."""
_SURE_READING_FACTOR: Final = 0.2
_MAIN_RATIO, _BESIDE_MAIN_FACTOR = 5, 0.1
"""Of a screen with so many times more lines in a script that looks like Latin, that is the one; a word of letters that
both have is rather in it, too."""
_MIN_CONFIDENCE: Final = 0.3
"""Least confidence of what is read in another script; below, it is no text."""
_MAX_HEIGHT_RATIO: Final = 1.2
"""A crop this much higher than wide holds an icon, or turned text."""
_MIN_HEIGHT_PX: Final = 8
_FULL_ROW_SHARE, _MIN_ROWS_SHARE = 0.2, 0.22
"""Of the edges in the fullest row, and of the rows of a crop that have so many: .31 at least of lines of all scripts,
.17 at most of dashed borders."""
_REMEMBERED: Final = 20_000


class ScriptReader:
    """Goes over what rapidocr read."""

    def __init__(self, classifier: ScriptClassifier, tesseract: Tesseract | None) -> None:
        """Use these.

        Args:
            classifier: tells the scripts.
            tesseract: reads them; None where it is not installed: such lines have no text then.
        """
        self._classifier = classifier
        self._tesseract = tesseract
        classes = classifier.classes
        self._usual = [classes.index(name) for name in USUAL]
        self._others = [place for place, name in enumerate(classes) if name not in USUAL]
        self._unlike = [n + 1 for n, place in enumerate(self._others) if classes[place] not in _LIKE_LATIN]
        self._like = [n + 1 for n, place in enumerate(self._others) if classes[place] in _LIKE_LATIN]
        self._names = [None, *(classes[place] for place in self._others)]
        self._read: OrderedDict[bytes, Reading] = OrderedDict()

    def read(self, image: RgbImage, boxes: Sequence[Rect], readings: Sequence[Reading]) -> list[ScriptReading]:
        """The readings, those of lines in another script replaced.

        Args:
            image: shape (height, width, 3), uint8.
            boxes: of the lines, with ``TEXT_MARGIN_PX``.
            readings: what rapidocr read in each.
        """
        found = [ScriptReading(text, sure) for text, sure in readings]
        open_lines = [i for i, box in enumerate(boxes) if _is_line(box) and not is_clear(*readings[i], box)]
        cut = {i: image[boxes[i].y1 : boxes[i].y2, boxes[i].x1 : boxes[i].x2] for i in open_lines}
        asked = [i for i in open_lines if _has_letter_rows(cut[i])]
        if not asked:
            return found
        crops = [cut[i] for i in asked]
        shares = self._shares(self._classifier.likely(crops))
        # Whole words that rapidocr is sure of are in letters that look like Latin ones, if they are not Latin.
        whole = [n for n, i in enumerate(asked) if is_whole(*readings[i], boxes[i])]
        shares[whole, 0] += shares[np.ix_(whole, self._unlike)].sum(axis=1)
        shares[np.ix_(whole, self._unlike)] = 0
        wide = np.array([boxes[i].width >= _MIN_WIDTH_HEIGHTS * boxes[i].height for i in asked])
        # A sure reading of few letters, as on a button, is one of look-alikes only where other lines are.
        surely = [n for n, i in enumerate(asked) if readings[i][0] and readings[i][1] >= _CLEAR_CONFIDENCE]
        shares[np.ix_(surely, self._like)] *= _SURE_READING_FACTOR
        clear = set(range(len(boxes))) - set(open_lines)
        letters = sum(any(map(str.isalpha, readings[i][0])) for i in clear)
        shares = settle(shares, wide=wide, clear=letters, like=self._like)
        places = [int(place) for place in shares.argmax(axis=1)]
        for script in SCRIPTS:
            mine = [n for n, place in enumerate(places) if self._names[place] == script]
            if mine:
                read = self._read_in(script, [crops[n] for n in mine])
                for n, (text, sure) in zip(mine, read, strict=True):
                    if text and sure >= _MIN_CONFIDENCE:
                        found[asked[n]] = ScriptReading(text, sure, script)
                    else:
                        found[asked[n]] = ScriptReading("", float(shares[n, places[n]]), script)
        for n, place in enumerate(places):
            if place and self._names[place] not in SCRIPTS:
                found[asked[n]] = ScriptReading("", float(shares[n, place]), self._names[place])
        return found

    def _shares(self, likely: Floats) -> Floats:
        """How likely each line is what rapidocr reads, and each other script; shape (n, 1 + others)."""
        usual = likely[:, self._usual].sum(axis=1, keepdims=True)
        return np.concatenate((usual, likely[:, self._others]), axis=1)

    def _read_in(self, script: Script, crops: Sequence[RgbImage]) -> list[Reading]:
        if self._tesseract is None or not self._tesseract.can_read(script):
            return [("", 0.0)] * len(crops)
        keys = [_key(crop, script) for crop in crops]
        new = {key: crop for key, crop in zip(keys, crops, strict=True) if key not in self._read}
        readings = self._tesseract.read(list(new.values()), script)
        known = {key: self._read[key] for key in keys if key in self._read}
        known.update(zip(new, readings, strict=True))
        if self._tesseract.can_read(script):
            # Nothing is kept of a program that has just failed.
            self._read.update(known)
        while len(self._read) > _REMEMBERED:
            self._read.popitem(last=False)
        return [known[key] for key in keys]


def is_whole(text: str, sure: float, box: Rect) -> bool:
    """Whether rapidocr is sure of a reading, and it has letters enough: what is unknown to it is left out."""
    units = len("".join(text.split())) + 0.6 * _chinese_in(text) + 0.5 * text.count(" ")
    letters, height = box.width - 2 * TEXT_MARGIN_PX, max(1, box.height - 2 * TEXT_MARGIN_PX)
    return bool(text) and sure >= _CLEAR_CONFIDENCE and letters <= _MAX_LETTER_HEIGHTS * height * units


def is_clear(text: str, sure: float, box: Rect) -> bool:
    """Whether a reading of rapidocr cannot be one of another script: sure, whole, and of letters that only it has."""
    if not is_whole(text, sure, box):
        return False
    plain, chinese = "".join(text.split()), _chinese_in(text)
    told = sum(letter in _ONLY_LATIN for letter in plain) + 2 * chinese
    return 4 * told >= len(plain) or not any(map(str.isalpha, plain))


def _chinese_in(text: str) -> int:
    return sum("\u3040" <= letter <= "\u30ff" or "\u4e00" <= letter <= "\u9fff" for letter in text)


def settle(shares: Floats, *, wide: np.typing.NDArray[np.bool_], clear: int, like: Sequence[int] = (1,)) -> Floats:
    """How likely each column is for each line; what a short line leaves open is decided by the others of the screen.

    Args:
        shares: shape (n, columns): how likely each column is, by the pixels of the line alone. The first one stands for
            what rapidocr reads.
        wide: shape (n,): lines that tell something about others.
        clear: lines that are clearly of the first column and not among these.
        like: columns of scripts that have letters in common with the first one.
    """
    counts = np.full(shares.shape[1], _PRIOR_LINES)
    counts[0] += clear
    best = shares.argmax(axis=1)
    # A word that looks Latin by itself is what the others decide about.
    for place in best[wide & (best > 0) & (shares.max(axis=1) >= _SURE_AT)]:
        counts[place] += 1
    if max(counts[place] for place in like) >= _MAIN_RATIO * counts[0]:
        counts[0] *= _BESIDE_MAIN_FACTOR
    settled: Floats = shares * counts.astype(np.float32)
    settled /= settled.sum(axis=1, keepdims=True)
    return settled


def _is_line(box: Rect) -> bool:
    return box.height >= _MIN_HEIGHT_PX and box.height <= _MAX_HEIGHT_RATIO * box.width


def _has_letter_rows(crop: RgbImage) -> bool:
    """Whether edges of letters lie in rows enough: a dashed border has them in one or two."""
    edges = (np.abs(np.diff(crop.mean(axis=2), axis=1)) > EDGE_STEP).sum(axis=1)
    most = int(edges.max(initial=0))
    return most > 0 and bool((edges >= _FULL_ROW_SHARE * most).mean() >= _MIN_ROWS_SHARE)


def _key(crop: RgbImage, script: str) -> bytes:
    salt = crop.shape[1].to_bytes(4, "big")
    return hashlib.blake2b(script.encode() + crop.tobytes(), digest_size=16, salt=salt).digest()


def open_script_reader(program: str, *, threads: int) -> ScriptReader | None:
    """The reader with the program of a setting; None where no network came with demopack.

    Raises:
        ModelError: the network cannot be used. A program that does not work is left out: ``demopack doctor`` says so.
    """
    classifier = open_script_classifier()
    if classifier is None:
        return None
    try:
        install = find_tesseract(program)
    except ModelError:
        install = None
    return ScriptReader(classifier, None if install is None else Tesseract(install, threads=threads))
