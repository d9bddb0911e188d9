"""Failures of one attempt, and what follows: wait and ask again, ask otherwise, or give up."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from models.language.port import AnswerError, LanguageError, NoKeyError, RefusedError, ServerError, Usage

FailureKind = Literal[
    "busy", "server", "timeout", "cut", "unreachable", "unreadable", "oversize", "type", "refused", "key", "quota",
    "rejected", "missing",
]  # fmt: skip

_LONGEST_S: Final = 300.0
"""A server that asks for a longer wait than this is given up."""


class _Handling(NamedTuple):
    """What the user reads, and how many attempts there are, each after a longer wait than the one before."""

    what: str
    hint: str
    error: type[LanguageError] = ServerError
    attempts: int = 1
    waits: bool = False


_HANDLING: Final[dict[FailureKind, _Handling]] = {
    "busy": _Handling(
        "takes no more requests for now",
        "Wait a while, or set fewer requests at once (language.in_flight).",
        attempts=6,
        waits=True,
    ),
    "server": _Handling("went on failing", "Try again later.", attempts=6, waits=True),
    "timeout": _Handling(
        "did not answer in time", "Try again, or set a longer time (language.timeout_s).", attempts=6, waits=True
    ),
    "cut": _Handling("broke off its answers", "Try again later.", attempts=6, waits=True),
    "unreachable": _Handling(
        "cannot be reached", "Check that it runs, the network, and language.base_url.", attempts=6, waits=True
    ),
    "unreadable": _Handling(
        "gave answers that are not what was asked for", "Try again, or choose another model.", AnswerError, attempts=3
    ),
    "oversize": _Handling(
        "gave an answer without end", "Check language.base_url, or choose another model.", AnswerError, attempts=3
    ),
    "type": _Handling(
        "answered with something other than JSON",
        "Check language.base_url: for most servers it ends with /v1.",
        AnswerError,
        attempts=3,
    ),
    "refused": _Handling(
        "refused to answer this request", "Write this step by hand, or choose another model.", RefusedError
    ),
    "key": _Handling("did not accept the key", "Check the key, and that it may use this model.", NoKeyError),
    "quota": _Handling("has no credit left for this key", "Top it up at the provider, then go on."),
    "rejected": _Handling(
        "does not accept the request", "Check language.model and what it can do; the details say more."
    ),
    "missing": _Handling("does not exist at that server", "Check language.model and language.base_url."),
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


def retry_wait_s(failure: Failure, earlier: int, *, chance: float) -> float | None:
    """Seconds until the next attempt; None to give up.

    Args:
        failure: the latest.
        earlier: how many of its kind came before it in this request.
        chance: a number from 0 to 1 that spreads the waits, so that not all come back at once.
    """
    handling = _HANDLING[failure.kind]
    if earlier + 1 >= handling.attempts:
        return None
    if not handling.waits:
        return 0.0
    if failure.retry_after is not None:
        return failure.retry_after if failure.retry_after <= _LONGEST_S else None
    return 2.0**earlier * (0.5 + 0.5 * chance)


def error_of(failure: Failure, name: str) -> LanguageError:
    """The sentence for the user when the last attempt has failed."""
    what, hint, error, *_ = _HANDLING[failure.kind]
    if failure.retry_after is not None:
        hint = f"It asks to be left alone for {failure.retry_after:.0f} s. {hint}"
    return error(
        f"The language model {name} {what}; what was written before is safe.", details=failure.words, hint=hint
    )
