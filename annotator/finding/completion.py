"""Completion at the cursor of a search: keys, and the values of the key that stands there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotator.finding.values import SearchKey
from annotator.words import tr

_MAX_OFFERED: Final = 40
_WORD: Final = re.compile(r"[^\s()]*\Z")
_KEY: Final = re.compile(r"(-?)([A-Za-z_]+):(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """One thing that can be written.

    Attributes:
        text: what is put in the place.
        words: what it means; may be empty.
    """

    text: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What can be written instead of the characters from ``start`` to ``end``."""

    start: int
    end: int
    offered: tuple[CompletionItem, ...]


def completion_at(
    text: str, cursor: int, keys: Mapping[str, SearchKey[object]], *, texts: Sequence[str] = ()
) -> Completion:
    """What fits the word before the cursor.

    Args:
        text: the search.
        cursor: where the user writes.
        keys: what may stand before a colon.
        texts: values for ``text:``, for instance those on the picture.
    """
    found = _WORD.search(text[:cursor])
    word = "" if found is None else found.group()
    start = cursor - len(word)
    if text[:start].count('"') % 2 or text[:start].count("/") % 2:
        return Completion(start=cursor, end=cursor, offered=())  # within a quote or a pattern
    key = _KEY.fullmatch(word)
    if key is None and word[:1] in {'"', "/", "“", "„"}:
        return Completion(start=cursor, end=cursor, offered=())
    if key is not None:
        return _values(key, start, cursor, keys, texts)
    minus, begun = ("-", word[1:]) if word.startswith("-") else ("", word)
    fitting = [name for name in keys if name.startswith(begun.casefold())] if begun else list(keys)
    offered = tuple(CompletionItem(f"{minus}{name}:", _key_words(keys[name])) for name in fitting)
    return Completion(start=start, end=cursor, offered=offered)


def _key_words(key: SearchKey[object]) -> str:
    return (
        tr("{words}, for instance {example}").format(words=key.words, example=key.example) if key.example else key.words
    )


def _values(
    key: re.Match[str], start: int, cursor: int, keys: Mapping[str, SearchKey[object]], texts: Sequence[str]
) -> Completion:
    name, written = key.group(2).casefold(), key.group(3)
    at = start + key.start(3)
    if name == "text":
        begun = written.strip('"').casefold()
        near = sorted({text for text in texts if text and begun in text.casefold()}, key=str.casefold)
        offered = tuple(CompletionItem(f'"{text}"', "") for text in near[:_MAX_OFFERED] if '"' not in text)
        return Completion(start=at, end=cursor, offered=offered)
    before, comma, last = written.rpartition(",")
    at += len(before) + len(comma)
    known = keys[name].values if name in keys else ()
    begins = [value for value in known if value.startswith(last.casefold())]
    within = [value for value in known if last and last.casefold() in value and value not in begins]
    offered = tuple(CompletionItem(value, "") for value in begins + within if value != last.casefold())
    return Completion(start=at, end=cursor, offered=offered[:_MAX_OFFERED])
