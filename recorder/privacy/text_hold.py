"""Hold on typed text: none is stored where nobody tells any more which fields are secure, until a person says so.

As long as programs can be asked, they tell. When that ends in the middle of a recording, the next password would be
stored in clear and nobody would know; so from then on every typed text counts as a secret. Where nobody could tell from
the beginning, the settings say what is done, and the person is told.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from demopack.clock import now_ns
from recorder.backends.base import AccessSource

LOST_HELD = (
    "Programs no longer tell which fields hold passwords. Everything you type is held back as a secret now, "
    "until you say that it may be stored again."
)
LOST_STORED = (
    "Programs no longer tell which fields hold passwords. What you type is stored, passwords too: "
    "hold it back or pause before you type one."
)
ABSENT_HELD = "Programs do not tell which fields hold passwords. Everything you type is held back as a secret."
ABSENT_STORED = (
    "Programs do not tell which fields hold passwords. What you type is stored, passwords too: "
    "hold it back or pause before you type one."
)
HELD = "Everything you type is held back as a secret. Steps say that something was typed, and not what."

MAX_REPORT_DELAY_NS = 1_000_000_000  # news about a field that had not arrived by then belongs to something else


class TextHold:
    """The session's thread updates it and gives orders, the writer's thread asks. Times are monotonic nanoseconds."""

    def __init__(
        self,
        access: AccessSource,
        *,
        hold_unknown: bool = False,
        told: bool = True,
        clock: Callable[[], int] = now_ns,
    ) -> None:
        """Begin.

        Args:
            access: who knows secure fields.
            hold_unknown: whether everything is held back where nobody ever tells.
            told: whether the person hears that nobody tells.
            clock: monotonic nanoseconds.
        """
        self._access = access
        self._hold_unknown = hold_unknown
        self._told = told
        self._clock = clock
        self._alive_ns: int | None = None
        self._lost = False
        self._changes: list[tuple[int, bool]] = []
        self._lock = threading.Lock()
        self._update()

    def update(self) -> None:
        """Notice whether programs can still be asked."""
        with self._lock:
            self._update()

    def order(self, t_ns: int, *, hold: bool) -> None:
        """The person says what becomes of what is typed from now on."""
        with self._lock:
            self._update()
            self._changes.append((max([t_ns, *(since for since, _ in self._changes)]), hold))

    def holds(self, first_ns: int, last_ns: int) -> bool:
        """Whether a text that was typed between the two must not be stored."""
        with self._lock:
            self._update()
            held = self._alive_ns is None and self._hold_unknown
            for since_ns, now_held in self._changes:
                if since_ns > last_ns:
                    break
                held = now_held if since_ns <= first_ns else held or now_held
            return held

    def is_released(self, first_ns: int) -> bool:
        """Whether, after programs stopped telling, the person had a text stored that began then.

        What was told last, of a field that had the input, would hold for ever otherwise.
        """
        with self._lock:
            since_ns, held = self._changes[-1] if self._changes else (0, False)
            return self._lost and not held and since_ns <= first_ns

    @property
    def is_held(self) -> bool:
        """Whether what is typed now will be held back."""
        with self._lock:
            return self._is_held()

    @property
    def problems(self) -> list[str]:
        """What the person should know; empty when programs tell, and nothing is held back."""
        with self._lock:
            # First, by now, whether they can be asked at all: after that they are available, or never will be.
            is_decided = self._alive_ns is not None or self._access.has_begun
            self._update()
            held = self._is_held()
            if self._lost:
                return [LOST_HELD if held else LOST_STORED]
            if self._alive_ns is None and self._told and is_decided:
                return [ABSENT_HELD if held else ABSENT_STORED]
            return [HELD] if held and (self._changes or is_decided) else []

    def _update(self) -> None:
        if self._lost:
            return
        now = self._clock()
        if self._access.available:
            self._alive_ns = now
        elif self._alive_ns is not None:
            self._lost = True
            since_ns = self._alive_ns - MAX_REPORT_DELAY_NS
            # Whatever was said before was said of programs that tell.
            self._changes = [*(change for change in self._changes if change[0] <= since_ns), (since_ns, True)]

    def _is_held(self) -> bool:
        return self._changes[-1][1] if self._changes else self._alive_ns is None and self._hold_unknown
