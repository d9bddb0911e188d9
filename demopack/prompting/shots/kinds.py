"""Tells whether two tasks are instances of one kind: the same words around other names, numbers and quoted texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Final

__all__ = ["SLOT", "likeness", "same_kind", "skeleton", "words_of"]

SLOT: Final = "◌"
"""Stands for whatever differs between instances."""

_QUOTED = re.compile("\"[^\"]*\"|“[^”]*”|«[^»]*»|(?<!\\w)'[^']*'(?!\\w)")
_TOKEN = re.compile(rf"{SLOT}|[\w@.+:/#-]*[\w{SLOT}]|[^\w\s]")
_LEAST_WORDS: Final = 2


def skeleton(task: str, values: Iterable[str] = ()) -> str:
    """The task with a slot for every quoted text, number, name and known value; lower case, single spaces.

    A name is a word with a capital that does not begin a sentence. Slots in a row are one.

    Args:
        task: in the person's words.
        values: texts that are known to differ between instances.
    """
    text = _QUOTED.sub(SLOT, task)
    for value in sorted({value for value in values if value.strip()}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", SLOT, text, flags=re.IGNORECASE)
    found: list[str] = []
    begins = True
    for piece in _TOKEN.findall(text):
        if piece in ".!?" or not any(char.isalnum() or char == SLOT for char in piece):
            begins = piece in ".!?:" or begins
            continue
        slot = SLOT in piece or any(char.isdigit() or char in "@/" for char in piece)
        slot = slot or (piece[0].isupper() and not begins)
        begins = False
        word = SLOT if slot else piece.casefold().rstrip(".:")
        if word != SLOT or found[-1:] != [SLOT]:
            found.append(word)
    return " ".join(found)


def same_kind(task: str, other: str, values: Iterable[str] = ()) -> bool:
    """Whether ``task`` is an instance of what ``other`` is an instance of.

    Args:
        task: the task to be done.
        other: the task of a demo.
        values: what is known to differ in the demo, for instance the texts of its variables.
    """
    ours, theirs = skeleton(task), skeleton(other)
    if _tells(ours) and ours == theirs:
        return True
    known = skeleton(other, values)
    if not _tells(known) or known == theirs:
        return False
    pattern = r"\S+(?: \S+)*".join(re.escape(part) for part in known.split(SLOT))
    return re.fullmatch(pattern, ours) is not None


def likeness(task: str, other: str) -> float:
    """How alike the sentences of two tasks are built, 0..1: words that stand in both in the same order, slots included.

    Values in lower case look like words of the sentence; here they cost only themselves.
    """
    ours, theirs = skeleton(task).split(), skeleton(other).split()
    if not ours or not theirs:
        return 0.0
    return SequenceMatcher(None, ours, theirs, autojunk=False).ratio()


def _tells(text: str) -> bool:
    """Whether enough fixed words are left to call two tasks alike."""
    return sum(word != SLOT for word in text.split()) >= _LEAST_WORDS


def words_of(text: str) -> set[str]:
    """The words of a text, lower case."""
    return set(re.findall(r"\w+", text.casefold()))
