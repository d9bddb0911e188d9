"""What reaches the writer beside the drafts: shots, marks on saved steps, orders to forget, pictures of the film."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from recorder.pairing import Draft
from recorder.privacy.forgetting import ForgetOrder
from recorder.screen.frames import Look

__all__ = ["FilmLook", "Forget", "Job", "Mark", "Shot"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A picture that the person asked for.

    Attributes:
        look: the screen as it was then.
        t_ns: monotonic clock of the order.
    """

    look: Look
    t_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Something said about what was done last.

    Attributes:
        note: a remark on the last step; empty for none.
        variable: name of the variable whose value was typed last; empty for none.
    """

    note: str = ""
    variable: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """What was done at ``since_ns`` or later is to be removed for good.

    Attributes:
        since_ns: monotonic nanoseconds.
        asked: the order of another process that waits for an answer; None when the person pressed a key.
    """

    since_ns: int
    asked: ForgetOrder | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmLook:
    """A distinct picture of the screen, kept beside the steps."""

    look: Look


Job: TypeAlias = Draft | Shot | Mark | Forget | FilmLook
