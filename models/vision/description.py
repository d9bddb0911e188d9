"""What a describer says about one element, and about one icon."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Final

from demopack.domain.elements import ATTRIBUTES, ElementType, State
from demopack.domain.geometry import Rect, Size


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What one box holds.

    Attributes:
        type: what it is; None when nothing that a person would point at stands there, so that the box is a false alarm.
        type_confidence: 0..1.
        subtype: for icons and shapes; None when it has none that is known.
        subtype_confidence: 0..1; 1 where there is no subtype to doubt.
        states: what could be seen, true or false; left out where it could not.
        state_confidence: 0..1 for each of the states.
        text: what is written on it; None when nothing is, or when this describer does not read.
        text_confidence: 0..1, of the least sure character.
    """

    type: ElementType | None
    type_confidence: float = 1.0
    subtype: str | None = None
    subtype_confidence: float = 1.0
    states: dict[State, bool] = field(default_factory=dict[State, bool])
    state_confidence: dict[State, float] = field(default_factory=dict[State, float])
    text: str | None = None
    text_confidence: float = 1.0

    def cleaned(self) -> Description:
        """The same without what its type cannot carry; white space in the text is single, no text is None."""
        if self.type is None:
            return Description(type=None, type_confidence=self.type_confidence)
        may = ATTRIBUTES[self.type]
        text = " ".join(self.text.split()) if self.text is not None and may.text else ""
        return replace(
            self,
            subtype=self.subtype if may.subtype else None,
            states={state: value for state, value in self.states.items() if state in may.states},
            state_confidence={state: value for state, value in self.state_confidence.items() if state in may.states},
            text=text or None,
        )


_AIR_SHARE: Final = 0.1
_AIR: Final = 2
"""How much wider than an icon the square is that tells about it: a share of the icon, and pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IconGuesses:
    """What one icon may mean.

    Attributes:
        name: what it means where the network is sure; None where it is not.
        likely: what it may mean and how likely that is, 0..1; the likeliest first.
    """

    name: str | None = None
    likely: tuple[tuple[str, float], ...] = ()


def icon_square(box: Rect, *, wider: float = 1.0) -> tuple[float, float, float]:
    """Left and top edge and side of the square around an icon, pixels; of one so many times wider."""
    side = wider * (max(box.width, box.height) * (1 + _AIR_SHARE) + _AIR)
    return (box.x1 + box.x2 - side) / 2, (box.y1 + box.y2 - side) / 2, side


def surroundings(box: Rect, size: Size) -> Rect:
    """The part of a picture that tells as much about an icon as the whole of it: what ``icons.cut_icons`` looks at.

    Args:
        box: the icon, in pixels of the picture.
        size: of the picture.
    """
    x, y, reach = icon_square(box)
    return Rect(math.floor(x), math.floor(y), math.ceil(x + reach), math.ceil(y + reach)).clamped(size)
