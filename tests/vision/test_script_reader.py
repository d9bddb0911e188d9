from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Size
from demopack.jobs import JobControl
from demopack.resources import assets_root
from demopack.settings import VisionSettings
from models.registry import model_names, open_model
from models.vision.box_reader import BoxReader
from models.vision.finder import WorkerFinder, open_finder
from models.vision.reading.ocr import OcrReader
from models.vision.reading.script_reader import open_script_reader
from models.vision.reading.tesseract import find_tesseract

pytestmark = pytest.mark.slow

# Debian's fonts-dejavu-core and tesseract-ocr-{ell,heb} are among what scripts/bootstrap.sh installs.
DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
needs_font = pytest.mark.skipif(not DEJAVU.exists(), reason="needs the fonts DejaVu")

GREEK = ("Αποθήκευση αρχείου", "Άνοιγμα φακέλου", "Μέγεθος γραμμάτων", "Τέλος εργασίας")
HEBREW = ("שמירת הקובץ", "פתיחת תיקייה", "גודל האותיות", "סיום העבודה")
CYRILLIC = ("Сохранить файл", "Открыть папку", "Размер шрифта", "Конец работы")
LATIN = (
    "Save file",
    "Open the folder",
    "Größe der Schrift",
    "Menu",
    "OK",
    "100 %",
    "12:40",
    "Copy",
    "README.md",
    "v2.1",
)


def drawn(lines: tuple[str, ...], *, dark: bool = False, px: int = 14) -> RgbImage:
    ground, letters = ((40, 42, 46), (235, 235, 235)) if dark else ((246, 245, 244), (20, 20, 20))
    image = Image.new("RGB", (420, 30 + 34 * len(lines)), ground)
    draw, font = ImageDraw.Draw(image), ImageFont.truetype(DEJAVU, px, layout_engine=ImageFont.Layout.BASIC)
    for i, text in enumerate(lines):
        # Hebrew letters stand one by one: drawn from the left, the last one is the first.
        shown = text[::-1] if "\u05d0" <= text[0] <= "\u05ea" else text
        draw.text((30, 30 + 34 * i), shown, font=font, fill=letters, anchor="lm")
    return np.asarray(image, dtype=np.uint8)


def find(finder: WorkerFinder, image: RgbImage) -> list[str | None]:
    frame = Frame(id=frame_id(image), width=image.shape[1], height=image.shape[0])
    found = finder.find(image, frame, control=JobControl())
    return [one.text for one in sorted(found, key=lambda one: one.box.y1)]


@pytest.fixture(scope="module")
def finder() -> Iterator[WorkerFinder]:
    with open_finder(VisionSettings(detector="", describer="")) as opened:
        yield opened


@needs_font
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("lines", "script"), [(GREEK, "greek"), (HEBREW, "hebrew"), (CYRILLIC, "cyrillic")])
def test_text_is_read_in_the_order_of_its_script_where_that_can_be_read(
    finder: WorkerFinder, lines: tuple[str, ...], script: str, dark: bool
) -> None:
    install = find_tesseract("tesseract")
    if install is None or script not in install.readable:
        pytest.skip(f"needs Tesseract's model of {script}")
    assert find(finder, drawn(lines, dark=dark)) == list(lines)


@needs_font
def test_one_screen_mixes_scripts(finder: WorkerFinder) -> None:
    install = find_tesseract("tesseract")
    if install is None or not {"greek", "hebrew"} <= set(install.readable):
        pytest.skip("needs Tesseract's models of Greek and Hebrew")
    lines = (GREEK[0], "Save file", HEBREW[0], "Open the folder")
    assert find(finder, drawn(lines)) == list(lines)


@needs_font
@pytest.mark.parametrize("lines", [GREEK, HEBREW, CYRILLIC])
def test_without_a_reader_nothing_is_invented_and_the_lines_are_there(lines: tuple[str, ...]) -> None:
    with open_finder(VisionSettings(detector="", describer="", tesseract="")) as finder:
        assert find(finder, drawn(lines)) == [None] * len(lines)


@needs_font
@pytest.mark.parametrize("px", [11, 14, 20])
@pytest.mark.parametrize("dark", [False, True])
def test_latin_text_is_read_as_if_there_were_no_other_scripts(px: int, dark: bool) -> None:
    image = drawn(LATIN, px=px, dark=dark)
    ocr, scripts = OcrReader(threads=1), open_script_reader("", threads=1)
    assert scripts is not None
    boxes = ocr.boxes(image, image.mean(axis=2), None, _size(image))
    plain = ocr.read(image, boxes)
    assert [(one.text, one.confidence, one.script) for one in scripts.read(image, boxes, plain)] == [
        (text, sure, None) for text, sure in plain
    ]


@needs_font
def test_the_text_of_one_box_is_read_in_its_script() -> None:
    install = find_tesseract("tesseract")
    if install is None or "greek" not in install.readable:
        pytest.skip("needs Tesseract's model of Greek")
    options = {"threads": 1, "min_confidence": 0.5, "icons": "", "tesseract": "tesseract"}
    assert BoxReader(options).read(drawn(GREEK[:1])) == GREEK[0]
    assert BoxReader({**options, "tesseract": ""}).read(drawn(GREEK[:1])) == ""


def test_what_reads_other_scripts_is_part_of_the_name_of_what_was_found() -> None:
    card = open_model(assets_root() / "weights" / "scripts", kind="scripts").card
    without = model_names(VisionSettings(tesseract=""))
    assert f"{card.id}-{card.digest}" in without
    if find_tesseract("tesseract") is not None:
        assert model_names(VisionSettings()) != without


def _size(image: RgbImage) -> Size:
    return Size(image.shape[1], image.shape[0])
