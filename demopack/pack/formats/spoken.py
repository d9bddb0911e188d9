"""What a vocabulary makes of an action, and every way in which it may say less than is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from demopack.pack.formats.acts import Act

__all__ = ["NO_PLACE", "WHY", "Dialect", "Say", "Spoken", "by_kind", "lost_modifiers", "no_word"]

WHY: Final[Mapping[str, str]] = {
    "no_word": "the vocabulary has no word for this action",
    "no_place": "the vocabulary needs a place, and none is known",
    "hold": "how long the button was held down is not said",
    "modifiers": "the keys held meanwhile are not said",
    "click_count": "several clicks are said one by one",
    "submit": "the Enter at the end is said as an action of its own",
    "submit_left_out": "the Enter at the end is not said",
    "ascii": "characters beyond ASCII are passed over when the script runs",
    "presses": "repeated presses are said one by one",
    "drag_path": "the way between start and end is not said",
    "drag_start": "where the drag begins is said as an action of its own before it",
    "drag_button": "the button is not said, so it reads as the left one",
    "scroll_steps": "how far is not said",
    "wait_seconds": "how long is not said",
    "wait_rounded": "the time is rounded to whole seconds",
    "hover_seconds": "how long the pointer rested is not said",
    "finish_text": "success is said as a message, not as an action",
    "finish_failure": "failure is not said",
    "data": "the data that was read is not said",
    "keys": "the vocabulary has no name for one of the keys",
    "key_count": "the vocabulary takes three keys at most",
    "target": "the element is named in words, not by its place",
}
"""Code of a loss -> what is lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """An action in one vocabulary.

    Attributes:
        calls: plain JSON objects or strings, in order; empty where the vocabulary has no word for it.
        losses: codes of :data:`WHY`.
    """

    calls: tuple[Any, ...] = ()
    losses: tuple[str, ...] = ()

    @property
    def silent(self) -> bool:
        """Whether nothing could be said."""
        return not self.calls


Say = Callable[[Act], Spoken]
"""Puts one action into a vocabulary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One vocabulary.

    Attributes:
        name: how formats refer to it.
        title: for people.
        places: how it tells where something is, for people.
        say: puts one action into it.
    """

    name: str
    title: str
    places: str
    say: Say


def lost_modifiers(act: Act) -> tuple[str, ...]:
    """The loss of keys held meanwhile, where there are any."""
    return ("modifiers",) if act.modifiers else ()


def no_word(*codes: str) -> Spoken:
    """The vocabulary has nothing for it."""
    return Spoken(losses=("no_word", *codes))


def by_kind(words: Mapping[str, Say]) -> Say:
    """One sayer out of one for each kind of action; the vocabulary has nothing for the other kinds."""

    def say(act: Act) -> Spoken:
        return words[act.kind](act) if act.kind in words else no_word()

    return say


NO_PLACE: Final = Spoken(losses=("no_place",))
