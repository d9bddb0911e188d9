"""Text in seven other scripts: how much of it is read by a whole parse, and that nothing is invented where nobody can.

Twenty lines of each script stand on windows that Qt draws in two fonts, at 10 to 14 px, and as the rows of a list of
zenity in that language. Right are the letters of the lines, without spaces, less the edits that make what was read out
of them. Invented are letters read where the program that reads other scripts is switched off.

Run: python benchmarks/bench_scripts.py [--script NAME] [--keep DIR]
Needs tesseract-ocr, the packages that ``demopack doctor`` names, Xvfb, openbox, zenity, and the fonts of FONTS
(Debian: fonts-dejavu-core fonts-liberation fonts-noto-core fonts-noto-cjk fonts-ipafont-gothic fonts-nanum
fonts-lohit-deva).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import time
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import numpy as np
from measure import report
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Rect
from demopack.domain.text_likeness import edit_distance
from demopack.jobs import JobControl
from demopack.processes import end_process
from demopack.settings import VisionSettings
from models.vision.finder import WorkerFinder, open_finder
from recorder.desktop.private_display import PrivateDisplay

LINES: Final[dict[str, list[str]]] = json.loads(
    Path(__file__).with_name("script_lines.json").read_text(encoding="utf-8")
)
FONTS: Final = {
    "Cyrillic": ("DejaVu Sans", "Liberation Sans"),
    "Greek": ("DejaVu Sans", "Liberation Sans"),
    "Arabic": ("DejaVu Sans", "Noto Sans Arabic"),
    "Hebrew": ("DejaVu Sans", "Noto Sans Hebrew"),
    "Japanese": ("Noto Sans CJK JP", "IPAGothic"),
    "Korean": ("Noto Sans CJK KR", "NanumGothic"),
    "Devanagari": ("Noto Sans Devanagari", "Lohit Devanagari"),
}
"""Of each pair the network that tells scripts apart has seen the first one, and never the second."""
LANGUAGES: Final = dict(zip(LINES, ("ru", "el", "ar", "he", "ja", "ko", "hi"), strict=True))
SIZES_PX: Final = (10, 11, 12, 13, 14)
_WIDTH, _HEIGHT = 640, 400
_SETTLED_S: Final = 0.7
_STARTED_S: Final = 15.0


_BUTTONS: Final = ("OK", "Cancel")
"""Words that some translations of zenity leave in English."""


class Shown(NamedTuple):
    """A screen with what is written on it, and where; no places where the program does not tell."""

    image: RgbImage
    lines: Sequence[str]
    boxes: Sequence[Rect]


def drawn(lines: Sequence[str], family: str, *, dark: bool) -> Shown:
    """A window of labels, drawn by Qt."""
    from PySide6.QtCore import QRect, Qt
    from PySide6.QtGui import QColor, QFont, QFontDatabase, QImage, QPainter

    if family not in QFontDatabase.families():
        raise SystemExit(f"The font {family} is not installed; see the first lines of this file.")
    ground, letters = ((40, 42, 46), (232, 232, 232)) if dark else ((246, 245, 244), (26, 26, 26))
    picture = QImage(_WIDTH, _HEIGHT, QImage.Format.Format_RGB32)
    picture.fill(QColor(*ground))
    painter = QPainter(picture)
    painter.setPen(QColor(*letters))
    boxes: list[Rect] = []
    for i, text in enumerate(lines):
        font = QFont(family)
        font.setPixelSize(SIZES_PX[i % len(SIZES_PX)])
        painter.setFont(font)
        place = QRect(24 + 310 * (i % 2), 14 + 37 * (i // 2), 290, 30)
        align = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(place, align, text)
        boxes.append(Rect(place.left(), place.top(), place.right(), place.bottom()))
    painter.end()
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(_HEIGHT, -1, 4)
    return Shown(np.ascontiguousarray(rows[:, :_WIDTH, 2::-1]), lines, boxes)


def shown_by_zenity(lines: Sequence[str], language: str) -> Shown:
    """The lines as rows of a list, in a program that speaks the language."""
    with PrivateDisplay(width=_WIDTH, height=760) as display:
        environment = {**display.environment(), "LANGUAGE": language, "LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "1"}
        command = ["zenity", "--list", "--width=600", "--height=740", "--text=", "--column=1", *lines]
        zenity = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        try:
            return Shown(_settled(display.name), lines, ())
        finally:
            end_process(zenity)


def _settled(display: str) -> RgbImage:
    """What is on a display once something is, and stays."""
    import mss

    with contextlib.closing(cast("Any", mss.MSS(display=display))) as grabber:
        last, since, began = None, time.monotonic(), time.monotonic()
        while time.monotonic() - began < _STARTED_S:
            shot = grabber.grab(grabber.monitors[0])
            pixels = np.frombuffer(shot.rgb, np.uint8).reshape(shot.height, shot.width, 3)
            if last is None or not np.array_equal(last, pixels):
                last, since = pixels, time.monotonic()
            elif time.monotonic() - since > _SETTLED_S and float(pixels.std()) > 5:
                return np.ascontiguousarray(pixels)
            time.sleep(0.05)
    raise SystemExit("zenity showed nothing.")


def letters(text: str) -> str:
    """What is compared: without spaces, and composed."""
    return "".join(unicodedata.normalize("NFC", text).split())


def found_on(finder: WorkerFinder, image: RgbImage) -> list[Element]:
    """The elements of a picture."""
    frame = Frame(id=frame_id(image), width=image.shape[1], height=image.shape[0])
    return finder.find(image, frame, control=JobControl())


def read_in(shown: Shown, elements: Sequence[Element]) -> list[str]:
    """What was read of each line: in its place, or of all texts the one that is most like it."""
    if shown.boxes:
        inside = [[one for one in elements if box.contains(one.box.center) and one.text] for box in shown.boxes]
        return [" ".join(one.text or "" for one in sorted(some, key=lambda one: one.box.x1)) for some in inside]
    texts = [one.text for one in elements if one.text] or [""]
    return [min(texts, key=lambda text: edit_distance(letters(line), letters(text))) for line in shown.lines]


def share_right(lines: Sequence[str], read: Sequence[str]) -> float:
    """Share of the letters of some lines that are right."""
    pairs = [(letters(line), letters(text)) for line, text in zip(lines, read, strict=True)]
    right = sum(max(0, len(line) - edit_distance(line, text)) for line, text in pairs)
    return right / sum(len(line) for line, _ in pairs)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--script", choices=list(LINES), help="only this one")
    parser.add_argument("--keep", type=Path, help="where the pictures and what was read are kept")
    given = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    app: Any = QGuiApplication.instance() or QGuiApplication(["bench"])
    assert app is not None
    rows: dict[str, tuple[float, str]] = {}
    with open_finder(VisionSettings()) as able, open_finder(VisionSettings(tesseract="")) as unable:
        for script in [given.script] if given.script else LINES:
            lines = LINES[script]
            screens = {
                f"{family}{' dark' if dark else ''}": drawn(lines, family, dark=dark)
                for family, dark in zip(FONTS[script], (False, True), strict=True)
            }
            screens["zenity"] = shown_by_zenity(lines, LANGUAGES[script])
            for name, shown in screens.items():
                began = time.monotonic()
                read = read_in(shown, found_on(able, shown.image))
                seconds = time.monotonic() - began
                rows[f"{script}, {name}: right"] = (share_right(lines, read), "")
                rows[f"{script}, {name}: parse"] = (seconds, "s")
                if script != "Japanese":  # rapidocr reads it
                    left = found_on(unable, shown.image)
                    rows[f"{script}, {name}: invented"] = (_invented(shown, left), "letters")
                if given.keep:
                    given.keep.mkdir(parents=True, exist_ok=True)
                    Image.fromarray(shown.image).save(given.keep / f"{script}-{name}.png")
                    told = "\n".join(f"{line}\t{text}" for line, text in zip(lines, read, strict=True))
                    (given.keep / f"{script}-{name}.tsv").write_text(told + "\n", encoding="utf-8")
    report("scripts", rows)


def _invented(shown: Shown, elements: Sequence[Element]) -> float:
    """Letters that were read where only other scripts stand; what stands in the lines in Latin does not count."""
    real = [set(line) for line in shown.lines] if shown.boxes else [set("".join((*shown.lines, *_BUTTONS)))]
    places = shown.boxes or [Rect(0, 0, shown.image.shape[1], shown.image.shape[0])]
    texts = [
        (one.text or "", there)
        for there, box in zip(real, places, strict=True)
        for one in elements
        if box.contains(one.box.center)
    ]
    return float(sum(letter.isalpha() and letter not in there for text, there in texts for letter in text))


if __name__ == "__main__":
    main()
