"""What the person tells the recorder itself, in the order in which it was said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Order", "OrderKind"]

OrderKind = Literal["pause", "resume", "stop", "panic", "forget", "shot", "note", "variable", "hold_text", "store_text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One order. It stands in the queue behind the events that came before it.

    Attributes:
        kind: what to do.
        t_ns: monotonic clock when it was given.
        seconds: how far ``forget`` and ``panic`` reach back; the delay of a ``shot``.
        text: of a ``note``; name of a ``variable``.
    """

    kind: OrderKind
    t_ns: int
    seconds: float = 0.0
    text: str = ""
