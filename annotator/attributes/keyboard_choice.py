"""Choosing by keyboard: types by digit or letters, words by completion, attributes by arrows, their values by digit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, cast

from pydantic import Field, field_validator

from annotator.attributes.element_attributes import (
    MIXED,
    Attribute,
    AttributeName,
    SetAttribute,
    attributes_of,
    is_state,
)
from annotator.attributes.type_defaults import TypeDefaults
from annotator.step_words import type_word
from annotator.words import capital, tr
from demopack.atomic import write_text_atomic
from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, Element, ElementType
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
        kept: _TypesByDigit = {digit: kind for digit, kind in self.learned.items() if digit in free and kind in wanted}
        rest: list[ElementType] = [kind for kind in wanted if kind not in set(kept.values())]
        newcomers = zip((digit for digit in free if digit not in kept), rest, strict=False)
        return TypeDigits(fixed=self.fixed, learned={**kept, **dict(newcomers)})

    def fix(self, digit: str, kind: ElementType | None) -> TypeDigits:
        """The map with a digit given to a type for good; None leaves that digit to learning again."""
        fixed: _TypesByDigit = {other: old for other, old in self.fixed.items() if other != digit and old != kind}
        if kind is not None:
            fixed[digit] = kind
        learned: _TypesByDigit = {
            other: old for other, old in self.learned.items() if other not in fixed and old != kind
        }
        was = self.type_of(digit)
        before = self.digit_of(kind) if kind is not None else ""
        if kind is not None and was is not None and was != kind and before and before not in fixed:
            # The two change places, so that no type is lost by giving another one its digit.
            learned[before] = was
        return TypeDigits(fixed=fixed, learned=learned)


def _file() -> Path:
    return settings_path().with_name("type_digits.json")


def load_digits() -> TypeDigits:
    """The map as it was kept; an empty one where there is none, or the file is damaged: nothing depends on it."""
    try:
        return TypeDigits.model_validate_json(_file().read_bytes())
    except (OSError, ValueError):
        return TypeDigits()


def save_digits(digits: TypeDigits) -> None:
    """Keep the map.

    Raises:
        DemopackError: it cannot be written.
    """
    write_text_atomic(_file(), digits.model_dump_json(indent=2) + "\n")


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


STATE_WORDS: Final[Mapping[bool | None, str]] = {True: tr("yes"), False: tr("no"), None: tr("cannot be seen")}
_STATES: Final[tuple[tuple[str, bool | None], ...]] = (("1", True), ("2", False), ("3", None))
_REVIEWS: Final = (("1", "approved"), ("2", "doubtful"), ("3", "unreviewed"))
_REVIEW_WORDS: Final = {
    "approved": tr("approved"), "doubtful": tr("doubtful"), "unreviewed": tr("to be reviewed"),
    "rejected": tr("rejected"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeChoice:
    """One value that a digit gives.

    Attributes:
        digit: the key.
        words: the value, for the user.
        value: what is set.
        taken: whether the elements have it now.
    """

    digit: str
    words: str
    value: str | bool | None
    taken: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One attribute as it is shown beside the element.

    Attributes:
        name: which.
        words: its name, for the user.
        value: what it is now, for the user.
        choices: what the digits give; empty for a text, which is written.
        current: whether the digits mean this one.
        writes: whether Return begins to write it.
        uids: the elements that may carry it.
    """

    name: AttributeName
    words: str
    value: str
    choices: tuple[AttributeChoice, ...]
    current: bool
    writes: bool
    uids: tuple[str, ...]


