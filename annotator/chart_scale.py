"""Round marks on an axis, as arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Axis", "axis_for", "nearest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A range with its marks.

    Attributes:
        low: smallest value.
        high: largest value; larger than ``low``.
        marks: round values in between.
        digits: after the point, so that any two marks look different.
    """

    low: float
    high: float
    marks: tuple[float, ...]
    digits: int

    def share(self, value: float) -> float:
        """Where a value lies: 0 at ``low``, 1 at ``high``."""
        return (value - self.low) / (self.high - self.low)

    def words(self, mark: float) -> str:
        """A mark as it is written."""
        return f"{mark:.{self.digits}f}"


def axis_for(values: Iterable[float], *, marks: int = 4, from_zero: bool = False) -> Axis:
    """A range of round numbers around some values.

    Args:
        values: finite; none make a range from 0 to 1.
        marks: about as many.
        from_zero: whether it begins at 0 whatever the values are.
    """
    found = list(values)
    low, high = (min(found), max(found)) if found else (0.0, 1.0)
    if from_zero:
        low, high = min(0.0, low), max(0.0, high)
    if high - low < 1e-9:
        low, high = (
            (0.0, 1.0) if from_zero and high <= 0 else (low - abs(low) * 0.1 - 1e-3, high + abs(high) * 0.1 + 1e-3)
        )
        low = max(low, 0.0) if from_zero else low
    rough = (high - low) / marks
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return Axis(
        low=first * step, high=last * step, marks=tuple(n * step for n in range(first, last + 1)), digits=digits
    )


def nearest(values: Iterable[float], wanted: float) -> float | None:
    """The value that lies nearest; None of none."""
    return min(values, key=lambda value: abs(value - wanted), default=None)
