"""When a window of ours had the keyboard, told by the window itself.

What is known about windows is as old as the last look at the screen. Who writes quickly into a pop-up that has just
opened must not find the first letters in the recording, nor miss the first ones after it has closed.
"""

from __future__ import annotations

import threading
from collections import deque

__all__ = ["OWN_INPUT", "OwnInput"]


class OwnInput:
    """The last spans in which one of our windows had the input; any thread may tell and ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spans: deque[tuple[int, int]] = deque(maxlen=32)
        self._since: int | None = None

    def begin(self, t_ns: int) -> None:
        """From now on what is typed is meant for us. Monotonic nanoseconds; harmless when it was so already."""
        with self._lock:
            if self._since is None:
                self._since = t_ns

    def end(self, t_ns: int) -> None:
        """No longer; harmless when it was not."""
        with self._lock:
            if self._since is not None:
                self._spans.append((self._since, t_ns))
                self._since = None

    def had(self, t_ns: int, *, seen_ns: int) -> bool | None:
        """Whether what was typed at ``t_ns`` was meant for us; None when only a look at the windows can tell.

        Args:
            t_ns: of the key.
            seen_ns: when the newest look at the windows before it ended. A span that ended after that makes the look
                too old to say anything.
        """
        with self._lock:
            if self._since is not None and t_ns >= self._since:
                return True
            if any(begin <= t_ns < end for begin, end in self._spans):
                return True
            return False if any(seen_ns < end <= t_ns for _, end in self._spans) else None


OWN_INPUT = OwnInput()
"""Of this process."""
