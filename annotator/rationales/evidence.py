"""What a text names: which elements of the screen stand behind the words at the cursor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from demopack.domain.elements import Element
from models.language.check.references import references
from models.language.check.screen import ScreenIndex
from models.language.check.text import sentences

__all__ = ["Named", "Sentence", "named_in", "sentence_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A name in a text.

    Attributes:
        start: where it begins, in characters from 0, with its quotes.
        end: where it ends, exclusive.
        uids: the elements that it may mean, those only that it fits best; empty when nothing is called so.
    """

    start: int
    end: int
    uids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """The sentence around a place in a text; ``end`` is exclusive."""

    start: int
    end: int


def named_in(text: str, elements: Iterable[Element]) -> list[Named]:
    """Every name in a text with the elements that it may mean, in the order of the words."""
    screen = ScreenIndex(elements)
    return [
        Named(start=one.span.start, end=one.span.end, uids=tuple(e.uid for e in screen.called(one.name)))
        for one in references(text, [screen])
    ]


def sentence_at(text: str, place: int) -> Sentence:
    """The sentence that holds a place; the last one for a place behind all, an empty one for an empty text."""
    spans = sentences(text)
    for span in spans:
        if place <= span.end:
            return Sentence(start=span.start, end=span.end)
    return Sentence(start=spans[-1].start, end=len(text)) if spans else Sentence(start=0, end=0)
