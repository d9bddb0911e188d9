"""Draws lines as programs do, in every font here that has their letters, and cuts them out as the parse does."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.errors import DemopackError
from lab.script_classifier.made_up_lines import CLASSES, MadeUpLines

HELD_OUT: Final = ("Liberation", "Noto Sans Arabic", "Noto Sans Hebrew", "IPA", "NanumGothic", "Lohit Devanagari")
"""Fonts that are never learned, by how their names begin: lines in them are measured."""
_LEFT_OUT: Final = (
    "Px ", "Ac437", "Amiga", "Atari", "C-64", "C64", "Emmentaler", "Denemo", "Noto Music", "Sixtyfour", "D050000L",
    "Standard Symbols",
)  # fmt: skip
"""Of home computers, of music and of symbols in the place of letters: not what programs write in."""
_ANY_SCRIPT: Final = ("DejaVu Sans", "Noto Sans", "FreeSans", "FreeSerif")
"""For signs and seldom scripts; what they have no letters for, Qt draws in a font that has."""
_SYSTEMS: Final = {
    "latin": ("Latin",), "chinese": ("Japanese", "SimplifiedChinese"), "cyrillic": ("Cyrillic",), "greek": ("Greek",),
    "arabic": ("Arabic",), "hebrew": ("Hebrew",), "korean": ("Korean",), "devanagari": ("Devanagari",),
}  # fmt: skip
_MIN_CONTRAST: Final = 90
_LINES_IN_A_FONT: Final = 10
"""Lines that are drawn in one font and size before the next: opening a font costs more than drawing in it."""


class LineDrawer:
    """Draws made-up lines with Qt, offscreen."""

    def __init__(self, seed: int, *, held_out: bool = False) -> None:
        """Find the fonts.

        Args:
            seed: of everything that is left to chance.
            held_out: draw in :data:`HELD_OUT` only; otherwise in all others.

        Raises:
            DemopackError: no font has letters of one of the scripts.
        """
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        # A font without letters of a script is said at length, and another one is taken.
        os.environ.setdefault("QT_LOGGING_RULES", "qt.text.font.db=false")
        from PySide6.QtGui import QFontDatabase, QGuiApplication

        self._app: Any = QGuiApplication.instance() or QGuiApplication(["lines"])
        self._rng = random.Random(seed)  # noqa: S311 - no secret
        self._lines = MadeUpLines(self._rng)
        systems: Any = QFontDatabase.WritingSystem
        self._fonts: dict[str, list[str]] = {}
        self._chosen: dict[str, Any] = {}
        self._left: dict[str, int] = {}
        for script, names in _SYSTEMS.items():
            known = {family for name in names for family in QFontDatabase.families(getattr(systems, name))}
            chosen = [one for one in sorted(known) if one.startswith(HELD_OUT) == held_out]
            chosen = [one for one in chosen if not one.startswith(_LEFT_OUT)]
            self._fonts[script] = chosen or sorted(known)
            if not known:
                raise DemopackError(
                    f"No font on this machine has letters of the script “{script}”.",
                    hint="On Debian: sudo apt-get install fonts-nanum fonts-lohit-deva fonts-wqy-microhei",
                )
        self._fonts["sign"] = self._fonts["other"] = list(_ANY_SCRIPT)

    def fonts(self, script: str) -> list[str]:
        """The families that lines of a class are drawn in."""
        return self._fonts[script]

    def draw(self, script: str) -> RgbImage:
        """A line of a class of :data:`~lab.script_classifier.made_up_lines.CLASSES`, shape (height, width, 3)."""
        while True:
            if self._left.get(script, 0) == 0:
                self._chosen[script], self._left[script] = self._font(script), _LINES_IN_A_FONT
            self._left[script] -= 1
            drawn = self._drawn(self._lines.line(script), self._chosen[script])
            if drawn is not None:
                return drawn

    def samples(self, count: int) -> Iterator[tuple[RgbImage, int]]:
        """Lines and the places of their classes; of Latin more than of others."""
        for _ in range(count):
            place = self._rng.randrange(len(CLASSES) + 4)
            place = place if place < len(CLASSES) else (0, 0, 1, 3)[place - len(CLASSES)]
            yield self.draw(CLASSES[place]), place

    def _font(self, script: str) -> Any:  # noqa: ANN401 - Qt's
        from PySide6.QtGui import QFont

        rng = self._rng
        font = QFont(rng.choice(self._fonts[script]))
        font.setPixelSize(rng.choice((10, 11, 11, 12, 12, 13, 13, 13, 14, 14, 15, 16, 18, 20, 24)))
        font.setBold(rng.random() < 0.2)
        font.setItalic(rng.random() < 0.04)
        font.setUnderline(rng.random() < 0.05)
        hints: Any = QFont.HintingPreference
        font.setHintingPreference(
            rng.choice((hints.PreferFullHinting, hints.PreferVerticalHinting, hints.PreferNoHinting))
        )
        return font

    def _colours(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        rng = self._rng
        while True:
            light = rng.choice((250, 255, 246, 240, 225, rng.randint(180, 255)))
            dark = rng.choice((0, 20, 30, 60, 90, rng.randint(0, 130)))
            pair = [light, dark] if rng.random() < 0.65 else [dark, light]
            ground, letters = (
                np.clip(np.array([rng.gauss(level, 12 if rng.random() < 0.3 else 1) for _ in range(3)]), 0, 255)
                for level in pair
            )
            if rng.random() < 0.1:
                letters = np.array([rng.randint(0, 255) for _ in range(3)], dtype=np.float64)
            if abs(letters - ground).sum() > 160:
                return ground, letters

    def _drawn(self, text: str, font: Any) -> RgbImage | None:  # noqa: ANN401
        from PySide6.QtCore import Qt
        from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter

        rng = self._rng
        metrics = QFontMetrics(font)
        # A third of the screens draw each colour of a pixel at its own place.
        wide = 3 if rng.random() < 0.3 else 1
        width, height = metrics.horizontalAdvance(text) + 24, metrics.height() + 16
        image = QImage(width * wide, height, QImage.Format.Format_Grayscale8)
        image.fill(QColor(0, 0, 0))
        painter = QPainter(image)
        painter.scale(wide, 1)
        painter.setFont(font)
        painter.setPen(QColor(255, 255, 255))
        painter.drawText(0, 0, width, height, int(Qt.AlignmentFlag.AlignCenter), text)
        painter.end()
        cover = (
            np.frombuffer(image.constBits(), np.uint8).reshape(height, -1)[:, : width * wide].astype(np.float64) / 255
        )
        if wide == 3:
            soft = (cover + np.roll(cover, 1, axis=1) + np.roll(cover, -1, axis=1)) / 3
            cover3 = soft.reshape(height, width, 3)
        else:
            cover3 = np.repeat(cover[:, :, None], 3, axis=2)
        ground, letters = self._colours()
        pixels = ground + (letters - ground) * cover3
        if rng.random() < 0.1:
            pixels += np.random.default_rng(rng.randrange(2**32)).normal(0, rng.uniform(0, 6), pixels.shape)
        drawn = np.abs(pixels - ground).sum(axis=2) > _MIN_CONTRAST
        if not drawn.any():
            return None
        rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
        low, high = rows[0] - rng.choice((2, 2, 2, 1, 3)), rows[-1] + 1 + rng.choice((2, 2, 2, 1, 3))
        left, right = columns[0] - rng.choice((2, 2, 2, 1, 4)), columns[-1] + 1 + rng.choice((2, 2, 2, 1, 4))
        cut = pixels[max(0, low) : high, max(0, left) : right]
        return np.ascontiguousarray(np.clip(np.rint(cut), 0, 255).astype(np.uint8))
