"""The words of a small describer: one for each type, subtype and state, then single characters for text.

An answer is five to eight words long, so decoding is short. The order of the words is the grammar's
(``description.py``), and decoding allows no other: a small model cannot answer nonsense.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, SHAPE_SUBTYPES, STATES
from demopack.errors import ModelError
from models.vision.description import (
    NOTHING,
    SUBTYPE,
    TEXT,
    TYPE_WORDS,
    Description,
    clean_subtype,
    print_description,
    state_word,
)
from models.vision.weights import unusable

FILE: Final = "vocabulary.json"
PAD, END, UNKNOWN = 0, 1, 2
_SPECIAL = ("<pad>", "<end>", "<unknown>")
SUBTYPES: Final = (
    "back", "delete", "important", "forward", "reply", "retweet", "like", "share", "menu", "search", "send",
    "add", "remove", "close", "edit", "save", "open", "new", "home", "settings", "help", "info", "warning",
    "error", "user", "mail", "calendar", "clock", "cart", "star", "bookmark", "download", "upload", "print",
    "copy", "paste", "cut", "undo", "redo", "refresh", "play", "pause", "stop", "next", "previous", "up",
    "down", "left", "right", "expand", "collapse", "more", "filter", "sort", "lock", "unlock", "eye", "link",
    "attach", "image", "video", "music", "folder", "file", "chart", "list", "grid", "location", "phone", "chat",
    "bell", "flag", "zoom_in", "zoom_out", "minimize", "maximize", "logo", *SHAPE_SUBTYPES,
)  # fmt: skip
"""The subtypes of ``docs/formats/screens.md``; others are answered as none."""
_PUNCTUATION = (0x2018, 0x2019, 0x201C, 0x201D, 0x201E, 0x2013, 0x2014, 0x2022, 0x2026, 0x20AC, 0x2122, 0x2713)
_CHARACTERS = [
    *map(chr, (*range(32, 127), *range(0xA1, 0x180))),  # Latin
    *map(chr, (*range(0x391, 0x3CA), *range(0x410, 0x450), 0x401, 0x451)),  # Greek, Cyrillic
    *map(chr, (*_PUNCTUATION, *range(0x2190, 0x2194))),  # quotes, dashes, arrows
]
_STAGES = len(STATES) + 3


@dataclass(frozen=True)
class DescriberTokenizer:
    """The words of one model, in the order of their numbers.

    Attributes:
        words: the first three are padding (which also begins every answer), end, and an unknown character.
    """

    words: tuple[str, ...]

    @classmethod
    def standard(cls, subtypes: Iterable[str] = ()) -> DescriberTokenizer:
        """The words of a new model: everything that the domain knows, and some subtypes beyond it."""
        known = dict.fromkeys([*SUBTYPES, *(word for word in map(clean_subtype, subtypes) if word)])
        heads = [*ELEMENT_TYPES, NOTHING, *(SUBTYPE + word for word in known)]
        heads += [state_word(state, value) for state in STATES for value in (True, False)]
        return cls((*_SPECIAL, *heads, TEXT, *dict.fromkeys(_CHARACTERS)))

    @classmethod
    def load(cls, path: Path) -> DescriberTokenizer:
        """The words in a model's folder.

        Raises:
            ModelError: the file is missing or damaged.
        """
        failures = (OSError, ValueError, KeyError, TypeError)
        message = f"The describer's list of words {path} is missing or damaged."
        with unusable(message, hint="Copy the model again, or choose another one.", failures=failures):
            data: Any = json.loads(path.read_text(encoding="utf-8"))
            words = tuple(str(word) for word in cast("list[Any]", data["words"]))
        if words[:3] != _SPECIAL or TEXT not in words or not {*ELEMENT_TYPES, NOTHING} <= set(words):
            raise ModelError(
                f"{path} holds the words of another version of the describer.", hint="Train or export the model again."
            )
        return cls(words)

    def to_json(self) -> str:
        """What ``load`` reads."""
        return json.dumps({"schema_version": 1, "words": list(self.words)}, ensure_ascii=False) + "\n"

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def text(self) -> int:
        """The word that begins the text."""
        return self.numbers[TEXT]

    def encode(self, description: Description, *, characters: int) -> list[int]:
        """The numbers of an answer, its end included.

        Args:
            description: a subtype without a word of its own is left out.
            characters: of the text at most; an answer that is cut there has no end. 0 leaves the text out, but not the
                word that begins it.
        """
        known = description.cleaned()
        if known.subtype and SUBTYPE + clean_subtype(known.subtype) not in self.numbers:
            known = Description(type=known.type, states=known.states, text=known.text)
        head, _, text = print_description(known).partition(f" {TEXT}")
        numbers = [self.numbers[word] for word in head.split(" ")]
        if known.text:
            numbers.append(self.text)
            numbers += [self.numbers.get(character, UNKNOWN) for character in text[:characters]]
        return numbers if known.text and len(text) > characters else [*numbers, END]

    def decode(self, numbers: Sequence[int]) -> str:
        """The answer as text; numbers from the end on are passed over."""
        heads: list[str] = []
        characters: list[str] = []
        for number in numbers:
            if number == END:
                break
            word = self.words[number] if 0 <= number < len(self.words) else ""
            if characters or word == TEXT:
                characters.append("\N{REPLACEMENT CHARACTER}" if number == UNKNOWN else word)
            elif number > UNKNOWN:
                heads.append(word)
        return " ".join([*heads, "".join(characters)]) if characters else " ".join(heads)

    @cached_property
    def stages(self) -> npt.NDArray[np.int8]:
        """Shape (words,): 0 type, 1 subtype, 2 to 6 the states, 7 the text and its characters, 8 the end; -1 never."""
        heads = dict.fromkeys((*ELEMENT_TYPES, NOTHING), 0)
        heads |= {state_word(state, value): 2 + i for i, state in enumerate(STATES) for value in (True, False)}
        heads |= {word: 1 for word in self.words if word.startswith(SUBTYPE) and len(word) > len(SUBTYPE)}
        stages = np.array([heads.get(word, _STAGES - 1) for word in self.words], dtype=np.int8)
        stages[[PAD, END]] = -1, _STAGES
        return stages

    @cached_property
    def allowed(self) -> npt.NDArray[np.bool_]:
        """Shape (words, stages + 1, words): what may follow, by the answer's type and the stage it has reached."""
        in_text = self.stages >= _STAGES - 1
        in_text[self.text] = False
        allowed = np.zeros((len(self.words), _STAGES + 1, len(self.words)), dtype=np.bool_)
        for number, word in enumerate(self.words):
            if self.stages[number] != 0:
                continue
            for stage in range(_STAGES - 1):
                allowed[number, stage] = self._after(word, stage)
            allowed[number, _STAGES - 1] = in_text
        return allowed

    def _after(self, kind: str, stage: int) -> npt.NDArray[np.bool_]:
        following: npt.NDArray[np.bool_] = self.stages == _STAGES
        if kind == NOTHING:
            return following
        may = ATTRIBUTES[TYPE_WORDS[kind]]
        later = [2 + place for place, state in enumerate(STATES) if state in may.states and stage < 2 + place]
        following = np.isin(self.stages, [_STAGES, *later, *([1] if may.subtype and stage < 1 else [])])
        following[self.text] = may.text
        return following
