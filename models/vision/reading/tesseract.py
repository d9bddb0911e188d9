"""Reads lines in scripts that rapidocr does not know with the program Tesseract, where it is installed.

Measured on lines of 10 to 14 px: in one process the lines of a screen take 10 to 40 ms each, and 95 to 100 of 100
characters are right. A process of its own cannot take the worker along, however it ends. Light to import.
"""

from __future__ import annotations

import io
import itertools
import logging
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from PIL import Image

from demopack.domain.frames import RgbImage
from demopack.errors import ModelError
from demopack.pixels.colours import border_background
from demopack.processes import NO_CONSOLE

Script = Literal["cyrillic", "greek", "arabic", "hebrew", "korean", "devanagari"]
SCRIPTS: Final[tuple[Script, ...]] = get_args(Script)
Reading: TypeAlias = tuple[str, float]
"""A text, and how sure that is, 0..1."""


@dataclass(frozen=True, slots=True)
class ScriptData:
    """What reads a script.

    Attributes:
        models: Tesseract's names of the files that read it, the best first.
        package: the one of Debian with the first of them.
        with_latin: whether names in Latin letters are read better with the model of English beside it, and other words
            as well as without.
        leftwards: whether it is written from the right.
    """

    models: tuple[str, ...]
    package: str
    with_latin: bool = False
    leftwards: bool = False


SCRIPT_DATA: Final[Mapping[Script, ScriptData]] = {
    "cyrillic": ScriptData(
        ("Cyrillic", "rus", "ukr", "bel", "bul", "srp", "mkd", "kaz", "mon"),
        "tesseract-ocr-script-cyrl",
        with_latin=True,
    ),
    "greek": ScriptData(("Greek", "ell"), "tesseract-ocr-script-grek", with_latin=True),
    "arabic": ScriptData(("ara", "Arabic", "fas", "urd"), "tesseract-ocr-ara", leftwards=True),
    "hebrew": ScriptData(("heb", "Hebrew"), "tesseract-ocr-heb", with_latin=True, leftwards=True),
    "korean": ScriptData(("Hangul", "kor"), "tesseract-ocr-script-hang"),
    "devanagari": ScriptData(("Devanagari", "hin", "mar", "nep"), "tesseract-ocr-script-deva"),
}
PROGRAM_PACKAGE: Final = "tesseract-ocr"

