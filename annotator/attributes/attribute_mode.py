"""Attribute mode: up and down choose an attribute, digits give its value. Knows neither window nor keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotator.attributes.element_attributes import (
    MIXED,
    Attribute,
    AttributeName,
    SetAttribute,
    attributes_of,
    is_state,
)
from annotator.attributes.keyboard_choice import DIGITS, TypeDigits
from annotator.attributes.type_defaults import TypeDefaults
from annotator.step_words import type_word
from annotator.words import capital, tr
from demopack.domain.elements import ATTRIBUTES, Element

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
                value=value_words(one, whole=len(elements)),
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
    line = next((one for one in lines if one.current), None)
    choice = None if line is None else next((one for one in line.choices if one.digit == digit), None)
    if line is None or choice is None:
        return None
    return SetAttribute(uids=line.uids, name=line.name, value=choice.value)


def attribute_words(name: AttributeName) -> str:
    """The name of an attribute, for the user."""
    names = {"type": tr("Type"), "text": tr("Text"), "subtype": tr("Subtype"), "review": tr("Review")}
    return names.get(name) or capital(type_word(name))


def value_words(attribute: Attribute, *, whole: int) -> str:
    """What an attribute is now, for the user.

    Args:
        attribute: of the selected elements.
        whole: how many are selected.
    """
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
    value = attribute.value
    pairs: list[tuple[str, str, str | bool | None]] = []
    if is_state(attribute.name):
        pairs = [(digit, STATE_WORDS[state], state) for digit, state in _STATES]
    elif attribute.name == "review":
        pairs = [(digit, _REVIEW_WORDS[review], review) for digit, review in _REVIEWS]
    elif attribute.name == "type":
        kinds = [(digit, kind) for digit in DIGITS if (kind := digits.type_of(digit)) is not None]
        pairs = [(digit, type_word(kind), kind) for digit, kind in kinds]
    elif attribute.name == "subtype":
        pairs = [(digit, word, word) for digit, word in zip(DIGITS, subtypes, strict=False)]
    return tuple(
        AttributeChoice(digit=d, words=w, value=v, taken=value is not MIXED and v == value) for d, w, v in pairs
    )