class AttributeMode:
    """Which attribute the digits mean, while the mode is on.

    Attributes:
        on: whether it is on; what was current last time is current again when it is switched on.
    """

    def __init__(self) -> None:
        self.on = False
        self._wanted: AttributeName | None = None

    def lines(
        self, elements: Sequence[Element], *, digits: TypeDigits, defaults: TypeDefaults, guesses: Sequence[str] = ()
    ) -> tuple[Line, ...]:
        """What is shown for the selected elements, the current attribute marked.

        Args:
            elements: the selected ones.
            digits: which type each digit gives.
            defaults: for the words that are offered as subtypes.
            guesses: what the icon may mean, the likeliest first; offered before the words of the habits.
        """
        attributes = attributes_of(elements)
        current = self._current(attributes)
        # Each word once; none where no element may have a subtype.
        able = next((element for element in elements if ATTRIBUTES[element.type].subtype), None)
        subtypes = [] if able is None else list(dict.fromkeys((*guesses, *defaults.subtypes(able.type))))
        written = next((one.name for one in attributes if one.name in {"text", "subtype"}), None)
        return tuple(
            Line(
                name=one.name,
                words=attribute_words(one.name),
                value=_value_words(one, whole=len(elements)),
                choices=_choices(one, digits, subtypes),
                current=one.name == current,
                writes=one.name == written,
                uids=one.uids,
            )
            for one in attributes
        )

    def move(self, elements: Sequence[Element], offset: int) -> None:
        """The next attribute, or the previous one; at the end it starts again."""
        attributes = attributes_of(elements)
        if attributes:
            names: list[AttributeName] = [one.name for one in attributes]
            current = self._current(attributes)
            self._wanted = names[((names.index(current) if current else 0) + offset) % len(names)]

    def _current(self, attributes: Sequence[Attribute]) -> AttributeName | None:
        """What a person chose, on elements that have it; else the first state, which is what the mode is for."""
        names: list[AttributeName] = [one.name for one in attributes]
        if self._wanted in names:
            return self._wanted
        states: list[AttributeName] = [name for name in names if is_state(name)]
        return next(iter(states or names), None)


def command_of(lines: Sequence[Line], digit: str) -> SetAttribute | None:
    """What a digit does to the current attribute; None where it means nothing there."""
    meant = ((line, choice) for line in lines if line.current for choice in line.choices if choice.digit == digit)
    return next((SetAttribute(uids=line.uids, name=line.name, value=choice.value) for line, choice in meant), None)


def attribute_words(name: AttributeName) -> str:
    """The name of an attribute, for the user."""
    names = {"type": tr("Type"), "text": tr("Text"), "subtype": tr("Subtype"), "review": tr("Review")}
    names["placeholder"] = tr("Placeholder")
    return names.get(name) or capital(type_word(name))


def _value_words(attribute: Attribute, *, whole: int) -> str:
    """What an attribute of so many selected elements is now, for the user."""
    if attribute.value is MIXED:
        return tr("different")
    if is_state(attribute.name):
        words = STATE_WORDS[attribute.value if isinstance(attribute.value, bool) else None]
    elif attribute.name == "review":
        words = _REVIEW_WORDS[str(attribute.value)]
    else:
        words = type_word(str(attribute.value)) if attribute.value else tr("none")
    able = len(attribute.uids)
    if able == whole:
        return words
    return tr("{value} ({count} of {all})").format(value=words, count=able, all=whole)


def _choices(attribute: Attribute, digits: TypeDigits, subtypes: Sequence[str]) -> tuple[AttributeChoice, ...]:
    value, pairs = attribute.value, list[tuple[str, str, str | bool | None]]()
    if is_state(attribute.name):
        pairs = [(digit, STATE_WORDS[state], state) for digit, state in _STATES]
    elif attribute.name == "review":
        pairs = [(digit, _REVIEW_WORDS[review], review) for digit, review in _REVIEWS]
    elif attribute.name == "type":
        pairs = [(digit, type_word(kind), kind) for digit in DIGITS if (kind := digits.type_of(digit)) is not None]
    elif attribute.name == "subtype":
        pairs = [(digit, word, word) for digit, word in zip(DIGITS, subtypes, strict=False)]
    return tuple(
        AttributeChoice(digit=d, words=w, value=v, taken=value is not MIXED and v == value) for d, w, v in pairs
    )
