"""What elements are known by from frame to frame: type, text and pixels, and how far those tell one from the others."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect
from demopack.domain.text_likeness import digits_in, ratio
from models.vision.appearance import Descriptor, Descriptors

Floats: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]

_FAMILIES: tuple[frozenset[ElementType], ...] = (
    frozenset({
        "text", "hyperlink", "tabled_text", "draggable_text", "button", "tab", "menu", "menu_item", "list_item",
        "tree_item", "other",
    }),
    frozenset({"input_field", "text_area", "spinner", "dropdown", "button", "other"}),
    frozenset({"checkbox", "radio", "toggle", "shape", "icon"}),
    frozenset({"icon", "image", "shape", "button", "other"}),
    frozenset({"window", "dialog", "toolbar", "image", "other"}),
    frozenset({"scrollbar", "slider"}),
)  # fmt: skip
"""Types that a model may take for one another."""
_MIN_THUMBNAIL_LIKENESS = 0.7
"""Thumbnails that have as much in common may be of the same kind of icon."""
MIN_TEXT_LIKENESS: Final = 0.9
"""Texts that have as much in common, and the same digits, are one text that was read differently."""
MAX_TEXT_PAIRS: Final = 5000
"""Pairs of texts that may be compared letter by letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What is known of a track.

    Attributes:
        element: as it was seen last.
        place: where it would be now if nothing moved.
        look: what it looked like; None when that is not known.
        now: whether it was on the frame just before.
        move: how far it is expected to have moved since, in pixels.
    """

    element: Element
    place: Rect
    look: Descriptor | None = None
    now: bool = True
    move: tuple[int, int] = (0, 0)


@lru_cache(maxsize=2048)
def type_cost(a: ElementType, b: ElementType) -> float:
    """0 for equal types, a half for such as models take for one another, 1 for others."""
    if a == b:
        return 0.0
    return 0.5 if any(a in family and b in family for family in _FAMILIES) else 1.0


@lru_cache(maxsize=65_536)
def likeness(a: str, b: str) -> float:
    """What two different texts have in common, 0 to 0.99; below ``MIN_TEXT_LIKENESS`` where their digits differ."""
    share = ratio(a, b)
    if digits_in(a) == digits_in(b):
        return min(0.99, share)
    # Numbers tell the rows of a list apart.
    return min(MIN_TEXT_LIKENESS - 0.01, share)


@lru_cache(maxsize=65_536)
def key_of(text: str | None) -> str:
    """Text as it is compared: OCR wavers in spaces, case and dots."""
    if not text:
        return ""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if c.isalnum())
    return plain or text.strip()


def in_order(elements: Sequence[Element], looks: Descriptors) -> list[Descriptor | None]:
    """The looks of elements in their order."""
    return [looks.get(element.uid) for element in elements]


def names_of(elements: Sequence[Element]) -> list[Hashable]:
    """The texts of elements as they are compared; None where one says too little to know something by it."""
    return [key_of(e.text) if len(key_of(e.text)) >= 2 else None for e in elements]


def pixels_of(looks: Sequence[Descriptor | None]) -> list[Hashable]:
    """The pixels of elements that look like no other of theirs; None for the others.

    A box that is one pixel off makes one of many equal ticks the only one with its pixels, so that is not enough.
    """
    shown = [i for i, look in enumerate(looks) if look is not None and look.thumb.any()]
    names: list[Hashable] = [None] * len(looks)
    if shown:
        thumbs = np.stack([look.thumb for look in looks if look is not None and look.thumb.any()])
        alone = (np.abs(thumbs @ thumbs.T) >= _MIN_THUMBNAIL_LIKENESS).sum(axis=1) == 1
        for i, only in zip(shown, alone, strict=True):
            look = looks[i]
            names[i] = look.digest if only and look is not None else None
    return names


def single(names: Sequence[Hashable]) -> Mask:
    """Which names occur once."""
    counts = Counter(names)
    return np.array([name is not None and counts[name] == 1 for name in names])


def only_one(mine: Sequence[Hashable], their: Sequence[Hashable]) -> Mask:
    """The pairs of which each is the only one with its name."""
    only = np.zeros((len(mine), len(their)), dtype=np.bool_)
    for i, j in common(mine, their):
        only[i, j] = True
    return only


def common(mine: Sequence[Hashable], their: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Positions of the names that occur once on both sides."""
    counts = Counter(mine), Counter(their)
    where = {name: j for j, name in enumerate(their)}
    for i, name in enumerate(mine):
        if name is not None and counts[0][name] == 1 and counts[1][name] == 1:
            yield i, where[name]
