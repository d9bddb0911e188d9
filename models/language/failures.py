"""What can go wrong with one attempt, and what follows: wait and ask again, ask otherwise, or give up."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from models.language.port import AnswerError, LanguageError, NoKeyError, RefusedError, ServerError, Usage

__all__ = ["Clock", "Failure", "FailureKind", "Patience", "WallClock", "error_of"]

FailureKind = Literal[
    "busy", "server", "timeout", "cut", "unreachable", "unreadable", "oversize", "type", "refused", "key", "quota",
    "rejected", "missing",
]  # fmt: skip

_PASSING: Final = {"busy", "server", "timeout", "cut", "unreachable"}
"""The same question may be answered a little later."""
_LONGEST_S: Final = 60.0
"""Longest wait that we choose ourselves."""
_SENTENCES: Final[dict[FailureKind, tuple[str, str]]] = {
    "busy": ("takes no more requests for now", "Wait a while, or set fewer requests at once (language.in_flight)."),
    "server": ("went on failing", "Try again later."),
    "timeout": ("did not answer in time", "Try again, or set a longer time (language.timeout_s)."),
    "cut": ("broke off its answers", "Try again later."),
    "unreachable": ("cannot be reached", "Check that it runs, the network, and language.base_url."),
    "unreadable": ("gave answers that are not what was asked for", "Try again, or choose another model."),
    "oversize": ("gave an answer without end", "Check language.base_url, or choose another model."),
    "type": (
        "answered with something other than JSON",
        "Check language.base_url: for most servers it ends with /v1.",
    ),
    "refused": ("refused to answer this request", "Write this step by hand, or choose another model."),
    "key": ("did not accept the key", "Check the key, and that it may use this model."),
    "quota": ("has no credit left for this key", "Top it up at the provider, then go on."),
    "rejected": ("does not accept the request", "Check language.model and what it can do; the details say more."),
    "missing": ("does not exist at that server", "Check language.model and language.base_url."),
}
_ERRORS: Final[dict[FailureKind, type[LanguageError]]] = {
    "refused": RefusedError,
    "key": NoKeyError,
    "unreadable": AnswerError,
    "oversize": AnswerError,
    "type": AnswerError,
}


class Failure(Exception):  # noqa: N818 - never leaves the client; what does is an Error
    """One attempt that gave no text.

    Attributes:
        kind: what it was.
        words: the server's or the library's own, without the key.
        retry_after: seconds that the server asks to wait; None when it asked for nothing.
        billed: whether it may have been charged all the same.
        usage: what it took, where the server said so.
    """

    def __init__(
        self,
        kind: FailureKind,
        words: str,
        *,
        retry_after: float | None = None,
        billed: bool = False,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(words)
        self.kind: FailureKind = kind
        self.words = words
        self.retry_after = retry_after
        self.billed = billed
        self.usage = usage


class Clock(Protocol):
    """Time between attempts; tests bring their own."""

    def now(self) -> float:
        """Seconds since some moment."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class WallClock:
    """The real one."""

    def now(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often and how long after a failure the same is asked again.

    Attributes:
        tries: attempts for failures that pass by themselves.
        readings: attempts for answers that cannot be read.
        first_s: wait after the first failure; it doubles with each.
        longest_s: a server that asks for more than this is given up.
        dice: a number from 0 to 1 that spreads the waits, so that not all come back at once.
    """

    tries: int = 6
    readings: int = 3
    first_s: float = 1.0
    longest_s: float = 300.0
    dice: Callable[[], float] = random.SystemRandom().random

    def wait(self, failure: Failure, earlier: int) -> float | None:
        """Seconds until the next attempt; None to give up.

        Args:
            failure: the latest.
            earlier: how many of its sort came before it in this request.
        """
        if failure.kind in {"unreadable", "type", "oversize"}:
            return 0.0 if earlier + 1 < self.readings else None
        if failure.kind not in _PASSING or earlier + 1 >= self.tries:
            return None
        if failure.retry_after is not None:
            return failure.retry_after if failure.retry_after <= self.longest_s else None
        # Half is sure, the other half by chance.
        return min(_LONGEST_S, self.first_s * 2.0**earlier) * (0.5 + 0.5 * self.dice())


def error_of(failure: Failure, name: str) -> LanguageError:
    """The sentence for the user when the last attempt has failed."""
    what, hint = _SENTENCES[failure.kind]
    if failure.retry_after is not None:
        hint = f"It asks to be left alone for {failure.retry_after:.0f} s. {hint}"
    kind = _ERRORS.get(failure.kind, ServerError)
    return kind(f"The language model {name} {what}; what was written before is safe.", details=failure.words, hint=hint)
