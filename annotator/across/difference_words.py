"""What differs between two pictures, in a sentence."""

from __future__ import annotations

from annotator.across.comparison import Comparison
from annotator.across.shifts import Move
from annotator.words import tr

__all__ = ["difference_words"]


def difference_words(comparison: Comparison) -> str:
    """For instance ``3 regions changed.`` and, where something moved, a sentence about the largest such area."""
    if comparison.same:
        return tr("The two pictures are equal.")
    said: list[str] = []
    count = len(comparison.regions)
    if count:
        said.append(tr("1 region changed.") if count == 1 else tr("{count} regions changed.").format(count=count))
    if comparison.moves:
        said.append(_moved_words(max(comparison.moves, key=lambda move: move.area.area)))
    return " ".join(said)


def _moved_words(move: Move) -> str:
    if move.dy > 0:
        return tr("An area moved down by {dy} px.").format(dy=move.dy)
    if move.dy < 0:
        return tr("An area moved up by {value} px.").format(value=-move.dy)
    if move.dx > 0:
        return tr("An area moved to the right by {dx} px.").format(dx=move.dx)
    return tr("An area moved to the left by {value} px.").format(value=-move.dx)
