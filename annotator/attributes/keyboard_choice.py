"""Choosing by keyboard: types by digit or by their first letters, words by completion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, cast

from pydantic import Field, field_validator

from annotator.step_words import type_word
from demopack.atomic import write_text_atomic
from demopack.domain.elements import ELEMENT_TYPES, ElementType
from demopack.domain.records import Record
from demopack.settings import settings_path

DIGITS: Final = "1234567890"
"""In the order of the keyboard: the most used type has 1, the tenth 0."""


_TypesByDigit: TypeAlias = dict[Annotated[str, Field(pattern="^[0-9]$")], ElementType]


class TypeDigits(Record):
    """The map.

    Attributes:
        schema_version: of the file.
        fixed: digits that a person gave to a type; learning leaves them alone.
        learned: the other digits.
    """

    schema_version: Literal[1] = 1
    fixed: _TypesByDigit = Field(default_factory=dict[str, ElementType])
    learned: _TypesByDigit = Field(default_factory=dict[str, ElementType])

    @field_validator("fixed", "learned", mode="before")
    @classmethod
    def _known(cls, value: object) -> object:
        """What this version knows of a map: one renamed type must not cost the digits of the others."""
        entries = cast("dict[object, object]", value) if isinstance(value, dict) else {}
        return {digit: kind for digit, kind in entries.items() if digit in set(DIGITS) and kind in ELEMENT_TYPES}

    def type_of(self, digit: str) -> ElementType | None:
        """What a digit sets; None for one that sets nothing."""
        return self.fixed.get(digit) or self.learned.get(digit)

    def digit_of(self, kind: ElementType) -> str:
        """The digit of a type; empty when it has none."""
        return next((digit for digit in DIGITS if self.type_of(digit) == kind), "")

    def relearned(self, by_use: Sequence[ElementType]) -> TypeDigits:
        """The map for types in the order of their use.

        A type that is still among the most used keeps its digit: newcomers get the digits of those that dropped out.
        """
        free = [digit for digit in DIGITS if digit not in self.fixed]
        others: list[ElementType] = [kind for kind in by_use if kind not in set(self.fixed.values())]
        wanted = others[: len(free)]
        kept: dict[str, ElementType] = {
            digit: kind for digit, kind in self.learned.items() if digit in free and kind in wanted
        }
        rest: list[ElementType] = [kind for kind in wanted if kind not in set(kept.values())]
        for digit in free:
            if digit not in kept and rest:
                kept[digit] = rest.pop(0)
        return TypeDigits(fixed=self.fixed, learned=kept)

    def fix(self, digit: str, kind: ElementType | None) -> TypeDigits:
        """The map with a digit given to a type for good; None leaves that digit to learning again."""
        fixed: dict[str, ElementType] = {
            other: old for other, old in self.fixed.items() if other != digit and old != kind
        }
        if kind is not None:
            fixed[digit] = kind
        learned: dict[str, ElementType] = {
            other: old for other, old in self.learned.items() if other not in fixed and old != kind
        }
        was = self.type_of(digit)
        before = self.digit_of(kind) if kind is not None else ""
        if kind is not None and was is not None and was != kind and before and before not in fixed:
            # The two change places, so that no type is lost by giving another one its digit.
            learned[before] = was
        return TypeDigits(fixed=fixed, learned=learned)


def digits_path() -> Path:
    """The file beside the settings."""
    return settings_path().with_name("type_digits.json")


def load_digits(path: Path | None = None) -> TypeDigits:
    """The map as it was kept; an empty one where there is none, or the file is damaged: nothing depends on it."""
    try:
        return TypeDigits.model_validate_json((path or digits_path()).read_bytes())
    except (OSError, ValueError):
        return TypeDigits()


def save_digits(digits: TypeDigits, path: Path | None = None) -> None:
    """Keep the map.

    Raises:
        DemopackError: it cannot be written.
    """
    file = path or digits_path()
    file.parent.mkdir(parents=True, exist_ok=True)
    write_text_atomic(file, digits.model_dump_json(indent=2) + "\n")


def types_by_letters(letters: str, by_use: Sequence[ElementType]) -> tuple[ElementType, ...]:
    """The types that begin with some letters, the most used first; blanks count or not.

    Those that begin so in the user's language come before those that only do in English.
    Where no name begins with them, those count of which a further word does: ``it`` finds list, tree and menu items.

    Args:
        letters: what was typed; empty for all types.
        by_use: every type, the most used first.
    """
    typed = _plain(letters)
    found: list[ElementType] = [kind for kind in by_use if any(_plain(name).startswith(typed) for name in _names(kind))]
    found.sort(key=lambda kind: not _plain(type_word(kind)).startswith(typed))
    if not found:
        found = [kind for kind in by_use if any(word.startswith(typed) for word in _words(kind))]
    return tuple(found)


def goes_on(letters: str, kind: ElementType, letter: str) -> bool:
    """Whether a letter goes on with the name of a type: who types on after it was taken means nothing by it."""
    typed = _plain(letters + letter)
    names = [_plain(name) for name in _names(kind)]
    return any(name.startswith(typed) for name in [*names, *_words(kind)])


def _names(kind: ElementType) -> tuple[str, ...]:
    """In English and in the user's language."""
    return tuple(dict.fromkeys((kind.replace("_", " "), type_word(kind).casefold())))


def _plain(name: str) -> str:
    return "".join(name.casefold().replace("_", " ").split())


def _words(kind: ElementType) -> list[str]:
    return [word for name in _names(kind) for word in name.split()]


def completed(typed: str, words: Iterable[str]) -> str:
    """What a beginning is completed to; itself where no word begins so.

    Args:
        typed: what was written; nothing stays nothing.
        words: the best first.
    """
    start = typed.casefold()
    if not start.strip():
        return typed
    return next((word for word in words if word.casefold().startswith(start)), typed)
