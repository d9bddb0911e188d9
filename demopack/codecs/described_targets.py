"""Targets that are named in words: finds the element that is meant, or says that it cannot."""

from __future__ import annotations

import re
from typing import Final

from demopack.codecs.decoded import target_at
from demopack.codecs.observation import Observation
from demopack.domain.actions import ActionTarget
from demopack.domain.elements import NumberedElement
from demopack.errors import ActionError

# Double, curly and single quotes; an apostrophe inside a word is none.
_QUOTED = re.compile(
    '"([^"]+)"|\u201c([^\u201d]+)\u201d|\u2018([^\u2019]+)\u2019'
    r"|(?<!\w)'((?:[^']|(?<=\w)'(?=\w))+)'(?!\w)"
)
_PLACE = re.compile(r"\bx=(\d+), y=(\d+)")
_WORD = re.compile(r"\w+")
# Words that name no particular thing; the names of types do, so they are not among these.
_STOP_WORDS: Final = frozenset({
    "a", "an", "and", "at", "by", "click", "double", "drag", "element", "first", "for", "from", "in", "into", "it",
    "its", "move", "mouse", "of", "on", "onto", "or", "over", "press", "right", "scroll", "select", "so", "text",
    "that", "the", "then", "this", "to", "triple", "type", "with",
})  # fmt: skip
_MIN_COMMON_SHARE: Final = 0.5


def target_in_words(description: str, observation: Observation) -> ActionTarget:
    """The element whose text is quoted in the description, else the one that shares most of its words with it.

    A place in pixels (``x=300, y=400``) is taken as it is.

    Without an element list the quoted text, or the description itself, becomes the target's text, to be found later.

    Raises:
        ActionError: (``not_grounded``) no element fits, or several fit equally well.
    """
    place = _PLACE.search(description)
    if place is not None and observation.size is not None:
        x, y = float(place.group(1)), float(place.group(2))
        return target_at(x, y, observation, space="pixels", field_name="description")
    quoted = [next(part for part in groups if part) for groups in _QUOTED.findall(description)]
    if not observation.elements:
        return ActionTarget(text=quoted[0] if quoted else description.strip())
    for text in quoted:
        found = [item for item in observation.elements if _plain(item.text) == _plain(text)]
        found = found or [item for item in observation.elements if item.text and _plain(text) in _plain(item.text)]
        if found:
            return observation.target(_best(found, description))
    scored = sorted(
        ((_shared(item, description), item.number, item) for item in observation.elements), key=lambda s: -s[0]
    )
    if scored[0][0] < _MIN_COMMON_SHARE or (len(scored) > 1 and scored[1][0] == scored[0][0]):
        raise _lost(description)
    return observation.target(scored[0][2])


def _lost(description: str) -> ActionError:
    return ActionError(
        f"No element on the screen is clearly meant by “{description}”.",
        code="not_grounded",
        field="description",
        hint="Describe the element by its text in quotes, its kind and where it is, or scroll until it can be seen.",
    )


def _plain(text: str | None) -> str:
    return " ".join((text or "").casefold().split())


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold().replace("_", " ")) if word not in _STOP_WORDS}


def _best(found: list[NumberedElement], description: str) -> NumberedElement:
    """Of several with the same text, the one whose kind is named; of these the first in reading order."""
    words = _words(description)
    return max(found, key=lambda item: (len(_words(item.type) & words), -item.number))


def _shared(item: NumberedElement, description: str) -> float:
    """How much of what the description says is true of the element, 0..1."""
    said = _words(description)
    own = _words(" ".join(filter(None, (item.text, item.subtype, item.type))))
    return len(said & own) / len(said) if said else 0.0
