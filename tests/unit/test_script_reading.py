from __future__ import annotations

import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.errors import ModelError
from demopack_cli.checks import Check, other_scripts
from models.vision.detection import Detection
from models.vision.fusion import fuse, in_reading_order
from models.vision.reading import tesseract
from models.vision.reading.line_joining import join_words
from models.vision.reading.script_reader import ScriptReader, is_clear, settle
from models.vision.reading.tesseract import Tesseract, TesseractInstall, damaged_models, find_tesseract, parse_tsv
from models.vision.reading.text_reader import TextReader

CLASSES = ("latin", "chinese", "sign", "cyrillic", "greek", "arabic", "hebrew", "korean", "devanagari", "other")
SHALOM, OLAM = "\u05e9\u05dc\u05d5\u05dd", "\u05e2\u05d5\u05dc\u05dd"
NEW = "\u041d\u043e\u0432\u044b\u0439"


def line(width: int = 60, height: int = 16, *, shade: int = 0) -> RgbImage:
    """A line by its size alone."""
    image = np.full((height, width, 3), 255, dtype=np.uint8)
    image[4:-4, 4:-4:3] = shade
    return image


class Tells:
    """A classifier that knows the lines by their shade: a tenth of it is the class."""

    classes = CLASSES

    def likely(self, crops: Sequence[RgbImage]) -> npt.NDArray[np.float32]:
        rows = np.full((len(crops), len(CLASSES)), 0.001, dtype=np.float32)
        for row, crop in zip(rows, crops, strict=True):
            row[int(crop.min()) // 10] = 0.99
        return rows


class Reads:
    """What reads other scripts, and counts how often it is asked."""

    def __init__(self, text: str, sure: float = 0.9) -> None:
        self.answer, self.asked = (text, sure), 0

    def can_read(self, script: str) -> bool:
        return script == "cyrillic"

    def read(self, crops: Sequence[RgbImage], _script: str) -> list[tuple[str, float]]:
        self.asked += len(crops)
        return [self.answer] * len(crops)


def screen(*shades: int) -> tuple[RgbImage, list[Rect]]:
    image = np.full((40 * len(shades), 100, 3), 255, dtype=np.uint8)
    boxes = [Rect(10, 40 * i + 10, 70, 40 * i + 26) for i in range(len(shades))]
    for box, shade in zip(boxes, shades, strict=True):
        image[box.y1 : box.y2, box.x1 : box.x2] = line(shade=shade)
    return image, boxes


def reader(tells: Reads | None) -> ScriptReader:
    return ScriptReader(Tells(), tells)  # type: ignore[arg-type]


def test_a_line_in_another_script_is_read_by_who_knows_it_and_the_others_stay_as_they_are() -> None:
    image, boxes = screen(0, 30, 10)
    read = reader(Reads(NEW)).read(image, boxes, [("Save file", 0.99), ("HoBbIu", 0.7), ("\u6587\u4ef6\u5939", 0.99)])
    assert [(one.text, one.script) for one in read] == [
        ("Save file", None),
        (NEW, "cyrillic"),
        ("\u6587\u4ef6\u5939", None),
    ]


@pytest.mark.parametrize("tells", [None, Reads(NEW, 0.1)])
def test_without_one_who_knows_it_a_line_has_no_text_but_is_there(tells: Reads | None) -> None:
    image, boxes = screen(30, 40, 90)
    for one, script in zip(
        reader(tells).read(image, boxes, [("HoBbIu", 0.7)] * 3), ("cyrillic", "greek", "other"), strict=True
    ):
        assert (one.text, one.script, one.confidence > 0.9) == ("", script, True)


def test_whole_words_that_rapidocr_is_sure_of_are_in_no_script_that_looks_otherwise() -> None:
    image, boxes = screen(70, 80, 30)
    read = reader(None).read(image, boxes, [("MoMeHT", 0.97)] * 3)
    assert [(one.text, one.script) for one in read] == [("MoMeHT", None), ("MoMeHT", None), ("", "cyrillic")]


def test_a_latin_button_on_a_screen_in_another_script_stays_as_it_was_read() -> None:
    image, boxes = screen(*[80] * 9, 30)
    read = reader(None).read(image, boxes, [("", 0.0)] * 9 + [("OK", 0.99)])
    assert [one.script for one in read[:9]] == ["devanagari"] * 9

    class Unsure(Tells):
        def likely(self, crops: Sequence[RgbImage]) -> npt.NDArray[np.float32]:
            rows = super().likely(crops)
            rows[-1] = 0.005
            rows[-1, [0, 3]] = 0.4, 0.56
            return rows

    read = ScriptReader(Unsure(), None).read(image, boxes, [("", 0.0)] * 9 + [("OK", 0.99)])  # type: ignore[arg-type]
    assert read[-1][:2] == ("OK", 0.99)


def test_a_dashed_border_is_no_line_of_any_script() -> None:
    image, boxes = screen(50)
    image[:] = 255
    image[boxes[0].y2 - 4, boxes[0].x1 : boxes[0].x2 : 3] = 50
    tells = Reads(NEW)
    assert reader(tells).read(image, boxes, [("-----", 0.8)])[0] == ("-----", 0.8, None)


def test_a_line_that_was_read_before_is_not_read_again() -> None:
    tells = Reads(NEW)
    reads = reader(tells)
    image, boxes = screen(30, 31)
    for _ in range(2):
        assert [one.text for one in reads.read(image, boxes, [("", 0.0)] * 2)] == [NEW, NEW]
    assert tells.asked == 2


def test_a_screen_reader_keeps_the_place_of_what_cannot_be_read() -> None:
    class Ocr:
        def read(self, _image: RgbImage, _boxes: Sequence[Rect]) -> list[tuple[str, float]]:
            return [("Save file", 0.99), ("HoBbIu", 0.9)]

    image, boxes = screen(0, 30)
    lines = TextReader(Ocr(), min_confidence=0.5, scripts=reader(None)).lines(image, image.mean(axis=2), boxes)  # type: ignore[arg-type]
    assert [(one.text, one.type) for one in lines] == [("Save file", "text"), (None, "text")]
    button = Detection(type="button", box=boxes[1].grown(5), source="detector", confidence=0.9)
    (kept,) = (one for one in fuse(lines, [button]) if one.type == "button")
    assert kept.text is None


@pytest.mark.parametrize(
    ("text", "sure", "width", "clear"),
    [
        ("Save file", 0.99, 64, True),
        ("12:40", 0.99, 36, True),
        ("\u4fdd\u5b58\u6587\u4ef6", 0.99, 56, True),
        ("Save file", 0.7, 64, False),
        ("Tect", 0.99, 36, False),  # each of its letters is a Cyrillic one, too
        ("PDF", 0.99, 160, False),  # most of the line was left out
        ("12", 0.99, 120, False),
        ("", 0.99, 60, False),
    ],
)
def test_only_a_sure_and_whole_reading_in_letters_of_its_own_is_not_asked_about(
    text: str, sure: float, width: int, clear: bool
) -> None:
    assert is_clear(text, sure, Rect(0, 0, width, 16)) == clear


def settled(shares: npt.NDArray[np.float32], *, wide: npt.NDArray[np.bool_], clear: int) -> list[int]:
    return [int(place) for place in settle(shares, wide=wide, clear=clear).argmax(axis=1)]


def test_what_a_short_word_leaves_open_the_other_lines_decide() -> None:
    open_word = [0.6, 0.4]
    cyrillic = np.array([[0.02, 0.98]] * 5 + [open_word], dtype=np.float32)
    assert settled(cyrillic, wide=np.ones(6, dtype=np.bool_), clear=0)[-1] == 1
    alike = np.array([[0.02, 0.98]] * 8 + [[0.99, 0.01]], dtype=np.float32)
    assert settled(alike, wide=np.ones(9, dtype=np.bool_), clear=0)[-1] == 1, "all its letters look like Latin ones"
    assert settled(alike, wide=np.ones(9, dtype=np.bool_), clear=2)[-1] == 0, "on a screen with Latin words, too"
    assert settled(np.array([[0.4, 0.6]], dtype=np.float32), wide=np.zeros(1, dtype=np.bool_), clear=20) == [0]
    clear_line = np.array([[0.01, 0.98]], dtype=np.float32)
    assert settled(clear_line, wide=np.ones(1, dtype=np.bool_), clear=100) == [1], "one line among many others"


def test_pieces_of_a_hebrew_line_are_put_together_from_the_right() -> None:
    def piece(x1: int, text: str) -> Detection:
        return Detection(type="text", box=Rect(x1, 10, x1 + 34, 26), source="ocr", confidence=0.9, text=text)

    left, right = piece(10, OLAM), piece(46, SHALOM)
    gray = np.full((40, 120), 255.0)
    joined, _ = join_words(gray, [left, right], [])
    assert [one.text for one in joined] == [f"{SHALOM} {OLAM}"]
    assert [one.text for one in in_reading_order([left, right])] == [SHALOM, OLAM]
    latin = [piece(46, "world"), piece(10, "hello")]
    assert [one.text for one in in_reading_order(latin)] == ["hello", "world"]


ROW = "5\t{page}\t1\t1\t1\t{word}\t{left}\t0\t9\t9\t{sure}\t{text}\n"


def test_the_table_of_words_becomes_a_text_for_each_line() -> None:
    table = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    table += "1\t1\t0\t0\t0\t0\t0\t0\t9\t9\t-1\t\n" + ROW.format(
        page=1, word=1, left=0, sure=90, text=f"\u200f{SHALOM}\u200e"
    )
    table += ROW.format(page=1, word=2, left=0, sure=70, text=OLAM) + ROW.format(
        page=3, word=1, left=0, sure=50, text="ab"
    )
    table += ROW.format(page="x", word=1, left=0, sure=50, text="no") + ROW.format(
        page=9, word=1, left=0, sure=50, text="no"
    )
    assert parse_tsv(table, 3) == [(f"{SHALOM} {OLAM}", pytest.approx(0.8)), ("", 0.0), ("ab", pytest.approx(0.5))]


def test_words_of_a_line_from_the_right_are_in_the_order_in_which_they_are_read() -> None:
    # On the screen, from the left: 64 a.txt "two words" SHALOM, read by most letters as a Latin line.
    shown = [(0, "64"), (30, "a.txt"), (80, "two"), (110, "words"), (160, SHALOM)]
    table = "".join(ROW.format(page=1, word=i, left=left, sure=90, text=text) for i, (left, text) in enumerate(shown))
    ((text, _),) = parse_tsv(table, 1, leftwards=True)
    assert text == f"{SHALOM} a.txt two words 64"
    assert parse_tsv(table, 1)[0][0] == " ".join(text for _, text in shown)


def program(folder: Path, script: str) -> str:
    """A program that does what a shell script says."""
    path = folder / "tesseract"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


ANSWERS = """case "$1" in
--version) echo "tesseract 5.3.0";;
--list-langs) printf 'List of available languages in "/x/" (4):\\neng\\nell\\nrus\\nscript/Cyrillic\\n';;
*) {read};;
esac"""


def test_the_best_model_of_each_script_is_chosen(tmp_path: Path) -> None:
    found = find_tesseract(program(tmp_path, ANSWERS.format(read="true")))
    assert found is not None
    assert (found.version, found.readable) == ("5.3.0", {"cyrillic": "script/Cyrillic+eng", "greek": "ell+eng"})
    assert find_tesseract("") is None
    assert find_tesseract(str(tmp_path / "none")) is None


@pytest.mark.parametrize("script", ["exit 1", "echo something else", "kill -9 $$"])
def test_a_program_that_is_not_tesseract_is_told(tmp_path: Path, script: str) -> None:
    with pytest.raises(ModelError, match="does not work") as error:
        find_tesseract(program(tmp_path, script))
    assert "vision.tesseract" in error.value.hint


@pytest.mark.parametrize("read", ["exit 1", "kill -9 $$", "exec sleep 600", "echo garbage", "true"])
def test_a_program_that_fails_or_hangs_leaves_lines_without_text_and_is_given_up(
    tmp_path: Path, read: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "sleep" in read:
        monkeypatch.setattr(tesseract, "_READ_S", 0.2)
    log = tmp_path / "log"
    install = find_tesseract(program(tmp_path, ANSWERS.format(read=f"echo x >>{log}; {read}")))
    assert install is not None
    reads = Tesseract(install, threads=1)
    for _ in range(3):
        assert reads.read([line()], "greek") == [("", 0.0)]
    fails = read not in {"echo garbage", "true"}
    assert reads.can_read("greek") is not fails
    assert len(log.read_text(encoding="utf-8").split()) == (2 if fails else 6), "twice for each line, until given up"
    assert reads.can_read("cyrillic"), "another model may be whole"


def test_a_damaged_model_is_named(tmp_path: Path) -> None:
    read = 'if [ "$4" = ell+eng ]; then echo "cannot load ell" >&2; exit 1; fi'
    install = find_tesseract(program(tmp_path, ANSWERS.format(read=read)))
    assert install is not None
    damaged = damaged_models(install)
    assert list(damaged) == ["greek"]
    assert "cannot load ell" in damaged["greek"]


def test_a_program_that_is_gone_by_now_leaves_lines_without_text() -> None:
    gone = TesseractInstall(os.devnull + "/none", "5", {"ell": "ell"})
    assert Tesseract(gone, threads=2).read([line()] * 20, "greek") == [("", 0.0)] * 20


def scripts_line(monkeypatch: pytest.MonkeyPatch, folder: Path, setting: str) -> Check:
    """What ``demopack doctor`` says of other scripts where the settings name a program."""
    file = folder / "settings.json"
    file.write_text(json.dumps({"vision": {"tesseract": setting}}), encoding="utf-8")
    monkeypatch.setenv("DEMOPACK_SETTINGS", str(file))
    return other_scripts()


def test_doctor_says_which_scripts_can_be_read_and_the_line_that_gets_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = scripts_line(monkeypatch, tmp_path, program(tmp_path, ANSWERS.format(read="true")))
    assert told.optional
    assert not told.ok
    assert told.found == (
        "5.3.0: Cyrillic, Greek can be read; Arabic, Hebrew, Korean, Devanagari cannot: such text stays empty"
    )
    packages = "tesseract-ocr-ara tesseract-ocr-heb tesseract-ocr-script-hang tesseract-ocr-script-deva"
    assert told.mend == f"sudo apt-get install -y {packages}"


@pytest.mark.parametrize(
    ("setting", "found", "mend"),
    [
        ("/nowhere/tesseract", "cannot: such text stays empty", "install -y tesseract-ocr tesseract-ocr-script-cyrl "),
        ("", "switched off", "vision.tesseract"),
    ],
)
def test_doctor_names_a_program_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, setting: str, found: str, mend: str
) -> None:
    told = scripts_line(monkeypatch, tmp_path, setting)
    assert found in told.found
    assert mend in told.mend


def test_doctor_names_what_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = scripts_line(monkeypatch, tmp_path, program(tmp_path, "exit 1"))
    assert "does not work" in told.found
    damaged = ANSWERS.format(read='if [ "$4" = ell+eng ]; then exit 1; fi')
    told = scripts_line(monkeypatch, tmp_path, program(tmp_path, damaged))
    assert "Greek cannot, as the files are damaged" in told.found
    assert told.mend.startswith("sudo apt-get install --reinstall -y tesseract-ocr-script-grek")
