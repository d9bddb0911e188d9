"""A word completes itself: the first of the known words that begins as it does."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["completed"]


def completed(typed: str, words: Iterable[str]) -> str:
    """What a beginning is completed to; itself where no word begins so.

    Args:
        typed: what was written; nothing stays nothing.
        words: the best first.
    """
    start = typed.casefold()
    if not start.strip():
        return typed
    return next((word for word in words if word.casefold().startswith(start)), typed)
