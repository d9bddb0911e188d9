"""What the icon network thinks of one icon, and how much of the picture it has to see for that."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from demopack.domain.geometry import Rect, Size

__all__ = ["IconGuesses", "surroundings"]

_AIR_SHARE: Final = 0.1
_AIR: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class IconGuesses:
    """What one icon may mean.

    Attributes:
        name: what it means where the network is sure; None where it is not.
        likely: what it may mean and how likely that is, 0..1; the likeliest first.
    """

    name: str | None = None
    likely: tuple[tuple[str, float], ...] = ()


def surroundings(box: Rect, size: Size) -> Rect:
    """The part of a picture that tells as much about an icon as the whole of it: what ``cutting.cut_icons`` looks at.

    Args:
        box: the icon, in pixels of the picture.
        size: of the picture.
    """
    reach = max(box.width, box.height) * (1 + _AIR_SHARE) + _AIR
    x, y = (box.x1 + box.x2 - reach) / 2, (box.y1 + box.y2 - reach) / 2
    return Rect(math.floor(x), math.floor(y), math.ceil(x + reach), math.ceil(y + reach)).clamped(size)