_LATIN: Final = "eng"
_ASK_S: Final = 10.0
_READ_S: Final = 20.0
"""Seconds after which the program hangs: asked about itself, and with :data:`_LINES_AT_ONCE` lines."""
_LINES_AT_ONCE: Final = 60
_MIN_LINES: Final = 8
"""Fewer lines are not shared out: loading a model takes as long as reading some."""
_MAX_FAILURES: Final = 2
"""A program that failed so often is asked no more."""
_HEIGHTS: Final = (32, 44)
"""Rows that a line is given: of 32, 40 and 48 the first is read best; where that is unsure, more are tried."""
_AIR_PX: Final = 4
_SURE: Final = 0.6
_MARKS: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that only say in which direction others run; the text is in the order in which it is read."""
_MICRO: Final = ("\N{MICRO SIGN}", "\N{GREEK SMALL LETTER MU}")
"""A letter that is read as the sign that looks like it."""
_NAME: Final = re.compile(r"(?:script[/\\])?([A-Za-z][A-Za-z0-9_]*)")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TesseractInstall:
    """The program on this machine.

    Attributes:
        program: its path.
        version: as it says it.
        models: by their names without a folder, what to ask for them by.
    """

    program: str
    version: str
    models: Mapping[str, str]

    def model_for(self, script: Script) -> str | None:
        """The best installed model of a script, and that of English where it helps; None where none is."""
        data = SCRIPT_DATA[script]
        best = next((self.models[name] for name in data.models if name in self.models), None)
        latin = self.models.get(_LATIN) if data.with_latin else None
        return best if best is None or latin is None else f"{best}+{latin}"

    @property
    def readable(self) -> dict[Script, str]:
        """The scripts that can be read, with their models."""
        known: dict[Script, str] = {}
        for script in SCRIPTS:
            if (model := self.model_for(script)) is not None:
                known[script] = model
        return known


def find_tesseract(program: str) -> TesseractInstall | None:
    """The program of a setting: a name or a path. None where it is empty or there is none.

    Raises:
        ModelError: it is there, but does not answer as Tesseract does.
    """
    path = shutil.which(program) if program else None
    if path is None:
        return None
    version = _asked(path, "--version")
    told = re.search(r"tesseract\s+v?([0-9][\w.]*)", version, re.IGNORECASE)
    if told is None:
        raise _broken(path, f"--version says: {version[:200]}")
    names: dict[str, str] = {}
    for line in _asked(path, "--list-langs").splitlines():
        name = line.strip()
        if (plain := _NAME.fullmatch(name)) is not None:
            names.setdefault(plain[1], name)
    return TesseractInstall(path, told[1], names)


def _asked(path: str, option: str) -> str:
    try:
        done = subprocess.run(
            [path, option], capture_output=True, timeout=_ASK_S, check=True, env=_environment(),
            creationflags=NO_CONSOLE,
        )  # fmt: skip
    except subprocess.CalledProcessError as error:
        raise _broken(path, error.stderr.decode("utf-8", "replace")) from error
    except (OSError, subprocess.SubprocessError) as error:
        raise _broken(path, str(error)) from error
    # Earlier versions say these things on the other stream.
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def _broken(path: str, details: str) -> ModelError:
    return ModelError(
        f"Tesseract, which reads other scripts, does not work: {path}.",
        details=details.strip()[-2000:],
        hint=f'Install it again ({install_hint([PROGRAM_PACKAGE], again=True)}), or clear "vision.tesseract".',
    )


def install_hint(packages: Sequence[str], *, again: bool = False) -> str:
    """How Tesseract gets onto this system.

    Args:
        packages: Debian's packages of what is missing.
        again: whether what is there is damaged.
    """
    ways = {
        "darwin": f"brew {'reinstall' if again else 'install'} tesseract tesseract-lang",
        "win32": "run the installer of github.com/UB-Mannheim/tesseract and choose the additional scripts",
    }
    return ways.get(sys.platform, f"sudo apt-get install {'--reinstall ' if again else ''}-y {' '.join(packages)}")


def _environment() -> dict[str, str]:
    # Lines are read by several processes, each on one thread.
    return {**os.environ, "OMP_THREAD_LIMIT": "1", "OMP_NUM_THREADS": "1", "LC_ALL": "C"}


def damaged_models(install: TesseractInstall) -> dict[Script, str]:
    """The scripts whose model cannot be used, and what the program says of it; each is tried on a blank line."""
    blank = np.full((16, 64, 3), 255, dtype=np.uint8)
    said: dict[Script, str] = {}
    for script, model in install.readable.items():
        try:
            _run(install.program, model, _pages([blank], _HEIGHTS[0]))
        except (OSError, subprocess.SubprocessError) as error:
            said[script] = _said_by(error)
    return said


def _run(program: str, model: str, pages: bytes) -> str:
    """Tesseract's table of the words on some pages of one line each.

    Raises:
        OSError: it could not be started.
        subprocess.SubprocessError: it failed, or took too long.
    """
    command = [
        program, "stdin", "stdout", "-l", model, "--psm", "7", "--dpi", "150",
        "-c", "tessedit_create_tsv=1", "-c", "tessedit_create_txt=0",
    ]  # fmt: skip
    done = subprocess.run(
        command, input=pages, capture_output=True, timeout=_READ_S, check=True, env=_environment(),
        creationflags=NO_CONSOLE,
    )  # fmt: skip
    return done.stdout.decode("utf-8", "replace")


def _said_by(error: Exception) -> str:
    said: bytes = getattr(error, "stderr", None) or b""
    return f"{error} {said.decode('utf-8', 'replace')[-500:]}".strip()


class Tesseract:
    """Reads lines, those of one script in few processes; never fails: what cannot be read has no text."""

    def __init__(self, install: TesseractInstall, *, threads: int) -> None:
        """Use this installation.

        Args:
            install: as :func:`find_tesseract` found it.
            threads: processes at once.
        """
        self._install = install
        self._threads = max(1, threads)
        self._models = install.readable
        self._failures: dict[Script, int] = {}

    def can_read(self, script: Script) -> bool:
        """Whether a model of the script is installed, and did not fail before."""
        return script in self._models and self._failures.get(script, 0) < _MAX_FAILURES

    def read(self, crops: Sequence[RgbImage], script: Script) -> list[Reading]:
        """What is written on each crop, in the order in which it is read, and how sure that is, 0..1.

        Args:
            crops: a line each, shape (height, width, 3), uint8.
            script: what they are written in.
        """
        readings = self._at_height(crops, script, _HEIGHTS[0])
        unsure = [i for i, (_, sure) in enumerate(readings) if sure < _SURE]
        if unsure:
            again = self._at_height([crops[i] for i in unsure], script, _HEIGHTS[1])
            for i, reading in zip(unsure, again, strict=True):
                readings[i] = max(readings[i], reading, key=lambda one: one[1])
        return readings

    def _at_height(self, crops: Sequence[RgbImage], script: Script, height: int) -> list[Reading]:
        if not crops:
            return []
        share = max(_MIN_LINES, -(-len(crops) // self._threads))
        share = min(share, _LINES_AT_ONCE)
        parts = [crops[start : start + share] for start in range(0, len(crops), share)]
        with ThreadPoolExecutor(self._threads, thread_name_prefix="tesseract") as pool:
            read = pool.map(self._part, parts, itertools.repeat(script), itertools.repeat(height))
            return [reading for part in read for reading in part]

    def _part(self, crops: Sequence[RgbImage], script: Script, height: int) -> list[Reading]:
        if not self.can_read(script):
            return [("", 0.0)] * len(crops)
        try:
            table = _run(self._install.program, self._models[script], _pages(crops, height))
        except (OSError, subprocess.SubprocessError) as error:
            self._failures[script] = self._failures.get(script, 0) + 1
            _LOG.warning("Lines in %s could not be read: %s", script, _said_by(error))
            return [("", 0.0)] * len(crops)
        return parse_tsv(table, len(crops), leftwards=SCRIPT_DATA[script].leftwards)


class _Word(NamedTuple):
    left: int
    text: str
    confidence: float


def parse_tsv(table: str, pages: int, *, leftwards: bool = False) -> list[Reading]:
    """The text of each page of Tesseract's table of words, and its mean confidence, 0..1.

    Args:
        table: tab-separated.
        pages: of one line each.
        leftwards: whether they are written from the right. Tesseract's own order is that of most letters of a line, so
            that of three names and a Hebrew word the names would come first.
    """
    found: list[list[_Word]] = [[] for _ in range(pages)]
    for row in table.splitlines():
        cells = row.split("\t")
        # Level 5 is a word.
        if len(cells) != 12 or cells[0] != "5":
            continue
        text = _MARKS.sub("", cells[11]).replace(*_MICRO).strip()
        try:
            page, word = int(cells[1]) - 1, _Word(int(cells[6]), text, float(cells[10]) / 100)
        except ValueError:
            continue  # no row of Tesseract's
        if text and 0 <= page < pages:
            found[page].append(word)
    return [_joined(_from_the_right(words) if leftwards else words) for words in found]


def _joined(words: Sequence[_Word]) -> Reading:
    letters = sum(len(word.text) for word in words)
    sure = sum(word.confidence * len(word.text) for word in words) / max(1, letters)
    return " ".join(word.text for word in words), min(1.0, max(0.0, sure))


def _from_the_right(words: Sequence[_Word]) -> list[_Word]:
    """Words as they are read in a line that is written from the right: names in Latin letters still run rightwards."""
    ordered: list[_Word] = []
    for latin, group in itertools.groupby(sorted(words, key=lambda word: -word.left), key=_is_latin):
        run = list(group)
        ordered += reversed(run) if latin else run
    return ordered


def _is_latin(word: _Word) -> bool:
    kinds = {unicodedata.bidirectional(letter) for letter in word.text}
    return "L" in kinds and not kinds & {"R", "AL"}


def _pages(crops: Sequence[RgbImage], height: int) -> bytes:
    """The lines as a picture of several pages, each dark on white."""
    pages = [Image.fromarray(_dark_on_white(crop, height)) for crop in crops]
    stream = io.BytesIO()
    pages[0].save(stream, "TIFF", save_all=True, append_images=pages[1:])
    return stream.getvalue()


def _dark_on_white(crop: RgbImage, height: int) -> npt.NDArray[np.uint8]:
    gray = crop.mean(axis=2)
    background = float(border_background(gray))
    contrast = background - gray if background >= 128 else gray - background
    # What is as dark as the darkest letters is black, the background white.
    scaled = 255 - 255 * np.clip(contrast / max(40.0, float(np.percentile(contrast, 99.5))), 0, 1)
    width = max(1, round(gray.shape[1] * height / gray.shape[0]))
    large = Image.fromarray(scaled.astype(np.uint8)).resize((width, height), Image.Resampling.LANCZOS)
    return np.pad(np.asarray(large), _AIR_PX, constant_values=255)
