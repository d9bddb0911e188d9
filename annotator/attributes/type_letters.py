"""A type chosen by its first letters, in the user's language or in English."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.type_words import type_word
from demopack.domain.elements import ElementType

__all__ = ["goes_on", "types_by_letters"]


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
