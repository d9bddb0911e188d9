"""Lines that nobody wrote: letters of a script by chance, as often as languages use them, with numbers and names.

No sentence of any language is needed to tell scripts apart, and none can be learned by heart.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

from lab.screens.qt.words.speech import LANGUAGES, Speech

CLASSES: Final = (
    "latin", "chinese", "sign", "cyrillic", "greek", "arabic", "hebrew", "korean", "devanagari", "other",
)  # fmt: skip
"""What the network tells apart: Latin letters and numbers; Chinese and Japanese; icons, arrows and figures; the scripts
that another program reads; and those that none reads."""

_ALPHABETS: Final[dict[str, str]] = json.loads(Path(__file__).with_name("alphabets.json").read_text(encoding="utf-8"))
"""Letters, each as often as languages use it."""
_SIGNS = (
    *(chr(code) for code in range(0x2190, 0x2200)),
    *(chr(code) for code in range(0x25A0, 0x2600)),
    *(chr(code) for code in range(0x2600, 0x2670)),
    *(chr(code) for code in range(0x2700, 0x27BF)),
    *_ALPHABETS["signs"],
)
_OTHERS = (
    (0x0E01, 0x0E2E), (0x0561, 0x0586), (0x10D0, 0x10F0), (0x0995, 0x09B9), (0x0B95, 0x0BB9), (0x0C15, 0x0C39),
    (0x0A95, 0x0AB9), (0x0D15, 0x0D39), (0x1780, 0x17A2), (0x1200, 0x1248), (0x0C95, 0x0CB9), (0x0A15, 0x0A39),
    (0x0E81, 0x0EAE), (0x1000, 0x1020),
)  # fmt: skip
"""First and last letters of Thai, Armenian, Georgian, Bengali, Tamil, Telugu, Gujarati, Malayalam, Khmer, Ethiopic,
Kannada, Gurmukhi, Lao and Burmese."""


class MadeUpLines:
    """Lines by chance; all follows from the random numbers."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._speeches = [Speech(rng, language) for language in LANGUAGES if language != "ru"]
        self._syllables = _by_rows("euc-kr", 0xB0, 0xC8)
        self._chinese = [*_by_rows("gb2312", 0xB0, 0xD7), *_by_rows("big5", 0xA4, 0xC6)]
        self._kanji = _by_rows("euc-jp", 0xB0, 0xCF)
        self._words: dict[str, Callable[[], str]] = {
            "latin": self._latin_word,
            "cyrillic": self._cyrillic_word,
            "greek": self._greek_word,
            "arabic": lambda: self._letters(_ALPHABETS["arabic"], _ALPHABETS["arabic_seldom"], 1, 8),
            "hebrew": lambda: self._letters(_ALPHABETS["hebrew"], "", 2, 7),
            "korean": self._korean_word,
            "devanagari": self._devanagari_word,
            "other": self._other_word,
        }

    def line(self, script: str) -> str:
        """A line of one class of :data:`CLASSES`; of what is written mostly in Latin letters, seldom something else."""
        if script == "sign":
            return "".join(self._rng.choices(_SIGNS, k=self._rng.choice((1, 1, 1, 2, 3))))
        if script == "chinese":
            return self._chinese_line()
        if script == "latin":
            return self._latin_line()
        if script == "cyrillic" and self._rng.random() < 0.08:
            return "".join(self._rng.choices(_ALPHABETS["cyrillic_like_latin"], k=self._rng.randint(2, 6)))
        words = [self._words[script]() for _ in range(self._rng.choice((1, 1, 1, 2, 2, 3, 4, 5)))]
        if self._rng.random() < 0.2:
            words.insert(self._rng.randint(0, len(words)), self._extra())
        text = " ".join(words)
        if script in ("cyrillic", "greek"):
            text = text.upper() if self._rng.random() < 0.08 else self._capital(text)
        return text + self._rng.choice(("", "", "", "", "", ":", "…", "?", ".", "!", ")"))

    def _capital(self, text: str) -> str:
        return text[:1].upper() + text[1:] if self._rng.random() < 0.75 else text

    def _letters(self, usual: str, seldom: str, shortest: int, longest: int) -> str:
        count = self._rng.randint(shortest, longest)
        return "".join(
            self._rng.choice(seldom if seldom and self._rng.random() < 0.04 else usual) for _ in range(count)
        )

    def _cyrillic_word(self) -> str:
        seldom = _ALPHABETS["cyrillic_seldom"] if self._rng.random() < 0.3 else ""
        return self._letters(_ALPHABETS["cyrillic"], seldom, self._rng.choice((1, 2, 3)), 10)

    def _greek_word(self) -> str:
        word = self._letters(_ALPHABETS["greek"], "", 2, 10)
        return (
            word[:-1] + "\N{GREEK SMALL LETTER FINAL SIGMA}"
            if word[-1] in _ALPHABETS["greek_before_final_sigma"]
            else word
        )

    def _korean_word(self) -> str:
        return "".join(self._rng.choices(self._syllables, k=self._rng.randint(1, 5)))

    def _devanagari_word(self) -> str:
        word = ""
        for _ in range(self._rng.randint(1, 4)):
            word += self._rng.choice(_ALPHABETS["consonants"])
            if self._rng.random() < 0.15:
                word += "\u094d" + self._rng.choice(_ALPHABETS["consonants"])
            if self._rng.random() < 0.6:
                word += self._rng.choice(_ALPHABETS["matras"])
        return word if self._rng.random() < 0.9 else self._rng.choice(_ALPHABETS["vowels"]) + word

    def _other_word(self) -> str:
        low, high = self._rng.choice(_OTHERS)
        return "".join(chr(self._rng.randint(low, high)) for _ in range(self._rng.randint(2, 7)))

    def _latin_word(self) -> str:
        return self._rng.choice(self._speeches).made_up(1)

    def _extra(self) -> str:
        """What stands among the words of any script."""
        return self._rng.choice(
            (
                str(self._rng.randint(0, 2030)),
                f"{self._rng.randint(0, 23)}:{self._rng.randint(0, 59):02}",
                f"{self._rng.randint(1, 99)},{self._rng.randint(0, 9)}",
                f"{self._rng.randint(1, 100)} %",
                self._rng.choice(("PDF", "USB", "Wi-Fi", "GB", "CPU", "Ctrl+S", "F5", "OK", "v2.1", "HTML")),
                self._latin_word(),
            )
        )

    def _latin_line(self) -> str:
        share = self._rng.random()
        if share < 0.1:
            return " ".join(self._extra() for _ in range(self._rng.randint(1, 4)))
        if share < 0.2:
            letters = self._rng.choice(
                ("ABCDEHIKLMNOPRSTUVXYZ", "acehiklmnoprstuvxyz", "ACEHKMOPTXBaceopxy", "0123456789.,:-/%")
            )
            return "".join(self._rng.choices(letters, k=self._rng.randint(1, 8)))
        if share < 0.3:
            word = self._latin_word()
            return self._rng.choice(
                (f"{word.lower()}.py", f"/usr/{word}/lib", f"{word}_{word}=1", f"<{word}>", word.upper())
            )
        return self._rng.choice(self._speeches).made_up(self._rng.choice((1, 1, 1, 2, 2, 3, 4, 6)))

    def _chinese_line(self) -> str:
        if self._rng.random() < 0.4:
            text = "".join(self._rng.choices(self._chinese, k=self._rng.randint(1, 12)))
        else:
            text = ""
            for _ in range(self._rng.randint(1, 5)):
                pool = self._rng.choice((self._kanji, _ALPHABETS["kana"], _ALPHABETS["kana"], _ALPHABETS["katakana"]))
                text += "".join(self._rng.choices(pool, k=self._rng.randint(1, 4)))
        return text + (self._extra() if self._rng.random() < 0.1 else "")


def _by_rows(encoding: str, first: int, last: int) -> list[str]:
    """The characters of some rows of a national standard, which begins with the common ones."""
    found: list[str] = []
    for high in range(first, last + 1):
        for low in range(0xA1, 0xFF):
            text = bytes((high, low)).decode(encoding, "ignore")
            found += [text] if len(text) == 1 and text.isalpha() else []
    return found
