"""What differs between two pictures, in a sentence."""

from __future__ import annotations

from annotator.across.comparison import Comparison
from annotator.across.shifts import Move

__all__ = ["difference_words"]


def difference_words(comparison: Comparison) -> str:
    """For instance ``3 regions changed; an area moved up by 156 px`` and a full stop."""
    if comparison.same:
        return "The two pictures are equal."
    moved = _moved_words(max(comparison.moves, key=lambda move: move.area.area)) if comparison.moves else ""
    count = len(comparison.regions)
    changed = "1 region changed" if count == 1 else f"{count} regions changed"
    if not moved:
        return f"{changed}."
    return f"{changed}; {moved}." if count else f"{moved[0].upper()}{moved[1:]}."


def _moved_words(move: Move) -> str:
    if move.dy:
        return f"an area moved {'down' if move.dy > 0 else 'up'} by {abs(move.dy)} px"
    return f"an area moved to the {'right' if move.dx > 0 else 'left'} by {abs(move.dx)} px"
