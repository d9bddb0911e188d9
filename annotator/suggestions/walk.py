"""The way from one suggestion to the next."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.suggestions.sieve import is_suggestion
from demopack.domain.elements import Element

__all__ = ["next_suggestion"]


def next_suggestion(ordered: Sequence[Element], done: Sequence[str]) -> str | None:
    """Uid of the suggestion after the last of ``done``; at the end the search goes on at the beginning.

    Args:
        ordered: the shown elements of a frame in reading order.
        done: uids that are decided by now; they may still stand in ``ordered`` as suggestions.

    Returns:
        None where no other suggestion is left.
    """
    decided = set(done)
    places = [place for place, element in enumerate(ordered) if element.uid in decided]
    start = places[-1] + 1 if places else 0
    for element in (*ordered[start:], *ordered[:start]):
        if is_suggestion(element) and element.uid not in decided:
            return element.uid
    return None
