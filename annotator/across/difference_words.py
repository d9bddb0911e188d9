"""What differs between two pictures, in a sentence."""

from __future__ import annotations

from annotator.across.comparison import Comparison
from annotator.across.shifts import Move

__all__ = ["difference_words"]


def difference_words(comparison: Comparison) -> str:
    """For instance ``3 regions changed.`` and, where something moved, a sentence about the largest such area."""
    if comparison.same:
        return "The two pictures are equal."
    said: list[str] = []
    count = len(comparison.regions)
    if count:
        said.append("1 region changed." if count == 1 else f"{count} regions changed.")
    if comparison.moves:
        said.append(_moved_words(max(comparison.moves, key=lambda move: move.area.area)))
    return " ".join(said)


def _moved_words(move: Move) -> str:
    if move.dy > 0:
        return f"An area moved down by {move.dy} px."
    if move.dy < 0:
        return f"An area moved up by {-move.dy} px."
    if move.dx > 0:
        return f"An area moved to the right by {move.dx} px."
    return f"An area moved to the left by {-move.dx} px."
